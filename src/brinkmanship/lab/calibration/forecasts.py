"""Winning chances of the side to act by the package's three forecasting methods, with the outcomes.

* *learned*: the learned value alone, with all cards open, at the moments it is made for: the value a search uses where
  its playouts stop.
* *known*: playouts from possible deals drawn from what the side can know, cut where the search of the game cuts them:
  the basis on which `players.search` and hints compare choices.
* *open*: playouts with all cards open, to the end wherever a game is short enough: the curve of an analysis.

A mean of playouts has an error, and sorting by it also sorts by luck: most of the positions with the highest means are
not quite as good. Therefore one half of the playouts only sorts a position into its tenth, and the other half is the
forecast (`Sample.sorted_by`, `Sample.predicted`), as `analysis.decisions` does with choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.value import StateEvaluator, reference_player
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
"""Games per piece of work."""

Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """Forecasts for the side to act (side 0 if there is none), one row per game."""

    sorted_by: Floats
    """Value that sorts a position into its tenth, 0..1."""
    predicted: Floats
    """The forecast compared with the outcome, 0..1."""
    happened: Floats
    """The side's score in the game: 1, 1/2, 0."""
    deciders: npt.NDArray[np.int64]
    """The side to act, -1 for none."""
    spans: npt.NDArray[np.int64]
    """The round or Turn; for 13 Minutes the number of the next card, from 1."""


Found = Mapping[str, Sample]
"""Samples by forecasting method (`WAYS`)."""


def usual_player(game: Game) -> str:
    """Return the name of the compiled player that simulates a game by default: the fast policy."""
    return "fast" if "fast" in kit_for(game).baselines else "rules"


def policy_of(game: Game, name: str) -> Policy:
    """Return the policy of a compiled player.

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
    """Return the forecasts for positions of games number `first` .. `first + count - 1`, with their outcomes.

    Args:
        game: the ruleset.
        policy: compiled; plays both sides of the games.
        first: number of the first game.
        count: number of games.
        seed: of the games; the next seed draws the positions, the one after it is that of the playouts.
        playouts: playouts per position, an even number; 0: only the learned value is measured.
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
    worth = StateEvaluator(game, reference_player(game, 0).method, seed + 2)
    known, opened = np.zeros((2, len(states))), np.zeros((2, len(states)))
    for row, (number, state, side) in enumerate(zip(numbers.tolist(), states, sides.tolist(), strict=True)):
        seen = Observation.at(game, game.view_of(state, side), side)
        own_seed = int(np.random.SeedSequence((seed + 2, number)).generate_state(1)[0])
        fair = Playouts(search, seen, own_seed).play(np.zeros((1, 0), np.int64), playouts)[:, 0]
        worths = worth.points([state], number * playouts, playouts)[:, 0]
        known[:, row] = _halves(fair)
        opened[:, row] = _halves(worths if side == 0 else 1.0 - worths)
    made = np.where(sides == 0, points, 1.0 - points)
    spans = _spans(game, states)
    for way, (first_half, second_half) in (("known", known), ("open", opened)):
        found[way] = Sample(first_half, second_half, made, sides, spans)
    return found


def forecasts(
    game: Game, policy: Policy, count: int, seed: int, playouts: int, workers: int
) -> Iterator[tuple[int, Found]]:
    """Yield the forecasts for games 0 .. `count - 1` in pieces, in order, each with its number of games."""

    def piece(first: int) -> tuple[int, Found]:
        games = min(PIECE, count - first)
        return games, forecast(game, policy, first, games, seed, playouts)

    yield piece(0)  # compile once, before the threads start
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(piece, range(PIECE, count, PIECE))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def together(pieces: list[Found]) -> Found:
    """Return all pieces joined into one."""
    return {
        way: Sample(*(np.concatenate(column) for column in zip(*(piece[way] for piece in pieces), strict=True)))
        for way in pieces[0]
    }


def _learned(game: Game, search: SearchPlayer, states: Any, points: Floats) -> Sample:
    actors = np.array([int(game.actor(game.rules, state)) for state in states], np.int64)
    deciders = np.where(actors >= CHANCE, NOBODY, actors)
    sides = np.maximum(deciders, 0)
    value = search.method.value
    predicted = np.array(
        [value(game.rules, state, side) for state, side in zip(states, sides.tolist(), strict=True)], np.float64
    )
    return Sample(predicted, predicted, np.where(sides == 0, points, 1.0 - points), deciders, _spans(game, states))


def _spans(game: Game, states: Any) -> npt.NDArray[np.int64]:
    profile = profile_of(game)
    # 13 Minutes is one round of ten cards.
    return np.array([profile.span(state) if game.narrator.span else state.turn + 1 for state in states], np.int64)


def _halves(points: Floats) -> tuple[float, float]:
    half = len(points) // 2
    return float(points[:half].mean()), float(points[half:].mean())
