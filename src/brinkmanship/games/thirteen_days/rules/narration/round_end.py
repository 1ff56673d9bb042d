"""S8: texts for the end of a round."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import Node, State

NODES = (Node.ADVANCE,)


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.narrate`."""
    yield LogLine(Message("log.step.round_over", {"round": int(before.round_number)}))
    if any(before.modifier) or any(before.ban):
        yield LogLine(Message("log.step.effects_over"))
