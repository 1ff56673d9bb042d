"""How games are found: those of the package, those that other packages bring, and those that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from brinkmanship.engine.game import Game
from brinkmanship.games import UnknownGameError, load_game
from brinkmanship.kit import KITS, kit_of, kits, part
from brinkmanship.players import players_for
from brinkmanship.terminal.protocol import Table
from installed_games import EXAMPLES, install, on_path

MODULE = """
from brinkmanship.kit import Kit
KIT = Kit("sealed-bids", rules="template_game.game:SealedBids")
WRONG = Kit("other-bids", rules="template_game.game:SealedBids")
NO_KIT = "sealed-bids"
"""


@pytest.mark.parametrize("game_id", KITS)
def test_every_part_that_a_kit_names_is_there(game_id: str) -> None:
    kit = KITS[game_id]
    rules = part(kit.rules)
    assert isinstance(rules, type)
    assert issubclass(rules, Game)
    assert rules.id == game_id
    for place in (kit.words, kit.drawing, kit.terminal, kit.emblem, *kit.players.values()):
        assert part(place) is not None
    offered = {name for name in vars(Table) if not name.startswith("_")}
    assert offered <= set(dir(part(kit.terminal)))


def test_another_package_brings_a_game(tmp_path: Path) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    install(tmp_path, "sealed-bids", "sealed-bids = bids_kit:KIT")
    with on_path(tmp_path, EXAMPLES):
        assert list(kits()) == [*KITS, "sealed-bids"]
        game = load_game("sealed-bids")
        assert game.title == "Sealed Bids"
        assert players_for(game) == ("random",)
    assert list(kits()) == list(KITS)


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("sealed-bids = no_such_module:KIT", "No module named 'no_such_module'"),
        ("sealed-bids = bids_kit:NOTHING", "has no attribute 'NOTHING'"),
        ("sealed-bids = bids_kit:NO_KIT", "it has to be a brinkmanship.kit.Kit, not str"),
        ("sealed-bids = bids_kit:WRONG", "it is the kit of a game 'other-bids'"),
    ],
)
def test_a_package_that_cannot_be_used_stops_no_other_game(tmp_path: Path, point: str, said: str) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    install(tmp_path, "broken-bids", point)
    with on_path(tmp_path):
        assert list(kits()) == list(KITS)
        with pytest.raises(UnknownGameError, match="of broken-bids cannot be used") as caught:
            kit_of("sealed-bids")
        assert said in str(caught.value)


def test_of_two_packages_with_the_same_game_neither_is_taken(tmp_path: Path) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    for package in ("first-bids", "second-bids"):
        install(tmp_path, package, "sealed-bids = bids_kit:KIT")
    with on_path(tmp_path):
        assert list(kits()) == list(KITS)
        with pytest.raises(UnknownGameError, match="more than one package") as caught:
            kit_of("sealed-bids")
        assert "first-bids" in str(caught.value)
        assert "second-bids" in str(caught.value)


def test_no_package_takes_the_place_of_a_game_of_ours(tmp_path: Path) -> None:
    (tmp_path / "bids_kit.py").write_text(MODULE, encoding="utf-8")
    install(tmp_path, "false-days", "13-days = bids_kit:KIT")
    with on_path(tmp_path):
        assert kits() == KITS
        assert kit_of("13-days") is KITS["13-days"]
