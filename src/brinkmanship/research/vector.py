"""Vectorised environment: thousands of games stepped by one call over the compiled rules.

>>> import brinkmanship as brink
>>> games = VectorGames(brink.load("13-minutes"), 64, seed=1)
>>> games.masks.shape == (64, games.game.n_actions)     # legal actions of the sides to act
True
>>> for _ in range(100):
...     games.step(games.random_actions())
>>> bool(games.finished > 0)                            # finished games are replaced by new ones
True

`VectorGames` writes into arrays that stay the same for its whole life, to avoid copies: a program reads them, or passes
them to its own library, and each step changes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, below, generator, generators
from brinkmanship.engine.contract import ACTIONS, GAME_FUNCTIONS, functions, pointers
from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled_loop
from brinkmanship.engine.message import Message
from brinkmanship.research.observation import Observation

POOL = 1024
"""Batch size of random number generators for future games."""


class VectorGames:
    """A number of games stepped together, with one side to act in each.

    In a simultaneous choice the other side acts in the next step. Game k of a seed has the same chance in any slot and
    for any actions. When a game ends, `rewards` and `over` report it, and the next game has already started in its
    slot.

    Args:
        game: the ruleset.
        count: number of games.
        seed: seed of chance, and of `random_actions`.
        tensors: True to fill `tensors` in each step; `views` cost nothing.
    """

    def __init__(self, game: Game, count: int = 4096, seed: int = 0, *, tensors: bool = False) -> None:
        self.game = game
        self.count = count
        self.observation = Observation(game)
        self.views = game.new_states(count)
        """View of the side to act in each game: `Game.dtype`; ``views["prestige"]`` is an array."""
        self.tensors: npt.NDArray[np.int16] | None = None
        """The same as rows of `Observation`: int16[count, observation.size]; None if not requested."""
        self.sides: npt.NDArray[np.int8] = np.zeros(count, np.int8)
        """The side to act in each game: int8[count]."""
        self.masks: npt.NDArray[np.bool_] = np.zeros((count, game.n_actions), np.bool_)
        """Legal actions: bool[count, n_actions]."""
        self.legal: npt.NDArray[np.int16] = np.zeros((count, game.max_legal), np.int16)
        """The same as lists, int16[count, max_legal], of which the first `legal_counts` are valid."""
        self.legal_counts: npt.NDArray[np.int64] = np.zeros(count, np.int64)
        self.over: npt.NDArray[np.bool_] = np.zeros(count, np.bool_)
        """True if the last step ended the game in that slot: bool[count]."""
        self.rewards: npt.NDArray[np.float64] = np.zeros((count, 2))
        """Each side's utility in the game that ended, 0 if none did: float64[count, 2]."""
        self.reasons: npt.NDArray[np.int64] = np.zeros(count, np.int64)
        """Why it ended: index in `Game.reasons`, 0 if it did not."""
        self.numbers: npt.NDArray[np.int64] = np.arange(count)
        """Number of the current game of the seed: int64[count]."""
        self._seed = seed
        self._states = game.new_states(count)
        self._luck = generators(seed, 0, count)
        self._pool = generators(seed, count, POOL + count)
        self._next = np.array([count, 0])  # number of the next game, row of the pool it takes
        self._whims = generator(seed, -1 & 0xFFFFFFFF)
        self._bytes = self.views.view(np.uint8).reshape(count, -1)
        self._loop = _loop(type(game))
        self._functions = [_at_its_address(function) for function in functions(game, GAME_FUNCTIONS)]
        self._out = np.empty(game.max_legal, np.int16)
        self._run(np.full(count, _BEGIN, np.int64))
        if tensors:
            self.tensors = np.zeros((count, self.observation.size), np.int16)
            self._fill()

    @property
    def finished(self) -> int:
        """Number of games that have ended so far."""
        return int(self._next[0]) - self.count

    def step(self, actions: npt.NDArray[Any]) -> None:
        """Take an action in each game, then resolve chance and the rules until a side has to act.

        Args:
            actions: whole numbers, [count].

        Raises:
            IllegalActionError: one of them is not legal; no game has changed.
            ValueError: their number is not the number of games.
        """
        if np.shape(actions) != (self.count,):
            raise ValueError(f"{self.count} games need an action each, not {np.shape(actions)}")
        self._run(np.ascontiguousarray(actions, np.int64))
        if self.tensors is not None:
            self._fill()

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Return a uniformly random legal action for each game."""
        out = np.empty(self.count, np.int64)
        _any_legal()(self.legal, self.legal_counts, self._whims, out)
        return out

    def _run(self, actions: npt.NDArray[np.int64]) -> None:
        game = self.game
        wrong = self._loop(
            *self._functions,
            game.rules,
            self._states,
            self.views,
            self.sides,
            self.masks,
            self.legal,
            self.legal_counts,
            self.over,
            self.rewards,
            self.reasons,
            self.numbers,
            self._luck,
            self._pool,
            self._next,
            actions,
            self._out,
        )
        if wrong >= 0:
            side = int(self.sides[wrong])
            legal = self.legal[wrong, : self.legal_counts[wrong]].tolist()
            game.legal_action(int(actions[wrong]), side, legal)
            where = {"action": int(actions[wrong]), "game": int(wrong)}
            raise IllegalActionError(Message("fault.action.in_game", where))
        if self._next[1] >= POOL:
            self._pool = generators(self._seed, int(self._next[0]), POOL + self.count)
            self._next[1] = 0

    def _fill(self) -> None:
        assert self.tensors is not None
        self.observation.write(self._bytes, self.sides, self.tensors)


_BEGIN = -1
"""In place of an action: set up the game."""


def _at_its_address(function: Any) -> Any:
    """Return a compiled function with its address looked up once instead of at each call.

    This saves a tenth of a step of 4,096 games.
    """
    return function if INTERPRETED else types.CompileResultWAP(next(iter(function.overloads.values())))


_NUMBERS = types.Array(types.int64, 1, "C")
_BOOLS = types.Array(types.boolean, 1, "C")
_LISTS = types.Array(types.int16, 2, "C")
_LUCK = types.Array(types.int64, 2, "C")


@cache
def _loop(game: type[Game]) -> Callable[..., int]:
    states = types.Array(game.state_type, 1, "C")
    return compiled_loop(
        step_games,
        types.int64,
        *pointers(game, GAME_FUNCTIONS),
        game.rules_type,
        states,
        states,
        types.Array(types.int8, 1, "C"),
        types.Array(types.boolean, 2, "C"),
        _LISTS,
        _NUMBERS,
        _BOOLS,
        types.Array(types.float64, 2, "C"),
        _NUMBERS,
        _NUMBERS,
        _LUCK,
        _LUCK,
        _NUMBERS,
        _NUMBERS,
        ACTIONS,
    )


def step_games(
    start: Any,
    actor: Any,
    legal: Any,
    apply: Any,
    sample: Any,
    result: Any,
    view: Any,
    rules: Any,
    states: Any,
    views: Any,
    sides: npt.NDArray[np.int8],
    masks: npt.NDArray[np.bool_],
    lists: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int64],
    over: npt.NDArray[np.bool_],
    rewards: npt.NDArray[np.float64],
    reasons: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    luck: npt.NDArray[np.int64],
    pool: npt.NDArray[np.int64],
    following: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int64],
    out: npt.NDArray[np.int16],
) -> int:
    """Step every game; return the first whose action is not legal, before anything is changed, otherwise -1."""
    for number in range(states.shape[0]):
        action = actions[number]
        if action != _BEGIN and not (0 <= action < masks.shape[1] and masks[number, action]):
            return number
        if action == _BEGIN and counts[number] > 0:
            return number
    utility = np.zeros(2)
    for number in range(states.shape[0]):
        state = states[number]
        dice = luck[number]
        over[number] = False
        rewards[number, 0] = 0.0
        rewards[number, 1] = 0.0
        reasons[number] = 0
        if actions[number] == _BEGIN:
            start(rules, state)
        else:
            apply(rules, state, actions[number])
        side = actor(rules, state)
        while side >= CHANCE:
            if side == CHANCE:
                apply(rules, state, sample(rules, state, dice))
            else:
                over[number] = True
                utility[:] = 0.0
                reasons[number] = result(rules, state, utility)
                rewards[number, 0] = utility[0]
                rewards[number, 1] = utility[1]
                for word in range(4):
                    dice[word] = pool[following[1], word]
                numbers[number] = following[0]
                following[0] += 1
                following[1] += 1
                start(rules, state)
            side = actor(rules, state)
        for item in range(counts[number]):
            masks[number, lists[number, item]] = False
        count = legal(rules, state, side, out)
        for item in range(count):
            lists[number, item] = out[item]
            masks[number, out[item]] = True
        counts[number] = count
        sides[number] = side
        view(rules, state, side, views[number])
    return -1


@cache
def _any_legal() -> Callable[..., None]:
    return compiled_loop(any_legal, types.void, _LISTS, _NUMBERS, RANDOM, _NUMBERS)


def any_legal(
    lists: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int64],
    random: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Write a uniformly random action of each list to `out`."""
    for number in range(out.shape[0]):
        out[number] = lists[number, below(random, counts[number])]
