"""The interpreter of effects: what the events of strategy cards do, from the tables of `tables`.

`start_event` begins an event and `run_event` carries its effects out until one asks for a choice (`choices`) or needs
a card. There is one short function for each kind of effect that does more than change a number.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.games.thirteen_days.actions import DONE, place_action, remove_action
from brinkmanship.games.thirteen_days.board import (
    command_value,
    gain_prestige,
    leader,
    move_marker,
    room,
    supply,
)
from brinkmanship.games.thirteen_days.choices import (
    ASKS,
    ENDS,
    FRAME_TYPE,
    STARTS,
    TAKES,
    Frame,
    allowed_steps,
    ask,
    branch_available,
    choose_in_effect,
    couple_by_icon,
    cubes_allowed,
    holds,
    may_stop,
    take_branch,
)
from brinkmanship.games.thirteen_days.state import (
    ACTOR,
    CARD,
    CHOOSER,
    CONDITIONS,
    COUNT,
    EFFECT,
    LEFT,
    MOVED,
    N_PLACES,
    N_TRACKS,
    NOBODY,
    OWNER,
    QUALIFIED,
    STAGE,
    STATE,
    STEP,
    T_EVENT,
    TAKEN_CARD,
    TOUCHED,
    State,
)
from brinkmanship.games.thirteen_days.tables import (
    ALL,
    AMOUNT,
    ANY,
    AS_MOVED,
    BY,
    C_EVENT,
    C_EVENT_END,
    DIRECTION,
    FILTER,
    GOES_UP,
    HALF_UP,
    HAS_CUBES,
    HIGHEST,
    IF,
    LEADS_BY_1,
    MAX,
    MIN,
    MODIFIERS_ON_EVENT,
    N_BRANCHES,
    NEXT,
    OF,
    OP,
    OP_BAN,
    OP_CHOOSE,
    OP_COMMAND,
    OP_EXCHANGE,
    OP_MODIFIER,
    OP_PLACE,
    OP_PLACE_UNTIL,
    OP_PRESTIGE,
    OP_RELOCATE,
    OP_REMOVE,
    OP_SHIFT,
    OP_TAKE,
    P_ACTOR,
    P_OPPONENT,
    PICK,
    RULES,
    SITES,
    STOPS,
    WHERE,
    Rules,
)


@internal(types.void, RULES, STATE, types.int64)
def start_event(rules: Rules, state: State, actor: int) -> None:
    """Begin the event of the innermost card in play, carried out by `actor`; conditions are tested now (R43)."""
    frame = state.stack[state.depth - 1]
    first = rules.cards[frame[CARD], C_EVENT]
    frame[STEP] = T_EVENT
    frame[ACTOR] = actor
    frame[EFFECT] = first
    frame[STAGE] = STARTS
    frame[MOVED] = 0
    frame[TAKEN_CARD] = NOBODY
    frame[CONDITIONS] = 0
    for effect in range(first, rules.cards[frame[CARD], C_EVENT_END]):
        if holds(rules, state, rules.effects[effect, IF]):
            frame[CONDITIONS] |= 1 << (effect - first)


@internal(types.int64, RULES, STATE, FRAME_TYPE, types.int64)
def party(rules: Rules, state: State, frame: Frame, who: int) -> int:
    """The side that a party of an effect stands for now; NOBODY if nobody leads on Television."""
    if who == P_ACTOR:
        return frame[ACTOR]
    if who == P_OPPONENT:
        return 1 - frame[ACTOR]
    if who < P_ACTOR:
        return who
    return leader(state, rules.bonus_place[0])


@internal(types.int64, STATE, types.int64, types.int64, types.int64)
def places_passing(state: State, owner: int, where: int, which: int) -> int:
    """Those of `where` (bits) that pass the filter for cubes of `owner` now (R42)."""
    if which == ANY:
        return where
    passing = 0
    for place in range(N_PLACES):
        if (state.influence[owner, place] > 0) == (which == HAS_CUBES):
            passing |= 1 << place
    return where & passing


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


@internal(types.int64, RULES, STATE)
def only_choice(rules: Rules, state: State) -> int:
    """The one choice of the placing or removing in progress, or NOBODY if there are several."""
    frame = state.stack[state.depth - 1]
    ways = 0
    only = DONE
    if may_stop(rules, state):
        ways = 1
    for place in range(N_PLACES):
        least, most = cubes_allowed(rules, state, place)
        if most >= least:
            ways += most - least + 1
            if rules.effects[frame[EFFECT], OP] == OP_PLACE:
                only = place_action(place, most)
            else:
                only = remove_action(place, most)
    return only if ways == 1 else NOBODY


@internal(types.void, RULES, STATE)
def ask_unless_forced(rules: Rules, state: State) -> None:
    """An effect that must be done in full and leaves one way to do it is done without asking (R19)."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    frame[STAGE] = ASKS
    if effect[AMOUNT] == HALF_UP:
        frame[LEFT] = effect[SITES]
    if effect[AMOUNT] != HALF_UP and effect[MIN] != effect[MAX]:
        return
    while frame[STAGE] == ASKS:
        only = only_choice(rules, state)
        if only == NOBODY:
            return
        choose_in_effect(rules, state, only)


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


@internal(types.void, RULES, STATE)
def start_choice(rules: Rules, state: State) -> None:
    """An either-or of which only one branch can be picked is no question (R33)."""
    frame = state.stack[state.depth - 1]
    available = 0
    only = 0
    for branch in range(rules.effects[frame[EFFECT], N_BRANCHES]):
        if branch_available(rules, state, branch):
            available += 1
            only = branch
    if available == 1:
        take_branch(rules, state, only)
    elif available > 1:
        frame[STAGE] = ASKS


@internal(types.void, RULES, STATE)
def start_effect(rules: Rules, state: State) -> None:
    """Fix who chooses and what qualifies; carry out at once what leaves no choice."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame[EFFECT]]
    offset = frame[EFFECT] - rules.cards[frame[CARD], C_EVENT]
    chooser = party(rules, state, frame, effect[BY])
    owner = party(rules, state, frame, effect[OF])
    frame[STAGE] = ENDS
    if (frame[CONDITIONS] >> offset) & 1 == 0 or chooser == NOBODY or owner == NOBODY:
        return
    frame[CHOOSER] = chooser
    frame[OWNER] = owner
    frame[COUNT] = 0
    frame[TOUCHED] = 0
    frame[LEFT] = effect[MAX]
    frame[QUALIFIED] = effect[WHERE]
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
    elif op == OP_PLACE:
        frame[QUALIFIED] = places_passing(state, owner, effect[WHERE], effect[FILTER])
        ask_unless_forced(rules, state)
    elif op == OP_REMOVE:
        ask_unless_forced(rules, state)
    elif op == OP_RELOCATE:
        frame[STAGE] = ASKS
    elif op == OP_SHIFT:
        start_shift(rules, state)
    elif op == OP_COMMAND:
        if rules.options[MODIFIERS_ON_EVENT] == 0:
            frame[LEFT] = command_value(rules, state, chooser, effect[MAX], 0)
        frame[STAGE] = ASKS
    elif op == OP_EXCHANGE:
        frame[LEFT] = state.hand[chooser]
        frame[STAGE] = ASKS
    elif op == OP_TAKE:
        if state.hand[owner] > 0:
            frame[STAGE] = TAKES
    elif op == OP_CHOOSE:
        start_choice(rules, state)


@internal(types.boolean, RULES, STATE)
def run_event(rules: Rules, state: State) -> bool:
    """Carry effects out until one asks somebody or needs a card (True), or until the event is over (False)."""
    frame = state.stack[state.depth - 1]
    while frame[EFFECT] != NOBODY:
        if frame[STAGE] == STARTS:
            start_effect(rules, state)
        if frame[STAGE] == ENDS:
            frame[EFFECT] = rules.effects[frame[EFFECT], NEXT]
            frame[STAGE] = STARTS
        elif frame[STAGE] != STARTS:
            ask(rules, state)
            return True
    return False
