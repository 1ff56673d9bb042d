"""The actions: one number each, and one text.

=================  =================================  =========================
number             text                               who
=================  =================================  =========================
REVEAL             reveal_bids                        the rules
DEAL + 3*side + n  favour SIDE PRIZE                  chance; known to the side
TURN_UP + n        turn_up PRIZE                      chance
BID + 10*side + n  bid N                              the side
=================  =================================  =========================
"""

from __future__ import annotations

from enum import IntEnum

from brinkmanship.engine.action_parser import NO_SIDE
from brinkmanship.engine.message import ActionParts
from template_game.rules.data import MAX_COINS, N_PRIZES, GameData

SIDES = ("us", "ussr")
N_BIDS = MAX_COINS + 1


class Action(IntEnum):
    """The number of each action, or of the first action of its block."""

    REVEAL = 0
    DEAL = 1
    TURN_UP = DEAL + 2 * N_PRIZES
    BID = TURN_UP + N_PRIZES


N_ACTIONS = Action.BID + 2 * N_BIDS
MAX_LEGAL = N_BIDS


def action_texts(data: GameData) -> tuple[str, ...]:
    """Return the text of every action, by number."""
    prizes = [prize.id for prize in data.prize]
    return (
        "reveal_bids",
        *(f"favour {side} {prize}" for side in SIDES for prize in prizes),
        *(f"turn_up {prize}" for prize in prizes),
        *(f"bid {coins}" for _ in SIDES for coins in range(N_BIDS)),
    )


def owner(action: int) -> int:
    """Return the side of a bid, whose text both sides share, or `NO_SIDE`."""
    return (action - Action.BID) // N_BIDS if action >= Action.BID else NO_SIDE


def parts(data: GameData, action: int) -> ActionParts:
    """Return the parts of an action; its kind is the first word of its text."""
    if action < Action.DEAL:
        return ActionParts("step")
    if action < Action.TURN_UP:
        side, prize = divmod(action - Action.DEAL, N_PRIZES)
        return ActionParts("favour", card=data.prize[prize].id, side=SIDES[side])
    if action < Action.BID:
        return ActionParts("turn_up", card=data.prize[action - Action.TURN_UP].id)
    side, coins = divmod(action - Action.BID, N_BIDS)
    return ActionParts("bid", side=SIDES[side], count=coins)
