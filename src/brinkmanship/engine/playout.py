"""Batch playouts: a compiled loop that any game's functions can be passed to.

The loop takes a game's compiled functions by address, so it is compiled once per game and then loaded from disk. It
releases the GIL, so several threads use several cores.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from types import FunctionType, MethodType
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import Random, below, generators
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled_loop, named_tuple
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.signatures import (
    ACTIONS,
    GameFunctions,
    function_type,
    functions,
    functions_type,
    signature,
)

Result = TypeVar("Result")

NOBODY = -1

CHUNK = 2048
"""Games per call: enough to amortise the cost of the call, few enough to report progress often."""

Policy = Callable[[Any, Any, int, Random], int]
"""A player: ``policy(rules, view, side, random) -> action``; `view` is the side's view. If either policy is plain
Python, the loop runs interpreted over the compiled rules.
"""


class Batch(NamedTuple):
    """The results of a number of games, in order of their numbers."""

    states: Any
    """Final states, recarray of the game's dtype."""
    decisions: npt.NDArray[np.int64]
    """Decisions taken by the sides in each game."""
    steps: npt.NDArray[np.int64]
    """All actions of each game: decisions, chance, and steps of the rules."""
    reasons: npt.NDArray[np.int64]
    """Why each game ended: index in `Game.reasons`."""
    winners: npt.NDArray[np.int64]
    """The side that won each game, -1 without a winner."""


def play(
    game: Game,
    first: int,
    count: int,
    seed: int,
    policies: tuple[Policy | None, Policy | None] = (None, None),
    chunk: int = CHUNK,
    workers: int = 1,
) -> Iterator[Batch]:
    """Play games number `first` .. `first + count - 1` of a seed, by these policies (None: uniformly at random).

    Game k of a seed is always the same game for any `chunk` and `workers`, and chance has the same random numbers in it
    for all policies. Batches come in order, each as soon as it and those before it are done; stop iterating to stop
    playing.
    """

    def chunk_at(start: int) -> Batch:
        return _play_chunk(game, start, min(chunk, first + count - start), seed, policies)

    yield from in_order(chunk_at, range(first, first + count, chunk), workers)


def in_order(work: Callable[[int], Result], numbers: Iterable[int], workers: int) -> Generator[Result]:
    """Yield the result of a function for each number, in order, computed in threads.

    Only a few are started in advance: when the iteration ends early, as by Ctrl-C, no other begins.
    """
    if workers == 1:
        yield from map(work, numbers)
        return
    with ThreadPoolExecutor(workers) as pool:
        running: list[Future[Result]] = []
        try:
            for number in numbers:
                running.append(pool.submit(work, number))
                if len(running) > 2 * workers:
                    yield running.pop(0).result()
            while running:
                yield running.pop(0).result()
        finally:
            for future in running:
                future.cancel()


def play_on(
    game: Game, states: Any, chance: npt.NDArray[np.int64], policies: tuple[Policy | None, Policy | None]
) -> Batch:
    """Play games from `states` to their ends, in place, by these policies (None: uniformly at random).

    `chance` has the generators of each game as `luck` returns them, int64[count, 2, 4]; they are advanced.
    """
    return _finish(game, _stay(type(game)), states, chance, policies)


def _play_chunk(game: Game, first: int, count: int, seed: int, policies: tuple[Policy | None, Policy | None]) -> Batch:
    return _finish(game, game.start, game.new_states(count), luck(seed, first, count), policies)


def _finish(
    game: Game,
    start: Any,
    states: Any,
    chance: npt.NDArray[np.int64],
    policies: tuple[Policy | None, Policy | None],
) -> Batch:
    batch = Batch(states, *(np.zeros(len(states), np.int64) for _ in range(4)))
    is_python = any(isinstance(policy, FunctionType | MethodType) for policy in policies)
    loop: Callable[..., None] = play_by_policies if is_python else _loop(type(game))
    loop(
        functions(game)._replace(start=at_address(start)),
        *(at_address(policy or no_policy_of(type(game))) for policy in policies),
        np.array([policy is not None for policy in policies]),
        game.rules,
        game.new_states(1),
        batch,
        chance,
        np.empty(game.max_legal, np.int16),
    )
    return batch


def luck(seed: int, first: int, count: int) -> npt.NDArray[np.int64]:
    """Return for each game one generator for chance and one for its players, int64[count, 2, 4].

    With separate generators, the random numbers a player uses do not affect cards or dice: two games of one number
    differ by the decisions alone.
    """
    return generators(seed, 2 * first, 2 * count).reshape(count, 2, 4)


_LUCK = types.Array(types.int64, 3, "C")


@cache
def _loop(game: type[Game]) -> Callable[..., None]:
    states = types.Array(game.state_type, 1, "C")
    counts = types.Array(types.int64, 1, "C")
    policy = function_type(game, "policy")
    return compiled_loop(
        play_by_policies,
        types.void,
        functions_type(game),
        policy,
        policy,
        types.Array(types.boolean, 1, "C"),
        game.rules_type,
        states,
        named_tuple(Batch, states, counts, counts, counts, counts),
        _LUCK,
        ACTIONS,
    )


@cache
def _stay(game: type[Game]) -> Callable[[Any, Any], None]:
    return compiled_loop(stay, *signature(game, "start"))


def stay(rules: Any, state: Any) -> None:
    """Keep the state unchanged: the start function of a game that is played from a given position."""


@cache
def no_policy_of(game: type[Game]) -> Policy:
    """Return the compiled `no_policy` of a game."""
    return compiled_policy(game, no_policy)


def compiled_policy(game: type[Game], policy: Policy) -> Policy:
    """Compile a policy in plain Python for a game."""
    return compiled_loop(policy, *signature(game, "policy"))


def nested_policy(game: type[Game], policy: Policy) -> Policy:
    """Compile a policy together with the values and functions of its closure; every process compiles it again."""
    if INTERPRETED:
        return policy
    result, *arguments = signature(game, "policy")
    return cast(Policy, cast(Any, numba.njit)(result(*arguments), nogil=True)(policy))


def no_policy(rules: Any, view: Any, side: int, random: Random) -> int:  # noqa: ARG001 - the shape of a `Policy`
    """Fill the argument of a side without a policy; it is never called."""
    return NOBODY


def play_by_policies(
    game: GameFunctions,
    policy_0: Policy,
    policy_1: Policy,
    uses_policy: npt.NDArray[np.bool_],
    rules: Any,
    known: Any,
    batch: Batch,
    luck: npt.NDArray[np.int64],
    out: npt.NDArray[np.int16],
) -> None:
    """Play one game in each state of `batch`, each side by its policy from its view, or at random without a policy."""
    utility = np.zeros(2)
    for number in range(batch.states.shape[0]):
        state = batch.states[number]
        dice = luck[number, 0]
        policy_rng = luck[number, 1]
        game.start(rules, state)
        side = game.actor(rules, state)
        while side != OVER:
            if side == CHANCE:
                action = game.sample(rules, state, dice)
            else:
                batch.decisions[number] += 1
                if uses_policy[side]:
                    game.view_for(rules, state, side, known[0])
                    if side == 0:
                        action = policy_0(rules, known[0], side, policy_rng)
                    else:
                        action = policy_1(rules, known[0], side, policy_rng)
                else:
                    count = game.legal(rules, state, side, out)
                    action = int(out[below(policy_rng, count)])
            game.apply(rules, state, action)
            batch.steps[number] += 1
            side = game.actor(rules, state)
        utility[:] = 0.0
        batch.reasons[number] = game.result(rules, state, utility)
        batch.winners[number] = NOBODY if utility[0] == utility[1] else np.argmax(utility)


def record(
    game: Game, number: int, seed: int, policies: tuple[Policy | None, Policy | None] = (None, None)
) -> Iterator[tuple[int, int]]:
    """Yield game `number` of a seed, the same that `play` plays, action by action: (actor, action)."""
    dice, policy_rng = luck(seed, number, 1)[0]
    out = np.empty(game.max_legal, np.int16)
    state = game.new_state()
    known = game.new_states(1)[0]
    while (side := int(game.actor(game.rules, state))) != OVER:
        if side == CHANCE:
            action = game.sample(game.rules, state, dice)
        elif (policy := policies[side]) is not None:
            game.view(game.rules, state, side, known)
            action = policy(game.rules, known, side, policy_rng)
        else:
            count = game.legal(game.rules, state, side, out)
            action = out[below(policy_rng, count)]
        yield side, int(action)
        game.apply(game.rules, state, int(action))
