"""The stack of tasks and the current question.

A task asks by advancing its stage and setting the node and the mover; the choice is carried out, and then the
innermost task continues from its stage.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.state import DEPTH, FRAME_DTYPE, STATE, Node, State, Step

LEGAL = types.Array(types.int16, 1, "C")
Legal = npt.NDArray[np.int16]
"""Actions: legal ones, or outcomes of chance."""
WEIGHTS = types.Array(types.int64, 1, "C")
Weights = npt.NDArray[np.int64]
"""The weights of the outcomes of chance."""

_NO_TASK = np.zeros(1, FRAME_DTYPE)


@internal(types.void, STATE, types.int64, types.int64)
def ask(state: State, node: int, mover: int) -> None:
    """Wait for an action."""
    state.node = node
    state.mover = mover


@internal(types.void, STATE)
def ask_die(state: State) -> None:
    """Wait for one die."""
    ask(state, Node.DIE, CHANCE)


@internal(types.void, STATE, types.int64, types.int64)
def push(state: State, task: int, side: int) -> None:
    """Begin a task inside the one in progress."""
    state.stack[state.depth].task = task
    state.stack[state.depth].side = side
    state.depth += 1


@internal(types.void, STATE)
def pop(state: State) -> None:
    """End the innermost task. Rows that are not in use hold zeros, so that equal positions are equal records."""
    state.depth -= 1
    state.stack[state.depth] = _NO_TASK[0]


@internal(types.void, STATE)
def clear_stack(state: State) -> None:
    """Remove all tasks."""
    for depth in range(DEPTH):
        state.stack[depth] = _NO_TASK[0]
    state.depth = 0


@internal(types.void, STATE)
def end_turn(state: State) -> None:
    """End the Turn (Détente): everything unresolved is lost, the Final Phase follows (R19)."""
    clear_stack(state)
    state.step = Step.FINAL_CHECK
