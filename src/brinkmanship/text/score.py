"""The score of a game as text: the tables of `Narrator.score` for pages and terminals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.score import ScoreTable
from brinkmanship.text.words import Words


class PartText(NamedTuple):
    """A part of a score."""

    what: str
    points: tuple[str, str]


class ScoreText(NamedTuple):
    """A score of both sides as the sum of its parts."""

    title: str
    sides: tuple[str, str]
    """The names of the sides, above their numbers."""
    parts: tuple[PartText, ...]
    totals: tuple[str, str]
    notes: tuple[str, ...]


def score_text(game: Game, tables: Iterable[ScoreTable], words: Words) -> list[ScoreText]:
    """Return the tables of a game's score in one language, numbers with a true minus sign."""
    first, second = (words.name("side", side) for side in game.sides)

    def pair(points: tuple[int, int]) -> tuple[str, str]:
        return words.number(points[0]), words.number(points[1])

    def part(what: Message, points: tuple[int, int]) -> PartText:
        return PartText(words.sentence(what), pair(points))

    return [
        ScoreText(
            words.sentence(table.title),
            (first, second),
            tuple(part(*each) for each in table.parts),
            pair(table.totals),
            tuple(words.sentence(note) for note in table.notes),
        )
        for table in tables
    ]
