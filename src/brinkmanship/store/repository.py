"""What pages list: tables by status and person, chat, notes. Plain questions to the database, answered in a thread."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ARRAY, Connection, Engine, Text, any_, bindparam, cast, func, select
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine.data_file import DataFile
from brinkmanship.store.schema import (
    chats,
    data_files,
    looks,
    notes,
    people,
    reasons,
    records,
    seats,
    series_games,
    simulations,
    tables,
    uploads,
)
from brinkmanship.store.writer import TRANSIENT_ERRORS

log = logging.getLogger("brinkmanship.store")

PAGE = 20
MAX_UNUSED = 5000
"""Data files that are kept though no table is played with them."""


class Version(NamedTuple):
    """How far a table has come, all viewers together: to be told to nobody."""

    table_id: str
    changes: int
    """In what no record and no line says."""
    records: int
    said: int
    """The number of the last line that was said."""


class ListedSeat(NamedTuple):
    """A seat in a list."""

    name: str
    person_id: str | None
    computer: str | None
    is_awaited: bool
    """Whether the game cannot begin before bytes of the player have come."""

    @property
    def is_free(self) -> bool:
        """Whether nobody sits here yet."""
        return self.person_id is None and self.computer is None

    @property
    def known_as(self) -> str:
        """The name for programs, which have no viewer's language."""
        return self.name or ("somebody" if self.person_id else "")


class ListedTable(NamedTuple):
    """A table in a list."""

    id: str
    game: str
    status: str
    result: str
    asked: tuple[str, ...]
    """The sides that may act. Each is to be told only of itself: in a secret choice it says who has chosen already."""
    created_at: float
    finished_at: float | None
    seats: tuple[ListedSeat, ...]
    series: str | None
    """The series the game belongs to."""
    options: dict[str, Any]
    """Those that are not at their defaults."""
    clock: dict[str, Any] | None
    """As `web.support.time_control` gives it."""
    undo: str
    """What may be taken back, as `web.support.table_terms` calls it."""
    hints: bool | None
    """Whether they may be taken; None: as is usual."""
    data_file: str | None
    """What the designer of its cards or scenario called his file; None: they are the game's own."""
    is_played_on: bool
    """Whether it goes on from a position of another game."""


class ChatLine(NamedTuple):
    """Something said at a table; `side` is None for an onlooker, `number` rises from line to line."""

    number: int
    name: str
    side: int | None
    text: str
    at: float


_is_awaited = (seats.c.contributes.is_(True) & seats.c.contribution.is_(None)).label("is_awaited")
# As an expression, for which there is no index: of a person's tables SQLite would else read all of that status.
_status = func.coalesce(tables.c.status, "")
# Asked for with most of what is read: to put it together each time took as long as to ask it.
_all_versions = select(
    tables.c.id,
    tables.c.changes,
    select(func.coalesce(func.max(records.c.number), 0)).where(records.c.table_id == tables.c.id).scalar_subquery(),
    select(func.coalesce(func.max(chats.c.id), 0)).where(chats.c.table_id == tables.c.id).scalar_subquery(),
)
_versions = {
    "postgresql": _all_versions.where(tables.c.id == any_(bindparam("tables", type_=ARRAY(Text)))),
    "sqlite": _all_versions.where(tables.c.id.in_(bindparam("tables", expanding=True))),
}
"""By the kind of database: as an array it is the same statement for any number of tables, and prepared once."""
_records_after = (
    select(records.c.number, records.c.kind, records.c.actor, records.c.value, records.c.at)
    .where(records.c.table_id == bindparam("table"), records.c.number > bindparam("known"))
    .order_by(records.c.number)
)

_is_open = tables.c.is_open.is_(True) & (tables.c.status == "waiting")


def open_tables(engine: Engine, limit: int = PAGE, after: str = "") -> list[ListedTable]:
    """Tables where anybody may sit down, newest first; with a table's id those that come after it in the list."""
    wanted = _is_open
    with engine.connect() as connection:
        if after:
            last = connection.execute(select(tables.c.created_at).where(tables.c.id == after)).scalar()
            if last is None:
                return []
            is_older = (tables.c.created_at < last) | ((tables.c.created_at == last) & (tables.c.id < after))
            wanted = wanted & is_older
        return _listed(connection, wanted, limit)


def open_count(engine: Engine, person_id: str) -> int:
    """How many open tables of a person wait for somebody."""
    mine = select(seats.c.table_id).where(seats.c.person_id == person_id)
    with engine.connect() as connection:
        return connection.execute(select(func.count()).where(_is_open & tables.c.id.in_(mine))).scalar_one()


def open_since(engine: Engine, before: float) -> list[str]:
    """Open tables that have waited since before a time."""
    with engine.connect() as connection:
        return list(connection.execute(select(tables.c.id).where(_is_open & (tables.c.created_at < before))).scalars())


def deserted(engine: Engine) -> list[tuple[str, int, str]]:
    """Seats of people who have deleted their accounts at tables that wait or are played: table, side, person."""
    wanted = (
        select(seats.c.table_id, seats.c.side, seats.c.person_id)
        .join(people, people.c.id == seats.c.person_id)
        .join(tables, tables.c.id == seats.c.table_id)
        .where(people.c.left_at.is_not(None) & tables.c.status.in_(("waiting", "dealing", "running")))
    )
    with engine.connect() as connection:
        return [(row.table_id, row.side, row.person_id) for row in connection.execute(wanted)]


def remove_closed(engine: Engine, before: float) -> None:
    """Remove tables that were closed before a time; nothing was played at them."""
    with engine.begin() as connection:
        connection.execute(tables.delete().where((tables.c.status == "closed") & (tables.c.finished_at < before)))


def tables_of(engine: Engine, person_id: str, finished: bool, limit: int = PAGE) -> list[ListedTable]:
    """The tables a person plays or has played at, newest first; of a series only the latest one."""
    mine = select(seats.c.table_id).where(seats.c.person_id == person_id)
    status = _status == "over" if finished else _status.in_(("waiting", "dealing", "running"))
    with engine.connect() as connection:
        return _listed(connection, tables.c.id.in_(mine) & status & ~_has_successor(), limit)


def rematches_for(engine: Engine, person_id: str, limit: int = PAGE) -> list[ListedTable]:
    """Return the tables where a rematch waits for a person to accept it, newest first."""
    mine = select(seats.c.table_id).where(seats.c.person_id == person_id)
    before = tables.alias("before")
    asked_for = select(before.c.rematch).where(before.c.id.in_(mine), before.c.rematch.is_not(None))
    with engine.connect() as connection:
        waits = (_status == "waiting") & tables.c.id.in_(asked_for) & tables.c.id.not_in(mine)
        return _listed(connection, waits, limit)


def rematch_of(engine: Engine, table_id: str, person_id: str) -> str | None:
    """Return the table of a person at which a table was asked for as its rematch, None if there is none."""
    wanted = (
        select(tables.c.id)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(seats.c.person_id == person_id, tables.c.rematch == table_id)
    )
    with engine.connect() as connection:
        return connection.execute(wanted).scalars().first()


def _has_successor() -> Any:
    this, later = series_games.alias("this"), series_games.alias("later")
    return (
        select(this.c.table_id)
        .join(later, (later.c.series == this.c.series) & (later.c.number > this.c.number))
        .where(this.c.table_id == tables.c.id)
        .exists()
    )


def tables_of_series(engine: Engine, series_id: str) -> list[str]:
    """The tables of a series in the order of its games; empty if there is no such series."""
    wanted = select(series_games.c.table_id).where(series_games.c.series == series_id)
    with engine.connect() as connection:
        return list(connection.execute(wanted.order_by(series_games.c.number)).scalars())


def waits_longest(engine: Engine, person_id: str, side_names: Mapping[str, Sequence[str]], but: str) -> str | None:
    """The running table that has waited longest for a person, other than `but`; None if no other waits.

    Counted from what the person did there last: the order of their tables must not tell when another side has chosen
    in secret, or chosen again.

    Args:
        side_names: of each game the names of its sides, as `tables.asked` gives them.
    """
    latest = (
        select(func.max(records.c.at))
        .where(records.c.table_id == tables.c.id, records.c.actor == seats.c.side)
        .scalar_subquery()
    )
    wanted = (
        select(tables.c.id, tables.c.game, tables.c.asked, seats.c.side)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(seats.c.person_id == person_id, _status == "running", tables.c.asked != "", tables.c.id != but)
        .order_by(func.coalesce(latest, tables.c.created_at), tables.c.id)
    )
    with engine.connect() as connection:
        for row in connection.execute(wanted):
            names = side_names.get(row.game, ())
            if row.side < len(names) and names[row.side] in row.asked.split(","):
                return str(row.id)
    return None


def finished_tables(engine: Engine, limit: int = PAGE) -> list[ListedTable]:
    """Games at open tables that are over, newest first; what friends played by invitation is listed to nobody else."""
    with engine.connect() as connection:
        return _listed(connection, tables.c.is_open.is_(True) & (tables.c.status == "over"), limit)


@contextmanager
def leaving_out(table_id: str) -> Iterator[None]:
    """Around what is done for one table of a list: one that cannot be read is logged and left out of it."""
    try:
        yield
    except TRANSIENT_ERRORS:
        raise
    except Exception as error:
        log.error("a table cannot be read and is left out of a list", exc_info=error, extra={"table": table_id})


def _listed(connection: Connection, wanted: Any, limit: int) -> list[ListedTable]:
    found: list[ListedTable] = []
    rows_read = 0
    # What is left out makes no list shorter: else nobody would get to what stands behind it.
    while len(found) < limit and (rows := _rows(connection, wanted, limit, rows_read)):
        rows_read += len(rows)
        by_table: dict[str, list[Any]] = {row.id: [] for row in rows}
        for seat in connection.execute(
            select(seats.c.table_id, seats.c.name, seats.c.person_id, seats.c.computer, _is_awaited)
            .where(seats.c.table_id.in_(by_table))
            .order_by(seats.c.table_id, seats.c.side)
        ):
            by_table[seat.table_id].append(tuple(seat[1:]))
        for row in rows:
            with leaving_out(row.id):
                asked = [side for side in row.asked.split(",") if side]
                options, clock = json.loads(row.options), json.loads(row.clock) if row.clock else None
                played = (row.created_at, row.finished_at, by_table[row.id], row.series)
                fields = (
                    *row[:4],
                    asked,
                    *played,
                    options,
                    clock,
                    row.undo,
                    row.hints,
                    row.data_file,
                    row.is_played_on,
                )
                found.append(msgspec.convert(fields, ListedTable))
    return found[:limit]


def _rows(connection: Connection, wanted: Any, limit: int, offset: int) -> Sequence[Any]:
    # JSON comes as text: one that cannot be read would take the whole list with it.
    shown = (tables.c.id, tables.c.game, tables.c.status, tables.c.result)
    is_played_on = tables.c.origin.is_not(None).label("is_played_on")
    columns = (*shown, tables.c.undo, tables.c.hints, tables.c.data_file, is_played_on)
    texts = (cast(tables.c.options, Text).label("options"), cast(tables.c.clock, Text).label("clock"))
    return connection.execute(
        select(*columns, *texts, tables.c.asked, tables.c.created_at, tables.c.finished_at, series_games.c.series)
        .outerjoin(series_games, series_games.c.table_id == tables.c.id)
        .where(wanted)
        .order_by(tables.c.created_at.desc(), tables.c.id.desc())
        .limit(limit)
        .offset(offset)
    ).all()


def running_count(engine: Engine) -> int:
    """How many games are running."""
    with engine.connect() as connection:
        return connection.execute(
            select(func.count()).select_from(tables).where(tables.c.status == "running")
        ).scalar_one()


def chat_of(engine: Engine, table_id: str, limit: int = 200) -> Sequence[ChatLine]:
    """What was said at a table, oldest first."""
    with engine.connect() as connection:
        rows = connection.execute(
            select(chats).where(chats.c.table_id == table_id).order_by(chats.c.id.desc()).limit(limit)
        ).mappings()
        return [ChatLine(row["id"], row["name"], row["side"], row["text"], row["at"]) for row in rows][::-1]


def versions(engine: Engine, table_ids: Sequence[str]) -> list[Version]:
    """How far tables have come; of one that is no longer there nothing is answered."""
    # One question needs no transaction, whose beginning and end are two more.
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        return [Version(*row) for row in connection.execute(_versions[engine.dialect.name], {"tables": table_ids})]


class KeptRecord(NamedTuple):
    """A record as it is kept."""

    number: int
    kind: str
    actor: int
    value: int
    at: float


def records_after(engine: Engine, table_id: str, number: int) -> list[KeptRecord]:
    """The records of a table after one of them, in their order."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        rows = connection.execute(_records_after, {"table": table_id, "known": number})
        return [KeptRecord(*row) for row in rows]


def last_said(engine: Engine, table_id: str) -> int:
    """The number of the last line of a table's chat, 0 where nothing was said."""
    with engine.connect() as connection:
        return connection.execute(select(func.max(chats.c.id)).where(chats.c.table_id == table_id)).scalar() or 0


class KeptReason(NamedTuple):
    """Why a computer player took an action."""

    number: int
    """Of the record of the action."""
    entry: int
    """Of the game, that the action became."""
    said: Any
    """As `kept_message.as_json` gives it."""


def reasons_of(engine: Engine, table_id: str) -> list[KeptReason]:
    """The reasons of the computer players at a table, in order. They may tell of what is hidden: ask after the end."""
    wanted = select(reasons.c.number, reasons.c.entry, reasons.c.said).where(reasons.c.table_id == table_id)
    with engine.connect() as connection:
        return [KeptReason(*row) for row in connection.execute(wanted.order_by(reasons.c.number))]


def note_of(engine: Engine, table_id: str, person_id: str) -> str:
    """A person's private note on a table."""
    with engine.connect() as connection:
        text = connection.execute(
            select(notes.c.text).where((notes.c.table_id == table_id) & (notes.c.person_id == person_id))
        ).scalar()
    return text or ""


def write_note(engine: Engine, table_id: str, person_id: str, text: str) -> None:
    """Keep a person's private note on a table, replacing the one before."""
    with engine.begin() as connection:
        mine = (notes.c.table_id == table_id) & (notes.c.person_id == person_id)
        if connection.execute(notes.update().where(mine).values(text=text)).rowcount == 0:
            connection.execute(notes.insert().values(table_id=table_id, person_id=person_id, text=text))


def look_of(engine: Engine, table_id: str, person_id: str) -> int | None:
    """The last entry of a game that a person has seen, None if he never looked."""
    with engine.connect() as connection:
        return connection.execute(
            select(looks.c.entry).where((looks.c.table_id == table_id) & (looks.c.person_id == person_id))
        ).scalar()


def note_look(engine: Engine, table_id: str, person_id: str, entry: int) -> None:
    """Remember the last entry of a game that a person has seen."""
    mine = (looks.c.table_id == table_id) & (looks.c.person_id == person_id)
    with engine.begin() as connection:
        if connection.execute(looks.update().where(mine).values(entry=entry)).rowcount:
            return
        with suppress(IntegrityError), connection.begin_nested():  # another tab was quicker
            connection.execute(looks.insert().values(table_id=table_id, person_id=person_id, entry=entry))


def keep_upload(
    engine: Engine,
    upload_id: str,
    journal: str,
    at: float,
    most: int,
    address_mark: str | None = None,
    most_own: int = 0,
) -> None:
    """Keep a journal that was uploaded. Of more than `most_own` from one address its oldest go; of more than `most`
    in all the oldest of the address with most.

    Args:
        address_mark: the mark of the address that has sent it (`web.tables.quotas`), None where it is unknown.
        most_own: 0: as many as there are in all.
    """
    with engine.begin() as connection:
        connection.execute(uploads.insert().values(id=upload_id, journal=journal, at=at, address_mark=address_mark))
        _keep_newest(connection, address_mark, most_own or most)
        by_address = select(uploads.c.address_mark, func.count()).group_by(uploads.c.address_mark)
        while (excess := sum((counts := dict(map(tuple, connection.execute(by_address)))).values()) - most) > 0:
            largest, *others = sorted(counts.values(), reverse=True)
            of = next(address_mark for address_mark, count in counts.items() if count == largest)
            # Not fewer than the next one has: then it is that one's turn.
            leave = max(largest - excess, others[0] if others else 0)
            _keep_newest(connection, of, leave if leave < largest else largest - 1)


def _keep_newest(connection: Connection, address_mark: str | None, most: int) -> None:
    own = uploads.c.address_mark.is_not_distinct_from(address_mark)
    newest = select(uploads.c.id).where(own).order_by(uploads.c.at.desc(), uploads.c.id).limit(most).subquery()
    connection.execute(uploads.delete().where(own & uploads.c.id.not_in(select(newest.c.id))))


def keep_data_file(engine: Engine, sha256: str, content: bytes, at: float) -> None:
    """Keep a data file that somebody has chosen or made."""
    with engine.begin() as connection:
        if connection.execute(data_files.update().where(data_files.c.sha256 == sha256).values(at=at)).rowcount:
            return
        with suppress(IntegrityError), connection.begin_nested():  # somebody else has just chosen it, too
            connection.execute(data_files.insert().values(sha256=sha256, content=content, at=at))


def data_file(connection: Connection, sha256: str, name: str) -> DataFile | None:
    """The data file with a fingerprint, if it is kept here; called `name`."""
    content = connection.execute(select(data_files.c.content).where(data_files.c.sha256 == sha256)).scalar()
    return None if content is None else DataFile(name, content)


def remove_data_files(engine: Engine, before: float, most: int = MAX_UNUSED) -> None:
    """Remove the data files that no table is played with and nobody has chosen since a time, and of more than `most`
    such files those chosen longest ago."""
    is_unused = ~select(tables.c.id).where(tables.c.data_sha256 == data_files.c.sha256).exists()
    latest = select(data_files.c.at).where(is_unused).order_by(data_files.c.at.desc()).offset(most).limit(1)
    with engine.begin() as connection:
        one_too_many = connection.execute(latest).scalar()
        is_old = data_files.c.at < before
        if one_too_many is not None:
            is_old |= data_files.c.at <= one_too_many
        connection.execute(data_files.delete().where(is_old & is_unused))


def remove_simulations(engine: Engine, before: float) -> None:
    """Remove what came of simulations that were asked for before a time."""
    with engine.begin() as connection:
        connection.execute(simulations.delete().where(simulations.c.begun_at < before))


def upload_of(engine: Engine, upload_id: str) -> str | None:
    """A journal that was uploaded, as its text; None when it is no longer kept."""
    with engine.connect() as connection:
        return connection.execute(select(uploads.c.journal).where(uploads.c.id == upload_id)).scalar()
