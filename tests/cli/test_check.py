"""`brink game check`: a sound game passes, each planted fault is found and named with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.testing import PROPERTIES, Fault, find_fault
from brinkmanship.text import LANGUAGES
from support.cli_runner import run
from support.installed_games import EXAMPLES, install, on_path, silent_in_a_draw


@pytest.fixture(autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Sealed Bids, and a game that cannot be imported."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "broken_game.py").write_text(
        "from brinkmanship.games.registry import Kit\nKIT = Kit('broken-game', 'broken')\n",
        encoding="utf-8",
    )
    (folder / "broken" / "rules").mkdir(parents=True)
    (folder / "broken" / "__init__.py").touch()
    (folder / "broken" / "rules" / "__init__.py").touch()
    (folder / "broken" / "rules" / "game.py").write_text("coins = 1\ncoins / 0\n", encoding="utf-8")
    install(folder, "sealed-bids", "sealed-bids = template_game.kit:KIT")
    install(folder, "broken-game", "broken-game = broken_game:KIT")
    with on_path(folder, EXAMPLES):
        yield folder


class Altered:
    """A game with some of its deeds exchanged, as a designer's mistake would."""

    def __init__(self, game: Game, **instead: Any) -> None:
        self._game = game
        self.__dict__.update(instead)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def faults(**instead: Any) -> dict[str, Fault]:
    """The first fault of each property of Sealed Bids with these deeds."""
    game: Any = Altered(load_game("sealed-bids"), **instead)
    found = {name: find_fault(game, holds, 0, 1)[1] for name, holds in PROPERTIES.items()}
    return {name: fault for name, fault in found.items() if fault}


def test_a_sound_game_has_no_fault() -> None:
    assert faults() == {}


def test_every_property_is_looked_at() -> None:
    game = load_game("sealed-bids")
    assert all(find_fault(game, holds, 0, 1)[0] > 0 for holds in PROPERTIES.values())


def test_a_view_that_depends_on_the_favourite_of_the_other_side_is_named() -> None:
    game = load_game("sealed-bids")

    def view_of(state: Any, side: int) -> Any:
        view = game.view_of(state, side)
        if side == 0:
            view.bid[1] = state.favourite[1]
        return view

    found = faults(view_of=view_of)
    assert list(found) == ["secret"]
    assert "seen by us" in found["secret"].what


def test_a_text_that_is_read_as_another_action_is_named_with_the_move() -> None:
    game = load_game("sealed-bids")
    found = faults(parse_action=lambda text, side: game.parse_action(text.replace("bid 1", "bid 2"), side))
    fault = found["legal"]
    assert fault.move.startswith("bid")
    assert [text.split()[0] for text in fault.position] == ["favour", "favour", "turn_up"]
    assert "'bid 1' is read as another action" in fault.what
    assert fault.state["coins"] == {"us": 6, "ussr": 6}


def test_a_utility_out_of_range_is_found_at_the_end() -> None:
    game = load_game("sealed-bids")
    found = faults(outcome=lambda state: (game.outcome(state)[0], 3 * game.outcome(state)[1] + 2))
    assert list(found) == ["end"]
    assert found["end"].move == ""
    assert len(found["end"].position) > 10


def test_what_stops_a_game_is_told_with_the_action_that_did_it() -> None:
    game = load_game("sealed-bids")

    def apply(rules: Any, state: Any, action: int) -> None:
        if game.action_text(action) == "reveal_bids":
            raise IndexError("no such prize")
        game.apply(rules, state, action)

    fault = faults(apply=apply)["end"]
    assert (fault.move, fault.what) == ("reveal_bids", "IndexError: no such prize")


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_games_of_the_package_pass(game_id: str) -> None:
    told = json.loads(run("game", "check", game_id, "--games", "1", "--json").out)
    assert told["passed"]
    assert [each["property"] for each in told["properties"]] == list(PROPERTIES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_reads_in_every_language(language: str) -> None:
    shown = run("game", "check", "sealed-bids", "--games", "2", "--lang", language)
    assert (shown.code, shown.err) == (0, "")
    assert "Sealed Bids" in shown.out
    assert "check." not in shown.out


def test_a_fault_ends_with_1_and_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    altered = Altered(load_game("sealed-bids"), outcome=lambda _: ("not_over", [0.0]))
    monkeypatch.setattr("brinkmanship.cli.commands.game.check.load_game", lambda *_: altered)
    shown = run("game", "check", "sealed-bids", "--games", "3", "--seed", "5")
    assert shown.code == 1
    assert "FAILED: end" in shown.out
    assert "where: seed 5, game 0" in shown.out
    assert "is over for no reason" in shown.out
    told = json.loads(run("game", "check", "sealed-bids", "--seed", "5", "--json").out)
    fault = told["properties"][0]["fault"]
    assert (told["passed"], fault["seed"], fault["game"]) == (False, 5, 0)


def test_a_result_that_is_not_written_is_a_fault_of_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = silent_in_a_draw(load_game("sealed-bids", options={"favourites": False}))
    monkeypatch.setattr("brinkmanship.cli.commands.game.check.load_game", lambda *_: silent)
    shown = run("game", "check", "sealed-bids", "--json")
    found = {each["property"]: each["fault"] for each in json.loads(shown.out)["properties"] if each["fault"]}
    assert (shown.code, [*found]) == (1, ["end"])
    assert "does not write each side's utility" in found["end"]["what"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such-game",), "there is no game 'no-such-game'"),
        (("broken-game",), "game.py:2): ZeroDivisionError"),
        (("sealed-bids", "--option", "ties=true"), "has no option"),
        (("sealed-bids", "--games", "0"), "--games"),
    ],
)
def test_what_cannot_be_checked_ends_with_2(arguments: tuple[str, ...], said: str) -> None:
    shown = run("game", "check", *arguments)
    assert shown.code == 2
    assert said in shown.err
