"""Choices within an event: the legal choices of the effect in progress, and the result of each.

The event in progress is described by the top frame of the state's stack. A compiled function must stand below those
it calls, so this file, like every file of rules, is best read from its end upwards: `effect_legal` and
`choose_in_effect` are the entry points. They are templates; see the package.
"""

from __future__ import annotations

from typing import Any

from numba import types

from brinkmanship.engine.jit.compile import RULES, STATE, template
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, EventNode, Legal, Stage
from brinkmanship.games.cuban.hooks import (
    Rules,
    State,
    Verb,
    ask_own,
    choose_own,
    cubes_done,
    cubes_moved_by_command,
    cubes_moved_by_event,
    granted_command_over,
    may_command_nothing,
    meaning,
    numbered,
    own_condition,
    own_legal,
    room,
    supply,
)
from brinkmanship.games.cuban.tables import Amount, If, Op

PAIR: Any = types.UniTuple(types.int64, 2)


@template(types.boolean, RULES, STATE, types.int64)
def holds(rules: Rules, state: State, condition: int) -> bool:
    """Return True if a condition is true now; NOBODY is the condition that is always true."""
    if condition == NOBODY:
        return True
    row = rules.conditions[condition]
    if row.kind == If.CUBES:
        return state.influence[row.a, row.b] >= row.c
    return own_condition(rules, state, row.kind, row.a, row.b, row.c)


@template(types.boolean, RULES, STATE, types.int64)
def branch_available(rules: Rules, state: State, branch: int) -> bool:
    """Return True if the requirement of a branch is met now."""
    frame = state.stack[state.depth - 1]
    return holds(rules, state, rules.branches[rules.effects[frame.effect].branches + branch].condition)


@template(types.int64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, LEGAL)
def command_legal(rules: Rules, state: State, side: int, value: int, where: int, place_only: int, out: Legal) -> int:
    """Write the ways to carry out a Command of `value` cubes on `where` (bits) to `out` (R9, Q15, Q16)."""
    n = 0
    available = supply(rules, state, side)
    place = 0
    while where:
        if where & 1:
            for cubes in range(1, min(value, available, room(rules, state, side, place)) + 1):
                out[n] = numbered(rules, state, Verb.PUT, place, cubes)
                n += 1
            if place_only == 0:
                for cubes in range(1, min(value, state.influence[side, place]) + 1):
                    out[n] = numbered(rules, state, Verb.TAKE_OFF, place, cubes)
                    n += 1
        where >>= 1
        place += 1
    if may_command_nothing(rules, state, n):
        out[n] = numbered(rules, state, Verb.FINISH, 0, 0)
        n += 1
    return n


@template(types.int64, RULES, STATE, types.int64)
def room_elsewhere(rules: Rules, state: State, place: int) -> int:
    """Return the owner's cubes that fit where a relocation may still put some, except on `place`; capped at enough."""
    frame = state.stack[state.depth - 1]
    free = frame.qualified & ~frame.touched & ~(1 << place)
    enough = frame.left + frame.count
    cubes = 0
    other = 0
    while free and cubes < enough:
        if free & 1:
            cubes += room(rules, state, frame.owner, other)
        free >>= 1
        other += 1
    return cubes


@template(types.int64, RULES, STATE)
def sites_left(rules: Rules, state: State) -> int:
    """Return the number of battlegrounds that the effect in progress may still touch."""
    frame = state.stack[state.depth - 1]
    sites = rules.effects[frame.effect].sites
    touched = frame.touched
    while touched and sites > 0:
        touched &= touched - 1  # clears the lowest bit
        sites -= 1
    return sites


@template(types.int64, RULES, STATE, types.int64)
def most_possible(rules: Rules, state: State, except_place: int) -> int:
    """Return the most cubes the effect could still move without using `except_place` (NOBODY: using all).

    With an `except_place` given, one battleground fewer may be touched, and the supply is not shared with it: this
    is a bound used only where `min` is set, and exact for a single group of battlegrounds.
    """
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    owner = frame.owner
    free = frame.qualified & ~frame.touched
    sites = sites_left(rules, state)
    if except_place != NOBODY:
        free &= ~(1 << except_place)
        sites -= 1
    total = 0
    while sites > 0 and free:
        best = -1
        best_place = 0
        for place in range(state.influence.shape[1]):
            if (free >> place) & 1:
                if effect.op == Op.PLACE:
                    cubes = min(effect.each, room(rules, state, owner, place))
                else:
                    cubes = state.influence[owner, place]
                if cubes > best:
                    best = cubes
                    best_place = place
        free &= ~(1 << best_place)
        total += best
        sites -= 1
    if effect.op == Op.PLACE:
        total = min(total, supply(rules, state, owner))
    return min(total, frame.left)


@template(PAIR, RULES, STATE, types.int64)
def cubes_allowed(rules: Rules, state: State, place: int) -> tuple[int, int]:
    """Return the fewest (at least 1) and most cubes the effect may place on or remove from a place; (1, 0) for none.

    Precondition: the effect may still touch a battleground; otherwise it has already ended (`nothing_to_move`).
    """
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    owner = frame.owner
    if (frame.qualified & ~frame.touched) >> place & 1 == 0:
        return 1, 0
    if frame.stage == Stage.PUTS:
        most = min(frame.left, room(rules, state, owner, place))
        # All cubes taken must find a place (R41, Q23).
        return max(1, frame.left - room_elsewhere(rules, state, place)), most
    if effect.op == Op.RELOCATE:
        cubes = min(frame.left, state.influence[owner, place])
        return 1, min(cubes, room_elsewhere(rules, state, place) - frame.count)
    if effect.op == Op.PLACE:
        most = min(frame.left, effect.each, room(rules, state, owner, place), supply(rules, state, owner))
    else:
        most = state.influence[owner, place]
        if effect.amount == Amount.HALF_UP:  # R40, Q26
            half = (most + 1) // 2
            return (half, half) if half > 0 and frame.left > 0 else (1, 0)
        most = min(most, frame.left)
    if effect.least == 0:
        return 1, most
    # What must be done in full may not be made impossible by starting small (R19, Q30).
    short = min(effect.least, frame.count + most_possible(rules, state, NOBODY)) - frame.count
    return max(1, short - most_possible(rules, state, place)), most


@template(types.boolean, RULES, STATE)
def may_stop(rules: Rules, state: State) -> bool:
    """Return True if the placing, removing or relocating in progress may end here."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    if frame.stage == Stage.PUTS:
        return False
    if effect.op == Op.RELOCATE or (effect.optional and frame.count == 0):
        return True
    if effect.amount == Amount.HALF_UP:
        empty = 0
        occupied = 0
        for place in range(state.influence.shape[1]):
            if (frame.qualified & ~frame.touched) >> place & 1:
                if state.influence[frame.owner, place] == 0:
                    empty += 1
                else:
                    occupied += 1
        return empty >= frame.left or occupied == 0
    return frame.count >= effect.least or most_possible(rules, state, NOBODY) == 0


@template(types.int64, RULES, STATE, LEGAL)
def effect_legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the legal choices of the effect in progress to `out`; return their number."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    node = state.node
    n = 0
    if node == EventNode.COMMAND:
        n = command_legal(rules, state, frame.chooser, frame.left, frame.qualified, effect.place_only, out)
        return own_legal(rules, state, out, n)
    if node == EventNode.CHOOSE:
        for branch in range(effect.branch_count):
            if branch_available(rules, state, branch):
                out[n] = numbered(rules, state, Verb.PICK_BRANCH, branch, 0)
                n += 1
        return n
    if (
        node != EventNode.PLACE
        and node != EventNode.REMOVE
        and node != EventNode.TAKE_CUBES
        and node != EventNode.PUT_CUBES
    ):
        return own_legal(rules, state, out, 0)
    verb = Verb.PUT if node in (EventNode.PLACE, EventNode.PUT_CUBES) else Verb.TAKE_OFF
    free = frame.qualified & ~frame.touched
    place = 0
    while free:
        if free & 1:
            least, most = cubes_allowed(rules, state, place)
            for cubes in range(least, most + 1):
                out[n] = numbered(rules, state, verb, place, cubes)
                n += 1
        free >>= 1
        place += 1
    if may_stop(rules, state):
        out[n] = numbered(rules, state, Verb.FINISH, 0, 0)
        n += 1
    return n


@template(types.void, RULES, STATE, types.int64)
def take_branch(rules: Rules, state: State, branch: int) -> None:
    """Continue with the effects of a branch; its last one leads back to the effect after the choice."""
    frame = state.stack[state.depth - 1]
    frame.effect = rules.branches[rules.effects[frame.effect].branches + branch].effect
    frame.stage = Stage.STARTS


@template(types.void, RULES, STATE, types.int64, types.int64, types.boolean)
def carry_out_command(rules: Rules, state: State, side: int, action: int, in_event: bool) -> None:
    """Place or remove the cubes of a Command and move what they move; do nothing for the end of the choice."""
    verb, place, cubes = meaning(rules, state, action)
    if verb == Verb.FINISH:
        return
    if verb == Verb.TAKE_OFF:
        cubes = -cubes
    state.influence[side, place] += cubes
    cubes_moved_by_command(rules, state, side, place, cubes, in_event)


@template(types.boolean, RULES, STATE)
def nothing_to_move(rules: Rules, state: State) -> bool:
    """Return True if no battleground is left for the effect in progress."""
    frame = state.stack[state.depth - 1]
    if sites_left(rules, state) == 0:
        return True
    free = frame.qualified & ~frame.touched
    place = 0
    while free:
        if free & 1:
            least, most = cubes_allowed(rules, state, place)
            if most >= least:
                return False
        free >>= 1
        place += 1
    return True


@template(types.void, RULES, STATE)
def end_of_cubes(rules: Rules, state: State) -> None:
    """Complete a placing, removing or taking off; a relocation goes on to put down the cubes it took."""
    frame = state.stack[state.depth - 1]
    if rules.effects[frame.effect].op == Op.RELOCATE and frame.count > 0:
        frame.left = frame.count
        frame.stage = Stage.PUTS
    else:
        frame.stage = Stage.ENDS
        cubes_done(rules, state)


@template(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def move_cubes(rules: Rules, state: State, verb: int, place: int, cubes: int) -> None:
    """Place on or remove from one battleground; end the effect when nothing is left to place or remove."""
    frame = state.stack[state.depth - 1]
    signed = cubes if verb == Verb.PUT else -cubes
    state.influence[frame.owner, place] += signed
    cubes_moved_by_event(rules, state, place, signed)
    frame.touched |= 1 << place
    if frame.stage == Stage.PUTS:
        frame.left -= cubes
        if frame.left == 0:
            frame.stage = Stage.ENDS
        return
    frame.count += cubes
    frame.left -= 1 if rules.effects[frame.effect].amount == Amount.HALF_UP else cubes
    if frame.left > 0 and not nothing_to_move(rules, state):
        return
    end_of_cubes(rules, state)


@template(types.void, RULES, STATE, types.int64)
def choose_in_effect(rules: Rules, state: State, action: int) -> None:
    """Carry out one legal choice of the effect in progress."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame.effect].op
    verb, what, n = meaning(rules, state, action)
    shared = op in (Op.PLACE, Op.REMOVE, Op.RELOCATE)
    if verb == Verb.OWN or (frame.stage != Stage.ASKS and frame.stage != Stage.PUTS):
        choose_own(rules, state, action)
    elif op == Op.COMMAND:
        carry_out_command(rules, state, frame.chooser, action, True)
        granted_command_over(rules, state)
        frame.stage = Stage.ENDS
    elif op == Op.CHOOSE:
        take_branch(rules, state, what)
    elif not shared:
        choose_own(rules, state, action)
    elif verb == Verb.FINISH:
        end_of_cubes(rules, state)
    else:
        move_cubes(rules, state, verb, what, n)


@template(types.void, RULES, STATE)
def ask(rules: Rules, state: State) -> None:
    """Set the question of the effect in progress and the side that answers it."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame.effect].op
    stage = frame.stage
    state.mover = frame.chooser
    if stage == Stage.PUTS:
        state.node = EventNode.PUT_CUBES
    elif stage != Stage.ASKS:
        ask_own(rules, state)
    elif op == Op.PLACE:
        state.node = EventNode.PLACE
    elif op == Op.REMOVE:
        state.node = EventNode.REMOVE
    elif op == Op.RELOCATE:
        state.node = EventNode.TAKE_CUBES
    elif op == Op.COMMAND:
        state.node = EventNode.COMMAND
    elif op == Op.CHOOSE:
        state.node = EventNode.CHOOSE
    else:
        ask_own(rules, state)
