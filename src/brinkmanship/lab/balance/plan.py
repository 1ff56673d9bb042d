"""The games of a report: the number for each measure and player."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.lab.balance.counterfactual import named
from brinkmanship.lab.balance.measures import EVERY_GAME
from brinkmanship.lab.balance.profile import Sizes, profile_of

REPORT_SEED = 9_000_000_000
"""First seed of reported figures; see docs/develop/players.md."""
PIECE = 100
"""Games per piece; `SLOW_PIECE` for slow players."""
SLOW_PIECE = 5


class PlanError(LocalizedError):
    """A report cannot be made as requested."""


class Piece(NamedTuple):
    """Some games of a measure by a player: measured and stored as one unit."""

    kind: str
    player: str
    first: int
    games: int


class Plan(NamedTuple):
    """Number of games of each measure by player, weakest first."""

    sizes: dict[str, Sizes]

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces to measure; a larger plan begins each measure with the pieces of a smaller plan."""
        for player, sizes in self.sizes.items():
            for kind, games in sizes.items():
                step = SLOW_PIECE if player.startswith("search") else PIECE
                for first in range(0, games, step):
                    yield Piece(kind, player, first, step)


def plan_for(game: Game, scale: float = 1.0, players: tuple[str, ...] = ()) -> Plan:
    """Return the plan of a report.

    Args:
        game: the ruleset.
        scale: factor on the default number of games.
        players: names, weakest first; empty: those of `BalanceProfile.sizes`.

    Raises:
        PlanError: a player is named twice.
        UnknownPlayerError: a player does not exist.
    """
    profile = profile_of(game)
    usual = profile.sizes()
    names = players or tuple(usual)
    if len(set(names)) < len(names):
        raise PlanError(Message("fault.balance.players"))
    kinds = {*EVERY_GAME, *profile.kinds}
    sizes: dict[str, Sizes] = {}
    for name in names:
        player = named(name, game, REPORT_SEED)
        if name in usual:
            found = usual[name]
        else:  # a player without default sizes: those of the slowest comparable player
            alike = [each for other, each in usual.items() if other.startswith("search") == player.is_asked]
            found = min(alike or list(usual.values()), key=lambda each: each["games"])
        sizes[name] = {
            kind: ceil(scale * games)
            for kind, games in found.items()
            if kind in kinds and games and not (kind == "cards" and (player.is_asked or player.policy is None))
        }
    return Plan(sizes)
