"""What events do in 13 Days: the hooks of `games.events.coupling`, and the effects that only this game has.

DEFCON markers move with cubes where the card has the icon (R14, R15), and by shifts; Prestige, modifiers, bans, cards
exchanged and taken. The rest of an event is the interpreter that both Cuban games share: `start_event`, `run_event`
and the others of `__all__`, compiled here for the records of 13 Days.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import Records, implements, instantiate, internal
from brinkmanship.engine.game import CHANCE
from brinkmanship.games.events import coupling
from brinkmanship.games.events.choices import carry_out_command, choose_in_effect, command_legal, effect_legal
from brinkmanship.games.events.coupling import FINISH, OWN, PICK_BRANCH, PUT, TAKE_OFF
from brinkmanship.games.events.data import MAX_STEPS
from brinkmanship.games.events.frame import (
    AS_EVENT,
    ASKS,
    CARD,
    CHOOSER,
    COUNT,
    DRAWS,
    EFFECT,
    ENDS,
    HAS_TAKEN,
    LEFT,
    LEGAL,
    LETTER,
    MODE,
    MOVED,
    N_COMMAND,
    NOBODY,
    OWNER,
    PLAYER,
    QUALIFIED,
    STAGE,
    TAKES,
    TOUCHED,
    Legal,
)
from brinkmanship.games.events.interpreter import run_event, start_event
from brinkmanship.games.events.tables import (
    ALL,
    AMOUNT,
    AS_MOVED,
    DIRECTION,
    FREELY,
    GOES_DOWN,
    GOES_UP,
    HIGHEST,
    IF_IN_AREA,
    IF_LEADER,
    LEADS_BY_1,
    MAX,
    MIN,
    OP,
    OP_BAN,
    OP_COMMAND,
    OP_EXCHANGE,
    OP_MODIFIER,
    OP_PLACE_UNTIL,
    OP_PRESTIGE,
    OP_SHIFT,
    OP_TAKE,
    OPTIONAL,
    PICK,
    STOPS,
    UP_TO_TWO,
    WHERE,
)
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
    gain_prestige,
    leader,
    may_not_deflate,
    move_marker,
    room,
    supply,
)
from brinkmanship.games.thirteen_days.data import MAX_CUBES_PER_BATTLEGROUND
from brinkmanship.games.thirteen_days.state import (
    DISCARDED,
    DTYPE,
    IN_HAND,
    N_DRAW_CARD,
    N_EXCHANGE,
    N_RANDOM_CARD,
    N_SHIFT,
    N_TAKEN_CARD,
    N_TRACKS,
    STATE,
    State,
)
from brinkmanship.games.thirteen_days.tables import (
    C_ICON,
    LETTER_BONUS,
    LETTER_ON_EVENT,
    MODIFIERS_ON_EVENT,
    N_CARDS,
    RULES,
    Rules,
)

RECORDS = Records(RULES, STATE, DTYPE, "games/thirteen_days")


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
        return PUT, (action - PLACE) // MAX_CUBES_PER_BATTLEGROUND, (action - PLACE) % MAX_CUBES_PER_BATTLEGROUND + 1
    if REMOVE <= action < SHIFT:
        cubes = (action - REMOVE) % MAX_CUBES_PER_BATTLEGROUND + 1
        return TAKE_OFF, (action - REMOVE) // MAX_CUBES_PER_BATTLEGROUND, cubes
    if CHOOSE <= action < DISCARD_CARD:
        return PICK_BRANCH, action - CHOOSE, 0
    return (FINISH if action == DONE else OWN), 0, 0


# The board.


@implements(coupling.supply, RECORDS)
def supply_of(rules: Rules, state: State, side: int) -> int:
    """See `coupling.supply`."""
    return supply(rules, state, side)


@implements(coupling.room, RECORDS)
def room_on(rules: Rules, state: State, side: int, place: int) -> int:
    """See `coupling.room`."""
    return room(rules, state, side, place)


@implements(coupling.open_places, RECORDS)
def open_places(rules: Rules, state: State) -> int:
    """See `coupling.open_places`: battlegrounds lie where they lie."""
    return rules.effects[state.stack[state.depth - 1, EFFECT], WHERE]


@implements(coupling.other_party, RECORDS)
def television_leader(rules: Rules, state: State) -> int:
    """See `coupling.other_party`: the party tv_leader."""
    return leader(state, rules.bonus_place[0])


@implements(coupling.own_condition, RECORDS)
def own_condition(rules: Rules, state: State, kind: int, a: int, b: int, c: int) -> bool:
    """See `coupling.own_condition`: leaders and markers."""
    if kind == IF_LEADER:
        return leader(state, a) != NOBODY
    if kind == IF_IN_AREA:
        return rules.area[state.defcon[a, b]] == c
    return state.defcon[a, c] > state.defcon[b, c]


# Cubes move markers.


@implements(coupling.cubes_moved_by_event, RECORDS)
def couple_by_icon(rules: Rules, state: State, place: int, cubes: int) -> None:
    """With the DEFCON icon, cubes moved by the event move the marker of their owner (R14, R15), unless banned (R32)."""
    frame = state.stack[state.depth - 1]
    if rules.cards[frame[CARD], C_ICON] == 0:
        return
    if cubes > 0 or not may_not_deflate(rules, state, frame[OWNER]):
        couple(rules, state, frame[OWNER], place, cubes)


@implements(coupling.cubes_moved_by_command, RECORDS)
def couple_by_command(rules: Rules, state: State, side: int, place: int, cubes: int, in_event: bool) -> None:
    """A Command always moves the marker (section 2.3); the ban holds for one that an event grants (R32)."""
    if cubes > 0 or not (in_event and may_not_deflate(rules, state, side)):
        couple(rules, state, side, place, cubes)


@implements(coupling.cubes_done, RECORDS)
def cubes_done(rules: Rules, state: State) -> None:
    """See `coupling.cubes_done`: nothing more to do."""


# Commands granted by events.


@implements(coupling.may_command_nothing, RECORDS)
def may_command_nothing(rules: Rules, state: State, ways: int) -> bool:  # noqa: ARG001 - the hook's signature
    """See `coupling.may_command_nothing` (R9)."""
    return True


@implements(coupling.value_of_granted_command, RECORDS)
def value_of_granted_command(rules: Rules, state: State, side: int, n: int) -> int:
    """See `coupling.value_of_granted_command`: modifiers count (R28)."""
    if rules.options[MODIFIERS_ON_EVENT] == 0:
        return command_value(rules, state, side, n, 0)
    return n


@implements(coupling.granted_command_over, RECORDS)
def granted_command_over(rules: Rules, state: State) -> None:  # noqa: ARG001 - the hook's signature
    """The letter passes if it was added to the Command of one's own event (R24)."""
    frame = state.stack[state.depth - 1]
    if frame[LETTER] == 1 and frame[MODE] == AS_EVENT:
        frame[LETTER] = 0
        state.letter = 1 - frame[CHOOSER]


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


@internal(types.void, RULES, STATE)
def add_letter(rules: Rules, state: State) -> None:
    """The Personal Letter goes to a Command granted by one's own event (option of R24)."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    frame[LETTER] = 1
    if rules.options[MODIFIERS_ON_EVENT] == 0:
        frame[LEFT] = command_value(rules, state, frame[CHOOSER], effect[MAX], 1)
    else:
        frame[LEFT] = effect[MAX] + rules.limits[LETTER_BONUS]


# DEFCON markers.


@internal(types.void, RULES, STATE)
def place_until(rules: Rules, state: State) -> None:
    """Suez-Hungary: cubes are added one by one until a reason to stop holds (R39); no icon, no choice."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    owner = frame[OWNER]
    place = 0
    while (effect[WHERE] >> place) & 1 == 0:
        place += 1
    added = 0
    while room(rules, state, owner, place) > 0 and supply(rules, state, owner) > 0:
        if effect[STOPS] & LEADS_BY_1 and state.influence[owner, place] > state.influence[1 - owner, place]:
            break
        state.influence[owner, place] += 1
        added += 1
    couple_by_icon(rules, state, place, added)


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


@internal(types.void, RULES, STATE)
def start_shift(rules: Rules, state: State) -> None:
    """Which tracks a shift may pick, and by how many steps."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    owner = frame[OWNER]
    if effect[AMOUNT] == AS_MOVED:
        frame[LEFT] = frame[MOVED]
    frame[MOVED] = 0
    if effect[PICK] == ALL:
        for track in range(N_TRACKS):
            if (effect[WHERE] >> track) & 1:
                steps = effect[MAX] if effect[DIRECTION] == GOES_UP else -effect[MAX]
                frame[MOVED] += abs(move_marker(rules, state, owner, track, allowed_steps(rules, state, track, steps)))
        return
    if frame[LEFT] == 0:
        return
    if effect[PICK] == HIGHEST:  # R37
        highest = 0
        for track in range(N_TRACKS):
            if (effect[WHERE] >> track) & 1:
                highest = max(highest, state.defcon[owner, track])
        for track in range(N_TRACKS):
            if state.defcon[owner, track] != highest:
                frame[QUALIFIED] &= ~(1 << track)
    frame[STAGE] = ASKS


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


# Cards.


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


# All of them.


@implements(coupling.start_own_effect, RECORDS)
def start_own_effect(rules: Rules, state: State) -> None:
    """See `coupling.start_own_effect`."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    owner = frame[OWNER]
    op = effect[OP]
    if op == OP_PRESTIGE:
        gain_prestige(rules, state, owner, effect[MAX])
    elif op == OP_MODIFIER:
        state.modifier[owner] += effect[MAX]
        state.least[owner] = max(state.least[owner], effect[MIN])
    elif op == OP_BAN:
        state.ban[owner] = 1
    elif op == OP_PLACE_UNTIL:
        place_until(rules, state)
    elif op == OP_SHIFT:
        start_shift(rules, state)
    elif op == OP_EXCHANGE:
        frame[LEFT] = state.hand[frame[CHOOSER]]
        frame[STAGE] = ASKS
    elif op == OP_TAKE and state.hand[owner] > 0:
        frame[STAGE] = TAKES


@implements(coupling.ask_own, RECORDS)
def ask_own(rules: Rules, state: State) -> None:
    """See `coupling.ask_own`."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame[EFFECT], OP]
    stage = frame[STAGE]
    if stage == DRAWS:
        state.node = N_DRAW_CARD
        state.drawer = frame[CHOOSER] if op == OP_EXCHANGE else frame[OWNER]
        state.mover = CHANCE
    elif stage == TAKES:
        state.node = N_RANDOM_CARD
        state.mover = CHANCE
    elif stage == HAS_TAKEN:
        state.node = N_TAKEN_CARD
    elif op == OP_SHIFT:
        state.node = N_SHIFT
    else:
        state.node = N_EXCHANGE


@implements(coupling.own_legal, RECORDS)
def own_legal(rules: Rules, state: State, out: Legal, n: int) -> int:
    """See `coupling.own_legal`."""
    frame = state.stack[state.depth - 1]
    if state.node == N_COMMAND:
        if may_add_letter(rules, state):
            out[n] = LETTER_ADDED
            n += 1
        return n
    if state.node == N_SHIFT:
        return shift_legal(rules, state, out)
    for card in range(rules.limits[N_CARDS]):
        if state.card[card] == IN_HAND + frame[CHOOSER]:
            out[n] = DISCARD_CARD + card
            n += 1
    out[n] = DONE
    return n + 1


@implements(coupling.choose_own, RECORDS)
def choose_own(rules: Rules, state: State, action: int) -> None:
    """See `coupling.choose_own`."""
    frame = state.stack[state.depth - 1]
    op = rules.effects[frame[EFFECT], OP]
    if op == OP_COMMAND:
        add_letter(rules, state)
    elif op == OP_EXCHANGE:
        exchange(state, action)
    elif action == DONE:
        frame[STAGE] = ENDS
    else:
        shift(rules, state, action)


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
