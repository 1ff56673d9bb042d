"""SETUP and DRAW: drawing cards from the pile, and setting Cuba (section 3 and 4)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY, US
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.state import CUBA, STATE, Area, CardIs, Node, State
from brinkmanship.games.thirteen_minutes.rules.steps.transitions import ask, ask_for_card
from brinkmanship.games.thirteen_minutes.rules.steps.turn import next_turn
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, CubaTiming, FirstPlayer, Rules


@internal(types.void, RULES, STATE)
def set_up(rules: Rules, state: State) -> None:
    """Deal two cards to each side, before or after Cuba is set; which side comes first has no meaning (section 3)."""
    if rules.options.cuba_timing == CubaTiming.BEFORE_HANDS and state.area[CUBA] == Area.OFF_TABLE:
        ask(state, Node.SET_CUBA, CHANCE)
        return
    for side in range(2):
        if state.hand[side] < rules.limits.hand:
            ask_for_card(state, side)
            return
    if state.area[CUBA] == Area.OFF_TABLE:
        ask(state, Node.SET_CUBA, CHANCE)
    elif rules.options.first_player == FirstPlayer.AUCTION:
        ask(state, Node.BID, US)
    else:
        ask(state, Node.COIN, CHANCE)


@internal(types.void, RULES, STATE)
def set_cuba(rules: Rules, state: State) -> None:
    """Place one card face down in the neutral area; neither side looks at it."""
    state.area[CUBA] = Area.NEUTRAL
    state.pile -= 1
    set_up(rules, state)


@internal(types.void, RULES, STATE, types.int64)
def draw_card(rules: Rules, state: State, card: int) -> None:
    """Draw a card from the pile into a hand (SETUP or DRAW)."""
    side = state.drawer
    state.drawer = NOBODY
    state.card[card] = CardIs.IN_HAND + side
    state.hand[side] += 1
    state.pile -= 1
    if state.first == NOBODY:
        set_up(rules, state)
    else:
        next_turn(rules, state)


@internal(types.void, RULES, STATE, types.int64)
def apply_dealing(rules: Rules, state: State, action: int) -> None:
    """Set Cuba, or draw a card."""
    if state.node == Node.SET_CUBA:
        set_cuba(rules, state)
    else:
        draw_card(rules, state, action - Action.DRAW)
