"""S4 and S9: cards are saved for the aftermath, and counted at the end of the game (section 2.9)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.thirteen_days.rules.board import gain_prestige
from brinkmanship.games.thirteen_days.rules.data import MAX_CARDS
from brinkmanship.games.thirteen_days.rules.state import STATE, CardIs, Reason, State
from brinkmanship.games.thirteen_days.rules.steps.transitions import finish
from brinkmanship.games.thirteen_days.rules.steps.world_opinion import bonus_of_television
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules


@internal(types.void, RULES, STATE)
def save_aftermath(rules: Rules, state: State) -> None:
    """Put the rest of each hand face down on the aftermath stack (S4)."""
    for side in range(2):
        for card in range(MAX_CARDS):
            if state.card[card] == CardIs.IN_HAND + side:
                state.card[card] = CardIs.IN_AFTERMATH + side
        state.aftermath[side] += state.hand[side]
        state.hand[side] = 0
    bonus_of_television(rules, state)


@internal(types.int64, RULES, STATE, types.int64)
def aftermath_total(rules: Rules, state: State, side: int) -> int:
    """Return the cubes printed on a side's cards in the aftermath stack (section 2.9, R53)."""
    total = 0
    for card in range(rules.limits.cards):
        place = state.card[card]
        counted = CardIs.IN_AFTERMATH <= place <= CardIs.IN_AFTERMATH + 1 or place == CardIs.REVEALED
        if counted and rules.cards[card].side == side:
            total += rules.cards[card].cubes
    return total


@internal(types.void, RULES, STATE)
def count_aftermath(rules: Rules, state: State) -> None:
    """Give Prestige to the side with more cubes on its own cards in the stack, and end the game (S9, R51)."""
    us = aftermath_total(rules, state, US)
    ussr = aftermath_total(rules, state, USSR)
    for card in range(rules.limits.cards):
        if CardIs.IN_AFTERMATH <= state.card[card] <= CardIs.IN_AFTERMATH + 1:
            state.card[card] = CardIs.REVEALED
    if us > ussr:
        gain_prestige(rules, state, US, rules.limits.award)
    elif ussr > us:
        gain_prestige(rules, state, USSR, rules.limits.award)
    if state.prestige != 0:
        finish(state, US if state.prestige > 0 else USSR, Reason.PRESTIGE)
    else:
        finish(state, state.letter, Reason.PERSONAL_LETTER)
