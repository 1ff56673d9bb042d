"""Positions of random games, as the side that is asked sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.games.registry import built_in

SEARCHED = [game_id for game_id, kit in built_in().items() if "search" in kit.players]
MIXED = ("13-days", "13-minutes")
"""Games in which a question to both sides in secret is played as a matrix game."""


def positions(game: Game, seed: int) -> Iterator[Observation]:
    """Every question of a game at random that has more than one answer, as the side that is asked sees it."""
    match, deal, dice = Match(game), dealer(seed), dealer(seed + 1)
    match.advance(deal)
    while not match.is_over:
        side = min(match.pending)
        legal = match.legal(side)
        if len(legal) > 1:
            yield Observation.of(match, side)
        match.push(legal[dice(len(legal))].action, side=side)
        match.advance(deal)


def spread(game: Game, seed: int, step: int) -> list[Observation]:
    """Some positions of a game, from its start to its end."""
    return list(islice(positions(game, seed), 0, None, step))


def ending_in(seen: Observation, last: State) -> Observation:
    """The same past, with another view at its end."""
    return replace(seen, views=(*seen.views[:-1], last.tobytes()))
