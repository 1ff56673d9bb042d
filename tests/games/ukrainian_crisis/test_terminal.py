"""The terminal's drawing of Ukrainian Crisis in four languages."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.terminal.bulk import written_out
from brinkmanship.games.ukrainian_crisis.terminal.table import UkrainianCrisisTable
from brinkmanship.games.ukrainian_crisis.words.names import words
from brinkmanship.terminal.menu import Menu
from brinkmanship.terminal.style import show
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words
from brinkmanship.testing import walk
from brinkmanship.text import LANGUAGES, cards_of
from support.cli_runner import run
from support.ukrainian_crisis.builders import MEDIUM, SMALL, Position, game
from support.ukrainian_crisis.war import at_war

WIDTH = 80


def page(table: UkrainianCrisisTable, view: s.State, viewer: int) -> list[str]:
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    show(console, table.position(view, viewer, WIDTH, []))
    show(console, table.hands(view, viewer, WIDTH))
    show(console, table.known_cards(view, viewer, WIDTH))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_position_fits_into_80_columns(language: str) -> None:
    ruleset = at_war()
    table = UkrainianCrisisTable(ruleset, words(ruleset.data, language))
    for number, position in enumerate(walk(ruleset, 3, 13)):
        if number % 7 == 0:
            for viewer in (UA, RU, OBSERVER):
                view = ruleset.view_of(position.state, viewer)
                assert max(map(len, page(table, view, viewer))) <= WIDTH
        if position.actor < OBSERVER:
            table.note(position.action, WIDTH)


def test_face_down_cards_of_the_other_side_are_not_shown() -> None:
    p = Position().draw(ua="runaway_guns").place(MEDIUM, SMALL)
    table = UkrainianCrisisTable(p.game, words(p.game.data, "en"))
    seen = "\n".join(page(table, p.game.view_of(p.state, RU), RU))
    assert "Military ■face down ◆Small" in seen
    assert "Runaway Guns" not in seen
    assert "Medium" in "\n".join(page(table, p.game.view_of(p.state, UA), UA))


def test_units_and_reconstructed_values_are_marked() -> None:
    p = Position(units={"DON": "ru_ground ru_ground ua_militia*"})
    table = UkrainianCrisisTable(p.game, words(p.game.data, "en"))
    line = next(line for line in page(table, p.state, OBSERVER) if " DON " in line)
    assert "6*" in line
    assert "◆ 2gr" in line
    assert "■ (1irr)" in line


def test_a_card_is_found_by_a_part_of_its_name() -> None:
    p = Position().draw(ua="unit_not_ready")
    table = UkrainianCrisisTable(p.game, words(p.game.data, "en"))
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    for asked in ("not ready", "1"):
        found = table.card_page(asked, p.state, UA)
        assert found is not None
        console.print(found)
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().count("Unit Not Ready") == 2
    assert table.card_page("no such card", p.state, UA) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_card_has_a_text_and_keeps_its_title(language: str) -> None:
    cards = cards_of(game(), words(game().data, language))
    assert [card.name for card in cards] == [card.title for card in EVENTS]
    assert all(card.text.endswith(".") for card in cards)


# ---- menus and lines


def menu(p: Position, side: int) -> Menu:
    view = p.game.view_of(p.state, side)
    said = terminal_words(p.game, "en")
    return Menu(p.game, said, table_for(p.game, said), view, side, p.game.legal_actions(view, side), WIDTH)


def test_the_cards_of_a_placement_are_chosen_area_by_area() -> None:
    p = Position({"ordinary_cards": True}).draw()
    p.pass_on()
    whole = menu(p, UA)
    assert [item.label.plain for item in whole.items][:2] == ["Military: 1", "Military: 2"]
    part = whole.answer("3")
    assert isinstance(part, Menu)
    assert part.items[4].label.plain == "Diplomatic: 5"
    for typed in ("3 5 9", "place 3 5 9"):
        answer = menu(p, UA).answer(typed)
        assert isinstance(answer, int)
        assert p.game.action_text(answer) == "place 3 5 9"


def test_an_amount_to_pay_is_what_is_typed() -> None:
    p = Position().open_area("diplomatic").play("roll 6", "roll 1", "first ua", "up PL")
    assert [item.key for item in menu(p, UA).items] == ["3", "4"]


def test_a_zone_is_found_by_its_name() -> None:
    p = Position().open_area("military").play("roll 6", "roll 1", "first ua", "unit ua_militia mobilisation")
    answer = menu(p, UA).answer("donetsk")
    assert isinstance(answer, int)
    assert p.game.action_text(answer) == "zone DON"


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("move 2 ground from RUS to kha", ["unit ru_ground RUS", "zone KHA"] * 2),
        ("deploy 3 militia DON", ["unit ru_militia mobilisation", "zone DON"] * 3),
        ("mobilise air", ["unit ru_airborne reserve"]),
        ("recover 1 militia in DON", ["recover ru_militia DON"]),
        ("relocate 1 special CRI", ["unit ru_special CRI"]),
        ("move 2 ground RUS", []),
        ("move 2 tanks RUS KHA", []),
        ("move 2 ground RUS XYZ", []),
        ("up GB", []),
    ],
)
def test_a_line_stands_for_several_small_steps(line: str, steps: list[str]) -> None:
    assert written_out(game().data, line, RU) == steps


def test_a_line_of_several_steps_is_carried_out_up_to_what_is_not_possible() -> None:
    def answer(page: str) -> str:
        if "(yes/no)" in page:
            return "no"
        if "Place one card" in page:
            return "1 1 1"
        if "Mobilise, deploy or relocate" in page and "Stopped before" not in page:
            return "deploy 30 militia to DON"
        if "Stopped before" in page:
            pages.append(page)
            return "quit"
        return "0" if " 0  " in page else "1"

    pages: list[str] = []
    played = run("play", "ukrainian-crisis", "--seed", "3", answer=answer)
    assert played.code == 0
    assert "Stopped before" in pages[0]
    assert "irr" in next(line for line in pages[0].splitlines() if " DON " in line)


# ---- the data file


def test_reconstructed_values_are_listed() -> None:
    shown = run("cards", "ukrainian-crisis", "--status").out
    assert "reconstructed (judgement): rank 3" in shown
    assert "known: turns 8" in shown
    assert "zrekonstruowane (ocena): rank 3" in run("cards", "ukrainian-crisis", "--status", "--lang", "pl").out


def test_event_cards_have_no_cube_number() -> None:
    assert "  Runaway Guns  runaway_guns" in run("cards", "ukrainian-crisis").out


def test_a_scenario_is_played_by_its_own_option(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(run("cards", "ukrainian-crisis", "--data").out.replace("UA = 16", "UA = 44"), encoding="utf-8")
    save = tmp_path / "game.brink"
    played = run(
        *("play", "ukrainian-crisis", "--scenario", str(path), "--side", "both", "--save", str(save), "--seed", "3"),
        answer=lambda page: "" if "Press Enter" in page else "quit",
    )
    assert "Ukraine  Prestige 44" in played.out
    assert run("replay", str(save), "--scenario", str(path)).code == 0
    assert "--scenario" in run("replay", str(save)).err
