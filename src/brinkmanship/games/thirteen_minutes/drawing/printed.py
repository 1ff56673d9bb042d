"""Counters and score sheet of 13 Minutes, to print."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.phrases import capital
from brinkmanship.drawing.printed import Counter, ScoreSheet, counter_picture
from brinkmanship.engine.message import Message
from brinkmanship.games.thirteen_minutes.drawing.labels import labels_for
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.text import Words

_SIZE = 24.0
_CUBE_MM = 10.0


def counters(game: ThirteenMinutes, words: Words) -> list[Counter]:
    """Return the cubes of both sides."""
    found = []
    for side, id in enumerate(game.sides):
        face = counter_picture(_SIZE, _SIZE, icons.cube(side, 12, 12, 15))
        found.append(Counter(words.name("side", id), face, game.data.limits.cubes_per_side, _CUBE_MM, _CUBE_MM))
    return found


def score_sheet(game: ThirteenMinutes, words: Words) -> ScoreSheet:
    """Return the battlegrounds by colour, Cuba, and what the military majority and the aftermath are worth."""
    data = game.data
    grounds = {colour.id: capital(words.name("battlegrounds", colour.id)) for colour in data.colour}
    cuba = words.name("battleground", data.cuba.id)
    majority = f"{grounds['military']}: +{data.scoring.military_majority}"
    aftermath = f"{capital(labels_for(words, data).say('pile.aftermath'))}: +{data.scoring.aftermath}"
    return ScoreSheet((words.sentence(Message("score.title")),), rows=(*grounds.values(), cuba, majority, aftermath))
