"""The course of a game of Ukrainian Crisis: the states S1 to S17 of a Turn (section 3.1).

`apply` carries out one action and then lets the rules go on until somebody is asked, a card or dice are needed, or
the rules themselves take a step that players see (cards turned up, the end of a Turn ...). Such a step is a node of
CHANCE with one outcome, so that records, logs and animations show it like everything else that happens.

A compiled function must stand below those it calls: read from the end, where `apply`, `legal` and `start` are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules import events
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import (
    N_PLACEMENTS,
    Action,
    pair_action,
    place_action,
    placed_rank,
)
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_UNITS, MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import (
    N_AREAS,
    N_COUNTRIES,
    N_EVENTS,
    N_RANKS,
    NOBODY,
    RU,
    UA,
    Area,
    Event,
)
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader
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
    areas,
    combat,
    diplomatic,
    final_phase,
    information,
    military,
    operations,
    rolls,
)
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, clear_stack, push
from brinkmanship.games.ukrainian_crisis.rules.zones import list_zones

WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")


# S1: Event Cards.


@internal(types.int64, STATE)
def events_left(state: State) -> int:
    """Event Cards in the deck."""
    left = 0
    for event in range(N_EVENTS):
        left += state.event[event] == EventPlace.IN_DECK
    return left


@internal(types.boolean, RULES, STATE)
def asks_event_cards(rules: Rules, state: State) -> bool:
    """Ask for the Event Card of a side that has none yet; then the immediate ones begin."""
    for side in range(2):
        drew_resolve = state.turn == 1 and state.event[Event.A_TERRIBLE_RESOLVE] == EventPlace.DRAWN_IMMEDIATE + side
        if drew_resolve and rules.options.redraw_resolve:  # R5
            ask(state, Node.RESHUFFLE, CHANCE)
            return True
        if state.drawn >> side & 1 == 0 and events_left(state) > 0:
            state.drawer = side
            ask(state, Node.DRAW_EVENT, CHANCE)
            return True
    events.push_immediates(rules, state, False)
    state.step = Step.WINDOW_1
    return False


@internal(types.void, STATE, types.int64)
def draw_event(state: State, event: int) -> None:
    """A side draws an Event Card; an immediate one lies open, any other is held in secret (R4)."""
    side = state.drawer
    state.drawn |= 1 << side
    if events.IMMEDIATE >> event & 1:
        state.event[event] = EventPlace.DRAWN_IMMEDIATE + side
    else:
        state.event[event] = EventPlace.HELD + side
        state.held[side] += 1


@internal(types.void, STATE)
def reshuffle_resolve(state: State) -> None:
    """A Terrible Resolve, drawn in Turn 1, goes back into the deck, and its side draws again (option of R5)."""
    side = state.event[Event.A_TERRIBLE_RESOLVE] - EventPlace.DRAWN_IMMEDIATE
    state.event[Event.A_TERRIBLE_RESOLVE] = EventPlace.IN_DECK
    state.drawn &= ~(1 << int(side))


# S3 to S8: the allies' points, Resource Cards, declarations, the type of the Turn.


@internal(types.void, RULES, STATE)
def take_ally_points(rules: Rules, state: State) -> None:
    """S3: Ukraine gets Resource Points from the countries in Intervention."""
    state.ally_rp = final_phase.ally_points(rules, state)
    for country in range(N_COUNTRIES):
        if rules.gives_rp[state.box[country]] and not state.suspended >> country & 1:
            state.ally_countries |= 1 << country
    state.step = Step.DEAL


@internal(types.void, RULES, STATE)
def reshuffle_used_cards(rules: Rules, state: State) -> None:
    """10.1: the number cards are used up; each side shuffles its own and draws for the Turns that are left (R46)."""
    state.reshuffled = 1
    for side in range(2):
        state.unseen_size[side] = 0
        for rank in range(N_RANKS):
            state.pack[side, rank] = rules.pack[rank]
            state.unseen[side, rank] = 0
        state.to_draw[side] = N_AREAS * (rules.turns - state.turn + 1)


@internal(types.int64, STATE, types.int64)
def pack_size(state: State, side: int) -> int:
    """Cards left in a side's pack."""
    size = 0
    for rank in range(N_RANKS):
        size += state.pack[side, rank]
    return size


@internal(types.void, RULES, STATE)
def prepare_deal(rules: Rules, state: State) -> None:
    """Say how many Resource Cards each side draws at random this Turn: none by default (R1)."""
    if rules.options.ordinary_cards and state.reshuffled == 0 and pack_size(state, UA) < N_AREAS:
        reshuffle_used_cards(rules, state)
    elif rules.options.random_draw and state.reshuffled == 0:
        for side in range(2):
            state.to_draw[side] = N_AREAS


@internal(types.boolean, STATE)
def asks_cards(state: State) -> bool:
    """Deal the next Resource Card; the order of the sides has no meaning."""
    for side in range(2):
        if state.to_draw[side] > 0:
            state.drawer = side
            ask(state, Node.DEAL_CARD, CHANCE)
            return True
    state.step = Step.PLACEMENT
    return False


@internal(types.void, STATE, types.int64)
def deal_card(state: State, rank: int) -> None:
    """A side draws a Resource Card."""
    side = state.drawer
    state.pack[side, rank] -= 1
    state.hand[side, rank] += 1
    state.hand_size[side] += 1
    state.to_draw[side] -= 1


@internal(types.int64, STATE, types.int64, types.int64)
def cards_to_place(state: State, side: int, rank: int) -> int:
    """How many cards of a rank, from 0, a side can choose from: of its hand if it drew one, else of its pack (R1)."""
    return state.hand[side, rank] if state.hand_size[side] > 0 else state.pack[side, rank]


@internal(types.void, STATE, types.int64)
def place_cards(state: State, action: int) -> None:
    """S4: one card goes face down into each area."""
    side = (action - Action.PLACE) // N_PLACEMENTS
    from_hand = state.hand_size[side] > 0
    for area in range(N_AREAS):
        rank = placed_rank(action, area)
        state.matrix[side, area] = rank
        if from_hand:
            state.hand[side, rank - 1] -= 1
            state.hand_size[side] -= 1
        else:
            state.pack[side, rank - 1] -= 1


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def placement_legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Every way to put three of the cards a side can choose from into the three areas."""
    n = 0
    ranks = rules.n_ranks
    for first in range(ranks):
        for second in range(ranks):
            for third in range(ranks):
                of_first = cards_to_place(state, side, first)
                of_second = cards_to_place(state, side, second) - (second == first)
                of_third = cards_to_place(state, side, third) - (third == first) - (third == second)
                if of_first > 0 and of_second > 0 and of_third > 0:
                    out[n] = place_action(side, first + 1, second + 1, third + 1)
                    n += 1
    return n


@internal(types.boolean, RULES, STATE)
def asks_declaration(rules: Rules, state: State) -> bool:
    """S5: ask who has not declared yet, at once or the leader first (R8); then it is known what type the Turn has."""
    if state.turn == 1 and rules.options.first_turn_combat == 0:  # R7
        state.turn_type = TurnType.STRATEGIC
        state.step = Step.TYPE_FIXED
        return False
    first = leader(state) if rules.options.open_declaration else UA
    for side in (first, 1 - first):
        if state.declared[side] == TurnType.NOT_YET:
            ask(state, Node.DECLARE, side)
            return True
    if state.declared[UA] == state.declared[RU]:
        state.turn_type = state.declared[UA]
        state.step = Step.TYPE_FIXED
    else:
        state.step = Step.CEASEFIRE_OPTION
    return False


@internal(types.boolean, STATE)
def asks_ceasefire(state: State) -> bool:
    """S6: the side that did not declare may request a Ceasefire, unless A Terrible Resolve bars it (R6)."""
    declarer = UA if state.declared[UA] == TurnType.COMBAT else RU
    if state.resolve == declarer:
        state.turn_type = TurnType.COMBAT
        state.step = Step.TYPE_FIXED
        return False
    ask(state, Node.CEASEFIRE, 1 - declarer)
    return True


@internal(types.void, STATE, types.int64)
def answer_ceasefire(state: State, action: int) -> None:
    """The Combat Turn is accepted, or a Ceasefire attempted (S7)."""
    state.step = Step.TYPE_FIXED
    if action == Action.REQUEST:
        push(state, Task.CEASEFIRE, state.mover)
        state.area = Area.DIPLOMATIC
    else:
        state.turn_type = TurnType.COMBAT


@internal(types.void, STATE)
def hide_diplomatic_cards(state: State) -> None:
    """The unused Diplomatic cards are discarded without being shown (option of R11)."""
    for side in range(2):
        rank = state.matrix[side, Area.DIPLOMATIC]
        state.unseen[side, rank - 1] += 1
        state.unseen_size[side] += 1
        state.matrix[side, Area.DIPLOMATIC] = Square.EMPTY


@internal(types.void, RULES, STATE)
def fix_type(rules: Rules, state: State) -> None:
    """S8: the type of the Turn is final; unused Diplomatic cards of a Combat Turn are shown and discarded (R11)."""
    state.step = Step.WINDOW_2
    state.combat_turns += state.turn_type
    if state.turn_type == TurnType.COMBAT and state.ceasefire == 0:
        if rules.options.hide_diplomatic:
            hide_diplomatic_cards(state)
        else:
            events.show_diplomatic_cards(rules, state)


# S9 to S13: the areas and the Operational Phase.


@internal(types.boolean, STATE, types.int64)
def is_to_resolve(state: State, area: int) -> bool:
    """Whether an area has to be resolved and has no place in the order yet."""
    if area == Area.DIPLOMATIC and (state.turn_type == TurnType.COMBAT or state.ceasefire == 1):  # R9, R10
        return False
    places = 0
    for place in range(state.ordered):
        places += state.order[place] == area
    return places == 0


@internal(types.boolean, STATE)
def asks_order(state: State) -> bool:
    """S9: the leader fixes the order of the areas (R14); the last one follows by itself."""
    left = 0
    last = NOBODY
    for area in range(N_AREAS):
        if is_to_resolve(state, area):
            left += 1
            last = area
    if left > 1:
        ask(state, Node.ORDER, leader(state))
        return True
    state.order[state.ordered] = last
    state.ordered += 1
    state.step = Step.RESOLVE_AREAS
    return False


@internal(types.void, STATE)
def next_area(state: State) -> None:
    """S10 to S12 for the next area of the order, then S13 or S14."""
    if state.areas_done < state.ordered:
        area = state.order[state.areas_done]
        state.areas_done += 1
        areas.push_area(state, area, areas.AreaStage.OPENS)
    else:
        state.step = Step.OPERATIONS if state.turn_type == TurnType.COMBAT else Step.WINDOW_5


@internal(types.void, STATE)
def next_half(state: State) -> None:
    """S13: the halves of the Operational Segments, Russia's first."""
    if state.half < 2 * state.segments:
        operations.push_half(state, RU if state.half % 2 == 0 else UA)
    else:
        state.step = Step.WINDOW_5


# The course of a Turn.


@internal(types.boolean, RULES, STATE)
def step_asks(rules: Rules, state: State) -> bool:
    """Ask what the step of the Turn asks (True), or go on to the next step (False)."""
    step = state.step
    if step == Step.EVENT_DRAW:
        return asks_event_cards(rules, state)
    if step == Step.WINDOW_1:
        state.step = Step.ALLY_RP
        events.push_window(state)
    elif step == Step.ALLY_RP:
        prepare_deal(rules, state)
        if final_phase.ally_points(rules, state) > 0:
            ask(state, Node.ALLY_RP, CHANCE)
            return True
        state.step = Step.DEAL
    elif step == Step.DEAL:
        return asks_cards(state)
    elif step == Step.PLACEMENT:
        for side in range(2):
            if state.matrix[side, Area.MILITARY] == Square.EMPTY:
                ask(state, Node.PLACE, side)
                return True
        state.step = Step.DECLARATION
    elif step == Step.DECLARATION:
        return asks_declaration(rules, state)
    elif step == Step.CEASEFIRE_OPTION:
        return asks_ceasefire(state)
    elif step == Step.TYPE_FIXED:
        ask(state, Node.TYPE, CHANCE)
        return True
    elif step == Step.WINDOW_2:
        state.step = Step.KEPT_DIPLOMACY
        events.push_window(state)
    elif step == Step.KEPT_DIPLOMACY:
        state.step = Step.ORDER
        if state.ceasefire == 1 and state.turn_type == TurnType.STRATEGIC and rules.options.keeps_diplomacy:
            areas.push_area(state, Area.DIPLOMATIC, areas.AreaStage.DECIDES_FIRST)
    elif step == Step.ORDER:
        return asks_order(state)
    elif step == Step.RESOLVE_AREAS:
        next_area(state)
    elif step == Step.OPERATIONS:
        next_half(state)
    elif step == Step.WINDOW_5:
        state.step = Step.FINAL_CHECK
        events.push_window(state)
    elif step == Step.FINAL_CHECK:
        ask(state, Node.CHECK, CHANCE)
        return True
    elif step == Step.FINAL_INCOME:
        ask(state, Node.INCOME, CHANCE)
        return True
    else:
        ask(state, Node.OVER, OVER)
        return True
    return False


@internal(types.boolean, RULES, STATE)
def task_asks(rules: Rules, state: State) -> bool:
    """Go on with the innermost task until it asks (True), begins another one or is done (False)."""
    task = state.stack[state.depth - 1].task
    if task == Task.WINDOW:
        return events.window_asks(state)
    if task == Task.EVENT:
        return events.event_goes_on(rules, state, events.START)
    if task == Task.CRITICAL:
        return rolls.critical_asks(rules, state)
    if task == Task.CEASEFIRE:
        return areas.ceasefire_asks(rules, state)
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
        return combat.battle_asks(rules, state)
    return combat.fight_asks(rules, state)


@internal(types.void, RULES, STATE)
def proceed(rules: Rules, state: State) -> None:
    """Let the rules go on until somebody is asked, chance is needed, a step is to be shown, or the game is over."""
    state.drawer = NOBODY
    while True:
        if state.depth > 0:
            if task_asks(rules, state):
                return
        elif step_asks(rules, state):
            return


@internal(types.void, RULES, STATE, types.int64)
def rules_step(rules: Rules, state: State, node: int) -> None:
    """A step the rules take themselves."""
    if node == Node.RESHUFFLE:
        reshuffle_resolve(state)
    elif node == Node.ALLY_RP:
        take_ally_points(rules, state)
    elif node == Node.REVEAL:
        areas.reveal(rules, state)
    elif node == Node.COMPARE:
        areas.compare(state)
    elif node == Node.TYPE:
        fix_type(rules, state)
    elif node == Node.CHECK:
        final_phase.check(rules, state)
    else:
        final_phase.income(rules, state)


@internal(types.void, STATE, types.int64)
def step_apply(state: State, action: int) -> None:
    """Carry out an action that belongs to a step of the Turn and to no task."""
    node = state.node
    if node == Node.DRAW_EVENT:
        draw_event(state, action - Action.DRAW_EVENT)
    elif node == Node.DEAL_CARD:
        deal_card(state, action - Action.DEAL_CARD)
    elif node == Node.PLACE:
        place_cards(state, action)
    elif node == Node.DECLARE:
        state.declared[(action - Action.DECLARE) // 2] = (action - Action.DECLARE) % 2
    elif node == Node.CEASEFIRE:
        answer_ceasefire(state, action)
    else:
        state.order[state.ordered] = action - Action.AREA
        state.ordered += 1


@internal(types.boolean, RULES, STATE, types.int64)
def task_apply(rules: Rules, state: State, action: int) -> bool:
    """Carry out an action that belongs to the innermost task; True where it has asked for another one at once."""
    node = state.node
    task = state.stack[state.depth - 1].task
    if node == Node.ROLL:
        rolls.take_roll(rules, state, action)
    elif node == Node.WHO_FIRST:
        areas.choose_first(state, action - Action.FIRST)
    elif node == Node.ADD_ALLIES:
        information.allies_apply(state, action)
    elif task == Task.WINDOW:
        events.window_apply(state, action)
    elif task == Task.EVENT:
        return events.event_apply(rules, state, action)
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
        combat.battle_apply(rules, state, action)
    else:
        combat.fight_apply(rules, state, action)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def task_legal(rules: Rules, state: State, out: Legal) -> int:
    """The legal choices within the innermost task."""
    frame = state.stack[state.depth - 1]
    task = frame.task
    if state.node == Node.WHO_FIRST:
        out[0] = Action.FIRST + UA
        out[1] = Action.FIRST + RU
        return 2
    if state.node == Node.ADD_ALLIES:
        return information.allies_legal(state, out)
    if task == Task.WINDOW:
        return events.window_legal(state, frame.side, out)
    if task == Task.EVENT:
        return events.event_legal(rules, state, out)
    if task == Task.CRITICAL:
        return list_zones(rules, rolls.border_zones(rules, state), out, 0)
    if task == Task.MILITARY:
        return military.legal(rules, state, out)
    if task == Task.DIPLOMATIC:
        return diplomatic.legal(rules, state, out)
    if task == Task.INFORMATION:
        return information.legal(rules, state, out)
    if task == Task.HALF:
        return operations.legal(rules, state, out)
    if task == Task.BATTLE:
        return combat.battle_legal(rules, state, out)
    return combat.fight_legal(rules, state, out)


# The contract of a game (engine.game).


@internal(types.void, RULES, STATE, types.int64)
def set_up_side(rules: Rules, state: State, side: int) -> None:
    """What a side has at the start."""
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
    """The state after set-up (section 1.6), before the first Event Card."""
    for side in range(2):
        set_up_side(rules, state, side)
    for unit in range(MAX_UNITS):
        state.unit[unit] = rules.start_unit[unit]
    for country in range(N_COUNTRIES):
        state.box[country] = rules.start_box[country]
    for event in range(N_EVENTS):
        state.event[event] = EventPlace.IN_DECK
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
    """Who acts: UA, RU, CHANCE or OVER."""
    return int(state.mover)


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:
    """The sides that may act now, as bits: both while cards are placed and Turns declared in secret, else the actor."""
    if state.node == Node.PLACE:
        return (state.matrix[UA, Area.MILITARY] == Square.EMPTY) | (
            state.matrix[RU, Area.MILITARY] == Square.EMPTY
        ) << 1
    if state.node == Node.DECLARE and rules.options.open_declaration == 0:
        return (state.declared[UA] == TurnType.NOT_YET) | (state.declared[RU] == TurnType.NOT_YET) << 1
    return 1 << int(state.mover) if state.mover < CHANCE else 0


@compiled(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal actions of a side to `out`, int16[MAX_LEGAL]; returns how many, 0 if it is not asked."""
    if pending(rules, state) >> side & 1 == 0:
        return 0
    if state.depth > 0:
        return task_legal(rules, state, out)
    if state.node == Node.PLACE:
        return placement_legal(rules, state, side, out)
    if state.node == Node.DECLARE:
        out[0] = Action.DECLARE + 2 * side + TurnType.STRATEGIC
        out[1] = Action.DECLARE + 2 * side + TurnType.COMBAT
        return 2
    if state.node == Node.CEASEFIRE:
        out[0] = Action.REQUEST
        out[1] = Action.DONE
        return 2
    n = 0
    for area in range(N_AREAS):
        if is_to_resolve(state, area):
            out[n] = Action.AREA + area
            n += 1
    return n


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action of a side, of chance, or of the rules, in place; legality is checked at the edges."""
    if state.node <= Node.INCOME:
        rules_step(rules, state, state.node)
    elif state.depth == 0:
        step_apply(state, action)
    elif task_apply(rules, state, action):
        return
    proceed(rules, state)


@internal(types.int64, LEGAL, WEIGHTS)
def die_outcomes(out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """One die."""
    for face in range(6):
        out[face] = Action.DIE + face
        weights[face] = 1
    return 6


@internal(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def roll_outcomes(rules: Rules, state: State, out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """A resource roll: one die, or for a Maximum two."""
    if not rolls.rolls_two_dice(rules, state, state.drawer):
        return die_outcomes(out, weights)
    n = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            out[n] = pair_action(low, high)
            weights[n] = 1 if low == high else 2
            n += 1
    return n


@internal(types.int64, types.int64, LEGAL, WEIGHTS)
def sum_outcomes(dice: int, out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """The sum of some dice: weights are the numbers of ways."""
    for index in range(5 * dice + 1):
        out[index] = Action.DICE_SUM + dice + index
        weights[index] = index == 0
    for rolled in range(1, dice + 1):
        for index in range(5 * rolled, -1, -1):
            ways = 0
            for face in range(min(index, 5) + 1):
                ways += weights[index - face]
            weights[index] = ways
    return 5 * dice + 1


@internal(types.int64, types.int64, LEGAL, WEIGHTS)
def hits_outcomes(dice: int, out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """How many of some dice hit, two faces of six each: weights are ways out of 3^dice."""
    for hits in range(dice + 1):
        out[hits] = Action.HITS + hits
        weights[hits] = hits == 0
    for rolled in range(1, dice + 1):
        for hits in range(rolled, 0, -1):
            weights[hits] = 2 * weights[hits] + weights[hits - 1]
        weights[0] *= 2
    return dice + 1


@compiled(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """Write what chance (or the rules) may do to `out`, each with its weight, int64[MAX_LEGAL]; returns how many.

    The probability of an outcome is its weight divided by the sum of the weights.
    """
    node = state.node
    n = 0
    if node <= Node.INCOME:
        out[0] = Action.RULES_STEP + node
        weights[0] = 1
        n = 1
    elif node == Node.DRAW_EVENT:
        for event in range(N_EVENTS):
            if state.event[event] == EventPlace.IN_DECK:
                out[n] = Action.DRAW_EVENT + event
                weights[n] = 1
                n += 1
    elif node == Node.DEAL_CARD:
        for rank in range(N_RANKS):
            if state.pack[state.drawer, rank] > 0:
                out[n] = Action.DEAL_CARD + rank
                weights[n] = state.pack[state.drawer, rank]
                n += 1
    elif node == Node.ROLL:
        n = roll_outcomes(rules, state, out, weights)
    elif node == Node.DIE:
        n = die_outcomes(out, weights)
    elif node == Node.DICE_SUM:
        n = sum_outcomes(rules.rank[state.stack[state.depth - 1].country], out, weights)
    elif node == Node.HITS:
        n = hits_outcomes(combat.dice_at_once(state.stack[state.depth - 1].dice), out, weights)
    else:
        n = list_zones(rules, rolls.border_zones(rules, state), out, 0)
        for index in range(n):
            weights[index] = 1
    return n


@internal(types.int64, STATE, RANDOM)
def sample_event(state: State, random: Random) -> int:
    """A card of the event deck."""
    event = below(random, N_EVENTS)
    while state.event[event] != EventPlace.IN_DECK:
        event = below(random, N_EVENTS)
    return event


@internal(types.int64, STATE, RANDOM)
def sample_card(state: State, random: Random) -> int:
    """The rank, from 0, of a card of the drawer's pack."""
    pick = below(random, pack_size(state, state.drawer))
    rank = 0
    while pick >= state.pack[state.drawer, rank]:
        pick -= state.pack[state.drawer, rank]
        rank += 1
    return rank


@internal(types.int64, RULES, STATE, RANDOM)
def sample_zone(rules: Rules, state: State, random: Random) -> int:
    """A zone for Secession or Union."""
    zones = rolls.border_zones(rules, state)
    zone = below(random, MAX_ZONES)
    while zones >> zone & 1 == 0:
        zone = below(random, MAX_ZONES)
    return zone


@compiled(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:
    """Draw one outcome of chance by `outcomes`' distribution, without listing them."""
    node = state.node
    if node <= Node.INCOME:
        return Action.RULES_STEP + node
    if node == Node.DRAW_EVENT:
        return Action.DRAW_EVENT + sample_event(state, random)
    if node == Node.DEAL_CARD:
        return Action.DEAL_CARD + sample_card(state, random)
    if node == Node.ANY_ZONE:
        return Action.ZONE + sample_zone(rules, state, random)
    if node == Node.DICE_SUM:
        total = 0
        for _ in range(rules.rank[state.stack[state.depth - 1].country]):
            total += below(random, 6) + 1
        return Action.DICE_SUM + total
    if node == Node.HITS:
        hits = 0
        for _ in range(combat.dice_at_once(state.stack[state.depth - 1].dice)):
            hits += below(random, 3) == 0
        return Action.HITS + hits
    if node == Node.ROLL and rolls.rolls_two_dice(rules, state, state.drawer):
        one = below(random, 6) + 1
        other = below(random, 6) + 1
        return pair_action(min(one, other), max(one, other))
    return Action.DIE + below(random, 6)


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:  # noqa: ARG001 - the contract's signature
    """Write each side's utility, 1 won, -1 lost, 0 a draw, to float64[2]; returns the level, or NOT_OVER."""
    utility[UA] = 0.0
    utility[RU] = 0.0
    if state.winner != NOBODY:
        utility[state.winner] = 1.0
        utility[1 - state.winner] = -1.0
    return state.level
