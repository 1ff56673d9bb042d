"""Evaluation of a position of 13 Minutes for a side, in points of Prestige, from what a view shows."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.thirteen_minutes.rules.board import cards_of_colour, controller, military_controlled, sphere_of
from brinkmanship.games.thirteen_minutes.rules.state import (
    CUBA,
    N_CARDS,
    N_COLOURS,
    N_PLACES,
    STATE,
    Area,
    CardIs,
    State,
)
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

# In points of Prestige; found by matches against `random` and against changed tables (`lab.matches.match`).
LEAD = 0.18  # a cube of lead on a battleground, up to SAFE of them: it keeps control
SAFE = 3
SUPPLY = 0.06  # a cube that can still be placed
HELD = 0.08  # a cube pictured on an own card in hand; one of the opponent's cards counts against the side
WAR = 30.0  # having lost by war
WAR_LATER = 8.0  # being at war in earlier turns, when there is time to correct it
NEAR_WAR = 2.0  # one card short of it
CUBA_UNKNOWN = 0.35  # the chance that face-down Cuba is of the harmful colour


@internal(types.float64, RULES, STATE, types.int64)
def cost_of_war(rules: Rules, state: State, side: int) -> float:
    """Return the cost of the colours in a side's own sphere."""
    share_left = (rules.limits.last_turn - state.turn) / rules.limits.last_turn
    sphere = sphere_of(side)
    hidden = CUBA_UNKNOWN if state.cuba_card == NOBODY and state.area[CUBA] == sphere else 0.0
    cost = 0.0
    for colour in range(N_COLOURS):
        short = rules.limits.war_cards - cards_of_colour(rules, state, sphere, colour)
        if short <= 0:
            cost += WAR if share_left <= 0.0 else WAR_LATER + (WAR / 3.0) * (1.0 - share_left)
        elif short == 1:
            cost += NEAR_WAR + hidden * WAR_LATER
    return cost


@internal(types.float64, RULES, STATE, types.int64)
def table_value(rules: Rules, state: State, side: int) -> float:
    """Return the worth of the table to a side; it does not depend on cards that a view hides."""
    value = 0.0
    for place in range(N_PLACES):
        if state.area[place] == Area.OFF_TABLE:
            continue
        points = rules.limits.for_cuba if place == CUBA else rules.limits.for_battleground
        holder = controller(state, place)
        if holder != NOBODY:
            value += points if holder == side else -points
        lead = state.influence[side, place] - state.influence[1 - side, place]
        value += LEAD * points * min(max(lead, -SAFE), SAFE)
    military = military_controlled(rules, state, side) - military_controlled(rules, state, 1 - side)
    value += 0.5 * rules.limits.for_military * min(max(military, -2), 2)
    value += SUPPLY * (state.supply[side] - state.supply[1 - side])
    return value + cost_of_war(rules, state, 1 - side) - cost_of_war(rules, state, side)


@internal(types.float64, RULES, STATE, types.int64)
def hand_value(rules: Rules, state: State, side: int) -> float:
    """Return the worth of a side's hand in the aftermath."""
    value = 0.0
    for card in range(N_CARDS):
        if state.card[card] == CardIs.IN_HAND + side:
            if rules.cards[card].side == side:
                value += HELD * rules.cards[card].cubes
            elif rules.cards[card].side == 1 - side:
                value -= HELD * rules.cards[card].cubes
    return value
