"""S2: agendas are dealt, and each side keeps one in secret (section 2.1)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, US, USSR, Legal
from brinkmanship.games.thirteen_days.rules.action_numbers import Action, keep_action
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS
from brinkmanship.games.thirteen_days.rules.state import NOT_CHOSEN, STATE, Node, State
from brinkmanship.games.thirteen_days.rules.steps.hands import ask_who_is_first, deal_hands
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask, ask_for_draw
from brinkmanship.games.thirteen_days.rules.tables import RULES, InitiativeChosen, Rules


@internal(types.void, RULES, STATE)
def deal_agendas(rules: Rules, state: State) -> None:
    """Draw the next agenda, for the US first (the order has no meaning); once all are dealt, let both choose (S2a)."""
    for side in range(2):
        if state.dealt[side] < rules.limits.dealt:
            ask_for_draw(state, Node.DEAL_AGENDA, side)
            return
    ask(state, Node.AGENDA, US)


@internal(types.void, RULES, STATE, types.int64)
def deal_agenda(rules: Rules, state: State, agenda: int) -> None:
    """Deal one agenda (S2a)."""
    side = state.drawer
    state.drawer = NOBODY
    state.agenda_dealt[side, agenda] += 1
    state.dealt[side] += 1
    deal_agendas(rules, state)


@internal(types.void, RULES, STATE, types.int64, types.int64)
def keep_agenda(rules: Rules, state: State, side: int, agenda: int) -> None:
    """Keep an agenda; both choose in secret, and the order of the two has no meaning (S2c)."""
    state.chosen[side] = agenda
    if state.chosen[US] == NOT_CHOSEN:
        ask(state, Node.AGENDA, US)
    elif state.chosen[USSR] == NOT_CHOSEN:
        ask(state, Node.AGENDA, USSR)
    elif rules.options.initiative_chosen == InitiativeChosen.AFTER_DRAW:
        deal_hands(rules, state)
    else:
        ask_who_is_first(state)


@internal(types.int64, RULES, STATE, types.int64)
def agenda_copies_in_deck(rules: Rules, state: State, agenda: int) -> int:
    """Return the copies in the agenda deck.

    The agendas not chosen go back (S2d), but neither side draws before the flags return.
    """
    dealt = state.agenda_dealt[US, agenda] + state.agenda_dealt[USSR, agenda]
    return rules.agendas[agenda].copies - state.agenda_used[agenda] - dealt


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def legal_in_agenda_choice(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the agendas dealt to a side, of which it keeps one (S2c, D1)."""
    n = 0
    if state.chosen[side] == NOT_CHOSEN:
        for agenda in range(rules.limits.agendas):
            if state.agenda_dealt[side, agenda] > 0:
                out[n] = keep_action(side, agenda)
                n += 1
    return n


@internal(types.void, RULES, STATE, types.int64)
def apply_in_agenda_choice(rules: Rules, state: State, action: int) -> None:
    """Deal an agenda, or let a side keep one."""
    if state.node == Node.DEAL_AGENDA:
        deal_agenda(rules, state, action - Action.DEAL_AGENDA)
    else:
        choice = action - Action.KEEP_AGENDA
        keep_agenda(rules, state, choice // MAX_AGENDAS, choice % MAX_AGENDAS)
