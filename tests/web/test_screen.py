"""At every kind of question of every game the board, the question and all that may be chosen are in the window.

One table a game is played by chance; wherever it comes to a kind of question not seen before the page is looked at, at
each size, by one script in the page (`measure.js`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.engine import fair
from brinkmanship.engine.game import Game, State
from brinkmanship.engine.match import Match
from brinkmanship.games import load_game
from brinkmanship.web.table import LiveTable

from .browsing import Person, Way, set_up
from .conftest import Server

SIZES = ((1440, 900), (1366, 768), (1280, 720))
LEAST = 12.5
"""CSS pixels: the smallest text that one reads on a wide screen."""
MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")

GAMES = {"13-days": (0, 10, 6), "13-minutes": (0, 4), "ukrainian-crisis": (0, 1, 3)}
"""For each game the random games whose questions are looked at."""

LONGEST = "bay_of_pigs"
"""The card with the longest text: with it in hand the cards to choose from are highest."""

BESIDE = "beside"
"""Cards lie on the table that may not be chosen, where the question alone takes much room."""
TIGHT = {"ask.diplomatic": 0, "ask.pay_prestige": 0, "ask.place": 0, "ask.play": 4}
"""These questions, and how many cards at least are to choose from at them."""

Kind = tuple[str, ...]
"""The key of a question and the kinds of its answers; a hand with the longest text is one of its own, and so is a full
one beside other cards."""


def measured(page: Any, least: float = LEAST) -> dict[str, Any]:
    """What `measure.js` finds on a page as it stands."""
    found: dict[str, Any] = page.evaluate(f"({MEASURE})({least})")
    return found


def ways_to_every_question(game_id: str) -> dict[Kind, tuple[Way, int]]:
    """How to come to each kind of question of some random games, and whom it asks."""
    game, found = load_game(game_id), dict[Kind, tuple[Way, int]]()
    for number in GAMES[game_id]:
        choose = random.Random(number)
        secret, taken, match = choose.randbytes(fair.SECRET_BYTES), list[tuple[int, int]](), Match(game)
        fair.advance(match, secret)
        while not match.is_over:
            for side in sorted(match.pending):
                answers = [game.action_parts(each.action) for each in match.legal(side)]
                kinds = {each.kind for each in answers} | {LONGEST for each in answers if each.card == LONGEST}
                view = game.view_of(match.state, side)
                key = game.prompt(view, side).key
                offered = {each.card for each in answers if each.card}
                if len(offered) >= TIGHT.get(key, 99) and has_more_beside(game, view, side, offered):
                    kinds = {BESIDE}
                kind = (key, *sorted(kinds))
                found.setdefault(kind, (Way(game_id, secret, tuple(taken)), side))
            side = choose.choice(sorted(match.pending))
            taken.append((side, choose.choice(match.legal(side)).action))
            match.push(taken[-1][1], side=side)
            fair.advance(match, secret)
    return found


def has_more_beside(game: Game, view: State, side: int, offered: set[str]) -> bool:
    """Whether further cards of this side lie on the table than it may choose from."""
    cards = game.known_state(view, side)["cards"]
    return any(set(cards.get(place, ())) - offered for place in game.own_cards)


@pytest.fixture(scope="module")
def anna(chromium: Any, server: Server) -> Iterator[Person]:
    """She plays both sides, in German, whose words are long; the cookie stays where a session has its language."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="de-DE", reduced_motion="reduce")
    context.add_cookies([{"name": "language", "value": "de", "url": server.url}])
    yield Person(context, server, "Anna")
    context.close()


@pytest.mark.parametrize("game_id", GAMES)
def test_all_that_may_be_chosen_is_in_the_window_at_every_question(
    game_id: str, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults, table, before = [], None, Way(game_id, b"", ())
    ways = ways_to_every_question(game_id)
    for kind, (way, side) in ways.items():
        table, before = go_on(table, before, way, anna, monkeypatch), way
        page = anna.look(f"/t/{table.id}?seat={side}")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = measured(page)
            if found["cut"] or found["covered"] or found["small"] or found["height"] > height:
                faults.append((kind, width, found))
    assert not faults
    assert len(ways) > 8


def go_on(table: LiveTable | None, before: Way, way: Way, who: Person, monkeypatch: pytest.MonkeyPatch) -> LiveTable:
    """A table at the end of a way; the one that is there goes on where it can."""
    if table is None or way.secret != before.secret or way.decisions[: len(before.decisions)] != before.decisions:
        return set_up(monkeypatch, who, who, way)
    for side, action in way.decisions[len(before.decisions) :]:
        who.post(f"/t/{table.id}/act", side=side, version=table.version(side), action=action)
    return table
