"""Agreements between the players on a table page: offers, take-backs, and standing orders."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from brinkmanship.web.pages.table.table_context import TableContext
from brinkmanship.web.presentation.log_view import LogViewLine
from brinkmanship.web.support.table_terms import NONE
from brinkmanship.web.tables.statuses import RUNNING

MAX_OWN_ACTIONS = 12
"""Maximum decisions of the viewer offered for a take-back."""


class OrderText(NamedTuple):
    """A standing order in words."""

    text: str
    """Its stored form."""
    said: str


class Orders(NamedTuple):
    """The viewer's standing orders."""

    given: list[OrderText]
    offered: list[OrderText]


class Agreements(NamedTuple):
    """What the players have offered, asked for and ordered."""

    offered: bool
    """True if a draw is offered."""
    offered_to_me: bool
    asked_back: bool
    """True if a take-back is requested."""
    asks_me_back: Markup | None
    """The decision the other side asks to take back, as a log line; None if it does not ask."""
    back_keeps: int
    """Number of entries that the requested take-back keeps; 0 without a request."""
    own_actions: list[LogViewLine]
    """Lines of the viewer's latest decisions that they may ask to take back."""
    orders: Orders | None
    """None if the viewer cannot give any."""


def agreements_of(at: TableContext) -> Agreements:
    """Return the agreements at a table."""
    table, viewer = at.table, at.viewer
    return Agreements(
        offered=table.state.offer is not None,
        offered_to_me=viewer.is_player and table.state.offer == 1 - viewer.side,
        asked_back=table.state.back is not None,
        asks_me_back=_asks_me_back(at),
        back_keeps=table.state.back[1] if table.state.back else 0,
        own_actions=_own_actions(at),
        orders=_orders(at),
    )


def _asks_me_back(at: TableContext) -> Markup | None:
    back = at.table.state.back
    if not at.viewer.is_player or back is None or back[0] == at.side:
        return None
    entry = back[1] + 1
    return next((line.shown for line in at.log_view.lines if line.entry >= entry), Markup("…"))


def _own_actions(at: TableContext) -> list[LogViewLine]:
    table, log_view = at.table, at.log_view
    if not at.viewer.is_player or table.status != RUNNING or table.state.back or at.seen.in_secret:
        return []
    if table.seats[1 - at.side].computer or table.terms.undo == NONE:
        return []
    own = {
        line.entry: line
        for line in log_view.lines[::-1]
        if line.entry > table.given and log_view.entries[line.entry - 1].actor == at.side
    }
    return [own[entry] for entry in sorted(own, reverse=True)][:MAX_OWN_ACTIONS]


def _orders(at: TableContext) -> Orders | None:
    """Return the viewer's standing orders; None on a shared screen, where they could not be secret."""
    table = at.table
    if not at.viewer.is_player or table.status != RUNNING or table.state.is_hot_seat:
        return None
    orders = [OrderText(order.text, at.words.sentence(order.message)) for order in table.game.orders(at.side)]
    given = table.state.orders.get(at.side, frozenset())
    if not orders or (not given and any(seat.computer for seat in table.seats)):
        return None
    return Orders([order for order in orders if order.text in given], [o for o in orders if o.text not in given])
