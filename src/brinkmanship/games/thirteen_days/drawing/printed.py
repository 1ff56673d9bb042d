"""Counters and score sheet of 13 Days, to print."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.printed import Counter, ScoreSheet, counter_picture
from brinkmanship.drawing.svg import Markup, path
from brinkmanship.engine.message import Message
from brinkmanship.games.thirteen_days.drawing.labels import labels_for
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.text import Words

_SIZE = 24.0
_CUBE_MM = 10.0


def counters(game: ThirteenDays, words: Words) -> list[Counter]:
    """Return cubes, flags and DEFCON markers of both sides, the Personal Letter, and markers of Prestige and round."""
    limits = game.data.limits
    found = []
    for side, id in enumerate(game.sides):
        name = words.name("side", id)
        cube = counter_picture(_SIZE, _SIZE, icons.cube(side, 12, 12, 15))
        found.append(Counter(name, cube, limits.cubes_per_side, _CUBE_MM, _CUBE_MM))
        flag = counter_picture(_SIZE, _SIZE, icons.flag(side, 6, 20, name))
        found.append(Counter(f"{name}: {words.sentence(Message('term.agenda'))}", flag, limits.agendas_dealt))
        for track in game.data.track:
            face = counter_picture(_SIZE, _SIZE, icons.cube(side, 12, 9, 12), icons.kind(track.id, 8.5, 16.5, 7))
            found.append(Counter(f"{name}: {words.name('track', track.id)}", face, 1))
    letter = counter_picture(36, _SIZE, icons.envelope(4, 3, 28))
    found.append(Counter(words.sentence(Message("term.letter")), letter, 1, 21.0, 14.0))
    found.append(Counter(words.sentence(Message("term.prestige")), _lettered("P"), 1))
    return [*found, Counter(labels_for(words, game.data).say("round", round=1), _lettered("1"), 1)]


def _lettered(letter: str) -> Markup:
    return counter_picture(_SIZE, _SIZE, path("M3 3h18v18h-18z", "back"), text(12, 17, letter, 14, "b", "middle"))


def score_sheet(game: ThirteenDays, words: Words) -> ScoreSheet:
    """Return the agendas, markers and Prestige of each round."""
    tracks = tuple(words.name("track", track.id) for track in game.data.track)
    agenda = words.sentence(Message("term.agenda"))
    return ScoreSheet((agenda, *tracks), (words.sentence(Message("term.prestige")),), game.data.limits.rounds)
