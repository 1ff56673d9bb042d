"""The contract of a game (`engine.game`) for Ukrainian Crisis: each call is dispatched to the step concerned.

`steps` holds the steps of the rules, a file each. `apply` carries out one action and then lets the rules proceed until
a side is to decide, a card or dice are needed, or the rules themselves take a step that players see (cards turned up,
the end of a Turn ...). Such a step is a node of CHANCE with one outcome, so that records, logs and animations show it
like any other action.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_UNITS
from brinkmanship.games.ukrainian_crisis.rules.events import START
from brinkmanship.games.ukrainian_crisis.rules.names import (
    N_AREAS,
    N_COUNTRIES,
    N_EVENTS,
    N_RANKS,
    NOBODY,
    RU,
    UA,
    Area,
)
from brinkmanship.games.ukrainian_crisis.rules.state import (
    STATE,
    EventPlace,
    Level,
    Node,
    Square,
    State,
    Step,
    Task,
    TurnType,
)
from brinkmanship.games.ukrainian_crisis.rules.steps import (
    allies,
    areas,
    battle,
    ceasefire,
    combat,
    declaration,
    diplomatic,
    event,
    event_draw,
    final_phase,
    information,
    military,
    operations,
    placement,
    rolls,
    window,
)
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, WEIGHTS, Legal, Weights, clear_stack

UTILITY = types.Array(types.float64, 1, "C")


@internal(types.boolean, RULES, STATE)
def step_asks(rules: Rules, state: State) -> bool:
    """Ask the question of the Turn's step and return True, or go on to the next step and return False."""
    step = state.step
    if step == Step.WINDOW_1 or step == Step.WINDOW_2 or step == Step.WINDOW_5:
        window.open_between_steps(state)
        return False
    if step == Step.EVENT_DRAW:
        return event_draw.asks(rules, state)
    if step == Step.ALLY_RP:
        placement.prepare_deal(rules, state)
        return allies.asks(rules, state)
    if step <= Step.PLACEMENT:
        return placement.asks(state)
    if step <= Step.TYPE_FIXED:
        return declaration.asks(rules, state)
    if step <= Step.RESOLVE_AREAS:
        return areas.asks(rules, state)
    if step == Step.OPERATIONS:
        operations.next_half(state)
        return False
    return final_phase.asks(state)


@internal(types.boolean, RULES, STATE)
def task_asks(rules: Rules, state: State) -> bool:
    """Continue the innermost task until it asks (True), begins another one or is done (False)."""
    task = state.stack[state.depth - 1].task
    if task == Task.WINDOW:
        return window.asks(state)
    if task == Task.EVENT:
        return event.go_on(rules, state, START)
    if task == Task.CRITICAL:
        return rolls.critical_asks(rules, state)
    if task == Task.CEASEFIRE:
        return ceasefire.asks(rules, state)
    if task == Task.AREA:
        return areas.area_asks(rules, state)
    if task == Task.MILITARY:
        return military.asks(rules, state)
    if task == Task.DIPLOMATIC:
        return diplomatic.asks(rules, state)
    if task == Task.INFORMATION:
        return information.asks(rules, state)
    if task == Task.HALF:
        return operations.asks(rules, state)
    if task == Task.BATTLE:
        return battle.asks(rules, state)
    return combat.asks(rules, state)


@internal(types.void, RULES, STATE)
def proceed(rules: Rules, state: State) -> None:
    """Let the rules proceed until a side decides, chance is needed, a step is to be shown, or the game is over."""
    state.drawer = NOBODY
    while True:
        if state.depth > 0:
            if task_asks(rules, state):
                return
        elif step_asks(rules, state):
            return


@internal(types.void, RULES, STATE, types.int64)
def rules_step(rules: Rules, state: State, node: int) -> None:
    """Carry out a step the rules take themselves."""
    if node == Node.RESHUFFLE:
        event_draw.reshuffle_resolve(state)
    elif node == Node.ALLY_RP:
        allies.take_ally_points(rules, state)
    elif node == Node.REVEAL:
        areas.reveal(rules, state)
    elif node == Node.COMPARE:
        ceasefire.compare(state)
    elif node == Node.TYPE:
        declaration.fix_type(rules, state)
    elif node == Node.CHECK:
        final_phase.check(rules, state)
    else:
        final_phase.income(rules, state)


@internal(types.void, STATE, types.int64)
def step_apply(state: State, action: int) -> None:
    """Carry out an action that belongs to a step of the Turn and to no task."""
    node = state.node
    if node == Node.DRAW_EVENT:
        event_draw.draw_event(state, action - Action.DRAW_EVENT)
    elif node == Node.DEAL_CARD:
        placement.deal_card(state, action - Action.DEAL_CARD)
    elif node == Node.PLACE:
        placement.place_cards(state, action)
    elif node == Node.ORDER:
        areas.apply(state, action)
    else:
        declaration.apply(state, action)


@internal(types.boolean, RULES, STATE, types.int64)
def task_apply(rules: Rules, state: State, action: int) -> bool:
    """Carry out an action that belongs to the innermost task; return True if it has at once asked for another one."""
    task = state.stack[state.depth - 1].task
    if state.node == Node.ROLL:
        rolls.take_roll(rules, state, action)
    elif state.node == Node.ADD_ALLIES:
        allies.apply(state, action)
    elif task == Task.AREA:
        areas.apply(state, action)
    elif task == Task.WINDOW:
        window.apply(state, action)
    elif task == Task.EVENT:
        return event.apply(rules, state, action)
    elif task == Task.CRITICAL:
        rolls.critical_apply(rules, state, action)
    elif task == Task.MILITARY:
        military.apply(rules, state, action)
    elif task == Task.DIPLOMATIC:
        diplomatic.apply(state, action)
    elif task == Task.INFORMATION:
        information.apply(rules, state, action)
    elif task == Task.HALF:
        operations.apply(rules, state, action)
    elif task == Task.BATTLE:
        battle.apply(rules, state, action)
    else:
        combat.apply(rules, state, action)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def task_legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the legal choices within the innermost task."""
    frame = state.stack[state.depth - 1]
    task = frame.task
    if state.node == Node.ADD_ALLIES:
        return allies.legal(state, out)
    if task == Task.AREA:
        return areas.legal(state, out)
    if task == Task.WINDOW:
        return window.legal(state, frame.side, out)
    if task == Task.EVENT:
        return event.legal(rules, state, out)
    if task == Task.CRITICAL:
        return rolls.critical_legal(rules, state, out)
    if task == Task.MILITARY:
        return military.legal(rules, state, out)
    if task == Task.DIPLOMATIC:
        return diplomatic.legal(rules, state, out)
    if task == Task.INFORMATION:
        return information.legal(rules, state, out)
    if task == Task.HALF:
        return operations.legal(rules, state, out)
    if task == Task.BATTLE:
        return battle.legal(rules, state, out)
    return combat.legal(rules, state, out)


@internal(types.void, RULES, STATE, types.int64)
def set_up_side(rules: Rules, state: State, side: int) -> None:
    """Set up the starting values of a side."""
    state.prestige[side] = rules.start_prestige[side]
    state.vp[side] = 0
    state.rp[side] = 0
    state.held[side] = 0
    state.to_draw[side] = 0
    state.hand_size[side] = 0
    state.unseen_size[side] = 0
    state.doubles[side] = 0
    for rank in range(N_RANKS):
        state.pack[side, rank] = rules.pack[rank]
        state.hand[side, rank] = 0
        state.unseen[side, rank] = 0
    for area in range(N_AREAS):
        state.matrix[side, area] = Square.EMPTY


@compiled(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """Set up the state (section 1.6), before the first Event Card."""
    for side in range(2):
        set_up_side(rules, state, side)
    for unit in range(MAX_UNITS):
        state.unit[unit] = rules.start_unit[unit]
    for country in range(N_COUNTRIES):
        state.box[country] = rules.start_box[country]
    for card in range(N_EVENTS):
        state.event[card] = EventPlace.IN_DECK
    for area in range(N_AREAS):
        state.face_up[area] = 0
    clear_stack(state)
    state.zones_attacked = 0
    state.union = 0
    state.opened = 0
    state.combat_turns = 0
    state.reshuffled = 0
    state.winner = NOBODY
    state.level = Level.NOT_OVER
    state.turn = 1
    state.step = Step.EVENT_DRAW
    final_phase.clear_turn(state)
    proceed(rules, state)


@compiled(types.int64, RULES, STATE)
def actor(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Return the actor: UA, RU, CHANCE or OVER."""
    return int(state.mover)


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:
    """Return the sides that may act now, as bits.

    Both may act while cards are placed and Turns declared in secret, else only the actor.
    """
    if state.node == Node.PLACE:
        return (state.matrix[UA, Area.MILITARY] == Square.EMPTY) | (
            state.matrix[RU, Area.MILITARY] == Square.EMPTY
        ) << 1
    if state.node == Node.DECLARE and rules.options.open_declaration == 0:
        return (state.declared[UA] == TurnType.NOT_YET) | (state.declared[RU] == TurnType.NOT_YET) << 1
    return 1 << int(state.mover) if state.mover < CHANCE else 0


@compiled(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal actions of a side to `out`, int16[MAX_LEGAL]; return their number, 0 if it is not to act."""
    if pending(rules, state) >> side & 1 == 0:
        return 0
    if state.depth > 0:
        return task_legal(rules, state, out)
    if state.node == Node.PLACE:
        return placement.legal(rules, state, side, out)
    if state.node == Node.ORDER:
        return areas.legal(state, out)
    return declaration.legal(state, side, out)


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action of a side, of chance, or of the rules, in place; callers check legality."""
    if state.node <= Node.INCOME:
        rules_step(rules, state, state.node)
    elif state.depth == 0:
        step_apply(state, action)
    elif task_apply(rules, state, action):
        return
    proceed(rules, state)


@compiled(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: Weights) -> int:
    """Write outcomes of chance (or the rules) to `out` and their weights to int64[MAX_LEGAL]; return their number.

    The probability of an outcome is its weight divided by the sum of the weights.
    """
    node = state.node
    if node <= Node.INCOME:
        out[0] = Action.RULES_STEP + node
        weights[0] = 1
        return 1
    if node == Node.DRAW_EVENT:
        return event_draw.outcomes(state, out, weights)
    if node == Node.DEAL_CARD:
        return placement.outcomes(state, out, weights)
    if node == Node.DICE_SUM:
        return diplomatic.outcomes(rules, state, out, weights)
    if node == Node.HITS:
        return combat.outcomes(state, out, weights)
    return rolls.outcomes(rules, state, out, weights)


@compiled(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:
    """Draw one outcome of chance by the distribution of `outcomes`, without listing them."""
    node = state.node
    if node <= Node.INCOME:
        return Action.RULES_STEP + node
    if node == Node.DRAW_EVENT:
        return event_draw.sample(state, random)
    if node == Node.DEAL_CARD:
        return placement.sample(state, random)
    if node == Node.DICE_SUM:
        return diplomatic.sample(rules, state, random)
    if node == Node.HITS:
        return combat.sample(state, random)
    return rolls.sample(rules, state, random)


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:  # noqa: ARG001 - the contract's signature
    """Write each side's utility (1 won, -1 lost, 0 a draw) to float64[2]; return the level, or NOT_OVER."""
    utility[UA] = 0.0
    utility[RU] = 0.0
    if state.winner != NOBODY:
        utility[state.winner] = 1.0
        utility[1 - state.winner] = -1.0
    return state.level
