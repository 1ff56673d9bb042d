"""The quick policy of card-driven games: any card, and the choice on the board after which `hooks.outlook` is best."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import RULES, STATE, shared, template
from brinkmanship.games.card_driven.rules.course import cost, in_reach, nudge
from brinkmanship.games.card_driven.rules.hooks import Rules, State, lead, outlook
from brinkmanship.games.card_driven.rules.state import Do, Node

TIES = 1024
"""Number of values that break ties."""
SLIGHT = 1e-6
"""Size of the largest of them."""
STEEPNESS = 0.1
"""Change of the estimated chance to win with the outlook; only cut playouts use it."""


@template(types.float64, RULES, STATE, types.int64, types.int64)
def gain(rules: Rules, state: State, side: int, action: int) -> float:
    """Return what a change of the board improves for a side, for each operation that it costs."""
    price = cost(rules, state, action) if state.node == Node.OPS else 1
    before = outlook(rules, state, side)
    nudge(rules, state, side, action, 1)
    after = outlook(rules, state, side)
    nudge(rules, state, side, action, -1)
    return (after - before) / price


@template(types.int64, RULES, STATE, types.int64, RANDOM)
def best_change(rules: Rules, state: State, side: int, random: Random) -> int:
    """Return the best change of the board, or to be done if none is an improvement."""
    is_event = state.node == Node.EVENT
    first, last = int(rules.first_put), int(rules.total)
    if is_event:
        first = int(rules.first_put) if rules.does[state.effect] == Do.PUT else int(rules.first_take_off)
        last = first + state.influence.shape[1]
    best, chosen = 0.0, int(rules.done)
    for action in range(first, last):
        if is_event:
            if not in_reach(rules, state, action - first):
                continue
        elif not 0 < cost(rules, state, action) <= state.left:
            continue
        value = gain(rules, state, side, action) + SLIGHT * below(random, TIES) / TIES
        if value > best:
            best = value
            chosen = action
    return chosen


@shared(types.int64, RULES, STATE, types.int64, RANDOM)
def policy(rules: Rules, state: State, side: int, random: Random) -> int:
    """Return the choice of a side by its view."""
    if state.node == Node.OFFER:
        return rules.accept
    if state.node != Node.PLAY:
        return best_change(rules, state, side, random)
    pick = below(random, state.hand[side])
    card = 0
    while state.card[card] != side or pick > 0:
        pick -= state.card[card] == side
        card += 1
    is_for_operations = rules.side[card] == 1 - side or below(random, 2) == 0
    return rules.first_play + card + (state.card.shape[0] if is_for_operations else 0)


@shared(types.float64, RULES, STATE, types.int64)
def value(rules: Rules, state: State, side: int) -> float:
    """Return an estimate of a side's chance to win."""
    if state.node == Node.OVER:
        ahead = lead(rules, state) * (1 - 2 * side)
        return 0.5 + 0.5 * ((ahead > 0) - (ahead < 0))
    return 0.5 + 0.5 * min(max(STEEPNESS * outlook(rules, state, side), -1.0), 1.0)


@shared(types.boolean, RULES, STATE, STATE)
def cut(rules: Rules, root: State, state: State) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """Return False: playouts go to the end of the game."""
    return False
