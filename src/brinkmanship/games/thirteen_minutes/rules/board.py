"""Cubes and battlegrounds: the effects of cards, Commands and the scoring on the table."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_minutes.rules.state import (
    CUBA,
    MILITARY,
    N_CARDS,
    N_COLOURS,
    N_PLACES,
    STATE,
    Area,
    CardIs,
    Score,
    State,
)
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def room(rules: Rules, state: State, side: int, place: int) -> int:
    """Return the number of a side's cubes that still fit on a battleground (Q31)."""
    return rules.limits.cubes_on_place - state.influence[side, place]


@internal(types.int64, types.int64)
def sphere_of(side: int) -> int:
    """Return the sphere of a side."""
    return Area.US_SPHERE if side == US else Area.USSR_SPHERE


@internal(types.int64, STATE)
def on_table(state: State) -> int:
    """Return all battlegrounds on the table, as bits."""
    places = 0
    for place in range(N_PLACES):
        if state.area[place] != Area.OFF_TABLE:
            places |= 1 << place
    return places


@internal(types.void, STATE, types.int64, types.int64)
def pull(state: State, place: int, side: int) -> None:
    """Move a battleground one step toward a side; a step beyond its sphere is dropped (Q18)."""
    if side == US and state.area[place] > Area.US_SPHERE:
        state.area[place] -= 1
    elif side == USSR and state.area[place] < Area.USSR_SPHERE:
        state.area[place] += 1


@compiled(types.int64, STATE, types.int64)
def controller(state: State, place: int) -> int:
    """Return the controller of a battleground: more cubes, else the owner of its sphere, else NOBODY (section 5.5)."""
    us = state.influence[US, place]
    ussr = state.influence[USSR, place]
    if us != ussr:
        return US if us > ussr else USSR
    if state.area[place] == Area.US_SPHERE:
        return US
    if state.area[place] == Area.USSR_SPHERE:
        return USSR
    return NOBODY


@compiled(types.int64, RULES, STATE, types.int64)
def colour_of(rules: Rules, state: State, place: int) -> int:
    """Return the colour of a battleground, index in COLOURS; NOBODY for Cuba while it lies face down (Q28)."""
    card = state.cuba_card if place == CUBA else place
    return rules.cards[card].colour if card != NOBODY else NOBODY


@internal(types.void, RULES, STATE)
def score_battlegrounds(rules: Rules, state: State) -> None:
    """Score step 1: 1 Prestige for each battleground controlled, 2 for Cuba."""
    for place in range(N_PLACES):
        if state.area[place] != Area.OFF_TABLE:
            side = controller(state, place)
            if side != NOBODY:
                points = rules.limits.for_cuba if place == CUBA else rules.limits.for_battleground
                state.score[side, Score.BATTLEGROUNDS] += points


@compiled(types.int64, RULES, STATE, types.int64)
def military_controlled(rules: Rules, state: State, side: int) -> int:
    """Return the number of orange battlegrounds a side controls; Cuba, once turned up, counts as one (Q36)."""
    count = 0
    for place in range(N_PLACES):
        if state.area[place] != Area.OFF_TABLE and colour_of(rules, state, place) == MILITARY:
            count += controller(state, place) == side
    return count


@internal(types.void, RULES, STATE)
def score_military(rules: Rules, state: State) -> None:
    """Score step 2: the side that controls more orange battlegrounds gains Prestige (Q37)."""
    us = military_controlled(rules, state, US)
    ussr = military_controlled(rules, state, USSR)
    if us != ussr:
        state.score[US if us > ussr else USSR, Score.MILITARY] += rules.limits.for_military


@compiled(types.int64, RULES, STATE, types.int64)
def aftermath_sum(rules: Rules, state: State, side: int) -> int:
    """Return the cubes pictured on a side's cards among the two that were shown, whichever side held them (Q38)."""
    total = 0
    for card in range(N_CARDS):
        if state.card[card] >= CardIs.SHOWN and state.card[card] <= CardIs.SHOWN + 1 and rules.cards[card].side == side:
            total += rules.cards[card].cubes
    return total


@internal(types.int64, STATE, types.int64)
def shown_by(state: State, side: int) -> int:
    """Return the last hand card a side showed, or NOBODY."""
    for card in range(N_CARDS):
        if state.card[card] == CardIs.SHOWN + side:
            return card
    return NOBODY


@internal(types.void, RULES, STATE)
def score_aftermath(rules: Rules, state: State) -> None:
    """Score step 3, after the cards were shown.

    Prestige for the higher sum; cards of one colour join the spheres (Q40).
    """
    us = aftermath_sum(rules, state, US)
    ussr = aftermath_sum(rules, state, USSR)
    if us != ussr:
        state.score[US if us > ussr else USSR, Score.AFTERMATH] += rules.limits.for_aftermath
    held_by_us = shown_by(state, US)
    held_by_ussr = shown_by(state, USSR)
    if held_by_us == NOBODY or held_by_ussr == NOBODY:
        return
    if rules.cards[held_by_us].colour == rules.cards[held_by_ussr].colour:
        state.area[held_by_us] = Area.US_SPHERE
        state.area[held_by_ussr] = Area.USSR_SPHERE


@compiled(types.int64, RULES, STATE, types.int64, types.int64)
def cards_of_colour(rules: Rules, state: State, area: int, colour: int) -> int:
    """Return the number of cards of a colour that lie in an area; face-down Cuba has none."""
    count = 0
    for place in range(N_PLACES):
        if state.area[place] == area and colour_of(rules, state, place) == colour:
            count += 1
    return count


@compiled(types.int64, STATE, types.int64)
def battlegrounds_in(state: State, area: int) -> int:
    """Return the number of battlegrounds that lie in an area, Cuba counting as one (Q43)."""
    count = 0
    for place in range(N_PLACES):
        count += state.area[place] == area
    return count


@compiled(types.boolean, RULES, STATE, types.int64)
def triggers_war(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side has three or more cards of one colour in its own sphere (section 5.5, step 4; Q41)."""
    sphere = sphere_of(side)
    if battlegrounds_in(state, sphere) < rules.limits.war_cards:
        return False
    counts = 0  # of every colour at once, four bits each
    for place in range(N_PLACES):
        if state.area[place] == sphere:
            colour = colour_of(rules, state, place)
            if colour != NOBODY:
                counts += 1 << 4 * colour
    most = 0
    for colour in range(N_COLOURS):
        most = max(most, counts >> 4 * colour & 15)
    return most >= rules.limits.war_cards


@compiled(types.int64, STATE, types.int64)
def prestige(state: State, side: int) -> int:
    """Return the total Prestige a side has scored."""
    return (
        state.score[side, Score.BATTLEGROUNDS] + state.score[side, Score.MILITARY] + state.score[side, Score.AFTERMATH]
    )
