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

from brinkmanship.engine.errors import MalformedActionError
from brinkmanship.engine.game import CHANCE
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


def parse_action(texts: tuple[str, ...], text: str, side: int) -> int:
    """Return a side's action with this text, or chance's for `CHANCE`.

    Raises:
        MalformedActionError: there is no such action.
    """
    first, last = (0, int(Action.CHECK)) if side == CHANCE else (int(Action.CHECK), N_ACTIONS)
    if text not in texts[first:last]:
        raise MalformedActionError(f"there is no action {text!r}; one looks like {texts[first]!r}")
    return texts.index(text, first, last)
