"""One action of a game and everything that follows from it without a choice, in one compiled call.

A library that steps a game move by move pays half a microsecond for each call into compiled code: this is the only one
of a step. The result contains the next actor and its legal actions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled, fused

MAX_TAKEN = 64
"""Maximum actions of one call; the next call continues."""
LOWEST_ACTOR = -8
_LONG, _SHORT = types.Array(types.int64, 1, "C"), types.Array(types.int16, 1, "C")
_ROOM = (_LONG, _SHORT, _LONG, types.Array(types.float64, 1, "C"))


@compiled(types.void, _SHORT, _LONG, types.int64)
def order(answers: Any, weights: Any, count: int) -> None:
    """Sort the first `count` answers with their weights (insertion sort: they are few and nearly sorted)."""
    for end in range(1, count):
        answer, weight, place = answers[end], weights[end], end
        while place and answers[place - 1] > answer:
            answers[place], weights[place] = answers[place - 1], weights[place - 1]
            place -= 1
        answers[place], weights[place] = answer, weight


class PackedAction(NamedTuple):
    """An action that was taken, packed into a number; see `of`."""

    actor: int
    action: int
    audience: int
    """Bits of the viewers who know the action."""

    @classmethod
    def of(cls, code: int) -> PackedAction:
        """Unpack a number."""
        return cls(actor_of(code), code >> 16, code >> 8 & 255)

    def packed(self) -> int:
        """Return the action packed into a number."""
        return self.action << 16 | self.audience << 8 | (self.actor - LOWEST_ACTOR)


def actor_of(code: int) -> int:
    """Return the actor (a side, CHANCE or OVER) in a packed number."""
    return (code & 255) + LOWEST_ACTOR


@cache
def stepper(game: type[Game]) -> Callable[..., int]:
    """Compile the step of a game: ``step(rules, state, action, actor, taken, answers, weights, shares) -> code``.

    It applies an action of an actor in place, and then all chance events with a single outcome. To int64[MAX_TAKEN]
    `taken` it writes the actions (`PackedAction`), to int16[max_legal] `answers` the next legal actions, in order, and
    to float64[max_legal] `shares` their probabilities, if chance is to act; int64[max_legal] `weights` is scratch.

    The code contains the number of actions taken (``code >> 24``), the number of answers (``code >> 8 & 0xFFFF``), and
    the next actor (`actor_of`). Chance has a single answer only if more than `MAX_TAKEN` actions follow each other:
    take it.
    """
    acting, legal, apply, outcomes, audience = game.actor, game.legal, game.apply, game.outcomes, game.audience

    def step(
        rules: Any, state: Any, action: Any, actor: int, taken: Any, answers: Any, weights: Any, shares: Any
    ) -> int:
        count = 0
        for number in range(MAX_TAKEN):
            viewers = audience(rules, state, action)
            taken[number] = action << 16 | viewers << 8 | (actor - LOWEST_ACTOR)
            apply(rules, state, action)
            actor = acting(rules, state)
            if actor == OVER:
                count = 0
                break
            if actor != CHANCE:
                count = legal(rules, state, actor, answers)
                order(answers, weights, count)
                break
            count = outcomes(rules, state, answers, weights)
            if count > 1:
                order(answers, weights, count)
                total = 0
                for place in range(count):
                    total += weights[place]
                for place in range(count):
                    shares[place] = weights[place] / total
                break
            action = np.int64(answers[0])
        return (number + 1) << 24 | count << 8 | (actor - LOWEST_ACTOR)

    return fused(step, types.int64, game.rules_type, game.state_type, types.int64, types.int64, *_ROOM)
