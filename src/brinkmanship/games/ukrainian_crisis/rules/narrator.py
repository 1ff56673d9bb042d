"""The narrator of Ukrainian Crisis: the texts of a game, each part in its own module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Dice, LogLine, Message
from brinkmanship.engine.narrator import Narrator
from brinkmanship.engine.score import ScoreTable
from brinkmanship.games.ukrainian_crisis.rules import narration, odds, score
from brinkmanship.games.ukrainian_crisis.rules.narration.dice import dice
from brinkmanship.games.ukrainian_crisis.rules.narration.warning import warning
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import State


class UkrainianCrisisNarrator(Narrator[UkrainianCrisisRuleset]):
    """Narrator of Ukrainian Crisis; see `Narrator`."""

    span = "turn"
    has_dice = True
    named_as: ClassVar[Mapping[str, tuple[str, ...]]] = {"place": ("zone", "place"), "track": ("country", "area")}
    may_do_nothing = ("play",)
    moved_by_every_play = ("cards", "held_events", "discarded_events")

    def prompt(self, view: State, side: int) -> Message:
        return narration.prompt(self.game, view, side)

    def describe(self, view: State, side: int, action: int) -> Message:
        return narration.describe(self.game, view, side, action)

    def narrate(self, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:
        return narration.narrate(self.game, before, action, after, viewer)

    def dice(self, before: State, action: int) -> Dice | None:
        return dice(self.game, before, action)

    def warning(self, before: State, after: State, side: int) -> Message | None:
        return warning(self.game, before, after, side)

    def overpays(self, view: State, side: int, action: int) -> bool:
        return odds.overpays(self.game, view, side, action)

    def score(self, history: Sequence[ViewedEntry]) -> tuple[ScoreTable, ...]:
        return score.score(self.game, history)
