"""Events of 13 Minutes: the hooks of `games.cuban.hooks`, and the effects that only this game has.

Where 13 Days moves DEFCON markers, here the battleground moves: toward the side that places, away from the side
that removes (Q17 to Q24), one step for each battleground and effect. As each moves on its own, it does so at once
(Q19). The rest of an event is the interpreter that both Cuban games share: `start_event`, `run_event` and the others of
`__all__`, compiled here for the records of 13 Minutes.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import Records, implements, instantiate, internal
from brinkmanship.games.cuban import hooks
from brinkmanship.games.cuban.choices import carry_out_command, choose_in_effect, command_legal, effect_legal
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, US, Legal, Stage
from brinkmanship.games.cuban.hooks import Verb
from brinkmanship.games.cuban.interpreter import run_event, start_event
from brinkmanship.games.cuban.tables import Amount, InArea, Movement, Way
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action, move_action, place_action, remove_action
from brinkmanship.games.thirteen_minutes.rules.board import on_table, pull, room, sphere_of
from brinkmanship.games.thirteen_minutes.rules.data import CUBES_PER_SIDE
from brinkmanship.games.thirteen_minutes.rules.state import DTYPE, N_AREAS, N_PLACES, STATE, Area, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import ALL_PLACES, JUST_PLAYED, RULES, ForeignPush, Rules

RECORDS = Records(RULES, STATE, DTYPE, __name__)


# Numbers of actions.


@implements(hooks.numbered, RECORDS)
def numbered(rules: Rules, state: State, verb: int, what: int, n: int) -> int:  # noqa: ARG001 - the hook's signature
    """Implement `hooks.numbered`."""
    if verb == Verb.PUT:
        return place_action(what, n)
    if verb == Verb.TAKE_OFF:
        return remove_action(what, n)
    if verb == Verb.PICK_BRANCH:
        return Action.CHOOSE + int(what)
    return Action.DONE


@implements(hooks.meaning, RECORDS)
def meaning(rules: Rules, state: State, action: int) -> tuple[int, int, int]:  # noqa: ARG001 - the hook's signature
    """Implement `hooks.meaning`."""
    if Action.PLACE <= action < Action.REMOVE:
        return Verb.PUT, (action - Action.PLACE) // CUBES_PER_SIDE, (action - Action.PLACE) % CUBES_PER_SIDE + 1
    if Action.REMOVE <= action < Action.MOVE:
        return Verb.TAKE_OFF, (action - Action.REMOVE) // CUBES_PER_SIDE, (action - Action.REMOVE) % CUBES_PER_SIDE + 1
    if action >= Action.CHOOSE:
        return Verb.PICK_BRANCH, action - Action.CHOOSE, 0
    return (Verb.FINISH if action == Action.DONE else Verb.OWN), 0, 0


# The table.


@implements(hooks.supply, RECORDS)
def supply(rules: Rules, state: State, side: int) -> int:  # noqa: ARG001 - the hook's signature
    """Implement `hooks.supply`."""
    return state.supply[side]


@implements(hooks.room, RECORDS)
def room_on(rules: Rules, state: State, side: int, place: int) -> int:
    """Implement `hooks.room`."""
    return room(rules, state, side, place)


@implements(hooks.open_places, RECORDS)
def open_places(rules: Rules, state: State) -> int:
    """Return the places on the table now, in the areas of the effect (Q27); see `hooks.open_places`."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    where = effect.where & ALL_PLACES
    if effect.where >> JUST_PLAYED & 1:
        where |= 1 << frame.card
    if effect.areas == 0:
        return where & on_table(state)
    own = sphere_of(frame.chooser)
    places = 0
    for place in range(N_PLACES):
        area = state.area[place]
        if (
            (effect.areas & InArea.OWN and area == own)
            or (effect.areas & InArea.NEUTRAL and area == Area.NEUTRAL)
            or (effect.areas & InArea.OPPONENTS and area == Area.USSR_SPHERE - own)
        ):
            places |= 1 << place
    return where & places


@implements(hooks.other_party, RECORDS)
def other_party(rules: Rules, state: State) -> int:  # noqa: ARG001 - the hook's signature
    """Return no other party, as this game has none; see `hooks.other_party`."""
    return NOBODY


@implements(hooks.own_condition, RECORDS)
def own_condition(rules: Rules, state: State, kind: int, a: int, b: int, c: int) -> bool:  # noqa: ARG001
    """Return False: all conditions of this game are about cubes; see `hooks.own_condition`."""
    return False


# Cubes move battlegrounds.


@implements(hooks.cubes_moved_by_event, RECORDS)
def push_by_event(rules: Rules, state: State, place: int, cubes: int) -> None:
    """Move a battleground toward the side that places on it and away from one that removes, unless the event differs.

    Cubes of the other side: by option foreign_push (Q21) the same, or as if their owner had moved them, or not at all.
    """
    frame = state.stack[state.depth - 1]
    side = frame.chooser
    state.supply[frame.owner] -= cubes  # Q22
    if rules.effects[frame.effect].movement != Movement.AS_USUAL:
        return
    if frame.owner != side:
        if rules.options.foreign_push == ForeignPush.NONE:
            return
        if rules.options.foreign_push == ForeignPush.OWNER:
            side = frame.owner
    pull(state, place, side if cubes > 0 else 1 - side)


@implements(hooks.cubes_moved_by_command, RECORDS)
def push_by_command(rules: Rules, state: State, side: int, place: int, cubes: int, in_event: bool) -> None:  # noqa: ARG001
    """Move the battleground of a Command one step, however many cubes (section 5.4)."""
    state.supply[side] -= cubes
    pull(state, place, side if cubes > 0 else 1 - side)


@implements(hooks.cubes_done, RECORDS)
def cubes_done(rules: Rules, state: State) -> None:
    """Ask for the battleground to move after cubes of movement = "choose", even if none was placed (Q24)."""
    frame = state.stack[state.depth - 1]
    if rules.effects[frame.effect].movement == Movement.AS_CHOSEN and frame.qualified != 0:
        frame.stage = Stage.MOVES


# Commands.


@implements(hooks.may_command_nothing, RECORDS)
def may_command_nothing(rules: Rules, state: State, ways: int) -> bool:  # noqa: ARG001 - the hook's signature
    """Return True if a Command of 0 is legal, by option only if there is no other (Q15)."""
    return rules.options.command_zero == 1 or ways == 0


@implements(hooks.value_of_granted_command, RECORDS)
def value_of_granted_command(rules: Rules, state: State, side: int, n: int) -> int:  # noqa: ARG001
    """Return the value of a granted Command, which nothing changes; see `hooks.value_of_granted_command`."""
    return n


@implements(hooks.granted_command_over, RECORDS)
def granted_command_over(rules: Rules, state: State) -> None:
    """Do nothing more after a granted Command; see `hooks.granted_command_over`."""


# Battlegrounds that move without cubes.


@internal(types.int64, types.int64, types.int64, types.int64)
def moved(area: int, way: int, owner: int) -> int:
    """Return the area one step in a direction (TOWARD, AWAY, TO_NEUTRAL), as `owner` sees it."""
    if way == Way.TO_NEUTRAL:
        return Area.NEUTRAL
    if (owner == US) == (way == Way.TOWARD):
        return area - 1 if area > Area.US_SPHERE else area
    return area + 1 if area < Area.USSR_SPHERE else area


@internal(types.int64, RULES, STATE, LEGAL)
def write_moves(rules: Rules, state: State, out: Legal) -> int:
    """Write the possible moves of a `move`'s battlegrounds, each area once; staying is not a move (Q25)."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    n = 0
    for place in range(N_PLACES):
        if (frame.qualified & ~frame.touched) >> place & 1 == 0:
            continue
        for way in (Way.TOWARD, Way.AWAY, Way.TO_NEUTRAL):
            if effect.direction & way == 0:
                continue
            area = state.area[place]
            for step in range(1, effect.most + 1):
                further = moved(area, way, frame.owner)
                if further == area:
                    break
                area = further
                if effect.amount != Amount.IN_FULL or step == effect.most or moved(area, way, frame.owner) == area:
                    out[n] = move_action(place, area)
                    n += 1
    return n


@internal(types.int64, RULES, STATE, LEGAL)
def write_chosen_moves(rules: Rules, state: State, out: Legal) -> int:  # noqa: ARG001 - as all that write
    """Write the moves of movement = "choose": the battleground that gained cubes, else any; one step either way (Q24).

    A step toward the end at which it already lies leaves it there: that is DONE.
    """
    frame = state.stack[state.depth - 1]
    candidates = frame.touched if frame.touched != 0 else frame.qualified
    n = 0
    may_stay = False
    for place in range(N_PLACES):
        if candidates >> place & 1 == 0:
            continue
        area = state.area[place]
        if area != Area.NEUTRAL:
            may_stay = True
        if area > Area.US_SPHERE:
            out[n] = move_action(place, area - 1)
            n += 1
        if area < Area.USSR_SPHERE:
            out[n] = move_action(place, area + 1)
            n += 1
    if may_stay:
        out[n] = Action.DONE
        n += 1
    return n


@internal(types.boolean, RULES, STATE)
def something_moves(rules: Rules, state: State) -> bool:
    """Return True if the `move` in progress has a battleground left that it can move."""
    frame = state.stack[state.depth - 1]
    ways = rules.effects[frame.effect].direction
    own = sphere_of(frame.owner)
    free = frame.qualified & ~frame.touched
    place = 0
    while free:
        if free & 1:
            area = state.area[place]
            if (
                (ways & Way.TOWARD and area != own)
                or (ways & Way.AWAY and area != Area.USSR_SPHERE - own)
                or (ways & Way.TO_NEUTRAL and area != Area.NEUTRAL)
            ):
                return True
        free >>= 1
        place += 1
    return False


@internal(types.void, RULES, STATE, types.int64)
def move(rules: Rules, state: State, action: int) -> None:
    """Move a battleground to another area; the effect ends when no other one can move."""
    frame = state.stack[state.depth - 1]
    place = (action - Action.MOVE) // N_AREAS
    state.area[place] = (action - Action.MOVE) % N_AREAS
    frame.touched |= 1 << place
    frame.count += 1
    frame.left -= 1
    if frame.stage == Stage.MOVES or frame.left == 0 or not something_moves(rules, state):
        frame.stage = Stage.ENDS


@internal(types.int64, RULES, STATE)
def forced_move(rules: Rules, state: State) -> int:
    """Return the one way to carry out a `move` that must be done in full, or NOBODY if there are several (Q29)."""
    frame = state.stack[state.depth - 1]
    only = NOBODY
    ways = 0
    for place in range(N_PLACES):
        if (frame.qualified & ~frame.touched) >> place & 1 == 0:
            continue
        for way in (Way.TOWARD, Way.AWAY, Way.TO_NEUTRAL):
            if rules.effects[frame.effect].direction & way == 0:
                continue
            area = state.area[place]
            for _ in range(rules.effects[frame.effect].most):
                area = moved(area, way, frame.owner)
            if area != state.area[place]:
                only = move_action(place, area)
                ways += 1
    return only if ways == 1 else NOBODY


# The hooks of effects that only this game has.


@implements(hooks.start_own_effect, RECORDS)
def start_own_effect(rules: Rules, state: State) -> None:
    """Start a `move`; see `hooks.start_own_effect`."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    frame.left = effect.sites
    frame.stage = Stage.ASKS
    if effect.amount != Amount.IN_FULL or effect.optional:
        return
    if not something_moves(rules, state):
        frame.stage = Stage.ENDS
    while frame.stage == Stage.ASKS:
        only = forced_move(rules, state)
        if only == NOBODY:
            return
        move(rules, state, only)


@implements(hooks.ask_own, RECORDS)
def ask_own(rules: Rules, state: State) -> None:  # noqa: ARG001 - the hook's signature
    """Implement `hooks.ask_own`."""
    state.node = Node.MOVE


@implements(hooks.own_legal, RECORDS)
def own_legal(rules: Rules, state: State, out: Legal, n: int) -> int:
    """Implement `hooks.own_legal`."""
    if state.node != Node.MOVE:
        return n
    frame = state.stack[state.depth - 1]
    if frame.stage == Stage.MOVES:
        return write_chosen_moves(rules, state, out)
    effect = rules.effects[frame.effect]
    n = write_moves(rules, state, out)
    if n == 0 or effect.amount != Amount.IN_FULL or (effect.optional and frame.count == 0):
        out[n] = Action.DONE
        n += 1
    return n


@implements(hooks.choose_own, RECORDS)
def choose_own(rules: Rules, state: State, action: int) -> None:
    """Implement `hooks.choose_own`."""
    frame = state.stack[state.depth - 1]
    if action == Action.DONE:
        frame.stage = Stage.ENDS
    else:
        move(rules, state, action)


instantiate(RECORDS, "brinkmanship.games.cuban")

__all__ = [
    "RECORDS",
    "carry_out_command",
    "choose_in_effect",
    "command_legal",
    "effect_legal",
    "run_event",
    "start_event",
]
