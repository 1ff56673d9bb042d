"""S6: both agendas are revealed and scored, and their icons act (section 2.7)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.thirteen_days.rules.board import gain_prestige, leader, move_marker
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS
from brinkmanship.games.thirteen_days.rules.state import N_PLACES, NOT_CHOSEN, STATE, Node, State
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask
from brinkmanship.games.thirteen_days.rules.tables import RULES, AgendaKind, IconOrder, Rules


@compiled(types.int64, RULES, STATE, types.int64)
def award(rules: Rules, state: State, agenda: int) -> int:
    """Return the value of an agenda now: > 0 to the US, < 0 to the USSR, 0 on a tie (section 1.4, R5, R6, R8)."""
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
    """Raise both sides' markers in the DEFCON 2 area of the agenda's track by one step (R2, R3)."""
    if rules.agendas[agenda].icon:
        track = rules.agendas[agenda].track
        for side in range(2):
            if rules.area[state.defcon[side, track]] == 2:
                move_marker(rules, state, side, track, 1)


@internal(types.void, RULES, STATE)
def resolve_agendas(rules: Rules, state: State) -> None:
    """Score both agendas from the same position (S6); their icons act after that, or before it by option (R1)."""
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
