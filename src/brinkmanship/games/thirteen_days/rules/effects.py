"""Events of 13 Days: the hooks of `games.cuban.hooks`, and the effects that only this game has.

DEFCON markers move with cubes if the card has the icon (R14, R15), and by shifts; further effects are Prestige,
modifiers, bans, cards exchanged and taken. The rest of an event is the interpreter shared by both Cuban games:
`start_event`, `run_event` and the others of `__all__`, compiled here for the records of 13 Days.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import Records, implements, instantiate, internal
from brinkmanship.games.cuban import hooks
from brinkmanship.games.cuban.choices import carry_out_command, choose_in_effect, command_legal, effect_legal
from brinkmanship.games.cuban.data import MAX_STEPS
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, Legal, Mode, Stage
from brinkmanship.games.cuban.hooks import Verb
from brinkmanship.games.cuban.interpreter import run_event, start_event
from brinkmanship.games.cuban.tables import Amount, Direction, If, Op, Pick, Stop
from brinkmanship.games.thirteen_days.rules.action_numbers import (
    N_SHIFTS,
    Action,
    place_action,
    remove_action,
    shift_action,
)
from brinkmanship.games.thirteen_days.rules.board import (
    command_value,
    couple,
    gain_prestige,
    leader,
    may_not_deflate,
    move_marker,
    room,
    supply,
)
from brinkmanship.games.thirteen_days.rules.data import MAX_CUBES_PER_BATTLEGROUND
from brinkmanship.games.thirteen_days.rules.state import DTYPE, N_TRACKS, STATE, CardIs, Node, State
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules

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
        return (
            Verb.PUT,
            (action - Action.PLACE) // MAX_CUBES_PER_BATTLEGROUND,
            (action - Action.PLACE) % MAX_CUBES_PER_BATTLEGROUND + 1,
        )
    if Action.REMOVE <= action < Action.SHIFT:
        cubes = (action - Action.REMOVE) % MAX_CUBES_PER_BATTLEGROUND + 1
        return Verb.TAKE_OFF, (action - Action.REMOVE) // MAX_CUBES_PER_BATTLEGROUND, cubes
    if Action.CHOOSE <= action < Action.DISCARD_CARD:
        return Verb.PICK_BRANCH, action - Action.CHOOSE, 0
    return (Verb.FINISH if action == Action.DONE else Verb.OWN), 0, 0


# The board.


@implements(hooks.supply, RECORDS)
def supply_of(rules: Rules, state: State, side: int) -> int:
    """Implement `hooks.supply`."""
    return supply(rules, state, side)


@implements(hooks.room, RECORDS)
def room_on(rules: Rules, state: State, side: int, place: int) -> int:
    """Implement `hooks.room`."""
    return room(rules, state, side, place)


@implements(hooks.open_places, RECORDS)
def open_places(rules: Rules, state: State) -> int:
    """Implement `hooks.open_places`: battlegrounds do not move, so all places of the effect are open."""
    return rules.effects[state.stack[state.depth - 1].effect].where


@implements(hooks.other_party, RECORDS)
def television_leader(rules: Rules, state: State) -> int:
    """Implement `hooks.other_party`: the party tv_leader."""
    return leader(state, rules.bonus_place.defcon)


@implements(hooks.own_condition, RECORDS)
def own_condition(rules: Rules, state: State, kind: int, a: int, b: int, c: int) -> bool:
    """Implement `hooks.own_condition`: leaders and markers."""
    if kind == If.LEADER:
        return leader(state, a) != NOBODY
    if kind == If.IN_AREA:
        return rules.area[state.defcon[a, b]] == c
    return state.defcon[a, c] > state.defcon[b, c]


# Cubes move markers.


@implements(hooks.cubes_moved_by_event, RECORDS)
def couple_by_icon(rules: Rules, state: State, place: int, cubes: int) -> None:
    """Move the owner's marker with cubes moved by an event with the DEFCON icon (R14, R15), unless banned (R32)."""
    frame = state.stack[state.depth - 1]
    if rules.cards[frame.card].icon == 0:
        return
    if cubes > 0 or not may_not_deflate(rules, state, frame.owner):
        couple(rules, state, frame.owner, place, cubes)


@implements(hooks.cubes_moved_by_command, RECORDS)
def couple_by_command(rules: Rules, state: State, side: int, place: int, cubes: int, in_event: bool) -> None:
    """Move the marker, as a Command always does (section 2.3); the ban applies to one that an event grants (R32)."""
    if cubes > 0 or not (in_event and may_not_deflate(rules, state, side)):
        couple(rules, state, side, place, cubes)


@implements(hooks.cubes_done, RECORDS)
def cubes_done(rules: Rules, state: State) -> None:
    """Implement `hooks.cubes_done`: nothing more to do."""


# Commands granted by events.


@implements(hooks.may_command_nothing, RECORDS)
def may_command_nothing(rules: Rules, state: State, ways: int) -> bool:  # noqa: ARG001 - the hook's signature
    """Implement `hooks.may_command_nothing` (R9)."""
    return True


@implements(hooks.value_of_granted_command, RECORDS)
def value_of_granted_command(rules: Rules, state: State, side: int, n: int) -> int:
    """Implement `hooks.value_of_granted_command`: modifiers count (R28)."""
    if rules.options.modifiers_on_event_command:
        return command_value(rules, state, side, n, 0)
    return n


@implements(hooks.granted_command_over, RECORDS)
def granted_command_over(rules: Rules, state: State) -> None:  # noqa: ARG001 - the hook's signature
    """Pass the letter if it was added to the Command of one's own event (R24)."""
    frame = state.stack[state.depth - 1]
    if frame.letter == 1 and frame.mode == Mode.EVENT:
        frame.letter = 0
        state.letter = 1 - frame.chooser


@internal(types.boolean, RULES, STATE)
def may_add_letter(rules: Rules, state: State) -> bool:
    """Return True if the letter may be added to a Command granted by one's own event (option of R24)."""
    frame = state.stack[state.depth - 1]
    side = frame.chooser
    return (
        rules.options.letter_on_event_command == 1
        and frame.mode == Mode.EVENT
        and frame.player == side
        and frame.letter == 0
        and state.letter == side
    )


@internal(types.void, RULES, STATE)
def add_letter(rules: Rules, state: State) -> None:
    """Add the Personal Letter to a Command granted by one's own event (option of R24)."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    frame.letter = 1
    if rules.options.modifiers_on_event_command:
        frame.left = command_value(rules, state, frame.chooser, effect.most, 1)
    else:
        frame.left = effect.most + rules.limits.letter_bonus


# DEFCON markers.


@internal(types.void, RULES, STATE)
def place_until(rules: Rules, state: State) -> None:
    """Add cubes one by one until a reason to stop holds (Suez-Hungary, R39); no icon, no choice."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    owner = frame.owner
    place = 0
    while (effect.where >> place) & 1 == 0:
        place += 1
    added = 0
    while room(rules, state, owner, place) > 0 and supply(rules, state, owner) > 0:
        if effect.stops & Stop.LEADS_BY_1 and state.influence[owner, place] > state.influence[1 - owner, place]:
            break
        state.influence[owner, place] += 1
        added += 1
    couple_by_icon(rules, state, place, added)


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def allowed_steps(rules: Rules, state: State, track: int, steps: int) -> int:
    """Return the steps a shift by signed steps actually moves: cut at the track's ends (R12) and by a ban (R32)."""
    frame = state.stack[state.depth - 1]
    owner = frame.owner
    if steps < 0 and may_not_deflate(rules, state, owner):
        return 0
    before = state.defcon[owner, track]
    moved = move_marker(rules, state, owner, track, steps)
    state.defcon[owner, track] = before
    return moved


@internal(types.int64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, LEGAL, types.int64)
def write_shifts(rules: Rules, state: State, track: int, sign: int, least: int, most: int, out: Legal, n: int) -> int:
    """Append the shifts of one marker in one direction, each number of steps that it can actually move once."""
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
    """Write the shifts with different results (R18), and DONE where less is allowed or nothing can move."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    if effect.amount == Amount.AS_MOVED:
        least = frame.left
        most = frame.left
    else:
        least = max(effect.least, 1)
        most = min(effect.most, MAX_STEPS)
    n = 0
    for track in range(N_TRACKS):
        if (frame.qualified & ~frame.touched) >> track & 1:
            if effect.direction & Direction.UP:
                n = write_shifts(rules, state, track, 1, least, most, out, n)
            if effect.direction & Direction.DOWN:
                n = write_shifts(rules, state, track, -1, least, most, out, n)
    if n == 0 or effect.optional or (effect.least == 0 and effect.amount == Amount.FREELY) or frame.count > 0:
        out[n] = Action.DONE
        n += 1
    return n


@internal(types.void, RULES, STATE)
def start_shift(rules: Rules, state: State) -> None:
    """Determine the tracks that a shift may pick, and the number of steps."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    owner = frame.owner
    if effect.amount == Amount.AS_MOVED:
        frame.left = frame.moved
    frame.moved = 0
    if effect.pick == Pick.ALL:
        for track in range(N_TRACKS):
            if (effect.where >> track) & 1:
                steps = effect.most if effect.direction == Direction.UP else -effect.most
                frame.moved += abs(move_marker(rules, state, owner, track, allowed_steps(rules, state, track, steps)))
        return
    if frame.left == 0:
        return
    if effect.pick == Pick.HIGHEST:  # R37
        highest = 0
        for track in range(N_TRACKS):
            if (effect.where >> track) & 1:
                highest = max(highest, state.defcon[owner, track])
        for track in range(N_TRACKS):
            if state.defcon[owner, track] != highest:
                frame.qualified &= ~(1 << track)
    frame.stage = Stage.ASKS


@internal(types.void, RULES, STATE, types.int64)
def shift(rules: Rules, state: State, action: int) -> None:
    """Move one marker; the action holds the steps it actually moves."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    track = (action - Action.SHIFT) // N_SHIFTS
    steps = (action - Action.SHIFT) % N_SHIFTS - MAX_STEPS
    frame.moved += abs(move_marker(rules, state, frame.owner, track, steps))
    frame.touched |= 1 << track
    frame.count += 1
    if effect.pick != Pick.UP_TO_TWO or frame.count == 2:
        frame.stage = Stage.ENDS


# Cards.


@internal(types.void, STATE, types.int64)
def exchange(state: State, action: int) -> None:
    """Discard one more card, or draw as many as were discarded (Summit Meeting, R36)."""
    frame = state.stack[state.depth - 1]
    side = frame.chooser
    if action != Action.DONE:
        state.card[action - Action.DISCARD_CARD] = CardIs.DISCARDED
        state.hand[side] -= 1
        state.discard += 1
        frame.count += 1
        frame.left -= 1
    if action == Action.DONE or frame.left == 0:
        frame.left = frame.count
        frame.stage = Stage.DRAWS if frame.count > 0 else Stage.ENDS


# All of them.


@implements(hooks.start_own_effect, RECORDS)
def start_own_effect(rules: Rules, state: State) -> None:
    """Implement `hooks.start_own_effect`."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    owner = frame.owner
    op = effect.op
    if op == Op.PRESTIGE:
        gain_prestige(rules, state, owner, effect.most)
    elif op == Op.MODIFIER:
        state.modifier[owner] += effect.most
        state.least[owner] = max(state.least[owner], effect.least)
    elif op == Op.BAN:
        state.ban[owner] = 1
    elif op == Op.PLACE_UNTIL:
        place_until(rules, state)
    elif op == Op.SHIFT:
        start_shift(rules, state)
    elif op == Op.EXCHANGE:
        frame.left = state.hand[frame.chooser]
        frame.stage = Stage.ASKS
    elif op == Op.TAKE and state.hand[owner] > 0:
        frame.stage = Stage.TAKES


@implements(hooks.ask_own, RECORDS)
def ask_own(rules: Rules, state: State) -> None:
    """Implement `hooks.ask_own`."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame.effect].op
    stage = frame.stage
    if stage == Stage.DRAWS:
        state.node = Node.DRAW_CARD
        state.drawer = frame.chooser if op == Op.EXCHANGE else frame.owner
        state.mover = CHANCE
    elif stage == Stage.TAKES:
        state.node = Node.RANDOM_CARD
        state.mover = CHANCE
    elif stage == Stage.HAS_TAKEN:
        state.node = Node.TAKEN_CARD
    elif op == Op.SHIFT:
        state.node = Node.SHIFT
    else:
        state.node = Node.EXCHANGE


@implements(hooks.own_legal, RECORDS)
def own_legal(rules: Rules, state: State, out: Legal, n: int) -> int:
    """Implement `hooks.own_legal`."""
    frame = state.stack[state.depth - 1]
    if state.node == Node.COMMAND:
        if may_add_letter(rules, state):
            out[n] = Action.LETTER_ADDED
            n += 1
        return n
    if state.node == Node.SHIFT:
        return shift_legal(rules, state, out)
    for card in range(rules.limits.cards):
        if state.card[card] == CardIs.IN_HAND + frame.chooser:
            out[n] = Action.DISCARD_CARD + card
            n += 1
    out[n] = Action.DONE
    return n + 1


@implements(hooks.choose_own, RECORDS)
def choose_own(rules: Rules, state: State, action: int) -> None:
    """Implement `hooks.choose_own`."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame.effect].op
    if op == Op.COMMAND:
        add_letter(rules, state)
    elif op == Op.EXCHANGE:
        exchange(state, action)
    elif action == Action.DONE:
        frame.stage = Stage.ENDS
    else:
        shift(rules, state, action)


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
