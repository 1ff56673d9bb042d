"""The course of a game: deal, play, event or operations, end of the round. All of it is `template`s of the layer."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import RULES, STATE, template
from brinkmanship.games.card_driven.rules.hooks import (
    Rules,
    State,
    end_of_round,
    ended,
    push_cost,
    put_cost,
    special,
    take_off_cost,
)
from brinkmanship.games.card_driven.rules.state import BY_POINTS, NOTHING, CardIs, Do, Node


@template(types.int64, RULES, STATE)
def drawer(rules: Rules, state: State) -> int:
    """Return the side that draws next: the one with fewer cards, the first side before the second."""
    side = state.first if state.hand[state.first] <= state.hand[1 - state.first] else 1 - state.first
    return side if state.hand[side] < rules.full_hand else NOTHING


@template(types.int64, RULES, STATE, types.int64)
def cards_that_are(rules: Rules, state: State, where: int) -> int:  # noqa: ARG001 - the shape of a template
    """Return the number of cards in a place that everyone sees."""
    count = 0
    for card in range(state.card.shape[0]):
        if state.card[card] == where:
            count += 1
    return count


@template(types.void, RULES, STATE, types.int64, types.int64)
def ask(rules: Rules, state: State, node: int, side: int) -> None:  # noqa: ARG001 - the shape of a template
    """Set what is asked next, and whom."""
    state.node = node
    state.mover = side


@template(types.void, RULES, STATE)
def deal_or_play(rules: Rules, state: State) -> None:
    """Go on dealing; when the hands are full or no card is left, the first side plays."""
    if drawer(rules, state) == NOTHING:
        ask(rules, state, Node.PLAY, state.first)
    elif state.deck > 0:
        ask(rules, state, Node.DEAL, NOTHING)
    elif cards_that_are(rules, state, CardIs.DISCARDED) > 0:
        ask(rules, state, Node.RESHUFFLE, NOTHING)
    elif state.hand[state.first] > 0:
        ask(rules, state, Node.PLAY, state.first)
    else:
        ask(rules, state, Node.END_ROUND, NOTHING)


@template(types.void, RULES, STATE)
def reshuffle(rules: Rules, state: State) -> None:
    """Make the discarded cards the new deck."""
    for card in range(state.card.shape[0]):
        if state.card[card] == CardIs.DISCARDED:
            state.card[card] = CardIs.IN_DECK
            state.deck += 1
    deal_or_play(rules, state)


@template(types.void, RULES, STATE)
def finish_card(rules: Rules, state: State) -> None:
    """Put the card in play away; the other side plays next, if it has a card."""
    state.card[state.played] = CardIs.REMOVED if state.happened and rules.once[state.played] else CardIs.DISCARDED
    other = 1 - state.player
    if state.hand[other] > 0:
        ask(rules, state, Node.PLAY, other)
    elif state.hand[state.player] > 0:
        ask(rules, state, Node.PLAY, state.player)
    else:
        ask(rules, state, Node.END_ROUND, NOTHING)
    # So that equal positions are equal records.
    state.played = NOTHING
    state.player = NOTHING
    state.actor = NOTHING
    state.effect = NOTHING
    state.left = 0
    state.happened = 0


@template(types.boolean, RULES, STATE, types.int64)
def in_reach(rules: Rules, state: State, place: int) -> bool:
    """Return True if the effect in progress can change influence on a place."""
    if rules.where[state.effect] >> place & 1 == 0:
        return False
    if rules.does[state.effect] == Do.PUT:
        return state.influence[state.actor, place] < rules.room
    return state.influence[1 - state.actor, place] > 0


@template(types.boolean, RULES, STATE)
def can_go_on(rules: Rules, state: State) -> bool:
    """Return True if the effect in progress can change influence anywhere."""
    for place in range(state.influence.shape[1]):  # noqa: SIM110 - Numba compiles no generator
        if in_reach(rules, state, place):
            return True
    return False


@template(types.boolean, RULES, STATE)
def begin_effect(rules: Rules, state: State) -> bool:
    """Begin an effect; return True if its side has to choose places."""
    amount = int(rules.amount[state.effect])
    if rules.does[state.effect] == Do.TRACK:
        track = rules.moves[state.effect]
        step = amount if state.actor == 0 else -amount
        state.track[track] = min(max(int(state.track[track]) + step, int(rules.low[track])), int(rules.high[track]))
        return False
    if rules.does[state.effect] == Do.SPECIAL:
        special(rules, state, state.actor, amount)
        return False
    state.left = amount
    return can_go_on(rules, state)


@template(types.void, RULES, STATE)
def begin_operations(rules: Rules, state: State) -> None:
    """Let the player spend the operations of the card."""
    state.effect = NOTHING
    state.left = rules.ops[state.played]
    ask(rules, state, Node.OPS, state.player)


@template(types.void, RULES, STATE)
def go_on_with_event(rules: Rules, state: State) -> None:
    """Carry out effects from the current one on, up to the next choice or the end of the event."""
    while state.effect < rules.first_effect[state.played + 1]:
        if begin_effect(rules, state):
            ask(rules, state, Node.EVENT, state.actor)
            return
        state.effect += 1
    if state.actor == state.player:
        finish_card(rules, state)
    else:
        begin_operations(rules, state)


@template(types.void, RULES, STATE, types.int64)
def begin_event(rules: Rules, state: State, side: int) -> None:
    """Let a side carry out the event of the card in play."""
    state.actor = side
    state.happened = 1
    state.effect = rules.first_effect[state.played]
    go_on_with_event(rules, state)


@template(types.void, RULES, STATE, types.int64, types.int64)
def play_card(rules: Rules, state: State, card: int, is_for_operations: int) -> None:
    """Play a card of the side to move."""
    state.card[card] = CardIs.PLAYED
    state.hand[state.mover] -= 1
    state.played = card
    state.player = state.mover
    if not is_for_operations:
        begin_event(rules, state, state.mover)
    elif rules.offers and rules.side[card] == 1 - state.player:
        ask(rules, state, Node.OFFER, 1 - state.player)
    else:
        begin_operations(rules, state)


@template(types.int64, RULES, STATE, types.int64)
def cost(rules: Rules, state: State, action: int) -> int:
    """Return the operations that an action of the player costs; 0 if it is not possible."""
    side = state.player
    if action >= rules.first_push:
        track, step = (action - rules.first_push) // 2, 1 - 2 * ((action - rules.first_push) % 2)
        moved = state.track[track] + step
        return push_cost(rules, state, side, track, step) if rules.low[track] <= moved <= rules.high[track] else 0
    if action >= rules.first_take_off:
        place = action - rules.first_take_off
        return take_off_cost(rules, state, side, place) if state.influence[1 - side, place] > 0 else 0
    place = action - rules.first_put
    return put_cost(rules, state, side, place) if state.influence[side, place] < rules.room else 0


@template(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def nudge(rules: Rules, state: State, side: int, action: int, by: int) -> None:
    """Put or take off one influence, or move a track by one; with `by` -1 take that back."""
    if action >= rules.first_push:
        state.track[(action - rules.first_push) // 2] += by * (1 - 2 * ((action - rules.first_push) % 2))
    elif action >= rules.first_take_off:
        state.influence[1 - side, action - rules.first_take_off] -= by
    else:
        state.influence[side, action - rules.first_put] += by


@template(types.void, RULES, STATE, types.int64)
def spend(rules: Rules, state: State, action: int) -> None:
    """Spend operations; the card is finished when none are left."""
    if action != rules.done:
        state.left -= cost(rules, state, action)
        nudge(rules, state, state.player, action, 1)
        if state.left > 0:
            return
    finish_card(rules, state)


@template(types.void, RULES, STATE, types.int64)
def choose_in_event(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice of an effect; then the next one begins when it can change nothing more."""
    if action != rules.done:
        nudge(rules, state, state.actor, action, 1)
        state.left -= 1
        if state.left > 0 and can_go_on(rules, state):
            return
    state.effect += 1
    state.left = 0
    go_on_with_event(rules, state)


@template(types.void, RULES, STATE)
def end_round(rules: Rules, state: State) -> None:
    """End a round: the game's own step, then the next round or the end of the game."""
    end_of_round(rules, state)
    if state.round_number == rules.rounds:
        state.reason = BY_POINTS
        return
    state.round_number += 1
    state.first = 1 - state.first
    deal_or_play(rules, state)


@template(types.void, RULES, STATE)
def end_if_over(rules: Rules, state: State) -> None:
    """End the game if a reason for it has arisen."""
    if state.reason == 0:
        state.reason = ended(rules, state)
    if state.reason > 0:
        ask(rules, state, Node.OVER, NOTHING)


@template(types.void, RULES, STATE, types.int64)
def draw(rules: Rules, state: State, card: int) -> None:
    """Deal a card to the side that draws."""
    side = drawer(rules, state)
    state.card[card] = side
    state.hand[side] += 1
    state.deck -= 1
    deal_or_play(rules, state)
