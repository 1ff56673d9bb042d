"""Hooks that each game implements for its events (``effects.py`` of its folder).

The interpreter works with verbs and battlegrounds; a game numbers its actions, knows its supply, moves the things that
cubes move, and executes the effects that only it has. `rules` and `state` are the game's own records.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from numba import types

from brinkmanship.engine.jit.compile import RULES, STATE, hook
from brinkmanship.games.cuban.frame import LEGAL, Legal


class Verb(IntEnum):
    """Meaning of an action within an event or Command."""

    OWN = 0  # an action of the game itself
    FINISH = 1  # no more; for a Command: nothing at all
    PUT = 2  # `what` battleground, `n` cubes from the supply
    TAKE_OFF = 3  # `what` battleground, `n` cubes to the supply
    PICK_BRANCH = 4  # `what` alternative, from 0


MEANING: Any = types.UniTuple(types.int64, 3)

Rules = Any
State = Any


@hook(types.int64, RULES, STATE, types.int64, types.int64, types.int64)
def numbered(rules: Rules, state: State, verb: int, what: int, n: int) -> int:
    """Return the action with this meaning."""
    raise NotImplementedError


@hook(MEANING, RULES, STATE, types.int64)
def meaning(rules: Rules, state: State, action: int) -> tuple[int, int, int]:
    """Return verb, `what` and `n` of an action."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE, types.int64)
def supply(rules: Rules, state: State, side: int) -> int:
    """Return the number of cubes a side can still place."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE, types.int64, types.int64)
def room(rules: Rules, state: State, side: int, place: int) -> int:
    """Return the number of cubes of a side that still fit on a battleground."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE)
def other_party(rules: Rules, state: State) -> int:
    """Return the side of a party that is neither a side, nor the actor or opponent; NOBODY if there is none now."""
    raise NotImplementedError


@hook(types.boolean, RULES, STATE, types.int64, types.int64, types.int64, types.int64)
def own_condition(rules: Rules, state: State, kind: int, a: int, b: int, c: int) -> bool:
    """Return True if a condition that is not about cubes is true now."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE)
def open_places(rules: Rules, state: State) -> int:
    """Return the battlegrounds of the starting effect as bits, before its filters; the frame has chooser and owner."""
    raise NotImplementedError


@hook(types.void, RULES, STATE, types.int64, types.int64)
def cubes_moved_by_event(rules: Rules, state: State, place: int, cubes: int) -> None:
    """Move what cubes move, after the effect in progress placed (> 0) or removed (< 0) cubes of its owner."""
    raise NotImplementedError


@hook(types.void, RULES, STATE, types.int64, types.int64, types.int64, types.boolean)
def cubes_moved_by_command(rules: Rules, state: State, side: int, place: int, cubes: int, in_event: bool) -> None:
    """Move what cubes move, after a Command placed (> 0) or removed (< 0) cubes of its side."""
    raise NotImplementedError


@hook(types.boolean, RULES, STATE, types.int64)
def may_command_nothing(rules: Rules, state: State, ways: int) -> bool:
    """Return True if a Command may move no cube, given the number of other ways to carry it out."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE, types.int64, types.int64)
def value_of_granted_command(rules: Rules, state: State, side: int, n: int) -> int:
    """Return the value for a side of a Command of n cubes granted by an event."""
    raise NotImplementedError


@hook(types.void, RULES, STATE)
def granted_command_over(rules: Rules, state: State) -> None:
    """Finish a Command granted by an event."""
    raise NotImplementedError


@hook(types.void, RULES, STATE)
def cubes_done(rules: Rules, state: State) -> None:
    """Finish a placing or removing, whose stage is ENDS; the game may set another stage instead."""
    raise NotImplementedError


@hook(types.void, RULES, STATE)
def start_own_effect(rules: Rules, state: State) -> None:
    """Begin an effect that only this game has; its stage is ENDS unless this sets another."""
    raise NotImplementedError


@hook(types.void, RULES, STATE)
def ask_own(rules: Rules, state: State) -> None:
    """Set node (and mover, if it is not the chooser) for a stage or effect that only this game has."""
    raise NotImplementedError


@hook(types.int64, RULES, STATE, LEGAL, types.int64)
def own_legal(rules: Rules, state: State, out: Legal, n: int) -> int:
    """Append the choices that only this game has at this node; return the new total.

    The node COMMAND calls it too, after the ways to move cubes have been written.
    """
    raise NotImplementedError


@hook(types.void, RULES, STATE, types.int64)
def choose_own(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice of an effect that only this game has, or an action that only this game has."""
    raise NotImplementedError
