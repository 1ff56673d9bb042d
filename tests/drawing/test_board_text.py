"""The board in words: complete, in every language, and the same whatever hidden cards are dealt anew."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from brinkmanship.drawing import drawing_of
from brinkmanship.drawing.board_text import EMPTY, TextSection, TextTable, lines_of
from brinkmanship.games.registry import load_game
from brinkmanship.text import words_for
from support.drawn_games import Moment, check_redealt, for_every_viewer, in_every_language, moments_of, spread

GAMES = ("13-days", "13-minutes", "ukrainian-crisis")
of_every_game = pytest.mark.parametrize("game_id", GAMES)


@cache
def moments(game_id: str) -> tuple[Moment, ...]:
    return moments_of(load_game(game_id), 3, lambda *_: None)


def text_of(game_id: str, view: Any, side: int, language: str = "en") -> list[TextSection]:
    game = load_game(game_id)
    return list(drawing_of(game).board_text(game, view, side, words_for(game, language)))


@of_every_game
@for_every_viewer
def test_a_redeal_of_the_view_gives_the_same_text(game_id: str, side: int) -> None:
    def told(view: Any, side: int, plays: object) -> str:  # noqa: ARG001 - as pictures are drawn
        return "\n".join(lines_of(text_of(game_id, view, side)))

    check_redealt(load_game(game_id), told, spread(list(moments(game_id)), 6), side)


@of_every_game
@in_every_language
def test_every_row_has_a_cell_for_each_column_and_names_of_its_own(game_id: str, language: str) -> None:
    game = load_game(game_id)
    for moment in spread(list(moments(game_id)), 4):
        for section in text_of(game_id, game.view_of(moment.state, 0), 0, language):
            assert section.title
            assert section.facts or section.tables
            for table in section.tables:
                assert len(set(table.columns)) == len(table.columns)
                assert {len(row) for row in table.rows} == {len(table.columns)}
                assert len({row[0] for row in table.rows}) == len(table.rows)
                assert all(cell.strip() for row in table.rows for cell in row)


def test_each_battleground_tells_who_is_there_and_what_is_at_stake() -> None:
    game = load_game("13-days")
    view = game.view_of(game.new_state(), 0)
    view.influence[:] = 0
    view.influence[0, 0], view.influence[1, 0] = 3, 1
    told = text_of("13-days", view, 0)
    rows = {row[0]: row for section in told for table in section.tables for row in table.rows}
    assert rows["Cuba (military)"][1:4] == ("3", "1", "US leads by 2")
    assert rows["Italy"][1:4] == ("0", "0", EMPTY)
    assert "takes the Personal Letter" in rows["United Nations"][4]
    assert rows["Military"][1].endswith(")")


def test_each_zone_tells_its_neighbours() -> None:
    game = load_game("ukrainian-crisis")
    view = game.view_of(game.new_state(), 0)
    rows = {row[0]: row for section in text_of("ukrainian-crisis", view, 0) for t in section.tables for row in t.rows}
    assert rows["Crimea"][-1] == "Kherson, Sevastopol"


def test_lines_name_the_column_of_each_cell_and_leave_out_empty_ones() -> None:
    table = TextTable("Military", ("Battleground", "US", "Lead"), (("Berlin", "2", EMPTY), ("Cuba", "1", "US")))
    assert lines_of([TextSection("State", ("Round 1",)), TextSection("Board", (), (table,))]) == [
        *("State", "- Round 1", "", "Board", "Military:", "- Berlin. US: 2", "- Cuba. US: 1. Lead: US"),
    ]
