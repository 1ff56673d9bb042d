"""Vectorised environment: thousands of games stepped by one call over the compiled rules.

>>> import brinkmanship as brink
>>> games = VectorGames(brink.load("13-minutes"), 64, seed=1)
>>> games.masks.shape == (64, games.game.n_actions)     # legal actions of the sides to act
True
>>> for _ in range(100):
...     games.step(games.random_actions())
>>> bool(games.finished > 0)                            # finished games are replaced by new ones
True

Against an opponent, a step ends where the agent has to act again:

>>> games = VectorGames(brink.load("13-minutes"), 64, seed=1, opponent="greedy", side="us")
>>> set(games.sides.tolist())
{0}

`VectorGames` writes into arrays that stay the same for its whole life, to avoid copies: a program reads them, or passes
them to its own library, and each step changes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, below, generator, generators
from brinkmanship.engine.errors import BrinkError, IllegalActionError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled_loop, named_tuple
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.message import Message
from brinkmanship.engine.playout import Policy, no_policy_of
from brinkmanship.engine.signatures import ACTIONS, GameFunctions, function_type, functions, functions_type
from brinkmanship.players import Player, load_player
from brinkmanship.position import PositionError
from brinkmanship.research.observation import Observation

POOL = 1024
"""Batch size of random number generators for future games."""
ALTERNATE = "alternate"
"""Replaces a side: the first one in games of even numbers, the second one in the others."""
NO_AGENT = -1
BOTH_IN_TURN = 2


class OpponentError(BrinkError, ValueError):
    """A player that cannot be the opponent in `VectorGames`."""


class VectorGames:
    """A number of games stepped together, with one side to act in each.

    Without an opponent the caller acts for both sides; in a simultaneous choice the other side acts in the next step.
    Game k of a seed has the same chance in any slot and for any actions. When a game ends, `rewards` and `over` report
    it, and the next game has already started in its slot.

    Args:
        game: the ruleset.
        count: number of games.
        seed: seed of chance, and of `random_actions`.
        tensors: True to fill `tensors` in each step; `views` cost nothing.
        opponent: a compiled computer player or its name, which plays the other side; None: the caller plays both. Its
            random numbers are those of the slot.
        side: the caller's side against an opponent; "alternate": the first side in games of even numbers.

    Raises:
        OpponentError: the opponent is not compiled, so that it would have to be asked decision by decision.
        PositionError: the game has no such side.
        UnknownPlayerError: the game has no player of this name.
    """

    def __init__(
        self,
        game: Game,
        count: int = 4096,
        seed: int = 0,
        *,
        tensors: bool = False,
        opponent: Player | str | None = None,
        side: str = ALTERNATE,
    ) -> None:
        self.game = game
        rival = load_player(opponent, game) if isinstance(opponent, str) else opponent
        if rival is not None and (rival.is_asked or (isinstance(rival.policy, FunctionType) and not INTERPRETED)):
            raise OpponentError(f"{rival.name} is asked decision by decision; an opponent here needs a compiled policy")
        if side != ALTERNATE and side not in game.sides:
            raise PositionError(f"{game.title} has no side {side!r}; its sides are {' and '.join(game.sides)}")
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
        self.agent_rewards: npt.NDArray[np.float64] = np.zeros(count)
        """The agent's utility in the game that ended, against an opponent: float64[count]."""
        self.numbers: npt.NDArray[np.int64] = np.arange(count)
        """Number of the current game of the seed: int64[count]."""
        self._seed = seed
        self._states = game.new_states(count)
        self._luck = generators(seed, 0, count)
        self._pool = generators(seed, count, POOL + count)
        self._next = np.array([count, 0])  # number of the next game, row of the pool it takes
        self._action_random = generator(seed, -1 & 0xFFFFFFFF)
        self._agents: npt.NDArray[np.int8] = np.full(count, NO_AGENT, np.int8)
        self._rival_luck = generators(seed + 1, 0, count)
        self._rival = (
            at_address((rival and rival.policy) or no_policy_of(type(game))),
            rival is not None and rival.policy is not None,
            NO_AGENT if rival is None else BOTH_IN_TURN if side == ALTERNATE else game.sides.index(side),
        )
        self._bytes = self.views.view(np.uint8).reshape(count, -1)
        self._loop = _loop(type(game))
        self._functions = functions(game)
        self._slots = Slots(
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
            self.agent_rewards,
            self._luck,
            self._rival_luck,
            self._agents,
        )
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
        _any_legal()(self.legal, self.legal_counts, self._action_random, out)
        return out

    def _run(self, actions: npt.NDArray[np.int64]) -> None:
        game = self.game
        wrong = self._loop(
            self._functions,
            game.rules,
            self._slots,
            self._pool,
            self._next,
            *self._rival,
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


class Slots(NamedTuple):
    """The games of a `VectorGames`, an element of each array for each; its attributes say what they are."""

    states: Any
    views: Any
    sides: npt.NDArray[np.int8]
    masks: npt.NDArray[np.bool_]
    legal: npt.NDArray[np.int16]
    legal_counts: npt.NDArray[np.int64]
    over: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float64]
    reasons: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]
    agent_rewards: npt.NDArray[np.float64]
    luck: npt.NDArray[np.int64]
    """Generators for chance, int64[count, 4]."""
    rival_luck: npt.NDArray[np.int64]
    """Generators of the opponent, int64[count, 4]."""
    agents: npt.NDArray[np.int8]
    """The caller's side, NO_AGENT for both, int8[count]."""


_BEGIN = -1
"""In place of an action: set up the game."""

_NUMBERS = types.Array(types.int64, 1, "C")
_LISTS = types.Array(types.int16, 2, "C")
_LUCK = types.Array(types.int64, 2, "C")


@cache
def _loop(game: type[Game]) -> Callable[..., int]:
    states = types.Array(game.state_type, 1, "C")
    sides = types.Array(types.int8, 1, "C")
    slots = [
        states,
        states,
        sides,
        types.Array(types.boolean, 2, "C"),
        _LISTS,
        _NUMBERS,
        types.Array(types.boolean, 1, "C"),
        types.Array(types.float64, 2, "C"),
        _NUMBERS,
        _NUMBERS,
        types.Array(types.float64, 1, "C"),
        _LUCK,
        _LUCK,
        sides,
    ]
    return compiled_loop(
        step_games,
        types.int64,
        functions_type(game),
        game.rules_type,
        named_tuple(Slots, *slots),
        _LUCK,
        _NUMBERS,
        function_type(game, "policy"),
        types.boolean,
        types.int64,
        _NUMBERS,
        ACTIONS,
    )


def step_games(
    game: GameFunctions,
    rules: Any,
    slots: Slots,
    pool: npt.NDArray[np.int64],
    following: npt.NDArray[np.int64],
    policy: Policy,
    has_policy: bool,
    plays: int,
    actions: npt.NDArray[np.int64],
    out: npt.NDArray[np.int16],
) -> int:
    """Step every game; return the first whose action is not legal, before anything is changed, otherwise -1.

    Args:
        game: the functions of the game.
        rules: its rules.
        slots: the games.
        pool: generators for the chance of later games, int64[POOL + count, 4].
        following: the number of the next game, and the row of the pool that it takes; both are advanced.
        policy: the opponent.
        has_policy: False if the opponent plays at random.
        plays: the caller's side, or the rule by which it gets one.
        actions: an action in each game.
        out: scratch for legal actions.
    """
    for number in range(slots.states.shape[0]):
        action = actions[number]
        if action != _BEGIN and not (0 <= action < slots.masks.shape[1] and slots.masks[number, action]):
            return number
        if action == _BEGIN and slots.legal_counts[number] > 0:
            return number
    utility = np.zeros(2)
    for number in range(slots.states.shape[0]):
        state = slots.states[number]
        dice = slots.luck[number]
        slots.over[number] = False
        slots.rewards[number, 0] = 0.0
        slots.rewards[number, 1] = 0.0
        slots.agent_rewards[number] = 0.0
        slots.reasons[number] = 0
        if actions[number] == _BEGIN:
            slots.agents[number] = slots.numbers[number] % 2 if plays == BOTH_IN_TURN else plays
            game.start(rules, state)
        else:
            game.apply(rules, state, actions[number])
        side = game.actor(rules, state)
        while side >= CHANCE or (slots.agents[number] != NO_AGENT and side != slots.agents[number]):
            if side == CHANCE:
                game.apply(rules, state, game.sample(rules, state, dice))
            elif side < CHANCE:
                if has_policy:
                    game.view_for(rules, state, side, slots.views[number])
                    action = policy(rules, slots.views[number], side, slots.rival_luck[number])
                else:
                    action = int(out[below(slots.rival_luck[number], game.legal(rules, state, side, out))])
                game.apply(rules, state, action)
            else:
                slots.over[number] = True
                utility[:] = 0.0
                slots.reasons[number] = game.result(rules, state, utility)
                slots.rewards[number, 0] = utility[0]
                slots.rewards[number, 1] = utility[1]
                if slots.agents[number] != NO_AGENT:
                    slots.agent_rewards[number] = utility[slots.agents[number]]
                for word in range(4):
                    dice[word] = pool[following[1], word]
                slots.numbers[number] = following[0]
                following[0] += 1
                following[1] += 1
                slots.agents[number] = slots.numbers[number] % 2 if plays == BOTH_IN_TURN else plays
                game.start(rules, state)
            side = game.actor(rules, state)
        for item in range(slots.legal_counts[number]):
            slots.masks[number, slots.legal[number, item]] = False
        count = game.legal(rules, state, side, out)
        for item in range(count):
            slots.legal[number, item] = out[item]
            slots.masks[number, out[item]] = True
        slots.legal_counts[number] = count
        slots.sides[number] = side
        game.view_for(rules, state, side, slots.views[number])
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
