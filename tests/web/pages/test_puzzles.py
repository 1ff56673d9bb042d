"""Puzzles in the browser: what is shown, kept and told, and that nothing of it depends on what the side cannot know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from brinkmanship.engine.chance import Random, generator
from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.puzzles.puzzle import collection_of, opened
from brinkmanship.store.schema import puzzle_answers
from support.visitors import Visitor, live

GAME = "13-minutes"
pages = import_module("brinkmanship.web.pages.study.puzzles")  # the package calls its router so


def answer(visitor: Visitor, number: int, text: str, game_id: str = GAME) -> str:
    """Answer a puzzle; the page that comes of it."""
    game = load_game(game_id)
    action = game.parse_action(text, collection_of(game_id).puzzle(number).side)
    sent = visitor.post(f"/puzzles/{game_id}/{number}", action=action, csrf=visitor.csrf)
    assert sent.status_code == 303, sent.text
    return visitor.get(sent.headers["location"])


def named(visitor: Visitor) -> Visitor:
    """Somebody who has a name here."""
    visitor.begin("same", game=GAME)
    return visitor


def test_what_was_answered_is_marked_and_comes_again(anna: Visitor) -> None:
    named(anna)
    first, second = collection_of(GAME).puzzle(1), collection_of(GAME).puzzle(2)
    assert "Right." in answer(anna, 1, first.answer)
    assert "There is a better choice" in answer(anna, 2, second.options[-1].action)
    listed = anna.get(f"/puzzles/{GAME}")
    assert re.search(r'class="solved \w+" aria-label="Puzzle 1, ', listed)
    assert re.search(r'class="failed \w+" aria-label="Puzzle 2, ', listed)
    assert f"Solved: 1 of {len(collection_of(GAME))}" in listed
    answer(anna, 2, second.answer)  # practice: it was told just now
    assert re.search(r'class="failed \w+" aria-label="Puzzle 2, ', anna.get(f"/puzzles/{GAME}"))
    engine = anna.client.app.state.services.engine  # type: ignore[attr-defined]
    with engine.begin() as connection:
        connection.execute(update(puzzle_answers).where(puzzle_answers.c.puzzle == second.id).values(due_at=1.0))
    assert anna.ask("GET", f"/puzzles/{GAME}/next").headers["location"].endswith("/2")
    answer(anna, 2, second.answer)
    assert re.search(r'class="solved \w+" aria-label="Puzzle 2, ', anna.get(f"/puzzles/{GAME}"))
    assert anna.ask("GET", f"/puzzles/{GAME}/next").headers["location"].endswith("/3")
    with engine.connect() as connection:
        rows = connection.execute(select(puzzle_answers.c.puzzle, puzzle_answers.c.at_first_sight)).all()
    assert dict(map(tuple, rows)) == {first.id: True, second.id: False}  # type: ignore[arg-type]


def test_a_stranger_is_told_the_answer_and_nothing_is_kept(anna: Visitor) -> None:
    assert "Right." in answer(anna, 1, collection_of(GAME).puzzle(1).answer)
    assert "Solved: 0 of" in anna.get("/puzzles")


def test_before_an_answer_nothing_of_it_is_told(anna: Visitor) -> None:
    page = anna.get(f"/puzzles/{GAME}/1")
    assert "verdict" not in page
    assert 'class="explained' not in page


@pytest.mark.usefixtures("one_day")
def test_today_is_the_same_for_everybody(anna: Visitor, boris: Visitor) -> None:
    of_both = [one.ask("GET", f"/puzzles/{GAME}/today").headers["location"] for one in (anna, named(boris))]
    assert of_both[0] == of_both[1]


def test_what_is_no_puzzle_or_no_answer_is_refused(anna: Visitor) -> None:
    assert anna.ask("GET", f"/puzzles/{GAME}/9999").status_code == 404
    assert anna.ask("GET", "/puzzles/chess").status_code == 404
    assert anna.ask("GET", f"/puzzles/{GAME}/1?answer=surrender").status_code == 422
    assert anna.post(f"/puzzles/{GAME}/1", action=99_999, csrf=anna.csrf).status_code == 422


def test_one_plays_on_with_what_is_hidden_still_hidden(anna: Visitor, client: TestClient) -> None:
    one = collection_of(GAME).puzzle(1)
    sent = anna.post(f"/puzzles/{GAME}/1/play-on", csrf=anna.csrf, name="Anna")
    table = live(client, sent.headers["location"])
    assert table.given == one.at
    assert table.match.entries[: one.at] == opened(table.game, *collection_of(GAME).at(1)).entries
    assert table.seats[one.side].person_id
    assert table.seats[1 - one.side].computer
    back = anna.ask("GET", f"{table.origin.address}/replay/{table.origin.step}")  # type: ignore[union-attr]
    assert back.headers["location"] == f"/puzzles/{GAME}/1"


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_page_is_the_same_whatever_the_side_cannot_know(
    anna: Visitor, monkeypatch: pytest.MonkeyPatch, game_id: str
) -> None:
    one = collection_of(game_id).puzzle(1)
    paths = [f"/puzzles/{game_id}/1", f"/puzzles/{game_id}/1?answer={one.answer}"]
    true = [anna.get(path) for path in paths]
    whole = opened(load_game(game_id), *collection_of(game_id).at(1))
    worlds = [redealt(whole, one.side, generator(seed)) for seed in (1, 2)]
    assert len({world.bytes_after(one.at) for world in worlds}) == 2
    for world in worlds:
        monkeypatch.setattr(pages, "_seen", lambda _, world=world: Perspective(world, one.side))
        pages._replays.clear()
        assert [anna.get(path) for path in paths] == true
    pages._replays.clear()


def redealt(whole: Perspective, side: int, deal: Random) -> Match:
    """The same game as a side knows it, with all that it cannot know dealt anew."""
    assert whole.viewer == FULL_INFORMATION
    game = whole.game
    match = Match(game)
    match.entries = [_as_known(whole, entry, side) for entry in whole.entries]
    match._past = [_dealt(whole, whole.view(count), side, deal).tobytes() for count in range(whole.length + 1)]
    match._show(match.state_after(whole.length), None)
    return match


def _as_known(whole: Perspective, entry: Entry, side: int) -> Entry:
    if entry.is_known_to(side):
        return entry
    game = whole.game
    texts, shown = game.action_texts, game.hidden_action_text(entry.action)
    numbers = texts if isinstance(texts, Mapping) else range(len(texts))
    another = next(one for one in numbers if one != entry.action and game.hidden_action_text(one) == shown)
    return entry._replace(action=another, text=game.action_text(another))


def _dealt(whole: Perspective, state: State, side: int, deal: Random) -> State:
    game, out = whole.game, whole.game.new_states(1)[0]
    view = game.view_of(state, side)
    game.redeal(game.rules, view, side, deal, out)
    while game.pending(game.rules, out) != game.pending(game.rules, state):
        game.redeal(game.rules, view, side, deal, out)
    return out
