"""Warnings about nuclear war: how near each side is to losing the check at the end of a round (section 2.8)."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition
from brinkmanship.games.thirteen_days.rules.data import TRACKS

WORST, SECOND = "defcon_1", "defcon_2"


class Danger(NamedTuple):
    """The severity (0 no danger, 1 near, 2 the side would lose now), and its description."""

    level: int
    words: str


def danger(labels: Labels, position: DrawnPosition, side: int) -> Danger:
    """Return the danger of a side."""
    steps = {track: position.markers[track][side] for track in TRACKS}
    worst, second = labels.data.areas.get(WORST, []), labels.data.areas.get(SECOND, [])
    lost = [track for track in TRACKS if steps[track] in worst]
    near = [track for track in TRACKS if steps[track] in second]
    if lost:
        words = labels.say("danger.lost", tracks=_names(labels, lost), area=labels.area(WORST))
    elif len(near) == len(TRACKS):
        words = labels.say("danger.all", area=labels.area(SECOND))
    else:
        return _near(labels, steps, near)
    return Danger(2, words if position.over else labels.say("danger.war", danger=words))


def _near(labels: Labels, steps: dict[str, int], near: list[str]) -> Danger:
    """Return the danger of a side that would not lose now."""
    parts = []
    edge = [track for track in near if steps[track] + 1 in labels.data.areas.get(WORST, [])]
    others = [track for track in near if track not in edge]  # each is named once: there is room for two lines
    if others:
        key = "danger.some" if len(others) > 1 else "danger.one"
        names = _names(labels, others)
        parts.append(labels.say(key, some=len(others), all=len(TRACKS), area=labels.area(SECOND), tracks=names))
    if edge:
        names = _names(labels, edge)
        parts.append(labels.say("danger.edge", tracks=names, area=labels.area(WORST)))
    if not parts:
        return Danger(0, labels.say("danger.none"))
    return Danger(1 if len(near) > 1 or edge else 0, "; ".join(parts))


def _names(labels: Labels, tracks: list[str]) -> str:
    return labels.words.join([labels.kind(track) for track in tracks])
