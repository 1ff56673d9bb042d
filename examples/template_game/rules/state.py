"""The state of a game: one flat record, with dtype, shape and meaning of every field; and the record of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numba import from_dtype

from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import blank_record
from template_game.rules.data import N_PRIZES, GameData


class Node(IntEnum):
    """The next kind of step: rules steps first, then chance, then decisions."""

    REVEAL = 0
    DEAL = 1
    TURN_UP = 2
    BID = 3
    OVER = 4


class PrizeIs(IntEnum):
    """The place of a prize not won by a side; 0 and 1 are the sides."""

    IN_PILE = 2
    OPEN = 3
    SET_ASIDE = 4


NOT_YET = -1
"""No bid or favourite yet."""
HIDDEN = -2
"""In a view: a favourite that has been dealt but is unknown."""

REASONS = ("not_over", "points", "draw")

DTYPE = np.dtype(
    [
        ("prize", np.int8, N_PRIZES),  # its place: a side or PrizeIs
        ("favourite", np.int8, 2),  # each side's: a prize, NOT_YET, or HIDDEN in views
        ("coins", np.int8, 2),  # each side's remaining coins
        ("bid", np.int8, 2),  # each side's for the open prize: NOT_YET before it bids and in other sides' views
        ("node", np.int8),  # Node
    ],
    align=True,
)
STATE = from_dtype(DTYPE)

State = Any
"""A record of `DTYPE`."""

RULES_DTYPE = np.dtype([("worth", np.int16, N_PRIZES), ("coins", np.int16), ("favourites", np.int16)], align=True)
RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""


def build(data: GameData, options: Mapping[str, OptionValue]) -> Rules:
    """Return the rules record of a ruleset, from checked data and complete options."""
    rules = blank_record(RULES_DTYPE)
    rules.worth[:] = [prize.worth for prize in data.prize]
    rules.coins = data.limits.coins
    rules.favourites = bool(options["favourites"])
    return rules
