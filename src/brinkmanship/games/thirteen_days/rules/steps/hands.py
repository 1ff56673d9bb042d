"""S3a and S3b: hands are drawn, and the side behind chooses who plays first (section 2.1)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, US, USSR, Legal
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.state import STATE, Node, State
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask, ask_for_draw
from brinkmanship.games.thirteen_days.rules.steps.turn import draw_to_hand, next_turn
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules


@internal(types.void, STATE)
def ask_who_is_first(state: State) -> None:
    """Ask the side that is behind who plays first (S3b)."""
    ask(state, Node.FIRST, US if state.prestige < 0 else USSR)


@internal(types.void, RULES, STATE)
def deal_hands(rules: Rules, state: State) -> None:
    """Draw the next hand card, for the US first (the order has no meaning); once hands are full, go on (S3a)."""
    for side in range(2):
        if state.hand[side] < rules.limits.hand:
            ask_for_draw(state, Node.DRAW_CARD, side)
            return
    if state.first == NOBODY:
        ask_who_is_first(state)
    else:
        next_turn(rules, state)


@internal(types.void, RULES, STATE, types.int64)
def choose_first(rules: Rules, state: State, side: int) -> None:
    """Choose the first player, before or after the hands are drawn, by option (S3b, R48)."""
    state.first = side
    if state.hand[US] > 0:
        next_turn(rules, state)
    else:
        deal_hands(rules, state)


@internal(types.int64, LEGAL)
def legal_first(out: Legal) -> int:
    """Write both choices: either side may play first (S3b, D2)."""
    out[0] = Action.FIRST + US
    out[1] = Action.FIRST + USSR
    return 2


@internal(types.void, RULES, STATE, types.int64)
def apply_to_hands(rules: Rules, state: State, action: int) -> None:
    """Draw a card, or let a side play first."""
    if state.node == Node.DRAW_CARD:
        draw_to_hand(state, action - Action.DRAW)
        deal_hands(rules, state)
    else:
        choose_first(rules, state, action - Action.FIRST)
