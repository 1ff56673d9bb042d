"""The stack of tasks and the question of the moment.

A task asks by advancing its STAGE, setting the node and who is to answer; the answer is carried out, and then the
innermost task goes on from its stage.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.engine.game import CHANCE
from brinkmanship.games.ukrainian_crisis.state import (
    DEPTH,
    FINAL_CHECK,
    FRAME,
    N_DIE,
    SIDE,
    STATE,
    TASK,
    State,
)

LEGAL = types.Array(types.int16, 1, "C")
Legal = npt.NDArray[np.int16]


@internal(types.void, STATE, types.int64, types.int64)
def ask(state: State, node: int, mover: int) -> None:
    """Wait for an action."""
    state.node = node
    state.mover = mover


@internal(types.void, STATE)
def ask_die(state: State) -> None:
    """Wait for one die."""
    ask(state, N_DIE, CHANCE)


@internal(types.void, STATE, types.int64, types.int64)
def push(state: State, task: int, side: int) -> None:
    """Begin a task inside the one in progress."""
    state.stack[state.depth, TASK] = task
    state.stack[state.depth, SIDE] = side
    state.depth += 1


@internal(types.void, STATE)
def pop(state: State) -> None:
    """End the innermost task. Rows that are not in use hold zeros, so that equal positions are equal records."""
    state.depth -= 1
    for column in range(FRAME):
        state.stack[state.depth, column] = 0


@internal(types.void, STATE)
def end_turn(state: State) -> None:
    """Détente: everything unresolved is lost, the Final Phase follows (R19)."""
    for depth in range(DEPTH):
        for column in range(FRAME):
            state.stack[depth, column] = 0
    state.depth = 0
    state.step = FINAL_CHECK
