"""S6: texts for the agendas that are revealed and scored (section 2.7)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import Argument, LogLine, Message
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS
from brinkmanship.games.thirteen_days.rules.phrases import (
    BOTH,
    marker_changes,
    prestige_changes,
    the_agenda,
    the_side,
)
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import Node, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award
from brinkmanship.games.thirteen_days.rules.tables import AgendaKind, IconOrder

NODES = (Node.RESOLVE_AGENDAS,)


def position_scored(game: ThirteenDaysRuleset, before: State, after: State) -> State:
    """Return the position from which agendas are scored, in the step that resolves them (R1)."""
    position = game.copy(before)
    if game.rules.options.agenda_icon_order == IconOrder.ESCALATE_THEN_SCORE:  # only icons move markers in this step
        position.defcon[:] = after.defcon
    return position


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.narrate`."""
    position = position_scored(game, before, after)
    for side, agenda in _revealed(before, after):
        yield _scored(game, position, side, agenda)
    for change in marker_changes(game, before, after):
        yield LogLine(Message("log.agenda.icon", {"what": change}))
    for change in prestige_changes(before, after):
        yield LogLine(change)


def _revealed(before: State, after: State) -> list[tuple[int, int]]:
    """Return the chosen agendas with their sides; NOBODY for an observer who cannot tell the side from the flags."""
    used = after.agenda_used - before.agenda_used
    cards = [agenda for agenda in range(MAX_AGENDAS) for _ in range(int(used[agenda]))]
    ways = {(cards[0], cards[1]), (cards[1], cards[0])}
    possible = [way for way in ways if all(_may_be(before, side, way[side]) for side in BOTH)]
    if len(possible) == 1:
        return list(zip(BOTH, possible[0], strict=True))
    return [(NOBODY, agenda) for agenda in cards]


def _may_be(before: State, side: int, agenda: int) -> bool:
    if before.chosen[side] >= 0:
        return bool(before.chosen[side] == agenda)
    return bool(before.agenda_dealt[side, agenda] > 0)


def _scored(game: ThirteenDaysRuleset, position: State, side: int, agenda: int) -> LogLine:
    points = int(award(game.rules, position, agenda))
    whose = Message("agenda.nobody") if side == NOBODY else Message("agenda.of", {"who": the_side(side)})
    args: dict[str, Argument] = {"whose": whose, "agenda": the_agenda(game, agenda)}
    chooser = side if side != NOBODY else None
    if points == 0:
        return LogLine(Message("log.agenda.nothing", args), chooser)
    args |= {"who": the_side(US if points > 0 else USSR), "n": abs(points)}
    row = game.rules.agendas[agenda]
    kind, track, place = int(row.kind), int(row.track), int(row.place)
    if kind == AgendaKind.LETTER:
        return LogLine(Message("log.agenda.letter", args), chooser)
    sides = position.defcon[:, track] if kind == AgendaKind.TRACK else position.influence[:, place]
    lead = abs(int(sides[US]) - int(sides[USSR]))
    return LogLine(Message("log.agenda.lead", {**args, "lead": lead}), chooser)
