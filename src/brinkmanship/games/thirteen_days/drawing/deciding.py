"""Deciding facts of a finished game: the markers that the board rings, and the same in words."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.svg import NOTHING, Markup
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.thirteen_days.drawing.danger import SECOND, WORST
from brinkmanship.games.thirteen_days.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition, read
from brinkmanship.games.thirteen_days.rules.data import TRACKS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import State
from brinkmanship.text import Words

_WARS = ("nuclear_war", "mutual_nuclear_war")
_LETTER = "personal_letter"
_BY_PRESTIGE = ("prestige", _LETTER)


def deciding(game: ThirteenDays, view: State, words: Words) -> list[str]:
    """Return what decided the game; see `Drawing.deciding`."""
    labels, position = labels_for(words, game.data), read(game, view, OBSERVER)
    if decides_prestige(position):
        lead = labels.lead(position.prestige) if position.prestige else labels.say("even")
        found = [f"{labels.sentence('prestige')}: {lead}"]
        if decides_letter(position):
            found.append(f"{labels.sentence('letter')}: {labels.sides[position.letter]}")
        return found
    return [_marker(labels, position, side, track) for side in range(2) for track in to_war(labels, position, side)]


def _marker(labels: Labels, position: DrawnPosition, side: int, track: str) -> str:
    step = position.markers[track][side]
    return f"{labels.sides[side]}, {labels.kind(track)}: {step} ({labels.area(labels.area_of(step))})"


def to_war(labels: Labels, position: DrawnPosition, side: int) -> list[str]:
    """Return the tracks whose markers of a side triggered nuclear war."""
    if not position.over or position.reason not in _WARS or position.winner == side:
        return []
    steps = {track: position.markers[track][side] for track in TRACKS}
    worst, second = labels.data.areas.get(WORST, []), labels.data.areas.get(SECOND, [])
    lost = [track for track in TRACKS if steps[track] in worst]
    return lost or [track for track in TRACKS if all(steps[each] in second for each in TRACKS)]


def decides_prestige(position: DrawnPosition) -> bool:
    """Return True if the game was decided on the track of Prestige."""
    return position.over and position.reason in _BY_PRESTIGE


def decides_letter(position: DrawnPosition) -> bool:
    """Return True if the game was decided by the Personal Letter."""
    return position.over and position.reason == _LETTER


def ring(is_culprit: bool, x: float, y: float, size: float) -> Markup:
    """Draw a ring around a marker of this size if it decided the game."""
    return icons.culprit(x, y, size * 0.95) if is_culprit else NOTHING
