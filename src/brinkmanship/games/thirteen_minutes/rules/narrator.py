"""The narrator of 13 Minutes: the texts of a game, each part in its own module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import LogLine, Message
from brinkmanship.engine.narrator import Narrator
from brinkmanship.engine.score import ScoreTable
from brinkmanship.games.thirteen_minutes.rules import narration, score
from brinkmanship.games.thirteen_minutes.rules.narration.warning import warning
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import State


class ThirteenMinutesNarrator(Narrator[ThirteenMinutesRuleset]):
    """Narrator of 13 Minutes; see `Narrator`."""

    named_as: ClassVar[Mapping[str, tuple[str, ...]]] = {"place": ("battleground",), "track": ("area",)}
    may_do_nothing = ("event", "use")
    moved_by_every_play = ("cards", "hand_sizes", "pile", "turn", "shown")

    def prompt(self, view: State, side: int) -> Message:
        return narration.prompt(self.game, view, side)

    def describe(self, view: State, side: int, action: int) -> Message:
        return narration.describe(self.game, view, side, action)

    def narrate(self, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:
        return narration.narrate(self.game, before, action, after, viewer)

    def warning(self, before: State, after: State, side: int) -> Message | None:
        return warning(self.game, before, after, side)

    def score(self, history: Sequence[ViewedEntry]) -> tuple[ScoreTable, ...]:
        return score.score(self.game, history)
