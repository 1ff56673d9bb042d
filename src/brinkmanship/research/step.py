"""One action of a game and all that follows from it without a choice, in one compiled call.

A library that asks a game move by move pays for each call into compiled code, half a microsecond: this is the only one
of a step. The result says who is asked next and what the answers are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from brinkmanship.engine.compile import fused
from brinkmanship.engine.game import CHANCE, OVER, Game

MOST_TAKEN = 64
"""Actions of one call: what is left is done by the next one."""
LOWEST_ACTOR = -8
_LONG, _SHORT = types.Array(types.int64, 1, "C"), types.Array(types.int16, 1, "C")


class Taken(NamedTuple):
    """An action that was taken, packed into a number; see `of`."""

    actor: int
    action: int
    audience: int
    """Bits of the readers who know which action it was."""

    @classmethod
    def of(cls, code: int) -> Taken:
        """The number read."""
        return cls(actor_of(code), code >> 16, code >> 8 & 255)

    def packed(self) -> int:
        """As a number."""
        return self.action << 16 | self.audience << 8 | (self.actor - LOWEST_ACTOR)


def actor_of(code: int) -> int:
    """Who acts (a side, CHANCE or OVER), or who acted, in a packed number."""
    return (code & 255) + LOWEST_ACTOR


@cache
def stepper(game: type[Game]) -> Callable[..., int]:
    """The step of a game: ``step(rules, state, action, actor, taken, answers, weights) -> code``.

    It carries out an action of an actor in place, and then what chance has no choice about. To int64[MOST_TAKEN]
    `taken` it writes the actions (`Taken`), to int16[max_legal] `answers` what may be answered then, and to
    int64[max_legal] `weights` what each weighs, where chance is to act. The code says how many actions were taken
    (``code >> 24``), how many answers there are (``code >> 8 & 0xFFFF``), and who acts now (`actor_of`). Chance has one
    answer only where more than `MOST_TAKEN` actions follow on each other: take it.
    """
    acting, legal, apply, outcomes, audience = game.actor, game.legal, game.apply, game.outcomes, game.audience

    def step(rules: Any, state: Any, action: Any, actor: int, taken: Any, answers: Any, weights: Any) -> int:
        count = 0
        for number in range(MOST_TAKEN):
            readers = audience(rules, state, action)
            taken[number] = action << 16 | readers << 8 | (actor - LOWEST_ACTOR)
            apply(rules, state, action)
            actor = acting(rules, state)
            if actor == OVER:
                count = 0
                break
            if actor != CHANCE:
                count = legal(rules, state, actor, answers)
                break
            count = outcomes(rules, state, answers, weights)
            if count > 1:
                break
            action = np.int64(answers[0])
        return (number + 1) << 24 | count << 8 | (actor - LOWEST_ACTOR)

    return fused(step, types.int64, game.rules_type, game.state_type, types.int64, types.int64, _LONG, _SHORT, _LONG)
