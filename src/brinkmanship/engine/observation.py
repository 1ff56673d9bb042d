"""A game as one side saw it: the input of a computer player.

A `Perspective` refers to a match with all hidden information. An `Observation` holds only the knowledge of its side and
can be pickled and sent to another process: it contains no full state, no seed and no journal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State


class SeenAction(NamedTuple):
    """An action as a side saw it."""

    actor: int
    """The side, or CHANCE for chance and for the steps of the rules."""
    action: int
    """The action; `engine.perspective.UNKNOWN` if the side may not know it."""
    line: str = ""
    """Actor and text as in a journal, such as "us keep cuba_military" or "chance draw ?"; empty in an observation that
    came from another process."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A game from its start to the present, as far as one side knows it.

    In a simultaneous choice it holds only the side's own choice, until both have chosen.
    """

    game: Game
    side: int
    actions: tuple[SeenAction, ...]
    """All actions in order; empty for a position without a past (`at`)."""
    views: tuple[bytes, ...]
    """The side's view before the first action and after each, as bytes of `Game.dtype`: one more than `actions`."""

    @classmethod
    def of(cls, match: Match, side: int) -> Observation:
        """Return a side's observation of a match; for a match in progress, `ObservationRecorder` is faster."""
        return ObservationRecorder(side).seen(match)

    @classmethod
    def at(cls, game: Game, view: State, side: int) -> Observation:
        """Return the observation of a position without its past, from a side's view of it."""
        return cls(game, side, (), (view.tobytes(),))

    def view(self, count: int | None = None) -> State:
        """Return the side's view after `count` actions (None: now), as a separate record."""
        return self.game.state_from_bytes(self.views[-1 if count is None else count])

    def before(self, index: int) -> Observation:
        """Return what the side knew before the action with this index: the first `index` actions and their views."""
        return replace(self, actions=self.actions[:index], views=self.views[: index + 1])


class ObservationRecorder:
    """Incremental observations of matches by one side; views of unchanged entries are reused.

    It stays in the process of the match.

    Args:
        side: the observing side.
    """

    def __init__(self, side: int) -> None:
        self._side = side
        self._past: list[bytes] = []
        self._views: list[bytes] = []

    def seen(self, match: Match) -> Observation:
        """Return the side's observation of a match so far, also after actions were taken back."""
        seen = Perspective(match, self._side)
        length = seen.length
        past = [match.bytes_after(count) for count in range(length + 1)]
        same = 0
        while same < min(len(past), len(self._past)) and past[same] == self._past[same]:
            same += 1
        del self._views[same:]
        self._views += [seen.view(count).tobytes() for count in range(same, length + 1)]
        self._past = past
        game = match.game
        actions = tuple(
            SeenAction(entry.actor, entry.action, f"{journal.actor_name(game, entry)} {entry.text}")
            for entry in seen.entries
        )
        return Observation(game, self._side, actions, tuple(self._views))
