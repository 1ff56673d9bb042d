"""The state of a game: one flat record, with dtype, shape and meaning of every field; and the record of its rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numba import from_dtype

from brinkmanship.engine.record import blank_record


class Node(IntEnum):
    """The next kind of step."""

    DEAL = 0
    FIRST = 1  # side 0 checks or bets
    SECOND = 2  # side 1 checks or bets, after a check
    ANSWER = 3  # `asked` calls or folds, after a bet
    OVER = 4


NOT_YET = -1
"""A card that has not been dealt."""
HIDDEN = -2
"""In a view: a card that has been dealt but is unknown."""
NOBODY = 2

REASONS = ("not_over", "fold", "showdown")

DTYPE = np.dtype(
    [
        ("card", np.int8, 2),  # each side's: a card, NOT_YET, or HIDDEN in views
        ("paid", np.int8, 2),  # each side's contribution to the pot
        ("folded", np.int8),  # a side, or NOBODY
        ("asked", np.int8),  # the side to act, NOBODY while cards are dealt and at the end
        ("node", np.int8),  # Node
    ],
    align=True,
)
STATE = from_dtype(DTYPE)

State = Any
"""A record of `DTYPE`."""

RULES_DTYPE = np.dtype([("ante", np.int16)], align=True)
RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""


def build() -> Rules:
    """Return the rules as a record."""
    rules = blank_record(RULES_DTYPE)
    rules.ante = 1
    return rules
