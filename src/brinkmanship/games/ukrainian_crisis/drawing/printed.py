"""Cards, counters and score sheet of Ukrainian Crisis, to print."""

from __future__ import annotations

from brinkmanship.drawing.icons import cube
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.phrases import capital
from brinkmanship.drawing.printed import Counter, PrintedCard, ScoreSheet, counter_picture
from brinkmanship.drawing.svg import Markup, path
from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.drawing.cards import back, card
from brinkmanship.games.ukrainian_crisis.drawing.position import Stack
from brinkmanship.games.ukrainian_crisis.drawing.units import counter
from brinkmanship.games.ukrainian_crisis.rules.data import CLASSES, EVENTS, Unit
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.text import Words

_WIDE, _HIGH = 54.0, 26.0
_SIZE = 24.0
_MM = 0.55
"""Size (mm) of a drawing unit on a counter."""


def deck(game: UkrainianCrisis, words: Words) -> list[PrintedCard]:
    """Return the Event Cards, and a pack of Resource Cards for each side."""
    events = [PrintedCard(card(game, event.id, words), back("un", words)) for event in EVENTS]
    packs = [
        PrintedCard(card(game, rank, words), back(side.lower(), words), count)
        for side in game.sides
        for rank in CLASSES
        for count in (getattr(game.data.resources.pack, rank),)
        if count
    ]
    return [*events, *packs]


def counters(game: UkrainianCrisis, words: Words) -> list[Counter]:
    """Return units, each as it fights and neutralised, then markers of countries, Prestige and turn."""
    found = [_unit(game, unit, words, hollow) for unit in game.data.unit for hollow in (False, True) if unit.count]
    for country in game.data.country:
        name = words.name("country", country.id)
        found.append(Counter(name, _lettered(country.id), 1))
    for side, id in enumerate(game.sides):
        face = counter_picture(_SIZE, _SIZE, cube(side, 12, 12, 15))
        found.append(Counter(f"{words.name('side', id)}: {words.sentence(Message('score.whole'))}", face, 1))
    return found


def _unit(game: UkrainianCrisis, unit: Unit, words: Words, hollow: bool) -> Counter:
    side = [id.upper() for id in game.sides].index(unit.side)
    strength = (unit.cv_neutralised if hollow else unit.cv) or 0
    stack = Stack(unit.id, side, unit.type, unit.kind, hollow, 1, strength)
    face = counter_picture(_WIDE, _HIGH, counter(stack, 3, 4))
    name = capital(words.name("unit", unit.id))
    return Counter(name, face, unit.count, _WIDE * _MM, _HIGH * _MM)


def _lettered(letters: str) -> Markup:
    return counter_picture(_SIZE, _SIZE, path("M3 3h18v18h-18z", "back"), text(12, 17, letters, 13, "b", "middle"))


def score_sheet(game: UkrainianCrisis, words: Words) -> ScoreSheet:
    """Return the Prestige after each turn, and the Victory Points at the end."""
    prestige, points = (words.sentence(Message(f"score.{key}")) for key in ("whole", "title"))
    return ScoreSheet((prestige,), (), game.data.start.turns, (points,))
