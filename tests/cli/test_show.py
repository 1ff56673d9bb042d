"""`brink games`, `brink cards` and `brink rulings`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from brinkmanship.games.registry import Discovery, Kit, built_in, load_game
from brinkmanship.text import LANGUAGES, cards_of, words_for
from support.cli_runner import run

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples"))

DATA = files("brinkmanship.games.thirteen_days").joinpath("cards.toml").read_text(encoding="utf-8")


def test_games_are_listed() -> None:
    assert "13-days" in run("games").out
    assert "Карибский кризис" in run("games", "--lang", "ru").out
    games = {game["id"]: game for game in json.loads(run("games", "--json").out)}
    assert set(games) == {"13-days", "13-minutes", "ukrainian-crisis"}
    game = games["13-days"]
    assert set(game["title"]) == set(LANGUAGES)
    assert game["options"]["brink_floor"] == {"values": ["total", "before_letter"], "default": "total"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_cards_are_shown_within_80_columns(language: str) -> None:
    shown = run("cards", "13-days", "--lang", language)
    assert shown.code == 0
    assert max(map(len, shown.out.splitlines())) <= 80
    told = json.loads(run("cards", "13-days", "--lang", language, "--json").out)
    assert len(told["cards"]) == 39
    assert sum(agenda["copies"] for agenda in told["agendas"]) == 13
    assert all(card["name"] in shown.out and card["text"] for card in told["cards"])


def test_the_data_file_comes_out_as_it_is(tmp_path: Path) -> None:
    assert run("cards", "13-days", "--data").out == DATA
    changed = tmp_path / "my.toml"
    changed.write_text(DATA.replace("max = 2, each = 2", "max = 3, each = 3"), encoding="utf-8")
    assert run("cards", "13-days", "--data", "--cards", str(changed)).out == changed.read_text(encoding="utf-8")
    assert "Place up to 3 US cubes in the Atlantic." in run("cards", "13-days", "--cards", str(changed)).out
    assert run("cards", "13-days", "--data", "--json").code == 2


def test_cards_are_shown_as_options_of_the_rules_make_them() -> None:
    assert run("cards", "13-days", "--option", "agenda_icon_order=escalate_then_score").code == 0
    assert run("cards", "13-days", "--option", "moon=full").code == 2


def test_rulings_tell_the_range_of_an_option_that_is_a_number() -> None:
    shown = run("rulings", "13-minutes").out
    assert "--option bid_tie_cap=N  N from 0 to 1000" in shown
    assert "--option campaign_target=N  N from 1 to 1000" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_rulings_are_shown(language: str) -> None:
    shown = run("rulings", "13-days", "--lang", language)
    assert shown.code == 0
    assert "R55" in shown.out
    assert "--option agenda_icon_order=escalate_then_score" in shown.out
    told = json.loads(run("rulings", "13-days", "--lang", language, "--json").out)
    assert [ruling["number"] for ruling in told] == [f"R{number}" for number in range(1, 56)]
    assert sum(ruling["option"] is not None for ruling in told) == 10


@pytest.mark.parametrize("command", ["cards", "rulings", "play", "lab simulate"])
def test_a_cards_file_with_a_fault_is_refused_with_its_line(tmp_path: Path, command: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(DATA.replace("cubes = 3", "cubes = 33", 1), encoding="utf-8")
    line = path.read_text(encoding="utf-8").splitlines().index("cubes = 33") + 1
    args = [*command.split(), "13-days", "--cards", str(path)] + (["--games", "5"] if command == "lab simulate" else [])
    result = run(*args)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"brink: {path}:{line}: ")
    assert len(result.err.strip().splitlines()) == 1


def test_unknown_games_and_languages_are_refused() -> None:
    for command in ("cards", "rulings"):
        assert run(command, "chess").code == 2
        assert run(command, "13-days", "--lang", "fr").code == 2
    assert run("games", "--lang", "fr").code == 2
    assert run("nothing").code == 2


@pytest.fixture
def sealed_bids(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game that brings rules and nothing else."""
    kit = Kit("sealed-bids", "template_game")
    monkeypatch.setattr("brinkmanship.games.registry.discover", lambda: Discovery({**built_in(), kit.id: kit}, {}))
    return "sealed-bids"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_texts_is_counted_and_shown_by_its_ids(sealed_bids: str, language: str) -> None:
    counted = run("lab", "simulate", sealed_bids, "--games", "50", "--seed", "1", "--workers", "1", "--lang", language)
    assert counted.code == 0, counted.err
    assert "Sealed Bids" in counted.out
    assert "ussr" in counted.out
    for command in ("cards", "rulings"):
        shown = run(command, sealed_bids, "--lang", language)
        assert (shown.code, len(shown.out.splitlines())) == (0, 1)
    assert json.loads(run("cards", sealed_bids, "--json").out)["cards"] == []


@pytest.mark.parametrize(("language", "heading"), [("en", "No side: 39 cards"), ("pl", "Bez strony: 39 kart")])
def test_cards_without_a_side_are_shown(monkeypatch: pytest.MonkeyPatch, language: str, heading: str) -> None:
    game = load_game("13-days")
    cards = [card._replace(side="", side_name="") for card in cards_of(game, words_for(game, language))]
    monkeypatch.setattr("brinkmanship.cli.commands.show.cards_of", lambda *_: cards)
    shown = run("cards", "13-days", "--lang", language)
    assert shown.code == 0
    assert heading in shown.out


@pytest.mark.process
def test_a_terminal_of_few_letters_shows_replacements() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "brinkmanship", "cards", "13-minutes", "--lang", "ru"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "???" in done.stdout
