"""A turn: PLAY a card, CHOOSE_USE or OFFER, EVENT, COMMAND (section 4, 5.2).

The effects of an event or Command in progress are in `effects`.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, UNUSED, Legal, Mode, TurnStep
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action, play_action
from brinkmanship.games.thirteen_minutes.rules.board import on_table, sphere_of
from brinkmanship.games.thirteen_minutes.rules.effects import (
    carry_out_command,
    choose_in_effect,
    command_legal,
    effect_legal,
    run_event,
    start_event,
)
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS, N_CARDS, STATE, Area, CardIs, Node, State
from brinkmanship.games.thirteen_minutes.rules.steps.transitions import ask, ask_for_card
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules


@internal(types.void, RULES, STATE)
def next_turn(rules: Rules, state: State) -> None:
    """Draw for the player whose turn is over, while there is a pile; then the other one plays, ten turns in all."""
    side = state.first if state.turn % 2 == 0 else 1 - state.first
    if state.pile > 0 and state.hand[1 - side] < rules.limits.hand:
        ask_for_card(state, 1 - side)
    elif state.turn < rules.limits.last_turn:
        ask(state, Node.PLAY, side)
    else:
        ask(state, Node.SCORE_BATTLEGROUNDS, CHANCE)


@internal(types.void, RULES, STATE)
def go_on_with_turn(rules: Rules, state: State) -> None:
    """Continue the event and the Command of the card in play until a decision is needed; then end the turn."""
    frame = state.stack[0]
    if frame.step == TurnStep.EVENT:
        if run_event(rules, state):
            return
        frame.step = TurnStep.COMMAND if frame.mode == Mode.COMMAND else TurnStep.CLEAN_UP
    if frame.step == TurnStep.COMMAND:
        ask(state, Node.COMMAND, frame.player)
        return
    state.depth = 0
    state.turn += 1
    state.stack[0] = UNUSED[0]  # so that equal positions are equal records
    next_turn(rules, state)


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def play_card(rules: Rules, state: State, side: int, card: int, area: int) -> None:
    """Play a hand card as a battleground without cubes, which moves nothing (Q8)."""
    state.card[card] = CardIs.ON_TABLE
    state.hand[side] -= 1
    state.area[card] = area
    state.depth = 1
    frame = state.stack[0]
    frame.card = card
    frame.player = side
    frame.step = TurnStep.TRIGGER
    frame.effect = NOBODY
    frame.taken_card = NOBODY
    if rules.cards[card].side == 1 - side:
        frame.mode = Mode.COMMAND
        ask(state, Node.OFFER, 1 - side)
    else:
        frame.mode = Mode.EVENT
        ask(state, Node.USE, side)


@internal(types.int64, STATE, types.int64, LEGAL)
def plays_of(state: State, side: int, out: Legal) -> int:
    """Write the plays: each hand card, to the side's own sphere or the neutral area."""
    n = 0
    left = state.hand[side]
    card = 0
    while left > 0 and card < N_CARDS:  # a view may not know the cards of this hand
        if state.card[card] == CardIs.IN_HAND + side:
            out[n] = play_action(card, sphere_of(side))
            out[n + 1] = play_action(card, Area.NEUTRAL)
            n += 2
            left -= 1
        card += 1
    return n


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def legal_in_turn(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal choices of a turn."""
    if state.node == Node.PLAY:
        return plays_of(state, side, out)
    frame = state.stack[0]
    if state.node == Node.USE:
        out[0] = Action.USE_EVENT
        out[1] = Action.USE_COMMAND
        return 2
    if state.node == Node.OFFER:
        out[0] = Action.USE_OFFER
        out[1] = Action.DECLINE
        return 2
    if frame.step == TurnStep.COMMAND:
        value = rules.cards[frame.card].cubes
        return command_legal(rules, state, frame.player, value, on_table(state), 0, out)
    return effect_legal(rules, state, out)


@internal(types.void, RULES, STATE, types.int64)
def apply_in_turn(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice of a turn."""
    frame = state.stack[0]
    if state.node == Node.PLAY:
        play_card(rules, state, state.mover, (action - Action.PLAY) // N_AREAS, (action - Action.PLAY) % N_AREAS)
        return
    if state.node == Node.USE:
        if action == Action.USE_EVENT:
            start_event(rules, state, frame.player)
        else:
            frame.mode = Mode.COMMAND
            frame.step = TurnStep.COMMAND
    elif state.node == Node.OFFER:
        if action == Action.USE_OFFER:
            start_event(rules, state, 1 - frame.player)
        else:  # Q11
            frame.step = TurnStep.COMMAND
    elif frame.step == TurnStep.COMMAND:
        carry_out_command(rules, state, frame.player, action, False)
        frame.step = TurnStep.CLEAN_UP
    else:
        choose_in_effect(rules, state, action)
    go_on_with_turn(rules, state)
