"""Loader of tables: rebuilds a table from its records in the database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial

from sqlalchemy import Connection, Engine, select

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import game_class
from brinkmanship.store import repository, schema
from brinkmanship.store.database import snapshot
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.errors import NotFoundError, OtherRulesError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.origins import MatchPlace, Occasion, SeriesPlace
from brinkmanship.web.tables.ruleset_cache import Rulesets
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import DEALING, WAITING
from brinkmanship.web.tables.table_cache import TableCache

LOADING_THREADS = 1
MAX_LOADING = 256
MAX_LOADING_OF_ADDRESS = 16
"""Maximum tables, or rulesets with custom options, being loaded at once: in total, and per address."""

SEAT_FIELDS = tuple(each.name for each in fields(Seat))


@dataclass
class _Loading:
    """A table being loaded from its records."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    """Number of requests waiting for the table."""
    has_changed: bool = False
    """True if the table was changed during loading."""


class TableLoader:
    """Loads tables and rulesets, not too many at once; each table once for all requests that wait for it.

    Args:
        engine: Database engine.
        rulesets: Cache of the rulesets.
        live: Cache of the tables in memory.
    """

    def __init__(self, engine: Engine, rulesets: Rulesets, live: TableCache) -> None:
        self._engine = engine
        self._rulesets = rulesets
        self._pool = BoundedPool("loading", LOADING_THREADS, MAX_LOADING, MAX_LOADING_OF_ADDRESS)
        self._live = live
        self._loading: dict[str, _Loading] = {}

    async def load(self, table_id: str) -> LiveTable:
        """Return a table that was not in memory.

        Raises:
            NotFoundError: There is no such table.
            OtherRulesError: The table was started with an unsupported version of the rules.
            TooManyError: Too many are being loaded at once.
        """
        loading = self._loading.setdefault(table_id, _Loading())
        loading.waiting += 1
        try:
            async with loading.lock:
                if table_id not in self._live:
                    table = await self._pool.do(partial(self.read, table_id))
                    while loading.has_changed:
                        loading.has_changed = False
                        table = await asyncio.to_thread(self.read, table_id)
                    self._live.add(table)
        finally:
            loading.waiting -= 1
            if not loading.waiting:
                del self._loading[table_id]
        return self._live[table_id]

    async def ruleset(self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None = None) -> Game:
        """Return a ruleset; one that is not cached is loaded outside the event loop.

        Raises:
            BrinkError: There is no such game or option, or the data file is invalid.
            TooManyError: Too many are being loaded at once.
        """
        known = self._rulesets.at_hand(game_id, options, data)
        return await self._pool.do(partial(self._rulesets.get, game_id, options, data)) if known is None else known

    def note_change(self, table_id: str) -> None:
        """Note a change of a table that may be being loaded."""
        if (loading := self._loading.get(table_id)) is not None:
            loading.has_changed = True

    def note_changes(self) -> None:
        """Note possible changes of all tables that are being loaded."""
        for loading in self._loading.values():
            loading.has_changed = True

    def read(self, table_id: str) -> LiveTable:
        """Rebuild a table from its records, separate from the cached instance; call it in a thread.

        Raises:
            NotFoundError: There is no such table.
            OtherRulesError: The table was started with an unsupported version of the rules.
        """
        with snapshot(self._engine) as connection:
            table = self._read(connection, table_id)
        table.said = repository.last_said(self._engine, table_id)
        return table

    def _read(self, connection: Connection, table_id: str) -> LiveTable:
        row = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).mappings().first()
        if row is None:
            raise NotFoundError(f"there is no table {table_id}", key="refused.no_table")
        rules = game_class(row["game"])
        if not rules.can_play(row["rules_version"]):
            raise OtherRulesError(row["rules_version"], rules.version)
        data = None
        if row["data_sha256"] is not None:
            data = repository.data_file(connection, row["data_sha256"], row["data_file"])
        game = self._rulesets.get(row["game"], row["options"], data)
        table = LiveTable(dict(row), _seats(connection, table_id), game, _part(connection, table_id))
        table.match_place = _match_place(connection, table_id)
        rounds = schema.duplicate_tables.c
        table.round = connection.execute(select(rounds.round_id).where(rounds.table_id == table_id)).scalar()
        table.occasion = _occasion(connection, table_id)
        table.state.orders = _orders(connection, table_id)
        records = schema.records.c
        for record in connection.execute(
            select(records.kind, records.actor, records.value, records.at)
            .where(records.table_id == table_id)
            .order_by(records.number)
        ):
            table.apply_record(TableRecord(*record))
        if row["status"] not in (WAITING, DEALING):
            table.state.status, table.state.result = row["status"], row["result"]
        return table


def _seats(connection: Connection, table_id: str) -> list[Seat]:
    seats = schema.seats
    rows = connection.execute(select(seats).where(seats.c.table_id == table_id).order_by(seats.c.side)).mappings()
    return [Seat(**{name: row[name] for name in SEAT_FIELDS}) for row in rows]


def _part(connection: Connection, table_id: str) -> SeriesPlace | None:
    games = schema.series_games
    found = connection.execute(select(games).where(games.c.table_id == table_id)).first()
    return SeriesPlace(found.series, found.number, found.swapped) if found else None


def _match_place(connection: Connection, table_id: str) -> MatchPlace | None:
    games = schema.match_games.c
    found = connection.execute(select(games.match_id, games.number).where(games.table_id == table_id)).first()
    return MatchPlace(*found) if found else None


def _occasion(connection: Connection, table_id: str) -> Occasion | None:
    daily, solo = schema.daily_games.c, schema.solo_games.c
    if found := connection.execute(select(daily.game, daily.day).where(daily.table_id == table_id)).first():
        return Occasion.of_daily(found.game, found.day)
    if found := connection.execute(select(solo.game, solo.side).where(solo.table_id == table_id)).first():
        return Occasion.of_solo(found.game, found.side)
    return None


def _orders(connection: Connection, table_id: str) -> dict[int, frozenset[str]]:
    orders = schema.orders.c
    given: dict[int, set[str]] = {}
    for side, text in connection.execute(select(orders.side, orders.text).where(orders.table_id == table_id)):
        given.setdefault(side, set()).add(text)
    return {side: frozenset(texts) for side, texts in given.items()}
