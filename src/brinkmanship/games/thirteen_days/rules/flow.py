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
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.data import MAX_STEPS
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, UNUSED, US, USSR, Legal, Mode, Stage, TurnStep
from brinkmanship.games.thirteen_days.rules.action_numbers import (
    N_MODES,
    N_SHIFTS,
    Action,
    keep_action,
    play_action,
    shift_action,
)
from brinkmanship.games.thirteen_days.rules.board import command_value, gain_prestige, leader, move_marker, triggers_war
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS, MAX_CARDS
from brinkmanship.games.thirteen_days.rules.effects import (
    carry_out_command,
    choose_in_effect,
    command_legal,
    effect_legal,
    run_event,
    start_event,
)
from brinkmanship.games.thirteen_days.rules.state import (
    ALL_PLACES,
    DEPTH,
    N_PLACES,
    N_TRACKS,
    NOT_CHOSEN,
    STATE,
    CardIs,
    Node,
    Reason,
    State,
)
from brinkmanship.games.thirteen_days.rules.tables import (
    RULES,
    AgendaKind,
    IconOrder,
    InitiativeChosen,
    LetterDeclared,
    Rules,
)

WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")


@internal(types.void, STATE, types.int64, types.int64)
def ask(state: State, node: int, mover: int) -> None:
    """Wait for an action."""
    state.node = node
    state.mover = mover


@internal(types.void, STATE, types.int64, types.int64)
def ask_for_draw(state: State, node: int, side: int) -> None:
    """Wait for a card or agenda that chance draws for a side."""
    state.drawer = side
    ask(state, node, CHANCE)


# S1-S9: the steps of a round, the last ones first: each ends with what is asked next.


@internal(types.void, STATE, types.int64, types.int64)
def finish(state: State, winner: int, reason: int) -> None:
    """The game is over."""
    state.winner = winner
    state.reason = reason
    ask(state, Node.OVER, OVER)


@internal(types.int64, RULES, STATE, types.int64)
def aftermath_total(rules: Rules, state: State, side: int) -> int:
    """Cubes printed on a side's cards in the aftermath stack (section 2.9, R53)."""
    total = 0
    for card in range(rules.limits.cards):
        place = state.card[card]
        counted = CardIs.IN_AFTERMATH <= place <= CardIs.IN_AFTERMATH + 1 or place == CardIs.REVEALED
        if counted and rules.cards[card].side == side:
            total += rules.cards[card].cubes
    return total


@internal(types.void, RULES, STATE)
def count_aftermath(rules: Rules, state: State) -> None:
    """S9: the side with more cubes on its own cards in the stack gains Prestige; then the winner is known (R51)."""
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
    if state.round_number == rules.limits.rounds:
        ask(state, Node.COUNT_AFTERMATH, CHANCE)
    else:
        state.round_number += 1
        state.turn = 0
        state.first = NOBODY
        ask(state, Node.ESCALATE, CHANCE)


@internal(types.void, RULES, STATE)
def check_war(rules: Rules, state: State) -> None:
    """S7: who has started the nuclear war loses; both: both (section 2.8, R50)."""
    us = triggers_war(rules, state, US)
    ussr = triggers_war(rules, state, USSR)
    if us and ussr:
        finish(state, NOBODY, Reason.MUTUAL_WAR)
    elif us:
        finish(state, USSR, Reason.NUCLEAR_WAR)
    elif ussr:
        finish(state, US, Reason.NUCLEAR_WAR)
    else:
        ask(state, Node.ADVANCE, CHANCE)


@compiled(types.int64, RULES, STATE, types.int64)
def award(rules: Rules, state: State, agenda: int) -> int:
    """What an agenda is worth now: > 0 to the US, < 0 to the USSR, 0 on a tie (section 1.4, R5, R6, R8)."""
    kind = rules.agendas[agenda].kind
    if kind == AgendaKind.LETTER:
        points = rules.agendas[agenda].award
        return points if state.letter == US else -points
    bonus = rules.agendas[agenda].bonus
    if kind == AgendaKind.TRACK:
        track = rules.agendas[agenda].track
        lead = state.defcon[US, track] - state.defcon[USSR, track]
    else:
        place = rules.agendas[agenda].place
        lead = state.influence[US, place] - state.influence[USSR, place]
        for other in range(N_PLACES):
            if rules.agendas[agenda].connected >> other & 1 and leader(state, other) == leader(state, place):
                bonus += 1
    if lead > 0:
        return lead + bonus
    if lead < 0:
        return lead - bonus
    return 0


@internal(types.void, RULES, STATE, types.int64)
def icon_of_agenda(rules: Rules, state: State, agenda: int) -> None:
    """Both sides' markers in the DEFCON 2 area of the agenda's track go up one step (R2, R3)."""
    if rules.agendas[agenda].icon:
        track = rules.agendas[agenda].track
        for side in range(2):
            if rules.area[state.defcon[side, track]] == 2:
                move_marker(rules, state, side, track, 1)


@internal(types.void, RULES, STATE)
def resolve_agendas(rules: Rules, state: State) -> None:
    """S6: both agendas are scored from the same position; their icons act after that, or before it by option (R1)."""
    us = state.chosen[US]
    ussr = state.chosen[USSR]
    icons_first = rules.options.agenda_icon_order == IconOrder.ESCALATE_THEN_SCORE
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
    ask(state, Node.CHECK_WAR, CHANCE)


@internal(types.void, RULES, STATE)
def bonus_of_alliances(rules: Rules, state: State) -> None:
    """S5c: its leader may draw the top card."""
    side = leader(state, rules.bonus_place.draw)
    if side != NOBODY and state.deck > 0:
        ask(state, Node.ALLIANCES, side)
    else:
        ask(state, Node.RESOLVE_AGENDAS, CHANCE)


@internal(types.void, RULES, STATE)
def bonus_of_united_nations(rules: Rules, state: State) -> None:
    """S5b, automatic: holding the letter is never bad (R46)."""
    side = leader(state, rules.bonus_place.letter)
    if side != NOBODY and side != state.letter:
        ask(state, Node.UNITED_NATIONS, CHANCE)
    else:
        bonus_of_alliances(rules, state)


@internal(types.void, RULES, STATE)
def bonus_of_television(rules: Rules, state: State) -> None:
    """S5a: its leader may move a marker."""
    side = leader(state, rules.bonus_place.defcon)
    if side != NOBODY:
        ask(state, Node.TELEVISION, side)
    else:
        bonus_of_united_nations(rules, state)


@internal(types.void, STATE, types.int64)
def put_away(state: State, action: int) -> None:
    """S5c: the card drawn for Alliances goes to the aftermath stack or to the discard pile (R45)."""
    side = state.mover
    for card in range(MAX_CARDS):
        if state.card[card] == CardIs.DRAWN + side:
            state.card[card] = CardIs.IN_AFTERMATH + side if action == Action.TO_AFTERMATH else CardIs.DISCARDED
    if action == Action.TO_AFTERMATH:
        state.aftermath[side] += 1
    else:
        state.discard += 1
    state.drawer = NOBODY
    ask(state, Node.RESOLVE_AGENDAS, CHANCE)


@internal(types.void, RULES, STATE)
def save_aftermath(rules: Rules, state: State) -> None:
    """S4: what is left of each hand goes face down on the aftermath stack."""
    for side in range(2):
        for card in range(MAX_CARDS):
            if state.card[card] == CardIs.IN_HAND + side:
                state.card[card] = CardIs.IN_AFTERMATH + side
        state.aftermath[side] += state.hand[side]
        state.hand[side] = 0
    bonus_of_television(rules, state)


@internal(types.void, RULES, STATE)
def next_turn(rules: Rules, state: State) -> None:
    """S3c: both play cards in turns."""
    if state.turn < 2 * rules.limits.turns_each:
        ask(state, Node.PLAY, state.first if state.turn % 2 == 0 else 1 - state.first)
    else:
        ask(state, Node.SAVE_AFTERMATH, CHANCE)


@internal(types.void, STATE)
def ask_who_is_first(state: State) -> None:
    """S3b: who is behind chooses."""
    ask(state, Node.FIRST, US if state.prestige < 0 else USSR)


@internal(types.void, RULES, STATE)
def deal_hands(rules: Rules, state: State) -> None:
    """S3a: the US is dealt its hand first; which comes first has no meaning."""
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
    """S3b: before or after the hands are drawn, by option (R48)."""
    state.first = side
    if state.hand[US] > 0:
        next_turn(rules, state)
    else:
        deal_hands(rules, state)


@internal(types.void, RULES, STATE, types.int64, types.int64)
def keep_agenda(rules: Rules, state: State, side: int, agenda: int) -> None:
    """S2c: both choose in secret; the order of the two has no meaning."""
    state.chosen[side] = agenda
    if state.chosen[US] == NOT_CHOSEN:
        ask(state, Node.AGENDA, US)
    elif state.chosen[USSR] == NOT_CHOSEN:
        ask(state, Node.AGENDA, USSR)
    elif rules.options.initiative_chosen == InitiativeChosen.AFTER_DRAW:
        deal_hands(rules, state)
    else:
        ask_who_is_first(state)


@internal(types.void, RULES, STATE)
def deal_agendas(rules: Rules, state: State) -> None:
    """S2a: the US is dealt its agendas first; which comes first has no meaning."""
    for side in range(2):
        if state.dealt[side] < rules.limits.dealt:
            ask_for_draw(state, Node.DEAL_AGENDA, side)
            return
    ask(state, Node.AGENDA, US)


@internal(types.void, RULES, STATE, types.int64)
def deal_agenda(rules: Rules, state: State, agenda: int) -> None:
    """S2a: one agenda."""
    side = state.drawer
    state.drawer = NOBODY
    state.agenda_dealt[side, agenda] += 1
    state.dealt[side] += 1
    deal_agendas(rules, state)


@internal(types.void, RULES, STATE)
def escalate(rules: Rules, state: State) -> None:
    """S1: every marker goes up one step."""
    for side in range(2):
        for track in range(N_TRACKS):
            move_marker(rules, state, side, track, 1)
    deal_agendas(rules, state)


# T1-T6: a turn.


@internal(types.void, STATE, types.int64)
def clear_frame(state: State, depth: int) -> None:
    """Frames of the stack that are not in use hold zeros, so that equal positions are equal records."""
    state.stack[depth] = UNUSED[0]


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def play_card(rules: Rules, state: State, side: int, card: int, mode: int) -> None:
    """T1: a card goes from a hand (or from the taken card's place) into play."""
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
    """T6: the letter passes, the card is discarded; a taken card hands back to Intelligence Reports (R35)."""
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
    """Go on with the innermost card in play until it asks somebody (True) or is done (False)."""
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


@internal(types.void, STATE, types.int64)
def draw_to_hand(state: State, card: int) -> None:
    """A card comes from the deck into the hand it is drawn for."""
    side = state.drawer
    state.drawer = NOBODY
    state.card[card] = CardIs.IN_HAND + side
    state.hand[side] += 1
    state.deck -= 1


@internal(types.void, RULES, STATE)
def go_on_with_turn(rules: Rules, state: State) -> None:
    """The cards in play, the innermost first, until one asks somebody; then the turn is over."""
    while state.depth > 0:
        if turn_asks(rules, state):
            return
    next_turn(rules, state)


@internal(types.int64, RULES, STATE)
def value_of_command(rules: Rules, state: State) -> int:
    """T5: cubes the Command of the innermost card may move."""
    frame = state.stack[state.depth - 1]
    return command_value(rules, state, frame.player, rules.cards[frame.card].cubes, frame.letter)


@internal(types.boolean, STATE, types.int64)
def letter_is_free(state: State, side: int) -> bool:
    """Whether the letter does not already lie beside another card of this side."""
    for depth in range(state.depth):
        if state.stack[depth].letter == 1 and state.stack[depth].player == side:
            return False
    return True


@internal(types.int64, RULES, STATE, types.int64, types.int64, LEGAL, types.int64)
def plays_of(rules: Rules, state: State, side: int, card: int, out: Legal, n: int) -> int:
    """Append the ways a side may play a card (T1, section 2.5)."""
    if rules.cards[card].side != 1 - side:
        out[n] = play_action(card, Mode.EVENT)
        n += 1
    out[n] = play_action(card, Mode.COMMAND)
    n += 1
    if (
        state.letter == side
        and rules.options.letter_declared == LetterDeclared.WITH_CARD
        and letter_is_free(state, side)
    ):
        out[n] = play_action(card, Mode.COMMAND_WITH_LETTER)
        n += 1
    return n


@internal(types.int64, RULES, STATE, LEGAL)
def turn_legal(rules: Rules, state: State, out: Legal) -> int:
    """The legal choices while a card is in play."""
    frame = state.stack[state.depth - 1]
    side = state.mover
    if state.node == Node.TRIGGER:
        out[0] = Action.TRIGGER
        out[1] = Action.DECLINE
        return 2
    if state.node == Node.TAKEN_CARD:
        n = plays_of(rules, state, side, frame.taken_card, out, 0)
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
def turn_apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice, draw or random card while a card is in play."""
    frame = state.stack[state.depth - 1]
    node = state.node
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


@internal(types.void, RULES, STATE, types.int64)
def rules_step(rules: Rules, state: State, node: int) -> None:
    """A step the rules take themselves."""
    if node == Node.ESCALATE:
        escalate(rules, state)
    elif node == Node.SAVE_AFTERMATH:
        save_aftermath(rules, state)
    elif node == Node.UNITED_NATIONS:
        state.letter = 1 - state.letter
        bonus_of_alliances(rules, state)
    elif node == Node.RESOLVE_AGENDAS:
        resolve_agendas(rules, state)
    elif node == Node.CHECK_WAR:
        check_war(rules, state)
    elif node == Node.ADVANCE:
        advance(rules, state)
    else:
        count_aftermath(rules, state)


@internal(types.int64, RULES, STATE, types.int64)
def agenda_copies_in_deck(rules: Rules, state: State, agenda: int) -> int:
    """Copies in the agenda deck. The agendas not chosen go back (S2d), but nobody draws before the flags return."""
    dealt = state.agenda_dealt[US, agenda] + state.agenda_dealt[USSR, agenda]
    return rules.agendas[agenda].copies - state.agenda_used[agenda] - dealt


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
    """Who acts: US, USSR, CHANCE or OVER."""
    return state.mover


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """The sides that may act now, as bits: both while agendas are chosen in secret (D1), else the actor."""
    if state.node == Node.AGENDA:
        return (state.chosen[US] == NOT_CHOSEN) | (state.chosen[USSR] == NOT_CHOSEN) << 1
    return 1 << state.mover if state.mover < CHANCE else 0


@compiled(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal actions of a side to `out`, int16[MAX_LEGAL]; returns how many, 0 if it is not asked."""
    node = state.node
    n = 0
    if node == Node.AGENDA:
        if state.chosen[side] == NOT_CHOSEN:
            for agenda in range(rules.limits.agendas):
                if state.agenda_dealt[side, agenda] > 0:
                    out[n] = keep_action(side, agenda)
                    n += 1
        return n
    if state.mover != side:
        return 0
    if state.depth > 0:
        return turn_legal(rules, state, out)
    if node == Node.PLAY:
        left = state.hand[side]
        card = 0
        while left > 0 and card < rules.limits.cards:  # a view may not know the cards of this hand
            if state.card[card] == CardIs.IN_HAND + side:
                n = plays_of(rules, state, side, card, out, n)
                left -= 1
            card += 1
    elif node == Node.FIRST:
        out[0] = Action.FIRST + US
        out[1] = Action.FIRST + USSR
        n = 2
    elif node == Node.TELEVISION:  # R46, R47: may push it over a limit
        for track in range(N_TRACKS):
            for steps in (-1, 1):
                moved = move_marker(rules, state, side, track, steps)
                state.defcon[side, track] -= moved
                if moved != 0:
                    out[n] = shift_action(track, steps)
                    n += 1
        out[n] = Action.DONE
        n += 1
    elif node == Node.ALLIANCES:
        out[0] = Action.DRAW_TOP
        out[1] = Action.DECLINE
        n = 2
    elif node == Node.ALLIANCES_CARD:
        out[0] = Action.TO_AFTERMATH
        out[1] = Action.TO_DISCARD
        n = 2
    return n


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action of a side, of chance, or of the rules, in place; legality is checked at the edges."""
    node = state.node
    if node <= Node.COUNT_AFTERMATH:
        rules_step(rules, state, node)
    elif state.depth > 0:
        turn_apply(rules, state, action)
    elif node == Node.DEAL_AGENDA:
        deal_agenda(rules, state, action - Action.DEAL_AGENDA)
    elif node == Node.AGENDA:
        choice = action - Action.KEEP_AGENDA
        keep_agenda(rules, state, choice // MAX_AGENDAS, choice % MAX_AGENDAS)
    elif node == Node.DRAW_CARD:
        draw_to_hand(state, action - Action.DRAW)
        deal_hands(rules, state)
    elif node == Node.FIRST:
        choose_first(rules, state, action - Action.FIRST)
    elif node == Node.PLAY:
        side = state.mover
        state.hand[side] -= 1
        play_card(rules, state, side, (action - Action.PLAY) // N_MODES, (action - Action.PLAY) % N_MODES)
        go_on_with_turn(rules, state)
    elif node == Node.TELEVISION:
        if action != Action.DONE:
            track = (action - Action.SHIFT) // N_SHIFTS
            move_marker(rules, state, state.mover, track, (action - Action.SHIFT) % N_SHIFTS - MAX_STEPS)
        bonus_of_united_nations(rules, state)
    elif node == Node.ALLIANCES:
        if action == Action.DRAW_TOP:
            ask_for_draw(state, Node.DRAW_FOR_ALLIANCES, state.mover)
        else:
            ask(state, Node.RESOLVE_AGENDAS, CHANCE)
    elif node == Node.DRAW_FOR_ALLIANCES:
        state.card[action - Action.DRAW] = CardIs.DRAWN + state.drawer
        state.deck -= 1
        ask(state, Node.ALLIANCES_CARD, state.drawer)
    elif node == Node.ALLIANCES_CARD:
        put_away(state, action)


@compiled(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: npt.NDArray[np.int64]) -> int:
    """Write what chance (or the rules) may do to `out`, each with its weight, int64[MAX_LEGAL]; returns how many.

    The probability of an outcome is its weight divided by the sum of the weights.
    """
    node = state.node
    n = 0
    if node <= Node.COUNT_AFTERMATH:
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
    if node <= Node.COUNT_AFTERMATH:
        return Action.RULES_STEP + node
    if node == Node.DEAL_AGENDA:
        while True:  # any agenda card of the game, until it is one that is in the deck
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
    """Write each side's utility, 1 won, -1 lost, 0 neither, to float64[2]; returns why the game ended, or NOT_OVER."""
    utility[US] = 0.0
    utility[USSR] = 0.0
    if state.winner != NOBODY:
        utility[state.winner] = 1.0
        utility[1 - state.winner] = -1.0
    elif state.reason == Reason.MUTUAL_WAR:
        utility[US] = -1.0
        utility[USSR] = -1.0
    return state.reason
