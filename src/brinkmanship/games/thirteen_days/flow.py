"""The course of a game of 13 Days: the eight steps of a round and the turns of step 3 (section 2.1, 2.2).

`apply` carries out one action and then lets the rules go on until somebody is asked, a card is needed, or the rules
themselves take a step that players see (escalation, scoring ...). Such a step is a node of CHANCE with one outcome,
so that records, logs and animations show it like everything else that happens.

A compiled function must stand below those it calls: read from the end, where `apply`, `legal` and `start` are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.compile import compiled, internal
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.games.events.data import MAX_STEPS
from brinkmanship.games.events.frame import (
    AS_COMMAND,
    AS_EVENT,
    CARD,
    DRAWS,
    EFFECT,
    ENDS,
    FRAME,
    HAS_TAKEN,
    LEFT,
    LEGAL,
    LETTER,
    MODE,
    N_COMMAND,
    NOBODY,
    OWNER,
    PLAYER,
    PLAYS_TAKEN,
    STAGE,
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
from brinkmanship.games.thirteen_days.actions import (
    DEAL_AGENDA,
    DECLINE,
    DONE,
    DRAW,
    DRAW_TOP,
    FIRST,
    KEEP_AGENDA,
    LETTER_ADDED,
    N_MODES,
    N_SHIFTS,
    PLAY,
    RULES_STEP,
    SHIFT,
    TAKE,
    TO_AFTERMATH,
    TO_DISCARD,
    TRIGGER,
    keep_action,
    play_action,
    shift_action,
)
from brinkmanship.games.thirteen_days.board import command_value, gain_prestige, leader, move_marker, triggers_war
from brinkmanship.games.thirteen_days.data import MAX_AGENDAS, MAX_CARDS
from brinkmanship.games.thirteen_days.effects import (
    carry_out_command,
    choose_in_effect,
    command_legal,
    effect_legal,
    run_event,
    start_event,
)
from brinkmanship.games.thirteen_days.state import (
    ABSENT,
    ADVANCE,
    ALL_PLACES,
    AS_COMMAND_WITH_LETTER,
    BONUS_ALLIANCES,
    BONUS_TELEVISION,
    BONUS_UNITED_NATIONS,
    BY_MUTUAL_WAR,
    BY_NUCLEAR_WAR,
    BY_PERSONAL_LETTER,
    BY_PRESTIGE,
    CHECK_WAR,
    CHOOSE_FIRST,
    COUNT_AFTERMATH,
    DEAL_AGENDAS,
    DEPTH,
    DISCARDED,
    DRAW_HANDS,
    DRAWN,
    ESCALATE,
    FINISHED,
    IN_AFTERMATH,
    IN_DECK,
    IN_HAND,
    IN_PLAY,
    N_ADVANCE,
    N_AGENDA,
    N_ALLIANCES,
    N_ALLIANCES_CARD,
    N_CHECK_WAR,
    N_COUNT_AFTERMATH,
    N_DEAL_AGENDA,
    N_DRAW_CARD,
    N_DRAW_FOR_ALLIANCES,
    N_ESCALATE,
    N_FIRST,
    N_OVER,
    N_PLACES,
    N_PLAY,
    N_RANDOM_CARD,
    N_RESOLVE_AGENDAS,
    N_SAVE_AFTERMATH,
    N_TAKEN_CARD,
    N_TELEVISION,
    N_TRACKS,
    N_TRIGGER,
    N_UNITED_NATIONS,
    NOT_CHOSEN,
    NOT_OVER,
    PICK_AGENDAS,
    RESOLVE_AGENDAS,
    REVEALED,
    SAVE_AFTERMATH,
    STATE,
    TAKEN,
    TURNS,
    State,
)
from brinkmanship.games.thirteen_days.tables import (
    A_AWARD,
    A_BONUS,
    A_CONNECTED,
    A_COPIES,
    A_ICON,
    A_KIND,
    A_PLACE,
    A_TRACK,
    AGENDA_LETTER,
    AGENDA_TRACK,
    AWARD,
    DEALT,
    FIRST_CHOSEN,
    HAND,
    ICON_ORDER,
    LETTER_DECLARED,
    N_AGENDAS,
    N_CARDS,
    N_COPIES,
    ROUNDS,
    RULES,
    START_LETTER,
    START_PRESTIGE,
    TURNS_EACH,
    Rules,
)

WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")


# T1-T6: a turn.


@internal(types.void, STATE, types.int64)
def clear_frame(state: State, depth: int) -> None:
    """Rows of the stack that are not in use hold zeros, so that equal positions are equal records."""
    for column in range(FRAME):
        state.stack[depth, column] = 0


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def play_card(rules: Rules, state: State, side: int, card: int, mode: int) -> None:
    """T1: a card goes from a hand (or from the taken card's place) into play."""
    state.card[card] = IN_PLAY
    state.depth += 1
    frame = state.stack[state.depth - 1]
    frame[CARD] = card
    frame[PLAYER] = side
    frame[MODE] = AS_EVENT if mode == AS_EVENT else AS_COMMAND
    frame[LETTER] = mode == AS_COMMAND_WITH_LETTER
    frame[EFFECT] = NOBODY
    frame[TAKEN_CARD] = NOBODY
    if mode == AS_EVENT:
        start_event(rules, state, side)
    elif rules.cards[card, C_SIDE] == 1 - side:
        frame[STEP] = T_TRIGGER
    else:
        frame[STEP] = T_COMMAND


@internal(types.void, STATE)
def clean_up(state: State) -> None:
    """T6: the letter passes, the card is discarded; a taken card hands back to Intelligence Reports (R35)."""
    frame = state.stack[state.depth - 1]
    if frame[LETTER] == 1:
        state.letter = 1 - frame[PLAYER]
    state.card[frame[CARD]] = DISCARDED
    state.discard += 1
    state.depth -= 1
    clear_frame(state, state.depth)
    if state.depth == 0:
        state.turn += 1
    else:
        state.stack[state.depth - 1][STAGE] = DRAWS
        state.stack[state.depth - 1][LEFT] = 1


@internal(types.boolean, RULES, STATE)
def turn_asks(rules: Rules, state: State) -> bool:
    """Go on with the innermost card in play until it asks somebody (True) or is done (False)."""
    frame = state.stack[state.depth - 1]
    player = frame[PLAYER]
    if frame[STEP] == T_TRIGGER:
        state.node = N_TRIGGER
        state.mover = 1 - player
        return True
    if frame[STEP] == T_EVENT:
        if run_event(rules, state):
            return True
        frame[STEP] = T_COMMAND if frame[MODE] == AS_COMMAND else T_CLEAN_UP
    if frame[STEP] == T_COMMAND:
        state.node = N_COMMAND
        state.mover = player
        return True
    clean_up(state)
    return False


@internal(types.int64, RULES, STATE)
def value_of_command(rules: Rules, state: State) -> int:
    """T5: cubes the Command of the innermost card may move."""
    frame = state.stack[state.depth - 1]
    return command_value(rules, state, frame[PLAYER], rules.cards[frame[CARD], C_CUBES], frame[LETTER])


@internal(types.boolean, STATE, types.int64)
def letter_is_free(state: State, side: int) -> bool:
    """Whether the letter does not already lie beside another card of this side."""
    for depth in range(state.depth):
        if state.stack[depth, LETTER] == 1 and state.stack[depth, PLAYER] == side:
            return False
    return True


@internal(types.int64, RULES, STATE, types.int64, types.int64, LEGAL, types.int64)
def plays_of(rules: Rules, state: State, side: int, card: int, out: Legal, n: int) -> int:
    """Append the ways a side may play a card (T1, section 2.5)."""
    if rules.cards[card, C_SIDE] != 1 - side:
        out[n] = play_action(card, AS_EVENT)
        n += 1
    out[n] = play_action(card, AS_COMMAND)
    n += 1
    if state.letter == side and rules.options[LETTER_DECLARED] == 0 and letter_is_free(state, side):
        out[n] = play_action(card, AS_COMMAND_WITH_LETTER)
        n += 1
    return n


@internal(types.int64, RULES, STATE, LEGAL)
def turn_legal(rules: Rules, state: State, out: Legal) -> int:
    """The legal choices while a card is in play."""
    frame = state.stack[state.depth - 1]
    side = state.mover
    if state.node == N_TRIGGER:
        out[0] = TRIGGER
        out[1] = DECLINE
        return 2
    if state.node == N_TAKEN_CARD:
        n = plays_of(rules, state, side, frame[TAKEN_CARD], out, 0)
        out[n] = TO_DISCARD
        return n + 1
    if state.node == N_COMMAND and frame[STEP] == T_COMMAND:
        n = command_legal(rules, state, side, value_of_command(rules, state), ALL_PLACES, 0, out)
        if rules.options[LETTER_DECLARED] == 1 and frame[LETTER] == 0 and state.letter == side:
            out[n] = LETTER_ADDED  # R23
            n += 1
        return n
    return effect_legal(rules, state, out)


@internal(types.void, STATE, types.int64, types.int64)
def draw_to_hand(state: State, side: int, card: int) -> None:
    """A card comes from the deck into a hand."""
    state.card[card] = IN_HAND + side
    state.hand[side] += 1
    state.deck -= 1


@internal(types.void, RULES, STATE, types.int64)
def turn_apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice, draw or random card while a card is in play."""
    frame = state.stack[state.depth - 1]
    node = state.node
    if node == N_TRIGGER:
        if action == TRIGGER:
            start_event(rules, state, 1 - frame[PLAYER])
        else:
            frame[STEP] = T_COMMAND
    elif node == N_DRAW_CARD:
        draw_to_hand(state, state.drawer, action - DRAW)
        frame[LEFT] -= 1
        if frame[LEFT] == 0:
            frame[STAGE] = ENDS
    elif node == N_RANDOM_CARD:
        card = action - TAKE
        state.card[card] = TAKEN
        state.hand[frame[OWNER]] -= 1
        frame[TAKEN_CARD] = card
        frame[STAGE] = HAS_TAKEN
    elif node == N_TAKEN_CARD:
        if action == TO_DISCARD:
            state.card[frame[TAKEN_CARD]] = DISCARDED
            state.discard += 1
            frame[STAGE] = DRAWS
            frame[LEFT] = 1
        else:
            frame[STAGE] = PLAYS_TAKEN
            play_card(rules, state, state.mover, (action - PLAY) // N_MODES, (action - PLAY) % N_MODES)
    elif node == N_COMMAND and frame[STEP] == T_COMMAND:
        if action == LETTER_ADDED:
            frame[LETTER] = 1
        else:
            carry_out_command(rules, state, frame[PLAYER], action, False)
            frame[STEP] = T_CLEAN_UP
    else:
        choose_in_effect(rules, state, action)


# S1-S9: the steps.


@internal(types.void, RULES, STATE)
def escalate(rules: Rules, state: State) -> None:
    """S1: every marker goes up one step."""
    for side in range(2):
        for track in range(N_TRACKS):
            move_marker(rules, state, side, track, 1)
    state.step = DEAL_AGENDAS


@internal(types.int64, RULES, STATE, types.int64)
def agenda_copies_in_deck(rules: Rules, state: State, agenda: int) -> int:
    """Copies in the agenda deck. The agendas not chosen go back (S2d), but nobody draws before the flags return."""
    dealt = state.agenda_dealt[US, agenda] + state.agenda_dealt[USSR, agenda]
    return rules.agendas[agenda, A_COPIES] - state.agenda_used[agenda] - dealt


@internal(types.void, STATE)
def save_aftermath(state: State) -> None:
    """S4: what is left of each hand goes face down on the aftermath stack."""
    for side in range(2):
        for card in range(MAX_CARDS):
            if state.card[card] == IN_HAND + side:
                state.card[card] = IN_AFTERMATH + side
        state.aftermath[side] += state.hand[side]
        state.hand[side] = 0
    state.step = BONUS_TELEVISION


@compiled(types.int64, RULES, STATE, types.int64)
def award(rules: Rules, state: State, agenda: int) -> int:
    """What an agenda is worth now: > 0 to the US, < 0 to the USSR, 0 on a tie (section 1.4, R5, R6, R8)."""
    kind = rules.agendas[agenda, A_KIND]
    if kind == AGENDA_LETTER:
        points = rules.agendas[agenda, A_AWARD]
        return points if state.letter == US else -points
    bonus = rules.agendas[agenda, A_BONUS]
    if kind == AGENDA_TRACK:
        track = rules.agendas[agenda, A_TRACK]
        lead = state.defcon[US, track] - state.defcon[USSR, track]
    else:
        place = rules.agendas[agenda, A_PLACE]
        lead = state.influence[US, place] - state.influence[USSR, place]
        for other in range(N_PLACES):
            if rules.agendas[agenda, A_CONNECTED] >> other & 1 and leader(state, other) == leader(state, place):
                bonus += 1
    if lead > 0:
        return lead + bonus
    if lead < 0:
        return lead - bonus
    return 0


@internal(types.void, RULES, STATE, types.int64)
def icon_of_agenda(rules: Rules, state: State, agenda: int) -> None:
    """Both sides' markers in the DEFCON 2 area of the agenda's track go up one step (R2, R3)."""
    if rules.agendas[agenda, A_ICON]:
        track = rules.agendas[agenda, A_TRACK]
        for side in range(2):
            if rules.area[state.defcon[side, track]] == 2:
                move_marker(rules, state, side, track, 1)


@internal(types.void, RULES, STATE)
def resolve_agendas(rules: Rules, state: State) -> None:
    """S6: both agendas are scored from the same position; their icons act after that, or before it by option (R1)."""
    us = state.chosen[US]
    ussr = state.chosen[USSR]
    icons_first = rules.options[ICON_ORDER] == 1
    if icons_first:
        icon_of_agenda(rules, state, us)
        icon_of_agenda(rules, state, ussr)
    gain = award(rules, state, us) + award(rules, state, ussr)
    if not icons_first:
        icon_of_agenda(rules, state, us)
        icon_of_agenda(rules, state, ussr)
    gain_prestige(rules, state, US, gain)  # R4
    state.agenda_used[us] += 1
    state.agenda_used[ussr] += 1
    for side in range(2):
        state.chosen[side] = NOT_CHOSEN
        state.dealt[side] = 0
        for agenda in range(MAX_AGENDAS):
            state.agenda_dealt[side, agenda] = 0
    state.step = CHECK_WAR


@internal(types.void, STATE, types.int64, types.int64)
def finish(state: State, winner: int, reason: int) -> None:
    """The game is over."""
    state.winner = winner
    state.reason = reason
    state.step = FINISHED


@internal(types.void, RULES, STATE)
def check_war(rules: Rules, state: State) -> None:
    """S7: who has started the nuclear war loses; both: both (section 2.8, R50)."""
    us = triggers_war(rules, state, US)
    ussr = triggers_war(rules, state, USSR)
    if us and ussr:
        finish(state, NOBODY, BY_MUTUAL_WAR)
    elif us:
        finish(state, USSR, BY_NUCLEAR_WAR)
    elif ussr:
        finish(state, US, BY_NUCLEAR_WAR)
    else:
        state.step = ADVANCE


@internal(types.void, STATE, types.int64)
def end_effects_of_round(state: State, side: int) -> None:
    """Modifiers and the deflation ban of a side end."""
    state.modifier[side] = 0
    state.least[side] = 0
    state.ban[side] = 0


@internal(types.void, RULES, STATE)
def advance(rules: Rules, state: State) -> None:
    """S8: modifiers and bans end; the next round begins, or after the last one the aftermath is counted."""
    for side in range(2):
        end_effects_of_round(state, side)
    if state.round_number == rules.limits[ROUNDS]:
        state.step = COUNT_AFTERMATH
    else:
        state.round_number += 1
        state.turn = 0
        state.first = NOBODY
        state.step = ESCALATE


@internal(types.int64, RULES, STATE, types.int64)
def aftermath_total(rules: Rules, state: State, side: int) -> int:
    """Cubes printed on a side's cards in the aftermath stack (section 2.9, R53)."""
    total = 0
    for card in range(rules.limits[N_CARDS]):
        place = state.card[card]
        if (place in (IN_AFTERMATH, IN_AFTERMATH + 1, REVEALED)) and rules.cards[card, C_SIDE] == side:
            total += rules.cards[card, C_CUBES]
    return total


@internal(types.void, RULES, STATE)
def count_aftermath(rules: Rules, state: State) -> None:
    """S9: the side with more cubes on its own cards in the stack gains Prestige; then the winner is known (R51)."""
    us = aftermath_total(rules, state, US)
    ussr = aftermath_total(rules, state, USSR)
    for card in range(rules.limits[N_CARDS]):
        if state.card[card] in (IN_AFTERMATH, IN_AFTERMATH + 1):
            state.card[card] = REVEALED
    if us > ussr:
        gain_prestige(rules, state, US, rules.limits[AWARD])
    elif ussr > us:
        gain_prestige(rules, state, USSR, rules.limits[AWARD])
    if state.prestige != 0:
        finish(state, US if state.prestige > 0 else USSR, BY_PRESTIGE)
    else:
        finish(state, state.letter, BY_PERSONAL_LETTER)


@internal(types.void, STATE, types.int64, types.int64)
def ask(state: State, node: int, mover: int) -> None:
    """Wait for an action."""
    state.node = node
    state.mover = mover


@internal(types.boolean, RULES, STATE)
def draws_hands(rules: Rules, state: State) -> bool:
    """S3a: the US is dealt its hand first; which comes first has no meaning."""
    for side in range(2):
        if state.hand[side] < rules.limits[HAND]:
            state.drawer = side
            ask(state, N_DRAW_CARD, CHANCE)
            return True
    return False


@internal(types.boolean, RULES, STATE)
def step_asks(rules: Rules, state: State) -> bool:
    """Ask what the step of the round asks (True), or go on to the next step (False)."""
    step = state.step
    if step == ESCALATE:
        ask(state, N_ESCALATE, CHANCE)
        return True
    if step == DEAL_AGENDAS:  # S2a
        for side in range(2):
            if state.dealt[side] < rules.limits[DEALT]:
                state.drawer = side
                ask(state, N_DEAL_AGENDA, CHANCE)
                return True
        state.step = PICK_AGENDAS
    elif step == PICK_AGENDAS:  # S2c: the order of the two has no meaning
        for side in range(2):
            if state.chosen[side] == NOT_CHOSEN:
                ask(state, N_AGENDA, side)
                return True
        state.step = DRAW_HANDS if rules.options[FIRST_CHOSEN] == 0 else CHOOSE_FIRST
    elif step == DRAW_HANDS:
        if draws_hands(rules, state):
            return True
        state.step = CHOOSE_FIRST if state.first == NOBODY else TURNS
    elif step == CHOOSE_FIRST:  # S3b
        if state.first == NOBODY:
            ask(state, N_FIRST, US if state.prestige < 0 else USSR)
            return True
        state.step = TURNS if state.hand[US] > 0 else DRAW_HANDS
    elif step == TURNS:  # S3c
        if state.turn < 2 * rules.limits[TURNS_EACH]:
            ask(state, N_PLAY, state.first if state.turn % 2 == 0 else 1 - state.first)
            return True
        state.step = SAVE_AFTERMATH
    elif step == SAVE_AFTERMATH:
        ask(state, N_SAVE_AFTERMATH, CHANCE)
        return True
    elif step == BONUS_TELEVISION:  # S5a
        state.step = BONUS_UNITED_NATIONS
        side = leader(state, rules.bonus_place[0])
        if side != NOBODY:
            ask(state, N_TELEVISION, side)
            return True
    elif step == BONUS_UNITED_NATIONS:  # S5b, automatic: holding the letter is never bad (R46)
        state.step = BONUS_ALLIANCES
        side = leader(state, rules.bonus_place[1])
        if side != NOBODY and side != state.letter:
            ask(state, N_UNITED_NATIONS, CHANCE)
            return True
    elif step == BONUS_ALLIANCES:  # S5c
        state.step = RESOLVE_AGENDAS
        side = leader(state, rules.bonus_place[2])
        if side != NOBODY and state.deck > 0:
            ask(state, N_ALLIANCES, side)
            return True
    elif step == RESOLVE_AGENDAS:
        ask(state, N_RESOLVE_AGENDAS, CHANCE)
        return True
    elif step == CHECK_WAR:
        ask(state, N_CHECK_WAR, CHANCE)
        return True
    elif step == ADVANCE:
        ask(state, N_ADVANCE, CHANCE)
        return True
    elif step == COUNT_AFTERMATH:
        ask(state, N_COUNT_AFTERMATH, CHANCE)
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
    if node == N_ESCALATE:
        escalate(rules, state)
    elif node == N_SAVE_AFTERMATH:
        save_aftermath(state)
    elif node == N_UNITED_NATIONS:
        state.letter = 1 - state.letter
    elif node == N_RESOLVE_AGENDAS:
        resolve_agendas(rules, state)
    elif node == N_CHECK_WAR:
        check_war(rules, state)
    elif node == N_ADVANCE:
        advance(rules, state)
    else:
        count_aftermath(rules, state)


# The contract of a game (engine.game).


@compiled(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """The state after set-up (section 1.2), before the first step of round 1."""
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
        state.card[card] = IN_DECK if card < rules.limits[N_CARDS] else ABSENT
    for depth in range(DEPTH):
        clear_frame(state, depth)
    state.prestige = rules.limits[START_PRESTIGE]
    state.letter = rules.limits[START_LETTER]
    state.deck = rules.limits[N_CARDS]
    state.discard = 0
    state.round_number = 1
    state.turn = 0
    state.first = NOBODY
    state.step = ESCALATE
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
    """The sides that may act now, as bits: both while agendas are chosen in secret (D1), else the actor."""
    if state.node == N_AGENDA:
        return (state.chosen[US] == NOT_CHOSEN) | (state.chosen[USSR] == NOT_CHOSEN) << 1
    return 1 << state.mover if state.mover < CHANCE else 0


@compiled(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal actions of a side to `out`, int16[MAX_LEGAL]; returns how many, 0 if it is not asked."""
    node = state.node
    n = 0
    if node == N_AGENDA:
        if state.chosen[side] == NOT_CHOSEN:
            for agenda in range(rules.limits[N_AGENDAS]):
                if state.agenda_dealt[side, agenda] > 0:
                    out[n] = keep_action(side, agenda)
                    n += 1
        return n
    if state.mover != side:
        return 0
    if state.depth > 0:
        return turn_legal(rules, state, out)
    if node == N_PLAY:
        left = state.hand[side]
        card = 0
        while left > 0 and card < rules.limits[N_CARDS]:  # a view may not know the cards of this hand
            if state.card[card] == IN_HAND + side:
                n = plays_of(rules, state, side, card, out, n)
                left -= 1
            card += 1
    elif node == N_FIRST:
        out[0] = FIRST + US
        out[1] = FIRST + USSR
        n = 2
    elif node == N_TELEVISION:  # R46, R47: may push it over a limit
        for track in range(N_TRACKS):
            for steps in (-1, 1):
                moved = move_marker(rules, state, side, track, steps)
                state.defcon[side, track] -= moved
                if moved != 0:
                    out[n] = shift_action(track, steps)
                    n += 1
        out[n] = DONE
        n += 1
    elif node == N_ALLIANCES:
        out[0] = DRAW_TOP
        out[1] = DECLINE
        n = 2
    elif node == N_ALLIANCES_CARD:
        out[0] = TO_AFTERMATH
        out[1] = TO_DISCARD
        n = 2
    return n


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action of a side, of chance, or of the rules, in place; legality is checked at the edges."""
    node = state.node
    if node <= N_COUNT_AFTERMATH:
        rules_step(rules, state, node)
    elif state.depth > 0:
        turn_apply(rules, state, action)
    elif node == N_DEAL_AGENDA:
        state.agenda_dealt[state.drawer, action - DEAL_AGENDA] += 1
        state.dealt[state.drawer] += 1
    elif node == N_AGENDA:
        state.chosen[(action - KEEP_AGENDA) // MAX_AGENDAS] = (action - KEEP_AGENDA) % MAX_AGENDAS
    elif node == N_DRAW_CARD:
        draw_to_hand(state, state.drawer, action - DRAW)
    elif node == N_FIRST:
        state.first = action - FIRST
    elif node == N_PLAY:
        side = state.mover
        state.hand[side] -= 1
        play_card(rules, state, side, (action - PLAY) // N_MODES, (action - PLAY) % N_MODES)
    elif node == N_TELEVISION:
        if action != DONE:
            track = (action - SHIFT) // N_SHIFTS
            move_marker(rules, state, state.mover, track, (action - SHIFT) % N_SHIFTS - MAX_STEPS)
    elif node == N_ALLIANCES:
        if action == DRAW_TOP:
            state.drawer = state.mover
            ask(state, N_DRAW_FOR_ALLIANCES, CHANCE)
            return
    elif node == N_DRAW_FOR_ALLIANCES:
        state.card[action - DRAW] = DRAWN + state.drawer
        state.deck -= 1
        ask(state, N_ALLIANCES_CARD, state.drawer)
        return
    elif node == N_ALLIANCES_CARD:  # R45
        side = state.mover
        for card in range(MAX_CARDS):
            if state.card[card] == DRAWN + side:
                state.card[card] = IN_AFTERMATH + side if action == TO_AFTERMATH else DISCARDED
        if action == TO_AFTERMATH:
            state.aftermath[side] += 1
        else:
            state.discard += 1
    proceed(rules, state)


@compiled(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """Write what chance (or the rules) may do to `out`, each with its weight, int64[MAX_LEGAL]; returns how many.

    The probability of an outcome is its weight divided by the sum of the weights.
    """
    node = state.node
    n = 0
    if node <= N_COUNT_AFTERMATH:
        out[0] = RULES_STEP + node
        weights[0] = 1
        return 1
    if node == N_DEAL_AGENDA:
        for agenda in range(rules.limits[N_AGENDAS]):
            copies = agenda_copies_in_deck(rules, state, agenda)
            if copies > 0:
                out[n] = DEAL_AGENDA + agenda
                weights[n] = copies
                n += 1
        return n
    place = IN_DECK
    first = DRAW
    if node == N_RANDOM_CARD:
        place = IN_HAND + state.stack[state.depth - 1, OWNER]
        first = TAKE
    for card in range(rules.limits[N_CARDS]):
        if state.card[card] == place:
            out[n] = first + card
            weights[n] = 1
            n += 1
    return n


@internal(types.int64, STATE, types.int64, types.int64)
def nth_card(state: State, place: int, n: int) -> int:
    """The n-th card, from 0, that is in a place."""
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

    Of a full state only: in a view no card is known to be in the deck, and the search would not end.
    """
    node = state.node
    if node <= N_COUNT_AFTERMATH:
        return RULES_STEP + node
    if node == N_DEAL_AGENDA:
        while True:  # any agenda card of the game, until it is one that is in the deck
            copy = below(random, rules.limits[N_COPIES])
            agenda = rules.copies[copy, 0]
            if rules.copies[copy, 1] < agenda_copies_in_deck(rules, state, agenda):
                return DEAL_AGENDA + agenda
    if node == N_RANDOM_CARD:
        owner = state.stack[state.depth - 1, OWNER]
        return TAKE + nth_card(state, IN_HAND + owner, below(random, state.hand[owner]))
    card = below(random, rules.limits[N_CARDS])
    while state.card[card] != IN_DECK:
        card = below(random, rules.limits[N_CARDS])
    return DRAW + card


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:  # noqa: ARG001 - the contract's signature
    """Write each side's utility, 1 won, -1 lost, 0 neither, to float64[2]; returns why the game ended, or NOT_OVER."""
    utility[US] = 0.0
    utility[USSR] = 0.0
    if state.winner != NOBODY:
        utility[state.winner] = 1.0
        utility[1 - state.winner] = -1.0
    elif state.reason == BY_MUTUAL_WAR:
        utility[US] = -1.0
        utility[USSR] = -1.0
    return state.reason
