"""A game as one side saw it: what a computer player is given to choose from.

A `Perspective` looks at a match, and so at all that is hidden. An `Observation` holds nothing but what its side knows,
and can be sent to another process as it is (`pickle`): there is no state in it, no seed, no journal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State


class SeenAction(NamedTuple):
    """An action as a side saw it."""

    actor: int
    """The side, or CHANCE for chance and for the steps of the rules."""
    action: int
    """`engine.perspective.UNKNOWN` where the side may not know which it is."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A game from its start to the present, as far as one side knows it.

    Of a question put to both sides in secret it holds the side's own answer only, until both have answered.
    """

    game: Game
    side: int
    actions: tuple[SeenAction, ...]
    """All that was done, in order; empty for a position without a past (`at`)."""
    views: tuple[bytes, ...]
    """What the side knew before the first action and after each, as bytes of `Game.dtype`: one more than `actions`."""

    @classmethod
    def of(cls, match: Match, side: int) -> Observation:
        """What a side has seen of a match; an `ObservationRecorder` does the same for one that goes on."""
        return ObservationRecorder(side).seen(match)

    @classmethod
    def at(cls, game: Game, view: State, side: int) -> Observation:
        """A position without its past, from a side's view of it."""
        return cls(game, side, (), (view.tobytes(),))

    def view(self, count: int | None = None) -> State:
        """What the side knew after so many actions, None: knows now. A record of its own."""
        return self.game.state_from_bytes(self.views[-1 if count is None else count])


class ObservationRecorder:
    """Follows matches from one side's seat, so that nothing is looked at twice. It stays where the match is.

    Args:
        side: whose eyes it has.
    """

    def __init__(self, side: int) -> None:
        self._side = side
        self._past: list[bytes] = []
        self._views: list[bytes] = []

    def seen(self, match: Match) -> Observation:
        """What the side has seen of a match up to now, whatever was taken back in between."""
        seen = Perspective(match, self._side)
        length = seen.length
        past = [match.bytes_after(count) for count in range(length + 1)]
        same = 0
        while same < min(len(past), len(self._past)) and past[same] == self._past[same]:
            same += 1
        del self._views[same:]
        self._views += [seen.view(count).tobytes() for count in range(same, length + 1)]
        self._past = past
        actions = tuple(SeenAction(entry.actor, entry.action) for entry in seen.entries)
        return Observation(match.game, self._side, actions, tuple(self._views))
