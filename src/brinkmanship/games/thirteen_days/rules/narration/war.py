"""S7: texts for the check for nuclear war (section 2.8)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.thirteen_days.rules.narration.log_lines import ending_line
from brinkmanship.games.thirteen_days.rules.phrases import BOTH, marker, the_area, the_side
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import N_TRACKS, Node, Reason, State

NODES = (Node.CHECK_WAR,)


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.narrate`."""
    if after.reason == Reason.NOT_OVER:
        if any(len(_tracks_in(game, before, side, 2)) == N_TRACKS - 1 for side in BOTH):
            yield LogLine(Message("log.step.no_war"))
        return
    for side in BOTH:
        if after.winner == side:
            continue
        for track in _tracks_in(game, before, side, 1):
            yield LogLine(Message("log.war.marker", {"marker": marker(side, track), "area": the_area(1)}), side)
        if len(_tracks_in(game, before, side, 2)) == N_TRACKS:
            yield LogLine(Message("log.war.all", {"who": the_side(side), "area": the_area(2)}), side)
    yield ending_line(after)


def _tracks_in(game: ThirteenDaysRuleset, before: State, side: int, area: int) -> list[int]:
    areas = game.rules.area[before.defcon[side]]
    return [track for track in range(N_TRACKS) if areas[track] == area]
