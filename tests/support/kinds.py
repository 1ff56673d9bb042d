"""Every kind of question that random games come to: where it has the most answers, and how a table is brought there."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.record import State
from brinkmanship.games.registry import load_game
from brinkmanship.text.words import catalogue_file
from brinkmanship.web.tables.live_table import LiveTable
from support.browsing import Person, Way, set_up

GAMES = {"13-days": (10, 20, 22, 45, 60, 5), "13-minutes": (41,), "ukrainian-crisis": (55, 2, 29, 1, 8)}
"""For each game the random games whose questions are looked at: few that meet all kinds, but one of 13 Days and one of
Ukrainian Crisis, that come up in 120 games. A kind with one answer only is none."""
KINDS = {"13-days": 31, "13-minutes": 14, "ukrainian-crisis": 40}
"""How many they are."""
OF_NOBODY = {
    "13-days": {"agendas", "deal", "draw", "over", "random_card"},
    "13-minutes": {"bids", "coin", "draw", "over", "turn_up"},
    "ukrainian-crisis": {"any_zone", "deal_card", "dice_sum", "die", "draw_event", "hits", "over", "roll"},
}
"""Chance is asked these, or they tell a viewer who is not asked; with them all that begin with `step.`."""
PARTS = {"exchange", "place_more", "put_cubes", "remove_more", "take_cubes", "take_cubes.more", "chosen_move"}
"""Words of one question, `ask.event`, each for what is to be done next."""
NEVER_MET = {"ukrainian-crisis": {"hit"}}
"""Questions that none of a thousand random games came to: who takes a hit where units of several types could."""

LONGEST = "bay_of_pigs"
"""The card with the longest text: with it in hand the cards to choose from are highest."""
BESIDE = "beside"
"""Cards lie on the table that may not be chosen, where the question alone takes much room."""
TIGHT = {"ask.diplomatic": 0, "ask.pay_prestige": 0, "ask.place": 0, "ask.play": 4}
"""These questions, and how many cards at least are to choose from at them."""

RECORDED = [(game_id, number) for game_id, numbers in GAMES.items() for number in numbers]
"""Each of these random games: what a test of all questions is spread over workers by."""

Kind = tuple[str, ...]
"""The key of a question and the kinds of its answers; a hand with the longest text is one of its own, and so is a full
one beside other cards."""


@cache
def ways_to_every_question(game_id: str) -> dict[Kind, tuple[Way, int]]:
    """How to come to each kind of question where it has the most answers, and whom it asks; game after game."""
    game, found = load_game(game_id), dict[Kind, tuple[int, Way, int]]()
    for number in GAMES[game_id]:
        choose = random.Random(number)
        secret, taken, match = choose.randbytes(commit_reveal.SECRET_BYTES), list[tuple[int, int]](), Match(game)
        commit_reveal.advance(match, secret)
        while not match.is_over:
            for side in sorted(match.pending):
                kind, answers = kind_of(game, match, side), len(match.legal(side))
                if answers > 1 and answers > found.get(kind, (0,))[0]:
                    found[kind] = (answers, Way(game_id, secret, tuple(taken)), side)
            side = choose.choice(sorted(match.pending))
            taken.append((side, choose.choice(match.legal(side)).action))
            match.push(taken[-1][1], side=side)
            commit_reveal.advance(match, secret)
    in_order = sorted(found.items(), key=lambda one: (one[1][1].secret, len(one[1][1].decisions)))
    return {kind: (way, side) for kind, (_, way, side) in in_order}


def kind_of(game: Game, match: Match, side: int) -> Kind:
    """The kind of question that a side is asked."""
    answers = [game.action_parts(each.action) for each in match.legal(side)]
    kinds = {each.kind for each in answers} | {LONGEST for each in answers if each.card == LONGEST}
    view = game.view_of(match.state, side)
    key = game.narrator.prompt(view, side).key
    offered = {each.card for each in answers if each.card}
    if len(offered) >= TIGHT.get(key, 99) and has_more_beside(game, view, side, offered):
        kinds = {BESIDE}
    return (key, *sorted(kinds))


def has_more_beside(game: Game, view: State, side: int, offered: set[str]) -> bool:
    """Whether further cards of this side lie on the table than it may choose from."""
    cards = game.known_state(view, side)["cards"]
    return any(set(cards.get(place, ())) - offered for place in game.own_cards)


def at_every_question(
    game_id: str, number: int, who: Person, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[int, Kind, LiveTable, int]]:
    """A table of one person at each kind of question that is looked at in one random game.

    Yields:
        The place of the kind among all of the game, the kind, the table, and whom it asks.
    """
    start = Way(game_id, random.Random(number).randbytes(commit_reveal.SECRET_BYTES), ())
    table, taken = set_up(monkeypatch, who, who, start), 0
    for place, (kind, (way, side)) in enumerate(ways_to_every_question(game_id).items()):
        if way.secret == start.secret:
            go_on(table, who, way.decisions[taken:])
            taken = len(way.decisions)
            yield place, kind, table, side


def go_on(table: LiveTable, who: Person, decisions: tuple[tuple[int, int], ...]) -> None:
    """Take decisions at a table, past pages and forms."""
    actions, person = who.server.app.state.services.actions, table.seats[0].person_id
    for side, action in decisions:
        work = actions.act(table.id, person, side, table.version(side), action)
        asyncio.run_coroutine_threadsafe(work, who.server.loop).result()


def check_kinds(game_id: str) -> None:
    """No kind is met no more, and of all questions only those are never met that are known."""
    met = ways_to_every_question(game_id)
    assert len(met) == KINDS[game_id]
    assert len({way.secret for way, _ in met.values()}) == len(GAMES[game_id])  # no game is played for nothing
    catalogue = catalogue_file(game_id, "en").read_text("utf-8")
    known = set(re.findall(r'^msgid "ask\.(?!step\.)([\w.]+)"', catalogue, re.MULTILINE))
    asked = known - OF_NOBODY[game_id] - PARTS
    assert asked - {kind[0].removeprefix("ask.") for kind in met} == NEVER_MET.get(game_id, set())
