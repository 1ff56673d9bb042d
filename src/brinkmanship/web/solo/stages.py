"""Stages of the crisis diaries as games: which games have a diary, and the rules of a stage."""

from __future__ import annotations

from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.players import levels_for
from brinkmanship.text.diary import diary_of


def has_diary(game: Game) -> bool:
    """Return True if a game has a crisis diary: stages, and a level for each."""
    return len(levels_for(game)) >= len(diary_of(game).stages) > 0


def bonus(game: Game, stage: int) -> int:
    """Return the addition to the value with which the user starts a stage, such as Prestige."""
    diary = diary_of(game)
    return diary.bonus.get(stage, 0) if diary.bonus_options else 0


def options(game: Game, side: int, stage: int) -> dict[str, OptionValue]:
    """Return the options of the rules for a stage."""
    if not (more := bonus(game, stage)):
        return {}
    name = diary_of(game).bonus_options[side]
    return {name: int(game.default_options[name]) + more}
