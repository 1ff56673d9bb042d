"""How games are found: those of the package, those that other packages bring, and those that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from brinkmanship.drawing import Drawing
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.games.registry import (
    BUILT_IN,
    NO_GOALS,
    Kit,
    UnknownGameError,
    built_in,
    game_class,
    implementation,
    kit_of,
    kits,
    load_game,
)
from brinkmanship.lab.balance.profile import OTHER_GAMES, BalanceProfile, profile_of
from brinkmanship.lab.calibration.sampling import moment_of
from brinkmanship.lab.diagnostics.exploit import secret_choice_of
from brinkmanship.players import players_for
from brinkmanship.research.columns import codes_of
from brinkmanship.terminal.protocol import Asking, Table
from brinkmanship.text import GameTexts
from support.installed_games import EXAMPLES, install, on_path

MODULE = """
from brinkmanship.games.registry import Kit
KIT = Kit("sealed-bids", "template_game")
WRONG = Kit("other-bids", "template_game")
NO_KIT = "sealed-bids"
"""
MEASURED_KIT = """
from brinkmanship.games.registry import Kit
KIT = Kit("sealed-bids", __package__)
"""
MEASURED_BALANCE = """
from brinkmanship.lab.balance.profile import BalanceProfile
class Bids(BalanceProfile):
    kinds = ("bids",)
    def sizes(self):
        return {"random": {"games": 7}}
"""


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_part_of_a_built_in_game_is_found(game_id: str) -> None:
    kit = built_in()[game_id]
    assert kit.id == game_id
    assert game_class(game_id).id == game_id
    for module in ("drawing.emblem", "players.levels", "forecast", "observation"):
        assert kit.module(module) is not None
    assert implementation(kit, "drawing", Drawing)
    assert implementation(kit, "words", GameTexts)
    for place in (*kit.players.values(), *kit.baselines.values()):
        module, _, name = place.partition(".")
        assert hasattr(kit.module(f"players.{module}"), name)
    terminal = implementation(kit, "terminal", Asking)
    assert {name for name in vars(Table) if not name.startswith("_")} <= set(dir(terminal))
    assert implementation(kit, "balance", BalanceProfile) is not None
    assert None not in kit.goals


def test_a_part_that_a_game_leaves_out_is_not_found() -> None:
    with on_path(EXAMPLES):
        kit = Kit("sealed-bids", "template_game")
        assert implementation(kit, "terminal", Asking) is None
        assert implementation(kit, "drawing", Drawing) is None
        assert implementation(Kit("kuhn-poker", "kuhn_poker"), "words", GameTexts) is None
        assert kit.module("players.levels") is None


def test_the_lab_measures_a_game_of_rules_alone_by_the_defaults(tmp_path: Path) -> None:
    install(tmp_path, "kuhn-poker", "kuhn-poker = kuhn_poker.kit:KIT")
    with on_path(tmp_path, EXAMPLES):
        game, kit = load_game("kuhn-poker"), kit_of("kuhn-poker")
        assert kit.zero_sum
        assert kit.goals == NO_GOALS
        assert type(profile_of(game)) is BalanceProfile
        assert profile_of(game).sizes() == {"random": OTHER_GAMES}
        assert secret_choice_of(game) is None
        assert list(codes_of(game)) == ["mover"]
        with pytest.raises(LocalizedError, match="no learned value"):
            moment_of(game)


def test_a_game_of_another_package_brings_what_the_lab_measures(tmp_path: Path) -> None:
    folder = tmp_path / "measured_bids"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "kit.py").write_text(MEASURED_KIT, encoding="utf-8")
    (folder / "balance.py").write_text(MEASURED_BALANCE, encoding="utf-8")
    install(tmp_path, "sealed-bids", "sealed-bids = measured_bids.kit:KIT")
    with on_path(tmp_path, EXAMPLES):
        from template_game.rules.game import SealedBids

        profile = profile_of(SealedBids.load())
        assert profile.kinds == ("bids",)
        assert profile.sizes() == {"random": {"games": 7}}


def test_a_module_of_a_part_needs_one_class_for_it() -> None:
    with pytest.raises(ImportError, match="has 0 classes that extend Asking; it needs one"):
        implementation(built_in()["13-days"], "kit", Asking)


def test_another_package_brings_a_game(tmp_path: Path) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    install(tmp_path, "sealed-bids", "sealed-bids = bids_kit:KIT")
    with on_path(tmp_path, EXAMPLES):
        assert list(kits()) == [*BUILT_IN, "sealed-bids"]
        game = load_game("sealed-bids")
        assert game.title == "Sealed Bids"
        assert players_for(game) == ("random",)
    assert list(kits()) == list(BUILT_IN)


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("sealed-bids = no_such_module:KIT", "No module named 'no_such_module'"),
        ("sealed-bids = bids_kit:NOTHING", "has no attribute 'NOTHING'"),
        ("sealed-bids = bids_kit:NO_KIT", "it has to be a brinkmanship.games.registry.Kit, not str"),
        ("sealed-bids = bids_kit:WRONG", "it is the kit of a game 'other-bids'"),
    ],
)
def test_a_package_that_cannot_be_used_stops_no_other_game(tmp_path: Path, point: str, said: str) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    install(tmp_path, "broken-bids", point)
    with on_path(tmp_path):
        assert list(kits()) == list(BUILT_IN)
        with pytest.raises(UnknownGameError, match="of broken-bids cannot be used") as caught:
            kit_of("sealed-bids")
        assert said in str(caught.value)


def test_of_two_packages_with_the_same_game_neither_is_taken(tmp_path: Path) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    for package in ("first-bids", "second-bids"):
        install(tmp_path, package, "sealed-bids = bids_kit:KIT")
    with on_path(tmp_path):
        assert list(kits()) == list(BUILT_IN)
        with pytest.raises(UnknownGameError, match="more than one package") as caught:
            kit_of("sealed-bids")
        assert "first-bids" in str(caught.value)
        assert "second-bids" in str(caught.value)


def test_no_package_takes_the_place_of_a_game_of_ours(tmp_path: Path) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    install(tmp_path, "false-days", "13-days = bids_kit:KIT")
    with on_path(tmp_path):
        assert kits() == built_in()
        assert kit_of("13-days") is built_in()["13-days"]
