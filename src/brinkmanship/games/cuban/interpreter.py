"""The interpreter of events: `start_event` begins one, `run_event` executes its effects up to the next question.

The question of an effect and the result of each choice are in `choices`; game-specific parts are behind `hooks`.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import RULES, STATE, template
from brinkmanship.games.cuban.choices import (
    ask,
    branch_available,
    choose_in_effect,
    cubes_allowed,
    holds,
    may_stop,
    take_branch,
)
from brinkmanship.games.cuban.frame import FRAME, NOBODY, Frame, Stage, TurnStep
from brinkmanship.games.cuban.hooks import (
    Rules,
    State,
    Verb,
    numbered,
    open_places,
    other_party,
    start_own_effect,
    value_of_granted_command,
)
from brinkmanship.games.cuban.tables import Amount, Filter, Op, Party


@template(types.void, RULES, STATE, types.int64)
def start_event(rules: Rules, state: State, actor: int) -> None:
    """Begin the event of the innermost card in play, carried out by `actor`; conditions are tested now (R43)."""
    frame = state.stack[state.depth - 1]
    first = rules.cards[frame.card].event
    frame.step = TurnStep.EVENT
    frame.actor = actor
    frame.effect = first
    frame.stage = Stage.STARTS
    frame.moved = 0
    frame.taken_card = NOBODY
    frame.conditions = 0
    for effect in range(first, rules.cards[frame.card].event_end):
        if holds(rules, state, rules.effects[effect].condition):
            frame.conditions |= 1 << (effect - first)


@template(types.int64, RULES, STATE, FRAME, types.int64)
def party(rules: Rules, state: State, frame: Frame, who: int) -> int:
    """Return the side that a party of an effect stands for now, or NOBODY."""
    if who == Party.ACTOR:
        return frame.actor
    if who == Party.OPPONENT:
        return 1 - frame.actor
    if who < Party.ACTOR:
        return who
    return other_party(rules, state)


@template(types.int64, RULES, STATE, types.int64, types.int64, types.int64)
def places_passing(rules: Rules, state: State, owner: int, where: int, which: int) -> int:  # noqa: ARG001 - as all templates
    """Return those of `where` (bits) that pass the filters for cubes of `owner` and the other side now (R42, Q27)."""
    if which == 0:
        return where
    passing = where
    for place in range(state.influence.shape[1]):
        own = state.influence[owner, place] > 0
        others = state.influence[1 - owner, place] > 0
        if (
            (which & Filter.HAS_CUBES and not own)
            or (which & Filter.HAS_NO_CUBES and own)
            or (which & Filter.OTHER_HAS_CUBES and not others)
            or (which & Filter.OTHER_HAS_NO_CUBES and others)
        ):
            passing &= ~(1 << place)
    return passing


@template(types.int64, RULES, STATE)
def only_choice(rules: Rules, state: State) -> int:
    """Return the only choice of the placing or removing in progress, or NOBODY if there are several."""
    frame = state.stack[state.depth - 1]
    ways = 0
    only = numbered(rules, state, Verb.FINISH, 0, 0)
    if may_stop(rules, state):
        ways = 1
    verb = Verb.PUT if rules.effects[frame.effect].op == Op.PLACE else Verb.TAKE_OFF
    free = frame.qualified & ~frame.touched
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
    """Ask, or carry out without asking an effect that must be done in full and leaves one way to do it (R19, Q29)."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    frame.stage = Stage.ASKS
    if effect.amount == Amount.HALF_UP:
        frame.left = effect.sites
    if effect.amount != Amount.HALF_UP and effect.least != effect.most:
        return
    while frame.stage == Stage.ASKS:
        only = only_choice(rules, state)
        if only == NOBODY:
            return
        choose_in_effect(rules, state, only)


@template(types.void, RULES, STATE)
def start_choice(rules: Rules, state: State) -> None:
    """Start an either-or; if only one branch can be picked, take it without asking (R33)."""
    frame = state.stack[state.depth - 1]
    available = 0
    only = 0
    for branch in range(rules.effects[frame.effect].branch_count):
        if branch_available(rules, state, branch):
            available += 1
            only = branch
    if available == 1:
        take_branch(rules, state, only)
    elif available > 1:
        frame.stage = Stage.ASKS


@template(types.void, RULES, STATE)
def start_effect(rules: Rules, state: State) -> None:
    """Determine who chooses and what qualifies; carry out at once an effect that leaves no choice."""
    frame = state.stack[state.depth - 1]
    effect = rules.effects[frame.effect]
    offset = frame.effect - rules.cards[frame.card].event
    chooser = party(rules, state, frame, effect.by)
    owner = party(rules, state, frame, effect.of)
    frame.stage = Stage.ENDS
    if (frame.conditions >> offset) & 1 == 0 or chooser == NOBODY or owner == NOBODY:
        return
    frame.chooser = chooser
    frame.owner = owner
    frame.count = 0
    frame.touched = 0
    frame.left = effect.most
    frame.qualified = places_passing(rules, state, owner, open_places(rules, state), effect.filter)
    op = effect.op
    if op in (Op.PLACE, Op.REMOVE):
        ask_unless_forced(rules, state)
    elif op == Op.RELOCATE:
        frame.stage = Stage.ASKS
    elif op == Op.COMMAND:
        frame.left = value_of_granted_command(rules, state, chooser, effect.most)
        frame.stage = Stage.ASKS
    elif op == Op.CHOOSE:
        start_choice(rules, state)
    else:
        start_own_effect(rules, state)


@template(types.boolean, RULES, STATE)
def run_event(rules: Rules, state: State) -> bool:
    """Execute effects until one asks a side or needs a card (return True) or the event is over (return False)."""
    frame = state.stack[state.depth - 1]
    while frame.effect != NOBODY:
        if frame.stage == Stage.STARTS:
            start_effect(rules, state)
        if frame.stage == Stage.ENDS:
            frame.effect = rules.effects[frame.effect].next
            frame.stage = Stage.STARTS
        elif frame.stage != Stage.STARTS:
            ask(rules, state)
            return True
    return False
