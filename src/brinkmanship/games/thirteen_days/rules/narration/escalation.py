"""S1: texts for the escalation."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.thirteen_days.rules.phrases import BOTH, the_side, the_track
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import N_TRACKS, Node, State

NODES = (Node.ESCALATE,)


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.narrate`."""
    yield LogLine(Message("log.step.round", {"round": int(before.round_number)}))
    for side in BOTH:
        steps = [int(step) for step in after.defcon[side]]
        markers = [
            Message("marker.step", {"track": the_track(track), "step": steps[track]}) for track in range(N_TRACKS)
        ]
        yield LogLine(Message("log.step.markers", {"who": the_side(side), "markers": tuple(markers)}))
