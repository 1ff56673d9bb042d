"""Stages of the crisis diaries: the days that each covers, and the text of the catalogue ``history`` about them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.players import levels_for
from brinkmanship.text.history import Kind


class Stage(NamedTuple):
    """A stage of a diary."""

    first: date
    last: date
    history: tuple[Kind, str]
    """Kind and id of the historical text."""

    def day(self, entry: int, length: int) -> date:
        """Return the day of the diary for an entry, from 1, of a game with `length` entries."""
        days = (self.last - self.first).days + 1
        return date.fromordinal(self.first.toordinal() + (entry - 1) * days // max(length, 1))


def _october(first: int, last: int, card: str) -> Stage:
    return Stage(date(1962, 10, first), date(1962, 10, last), ("card", card))


_THIRTEEN_DAYS = (
    _october(16, 17, "excomm"),
    _october(18, 19, "lessons_of_munich"),
    _october(20, 21, "wave_and_smile"),
    _october(22, 23, "quarantine"),
    _october(24, 26, "u_thant"),
    _october(27, 28, "u2_downed"),
)
_UKRAINE = (
    Stage(date(2014, 2, 27), date(2014, 3, 7), ("event", "svoboda_shakeup")),
    Stage(date(2014, 3, 8), date(2014, 3, 10), ("event", "flight_370")),
    Stage(date(2014, 3, 11), date(2014, 3, 16), ("event", "unit_not_ready")),
    Stage(date(2014, 3, 17), date(2014, 3, 26), ("event", "economic_sanctions")),
    Stage(date(2014, 3, 27), date(2014, 4, 6), ("event", "united_for_ukraine")),
    Stage(date(2014, 4, 7), date(2014, 4, 30), ("event", "spontaneous_mobilization_clubs")),
)
STAGES: Mapping[str, tuple[Stage, ...]] = {
    "13-days": _THIRTEEN_DAYS,
    "13-minutes": _THIRTEEN_DAYS,
    "ukrainian-crisis": _UKRAINE,
}
"""Stages by game."""

PRESTIGE_BONUS: Mapping[int, int] = {4: 2, 5: 4}
"""Additional starting Prestige of the user in the last stages, where the rules have an option for it."""


def has_diary(game: Game) -> bool:
    """Return True if a game has a crisis diary: stages, and a level for each."""
    return len(levels_for(game)) >= len(STAGES.get(game.id, ())) > 0


def bonus(game: Game, stage: int) -> int:
    """Return the additional Prestige with which the user starts a stage."""
    return PRESTIGE_BONUS.get(stage, 0) if f"prestige_{game.sides[0]}" in game.default_options else 0


def options(game: Game, side: int, stage: int) -> dict[str, OptionValue]:
    """Return the options of the rules for a stage."""
    name, more = f"prestige_{game.sides[side]}", bonus(game, stage)
    return {name: int(game.default_options[name]) + more} if more else {}
