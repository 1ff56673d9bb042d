"""Exact endgame solver of 13 Minutes: the chance to win with a table, over all deals of face-down Cuba and the hands.

In the tenth turn all cards but two have been seen: Cuba and the last card in the other hand, either way round. A deal
of them fixes the whole scoring (section 5.5), so a table is worth the share of deals that it wins. A battleground's
contribution to the scoring is one number, its *share*: bit fields for Prestige, military battlegrounds, battlegrounds
in spheres, and cards of a colour in spheres. Shares add up; a move subtracts one and adds another.
"""

from __future__ import annotations

from typing import Any

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_minutes.rules.board import colour_of
from brinkmanship.games.thirteen_minutes.rules.state import (
    CUBA,
    MILITARY,
    N_CARDS,
    N_COLOURS,
    N_PLACES,
    STATE,
    Area,
    CardIs,
    State,
)
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules, Tiebreak

DEALS = types.Array(types.int64, 1, "C")

MAX_DEALS = 3
DEAL = 4
"""Numbers for each deal, from entry 1 on: its total, the colour of Cuba, the last card of the US, that of the USSR."""
DECIDER = 1 + MAX_DEALS * DEAL
"""Index of the entry for the deciding side: a defeat by its own war counts as worse than any other defeat."""
N_DEALS = DECIDER + 1
"""Length of the array of deals; entry 0 is their number."""

MARGIN_COUNTS = 0.0002
"""Bonus per point of Prestige between tables that win the same deals: it keeps a lead in case of a later error."""
MAX_BY_MARGIN = 20 * MARGIN_COUNTS
"""Maximum bonus for a lead."""
WAR_COUNTS = MAX_DEALS * MAX_BY_MARGIN
"""Extra cost of a defeat by war over a defeat by 0 points: even in one deal of three it exceeds any lead.

It applies to the deciding side only: if a win by war were that much better than another win, a side that wins anyway
would seek war.
"""
FINEST = 12
"""Denominator of shares: with up to three deals, each won, drawn or lost, any share is a number of twelfths.

All bonuses together are less than half a twelfth.
"""

# Offsets of the bit fields of a share. Those with a side come in pairs, US first.
POINTS, ORANGE, IN_SPHERE, OF_COLOUR = 0, 10, 18, 26
WIDE, NARROW = 5, 4
COLOURS_WIDTH = N_COLOURS * NARROW


@internal(types.int64, types.int64, types.int64, types.int64, types.int64, types.int64)
def share(colour: int, points: int, area: int, us: int, ussr: int) -> int:
    """Return the share of a battleground of a colour (NOBODY: none) with these cubes: what it adds to the scoring."""
    if us != ussr:
        holder = US if us > ussr else USSR
    elif area == Area.NEUTRAL:
        holder = NOBODY
    else:
        holder = US if area == Area.US_SPHERE else USSR
    total = 0
    if holder != NOBODY:
        total = int(points) << POINTS + WIDE * holder
        if colour == MILITARY:
            total += 1 << ORANGE + NARROW * holder
    if area != Area.NEUTRAL:
        owner = US if area == Area.US_SPHERE else USSR
        total += 1 << IN_SPHERE + NARROW * owner
        if colour != NOBODY:
            total += 1 << OF_COLOUR + COLOURS_WIDTH * owner + NARROW * int(colour)
    return total


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def share_of(rules: Rules, state: State, place: int, cuba_colour: int) -> int:
    """Return the share of a battleground as it lies."""
    is_cuba = place == CUBA
    colour = cuba_colour if is_cuba else colour_of(rules, state, place)
    points = rules.limits.for_cuba if is_cuba else rules.limits.for_battleground
    return share(colour, points, state.area[place], state.influence[US, place], state.influence[USSR, place])


@internal(types.boolean, RULES, types.int64, types.int64)
def is_at_war(rules: Rules, total: int, side: int) -> bool:
    """Return True if a side has too many cards of one colour in its sphere."""
    counts = total >> OF_COLOUR + COLOURS_WIDTH * side
    most = 0
    for colour in range(N_COLOURS):
        most = max(most, counts >> NARROW * colour & 15)
    return most >= rules.limits.war_cards


@internal(types.float64, RULES, types.int64, types.int64, types.int64)
def points_won(rules: Rules, total: int, side: int, decider: int) -> float:
    """Return the value for a side: 1 for a win, 1/2 for no winner; plus a bonus for the lead, minus a cost of war."""
    own_war = is_at_war(rules, total, side)
    other_war = is_at_war(rules, total, 1 - side)
    if own_war and other_war:
        return 0.5
    if own_war:
        return -WAR_COUNTS if side == decider else 0.0
    if other_war:
        return 1.0 if side == decider else 1.0 + WAR_COUNTS
    lead = (total >> POINTS + WIDE * side & 31) - (total >> POINTS + WIDE * (1 - side) & 31)
    orange = (total >> ORANGE + NARROW * side & 15) - (total >> ORANGE + NARROW * (1 - side) & 15)
    if orange != 0:
        lead += rules.limits.for_military if orange > 0 else -rules.limits.for_military
    trifle = MARGIN_COUNTS * lead
    if lead == 0 and rules.options.tiebreak == Tiebreak.OWN_SPHERE:
        lead = (total >> IN_SPHERE + NARROW * side & 15) - (total >> IN_SPHERE + NARROW * (1 - side) & 15)
    return trifle + (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)


@internal(types.int64, RULES, types.int64, types.int64)
def of_aftermath(rules: Rules, held_by_us: int, held_by_ussr: int) -> int:
    """Return the share of the last two cards: a point, and a card in either sphere if their colours match."""
    total = 0
    sums = 0
    for card in (held_by_us, held_by_ussr):
        side = rules.cards[card].side
        if side == US:
            sums += rules.cards[card].cubes
        elif side == USSR:
            sums -= rules.cards[card].cubes
    if sums != 0:
        total += int(rules.limits.for_aftermath) << POINTS + WIDE * (US if sums > 0 else USSR)
    colour = int(rules.cards[held_by_us].colour)
    if colour == rules.cards[held_by_ussr].colour:
        for side in range(2):
            total += 1 << IN_SPHERE + NARROW * side
            total += 1 << OF_COLOUR + COLOURS_WIDTH * side + NARROW * colour
    return total


@internal(types.void, STATE, DEALS)
def list_deals(state: State, deals: Any) -> None:
    """Write every deal of the unknown cards to Cuba and one hand; totals are filled in by `count_deals`.

    The tenth card has been played: each side holds one card, and at most one hand is unknown. If this does not hold
    (e.g. before the tenth card, or once Cuba is turned up), no deals are written.
    """
    deals[0] = 0
    held_by_us = NOBODY
    held_by_ussr = NOBODY
    unknown = 0
    sum_of_unknown = 0
    for card in range(N_CARDS):
        if state.card[card] == CardIs.IN_HAND:
            held_by_us = card
        elif state.card[card] == CardIs.IN_HAND + 1:
            held_by_ussr = card
        elif state.card[card] == CardIs.UNKNOWN or state.card[card] == CardIs.IN_PILE:
            unknown += 1
            sum_of_unknown += card
    missing = int(held_by_us == NOBODY) + int(held_by_ussr == NOBODY)
    if state.hand[US] != 1 or state.hand[USSR] != 1 or unknown != 1 + missing or missing > 1:
        return
    for card in range(N_CARDS):
        if state.card[card] == CardIs.UNKNOWN or state.card[card] == CardIs.IN_PILE:
            rest = sum_of_unknown - card
            at = 1 + DEAL * deals[0]
            deals[at + 1] = card
            deals[at + 2] = rest if held_by_us == NOBODY else held_by_us
            deals[at + 3] = rest if held_by_ussr == NOBODY else held_by_ussr
            deals[0] += 1


@internal(types.void, RULES, STATE, DEALS)
def count_deals(rules: Rules, state: State, deals: Any) -> None:
    """Fill in the totals of all deals, and replace the card of Cuba by its colour."""
    common = 0
    for place in range(N_PLACES):
        if state.area[place] != Area.OFF_TABLE and place != CUBA:
            common += share_of(rules, state, place, NOBODY)
    for deal in range(deals[0]):
        at = 1 + DEAL * deal
        deals[at + 1] = rules.cards[deals[at + 1]].colour
        deals[at] = common + share_of(rules, state, CUBA, deals[at + 1])
        deals[at] += of_aftermath(rules, deals[at + 2], deals[at + 3])


@internal(types.float64, RULES, DEALS, types.int64)
def share_won(rules: Rules, deals: Any, side: int) -> float:
    """Return the mean game value of the counted table for a side, over the deals."""
    won = 0.0
    for deal in range(deals[0]):
        won += points_won(rules, deals[1 + DEAL * deal], side, deals[DECIDER])
    return won / deals[0]


@internal(types.float64, RULES, STATE, DEALS, types.int64, types.int64, types.int64, types.int64, types.int64)
def share_won_with(
    rules: Rules, state: State, deals: Any, side: int, place: int, owner: int, cubes: int, area: int
) -> float:
    """Return the same after `owner` has `cubes` more cubes on a battleground, which then lies in `area`."""
    us = int(state.influence[US, place]) + cubes * (owner == US)
    ussr = int(state.influence[USSR, place]) + cubes * (owner == USSR)
    is_cuba = place == CUBA
    points = rules.limits.for_cuba if is_cuba else rules.limits.for_battleground
    colour = colour_of(rules, state, place)
    change = 0
    won = 0.0
    for deal in range(deals[0]):
        at = 1 + DEAL * deal
        if is_cuba or deal == 0:
            if is_cuba:
                colour = deals[at + 1]
            change = share(colour, points, area, us, ussr) - share_of(rules, state, place, colour)
        won += points_won(rules, deals[at] + change, side, deals[DECIDER])
    return won / deals[0]
