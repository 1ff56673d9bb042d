"""`brink games`, `brink cards` and `brink rulings`."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from brinkmanship.text import LANGUAGES
from cli_runner import run

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


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_rulings_are_shown(language: str) -> None:
    shown = run("rulings", "13-days", "--lang", language)
    assert shown.code == 0
    assert "R55" in shown.out
    assert "--option agenda_icon_order=escalate_then_score" in shown.out
    told = json.loads(run("rulings", "13-days", "--lang", language, "--json").out)
    assert [ruling["number"] for ruling in told] == [f"R{number}" for number in range(1, 56)]
    assert sum(ruling["option"] is not None for ruling in told) == 10


@pytest.mark.parametrize("command", ["cards", "rulings", "play", "simulate"])
def test_a_cards_file_with_a_fault_is_refused_with_its_line(tmp_path: Path, command: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(DATA.replace("cubes = 3", "cubes = 33", 1), encoding="utf-8")
    line = path.read_text(encoding="utf-8").splitlines().index("cubes = 33") + 1
    args = [command, "13-days", "--cards", str(path)] + (["--games", "5"] if command == "simulate" else [])
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
