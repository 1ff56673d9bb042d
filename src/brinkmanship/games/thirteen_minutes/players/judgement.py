r"""Evaluation of a position of 13 Minutes once the card in play is over: named features, each with a fitted weight.

Everything is seen from `last`, the side that plays the tenth card: going last is the largest single advantage of this
game (F12), so the same table means something else for it than for `1 - last`. An *owner* is 0 for `last` and 1 for the
other side; a *sphere* here is 0 for that of `last`, 1 for the neutral area, 2 for the other side's. The sum of the
weights of all features is the logarithm of the odds that `last` wins; `weights` holds them, one row for each number
of cards played, and `brinkmanship.games.thirteen_minutes.training.value` fits them.

| features | one for each |
|---|---|
| PLACE | kind of battleground (Cuba or not), sphere, cubes of either owner on it |
| MARGIN | lead in Prestige of battlegrounds, were the game over now |
| MILITARY | lead in military battlegrounds |
| COLOUR | owner, cards of a colour in its sphere, neutral ones that the other side can push there (it has cubes on \
them), cards of the colour not yet seen, whether the owner could take one out again, whether face-down Cuba lies there |
| SUPPLY | owner, cubes left |
| HAND | which superpower goes last, owner, card in its hand |
| SIDE | which superpower goes last |

A `Tally` holds the counts behind the features, so that the change by a move can be judged without recounting.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY, US
from brinkmanship.games.thirteen_minutes.rules.board import colour_of
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
from brinkmanship.games.thirteen_minutes.rules.state import MILITARY as ORANGE
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

MAX_CUBES = 5  # more on one battleground are as good as these
MAX_LEAD = 6
MAX_MILITARY = 2
MAX_SUPPLY = 13
MAX_IN_SPHERE, MAX_THREATS, MAX_UNSEEN = 4, 2, 2
N_CUBES = MAX_CUBES + 1
N_OF_COLOUR = (MAX_IN_SPHERE + 1) * (MAX_THREATS + 1) * (MAX_UNSEEN + 1) * 2 * 2

PLACE = 0
MARGIN = PLACE + 2 * 3 * N_CUBES * N_CUBES
MILITARY = MARGIN + 2 * MAX_LEAD + 1
COLOUR = MILITARY + 2 * MAX_MILITARY + 1
SUPPLY = COLOUR + 2 * N_OF_COLOUR
HAND = SUPPLY + 2 * (MAX_SUPPLY + 1)
SIDE = HAND + 2 * 2 * N_CARDS
N_FEATURES = SIDE + 2

MAX_AT_ONCE = N_PLACES + 2 + 2 * N_COLOURS + 2 + N_CARDS + 1
"""Maximum number of features of a position; each is present or absent."""

WEIGHTS = types.Array(types.float32, 1, "C", readonly=True)
"""The compiled type of the weights for one number of cards played: float32[N_FEATURES]."""
TALLY = types.Array(types.int64, 1, "C")
FEATURES = types.Array(types.int16, 1, "C")

Weights = npt.NDArray[np.float32]
Tally = npt.NDArray[np.int64]
"""int64[N_TALLY]: see the constants below."""

IN_SPHERE = 0  # + owner * N_COLOURS + colour: cards of a colour in the owner's sphere
MOVABLE = 6  # likewise: those of them on which the owner has cubes, so that removing these takes the card out
THREATS = 12  # likewise: neutral cards of the colour with cubes of the other side
UNSEEN = 18  # + colour: cards of a colour that are not on the table
LEAD = 21  # in Prestige of battlegrounds
LEAD_MILITARY = 22
CUBES_LEFT = 23  # + owner
CUBA_IN = 25  # + owner: whether face-down Cuba lies in its sphere
N_TALLY = 27


@internal(types.int64, STATE)
def who_is_last(state: State) -> int:
    """Return the side that plays the tenth card."""
    return int(1 - state.first)


@internal(types.int64, types.int64, types.int64)
def sphere_for(area: int, last: int) -> int:
    """Return an area as `last` sees it: 0 its own sphere, 1 the neutral area, 2 the other side's."""
    return area if last == US else Area.USSR_SPHERE - area


@internal(types.int64, types.int64, types.int64, types.int64)
def holds(sphere: int, own: int, other: int) -> int:
    """Return 1 if `last` controls a battleground, -1 if the other side does, else 0."""
    if own != other:
        return 1 if own > other else -1
    return 1 - sphere


@internal(types.int64, types.int64, types.int64, types.int64, types.int64)
def place_feature(is_cuba: int, sphere: int, own: int, other: int) -> int:
    """Return the feature of one battleground."""
    kind = int(is_cuba) * 3 + int(sphere)
    return PLACE + (kind * N_CUBES + min(int(own), MAX_CUBES)) * N_CUBES + min(int(other), MAX_CUBES)


@internal(types.int64, TALLY, types.int64, types.int64, types.int64, types.int64, types.int64)
def colour_feature(tally: Tally, owner: int, colour: int, more: int, more_movable: int, more_threats: int) -> int:
    """Return the feature of a colour for an owner, with these additions to its sphere, movable cards and threats."""
    at = owner * N_COLOURS + colour
    unseen = min(tally[UNSEEN + colour], MAX_UNSEEN)
    found = min(tally[IN_SPHERE + at] + more, MAX_IN_SPHERE)
    found = found * (MAX_THREATS + 1) + min(tally[THREATS + at] + more_threats, MAX_THREATS)
    found = found * (MAX_UNSEEN + 1) + unseen
    found = found * 2 + (tally[MOVABLE + at] + more_movable > 0)
    found = found * 2 + (tally[CUBA_IN + owner] if unseen > 0 else 0)
    return COLOUR + owner * N_OF_COLOUR + found


@internal(types.int64, types.int64)
def margin_feature(lead: int) -> int:
    """Return the feature of a lead in Prestige."""
    return MARGIN + min(max(lead, -MAX_LEAD), MAX_LEAD) + MAX_LEAD


@internal(types.int64, types.int64)
def military_feature(lead: int) -> int:
    """Return the feature of a lead in military battlegrounds."""
    return MILITARY + min(max(lead, -MAX_MILITARY), MAX_MILITARY) + MAX_MILITARY


@internal(types.int64, types.int64, types.int64)
def supply_feature(owner: int, cubes: int) -> int:
    """Return the feature of an owner's supply."""
    return SUPPLY + int(owner) * (MAX_SUPPLY + 1) + min(int(cubes), MAX_SUPPLY)


@internal(types.void, RULES, STATE, types.int64, TALLY)
def count_up(rules: Rules, state: State, last: int, tally: Tally) -> None:
    """Fill a tally, int64[N_TALLY]."""
    for entry in range(N_TALLY):
        tally[entry] = 0
    for card in range(N_CARDS):
        tally[UNSEEN + rules.cards[card].colour] += 1
    for place in range(N_PLACES):
        if state.area[place] == Area.OFF_TABLE:
            continue
        own = int(state.influence[last, place])
        other = int(state.influence[1 - last, place])
        sphere = sphere_for(int(state.area[place]), last)
        colour = colour_of(rules, state, place)
        holder = holds(sphere, own, other)
        tally[LEAD] += holder * (rules.limits.for_cuba if place == CUBA else rules.limits.for_battleground)
        if colour == NOBODY:
            if sphere != 1:
                tally[CUBA_IN + sphere // 2] = 1
            continue
        tally[UNSEEN + colour] -= 1
        if colour == ORANGE:
            tally[LEAD_MILITARY] += holder
        if sphere == 1:
            tally[THREATS + colour] += other > 0
            tally[THREATS + N_COLOURS + colour] += own > 0
        else:
            owner = sphere // 2
            tally[IN_SPHERE + owner * N_COLOURS + colour] += 1
            tally[MOVABLE + owner * N_COLOURS + colour] += (own if owner == 0 else other) > 0
    tally[CUBES_LEFT] = state.supply[last]
    tally[CUBES_LEFT + 1] = state.supply[1 - last]


@internal(types.int64, STATE, types.int64, TALLY, FEATURES)
def write_features(state: State, last: int, tally: Tally, out: Any) -> int:
    """Write the features of a position to `out`, int16[MAX_AT_ONCE], from a filled `tally`; return their number."""
    n = 0
    for place in range(N_PLACES):
        if state.area[place] != Area.OFF_TABLE:
            own = int(state.influence[last, place])
            other = int(state.influence[1 - last, place])
            out[n] = place_feature(place == CUBA, sphere_for(int(state.area[place]), last), own, other)
            n += 1
    out[n] = margin_feature(tally[LEAD])
    out[n + 1] = military_feature(tally[LEAD_MILITARY])
    n += 2
    for owner in range(2):
        for colour in range(N_COLOURS):
            out[n] = colour_feature(tally, owner, colour, 0, 0, 0)
            n += 1
        out[n] = supply_feature(owner, tally[CUBES_LEFT + owner])
        n += 1
    for card in range(N_CARDS):
        if CardIs.IN_HAND <= state.card[card] <= CardIs.IN_HAND + 1:
            owner = state.card[card] - CardIs.IN_HAND != last
            out[n] = HAND + (last * 2 + owner) * N_CARDS + card
            n += 1
    out[n] = SIDE + last
    return n + 1


@internal(types.float64, STATE, WEIGHTS, types.int64, TALLY, FEATURES)
def judge_counted(state: State, weights: Weights, last: int, tally: Tally, out: Any) -> float:
    """Return the log-odds that `last` wins, from a filled tally."""
    total = 0.0
    for number in range(write_features(state, last, tally, out)):
        total += weights[out[number]]
    return total


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, FEATURES)
def judge(rules: Rules, state: State, weights: Weights, last: int, tally: Tally, out: Any) -> float:
    """Return the log-odds that `last` wins; fill the tally."""
    count_up(rules, state, last, tally)
    return judge_counted(state, weights, last, tally, out)


@internal(types.float64, WEIGHTS, TALLY, types.int64, types.int64, types.int64, types.int64, types.int64)
def colour_gain(
    weights: Weights, tally: Tally, owner: int, colour: int, more: int, movable: int, threats: int
) -> float:
    """Return the change for an owner with these additions of a colour in its sphere, movable cards and threats."""
    if more == 0 and movable == 0 and threats == 0:
        return 0.0
    return (
        weights[colour_feature(tally, owner, colour, more, movable, threats)]
        - weights[colour_feature(tally, owner, colour, 0, 0, 0)]
    )


@internal(types.float64, WEIGHTS, TALLY, types.int64, types.int64)
def cuba_gain(weights: Weights, tally: Tally, before: int, after: int) -> float:
    """Return the change for the colours when face-down Cuba moves from one sphere to another."""
    gain = 0.0
    for owner in range(2):
        now = int(before == 2 * owner)
        then = int(after == 2 * owner)
        if now != then:
            for colour in range(N_COLOURS):
                gain -= weights[colour_feature(tally, owner, colour, 0, 0, 0)]
                tally[CUBA_IN + owner] = then
                gain += weights[colour_feature(tally, owner, colour, 0, 0, 0)]
                tally[CUBA_IN + owner] = now
    return gain


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, types.int64, types.int64, types.int64, types.int64)
def gain_of_cubes(
    rules: Rules, state: State, weights: Weights, last: int, tally: Tally, place: int, owner: int, cubes: int, area: int
) -> float:
    """Return the part of `gain_of` for the battleground itself, the leads and the supply."""
    own = state.influence[last, place]
    other = state.influence[1 - last, place]
    sphere = sphere_for(state.area[place], last)
    new_own = own + cubes * (owner == 0)
    new_other = other + cubes * (owner == 1)
    new_sphere = sphere_for(area, last)
    is_cuba = int(place == CUBA)
    gain = float(weights[place_feature(is_cuba, new_sphere, new_own, new_other)])
    gain -= weights[place_feature(is_cuba, sphere, own, other)]
    if cubes != 0:
        left = tally[CUBES_LEFT + owner]
        gain += weights[supply_feature(owner, left - cubes)] - weights[supply_feature(owner, left)]
    turned = holds(new_sphere, new_own, new_other) - holds(sphere, own, other)
    if turned != 0:
        lead = tally[LEAD]
        points = rules.limits.for_cuba if place == CUBA else rules.limits.for_battleground
        gain += weights[margin_feature(lead + points * turned)] - weights[margin_feature(lead)]
        if colour_of(rules, state, place) == ORANGE:
            lead = tally[LEAD_MILITARY]
            gain += weights[military_feature(lead + turned)] - weights[military_feature(lead)]
    return gain


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, types.int64, types.int64, types.int64, types.int64)
def gain_of_colour(
    rules: Rules, state: State, weights: Weights, last: int, tally: Tally, place: int, owner: int, cubes: int, area: int
) -> float:
    """Return the part of `gain_of` for the colours in the spheres: the same for any number of cubes placed."""
    own = state.influence[last, place]
    other = state.influence[1 - last, place]
    sphere = sphere_for(state.area[place], last)
    new_own = own + cubes * (owner == 0)
    new_other = other + cubes * (owner == 1)
    new_sphere = sphere_for(area, last)
    colour = colour_of(rules, state, place)
    if colour == NOBODY:
        return 0.0 if sphere == new_sphere else cuba_gain(weights, tally, sphere, new_sphere)
    more = int(new_sphere == 0) - int(sphere == 0)
    movable = int(new_sphere == 0 and new_own > 0) - int(sphere == 0 and own > 0)
    threats = int(new_sphere == 1 and new_other > 0) - int(sphere == 1 and other > 0)
    gain = colour_gain(weights, tally, 0, colour, more, movable, threats)
    more = int(new_sphere == 2) - int(sphere == 2)
    movable = int(new_sphere == 2 and new_other > 0) - int(sphere == 2 and other > 0)
    threats = int(new_sphere == 1 and new_own > 0) - int(sphere == 1 and own > 0)
    return gain + colour_gain(weights, tally, 1, colour, more, movable, threats)


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, TALLY, types.int64, types.int64, types.int64, types.int64)
def gain_of(
    rules: Rules, state: State, weights: Weights, last: int, tally: Tally, place: int, owner: int, cubes: int, area: int
) -> float:
    """Return the change when an owner has `cubes` more cubes on a battleground, which then lies in `area`.

    The cubes come from the owner's supply.
    """
    gain = gain_of_cubes(rules, state, weights, last, tally, place, owner, cubes, area)
    return gain + gain_of_colour(rules, state, weights, last, tally, place, owner, cubes, area)
