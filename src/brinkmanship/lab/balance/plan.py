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
from brinkmanship.lab.balance.profile import subject_of

REPORT_SEED = 9_000_000_000
"""Seeds from here on are for figures that are reported; see docs/strength.md."""
PIECE = 100
"""Games of a piece, less where a player thinks long."""
SLOW_PIECE = 5

Sizes = dict[str, int]

SIZES: dict[str, dict[str, Sizes]] = {
    "13-days": {
        "greedy": {
            "games": 20_000, "course": 4_000, "order": 4_000, "cards": 8_000, "uses": 8_000, "agendas": 3_000,
            "hiding": 4_000, "options": 3_000,
        },
        "fast": {
            "games": 100_000, "course": 8_000, "order": 12_000, "cards": 60_000, "uses": 24_000, "agendas": 12_000,
            "hiding": 12_000, "options": 24_000,
        },
        "rules": {
            "games": 20_000, "course": 4_000, "order": 4_000, "cards": 8_000, "uses": 8_000, "agendas": 3_000,
            "hiding": 4_000, "options": 3_000,
        },
        "search:20n": {"games": 1_000},
    },
    "13-minutes": {
        "greedy": {
            "games": 40_000, "course": 3_000, "order": 10_000, "cards": 12_000, "uses": 12_000, "bids": 24_000,
            "options": 8_000,
        },
        "fast": {
            "games": 100_000, "course": 3_000, "order": 20_000, "cards": 40_000, "uses": 24_000, "bids": 60_000,
            "options": 24_000,
        },
        "rules": {
            "games": 8_000, "course": 1_500, "order": 3_000, "cards": 4_000, "uses": 4_000, "bids": 10_000,
            "options": 1_000,
        },
        "search:20n": {"games": 200},
    },
    "ukrainian-crisis": {
        "greedy": {
            "games": 10_000, "course": 1_000, "order": 3_000, "events": 4_000, "countries": 800, "zones": 800,
            "options": 400,
        },
        "rules~0.95": {
            "games": 4_000, "course": 500, "order": 1_000, "events": 1_000, "countries": 200, "zones": 200,
            "options": 60,
        },
        "rules": {
            "games": 40_000, "course": 4_000, "order": 8_000, "events": 12_000, "countries": 8_000, "zones": 8_000,
            "options": 4_000,
        },
        "search:20n": {"games": 400},
    },
}  # fmt: skip
"""Games of each measure by game and player, for a report of scale 1. Players stand from the weakest on."""

OTHER_GAMES: Sizes = {"games": 4_000, "course": 0, "options": 500}


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
        players: by whom, weakest first; none: those of `SIZES`.

    Raises:
        PlanError: the game is measured in none of the ways.
        UnknownPlayerError: there is no such player.
    """
    usual = SIZES.get(game.id)
    if usual is None:
        usual = dict.fromkeys(subject_of(game).players(), OTHER_GAMES)
    names = players or tuple(usual)
    if len(set(names)) < len(names):
        raise PlanError(Message("fault.balance.players"))
    kinds = {*EVERY_GAME, *subject_of(game).kinds}
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
