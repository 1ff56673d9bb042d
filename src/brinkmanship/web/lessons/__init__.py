"""Guided first games: for each game a journal, ``<game>.brink`` here, whose comments say where the learner is asked.

A line ``; lesson NAME: ACTION * | ACTION`` above an entry offers these actions to the side of the entry, the right ones
with a star; without actions the lesson only explains. The words are in the catalogue ``library``:
``lesson.<game>.<name>.title``, ``.text``, and where something is asked ``.ask``, ``.right``, ``.wrong``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.engine.perspective import Perspective

_LESSON = re.compile(r"lesson (?P<name>[a-z_]+)(?:: (?P<answers>.+))?")


class Answer(NamedTuple):
    """An action that is offered to the learner."""

    text: str
    is_right: bool


class Lesson(NamedTuple):
    """A step of a guided game."""

    name: str
    place: int
    """How many entries of the match come before it."""
    answers: Sequence[Answer]


class Course(NamedTuple):
    """A guided game."""

    seen: Perspective
    """The game as the learner knows it."""
    lessons: Sequence[Lesson]

    @property
    def side(self) -> int:
        """The side of the learner."""
        return self.seen.reader


def has_lesson(game_id: str) -> bool:
    """Whether there is a guided first game."""
    return _file(game_id).is_file()


def _file(game_id: str) -> Traversable:
    return files(__package__) / f"{game_id}.brink"


@cache
def course_of(game: Game) -> Course:
    """The guided game of a ruleset.

    Raises:
        JournalError: its journal breaks the rules.
    """
    record = journal.parse(_file(game.id).read_text("utf-8"), f"{game.id}.brink")
    match = journal.play(record, game)
    lessons: list[Lesson] = []
    for entry, place in zip(record.entries, journal.places_of(record, match), strict=True):
        lessons.extend(_lessons(entry.above, place))
    lessons.extend(_lessons(record.below, len(match.entries)))
    side = next(match.entries[lesson.place].actor for lesson in lessons if lesson.answers)
    return Course(Perspective(match, side), lessons)


def _lessons(comments: Sequence[str], place: int) -> list[Lesson]:
    found = (_LESSON.fullmatch(comment.strip()) for comment in comments)
    return [Lesson(line["name"], place, _answers(line["answers"] or "")) for line in found if line]


def _answers(text: str) -> list[Answer]:
    offered = [answer.strip() for answer in text.split("|") if answer.strip()]
    return [Answer(answer.removesuffix("*").strip(), answer.endswith("*")) for answer in offered]
