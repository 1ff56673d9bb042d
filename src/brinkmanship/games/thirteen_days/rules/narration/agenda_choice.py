"""S2: texts for the deal of agendas, the flags and the choice (section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS
from brinkmanship.games.thirteen_days.rules.phrases import BOTH, the_agenda, the_side
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import NOT_CHOSEN, Node, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award

NODES = (Node.DEAL_AGENDA, Node.AGENDA)


def prompt(game: ThirteenDaysRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `DecisionTexts.prompt`. Both choose at once (D1), and who has already done so stays hidden."""
    if view.node == Node.DEAL_AGENDA:
        return Message("ask.deal", {"who": the_side(view.drawer)})
    question = Message("ask.agenda", {"round": int(view.round_number)})
    if side not in BOTH:
        return Message("ask.agendas")
    if view.chosen[side] == NOT_CHOSEN:
        return question
    return Message("wait", {"who": the_side(1 - side), "what": question})


def describe(game: ThirteenDaysRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """Implement `DecisionTexts.describe`."""
    agenda = [agenda.id for agenda in game.data.agenda].index(parts.agenda or "")
    if parts.kind == "deal":
        return Message("choice.deal", {"agenda": the_agenda(game, agenda)})
    return _worth(game, view, agenda)


def aim(game: ThirteenDaysRuleset, view: State, side: int) -> Message | None:
    """Implement `Narrator.aim`: the agenda a side has chosen."""
    chosen = int(view.chosen[side]) if side in BOTH else NOT_CHOSEN
    return _worth(game, view, chosen) if chosen >= 0 else None


def _worth(game: ThirteenDaysRuleset, view: State, agenda: int) -> Message:
    """Return an agenda, with its value if scored now."""
    points = int(award(game.rules, view, agenda))
    if points == 0:
        return Message("choice.agenda.nothing", {"agenda": the_agenda(game, agenda)})
    gain: dict[str, Argument] = {"who": the_side(US if points > 0 else USSR), "n": abs(points)}
    return Message("choice.agenda", {"agenda": the_agenda(game, agenda), **gain})


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:
    """Implement `StepTexts.narrate`."""
    if before.node == Node.DEAL_AGENDA:
        return _flags(game, after)
    return _choice(game, action, after, viewer)


def _flags(game: ThirteenDaysRuleset, after: State) -> Iterator[LogLine]:
    """Yield lines for S2b: the flags go on the board when all agendas are dealt."""
    if after.node == Node.DEAL_AGENDA:
        return
    for side in BOTH:
        flags: list[Ref | Message] = []
        for agenda in range(len(game.data.agenda)):
            times, ref = int(after.agenda_dealt[side, agenda]), the_agenda(game, agenda)
            if times:
                flags.append(ref if times == 1 else Message("agenda.times", {"agenda": ref, "times": times}))
        yield LogLine(Message("log.step.flags", {"who": the_side(side), "agendas": tuple(flags)}), side)


def _choice(game: ThirteenDaysRuleset, action: int, after: State, viewer: int) -> Iterator[LogLine]:
    """Yield lines for D1: each side sees its own choice, and that both have chosen when they have."""
    if Action.KEEP_AGENDA <= action < Action.FIRST:
        side, agenda = divmod(action - Action.KEEP_AGENDA, MAX_AGENDAS)
        if side == viewer:
            args = {"who": the_side(side), "agenda": the_agenda(game, agenda)}
            yield LogLine(Message("log.decide.agenda", args), side)
    if after.node != Node.AGENDA:
        yield LogLine(Message("log.decide.agendas"))
