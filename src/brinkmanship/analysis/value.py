"""Win probabilities of full states: the one measure by which a game is split into luck, guess and play.

It is fixed in advance: the fast policy of the game (`players.search.SearchConfig`) plays both sides to the end of the
game. There is no learned value in between: its blind spots would count as a player's guess. Every state is simulated
with the same numbered random numbers, so that two states differ only by the states themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.playout import Policy, luck
from brinkmanship.engine.record import State
from brinkmanship.engine.signatures import GameFunctions, function_type, functions, functions_type
from brinkmanship.games.registry import kit_for
from brinkmanship.players import load_player
from brinkmanship.players.search import SearchConfig, SearchPlayer, Stretch, branch, no_stretch


def reference_player(game: Game, seed: int) -> SearchPlayer:
    """Return the search player of a game, with playouts to the end unless the game is too long for that."""
    player = load_player("search", game, seed)
    assert isinstance(player, SearchPlayer)
    return player if kit_for(game).compares_by_cut_playouts else player.to_the_end()


class StateEvaluator:
    """Evaluator of full states of one ruleset.

    Args:
        game: the ruleset.
        method: the settings of the playouts.
        seed: seed of the playouts.
    """

    def __init__(self, game: Game, method: SearchConfig, seed: int) -> None:
        self._game = game
        self._method = method
        self._seed = seed
        self._loop = _loop(type(game))
        self._stretch = method.stretch or no_stretch(type(game))

    def points(self, states: list[State], first: int, count: int) -> npt.NDArray[np.float64]:
        """Return the results for side 0 of playouts `first` .. `first + count - 1` from each state.

        The array is float64[count, states].
        """
        game, method = self._game, self._method
        roots = game.new_states(max(1, len(states)))
        for number, state in enumerate(states):
            roots[number] = state
        out = np.zeros((count, len(states)))
        self._loop(
            functions(game),
            at_address(method.policy),
            at_address(self._stretch),
            game.rules,
            roots,
            game.new_states(2),
            luck(self._seed, first, count),
            out,
        )
        return out


def play_each_on(
    game: GameFunctions,
    policy: Policy,
    stretch: Stretch,
    rules: Any,
    roots: Any,
    states: Any,
    numbers: npt.NDArray[np.int64],
    points: npt.NDArray[np.float64],
) -> None:
    """Play each of `roots` to the end with the random numbers of each future in `numbers`, int64[futures, 2, 4].

    `points`[future, root] is the result for side 0. `states` is scratch: the playout, and a side's view in it.
    """
    utility = np.zeros(2)
    dice = np.empty(4, np.int64)
    policy_rng = np.empty(4, np.int64)
    state = states[0]
    known = states[1]
    for number in range(numbers.shape[0]):
        for at in range(points.shape[1]):
            root = roots[at]
            # Common random numbers in every root; see `players.search.play_out`.
            states[0] = roots[at]
            dice[:] = numbers[number, 0]
            policy_rng[:] = numbers[number, 1]
            current = stretch(rules, root)
            mover = game.actor(rules, state)
            while mover != OVER:
                entered = stretch(rules, state)
                if entered != current:
                    current = entered
                    branch(numbers[number, 0], current, dice)
                    branch(numbers[number, 1], current, policy_rng)
                if mover == CHANCE:
                    game.apply(rules, state, game.sample(rules, state, dice))
                else:
                    game.view_for(rules, state, mover, known)
                    game.apply(rules, state, policy(rules, known, mover, policy_rng))
                mover = game.actor(rules, state)
            utility[:] = 0.0
            game.result(rules, state, utility)
            if utility[0] > utility[1]:
                points[number, at] = 1.0
            elif utility[0] == utility[1]:
                points[number, at] = 0.5


@cache
def _loop(game: type[Game]) -> Callable[..., None]:
    states = types.Array(game.state_type, 1, "C")
    return compiled_loop(
        play_each_on,
        types.void,
        functions_type(game),
        function_type(game, "policy"),
        function_type(game, "stretch"),
        game.rules_type,
        states,
        states,
        types.Array(types.int64, 3, "C"),
        types.Array(types.float64, 2, "C"),
    )
