"""The narrator of 13 Days, each part in a separate module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import LogLine, Message
from brinkmanship.engine.narrator import Narrator
from brinkmanship.engine.score import ScoreTable
from brinkmanship.games.thirteen_days.rules import narration, score
from brinkmanship.games.thirteen_days.rules.narration.agenda_choice import aim
from brinkmanship.games.thirteen_days.rules.narration.warning import warning
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import State


class ThirteenDaysNarrator(Narrator[ThirteenDaysRuleset]):
    """Texts of a game of 13 Days; see `Narrator`."""

    span = "round"
    named_as: ClassVar[Mapping[str, tuple[str, ...]]] = {"place": ("battleground",)}
    may_do_nothing = ("event", "trigger")
    moved_by_every_play = ("cards", "deck", "discard", "hand_sizes", "round", "turn")

    def prompt(self, view: State, side: int) -> Message:
        return narration.prompt(self.game, view, side)

    def aim(self, view: State, side: int) -> Message | None:
        return aim(self.game, view, side)

    def describe(self, view: State, side: int, action: int) -> Message:
        return narration.describe(self.game, view, side, action)

    def narrate(self, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:
        return narration.narrate(self.game, before, action, after, viewer)

    def warning(self, before: State, after: State, side: int) -> Message | None:
        return warning(self.game, before, after, side)

    def score(self, history: Sequence[ViewedEntry]) -> tuple[ScoreTable, ...]:
        return score.score(self.game, history)
