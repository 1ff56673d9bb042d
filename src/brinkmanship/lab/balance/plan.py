"""Which games make a report: how many of each measure, by how strong a player."""

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
"""Seeds from here on are for figures that are reported; see docs/develop/strength.md."""
PIECE = 100
"""Games of a piece, less where a player thinks long."""
SLOW_PIECE = 5


class PlanError(LocalizedError):
    """A report that cannot be made as it was asked for."""


class Piece(NamedTuple):
    """Some games of a measure by a player: what is measured in one go, and kept."""

    kind: str
    player: str
    first: int
    games: int


class Plan(NamedTuple):
    """How many games of each measure are played by each player, the weakest first."""

    sizes: dict[str, Sizes]

    def pieces(self) -> Iterator[Piece]:
        """What is to be measured. A larger plan begins with the pieces of a smaller one, measure by measure."""
        for player, sizes in self.sizes.items():
            for kind, games in sizes.items():
                step = SLOW_PIECE if player.startswith("search") else PIECE
                for first in range(0, games, step):
                    yield Piece(kind, player, first, step)


def plan_for(game: Game, scale: float = 1.0, players: tuple[str, ...] = ()) -> Plan:
    """The plan of a report.

    Args:
        game: the ruleset.
        scale: how many games, against the usual number.
        players: by whom, weakest first; none: those of `BalanceProfile.sizes`.

    Raises:
        PlanError: the game is measured in none of the ways.
        UnknownPlayerError: there is no such player.
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
        else:  # a player that is not in the table: as many as for the slowest one there that can do the same
            alike = [each for other, each in usual.items() if other.startswith("search") == player.is_asked]
            found = min(alike or list(usual.values()), key=lambda each: each["games"])
        sizes[name] = {
            kind: ceil(scale * games)
            for kind, games in found.items()
            if kind in kinds and games and not (kind == "cards" and (player.is_asked or player.policy is None))
        }
    return Plan(sizes)
