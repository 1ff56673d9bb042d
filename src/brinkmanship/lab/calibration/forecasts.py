"""How likely the side that is asked wins, as the package says it in three places, beside what became of it.

* *learned*: the learned value alone, with all cards open, where it is meant to be asked: what a search takes where its
  playouts stop.
* *known*: playouts from worlds drawn from what the side can know, cut where the search of the game cuts them: what
  `players.search` and hints compare answers by.
* *open*: playouts with all cards open, to the end wherever a game is short enough: the curve of an analysis.

A mean of playouts has an error, and what is sorted by it is sorted by its luck, too: of the positions that came out
highest most are not quite as good. So one half of the playouts only sorts a position into its tenth, and the other half
is the forecast (`Sample.sorted_by`, `Sample.predicted`), as `analysis.decisions` does with answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.value import Worth, reference_player
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import NOBODY, Policy
from brinkmanship.games.registry import kit_for
from brinkmanship.lab.balance.profile import profile_of
from brinkmanship.lab.calibration.sampling import draw, moment_of
from brinkmanship.players import load_player, players_for
from brinkmanship.players.search import Playouts, SearchPlayer

WAYS = ("learned", "known", "open")
PIECE = 100
"""Games of a piece of work."""

Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """Forecasts for the side that is asked (where none is: for side 0), one row for each game."""

    sorted_by: Floats
    """By what a position is sorted into its tenth, 0..1."""
    predicted: Floats
    """What is held against what happened, 0..1."""
    happened: Floats
    """What the side made of the game: 1, 1/2, 0."""
    asked: npt.NDArray[np.int64]
    """The side that is asked, -1 for none."""
    spans: npt.NDArray[np.int64]
    """The round or Turn, or which card of 13 Minutes is the next, from 1."""


Found = Mapping[str, Sample]
"""By the way of forecasting (`WAYS`)."""


def usual_player(game: Game) -> str:
    """The name of the compiled player by which a game is played on: the fast policy."""
    return "fast" if "fast" in kit_for(game).baselines else "rules"


def policy_of(game: Game, name: str) -> Policy:
    """A compiled player.

    Raises:
        LocalizedError: the game has no search and no learned value, or the player is not compiled.
    """
    if "search" not in players_for(game):
        raise LocalizedError(Message("fault.calibration.no_value", {"title": game.title}))
    moment_of(game)
    policy = load_player(name, game, 0).policy
    if policy is None:
        raise LocalizedError(Message("fault.calibration.player", {"player": name}))
    return policy


def forecast(game: Game, policy: Policy, first: int, count: int, seed: int, playouts: int) -> Found:
    """What is said of the positions of games number `first` .. `first + count - 1`, and what became of them.

    Args:
        game: the ruleset.
        policy: compiled; plays both sides of the games.
        first: number of the first game.
        count: how many games.
        seed: of the games; the two that follow draw the positions, and are those of the playouts.
        playouts: for a position, an even number; 0: the learned value alone is asked.
    """
    drawn = draw(game, policy, first, count, seed)
    search = load_player("search", game, 0)
    assert isinstance(search, SearchPlayer)
    found = {"learned": _learned(game, search, drawn.moments[drawn.has_moment], drawn.points[drawn.has_moment])}
    if not playouts:
        return found
    kept = drawn.deciders != NOBODY
    numbers = np.arange(first, first + count)[kept]
    states, sides, points = drawn.decisions[kept], drawn.deciders[kept], drawn.points[kept]
    worth = Worth(game, reference_player(game, 0).method, seed + 2)
    known, opened = np.zeros((2, len(states))), np.zeros((2, len(states)))
    for row, (number, state, side) in enumerate(zip(numbers.tolist(), states, sides.tolist(), strict=True)):
        seen = Observation.at(game, game.view_of(state, side), side)
        own_seed = int(np.random.SeedSequence((seed + 2, number)).generate_state(1)[0])
        fair = Playouts(search, seen, own_seed).play(np.zeros((1, 0), np.int64), playouts)[:, 0]
        told = worth.points([state], number * playouts, playouts)[:, 0]
        known[:, row] = _halves(fair)
        opened[:, row] = _halves(told if side == 0 else 1.0 - told)
    made = np.where(sides == 0, points, 1.0 - points)
    spans = _spans(game, states)
    for way, (first_half, second_half) in (("known", known), ("open", opened)):
        found[way] = Sample(first_half, second_half, made, sides, spans)
    return found


def forecasts(
    game: Game, policy: Policy, count: int, seed: int, playouts: int, workers: int
) -> Iterator[tuple[int, Found]]:
    """The same for games 0 .. `count - 1` in pieces, in order, each with how many games it holds."""

    def piece(first: int) -> tuple[int, Found]:
        games = min(PIECE, count - first)
        return games, forecast(game, policy, first, games, seed, playouts)

    yield piece(0)  # what is compiled is compiled once
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(piece, range(PIECE, count, PIECE))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def together(pieces: list[Found]) -> Found:
    """All pieces as one."""
    return {
        way: Sample(*(np.concatenate(column) for column in zip(*(piece[way] for piece in pieces), strict=True)))
        for way in pieces[0]
    }


def _learned(game: Game, search: SearchPlayer, states: Any, points: Floats) -> Sample:
    actors = np.array([int(game.actor(game.rules, state)) for state in states], np.int64)
    asked = np.where(actors >= CHANCE, NOBODY, actors)
    sides = np.maximum(asked, 0)
    value = search.method.value
    predicted = np.array(
        [value(game.rules, state, side) for state, side in zip(states, sides.tolist(), strict=True)], np.float64
    )
    return Sample(predicted, predicted, np.where(sides == 0, points, 1.0 - points), asked, _spans(game, states))


def _spans(game: Game, states: Any) -> npt.NDArray[np.int64]:
    profile = profile_of(game)
    # 13 Minutes is one round of ten cards.
    return np.array([profile.span(state) if game.narrator.span else state.turn + 1 for state in states], np.int64)


def _halves(points: Floats) -> tuple[float, float]:
    half = len(points) // 2
    return float(points[:half].mean()), float(points[half:].mean())
