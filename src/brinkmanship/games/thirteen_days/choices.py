"""Choices within an event: what an effect in progress lets its chooser do, and what a choice does.

The event in progress is described by the top frame of the state's stack. A compiled function must stand below those
it calls, so this file, like every file of rules, reads from its end upwards: `effect_legal` and `choose_in_effect`
are what the others serve.
"""

from __future__ import annotations

from typing import Any

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.engine.game import CHANCE
from brinkmanship.games.thirteen_days.actions import (
    CHOOSE,
    DISCARD_CARD,
    DONE,
    LETTER_ADDED,
    N_SHIFTS,
    PLACE,
    REMOVE,
    SHIFT,
    place_action,
    remove_action,
    shift_action,
)
from brinkmanship.games.thirteen_days.board import (
    command_value,
    couple,
    leader,
    may_not_deflate,
    move_marker,
    room,
    supply,
)
from brinkmanship.games.thirteen_days.data import MAX_CUBES_PER_BATTLEGROUND, MAX_STEPS
from brinkmanship.games.thirteen_days.state import (
    AS_EVENT,
    CARD,
    CHOOSER,
    COUNT,
    DISCARDED,
    EFFECT,
    IN_HAND,
    LEFT,
    LETTER,
    MODE,
    MOVED,
    N_CHOOSE,
    N_COMMAND,
    N_DRAW_CARD,
    N_EXCHANGE,
    N_PLACE,
    N_PLACES,
    N_PUT_CUBES,
    N_RANDOM_CARD,
    N_REMOVE,
    N_SHIFT,
    N_TAKE_CUBES,
    N_TAKEN_CARD,
    N_TRACKS,
    NOBODY,
    OWNER,
    PLAYER,
    QUALIFIED,
    STAGE,
    STATE,
    TOUCHED,
    State,
)
from brinkmanship.games.thirteen_days.tables import (
    AMOUNT,
    AS_MOVED,
    BRANCHES,
    C_ICON,
    DIRECTION,
    EACH,
    FREELY,
    GOES_DOWN,
    GOES_UP,
    HALF_UP,
    IF_CUBES,
    IF_IN_AREA,
    IF_LEADER,
    LETTER_BONUS,
    LETTER_ON_EVENT,
    MAX,
    MIN,
    MODIFIERS_ON_EVENT,
    N_BRANCHES,
    N_CARDS,
    OP,
    OP_CHOOSE,
    OP_COMMAND,
    OP_EXCHANGE,
    OP_PLACE,
    OP_RELOCATE,
    OP_REMOVE,
    OP_SHIFT,
    OPTIONAL,
    PICK,
    PLACE_ONLY,
    RULES,
    SITES,
    UP_TO_TWO,
    WHERE,
    Rules,
)

FRAME_TYPE = types.Array(types.int16, 1, "C")
LEGAL = types.Array(types.int16, 1, "C")
PAIR: Any = types.Tuple((types.int64, types.int64))
Frame = Any
"""A row of the stack, int16[FRAME]."""
Legal = Any
"""Where legal actions are written, int16[MAX_LEGAL]."""

ALL_PLACES = (1 << N_PLACES) - 1

# Stages of an effect.
STARTS = 0
ASKS = 1
PUTS = 2  # relocate: the cubes taken are put down
DRAWS = 3  # cards come from the deck
TAKES = 4  # a random card is about to be taken
HAS_TAKEN = 5  # the taken card is to be played or discarded
PLAYS_TAKEN = 6  # it lies on the stack above this frame
ENDS = 7


@internal(types.boolean, RULES, STATE, types.int64)
def holds(rules: Rules, state: State, condition: int) -> bool:
    """Whether a condition is true now; NOBODY is the condition that always is."""
    if condition == NOBODY:
        return True
    kind = rules.conditions[condition, 0]
    a = rules.conditions[condition, 1]
    b = rules.conditions[condition, 2]
    c = rules.conditions[condition, 3]
    if kind == IF_LEADER:
        return leader(state, a) != NOBODY
    if kind == IF_IN_AREA:
        return rules.area[state.defcon[a, b]] == c
    if kind == IF_CUBES:
        return state.influence[a, b] >= c
    return state.defcon[a, c] > state.defcon[b, c]


@internal(types.boolean, RULES, STATE, types.int64)
def branch_available(rules: Rules, state: State, branch: int) -> bool:
    """Whether what a branch requires is true now."""
    frame = state.stack[state.depth - 1]
    return holds(rules, state, rules.branches[rules.effects[frame[EFFECT], BRANCHES] + branch, 1])


@internal(types.int64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, LEGAL)
def command_legal(rules: Rules, state: State, side: int, value: int, where: int, place_only: int, out: Legal) -> int:
    """Write the ways to carry out a Command of `value` cubes (section 2.3) to `out`; nothing at all is one (R9)."""
    n = 0
    available = supply(rules, state, side)
    for place in range(N_PLACES):
        if (where >> place) & 1 == 0:
            continue
        for cubes in range(1, min(value, available, room(rules, state, side, place)) + 1):
            out[n] = place_action(place, cubes)
            n += 1
        if place_only == 0:
            for cubes in range(1, min(value, state.influence[side, place]) + 1):
                out[n] = remove_action(place, cubes)
                n += 1
    out[n] = DONE
    return n + 1


@internal(types.boolean, RULES, STATE)
def may_add_letter(rules: Rules, state: State) -> bool:
    """Whether the letter may be added to a Command granted by one's own event (option of R24)."""
    frame = state.stack[state.depth - 1]
    side = frame[CHOOSER]
    return (
        rules.options[LETTER_ON_EVENT] == 1
        and frame[MODE] == AS_EVENT
        and frame[PLAYER] == side
        and frame[LETTER] == 0
        and state.letter == side
    )


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def allowed_steps(rules: Rules, state: State, track: int, steps: int) -> int:
    """What a shift of so many signed steps would really do: cut at the ends of the track (R12) and by a ban (R32)."""
    frame = state.stack[state.depth - 1]
    owner = frame[OWNER]
    if steps < 0 and may_not_deflate(rules, state, owner):
        return 0
    before = state.defcon[owner, track]
    moved = move_marker(rules, state, owner, track, steps)
    state.defcon[owner, track] = before
    return moved


@internal(types.int64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, LEGAL, types.int64)
def write_shifts(rules: Rules, state: State, track: int, sign: int, least: int, most: int, out: Legal, n: int) -> int:
    """Append the shifts of one marker in one direction, each number of steps that it can really move once."""
    before = 0
    for steps in range(least, most + 1):
        moved = allowed_steps(rules, state, track, sign * steps)
        if moved != before:
            out[n] = shift_action(track, moved)
            n += 1
            before = moved
    return n


@internal(types.int64, RULES, STATE, LEGAL)
def shift_legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the shifts that differ in what they do (R18), and DONE where less is allowed or nothing can move."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    if effect[AMOUNT] == AS_MOVED:
        least = frame[LEFT]
        most = frame[LEFT]
    else:
        least = max(effect[MIN], 1)
        most = min(effect[MAX], MAX_STEPS)
    n = 0
    for track in range(N_TRACKS):
        if (frame[QUALIFIED] & ~frame[TOUCHED]) >> track & 1:
            if effect[DIRECTION] & GOES_UP:
                n = write_shifts(rules, state, track, 1, least, most, out, n)
            if effect[DIRECTION] & GOES_DOWN:
                n = write_shifts(rules, state, track, -1, least, most, out, n)
    if n == 0 or effect[OPTIONAL] or (effect[MIN] == 0 and effect[AMOUNT] == FREELY) or frame[COUNT] > 0:
        out[n] = DONE
        n += 1
    return n


@internal(types.int64, RULES, STATE, types.int64)
def room_elsewhere(rules: Rules, state: State, place: int) -> int:
    """Cubes of the owner that fit on the battlegrounds a relocation may still use, except `place`."""
    frame = state.stack[state.depth - 1]
    cubes = 0
    for other in range(N_PLACES):
        if other != place and (frame[QUALIFIED] & ~frame[TOUCHED]) >> other & 1:
            cubes += room(rules, state, frame[OWNER], other)
    return cubes


@internal(types.int64, types.int64, types.int64)
def sites_left(sites: int, touched: int) -> int:
    """Battlegrounds the removal may still touch."""
    while touched:
        sites -= touched & 1
        touched >>= 1
    return max(sites, 0)


@internal(types.int64, RULES, STATE, types.int64)
def most_possible(rules: Rules, state: State, except_place: int) -> int:
    """Most cubes the effect could still move without using `except_place` (NOBODY: using all).

    With an `except_place` given, one battleground fewer may be touched, and the supply is not shared with it: this
    is a bound used only where `min` is set, and exact for a single group of battlegrounds.
    """
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    owner = frame[OWNER]
    free = frame[QUALIFIED] & ~frame[TOUCHED]
    if except_place != NOBODY:
        free &= ~(1 << except_place)
    sites = N_PLACES
    if effect[OP] == OP_REMOVE:
        sites = sites_left(effect[SITES], frame[TOUCHED])
        if except_place != NOBODY:
            sites -= 1
    total = 0
    while sites > 0 and free:
        best = -1
        best_place = 0
        for place in range(N_PLACES):
            if (free >> place) & 1:
                if effect[OP] == OP_PLACE:
                    cubes = min(effect[EACH], room(rules, state, owner, place))
                else:
                    cubes = state.influence[owner, place]
                if cubes > best:
                    best = cubes
                    best_place = place
        free &= ~(1 << best_place)
        total += best
        sites -= 1
    if effect[OP] == OP_PLACE:
        total = min(total, supply(rules, state, owner))
    return min(total, frame[LEFT])


@internal(PAIR, RULES, STATE, types.int64)
def cubes_allowed(rules: Rules, state: State, place: int) -> tuple[int, int]:
    """Fewest (at least 1) and most cubes the effect may place on or remove from one battleground; (1, 0) for none."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    owner = frame[OWNER]
    if (frame[QUALIFIED] & ~frame[TOUCHED]) >> place & 1 == 0:
        return 1, 0
    if frame[STAGE] == PUTS:
        most = min(frame[LEFT], room(rules, state, owner, place))
        # All cubes taken must find a place (R41).
        return max(1, frame[LEFT] - room_elsewhere(rules, state, place)), most
    if effect[OP] == OP_RELOCATE:
        cubes = min(frame[LEFT], state.influence[owner, place])
        return 1, min(cubes, room_elsewhere(rules, state, place) - frame[COUNT])
    if effect[OP] == OP_PLACE:
        most = min(frame[LEFT], effect[EACH], room(rules, state, owner, place), supply(rules, state, owner))
    else:
        most = state.influence[owner, place]
        if effect[AMOUNT] == HALF_UP:  # R40
            half = (most + 1) // 2
            return (half, half) if half > 0 and frame[LEFT] > 0 else (1, 0)
        most = min(most, frame[LEFT])
        if sites_left(effect[SITES], frame[TOUCHED]) == 0:
            return 1, 0
    if effect[MIN] == 0:
        return 1, most
    # What must be done in full may not be made impossible by starting small (R19).
    short = min(effect[MIN], frame[COUNT] + most_possible(rules, state, NOBODY)) - frame[COUNT]
    return max(1, short - most_possible(rules, state, place)), most


@internal(types.boolean, RULES, STATE)
def may_stop(rules: Rules, state: State) -> bool:
    """Whether the placing, removing or relocating in progress may end here."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    if frame[STAGE] == PUTS:
        return False
    if effect[OP] == OP_RELOCATE:
        return True
    if effect[AMOUNT] == HALF_UP:
        empty = 0
        occupied = 0
        for place in range(N_PLACES):
            if (frame[QUALIFIED] & ~frame[TOUCHED]) >> place & 1:
                if state.influence[frame[OWNER], place] == 0:
                    empty += 1
                else:
                    occupied += 1
        return empty >= frame[LEFT] or occupied == 0
    return frame[COUNT] >= effect[MIN] or most_possible(rules, state, NOBODY) == 0


@internal(types.int64, RULES, STATE, LEGAL)
def effect_legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the legal choices of the effect in progress to `out`; returns how many."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    node = state.node
    if node == N_COMMAND:
        n = command_legal(rules, state, frame[CHOOSER], frame[LEFT], effect[WHERE], effect[PLACE_ONLY], out)
        if may_add_letter(rules, state):
            out[n] = LETTER_ADDED
            n += 1
        return n
    if node == N_SHIFT:
        return shift_legal(rules, state, out)
    if node == N_CHOOSE:
        n = 0
        for branch in range(effect[N_BRANCHES]):
            if branch_available(rules, state, branch):
                out[n] = CHOOSE + branch
                n += 1
        return n
    if node == N_EXCHANGE:
        n = 0
        for card in range(rules.limits[N_CARDS]):
            if state.card[card] == IN_HAND + frame[CHOOSER]:
                out[n] = DISCARD_CARD + card
                n += 1
        out[n] = DONE
        return n + 1
    n = 0
    for place in range(N_PLACES):
        least, most = cubes_allowed(rules, state, place)
        for cubes in range(least, most + 1):
            if node in (N_PLACE, N_PUT_CUBES):
                out[n] = place_action(place, cubes)
            else:
                out[n] = remove_action(place, cubes)
            n += 1
    if may_stop(rules, state):
        out[n] = DONE
        n += 1
    return n


@internal(types.void, RULES, STATE, types.int64)
def take_branch(rules: Rules, state: State, branch: int) -> None:
    """Go on with the effects of a branch; its last one leads back to what follows the choice."""
    frame = state.stack[state.depth - 1]
    frame[EFFECT] = rules.branches[rules.effects[frame[EFFECT], BRANCHES] + branch, 0]
    frame[STAGE] = STARTS


@internal(types.void, RULES, STATE, types.int64, types.int64, types.boolean)
def carry_out_command(rules: Rules, state: State, side: int, action: int, banned: bool) -> None:
    """Place or remove the cubes of a Command and move the marker; nothing for DONE (section 2.3)."""
    if action == DONE:
        return
    if action < REMOVE:
        place = (action - PLACE) // MAX_CUBES_PER_BATTLEGROUND
        cubes = (action - PLACE) % MAX_CUBES_PER_BATTLEGROUND + 1
    else:
        place = (action - REMOVE) // MAX_CUBES_PER_BATTLEGROUND
        cubes = -((action - REMOVE) % MAX_CUBES_PER_BATTLEGROUND + 1)
    state.influence[side, place] += cubes
    if cubes > 0 or not banned:
        couple(rules, state, side, place, cubes)


@internal(types.void, RULES, STATE, types.int64)
def command_in_effect(rules: Rules, state: State, action: int) -> None:
    """A Command granted by an event (R28)."""
    frame = state.stack[state.depth - 1]
    side = frame[CHOOSER]
    if action == LETTER_ADDED:
        effect = rules.effects[frame[EFFECT]]
        frame[LETTER] = 1
        if rules.options[MODIFIERS_ON_EVENT] == 0:
            frame[LEFT] = command_value(rules, state, side, effect[MAX], 1)
        else:
            frame[LEFT] = effect[MAX] + rules.limits[LETTER_BONUS]
        return
    carry_out_command(rules, state, side, action, may_not_deflate(rules, state, side))
    if frame[LETTER] == 1 and frame[MODE] == AS_EVENT:  # R24
        frame[LETTER] = 0
        state.letter = 1 - side
    frame[STAGE] = ENDS


@internal(types.void, STATE, types.int64)
def exchange(state: State, action: int) -> None:
    """Summit Meeting: discard one more card, or draw as many as were discarded (R36)."""
    frame = state.stack[state.depth - 1]
    side = frame[CHOOSER]
    if action != DONE:
        state.card[action - DISCARD_CARD] = DISCARDED
        state.hand[side] -= 1
        state.discard += 1
        frame[COUNT] += 1
        frame[LEFT] -= 1
    if action == DONE or frame[LEFT] == 0:
        frame[LEFT] = frame[COUNT]
        frame[STAGE] = DRAWS if frame[COUNT] > 0 else ENDS


@internal(types.void, RULES, STATE, types.int64)
def shift(rules: Rules, state: State, action: int) -> None:
    """Move one marker; the action holds the steps it really moves."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    track = (action - SHIFT) // N_SHIFTS
    steps = (action - SHIFT) % N_SHIFTS - MAX_STEPS
    frame[MOVED] += abs(move_marker(rules, state, frame[OWNER], track, steps))
    frame[TOUCHED] |= 1 << track
    frame[COUNT] += 1
    if effect[PICK] != UP_TO_TWO or frame[COUNT] == 2:
        frame[STAGE] = ENDS


@internal(types.boolean, RULES, STATE)
def nothing_to_move(rules: Rules, state: State) -> bool:
    """Whether no battleground is left for the effect in progress."""
    for place in range(N_PLACES):
        least, most = cubes_allowed(rules, state, place)
        if most >= least:
            return False
    return True


@internal(types.void, RULES, STATE, types.int64, types.int64)
def couple_by_icon(rules: Rules, state: State, place: int, cubes: int) -> None:
    """With the DEFCON icon, cubes moved by the event move the marker of their owner (R14, R15), unless banned (R32)."""
    frame = state.stack[state.depth - 1]
    if rules.cards[frame[CARD], C_ICON] == 0:
        return
    if cubes > 0 or not may_not_deflate(rules, state, frame[OWNER]):
        couple(rules, state, frame[OWNER], place, cubes)


@internal(types.void, RULES, STATE, types.int64)
def move_cubes(rules: Rules, state: State, action: int) -> None:
    """Place on or remove from one battleground; the effect ends when nothing is left to place or remove."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    owner = frame[OWNER]
    if action < REMOVE:
        place = (action - PLACE) // MAX_CUBES_PER_BATTLEGROUND
        cubes = (action - PLACE) % MAX_CUBES_PER_BATTLEGROUND + 1
        state.influence[owner, place] += cubes
        couple_by_icon(rules, state, place, cubes)
    else:
        place = (action - REMOVE) // MAX_CUBES_PER_BATTLEGROUND
        cubes = (action - REMOVE) % MAX_CUBES_PER_BATTLEGROUND + 1
        state.influence[owner, place] -= cubes
        couple_by_icon(rules, state, place, -cubes)
    frame[TOUCHED] |= 1 << place
    if frame[STAGE] == PUTS:
        frame[LEFT] -= cubes
        if frame[LEFT] == 0:
            frame[STAGE] = ENDS
        return
    frame[COUNT] += cubes
    frame[LEFT] -= 1 if effect[AMOUNT] == HALF_UP else cubes
    if frame[LEFT] > 0 and not nothing_to_move(rules, state):
        return
    if effect[OP] == OP_RELOCATE:
        frame[LEFT] = frame[COUNT]
        frame[STAGE] = PUTS
    else:
        frame[STAGE] = ENDS


@internal(types.void, RULES, STATE, types.int64)
def choose_in_effect(rules: Rules, state: State, action: int) -> None:
    """Carry out one legal choice of the effect in progress."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame[EFFECT], OP]
    if op == OP_COMMAND:
        command_in_effect(rules, state, action)
    elif op == OP_CHOOSE:
        take_branch(rules, state, action - CHOOSE)
    elif op == OP_EXCHANGE:
        exchange(state, action)
    elif action == DONE:
        if op == OP_RELOCATE and frame[COUNT] > 0:
            frame[LEFT] = frame[COUNT]
            frame[STAGE] = PUTS
        else:
            frame[STAGE] = ENDS
    elif op == OP_SHIFT:
        shift(rules, state, action)
    else:
        move_cubes(rules, state, action)


@internal(types.void, RULES, STATE)
def ask(rules: Rules, state: State) -> None:
    """Set what the effect in progress asks, and whom."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame[EFFECT], OP]
    stage = frame[STAGE]
    state.mover = frame[CHOOSER]
    if stage == PUTS:
        state.node = N_PUT_CUBES
    elif stage == DRAWS:
        state.node = N_DRAW_CARD
        state.drawer = frame[CHOOSER] if op == OP_EXCHANGE else frame[OWNER]
        state.mover = CHANCE
    elif stage == TAKES:
        state.node = N_RANDOM_CARD
        state.mover = CHANCE
    elif stage == HAS_TAKEN:
        state.node = N_TAKEN_CARD
    elif op == OP_PLACE:
        state.node = N_PLACE
    elif op == OP_REMOVE:
        state.node = N_REMOVE
    elif op == OP_RELOCATE:
        state.node = N_TAKE_CUBES
    elif op == OP_SHIFT:
        state.node = N_SHIFT
    elif op == OP_COMMAND:
        state.node = N_COMMAND
    elif op == OP_EXCHANGE:
        state.node = N_EXCHANGE
    else:
        state.node = N_CHOOSE
