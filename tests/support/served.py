"""A server as it runs, with all its tasks, but without a network; its clocks can be put forward."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from sqlalchemy import Engine, select, update
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette

from brinkmanship.store import schema
from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.server.app import create_app
from brinkmanship.web.services import ServerServices
from brinkmanship.web.support.errors import StaleError
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import LIVE, Clock
from brinkmanship.web.tables.record_kinds import ACTION
from brinkmanship.web.tables.seating import TableSettings
from support.loops import run_in_thread
from support.patience import until

AGAINST_COMPUTER = TableSettings("13-days", ["me", "computer:random"])


class Served:
    """A server as it runs, without a network."""

    def __init__(self, app: Starlette) -> None:
        self.services: ServerServices = app.state.services
        self.tables = self.services.tables
        self.engine: Engine = self.services.engine
        self.anna: Person
        self.anna, _ = self.services.users.add_guest("Anna", "en")
        self.acknowledged: dict[str, list[int]] = {}

    async def begin(self, plan: TableSettings = AGAINST_COMPUTER) -> str:
        table, _ = await self.services.seating.create(plan, self.anna.id, "Anna")
        self.acknowledged[table.id] = []
        return table.id

    async def act(self, table_id: str) -> bool:
        """Take Anna's first legal action; whether it was acknowledged."""
        try:
            table = await self.tables.table(table_id)
            if 0 not in table.to_move:
                return False
            action = table.decisions(0)[0].action
            await self.services.actions.act(table_id, self.anna.id, 0, table.version(0), action)
        except (*TRANSIENT_ERRORS, StaleError):
            return False
        self.acknowledged[table_id].append(action)
        return True

    def kept(self, table_id: str, side: int = 0) -> list[int]:
        wanted = select(schema.records.c.value).where(
            schema.records.c.table_id == table_id, schema.records.c.actor == side, schema.records.c.kind == ACTION
        )
        with self.engine.connect() as connection:
            return list(connection.execute(wanted.order_by(schema.records.c.number)).scalars())

    def kept_status(self, table_id: str) -> str:
        with self.engine.connect() as connection:
            return str(
                connection.execute(select(schema.tables.c.status).where(schema.tables.c.id == table_id)).scalar_one()
            )

    def computer_has_answered(self, table_id: str) -> bool:
        """By what is kept: no computer is asked there. Not known where this very look finds its connection cut."""
        asked_at = select(schema.tables.c.computer_asked_at).where(schema.tables.c.id == table_id)
        try:
            with self.engine.connect() as connection:
                return connection.execute(asked_at).scalar_one() is None
        except OperationalError:
            return False

    def check_acknowledged(self) -> None:
        for table_id, actions in self.acknowledged.items():
            kept = iter(self.kept(table_id))
            assert all(action in kept for action in actions), table_id


def serve(url: str, test: Callable[[Served], Awaitable[None]]) -> None:
    async def serving() -> None:
        app = create_app(Settings(database=url))
        async with app.router.lifespan_context(app):
            await test(Served(app))

    run_in_thread(serving())


def running_out(table_id: str, served: Served) -> None:
    """Let the clock of a table be out of time, as its records say."""
    with served.engine.begin() as connection:
        records = schema.records
        connection.execute(update(records).where(records.c.table_id == table_id).values(at=records.c.at - 10_000))
        tables = schema.tables
        out = {"clock_ends_at": time.time() - 9_000, "dealt_at": tables.c.dealt_at - 10_000}
        connection.execute(update(tables).where(tables.c.id == table_id).values(**out))
    served.tables._live.pop(table_id, None)


async def looked_at_clocks(served: Served) -> None:
    """Until all clocks have been looked at once more."""
    looks = served.tables.replication._tasks._standing["clocks"]
    before = looks.done_at
    await until(lambda: looks.done_at > before)


async def with_clock(served: Served) -> str:
    """A table on one screen, whose clock runs."""
    table_id = await served.begin(TableSettings("13-days", ["me", "me"], terms=Terms(Clock(LIVE, 600))))
    for side in (0, 1):
        table = await served.tables.table(table_id)
        action = table.decisions(side)[0].action
        await served.services.actions.act(table_id, served.anna.id, side, table.version(side), action)
    del served.acknowledged[table_id]
    return table_id
