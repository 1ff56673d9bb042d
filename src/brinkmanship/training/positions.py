"""Training positions from self-play, labelled with the winner, for value functions.

Half of the games are played normally; in the others each decision is now and then replaced by a random legal action, so
that a value function also learns positions its players would have avoided. From those games only the positions after
the last such action are kept: their results come from normal play.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import below, generators
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.match import Match
from brinkmanship.engine.playout import NOBODY, Policy
from brinkmanship.engine.record import State
from brinkmanship.engine.signatures import ACTIONS, GameFunctions, Moment, function_type, functions, functions_type
from brinkmanship.players.self_play import Players, record

ONE_DEVIATION_IN = 16
"""Mean number of decisions per random one, in the games with deviations."""


class Positions(NamedTuple):
    """Positions of a number of games, one row each, in order of the games."""

    states: Any
    """Full states, recarray of the game's dtype."""
    moments: npt.NDArray[np.int64]
    """The moment of the game of each, as numbered by the game's trainer."""
    games: npt.NDArray[np.int64]
    """Number of the game."""
    winners: npt.NDArray[np.int64]
    """The side that won it, -1 without a winner."""


def play_positions(game: Game, moment: Any, most: int, first: int, count: int, seed: int, policy: Policy) -> Positions:
    """Play games number `first` .. `first + count - 1` of a seed and keep the positions of certain moments.

    Args:
        game: the ruleset.
        moment: compiled ``moment(rules, state) -> int``, the number of a position's moment, -1 for none. Of
            consecutive positions with the same number the first is kept.
        most: maximum moments of a game.
        first: number of the first game.
        count: number of games.
        seed: seed of all random numbers.
        policy: compiled; it plays both sides.
    """
    states = game.new_states(count * most)
    moments = np.full(count * most, -1, np.int64)
    winners = np.full(count * most, NOBODY, np.int64)
    _loop(type(game))(
        functions(game),
        at_address(policy),
        at_address(moment),
        game.rules,
        game.new_states(2),
        states,
        moments,
        winners,
        most,
        generators(seed, 2 * first, 2 * count).reshape(count, 2, 4),
        np.empty(game.max_legal, np.int16),
    )
    kept = moments >= 0
    numbers = np.repeat(np.arange(first, first + count), most)
    return Positions(states[kept], moments[kept], numbers[kept], winners[kept])


def states_at_moments(
    game: Game, moment: Callable[[Any, State], int], number: int, seed: int, players: Players
) -> tuple[dict[int, State], Match]:
    """Play game `number` of a seed move by move, for players without a policy.

    Args:
        game: the ruleset.
        moment: as in `play_positions`.
        number: number of the game.
        seed: seed of all random numbers.
        players: the players of both sides.

    Returns:
        The first full state of each moment, by its number, and the finished match.
    """
    match = Match(game)
    kept: dict[int, State] = {}
    for actor, action in record(game, number, seed, players):
        match.take([(actor, action)])
        now = int(moment(game.rules, match.state))
        if now >= 0 and now not in kept:
            kept[now] = match.state.copy()
    return kept, match


@cache
def _loop(game: type[Game]) -> Any:
    states = types.Array(game.state_type, 1, "C")
    numbers = types.Array(types.int64, 1, "C")
    return compiled_loop(
        record_positions,
        types.void,
        functions_type(game),
        function_type(game, "policy"),
        function_type(game, "moment"),
        game.rules_type,
        states,
        states,
        numbers,
        numbers,
        types.int64,
        types.Array(types.int64, 3, "C"),
        ACTIONS,
    )


def record_positions(
    game: GameFunctions,
    policy: Policy,
    moment: Moment,
    rules: Any,
    scratch: Any,
    states: Any,
    moments: npt.NDArray[np.int64],
    winners: npt.NDArray[np.int64],
    most: int,
    luck: npt.NDArray[np.int64],
    out: npt.NDArray[np.int16],
) -> None:
    """Play one game for each row of `luck`; see `play_positions`."""
    utility = np.zeros(2)
    for number in range(luck.shape[0]):
        dice = luck[number, 0]
        policy_rng = luck[number, 1]
        deviates = number % 2 == 1
        begin = number * most
        row = begin
        last = -1
        state = scratch[0]
        game.start(rules, state)
        side = game.actor(rules, state)
        while side != OVER:
            found = moment(rules, state)
            if found >= 0 and found != last and row < begin + most:
                moments[row] = found
                states[row] = state
                row += 1
                last = found
            if side == CHANCE:
                action = game.sample(rules, state, dice)
            elif deviates and below(policy_rng, ONE_DEVIATION_IN) == 0:
                action = int(out[below(policy_rng, game.legal(rules, state, side, out))])
                moments[begin:row] = -1
                row = begin
                last = -1
            else:
                game.view_for(rules, state, side, scratch[1])
                action = policy(rules, scratch[1], side, policy_rng)
            game.apply(rules, state, action)
            side = game.actor(rules, state)
        utility[:] = 0.0
        game.result(rules, state, utility)
        if utility[0] != utility[1]:
            winners[begin:row] = np.argmax(utility)
