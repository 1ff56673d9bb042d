"""Deciding facts of a finished game: the rows and numbers that the table frames, and the same in words."""

from __future__ import annotations

from brinkmanship.drawing.phrases import capital
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, DrawnPosition, read
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import State
from brinkmanship.text import Words

_WARS = ("nuclear", "double_nuclear")
_BY_SPHERES = ("tiebreak", "draw")


def deciding(game: ThirteenMinutes, view: State, words: Words) -> list[str]:
    """Return what decided the game; see `Drawing.deciding`."""
    labels, position = labels_for(words, game.data), read(game, view, OBSERVER)
    if decides_prestige(position):
        return [f"{labels.sides[side]}: {labels.say('prestige_total', count=total(position, side))}" for side in (0, 1)]
    if decide_spheres(position):
        return [f"{_name(labels, area)}: {labels.say('lying', n=len(position.lying(area)))}" for area in SPHERES]
    return [
        f"{_name(labels, area)}: {labels.tally(position, area, colour)}"
        for area in SPHERES
        for colour in COLOURS
        if to_war(labels, position, area, colour)
    ]


def _name(labels: Labels, area: int) -> str:
    return capital(labels.area_name(area))


def total(position: DrawnPosition, side: int) -> int:
    """Return the Prestige of a side after the scoring."""
    return sum(position.score[side])


def to_war(labels: Labels, position: DrawnPosition, area: int, colour: str) -> bool:
    """Return True if the cards of a colour in an area triggered nuclear war."""
    is_guilty = position.over and position.reason in _WARS and SPHERES.get(area, position.winner) != position.winner
    return is_guilty and position.colours(area)[colour] >= labels.data.scoring.war_cards


def decides_prestige(position: DrawnPosition) -> bool:
    """Return True if more Prestige decided the game."""
    return position.over and position.reason == "prestige"


def decide_spheres(position: DrawnPosition) -> bool:
    """Return True if the number of battlegrounds in the spheres was compared, as Prestige was equal."""
    return position.over and position.reason in _BY_SPHERES
