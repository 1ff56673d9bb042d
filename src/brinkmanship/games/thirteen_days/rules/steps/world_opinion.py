"""S5: the bonuses of the three battlegrounds of world opinion (section 2.1)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.data import MAX_STEPS
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, Legal
from brinkmanship.games.thirteen_days.rules.action_numbers import N_SHIFTS, Action, shift_action
from brinkmanship.games.thirteen_days.rules.board import leader, move_marker
from brinkmanship.games.thirteen_days.rules.data import MAX_CARDS
from brinkmanship.games.thirteen_days.rules.state import N_TRACKS, STATE, CardIs, Node, State
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask, ask_for_draw
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules


@internal(types.void, RULES, STATE)
def bonus_of_alliances(rules: Rules, state: State) -> None:
    """Let the leader of Alliances draw the top card (S5c)."""
    side = leader(state, rules.bonus_place.draw)
    if side != NOBODY and state.deck > 0:
        ask(state, Node.ALLIANCES, side)
    else:
        ask(state, Node.RESOLVE_AGENDAS, CHANCE)


@internal(types.void, RULES, STATE)
def bonus_of_united_nations(rules: Rules, state: State) -> None:
    """Give the letter to the leader of the United Nations, without asking: holding it is never bad (S5b, R46)."""
    side = leader(state, rules.bonus_place.letter)
    if side != NOBODY and side != state.letter:
        ask(state, Node.UNITED_NATIONS, CHANCE)
    else:
        bonus_of_alliances(rules, state)


@internal(types.void, RULES, STATE)
def bonus_of_television(rules: Rules, state: State) -> None:
    """Let the leader of Television move a marker (S5a)."""
    side = leader(state, rules.bonus_place.defcon)
    if side != NOBODY:
        ask(state, Node.TELEVISION, side)
    else:
        bonus_of_united_nations(rules, state)


@internal(types.void, STATE, types.int64)
def put_away(state: State, action: int) -> None:
    """Put the card drawn for Alliances on the aftermath stack or on the discard pile (S5c, R45)."""
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
def take_letter(rules: Rules, state: State) -> None:
    """Move the letter from the opponent to the leader of the United Nations (S5b, R46)."""
    state.letter = 1 - state.letter
    bonus_of_alliances(rules, state)


@internal(types.void, STATE, types.int64)
def draw_for_alliances(state: State, card: int) -> None:
    """Let the leader of Alliances look at the top card (S5c)."""
    state.card[card] = CardIs.DRAWN + state.drawer
    state.deck -= 1
    ask(state, Node.ALLIANCES_CARD, state.drawer)


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def shifts_for_television(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the shifts by one step up or down; they may push a marker over a limit (S5a, R46, R47)."""
    n = 0
    for track in range(N_TRACKS):
        for steps in (-1, 1):
            moved = move_marker(rules, state, side, track, steps)
            state.defcon[side, track] -= moved
            if moved != 0:
                out[n] = shift_action(track, steps)
                n += 1
    out[n] = Action.DONE
    return n + 1


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def legal_in_world_opinion(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal choices of a leader; return their number."""
    node = state.node
    if node == Node.TELEVISION:
        return shifts_for_television(rules, state, side, out)
    if node == Node.ALLIANCES:
        out[0] = Action.DRAW_TOP
        out[1] = Action.DECLINE
        return 2
    if node == Node.ALLIANCES_CARD:
        out[0] = Action.TO_AFTERMATH
        out[1] = Action.TO_DISCARD
        return 2
    return 0


@internal(types.void, RULES, STATE, types.int64)
def apply_in_world_opinion(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice of a leader, or the draw for Alliances."""
    node = state.node
    if node == Node.TELEVISION:
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
        draw_for_alliances(state, action - Action.DRAW)
    else:
        put_away(state, action)
