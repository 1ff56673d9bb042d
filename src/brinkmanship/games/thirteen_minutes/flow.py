"""The course of a game of 13 Minutes: set-up, bid, ten turns, and the scoring step by step (section 4).

`apply` carries out one action and then lets the rules go on until somebody is asked, a card is needed, or the rules
themselves take a step that players see (Cuba is set, the bids are revealed, each part of the scoring). Such a step is a
node of CHANCE with one outcome, so that records, logs and animations show it like everything else that happens.

A compiled function must stand below those it calls: read from the end, where `apply`, `legal` and `start` are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.compile import compiled, internal
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.games.events.frame import (
    AS_COMMAND,
    AS_EVENT,
    CARD,
    EFFECT,
    FRAME,
    LEGAL,
    MODE,
    N_COMMAND,
    NOBODY,
    PLAYER,
    STEP,
    T_CLEAN_UP,
    T_COMMAND,
    T_EVENT,
    T_TRIGGER,
    TAKEN_CARD,
    US,
    USSR,
    Legal,
)
from brinkmanship.games.events.tables import C_CUBES, C_SIDE
from brinkmanship.games.thirteen_minutes.actions import (
    BID,
    COIN,
    DECLINE,
    DRAW,
    FIRST,
    N_BIDS,
    PLAY,
    RULES_STEP,
    TURN_UP,
    USE_COMMAND,
    USE_EVENT,
    USE_OFFER,
    bid_action,
    play_action,
)
from brinkmanship.games.thirteen_minutes.board import (
    battlegrounds_in,
    on_table,
    prestige,
    score_aftermath,
    score_battlegrounds,
    score_military,
    sphere_of,
    triggers_war,
)
from brinkmanship.games.thirteen_minutes.effects import (
    carry_out_command,
    choose_in_effect,
    command_legal,
    effect_legal,
    run_event,
    start_event,
)
from brinkmanship.games.thirteen_minutes.state import (
    AFTERMATH,
    BEGINNER,
    BIDS,
    BY_DOUBLE_WAR,
    BY_NUCLEAR_WAR,
    BY_PRESTIGE,
    BY_TIEBREAK,
    CHECK_WAR,
    CHOOSE_FIRST,
    COUNT_PRESTIGE,
    CUBA,
    FINISHED,
    IN_HAND,
    IN_PILE,
    IS_CUBA,
    LAST_STEP_OF_RULES,
    N_AFTERMATH,
    N_AREAS,
    N_BID,
    N_CARDS,
    N_CHECK_WAR,
    N_COIN,
    N_COUNT_PRESTIGE,
    N_DRAW_CARD,
    N_FIRST,
    N_OFFER,
    N_OVER,
    N_PLACES,
    N_PLAY,
    N_REVEAL_BIDS,
    N_SCORE_BATTLEGROUNDS,
    N_SCORE_MILITARY,
    N_SET_CUBA,
    N_TURN_UP_CUBA,
    N_USE,
    NEUTRAL,
    NO_BID,
    NOT_OVER,
    OFF_TABLE,
    ON_TABLE,
    REVEAL_BIDS,
    SCORE_BATTLEGROUNDS,
    SCORE_MILITARY,
    SCORES,
    SET_UP,
    SHOWN,
    STATE,
    TURN_UP_CUBA,
    TURNS,
    US_SPHERE,
    USSR_SPHERE,
    State,
)
from brinkmanship.games.thirteen_minutes.state import DRAW as NO_WINNER
from brinkmanship.games.thirteen_minutes.tables import (
    BID_TIE_CAP,
    CUBA_TIMING,
    CUBES,
    FIRST_PLAYER,
    HAND,
    LAST_TURN,
    RULES,
    TIEBREAK,
    Rules,
)

WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")

MANY_TIES = 1000
"""Ties are counted no further."""


@internal(types.void, STATE, types.int64, types.int64)
def ask(state: State, node: int, mover: int) -> None:
    """Wait for an action."""
    state.node = node
    state.mover = mover


# A turn: PLAY, CHOOSE_USE or OFFER, EVENT, COMMAND.


@internal(types.void, STATE)
def clear_frame(state: State) -> None:
    """A frame that is not in use holds zeros, so that equal positions are equal records."""
    for column in range(FRAME):
        state.stack[0, column] = 0


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def play_card(rules: Rules, state: State, side: int, card: int, area: int) -> None:
    """PLAY: a hand card becomes a battleground without cubes; that moves nothing (Q8)."""
    state.card[card] = ON_TABLE
    state.hand[side] -= 1
    state.area[card] = area
    state.depth = 1
    frame = state.stack[0]
    frame[CARD] = card
    frame[PLAYER] = side
    frame[MODE] = AS_COMMAND if rules.cards[card, C_SIDE] == 1 - side else AS_EVENT
    frame[STEP] = T_TRIGGER
    frame[EFFECT] = NOBODY
    frame[TAKEN_CARD] = NOBODY


@internal(types.boolean, RULES, STATE)
def turn_asks(rules: Rules, state: State) -> bool:
    """Go on with the card in play until it asks somebody (True) or the turn is done (False)."""
    frame = state.stack[0]
    player = frame[PLAYER]
    if frame[STEP] == T_TRIGGER:
        if rules.cards[frame[CARD], C_SIDE] == 1 - player:
            ask(state, N_OFFER, 1 - player)
        else:
            ask(state, N_USE, player)
        return True
    if frame[STEP] == T_EVENT:
        if run_event(rules, state):
            return True
        frame[STEP] = T_COMMAND if frame[MODE] == AS_COMMAND else T_CLEAN_UP
    if frame[STEP] == T_COMMAND:
        ask(state, N_COMMAND, player)
        return True
    state.depth = 0
    state.turn += 1
    clear_frame(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def turn_legal(rules: Rules, state: State, out: Legal) -> int:
    """The legal choices while a card is in play."""
    frame = state.stack[0]
    if state.node == N_USE:
        out[0] = USE_EVENT
        out[1] = USE_COMMAND
        return 2
    if state.node == N_OFFER:
        out[0] = USE_OFFER
        out[1] = DECLINE
        return 2
    if frame[STEP] == T_COMMAND:
        value = rules.cards[frame[CARD], C_CUBES]
        return command_legal(rules, state, frame[PLAYER], value, on_table(state), 0, out)
    return effect_legal(rules, state, out)


@internal(types.void, RULES, STATE, types.int64)
def turn_apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice while a card is in play."""
    frame = state.stack[0]
    if state.node == N_USE:
        if action == USE_EVENT:
            start_event(rules, state, frame[PLAYER])
        else:
            frame[MODE] = AS_COMMAND
            frame[STEP] = T_COMMAND
    elif state.node == N_OFFER:
        if action == USE_OFFER:
            start_event(rules, state, 1 - frame[PLAYER])
        else:  # Q11
            frame[STEP] = T_COMMAND
    elif frame[STEP] == T_COMMAND:
        carry_out_command(rules, state, frame[PLAYER], action, False)
        frame[STEP] = T_CLEAN_UP
    else:
        choose_in_effect(rules, state, action)


# The steps of a game.


@internal(types.void, STATE)
def set_cuba(state: State) -> None:
    """SETUP: one card lies face down in the neutral area; nobody looks at it."""
    state.area[CUBA] = NEUTRAL
    state.pile -= 1


@internal(types.void, STATE, types.int64, types.int64)
def lose_cubes(state: State, side: int, cubes: int) -> None:
    """Cubes of a side leave the game."""
    state.supply[side] -= cubes
    state.lost[side] += cubes


@internal(types.void, STATE)
def lose_bids(state: State) -> None:
    """Both bids leave the game (Q5)."""
    for side in range(2):
        lose_cubes(state, side, state.bid[side])
        state.bid[side] = NO_BID
    state.step = CHOOSE_FIRST


@internal(types.void, RULES, STATE)
def reveal_bids(rules: Rules, state: State) -> None:
    """BID_REVEAL: the higher bidder chooses; equal bids return and are repeated (Q4), up to the cap if there is one."""
    us = state.bid[US]
    ussr = state.bid[USSR]
    if us != ussr:
        state.bidder = US if us > ussr else USSR
        lose_bids(state)
        return
    state.ties = min(state.ties + 1, MANY_TIES)
    cap = rules.options[BID_TIE_CAP]
    if cap > 0 and state.ties >= cap:
        lose_bids(state)
        return
    for side in range(2):
        state.bid[side] = NO_BID
    state.step = BIDS


@internal(types.void, RULES, STATE, types.int64)
def toss_coin(rules: Rules, state: State, side: int) -> None:
    """BEGINNER: the start player, the other returns a cube to the box; with a bid_tie_cap: the bid winner (Q4)."""
    if rules.options[FIRST_PLAYER] == 1:
        state.first = side
        lose_cubes(state, 1 - side, 1)
    else:
        state.bidder = side


@internal(types.void, RULES, STATE)
def show_last_cards(rules: Rules, state: State) -> None:
    """SCORE step 3: both show the last hand card."""
    for card in range(N_CARDS):
        for side in range(2):
            if state.card[card] == IN_HAND + side:
                state.card[card] = SHOWN + side
                state.hand[side] -= 1
    score_aftermath(rules, state)


@internal(types.void, STATE, types.int64, types.int64)
def finish(state: State, winner: int, reason: int) -> None:
    """The game is over."""
    state.winner = winner
    state.reason = reason
    state.step = FINISHED


@internal(types.void, RULES, STATE)
def check_war(rules: Rules, state: State) -> None:
    """SCORE step 4: who has triggered the war loses, whatever the points (Q42); both: nobody wins."""
    us = triggers_war(rules, state, US)
    ussr = triggers_war(rules, state, USSR)
    if us and ussr:
        finish(state, NOBODY, BY_DOUBLE_WAR)
    elif us:
        finish(state, USSR, BY_NUCLEAR_WAR)
    elif ussr:
        finish(state, US, BY_NUCLEAR_WAR)
    else:
        state.step = COUNT_PRESTIGE


@internal(types.void, RULES, STATE)
def count_prestige(rules: Rules, state: State) -> None:
    """SCORE step 5: more Prestige wins; equal: by option more battlegrounds in one's own sphere (Q43), else a draw."""
    lead = prestige(state, US) - prestige(state, USSR)
    if lead != 0:
        finish(state, US if lead > 0 else USSR, BY_PRESTIGE)
        return
    if rules.options[TIEBREAK] == 0:
        lead = battlegrounds_in(state, US_SPHERE) - battlegrounds_in(state, USSR_SPHERE)
    if lead != 0:
        finish(state, US if lead > 0 else USSR, BY_TIEBREAK)
    else:
        finish(state, NOBODY, NO_WINNER)


@internal(types.boolean, RULES, STATE)
def deals(rules: Rules, state: State) -> bool:
    """SETUP: two cards for each side, before or after Cuba is set; which comes first has no meaning (section 3)."""
    if rules.options[CUBA_TIMING] == 1 and state.area[CUBA] == OFF_TABLE:
        ask(state, N_SET_CUBA, CHANCE)
        return True
    for side in range(2):
        if state.hand[side] < rules.limits[HAND]:
            state.drawer = side
            ask(state, N_DRAW_CARD, CHANCE)
            return True
    if state.area[CUBA] == OFF_TABLE:
        ask(state, N_SET_CUBA, CHANCE)
        return True
    return False


@internal(types.boolean, RULES, STATE)
def next_turn_asks(rules: Rules, state: State) -> bool:
    """DRAW for the player whose turn is over, while there is a pile; then PLAY of the other one, ten turns in all."""
    side = state.first if state.turn % 2 == 0 else 1 - state.first
    if state.pile > 0 and state.hand[1 - side] < rules.limits[HAND]:
        state.drawer = 1 - side
        ask(state, N_DRAW_CARD, CHANCE)
        return True
    if state.turn < rules.limits[LAST_TURN]:
        ask(state, N_PLAY, side)
        return True
    return False


@internal(types.boolean, RULES, STATE)
def step_asks(rules: Rules, state: State) -> bool:
    """Ask what the step of the game asks (True), or go on to the next step (False)."""
    step = state.step
    if step == SET_UP:
        if deals(rules, state):
            return True
        state.step = BIDS if rules.options[FIRST_PLAYER] == 0 else BEGINNER
    elif step == BIDS:  # Q6: the order of the two has no meaning
        for side in range(2):
            if state.bid[side] == NO_BID:
                ask(state, N_BID, side)
                return True
        state.step = REVEAL_BIDS
    elif step == REVEAL_BIDS:
        ask(state, N_REVEAL_BIDS, CHANCE)
        return True
    elif step == CHOOSE_FIRST:
        if state.bidder == NOBODY:
            ask(state, N_COIN, CHANCE)
            return True
        if state.first == NOBODY:
            ask(state, N_FIRST, state.bidder)
            return True
        state.step = TURNS
    elif step == BEGINNER:
        if state.first == NOBODY:
            ask(state, N_COIN, CHANCE)
            return True
        state.step = TURNS
    elif step == TURNS:
        if next_turn_asks(rules, state):
            return True
        state.step = SCORE_BATTLEGROUNDS
    elif step == SCORE_BATTLEGROUNDS:
        ask(state, N_SCORE_BATTLEGROUNDS, CHANCE)
        return True
    elif step == TURN_UP_CUBA:
        ask(state, N_TURN_UP_CUBA, CHANCE)
        return True
    elif step == SCORE_MILITARY:
        ask(state, N_SCORE_MILITARY, CHANCE)
        return True
    elif step == AFTERMATH:
        ask(state, N_AFTERMATH, CHANCE)
        return True
    elif step == CHECK_WAR:
        ask(state, N_CHECK_WAR, CHANCE)
        return True
    elif step == COUNT_PRESTIGE:
        ask(state, N_COUNT_PRESTIGE, CHANCE)
        return True
    else:
        ask(state, N_OVER, OVER)
        return True
    return False


@internal(types.void, RULES, STATE)
def proceed(rules: Rules, state: State) -> None:
    """Let the rules go on until somebody is asked, chance is needed, a step is to be shown, or the game is over."""
    state.drawer = NOBODY
    while True:
        if state.depth > 0:
            if turn_asks(rules, state):
                return
        elif step_asks(rules, state):
            return


@internal(types.void, RULES, STATE, types.int64)
def rules_step(rules: Rules, state: State, node: int) -> None:
    """A step the rules take themselves."""
    if node == N_SET_CUBA:
        set_cuba(state)
    elif node == N_REVEAL_BIDS:
        reveal_bids(rules, state)
    elif node == N_SCORE_BATTLEGROUNDS:
        score_battlegrounds(rules, state)
        state.step = TURN_UP_CUBA
    elif node == N_SCORE_MILITARY:
        score_military(rules, state)
        state.step = AFTERMATH
    elif node == N_AFTERMATH:
        show_last_cards(rules, state)
        state.step = CHECK_WAR
    elif node == N_CHECK_WAR:
        check_war(rules, state)
    else:
        count_prestige(rules, state)


# The contract of a game (engine.game).


@compiled(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """The state after set-up up to the first card that is dealt (section 3)."""
    for place in range(N_PLACES):
        state.area[place] = OFF_TABLE
        for side in range(2):
            state.influence[side, place] = 0
    for card in range(N_CARDS):
        state.card[card] = IN_PILE
    for side in range(2):
        state.hand[side] = 0
        state.supply[side] = rules.limits[CUBES]
        state.lost[side] = 0
        state.bid[side] = NO_BID
        for column in range(SCORES):
            state.score[side, column] = 0
    clear_frame(state)
    state.cuba_card = NOBODY
    state.pile = N_CARDS
    state.ties = 0
    state.first = NOBODY
    state.bidder = NOBODY
    state.turn = 0
    state.step = SET_UP
    state.winner = NOBODY
    state.reason = NOT_OVER
    state.depth = 0
    proceed(rules, state)


@compiled(types.int64, RULES, STATE)
def actor(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Who acts: US, USSR, CHANCE or OVER."""
    return state.mover


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """The sides that may act now, as bits: both while bids are made in secret (Q6), else the actor."""
    if state.node == N_BID:
        return (state.bid[US] == NO_BID) | (state.bid[USSR] == NO_BID) << 1
    return 1 << state.mover if state.mover < CHANCE else 0


@compiled(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal actions of a side to `out`, int16[MAX_LEGAL]; returns how many, 0 if it is not asked."""
    node = state.node
    n = 0
    if node == N_BID:
        if state.bid[side] == NO_BID:
            for cubes in range(state.supply[side] + 1):  # Q1, Q2
                out[n] = bid_action(side, cubes)
                n += 1
        return n
    if state.mover != side:
        return 0
    if state.depth > 0:
        return turn_legal(rules, state, out)
    if node == N_PLAY:
        left = state.hand[side]
        card = 0
        while left > 0 and card < N_CARDS:  # a view may not know the cards of this hand
            if state.card[card] == IN_HAND + side:
                out[n] = play_action(card, sphere_of(side))
                out[n + 1] = play_action(card, NEUTRAL)
                n += 2
                left -= 1
            card += 1
    elif node == N_FIRST:
        out[0] = FIRST + US
        out[1] = FIRST + USSR
        n = 2
    return n


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action of a side, of chance, or of the rules, in place; legality is checked at the edges."""
    node = state.node
    if node <= LAST_STEP_OF_RULES:
        rules_step(rules, state, node)
    elif state.depth > 0:
        turn_apply(rules, state, action)
    elif node == N_PLAY:
        play_card(rules, state, state.mover, (action - PLAY) // N_AREAS, (action - PLAY) % N_AREAS)
    elif node == N_DRAW_CARD:
        state.card[action - DRAW] = IN_HAND + state.drawer
        state.hand[state.drawer] += 1
        state.pile -= 1
    elif node == N_BID:
        state.bid[(action - BID) // N_BIDS] = (action - BID) % N_BIDS
    elif node == N_FIRST:
        state.first = action - FIRST
    elif node == N_COIN:
        toss_coin(rules, state, action - COIN)
    elif node == N_TURN_UP_CUBA:
        state.cuba_card = action - TURN_UP
        state.card[action - TURN_UP] = IS_CUBA
        state.step = SCORE_MILITARY
    proceed(rules, state)


@compiled(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: npt.NDArray[np.int64]) -> int:  # noqa: ARG001
    """Write what chance (or the rules) may do to `out`, each with its weight, int64[MAX_LEGAL]; returns how many.

    The probability of an outcome is its weight divided by the sum of the weights.
    """
    node = state.node
    if node <= LAST_STEP_OF_RULES:
        out[0] = RULES_STEP + node
        weights[0] = 1
        return 1
    if node == N_COIN:
        for side in range(2):
            out[side] = COIN + side
            weights[side] = 1
        return 2
    n = 0
    first = DRAW if node == N_DRAW_CARD else TURN_UP
    for card in range(N_CARDS):
        if state.card[card] == IN_PILE:
            out[n] = first + card
            weights[n] = 1
            n += 1
    return n


@compiled(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:  # noqa: ARG001 - the contract's signature
    """Draw one outcome of chance by `outcomes`' distribution, without listing them."""
    node = state.node
    if node <= LAST_STEP_OF_RULES:
        return RULES_STEP + node
    if node == N_COIN:
        return COIN + below(random, 2)
    if node == N_TURN_UP_CUBA:
        left = below(random, state.pile + 1)
        first = TURN_UP
    else:
        left = below(random, state.pile + (state.area[CUBA] != OFF_TABLE))
        first = DRAW
    card = 0
    while state.card[card] != IN_PILE or left > 0:
        left -= state.card[card] == IN_PILE
        card += 1
    return first + card


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:  # noqa: ARG001 - the contract's signature
    """Write each side's utility, 1 won, -1 lost, 0 neither, to float64[2]; returns why the game ended, or NOT_OVER.

    Both have lost when both have triggered the war.
    """
    utility[US] = 0.0
    utility[USSR] = 0.0
    if state.winner != NOBODY:
        utility[state.winner] = 1.0
        utility[1 - state.winner] = -1.0
    elif state.reason == BY_DOUBLE_WAR:
        utility[US] = -1.0
        utility[USSR] = -1.0
    return state.reason
