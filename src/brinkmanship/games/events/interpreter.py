"""The interpreter of events: `start_event` begins one, `run_event` carries its effects out until one asks.

What an effect asks, and what an answer does, is in `choices`; what only one game knows comes through `coupling`.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import RULES, STATE, template
from brinkmanship.games.events.choices import (
    ask,
    branch_available,
    choose_in_effect,
    cubes_allowed,
    holds,
    may_stop,
    take_branch,
)
from brinkmanship.games.events.coupling import (
    FINISH,
    PUT,
    TAKE_OFF,
    Rules,
    State,
    numbered,
    open_places,
    other_party,
    start_own_effect,
    value_of_granted_command,
)
from brinkmanship.games.events.frame import (
    ACTOR,
    ASKS,
    CARD,
    CHOOSER,
    CONDITIONS,
    COUNT,
    EFFECT,
    ENDS,
    FRAME_TYPE,
    LEFT,
    MOVED,
    NOBODY,
    OWNER,
    QUALIFIED,
    STAGE,
    STARTS,
    STEP,
    T_EVENT,
    TAKEN_CARD,
    TOUCHED,
    Frame,
)
from brinkmanship.games.events.tables import (
    AMOUNT,
    BY,
    C_EVENT,
    C_EVENT_END,
    FILTER,
    HALF_UP,
    HAS_CUBES,
    HAS_NO_CUBES,
    IF,
    MAX,
    MIN,
    N_BRANCHES,
    NEXT,
    OF,
    OP,
    OP_CHOOSE,
    OP_COMMAND,
    OP_PLACE,
    OP_RELOCATE,
    OP_REMOVE,
    OTHER_HAS_CUBES,
    OTHER_HAS_NO_CUBES,
    P_ACTOR,
    P_OPPONENT,
    SITES,
)


@template(types.void, RULES, STATE, types.int64)
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


@template(types.int64, RULES, STATE, FRAME_TYPE, types.int64)
def party(rules: Rules, state: State, frame: Frame, who: int) -> int:
    """The side that a party of an effect stands for now, or NOBODY."""
    if who == P_ACTOR:
        return frame[ACTOR]
    if who == P_OPPONENT:
        return 1 - frame[ACTOR]
    if who < P_ACTOR:
        return who
    return other_party(rules, state)


@template(types.int64, RULES, STATE, types.int64, types.int64, types.int64)
def places_passing(rules: Rules, state: State, owner: int, where: int, which: int) -> int:  # noqa: ARG001 - as all templates
    """Those of `where` (bits) that pass the filters for cubes of `owner` and the other side now (R42, Q27)."""
    if which == 0:
        return where
    passing = where
    for place in range(state.influence.shape[1]):
        own = state.influence[owner, place] > 0
        others = state.influence[1 - owner, place] > 0
        if (
            (which & HAS_CUBES and not own)
            or (which & HAS_NO_CUBES and own)
            or (which & OTHER_HAS_CUBES and not others)
            or (which & OTHER_HAS_NO_CUBES and others)
        ):
            passing &= ~(1 << place)
    return passing


@template(types.int64, RULES, STATE)
def only_choice(rules: Rules, state: State) -> int:
    """The one choice of the placing or removing in progress, or NOBODY if there are several."""
    frame = state.stack[state.depth - 1]
    ways = 0
    only = numbered(rules, state, FINISH, 0, 0)
    if may_stop(rules, state):
        ways = 1
    verb = PUT if rules.effects[frame[EFFECT], OP] == OP_PLACE else TAKE_OFF
    free = frame[QUALIFIED] & ~frame[TOUCHED]
    place = 0
    while free and ways < 2:
        if free & 1:
            least, most = cubes_allowed(rules, state, place)
            if most >= least:
                ways += most - least + 1
                only = numbered(rules, state, verb, place, most)
        free >>= 1
        place += 1
    return only if ways == 1 else NOBODY


@template(types.void, RULES, STATE)
def ask_unless_forced(rules: Rules, state: State) -> None:
    """An effect that must be done in full and leaves one way to do it is done without asking (R19, Q29)."""
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


@template(types.void, RULES, STATE)
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


@template(types.void, RULES, STATE)
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
    frame[QUALIFIED] = places_passing(rules, state, owner, open_places(rules, state), effect[FILTER])
    op = effect[OP]
    if op in (OP_PLACE, OP_REMOVE):
        ask_unless_forced(rules, state)
    elif op == OP_RELOCATE:
        frame[STAGE] = ASKS
    elif op == OP_COMMAND:
        frame[LEFT] = value_of_granted_command(rules, state, chooser, effect[MAX])
        frame[STAGE] = ASKS
    elif op == OP_CHOOSE:
        start_choice(rules, state)
    else:
        start_own_effect(rules, state)


@template(types.boolean, RULES, STATE)
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
