"""The rules as tables: `GameData` and the chosen options turned into arrays the compiled functions read.

Rules are passed to every function and never held in module globals, so that two games with different cards or
options can be played in one process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import from_dtype

from brinkmanship.engine.options import Options, OptionValue, choose
from brinkmanship.engine.record import blank_record
from brinkmanship.games.events import data as d
from brinkmanship.games.events.data import MAX_EFFECTS_PER_CARD
from brinkmanship.games.events.frame import UN
from brinkmanship.games.events.tables import (
    C_OWN,
    CARD_COLUMNS,
    EFFECT_COLUMNS,
    IF_CUBES,
    PARTIES,
    EffectTables,
    bits,
)
from brinkmanship.games.thirteen_minutes.data import COLOURS, GameData
from brinkmanship.games.thirteen_minutes.state import N_CARDS, N_PLACES

# Columns of `Rules.limits`.
CUBES = 0
CUBES_ON_PLACE = 1
HAND = 2
LAST_TURN = 3
FOR_BATTLEGROUND = 4
FOR_CUBA = 5
FOR_MILITARY = 6
FOR_AFTERMATH = 7
WAR_CARDS = 8
LIMITS = 9

# Columns of `Rules.options`: the index of the chosen value, 0 being the default of the rules; a number is itself.
CUBA_TIMING = 0  # section 3
FIRST_PLAYER = 1  # section 3
BID_TIE_CAP = 2  # Q4
TIEBREAK = 3  # Q43
COMMAND_ZERO = 4  # Q15
FOREIGN_PUSH = 5  # Q21
_COLUMNS = ("cuba_timing", "first_player", "bid_tie_cap", "tiebreak", "command_zero", "foreign_push")

OPTION_VALUES: dict[str, tuple[OptionValue, ...]] = {
    "cuba_timing": ("after_hands", "before_hands"),
    "first_player": ("auction", "beginner"),
    "bid_tie_cap": (0, 20),
    "tiebreak": ("own_sphere", "none"),
    "cube_limit": (0, 5),
    "command_zero": (True, False),
    "foreign_push": ("actor", "owner", "none"),
    "campaign_target": (13,),
    "campaign_double_war": ("no_winner", "void_game"),
    "campaign_both_13": ("higher_else_continue", "shared"),
    "campaign_sides": ("alternate", "keep", "agree"),
}
"""Every option with its values, the default of the rules first; of options that are any number, the usual ones."""

C_COLOUR = C_OWN
"""Column of `Rules.cards`: index in COLOURS."""

JUST_PLAYED = N_PLACES
"""Bit of the column WHERE of an effect: the card in play."""
ALL_PLACES = (1 << N_PLACES) - 1

MAX_EFFECTS = N_CARDS * MAX_EFFECTS_PER_CARD

RULES_DTYPE = np.dtype(
    [
        ("limits", np.int16, LIMITS),
        ("options", np.int16, len(_COLUMNS)),
        ("cards", np.int16, (N_CARDS, CARD_COLUMNS)),
        ("effects", np.int16, (MAX_EFFECTS, EFFECT_COLUMNS)),
        ("branches", np.int16, (MAX_EFFECTS, 2)),  # first effect, condition it requires or NOBODY
        ("conditions", np.int16, (2 * MAX_EFFECTS, 4)),
    ],
    align=True,
)
"""Everything the compiled functions know of a ruleset, in one record."""

RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""


def choose_options(data: GameData, chosen: Mapping[str, OptionValue]) -> Options:
    """All options with their values; see `engine.options.choose`."""
    return choose("13 Minutes", data.options, OPTION_VALUES, chosen, data.presets)


def build(data: GameData, options: Mapping[str, OptionValue]) -> Rules:
    """The tables for checked data (`loading.load`) and complete options (`choose_options`)."""
    effects = _EffectTables(data)
    rules = blank_record(RULES_DTYPE)
    for index, card in enumerate(data.card):
        first = effects.add_event(card.effects)
        side = UN if card.side == "un" else PARTIES[card.side]
        rules.cards[index] = (side, card.cubes, COLOURS.index(card.colour), first, len(effects.rows))
    limits, scoring = data.limits, data.scoring
    rules.limits[:] = (
        limits.cubes_per_side,
        options["cube_limit"] or limits.cubes_per_battleground or limits.cubes_per_side,
        limits.hand_size,
        limits.turns,
        scoring.battleground,
        scoring.cuba,
        scoring.military_majority,
        scoring.aftermath,
        scoring.war_cards,
    )
    rules.options[:] = [_number(data, name, options[name]) for name in _COLUMNS]
    rules.effects[: len(effects.rows)] = effects.rows
    if effects.branches:
        rules.branches[: len(effects.branches)] = effects.branches
    if effects.conditions:
        rules.conditions[: len(effects.conditions)] = effects.conditions
    return rules


def _number(data: GameData, name: str, value: OptionValue) -> int:
    return int(value) if data.options[name].range is not None else OPTION_VALUES[name].index(value)


def where_bits(data: GameData, where: Sequence[str]) -> int:
    """The battlegrounds that ids and group names stand for, as bits; no names at all mean all of them.

    A colour means the cards that show it: Cuba, face down, is not among them (Q28).
    """
    if not where or "all" in where:
        return ALL_PLACES
    cards = [index for index, card in enumerate(data.card) if card.id in where or card.colour in where]
    cuba = [N_CARDS] if "cuba" in where else []
    just_played = [JUST_PLAYED] if "just_played" in where else []
    return bits([*cards, *cuba, *just_played])


class _EffectTables(EffectTables):
    """The rows of the events of 13 Minutes."""

    def __init__(self, data: GameData) -> None:
        super().__init__()
        self.data = data

    def where(self, names: Sequence[str]) -> int:
        """See `EffectTables.where`."""
        return where_bits(self.data, names)

    def own_effect(self, effect: d.AnyEffect, row: list[int]) -> None:
        """See `EffectTables.own_effect`: no effect needs more than all have."""

    def condition(self, condition: d.Condition) -> tuple[int, int, int, int]:
        """See `EffectTables.condition`; `loading` lets only one about cubes pass."""
        place = self.data.places.index(condition.at or "")
        return (IF_CUBES, PARTIES[condition.cubes_of or ""], place, condition.at_least or 0)
