"""The crisis diary of a game, ``games/<game>/words/diary.py``: the days of its stages, and the events that it tells."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple, cast

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import kit_for
from brinkmanship.text.history import Kind


class Stage(NamedTuple):
    """A stage of a diary."""

    first: date
    last: date
    history: tuple[Kind, str]
    """Kind and id of the text of the catalogue ``history`` about these days."""

    def day(self, entry: int, length: int) -> date:
        """Return the day of the diary for an entry, from 1, of a game with `length` entries."""
        days = (self.last - self.first).days + 1
        return date.fromordinal(self.first.toordinal() + (entry - 1) * days // max(length, 1))


class Diary(NamedTuple):
    """The crisis diary of a game; a game without one has no stages."""

    stages: tuple[Stage, ...] = ()
    facts: tuple[str, ...] = ()
    """Beginnings of the keys of the log lines that the diary tells."""
    bonus_options: tuple[str, ...] = ()
    """Option with the starting value of each side; () if the rules have none."""
    bonus: Mapping[int, int] = {}
    """Addition to this value for the user by stage, from 0."""


def diary_of(game: Game) -> Diary:
    """Return the crisis diary of a game."""
    module = kit_for(game).module("words.diary")
    return cast(Diary, module.DIARY) if module else Diary()
