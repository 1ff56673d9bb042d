"""Standing orders at a table: a side decides in advance how to respond to the other side's actions.

Only the side that gives an order knows of it. The resulting choice is recorded like any other (by `bot_moves`), and the
journal shows no difference.
"""

from __future__ import annotations

from sqlalchemy import bindparam, delete, insert

from brinkmanship.engine.standing_orders import StandingOrder, about
from brinkmanship.store import schema
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.tables.actions import check_running, check_seat
from brinkmanship.web.tables.event_log import change_of
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.registry import TableRegistry

_insert = insert(schema.orders)
_delete = (
    delete(schema.orders)
    .where(schema.orders.c.table_id == bindparam("table"), schema.orders.c.side == bindparam("of_side"))
    .where(schema.orders.c.about == bindparam("of_what"))
)


class StandingOrders:
    """Service to give and revoke standing orders."""

    def __init__(self, writer: Writer, tables: TableRegistry) -> None:
        self._writer = writer
        self._tables = tables

    async def give(self, table_id: str, person_id: str, side: int, text: str) -> LiveTable:
        """Give an order; it replaces an earlier one about the same thing.

        Raises:
            NotFoundError: There is no such table.
            ForbiddenError: The seat is not the user's.
            IllegalError: The game is not running, or has no such order.
        """
        return await self._change(table_id, person_id, side, text, given=True)

    async def revoke(self, table_id: str, person_id: str, side: int, text: str) -> LiveTable:
        """Revoke an order; does nothing if it has already been revoked.

        Raises:
            NotFoundError: There is no such table.
            ForbiddenError: The seat is not the user's.
            IllegalError: The game is not running, or has no such order.
        """
        return await self._change(table_id, person_id, side, text, given=False)

    async def _change(self, table_id: str, person_id: str, side: int, text: str, *, given: bool) -> LiveTable:
        table = await self._tables.fresh(table_id)
        async with table.lock:
            await self._tables.replication.catch_up(table)
            check_seat(table, person_id, side)
            check_running(table)
            order = _order(table, side, text)
            row = {"table": table.id, "of_side": side, "of_what": order.about}
            new = {"table_id": table.id, "side": side, "about": order.about, "text": order.text}
            statements = [Statement(_delete, row)] + ([Statement(_insert, new)] if given else [])
            # The change first, because it locks the table's row: the deletion then sees an order that another process
            # has just stored, and the insertion does not hit its key.
            await self._writer.write(change_of(table.id), *statements)
            others = {kept for kept in table.state.orders.get(side, ()) if about(kept) != order.about}
            orders = frozenset(others | ({order.text} if given else set()))
            table.state.orders = {of: texts for of, texts in {**table.state.orders, side: orders}.items() if texts}
        self._tables.ordered(table)
        return table


def _order(table: LiveTable, side: int, text: str) -> StandingOrder:
    orders = table.game.orders(side)
    for order in orders:
        if order.text == text:
            return order
    known = ", ".join(order.text for order in orders[:8]) + (", ..." if len(orders) > 8 else "")
    raise IllegalError(
        f"{table.game.title} has no standing order {text!r}; available: {known or 'none'}", key="refused.form_fields"
    )
