"""Hooks that each card-driven game implements: what its operations cost, its special steps, its score."""

from __future__ import annotations

from typing import Any

from numba import types

from brinkmanship.engine.jit.compile import RULES, STATE, hook

Rules = Any
State = Any


@hook(types.int64, RULES, STATE, types.int64, types.int64)
def put_cost(rules: Rules, state: State, side: int, place: int) -> int:
    """Return the operations that one influence of a side costs on a place with room; 0 if it may not be put there."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE, types.int64, types.int64)
def take_off_cost(rules: Rules, state: State, side: int, place: int) -> int:
    """Return the operations for taking off one influence of the other side; 0 if that is not possible."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE, types.int64, types.int64, types.int64)
def push_cost(rules: Rules, state: State, side: int, track: int, step: int) -> int:
    """Return the operations for moving a track by `step`, 1 or -1, within its ends; 0 if that is not possible."""
    raise NotImplementedError


@hook(types.void, RULES, STATE, types.int64, types.int64)
def special(rules: Rules, state: State, side: int, number: int) -> None:
    """Carry out the special step `number` of an event for a side. It may not move cards."""
    raise NotImplementedError


@hook(types.void, RULES, STATE)
def end_of_round(rules: Rules, state: State) -> None:
    """Carry out the end of a round: scoring, for example."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE)
def ended(rules: Rules, state: State) -> int:
    """Return the reason why the game is over before its last round, an index of `Game.reasons`; 0 if it is not."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE)
def lead(rules: Rules, state: State) -> int:
    """Return the lead of side 0 at the end of the game: the sign says who has won, 0 is a draw."""
    raise NotImplementedError


@hook(types.float64, RULES, STATE, types.int64)
def outlook(rules: Rules, state: State, side: int) -> float:
    """Return how good a position is for a side, for quick computer players: any scale, by what lies open."""
    raise NotImplementedError
