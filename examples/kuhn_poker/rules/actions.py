"""The actions: one number each, and one text.

===============  ================  =========================
number           text              who
===============  ================  =========================
DEAL + 3*side+n  deal SIDE CARD    chance; known to the side
CHECK ... FOLD   check, bet ...    the side that is asked
===============  ================  =========================
"""

from __future__ import annotations

from enum import IntEnum

from kuhn_poker.rules.data import N_CARDS, GameData

SIDES = ("first", "second")


class Action(IntEnum):
    """The number of each action, or of the first action of its block."""

    DEAL = 0
    CHECK = DEAL + 2 * N_CARDS
    BET = CHECK + 1
    CALL = BET + 1
    FOLD = CALL + 1


N_ACTIONS = Action.FOLD + 1
MAX_LEGAL = N_CARDS
DECISIONS = ("check", "bet", "call", "fold")


def action_texts(data: GameData) -> tuple[str, ...]:
    """Return the text of every action, by number."""
    return (*(f"deal {side} {card.id}" for side in SIDES for card in data.card), *DECISIONS)
