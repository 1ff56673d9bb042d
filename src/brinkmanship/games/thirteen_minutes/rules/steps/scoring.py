"""SCORE: battlegrounds, orange cards, the last hand cards and the war, step by step (section 5.5).

Each step is one the rules take themselves, and Cuba is turned up between the first two. The last one ends the game.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.board import (
    battlegrounds_in,
    prestige,
    score_aftermath,
    score_battlegrounds,
    score_military,
    triggers_war,
)
from brinkmanship.games.thirteen_minutes.rules.state import (
    N_CARDS,
    STATE,
    Area,
    CardIs,
    Node,
    Reason,
    State,
)
from brinkmanship.games.thirteen_minutes.rules.steps.transitions import ask
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules, Tiebreak


@internal(types.void, STATE, types.int64, types.int64)
def finish(state: State, winner: int, reason: int) -> None:
    """End the game."""
    state.winner = winner
    state.reason = reason
    ask(state, Node.OVER, OVER)


@internal(types.void, RULES, STATE)
def count_prestige(rules: Rules, state: State) -> None:
    """Score step 5: more Prestige wins; if equal, by option more battlegrounds in one's sphere (Q43), else a draw."""
    lead = prestige(state, US) - prestige(state, USSR)
    if lead != 0:
        finish(state, US if lead > 0 else USSR, Reason.PRESTIGE)
        return
    if rules.options.tiebreak == Tiebreak.OWN_SPHERE:
        lead = battlegrounds_in(state, Area.US_SPHERE) - battlegrounds_in(state, Area.USSR_SPHERE)
    if lead != 0:
        finish(state, US if lead > 0 else USSR, Reason.TIEBREAK)
    else:
        finish(state, NOBODY, Reason.DRAW)


@internal(types.void, RULES, STATE)
def check_war(rules: Rules, state: State) -> None:
    """Score step 4: a side that has triggered war loses, whatever the points (Q42); if both have, neither wins."""
    us = triggers_war(rules, state, US)
    ussr = triggers_war(rules, state, USSR)
    if us and ussr:
        finish(state, NOBODY, Reason.DOUBLE_WAR)
    elif us:
        finish(state, USSR, Reason.NUCLEAR_WAR)
    elif ussr:
        finish(state, US, Reason.NUCLEAR_WAR)
    else:
        ask(state, Node.COUNT_PRESTIGE, CHANCE)


@internal(types.void, RULES, STATE)
def show_last_cards(rules: Rules, state: State) -> None:
    """Score step 3: both sides show the last hand card."""
    for card in range(N_CARDS):
        for side in range(2):
            if state.card[card] == CardIs.IN_HAND + side:
                state.card[card] = CardIs.SHOWN + side
                state.hand[side] -= 1
    score_aftermath(rules, state)
    ask(state, Node.CHECK_WAR, CHANCE)


@internal(types.void, STATE, types.int64)
def turn_up_cuba(state: State, card: int) -> None:
    """Score step 2: turn up Cuba before the orange battlegrounds are counted."""
    state.cuba_card = card
    state.card[card] = CardIs.CUBA
    ask(state, Node.SCORE_MILITARY, CHANCE)


@internal(types.void, RULES, STATE, types.int64)
def apply_scoring(rules: Rules, state: State, action: int) -> None:
    """Carry out the next step of the scoring."""
    node = state.node
    if node == Node.SCORE_BATTLEGROUNDS:
        score_battlegrounds(rules, state)
        ask(state, Node.TURN_UP_CUBA, CHANCE)
    elif node == Node.TURN_UP_CUBA:
        turn_up_cuba(state, action - Action.TURN_UP)
    elif node == Node.SCORE_MILITARY:
        score_military(rules, state)
        ask(state, Node.AFTERMATH, CHANCE)
    elif node == Node.AFTERMATH:
        show_last_cards(rules, state)
    elif node == Node.CHECK_WAR:
        check_war(rules, state)
    else:
        count_prestige(rules, state)
