"""Heuristic value of a 13 Days position for a side, in points of Prestige, judged from a view.

Nearly everything is a difference between the two sides. The numbers are in `weights`.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY, UN, US, Stage
from brinkmanship.games.cuban.tables import Op
from brinkmanship.games.thirteen_days.players.danger import war_share
from brinkmanship.games.thirteen_days.players.weights import WEIGHTS_TYPE, Weights
from brinkmanship.games.thirteen_days.rules.board import before_turns, in_turns, leader
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS
from brinkmanship.games.thirteen_days.rules.state import N_PLACES, N_TRACKS, STATE, CardIs, Node, State
from brinkmanship.games.thirteen_days.rules.tables import RULES, AgendaKind, Rules


@internal(types.int64, RULES, STATE, types.int64)
def plays_left(rules: Rules, state: State, side: int) -> int:
    """Return the number of cards a side will still play this round."""
    if before_turns(state):
        return int(rules.limits.turns_each)
    return max(state.hand[side] - 1, 0) if in_turns(state) else 0


@internal(types.float64, types.float64, types.float64)
def sureness(lead: float, reach: float) -> float:
    """Return how sure a lead is, from -1 (the other side's) to 1: fully sure once it is out of reach."""
    return min(max(lead / reach, -1.0), 1.0)


@internal(types.float64, STATE, types.int64, types.int64, types.float64)
def lead_on(state: State, side: int, place: int, reach: float) -> float:
    """Return how sure a side's lead on a battleground is."""
    return sureness(float(state.influence[side, place] - state.influence[1 - side, place]), reach)


@internal(types.float64, RULES, STATE, types.int64, types.float64)
def letter_kept(rules: Rules, state: State, side: int, reach: float) -> float:
    """Return how sure a side is to hold the Personal Letter when the agendas are resolved."""
    holds = 1.0 if state.letter == side else -1.0
    lead = lead_on(state, side, rules.bonus_place.letter, reach)
    return holds * (1.0 - abs(lead)) + lead


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.float64)
def award_expected(rules: Rules, state: State, side: int, agenda: int, reach: float) -> float:
    """Return the value of an agenda for a side; as `agenda_scoring.award`, but a lead within reach counts in part."""
    kind = rules.agendas[agenda].kind
    if kind == AgendaKind.LETTER:
        return float(rules.agendas[agenda].award * letter_kept(rules, state, side, reach))
    bonus = float(rules.agendas[agenda].bonus)
    if kind == AgendaKind.TRACK:
        track = rules.agendas[agenda].track
        lead = state.defcon[side, track] - state.defcon[1 - side, track]
    else:
        place = rules.agendas[agenda].place
        lead = state.influence[side, place] - state.influence[1 - side, place]
        leads = leader(state, place)
        for other in range(N_PLACES):
            if rules.agendas[agenda].connected >> other & 1 and leader(state, other) == leads:
                bonus += 1.0
    return float(lead + bonus * sureness(float(lead), reach))


@internal(types.float64, RULES, STATE, types.int64, types.boolean, types.float64)
def agendas_expected(rules: Rules, state: State, side: int, blind: bool, reach: float) -> float:
    """Return the value of both agendas for a side: those it knows, else the mean of those the flags allow.

    `blind` values both as an observer does.
    """
    total = 0.0
    for chooser in range(2):
        chosen = state.chosen[chooser]
        if chosen >= 0 and not blind:
            total += award_expected(rules, state, side, chosen, reach)
        elif state.dealt[chooser] > 0:
            points = 0.0
            for agenda in range(MAX_AGENDAS):
                copies = state.agenda_dealt[chooser, agenda]
                if copies > 0:
                    points += copies * award_expected(rules, state, side, agenda, reach)
            total += points / state.dealt[chooser]
    return total


@internal(types.float64, RULES, STATE, types.int64, WEIGHTS_TYPE)
def cost_of_markers(rules: Rules, state: State, side: int, weights: Weights) -> float:
    """Return the cost of the height of a side's markers in the remaining rounds."""
    rounds = rules.limits.rounds - state.round_number
    if rounds == 0:
        return 0.0
    cost = 0.0
    for track in range(N_TRACKS):
        step = min(state.defcon[side, track] + 1, rules.limits.top_step)
        cost += weights.height * step * rounds
        if rules.area[step] < 3:
            cost += weights.high
        if rules.area[step] == 1:
            cost += weights.high
    return cost


@internal(types.float64, RULES, STATE, types.int64, WEIGHTS_TYPE)
def cost_of_war(rules: Rules, state: State, side: int, weights: Weights) -> float:
    """Return the value for the other side of a side's danger of losing by war, given the plays left to avoid it."""
    share = war_share(rules, state, side)
    if share == 0.0:
        return 0.0
    left = plays_left(rules, state, side)
    if left == 0:
        return float(share * weights.war_0)
    if left == 1:
        return float(share * weights.war_1)
    return float(share * (weights.war_2 if left == 2 else weights.war_3))


@internal(types.float64, RULES, STATE, types.int64, WEIGHTS_TYPE)
def bonus_of_round(rules: Rules, state: State, side: int, weights: Weights) -> float:
    """Return the value for a side of modifiers and bans in force, by the cards it will still play."""
    left = plays_left(rules, state, side)
    return float(left * (weights.modifier * state.modifier[side] - weights.ban * state.ban[side]))


@internal(types.float64, RULES, STATE, types.int64, types.boolean, WEIGHTS_TYPE)
def board_value(rules: Rules, state: State, side: int, blind: bool, weights: Weights) -> float:
    """Return a side's value of cubes, markers, agendas, Prestige and the letter; `blind`: as an observer sees them."""
    other = 1 - side
    share_left = (plays_left(rules, state, side) + plays_left(rules, state, other)) / (2.0 * rules.limits.turns_each)
    reach = 1.0 + weights.reach * share_left
    rounds = rules.limits.rounds - state.round_number
    limit = float(rules.limits.lead)

    points = weights.agenda * (1.0 - weights.doubt * share_left) * agendas_expected(rules, state, side, blind, reach)
    ahead = state.prestige if side == US else -state.prestige
    value = weights.prestige * min(max(ahead + points, -limit), limit)

    letter = weights.letter + (weights.letter_decides if rounds == 0 else 0.0)
    value += letter * (1.0 if state.letter == side else -1.0)
    value += weights.television * lead_on(state, side, rules.bonus_place.defcon, reach)
    value += weights.united_nations * lead_on(state, side, rules.bonus_place.letter, reach)
    value += weights.alliances * lead_on(state, side, rules.bonus_place.draw, reach)
    cubes = 0
    for place in range(N_PLACES):
        cubes += state.influence[side, place] - state.influence[other, place]
    value += weights.presence * rounds * cubes

    value += cost_of_markers(rules, state, other, weights) - cost_of_markers(rules, state, side, weights)
    value += cost_of_war(rules, state, other, weights) - cost_of_war(rules, state, side, weights)
    value += bonus_of_round(rules, state, side, weights) - bonus_of_round(rules, state, other, weights)
    if state.first != NOBODY:
        value += weights.plays_last if state.first == other else -weights.plays_last
    return float(value)


@internal(types.float64, RULES, STATE, types.int64, WEIGHTS_TYPE)
def awaited_cards(rules: Rules, state: State, side: int, weights: Weights) -> float:
    """Return the value for a side of cards that chance is about to deal."""
    if state.node == Node.DRAW_FOR_ALLIANCES:
        return float(weights.alliances_card if state.drawer == side else -weights.alliances_card)
    if state.depth == 0:
        return 0.0
    frame = state.stack[state.depth - 1]
    value = 0.0
    if frame.stage == Stage.TAKES:
        value = weights.taken_card
    elif frame.effect != NOBODY and rules.effects[frame.effect].op == Op.EXCHANGE:
        value = weights.average_card * (frame.left if frame.stage == Stage.DRAWS else frame.count)
    return value if frame.chooser == side else -value


@internal(types.float64, RULES, STATE, types.int64, WEIGHTS_TYPE)
def cards_value(rules: Rules, state: State, side: int, weights: Weights) -> float:
    """Return the value for a side of the cards it knows: its hand, and its cards on the aftermath stack."""
    value = awaited_cards(rules, state, side, weights)
    best = -99
    stack = 0
    for card in range(rules.limits.cards):
        place = state.card[card]
        if place not in (CardIs.IN_HAND + side, CardIs.IN_AFTERMATH + side):
            continue
        belongs_to = rules.cards[card].side
        cubes = rules.cards[card].cubes
        counts = 0
        if belongs_to != UN:
            counts = cubes if belongs_to == side else -cubes
        if place == CardIs.IN_AFTERMATH + side:
            stack += counts
            continue
        best = max(best, counts)
        value += weights.hand_cube * cubes
        if belongs_to == side:
            value += weights.hand_own
        elif belongs_to != UN:
            value += weights.hand_enemy
    if best > -99:
        stack += best  # the card it will save
    return float(value + weights.aftermath * stack)
