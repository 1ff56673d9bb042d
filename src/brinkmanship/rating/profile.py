"""Facet of a game: which of its rulesets are rated, how far each favours a side, and the ratings of its levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import Kit, kit_for

STANDARD = ""
"""Name of the ruleset with all options at their defaults."""
LEVEL = "level:"
"""Prefix of a computer level's name; the number follows, from 1."""


@dataclass(frozen=True)
class RatingProfile:
    """Constants of a game's ratings."""

    side_advantages: Mapping[str, float] = field(default_factory=lambda: {STANDARD: 0.0}, hash=False)
    """First side's advantage in rating points for each rated ruleset (`ruleset_of`)."""
    levels: Sequence[float] = ()
    """Fixed ratings of the computer levels, level 1 first."""

    def level_rating(self, player: str) -> float | None:
        """Return the rating of a computer player, named as in a seat; None if it has none."""
        number = player.removeprefix(LEVEL)
        if not is_level(player) or not number.isdecimal() or not 1 <= int(number) <= len(self.levels):
            return None
        return self.levels[int(number) - 1]


def is_level(player: str) -> bool:
    """Return True if this is the name of a computer level, not the id of a person."""
    return player.startswith(LEVEL)


def profile_of(kit: Kit) -> RatingProfile:
    """Return the profile in a game's module `rating`; by default only the standard ruleset, and people, are rated."""
    module = kit.module("rating")
    return cast(RatingProfile, module.RATING) if module else RatingProfile()


def profile_for(game: Game) -> RatingProfile:
    """Return the profile of a ruleset's game."""
    return profile_of(kit_for(game))


def ruleset_of(options: Mapping[str, OptionValue]) -> str:
    """Return the name of a ruleset, given the options that differ from their defaults: "scenario=balanced"."""
    return ",".join(f"{name}={value}" for name, value in sorted(options.items()))


def ruleset_name(game: Game) -> str:
    """Return the name of a ruleset, as in `RatingProfile.side_advantages`."""
    return ruleset_of({name: value for name, value in game.options.items() if game.default_options[name] != value})
