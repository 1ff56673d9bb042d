"""What events do in 13 Minutes: the hooks of `games.events.coupling`, and the effects that only this game has.

Where 13 Days moves DEFCON markers, here the battleground moves: toward who places, away from who removes (Q17 to Q24),
one step for each battleground and effect. As each moves on its own, it does so at once (Q19). The rest of an event is
the interpreter that both Cuban games share: `start_event`, `run_event` and the others of `__all__`, compiled here for
the records of 13 Minutes.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import Records, implements, instantiate, internal
from brinkmanship.games.events import coupling
from brinkmanship.games.events.choices import carry_out_command, choose_in_effect, command_legal, effect_legal
from brinkmanship.games.events.coupling import FINISH, OWN, PICK_BRANCH, PUT, TAKE_OFF
from brinkmanship.games.events.frame import (
    ASKS,
    CARD,
    CHOOSER,
    COUNT,
    EFFECT,
    ENDS,
    LEFT,
    LEGAL,
    MOVES,
    NOBODY,
    OWNER,
    QUALIFIED,
    STAGE,
    TOUCHED,
    US,
    Legal,
)
from brinkmanship.games.events.interpreter import run_event, start_event
from brinkmanship.games.events.tables import (
    AMOUNT,
    AREAS,
    AWAY,
    DIRECTION,
    IN_FULL,
    IN_NEUTRAL_AREA,
    IN_OPPONENTS_AREA,
    IN_OWN_AREA,
    MAX,
    MOVEMENT,
    MOVES_AS_CHOSEN,
    MOVES_AS_USUAL,
    OPTIONAL,
    SITES,
    TO_NEUTRAL,
    TOWARD,
    WHERE,
)
from brinkmanship.games.thirteen_minutes.actions import (
    CHOOSE,
    DONE,
    MOVE,
    PLACE,
    REMOVE,
    move_action,
    place_action,
    remove_action,
)
from brinkmanship.games.thirteen_minutes.board import on_table, pull, room, sphere_of
from brinkmanship.games.thirteen_minutes.data import CUBES_PER_SIDE
from brinkmanship.games.thirteen_minutes.state import (
    DTYPE,
    N_AREAS,
    N_MOVE,
    N_PLACES,
    NEUTRAL,
    STATE,
    US_SPHERE,
    USSR_SPHERE,
    State,
)
from brinkmanship.games.thirteen_minutes.tables import (
    ALL_PLACES,
    COMMAND_ZERO,
    FOREIGN_PUSH,
    JUST_PLAYED,
    RULES,
    Rules,
)

RECORDS = Records(RULES, STATE, DTYPE, "games/thirteen_minutes")


# Numbers of actions.


@implements(coupling.numbered, RECORDS)
def numbered(rules: Rules, state: State, verb: int, what: int, n: int) -> int:  # noqa: ARG001 - the hook's signature
    """See `coupling.numbered`."""
    if verb == PUT:
        return place_action(what, n)
    if verb == TAKE_OFF:
        return remove_action(what, n)
    if verb == PICK_BRANCH:
        return CHOOSE + int(what)
    return DONE


@implements(coupling.meaning, RECORDS)
def meaning(rules: Rules, state: State, action: int) -> tuple[int, int, int]:  # noqa: ARG001 - the hook's signature
    """See `coupling.meaning`."""
    if PLACE <= action < REMOVE:
        return PUT, (action - PLACE) // CUBES_PER_SIDE, (action - PLACE) % CUBES_PER_SIDE + 1
    if REMOVE <= action < MOVE:
        return TAKE_OFF, (action - REMOVE) // CUBES_PER_SIDE, (action - REMOVE) % CUBES_PER_SIDE + 1
    if action >= CHOOSE:
        return PICK_BRANCH, action - CHOOSE, 0
    return (FINISH if action == DONE else OWN), 0, 0


# The table.


@implements(coupling.supply, RECORDS)
def supply(rules: Rules, state: State, side: int) -> int:  # noqa: ARG001 - the hook's signature
    """See `coupling.supply`."""
    return state.supply[side]


@implements(coupling.room, RECORDS)
def room_on(rules: Rules, state: State, side: int, place: int) -> int:
    """See `coupling.room`."""
    return room(rules, state, side, place)


@implements(coupling.open_places, RECORDS)
def open_places(rules: Rules, state: State) -> int:
    """See `coupling.open_places`: those on the table now, in the areas of the effect (Q27)."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    where = effect[WHERE] & ALL_PLACES
    if effect[WHERE] >> JUST_PLAYED & 1:
        where |= 1 << frame[CARD]
    if effect[AREAS] == 0:
        return where & on_table(state)
    own = sphere_of(frame[CHOOSER])
    places = 0
    for place in range(N_PLACES):
        area = state.area[place]
        if (
            (effect[AREAS] & IN_OWN_AREA and area == own)
            or (effect[AREAS] & IN_NEUTRAL_AREA and area == NEUTRAL)
            or (effect[AREAS] & IN_OPPONENTS_AREA and area == USSR_SPHERE - own)
        ):
            places |= 1 << place
    return where & places


@implements(coupling.other_party, RECORDS)
def other_party(rules: Rules, state: State) -> int:  # noqa: ARG001 - the hook's signature
    """See `coupling.other_party`: there is none in this game."""
    return NOBODY


@implements(coupling.own_condition, RECORDS)
def own_condition(rules: Rules, state: State, kind: int, a: int, b: int, c: int) -> bool:  # noqa: ARG001
    """See `coupling.own_condition`: all conditions of this game are about cubes."""
    return False


# Cubes move battlegrounds.


@implements(coupling.cubes_moved_by_event, RECORDS)
def push_by_event(rules: Rules, state: State, place: int, cubes: int) -> None:
    """A battleground moves toward who places on it and away from who removes from it, unless the event says otherwise.

    Cubes of the other side: by option foreign_push (Q21) the same, or as if their owner had moved them, or not at all.
    """
    frame = state.stack[state.depth - 1]
    side = frame[CHOOSER]
    state.supply[frame[OWNER]] -= cubes  # Q22
    if rules.effects[frame[EFFECT], MOVEMENT] != MOVES_AS_USUAL:
        return
    if frame[OWNER] != side:
        if rules.options[FOREIGN_PUSH] == 2:
            return
        if rules.options[FOREIGN_PUSH] == 1:
            side = frame[OWNER]
    pull(state, place, side if cubes > 0 else 1 - side)


@implements(coupling.cubes_moved_by_command, RECORDS)
def push_by_command(rules: Rules, state: State, side: int, place: int, cubes: int, in_event: bool) -> None:  # noqa: ARG001
    """A Command moves its battleground one step, however many cubes (section 5.4)."""
    state.supply[side] -= cubes
    pull(state, place, side if cubes > 0 else 1 - side)


@implements(coupling.cubes_done, RECORDS)
def cubes_done(rules: Rules, state: State) -> None:
    """After cubes of movement = "choose" one battleground is to move, even if none was placed (Q24)."""
    frame = state.stack[state.depth - 1]
    if rules.effects[frame[EFFECT], MOVEMENT] == MOVES_AS_CHOSEN and frame[QUALIFIED] != 0:
        frame[STAGE] = MOVES


# Commands.


@implements(coupling.may_command_nothing, RECORDS)
def may_command_nothing(rules: Rules, state: State, ways: int) -> bool:  # noqa: ARG001 - the hook's signature
    """A Command of 0 is legal, by option only where there is no other (Q15)."""
    return rules.options[COMMAND_ZERO] == 0 or ways == 0


@implements(coupling.value_of_granted_command, RECORDS)
def value_of_granted_command(rules: Rules, state: State, side: int, n: int) -> int:  # noqa: ARG001
    """See `coupling.value_of_granted_command`: nothing changes the value of a Command here."""
    return n


@implements(coupling.granted_command_over, RECORDS)
def granted_command_over(rules: Rules, state: State) -> None:
    """See `coupling.granted_command_over`: nothing more to do."""


# Battlegrounds that move without cubes.


@internal(types.int64, types.int64, types.int64, types.int64)
def moved(area: int, way: int, owner: int) -> int:
    """The area one step on in a direction (TOWARD, AWAY, TO_NEUTRAL), as `owner` sees it."""
    if way == TO_NEUTRAL:
        return NEUTRAL
    toward_us = (owner == US) == (way == TOWARD)
    return max(area - 1, US_SPHERE) if toward_us else min(area + 1, USSR_SPHERE)


@internal(types.int64, RULES, STATE, LEGAL)
def write_moves(rules: Rules, state: State, out: Legal) -> int:
    """Write where the battlegrounds of a `move` may go, each area once; staying is no move (Q25)."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    n = 0
    for place in range(N_PLACES):
        if (frame[QUALIFIED] & ~frame[TOUCHED]) >> place & 1 == 0:
            continue
        for way in (TOWARD, AWAY, TO_NEUTRAL):
            if effect[DIRECTION] & way == 0:
                continue
            area = state.area[place]
            for step in range(1, effect[MAX] + 1):
                further = moved(area, way, frame[OWNER])
                if further == area:
                    break
                area = further
                if effect[AMOUNT] != IN_FULL or step == effect[MAX] or moved(area, way, frame[OWNER]) == area:
                    out[n] = move_action(place, area)
                    n += 1
    return n


@internal(types.int64, RULES, STATE, LEGAL)
def write_chosen_moves(rules: Rules, state: State, out: Legal) -> int:  # noqa: ARG001 - as all that write
    """Write the moves of movement = "choose": the battleground that gained cubes, else any; one step either way (Q24).

    Toward the end at which it lies means that it stays: that is DONE.
    """
    frame = state.stack[state.depth - 1]
    candidates = frame[TOUCHED] if frame[TOUCHED] != 0 else frame[QUALIFIED]
    n = 0
    may_stay = False
    for place in range(N_PLACES):
        if candidates >> place & 1 == 0:
            continue
        area = state.area[place]
        if area != NEUTRAL:
            may_stay = True
        if area > US_SPHERE:
            out[n] = move_action(place, area - 1)
            n += 1
        if area < USSR_SPHERE:
            out[n] = move_action(place, area + 1)
            n += 1
    if may_stay:
        out[n] = DONE
        n += 1
    return n


@internal(types.boolean, RULES, STATE)
def something_moves(rules: Rules, state: State) -> bool:
    """Whether the `move` in progress has a battleground left that it can move."""
    frame = state.stack[state.depth - 1]
    ways = rules.effects[frame[EFFECT], DIRECTION]
    own = sphere_of(frame[OWNER])
    free = frame[QUALIFIED] & ~frame[TOUCHED]
    place = 0
    while free:
        if free & 1:
            area = state.area[place]
            if (
                (ways & TOWARD and area != own)
                or (ways & AWAY and area != USSR_SPHERE - own)
                or (ways & TO_NEUTRAL and area != NEUTRAL)
            ):
                return True
        free >>= 1
        place += 1
    return False


@internal(types.void, RULES, STATE, types.int64)
def move(rules: Rules, state: State, action: int) -> None:
    """A battleground goes to another area; the effect ends when no other one can."""
    frame = state.stack[state.depth - 1]
    place = (action - MOVE) // N_AREAS
    state.area[place] = (action - MOVE) % N_AREAS
    frame[TOUCHED] |= 1 << place
    frame[COUNT] += 1
    frame[LEFT] -= 1
    if frame[STAGE] == MOVES or frame[LEFT] == 0 or not something_moves(rules, state):
        frame[STAGE] = ENDS


@internal(types.int64, RULES, STATE)
def forced_move(rules: Rules, state: State) -> int:
    """The one way to carry out a `move` that must be done in full, or NOBODY if there are several (Q29)."""
    frame = state.stack[state.depth - 1]
    only = NOBODY
    ways = 0
    for place in range(N_PLACES):
        if (frame[QUALIFIED] & ~frame[TOUCHED]) >> place & 1 == 0:
            continue
        for way in (TOWARD, AWAY, TO_NEUTRAL):
            if rules.effects[frame[EFFECT], DIRECTION] & way == 0:
                continue
            area = state.area[place]
            for _ in range(rules.effects[frame[EFFECT], MAX]):
                area = moved(area, way, frame[OWNER])
            if area != state.area[place]:
                only = move_action(place, area)
                ways += 1
    return only if ways == 1 else NOBODY


# The hooks of what only this game has.


@implements(coupling.start_own_effect, RECORDS)
def start_own_effect(rules: Rules, state: State) -> None:
    """See `coupling.start_own_effect`: a `move`."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    frame[LEFT] = effect[SITES]
    frame[STAGE] = ASKS
    if effect[AMOUNT] != IN_FULL or effect[OPTIONAL]:
        return
    if not something_moves(rules, state):
        frame[STAGE] = ENDS
    while frame[STAGE] == ASKS:
        only = forced_move(rules, state)
        if only == NOBODY:
            return
        move(rules, state, only)


@implements(coupling.ask_own, RECORDS)
def ask_own(rules: Rules, state: State) -> None:  # noqa: ARG001 - the hook's signature
    """See `coupling.ask_own`."""
    state.node = N_MOVE


@implements(coupling.own_legal, RECORDS)
def own_legal(rules: Rules, state: State, out: Legal, n: int) -> int:
    """See `coupling.own_legal`."""
    if state.node != N_MOVE:
        return n
    frame = state.stack[state.depth - 1]
    if frame[STAGE] == MOVES:
        return write_chosen_moves(rules, state, out)
    effect = rules.effects[frame[EFFECT]]
    n = write_moves(rules, state, out)
    if n == 0 or effect[AMOUNT] != IN_FULL or (effect[OPTIONAL] and frame[COUNT] == 0):
        out[n] = DONE
        n += 1
    return n


@implements(coupling.choose_own, RECORDS)
def choose_own(rules: Rules, state: State, action: int) -> None:
    """See `coupling.choose_own`."""
    frame = state.stack[state.depth - 1]
    if action == DONE:
        frame[STAGE] = ENDS
    else:
        move(rules, state, action)


instantiate(RECORDS)

__all__ = [
    "RECORDS",
    "carry_out_command",
    "choose_in_effect",
    "command_legal",
    "effect_legal",
    "run_event",
    "start_event",
]
