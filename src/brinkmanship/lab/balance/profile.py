"""Measurable features of a game: its wars, leads, choices of the order of play, and alternative starts.

Any game, also one of another package, is measured in what every game has: win rates, lengths, endings, and the effects
of its options.
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
"""Number of games of each measure."""

OTHER_GAMES: Sizes = {"games": 4_000, "course": 0, "options": 500}
"""Sizes for a game that defines none."""


class Beginning(NamedTuple):
    """An alternative start: other options, or another state after set-up."""

    options: Mapping[str, OptionValue] = {}
    change: Callable[[State], None] | None = None


class BalanceProfile:
    """The measurable features of every game. A game with more has a subclass in its ``balance.py``.

    Args:
        game: the ruleset.
    """

    wars: tuple[str, ...] = ()
    """The `Game.reasons` that are a nuclear war."""
    kinds: tuple[str, ...] = ()
    """Measures of `measures.KINDS` that this game has in addition to `EVERY_GAME`."""
    ahead = "ahead"
    """Message key of the caption of the figure on how open a game is; `moment` defines its axis."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def sizes(self) -> Mapping[str, Sizes]:
        """Return the number of games of each measure in a report of scale 1, by player, weakest first."""
        names = [name for name in players_for(self.game) if name != "search"]
        return dict.fromkeys(names[-3:], OTHER_GAMES)

    def span(self, state: State) -> int:  # noqa: ARG002 - for games that have it
        """Return the round or Turn of a state, 0 if the game has none."""
        return 0

    def moment(self, state: State) -> int:  # noqa: ARG002 - for games that have it
        """Return the number of the moment if the lead is measured at this state, otherwise -1."""
        return -1

    def chance(self, state: State) -> float:
        """Return side 0's chance of winning at such a moment."""
        raise NotImplementedError

    def causes(self, state: State) -> Sequence[tuple[int, str]]:  # noqa: ARG002 - for games that have it
        """Return the sides that began the war of a finished game, each with the cause."""
        return ()

    def cause(self, cause: str) -> Message | tuple[Ref, ...]:
        """Return the text for one of `causes`: a message, or the names of the things involved."""
        return Message(f"cause.{cause}")

    def at_war(self, state: State, side: int) -> bool:  # noqa: ARG002 - for games that have it
        """Return True if a check for war now would find that the side triggers it."""
        return False

    def asks_order(self, state: State) -> bool:  # noqa: ARG002 - for games that have it
        """Return True if a side is to choose who goes first."""
        return False

    def show(self, state: State, known: State, side: int) -> None:
        """Reveal in the other side's view the agenda that a side has chosen."""

    def numbers(self) -> Mapping[str, Mapping[int, Beginning]]:
        """Return alternative starting numbers: by name, the start for each value."""
        return {}

    def countries(self) -> Mapping[str, Mapping[str, Beginning]]:
        """Return the starts of each country by id and box; the first box is the one the others are compared with."""
        return {}

    def zones(self) -> Mapping[str, tuple[Beginning, ...]]:
        """Return the starts of each zone by id, held by side 0 and by side 1."""
        return {}


@cache
def profile_of(game: Game) -> BalanceProfile:
    """Return the profile of a ruleset: its game's own, otherwise the general one."""
    return (implementation(kit_for(game), "balance", BalanceProfile) or BalanceProfile)(game)
