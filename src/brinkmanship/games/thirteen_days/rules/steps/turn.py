"""S3c: the turns of a round, T1 to T6: a card is played, its event and its Command happen (section 2.2 to 2.5).

The course of an event or Command is in `effects`.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, UNUSED, Legal, Mode, Stage, TurnStep
from brinkmanship.games.thirteen_days.rules.action_numbers import MAX_LEGAL, N_MODES, Action, play_action
from brinkmanship.games.thirteen_days.rules.board import command_value
from brinkmanship.games.thirteen_days.rules.effects import (
    carry_out_command,
    choose_in_effect,
    command_legal,
    effect_legal,
    run_event,
    start_event,
)
from brinkmanship.games.thirteen_days.rules.state import ALL_PLACES, STATE, CardIs, Node, State
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask
from brinkmanship.games.thirteen_days.rules.tables import RULES, LetterDeclared, Rules


@internal(types.void, RULES, STATE)
def next_turn(rules: Rules, state: State) -> None:
    """Ask the next side to play a card, or go on to save cards for the aftermath after the last turn (S3c)."""
    if state.turn < 2 * rules.limits.turns_each:
        ask(state, Node.PLAY, state.first if state.turn % 2 == 0 else 1 - state.first)
    else:
        ask(state, Node.SAVE_AFTERMATH, CHANCE)


@internal(types.void, STATE, types.int64)
def draw_to_hand(state: State, card: int) -> None:
    """Move a card from the deck into the hand it is drawn for."""
    side = state.drawer
    state.drawer = NOBODY
    state.card[card] = CardIs.IN_HAND + side
    state.hand[side] += 1
    state.deck -= 1


@internal(types.void, STATE, types.int64)
def clear_frame(state: State, depth: int) -> None:
    """Zero an unused frame of the stack, so that equal positions are equal records."""
    state.stack[depth] = UNUSED[0]


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def play_card(rules: Rules, state: State, side: int, card: int, mode: int) -> None:
    """Play a card from a hand, or from the taken card's location (T1)."""
    state.card[card] = CardIs.IN_PLAY
    state.depth += 1
    frame = state.stack[state.depth - 1]
    frame.card = card
    frame.player = side
    frame.mode = Mode.EVENT if mode == Mode.EVENT else Mode.COMMAND
    frame.letter = mode == Mode.COMMAND_WITH_LETTER
    frame.effect = NOBODY
    frame.taken_card = NOBODY
    if mode == Mode.EVENT:
        start_event(rules, state, side)
    elif rules.cards[card].side == 1 - side:
        frame.step = TurnStep.TRIGGER
    else:
        frame.step = TurnStep.COMMAND


@internal(types.void, STATE)
def clean_up(state: State) -> None:
    """Pass the letter and discard the card (T6); a taken card returns to Intelligence Reports (R35)."""
    frame = state.stack[state.depth - 1]
    if frame.letter == 1:
        state.letter = 1 - frame.player
    state.card[frame.card] = CardIs.DISCARDED
    state.discard += 1
    state.depth -= 1
    clear_frame(state, state.depth)
    if state.depth == 0:
        state.turn += 1
    else:
        state.stack[state.depth - 1].stage = Stage.DRAWS
        state.stack[state.depth - 1].left = 1


@internal(types.boolean, RULES, STATE)
def turn_asks(rules: Rules, state: State) -> bool:
    """Continue with the innermost card in play until it asks a side (True) or is done (False)."""
    frame = state.stack[state.depth - 1]
    player = frame.player
    if frame.step == TurnStep.TRIGGER:
        state.node = Node.TRIGGER
        state.mover = 1 - player
        return True
    if frame.step == TurnStep.EVENT:
        if run_event(rules, state):
            return True
        frame.step = TurnStep.COMMAND if frame.mode == Mode.COMMAND else TurnStep.CLEAN_UP
    if frame.step == TurnStep.COMMAND:
        state.node = Node.COMMAND
        state.mover = player
        return True
    clean_up(state)
    return False


@internal(types.void, RULES, STATE)
def go_on_with_turn(rules: Rules, state: State) -> None:
    """Continue with the cards in play, the innermost first, until one asks a side; then end the turn."""
    while state.depth > 0:
        if turn_asks(rules, state):
            return
    next_turn(rules, state)


@internal(types.int64, RULES, STATE)
def value_of_command(rules: Rules, state: State) -> int:
    """Return the number of cubes the Command of the innermost card may move (T5)."""
    frame = state.stack[state.depth - 1]
    return command_value(rules, state, frame.player, rules.cards[frame.card].cubes, frame.letter)


@internal(types.boolean, STATE, types.int64)
def letter_is_free(state: State, side: int) -> bool:
    """Return True if the letter is not already beside another card of this side."""
    for depth in range(state.depth):
        if state.stack[depth].letter == 1 and state.stack[depth].player == side:
            return False
    return True


@internal(types.int64, RULES, types.int64, types.int64, types.boolean, LEGAL, types.int64)
def plays_of(rules: Rules, side: int, card: int, with_letter: bool, out: Legal, n: int) -> int:
    """Append the ways a side may play a card (T1, section 2.5), also with the letter if it may be added."""
    out[n] = play_action(card, Mode.EVENT)
    n += rules.cards[card].side != 1 - side
    out[n] = play_action(card, Mode.COMMAND)
    n += 1
    out[n] = play_action(card, Mode.COMMAND_WITH_LETTER)
    n += with_letter
    return n


@internal(types.boolean, RULES, STATE, types.int64)
def may_add_letter(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side may add the letter to the Command of a card that it plays."""
    return (
        state.letter == side
        and rules.options.letter_declared == LetterDeclared.WITH_CARD
        and letter_is_free(state, side)
    )


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def plays_from_hand(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the ways to play each hand card (T1, D3)."""
    hand = int(state.hand[side])
    first = MAX_LEGAL - hand  # the end of `out` holds the cards until their plays are written to its beginning
    cards = 0
    card = 0
    while cards < hand and card < rules.limits.cards:  # a view may not know the cards of this hand
        out[first + cards] = card
        cards += state.card[card] == CardIs.IN_HAND + side
        card += 1
    with_letter = may_add_letter(rules, state, side)
    n = 0
    for index in range(cards):
        n = plays_of(rules, side, out[first + index], with_letter, out, n)
    return n


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def legal_in_turn(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal choices of a turn; return their number."""
    if state.node == Node.PLAY:
        return plays_from_hand(rules, state, side, out)
    frame = state.stack[state.depth - 1]
    if state.node == Node.TRIGGER:
        out[0] = Action.TRIGGER
        out[1] = Action.DECLINE
        return 2
    if state.node == Node.TAKEN_CARD:
        n = plays_of(rules, side, frame.taken_card, may_add_letter(rules, state, side), out, 0)
        out[n] = Action.TO_DISCARD
        return n + 1
    if state.node == Node.COMMAND and frame.step == TurnStep.COMMAND:
        n = command_legal(rules, state, side, value_of_command(rules, state), ALL_PLACES, 0, out)
        if rules.options.letter_declared == LetterDeclared.WITH_COMMAND and frame.letter == 0 and state.letter == side:
            out[n] = Action.LETTER_ADDED  # R23
            n += 1
        return n
    return effect_legal(rules, state, out)


@internal(types.void, RULES, STATE, types.int64)
def apply_in_turn(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice, draw or random card of a turn."""
    node = state.node
    if node == Node.PLAY:
        side = state.mover
        state.hand[side] -= 1
        play_card(rules, state, side, (action - Action.PLAY) // N_MODES, (action - Action.PLAY) % N_MODES)
        go_on_with_turn(rules, state)
        return
    frame = state.stack[state.depth - 1]
    if node == Node.TRIGGER:
        if action == Action.TRIGGER:
            start_event(rules, state, 1 - frame.player)
        else:
            frame.step = TurnStep.COMMAND
    elif node == Node.DRAW_CARD:
        draw_to_hand(state, action - Action.DRAW)
        frame.left -= 1
        if frame.left == 0:
            frame.stage = Stage.ENDS
    elif node == Node.RANDOM_CARD:
        card = action - Action.TAKE
        state.card[card] = CardIs.TAKEN
        state.hand[frame.owner] -= 1
        frame.taken_card = card
        frame.stage = Stage.HAS_TAKEN
    elif node == Node.TAKEN_CARD:
        if action == Action.TO_DISCARD:
            state.card[frame.taken_card] = CardIs.DISCARDED
            state.discard += 1
            frame.stage = Stage.DRAWS
            frame.left = 1
        else:
            frame.stage = Stage.PLAYS_TAKEN
            play_card(rules, state, state.mover, (action - Action.PLAY) // N_MODES, (action - Action.PLAY) % N_MODES)
    elif node == Node.COMMAND and frame.step == TurnStep.COMMAND:
        if action == Action.LETTER_ADDED:
            frame.letter = 1
        else:
            carry_out_command(rules, state, frame.player, action, False)
            frame.step = TurnStep.CLEAN_UP
    else:
        choose_in_effect(rules, state, action)
    go_on_with_turn(rules, state)
