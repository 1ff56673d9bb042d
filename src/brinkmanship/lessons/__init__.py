"""The course of each game: a guided first game, then short lessons of one idea each.

A lesson is a journal, ``lessons/<number>-<id>.brink`` in the game's folder, whose comments mark the questions to the
learner. A line ``; lesson NAME: ACTION * | ACTION`` above an entry offers these actions to the side of the entry, the
right ones with a star; without actions the lesson only explains. The words are in the catalogue ``<game>-lessons``:
``<id>.title`` and ``<id>.line`` of the lesson; for its steps ``<id>.<name>.text``, with a question ``.ask``,
``.right`` and ``.wrong``, and in the first game ``.title``. Names in these are marked (`brinkmanship.lessons.names`).
``learned.1`` to ``learned.3`` end the course.

`docs/develop/players.md` describes the check that the actions marked right are better.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import NamedTuple

from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import kits

FIRST = "first"
"""The guided first game."""
_STEP = re.compile(r"lesson (?P<name>[a-z_]+)(?:: (?P<answers>.+))?")
_FILE = re.compile(r"(?P<number>\d+)-(?P<id>[a-z_]+)\.brink")


class Answer(NamedTuple):
    """An action offered to the learner."""

    text: str
    is_right: bool


class LessonStep(NamedTuple):
    """A place of a lesson with an explanation or a question."""

    name: str
    place: int
    """Entries of the match before it."""
    answers: Sequence[Answer]


class Lesson(NamedTuple):
    """A lesson of a game."""

    id: str
    seen: Perspective
    """The game as the learner knows it."""
    opened: Perspective
    """The game with all cards open, to continue from it; never shown."""
    steps: Sequence[LessonStep]

    @property
    def side(self) -> int:
        """The side of the learner."""
        return self.seen.viewer


@cache
def course_of(game_id: str) -> tuple[str, ...]:
    """Return the ids of the lessons of a game in order, the guided first game first."""
    return tuple(_files(game_id))


def has_lesson(game_id: str) -> bool:
    """Return True if the game has lessons."""
    return bool(course_of(game_id))


def _files(game_id: str) -> dict[str, Traversable]:
    kit = kits().get(game_id)
    folder = kit.folder / "lessons" if kit else None
    if folder is None or not folder.is_dir():
        return {}
    found = [(match, file) for file in folder.iterdir() if (match := _FILE.fullmatch(file.name))]
    return {match["id"]: file for match, file in sorted(found, key=lambda one: int(one[0]["number"]))}


@cache
def lesson_of(game: Game, lesson_id: str) -> Lesson:
    """Load a lesson of a ruleset; `lesson_id` is one of its course.

    Raises:
        JournalError: its journal breaks the rules.
    """
    file = _files(game.id)[lesson_id]
    record = journal.parse(file.read_text("utf-8"), file.name)
    match = journal.play(record, game)
    steps: list[LessonStep] = []
    for entry, place in zip(record.entries, journal.places_of(record, match), strict=True):
        steps.extend(_steps(entry.above, place))
    steps.extend(_steps(record.below, len(match.entries)))
    side = next(match.entries[step.place].actor for step in steps if step.answers)
    return Lesson(lesson_id, Perspective(match, side), Perspective(match, FULL_INFORMATION), steps)


def _steps(comments: Sequence[str], place: int) -> list[LessonStep]:
    found = (_STEP.fullmatch(comment.strip()) for comment in comments)
    return [LessonStep(line["name"], place, _answers(line["answers"] or "")) for line in found if line]


def _answers(text: str) -> list[Answer]:
    offered = [answer.strip() for answer in text.split("|") if answer.strip()]
    return [Answer(answer.removesuffix("*").strip(), answer.endswith("*")) for answer in offered]
