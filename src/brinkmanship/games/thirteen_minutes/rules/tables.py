"""The rules as tables: `GameData` and the chosen options turned into arrays the compiled functions read.

Rules are passed to every function and never held in module globals, so that one process can play games with different
cards or options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numba import from_dtype

from brinkmanship.engine.options import Options, OptionValue, as_number, choose, words_of
from brinkmanship.engine.record import blank_record, row_dtype
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import UN
from brinkmanship.games.cuban.tables import PARTIES, ConditionRow, EffectRow, EffectTables, If, bits, event_tables
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS, GameData
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, N_PLACES


class CubaTiming(IntEnum):
    """Time of setting Cuba (section 3)."""

    AFTER_HANDS = 0
    BEFORE_HANDS = 1


class FirstPlayer(IntEnum):
    """Method of choosing the start player (section 3)."""

    AUCTION = 0
    BEGINNER = 1


class Tiebreak(IntEnum):
    """Tiebreak for equal Prestige (Q43)."""

    OWN_SPHERE = 0
    NONE = 1


class ForeignPush(IntEnum):
    """The side whose move it is when a side moves cubes of the other (Q21)."""

    ACTOR = 0
    OWNER = 1
    NONE = 2


OPTION_VALUES: dict[str, tuple[OptionValue, ...]] = {
    "cuba_timing": words_of(CubaTiming),
    "first_player": words_of(FirstPlayer),
    "bid_tie_cap": (0, 20),
    "tiebreak": words_of(Tiebreak),
    "cube_limit": (0, 5),
    "command_zero": (True, False),
    "foreign_push": words_of(ForeignPush),
    "campaign_target": (13,),
    "campaign_double_war": ("no_winner", "void_game"),
    "campaign_both_13": ("higher_else_continue", "shared"),
    "campaign_sides": ("alternate", "keep", "agree"),
}
"""Every option with its values, the default of the rules first; for numeric options, the usual values."""

JUST_PLAYED = N_PLACES
"""Bit of `EffectRow.where`: the card in play."""
ALL_PLACES = (1 << N_PLACES) - 1


@dataclass(slots=True)
class LimitsRow:
    """Numeric limits of the rules."""

    cubes: int
    cubes_on_place: int
    hand: int
    last_turn: int
    for_battleground: int
    for_cuba: int
    for_military: int
    for_aftermath: int
    war_cards: int


@dataclass(slots=True)
class OptionsRow:
    """The options that the rules read."""

    cuba_timing: int  # CubaTiming
    first_player: int  # FirstPlayer
    bid_tie_cap: int  # 0: none (Q4)
    tiebreak: int  # Tiebreak
    command_zero: int  # 1: a Command of 0 is always legal (Q15)
    foreign_push: int  # ForeignPush


@dataclass(slots=True)
class CardRow:
    """A card."""

    side: int
    cubes: int
    colour: int  # index in COLOURS
    event: int  # first row of its effects
    event_end: int  # one past the last row of its effects, branches included


RULES_DTYPE = np.dtype(
    [
        ("limits", row_dtype(LimitsRow)),
        ("options", row_dtype(OptionsRow)),
        ("cards", row_dtype(CardRow), N_CARDS),
        *event_tables(N_CARDS),
    ],
    align=True,
)
"""Everything the compiled functions know of a ruleset, in one record."""

RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""


def choose_options(data: GameData, chosen: Mapping[str, OptionValue]) -> Options:
    """Return all options with their values; see `engine.options.choose`."""
    return choose("13 Minutes", data.options, OPTION_VALUES, chosen, data.presets)


def build(data: GameData, options: Mapping[str, OptionValue]) -> Rules:
    """Return the tables for checked data (`loading.load`) and complete options (`choose_options`)."""
    effects = _EffectTables(data)
    rules = blank_record(RULES_DTYPE)
    for index, card in enumerate(data.card):
        first = effects.add_event(card.effects)
        side = UN if card.side == "un" else PARTIES[card.side]
        row = CardRow(side, card.cubes, COLOURS.index(card.colour), first, len(effects.rows))
        rules.cards[index] = astuple(row)
    effects.write(rules)
    limits, scoring = data.limits, data.scoring
    rules.limits = astuple(
        LimitsRow(
            cubes=limits.cubes_per_side,
            cubes_on_place=int(options["cube_limit"]) or limits.cubes_per_battleground or limits.cubes_per_side,
            hand=limits.hand_size,
            last_turn=limits.turns,
            for_battleground=scoring.battleground,
            for_cuba=scoring.cuba,
            for_military=scoring.military_majority,
            for_aftermath=scoring.aftermath,
            war_cards=scoring.war_cards,
        )
    )
    rules.options = tuple(as_number(options[name], OPTION_VALUES[name]) for name in rules.options.dtype.names)
    return rules


def where_bits(data: GameData, where: Sequence[str]) -> int:
    """Return the battlegrounds of ids and group names, as bits; an empty list means all of them.

    A colour means the cards that show it: Cuba, face down, is not among them (Q28).
    """
    if not where or "all" in where:
        return ALL_PLACES
    cards = [index for index, card in enumerate(data.card) if card.id in where or card.colour in where]
    cuba = [N_CARDS] if "cuba" in where else []
    just_played = [JUST_PLAYED] if "just_played" in where else []
    return bits([*cards, *cuba, *just_played])


class _EffectTables(EffectTables):
    """Effect tables of the events of 13 Minutes."""

    def __init__(self, data: GameData) -> None:
        super().__init__()
        self.data = data

    def where(self, names: Sequence[str]) -> int:
        return where_bits(self.data, names)

    def own_effect(self, effect: d.AnyEffect, row: EffectRow) -> None:
        """Do nothing: no effect needs more than the common fields; see `EffectTables.own_effect`."""

    def condition(self, condition: d.Condition) -> ConditionRow:
        """Return the row of a condition; `loading` accepts only conditions about cubes."""
        place = self.data.places.index(condition.at or "")
        return ConditionRow(If.CUBES, PARTIES[condition.cubes_of or ""], place, condition.at_least or 0)
