"""The game interface (`engine.game`) for 13 Days: dispatches each node to the step of the rules it belongs to.

`steps` contains them, a file each. An automatic step that players see (escalation, scoring ...) is a node of CHANCE
with one outcome, so that records, logs and animations show it like everything else that happens.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, US, USSR, Legal
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS, MAX_CARDS
from brinkmanship.games.thirteen_days.rules.state import (
    DEPTH,
    LAST_STEP_OF_RULES,
    N_PLACES,
    N_TRACKS,
    NOT_CHOSEN,
    STATE,
    CardIs,
    Node,
    Reason,
    State,
)
from brinkmanship.games.thirteen_days.rules.steps.aftermath import count_aftermath, save_aftermath
from brinkmanship.games.thirteen_days.rules.steps.agenda_choice import (
    agenda_copies_in_deck,
    apply_in_agenda_choice,
    legal_in_agenda_choice,
)
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import resolve_agendas
from brinkmanship.games.thirteen_days.rules.steps.escalation import escalate
from brinkmanship.games.thirteen_days.rules.steps.hands import apply_to_hands, legal_first
from brinkmanship.games.thirteen_days.rules.steps.round_end import advance, end_effects_of_round
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask
from brinkmanship.games.thirteen_days.rules.steps.turn import apply_in_turn, clear_frame, legal_in_turn
from brinkmanship.games.thirteen_days.rules.steps.war import check_war
from brinkmanship.games.thirteen_days.rules.steps.world_opinion import (
    apply_in_world_opinion,
    legal_in_world_opinion,
    take_letter,
)
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules

WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")


@compiled(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """Set up the game (section 1.2), before the first step of round 1."""
    for side in range(2):
        for place in range(N_PLACES):
            state.influence[side, place] = rules.start_influence[side, place]
        for track in range(N_TRACKS):
            state.defcon[side, track] = rules.start_defcon[side, track]
        for agenda in range(MAX_AGENDAS):
            state.agenda_dealt[side, agenda] = 0
        state.chosen[side] = NOT_CHOSEN
        state.dealt[side] = 0
        state.hand[side] = 0
        state.aftermath[side] = 0
        end_effects_of_round(state, side)
    for agenda in range(MAX_AGENDAS):
        state.agenda_used[agenda] = 0
    for card in range(MAX_CARDS):
        state.card[card] = CardIs.IN_DECK if card < rules.limits.cards else CardIs.ABSENT
    for depth in range(DEPTH):
        clear_frame(state, depth)
    state.prestige = rules.limits.start_prestige
    state.letter = rules.limits.start_letter
    state.deck = rules.limits.cards
    state.discard = 0
    state.round_number = 1
    state.turn = 0
    state.first = NOBODY
    state.drawer = NOBODY
    state.winner = NOBODY
    state.reason = Reason.NOT_OVER
    state.depth = 0
    ask(state, Node.ESCALATE, CHANCE)


@compiled(types.int64, RULES, STATE)
def actor(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Return the actor: US, USSR, CHANCE or OVER."""
    return state.mover


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Return the sides that may act now, as bits: both while agendas are chosen in secret (D1), else the actor."""
    if state.node == Node.AGENDA:
        return (state.chosen[US] == NOT_CHOSEN) | (state.chosen[USSR] == NOT_CHOSEN) << 1
    return 1 << state.mover if state.mover < CHANCE else 0


@compiled(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal actions of a side to `out`, int16[MAX_LEGAL]; return their number, 0 if it is not to act."""
    node = state.node
    if node == Node.AGENDA:
        return legal_in_agenda_choice(rules, state, side, out)
    if state.mover != side:
        return 0
    if state.depth > 0 or node == Node.PLAY:
        return legal_in_turn(rules, state, side, out)
    if node == Node.FIRST:
        return legal_first(out)
    return legal_in_world_opinion(rules, state, side, out)


@internal(types.void, RULES, STATE, types.int64)
def rules_step(rules: Rules, state: State, node: int) -> None:
    """Carry out an automatic step of the rules."""
    if node == Node.ESCALATE:
        escalate(rules, state)
    elif node == Node.SAVE_AFTERMATH:
        save_aftermath(rules, state)
    elif node == Node.UNITED_NATIONS:
        take_letter(rules, state)
    elif node == Node.RESOLVE_AGENDAS:
        resolve_agendas(rules, state)
    elif node == Node.CHECK_WAR:
        check_war(rules, state)
    elif node == Node.ADVANCE:
        advance(rules, state)
    else:
        count_aftermath(rules, state)


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action of a side, of chance, or of the rules, in place; callers check legality."""
    node = state.node
    if node <= LAST_STEP_OF_RULES:
        rules_step(rules, state, node)
    elif state.depth > 0 or node == Node.PLAY:
        apply_in_turn(rules, state, action)
    elif node == Node.DEAL_AGENDA or node == Node.AGENDA:
        apply_in_agenda_choice(rules, state, action)
    elif node == Node.DRAW_CARD or node == Node.FIRST:
        apply_to_hands(rules, state, action)
    else:
        apply_in_world_opinion(rules, state, action)


@compiled(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """Write the outcomes of chance (or of the rules) to `out`, with weights, int64[MAX_LEGAL]; return their number.

    The probability of an outcome is its weight divided by the sum of the weights.
    """
    node = state.node
    n = 0
    if node <= LAST_STEP_OF_RULES:
        out[0] = Action.RULES_STEP + node
        weights[0] = 1
        return 1
    if node == Node.DEAL_AGENDA:
        for agenda in range(rules.limits.agendas):
            copies = agenda_copies_in_deck(rules, state, agenda)
            if copies > 0:
                out[n] = Action.DEAL_AGENDA + agenda
                weights[n] = copies
                n += 1
        return n
    place = CardIs.IN_DECK
    first = Action.DRAW
    if node == Node.RANDOM_CARD:
        place = CardIs.IN_HAND + state.stack[state.depth - 1].owner
        first = Action.TAKE
    for card in range(rules.limits.cards):
        if state.card[card] == place:
            out[n] = first + card
            weights[n] = 1
            n += 1
    return n


@internal(types.int64, STATE, types.int64, types.int64)
def nth_card(state: State, place: int, n: int) -> int:
    """Return the n-th card, from 0, in a location."""
    card = 0
    while True:
        if state.card[card] == place:
            if n == 0:
                return card
            n -= 1
        card += 1


@compiled(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:
    """Draw one outcome of chance by `outcomes`' distribution, without listing them.

    Only for a full state: in a view no card is known to be in the deck, and the search would not end.
    """
    node = state.node
    if node <= LAST_STEP_OF_RULES:
        return Action.RULES_STEP + node
    if node == Node.DEAL_AGENDA:
        while True:  # rejection sampling: any agenda card of the game, until it is one that is in the deck
            copy = below(random, rules.limits.copies)
            agenda = rules.copies[copy].agenda
            if rules.copies[copy].number < agenda_copies_in_deck(rules, state, agenda):
                return Action.DEAL_AGENDA + agenda
    if node == Node.RANDOM_CARD:
        owner = state.stack[state.depth - 1].owner
        return Action.TAKE + nth_card(state, CardIs.IN_HAND + owner, below(random, state.hand[owner]))
    card = below(random, rules.limits.cards)
    while state.card[card] != CardIs.IN_DECK:
        card = below(random, rules.limits.cards)
    return Action.DRAW + card


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:  # noqa: ARG001 - the contract's signature
    """Write each side's utility, 1 won, -1 lost, 0 neither, to float64[2]; return why the game ended, or NOT_OVER."""
    utility[US] = 0.0
    utility[USSR] = 0.0
    if state.winner != NOBODY:
        utility[state.winner] = 1.0
        utility[1 - state.winner] = -1.0
    elif state.reason == Reason.MUTUAL_WAR:
        utility[US] = -1.0
        utility[USSR] = -1.0
    return state.reason
