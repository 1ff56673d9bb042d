"""What a game offers to be measured: its wars, who is ahead, who chooses the order, and what it may begin with.

A game of another package is measured too, in what every game has: how often each side wins, how long it takes, how it
ends, what its options do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import State
from brinkmanship.games.registry import implementation, kit_for
from brinkmanship.players import players_for

Sizes = Mapping[str, int]
"""Games of each measure."""

OTHER_GAMES: Sizes = {"games": 4_000, "course": 0, "options": 500}
"""Sizes for a game that gives none."""


class Beginning(NamedTuple):
    """Another beginning: other options, or another state after set-up."""

    options: Mapping[str, OptionValue] = {}
    change: Callable[[State], None] | None = None


class BalanceProfile:
    """What every game offers to be measured. A game with more has a subclass in its ``balance.py``.

    Args:
        game: the ruleset.
    """

    wars: tuple[str, ...] = ()
    """Those of `Game.reasons` that are a nuclear war."""
    kinds: tuple[str, ...] = ()
    """Measures of `measures.KINDS` that this game has besides those of every game."""
    ahead = "ahead"
    """Key of the caption of the figure that shows how open a game is; `moment` says what its axis counts."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def sizes(self) -> Mapping[str, Sizes]:
        """Return how many games of each measure a report of scale 1 has by each player, the weakest first."""
        names = [name for name in players_for(self.game) if name != "search"]
        return dict.fromkeys(names[-3:], OTHER_GAMES)

    def span(self, state: State) -> int:  # noqa: ARG002 - for games that have it
        """The round or Turn that a state is in, 0 where the game has none."""
        return 0

    def moment(self, state: State) -> int:  # noqa: ARG002 - for games that have it
        """Whether a state is one at which it is asked who is ahead: its number, -1 else."""
        return -1

    def chance(self, state: State) -> float:
        """How likely side 0 wins at such a moment."""
        raise NotImplementedError

    def causes(self, state: State) -> Sequence[tuple[int, str]]:  # noqa: ARG002 - for games that have it
        """Which sides have begun the war of a finished game, and by what."""
        return ()

    def cause(self, cause: str) -> Message | tuple[Ref, ...]:
        """Return the words for one of `causes`: a message, or the things it names."""
        return Message(f"cause.{cause}")

    def at_war(self, state: State, side: int) -> bool:  # noqa: ARG002 - for games that have it
        """Whether a side would begin the war if it were looked for now."""
        return False

    def asks_order(self, state: State) -> bool:  # noqa: ARG002 - for games that have it
        """Whether a side is asked who goes first."""
        return False

    def show(self, state: State, known: State, side: int) -> None:
        """Enter into what the other side knows which agenda a side has chosen."""

    def numbers(self) -> Mapping[str, Mapping[int, Beginning]]:
        """Numbers to begin with that could be others: by name, what each value changes."""
        return {}

    def countries(self) -> Mapping[str, Mapping[str, Beginning]]:
        """Countries by id, each in every box it may begin in, the one it is compared with first."""
        return {}

    def zones(self) -> Mapping[str, tuple[Beginning, ...]]:
        """Zones by id, each held from the start by side 0 and by side 1."""
        return {}


@cache
def profile_of(game: Game) -> BalanceProfile:
    """Return the profile of a ruleset: that of its game, or else the one of every game."""
    return (implementation(kit_for(game), "balance", BalanceProfile) or BalanceProfile)(game)
