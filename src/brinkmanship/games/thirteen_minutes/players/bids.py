"""The worth of a bid in 13 Minutes: the last card played against the cubes it costs.

Both sides lose what they bid. `judgement` gives the worth of going last for the cubes left on either side and
these cards in hand; `USUAL` the distribution of the other side's bids. A side seldom bids what is much worse than its
best bid, so that its bid does not reveal its hand.

In an equilibrium between two sides that know all this, almost all numbers would be bid about equally often, for
going last is worth more than most of the cubes. People bid few cubes; against them a little more than they bid is best.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.thirteen_minutes.players.judgement import FEATURES, HAND, TALLY, Tally, judge, supply_feature
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action, bid_action
from brinkmanship.games.thirteen_minutes.rules.knowledge import copy_state
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, STATE, CardIs, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

ALL_WEIGHTS = types.Array(types.float32, 2, "C", readonly=True)
"""The compiled type of all weights: float32[cards played, N_FEATURES]."""
CHANCES = types.Array(types.float64, 1, "C")

USUAL = np.array([0.02, 0.04, 0.12, 0.20, 0.22, 0.18, 0.10, 0.06, 0.04, 0.02])
"""How often the other side bids each number of cubes from 0 on: a guess at people; `greedy` bids two to five."""
MAX_BID = len(USUAL) - 1
"""Maximum bid considered: the worth of the few cubes left after a higher one was not learned."""
BENT = 0.02
"""Loss of chance to win that makes a bid e times less likely (softmax temperature)."""
PARTS = 1 << 20
"""Resolution of the random draw: chances are drawn in units of 1 / PARTS."""


@internal(types.float64, types.float64)
def as_chance(log_odds: float) -> float:
    """Return a probability from the logarithm of its odds."""
    return 1.0 / (1.0 + np.exp(-log_odds))


@internal(types.float64, STATE, ALL_WEIGHTS, types.int64)
def of_hidden_cards(view: State, weights: Any, last: int) -> float:
    """Return the average contribution of unknown hand cards to the log-odds of `last`."""
    unknown = 0
    for card in range(N_CARDS):
        unknown += view.card[card] == CardIs.UNKNOWN
    total = 0.0
    for side in range(2):
        missing = view.hand[side]
        first = HAND + (last * 2 + (side != last)) * N_CARDS
        all_unknown = 0.0
        for card in range(N_CARDS):
            if view.card[card] == CardIs.IN_HAND + side:
                missing -= 1
            elif view.card[card] == CardIs.UNKNOWN:
                all_unknown += weights[0, first + card]
        if missing > 0:
            total += all_unknown * missing / unknown
    return total


@internal(types.float64, RULES, STATE, ALL_WEIGHTS, types.int64, TALLY, FEATURES, STATE)
def odds_of(rules: Rules, view: State, weights: Any, last: int, tally: Tally, features: Any, trial: State) -> float:
    """Return the log-odds that a side wins if it plays the tenth card and no cubes were bid."""
    copy_state(view, trial)
    trial.first = 1 - last
    return judge(rules, trial, weights[0], last, tally, features) + of_hidden_cards(view, weights, last)


@internal(types.float64, ALL_WEIGHTS, types.int64, types.int64, types.int64)
def cost_of_bid(weights: Any, owner: int, supply: int, cubes: int) -> float:
    """Return the change in the log-odds of `last` when an owner has `cubes` fewer cubes."""
    return weights[0, supply_feature(owner, supply - cubes)] - weights[0, supply_feature(owner, supply)]


@internal(types.int64, RULES, STATE, types.int64, ALL_WEIGHTS, CHANCES, TALLY, FEATURES, STATE)
def weigh_bids(
    rules: Rules, view: State, side: int, weights: Any, values: Any, tally: Tally, features: Any, trial: State
) -> int:
    """Write the chance to win with each bid, 0 for bids not considered, and return the number of bids.

    Equal bids are repeated: they count as the mean of both outcomes with the cubes kept.
    """
    as_last = odds_of(rules, view, weights, side, tally, features, trial)
    as_first = odds_of(rules, view, weights, 1 - side, tally, features, trial)
    tie = 0.5 * (as_chance(as_last) + 1.0 - as_chance(as_first))
    own_supply = int(view.supply[side])
    other_supply = int(view.supply[1 - side])
    for own in range(own_supply + 1):
        values[own] = 0.0
    count = min(own_supply, MAX_BID) + 1
    for own in range(count):
        for other in range(min(other_supply, MAX_BID) + 1):
            if own == other:
                chance = tie
            elif own > other:
                odds = cost_of_bid(weights, 0, own_supply, own) + cost_of_bid(weights, 1, other_supply, other)
                chance = as_chance(as_last + odds)
            else:
                odds = cost_of_bid(weights, 1, own_supply, own) + cost_of_bid(weights, 0, other_supply, other)
                chance = 1.0 - as_chance(as_first + odds)
            values[own] += USUAL[other] * chance
    return count


@internal(types.int64, RULES, STATE, types.int64, RANDOM, ALL_WEIGHTS, CHANCES, TALLY, FEATURES, STATE)
def before_play(
    rules: Rules,
    view: State,
    side: int,
    random: Random,
    weights: Any,
    values: Any,
    tally: Tally,
    features: Any,
    trial: State,
) -> int:
    """Choose a bid or the first player; `values` gets the chance to win with each legal action, the rest is scratch."""
    if view.node == Node.FIRST:
        for first in range(2):
            chance = as_chance(odds_of(rules, view, weights, 1 - first, tally, features, trial))
            values[first] = chance if first != side else 1.0 - chance
        return Action.FIRST + (values[1] > values[0])
    count = weigh_bids(rules, view, side, weights, values, tally, features, trial)
    best = 0.0
    for own in range(count):
        best = max(best, values[own])
    total = 0.0
    for own in range(count):
        total += np.exp((values[own] - best) / BENT)
    drawn = total * below(random, PARTS) / PARTS
    for own in range(count):
        drawn -= np.exp((values[own] - best) / BENT)
        if drawn < 0.0:
            return bid_action(side, own)
    return bid_action(side, count - 1)
