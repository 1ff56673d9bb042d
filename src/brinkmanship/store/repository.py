"""Read queries behind the pages: tables by status and user, chat, notes; blocking, called in threads."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Select,
    Text,
    any_,
    bindparam,
    cast,
    func,
    select,
)
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.struct_types import prepare
from brinkmanship.store import moderation
from brinkmanship.store.database import insert_into
from brinkmanship.store.schema import (
    chats,
    data_files,
    looks,
    match_games,
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
"""Maximum data files stored that no table uses."""


class Version(NamedTuple):
    """Version counters of a table across all viewers; internal, never sent to clients."""

    table_id: str
    changes: int
    """Changes outside the event records and the chat."""
    records: int
    said: int
    """Number of the last chat line."""


class ListedSeat(NamedTuple):
    """A seat in a list."""

    name: str
    person_id: str | None
    computer: str | None
    is_awaited: bool
    """True if the game cannot start before the player's contribution to the deal arrives."""

    @property
    def is_free(self) -> bool:
        """Return True if neither a user nor a computer player has the seat."""
        return self.person_id is None and self.computer is None

    @property
    def known_as(self) -> str:
        """Name for API clients, which have no language."""
        return self.name or ("somebody" if self.person_id else "")


class ListedTable(NamedTuple):
    """A table in a list."""

    id: str
    game: str
    status: str
    result: str
    asked: tuple[str, ...]
    """Sides that may act. Show each side only its own entry: in a secret choice this reveals who has already chosen."""
    created_at: float
    finished_at: float | None
    seats: tuple[ListedSeat, ...]
    series: str | None
    """The series the game belongs to, None: no series."""
    options: dict[str, Any]
    """Options that differ from their defaults."""
    clock: dict[str, Any] | None
    """Time control in the form of `web.support.time_control`."""
    undo: str
    """Take-back rule, in the terms of `web.support.table_terms`."""
    hints: bool | None
    """True if hints are allowed; None: the default."""
    rated: bool
    """True if the result counts for the players' ratings."""
    data_file: str | None
    """The designer's file name of custom cards or scenario; None: the game's own data."""
    is_played_on: bool
    """True if the game continues from a position of another game."""
    match_game: int | None
    """Number of the game, 0 or 1, in a match of two; None: no match."""


prepare(ListedTable)


class ChatLine(NamedTuple):
    """A chat line at a table; `side` is None for an observer, `number` rises from line to line."""

    number: int
    name: str
    side: int | None
    text: str
    at: float


_is_awaited = (seats.c.contributes.is_(True) & seats.c.contribution.is_(None)).label("is_awaited")
# An expression without an index: otherwise SQLite, listing a user's tables, would read all tables of that status.
_status = func.coalesce(tables.c.status, "")
# Built once: most reads run it, and building it each time took as long as running it.
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
"""Statements by database dialect. With an array it is one statement for any number of tables, prepared once."""
_records_after = (
    select(records.c.number, records.c.kind, records.c.actor, records.c.value, records.c.at)
    .where(records.c.table_id == bindparam("table"), records.c.number > bindparam("known"))
    .order_by(records.c.number)
)

_is_open = tables.c.is_open.is_(True) & (tables.c.status == "waiting")


def _has_successor() -> ColumnElement[bool]:
    this, later = series_games.alias("this"), series_games.alias("later")
    return (
        select(this.c.table_id)
        .join(later, (later.c.series == this.c.series) & (later.c.number > this.c.number))
        .where(this.c.table_id == tables.c.id)
        .exists()
    )


def _requested_rematch() -> ColumnElement[bool]:
    before = tables.alias("before")
    asked_for = select(before.c.rematch).where(before.c.id.in_(_mine), before.c.rematch.is_not(None))
    return (_status == "waiting") & tables.c.id.in_(asked_for) & tables.c.id.not_in(_mine)


# The statements of lists, built once: building one takes longer than running it.
_list = (
    select(
        *(tables.c.id, tables.c.game, tables.c.status, tables.c.result),
        *(tables.c.undo, tables.c.hints, tables.c.rated, tables.c.data_file),
        tables.c.origin.is_not(None).label("is_played_on"),
        # JSON is read as text and parsed row by row: otherwise one unreadable value would fail the whole list.
        *(cast(tables.c.options, Text).label("options"), cast(tables.c.clock, Text).label("clock")),
        *(tables.c.asked, tables.c.created_at, tables.c.finished_at),
        *(series_games.c.series, match_games.c.number.label("match_game")),
    )
    .outerjoin(series_games, series_games.c.table_id == tables.c.id)
    .outerjoin(match_games, match_games.c.table_id == tables.c.id)
    .order_by(tables.c.created_at.desc(), tables.c.id.desc())
    .limit(bindparam("most", type_=Integer))
    .offset(bindparam("first", type_=Integer))
)
_seats_of_list = (
    select(seats.c.table_id, seats.c.name, seats.c.person_id, seats.c.computer, _is_awaited)
    .where(seats.c.table_id.in_(bindparam("listed", expanding=True)))
    .order_by(seats.c.table_id, seats.c.side)
)
_mine = select(seats.c.table_id).where(seats.c.person_id == bindparam("person"))
_apart = moderation.sits_apart(bindparam("person", type_=Text))
_list_of_open = _list.where(_is_open)
_list_of_open_apart = _list_of_open.where(_apart)
_list_of_finished = _list.where(tables.c.is_open.is_(True) & (tables.c.status == "over"))
_list_of_person = {
    is_over: _list.where(
        tables.c.id.in_(_mine),
        _status == "over" if is_over else _status.in_(("waiting", "dealing", "running")),
        ~_has_successor(),
    )
    for is_over in (False, True)
}
_list_of_rematches = _list.where(_requested_rematch(), _apart)


def _rematches() -> Select[Any]:
    other, before = seats.alias("other"), tables.alias("before")
    return (
        select(before.c.rematch, other.c.name)
        .join(other, other.c.table_id == before.c.id)
        .where(before.c.id.in_(_mine), before.c.rematch.is_not(None), other.c.person_id != bindparam("person"))
    )


_rematches_of_person = _rematches()


def open_tables(
    engine: Engine,
    limit: int = PAGE,
    after: str = "",
    only: Sequence[ColumnElement[bool]] = (),
    person_id: str = "",
) -> list[ListedTable]:
    """Return the tables where anyone may sit down, newest first.

    Args:
        engine: the database.
        limit: maximum number of tables.
        after: id of a table: only those listed after it are returned.
        only: conditions on the columns of `tables` that all of them meet.
        person_id: user for whom they are listed: without the tables of people whom they have blocked, or who have
            blocked them.
    """
    wanted = _list_of_open_apart if person_id else _list_of_open
    if only:
        wanted = wanted.where(*only)
    with engine.connect() as connection:
        if after:
            last = connection.execute(select(tables.c.created_at).where(tables.c.id == after)).scalar()
            if last is None:
                return []
            is_older = (tables.c.created_at < last) | ((tables.c.created_at == last) & (tables.c.id < after))
            wanted = wanted.where(is_older)
        return _listed(connection, wanted, limit, person_id)


def all_open_count(engine: Engine) -> int:
    """Return the number of tables where anyone may sit down."""
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(tables).where(_is_open)).scalar_one()


def open_count(engine: Engine, person_id: str) -> int:
    """Return the number of a user's open tables that wait for a player."""
    mine = select(seats.c.table_id).where(seats.c.person_id == person_id)
    with engine.connect() as connection:
        return connection.execute(select(func.count()).where(_is_open & tables.c.id.in_(mine))).scalar_one()


def open_since(engine: Engine, before: float) -> list[str]:
    """Return the open tables that have waited since before a time."""
    with engine.connect() as connection:
        return list(connection.execute(select(tables.c.id).where(_is_open & (tables.c.created_at < before))).scalars())


def deserted(engine: Engine) -> list[tuple[str, int, str]]:
    """Return the seats of deleted accounts at unfinished tables, as table, side and user ids."""
    wanted = (
        select(seats.c.table_id, seats.c.side, seats.c.person_id)
        .join(people, people.c.id == seats.c.person_id)
        .join(tables, tables.c.id == seats.c.table_id)
        .where(people.c.left_at.is_not(None) & tables.c.status.in_(("waiting", "dealing", "running")))
    )
    with engine.connect() as connection:
        return [(row.table_id, row.side, row.person_id) for row in connection.execute(wanted)]


def remove_closed(engine: Engine, before: float) -> None:
    """Remove the tables that were closed before a time; no game was played at them."""
    with engine.begin() as connection:
        connection.execute(tables.delete().where((tables.c.status == "closed") & (tables.c.finished_at < before)))


def tables_of(engine: Engine, person_id: str, finished: bool, limit: int = PAGE) -> list[ListedTable]:
    """Return the tables a user plays or has played at, newest first; of a series only the latest one."""
    with engine.connect() as connection:
        return _listed(connection, _list_of_person[finished], limit, person_id)


def rematches_for(engine: Engine, person_id: str, limit: int = PAGE) -> list[ListedTable]:
    """Return the tables where a rematch waits for a user to accept it, newest first; none with a blocked person."""
    with engine.connect() as connection:
        return _listed(connection, _list_of_rematches, limit, person_id)


def rematches_by(engine: Engine, person_id: str) -> dict[str, str]:
    """Return the tables of rematches of a user's games, with the name of the player of the game before."""
    with engine.connect() as connection:
        return {row[0]: row[1] for row in connection.execute(_rematches_of_person, {"person": person_id})}


def rematch_of(engine: Engine, table_id: str, person_id: str) -> str | None:
    """Return the user's table whose rematch is the given table, or None."""
    wanted = (
        select(tables.c.id)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(seats.c.person_id == person_id, tables.c.rematch == table_id)
    )
    with engine.connect() as connection:
        return connection.execute(wanted).scalars().first()


def tables_of_series(engine: Engine, series_id: str) -> list[str]:
    """Return the tables of a series in the order of its games; empty if the series does not exist."""
    wanted = select(series_games.c.table_id).where(series_games.c.series == series_id)
    with engine.connect() as connection:
        return list(connection.execute(wanted.order_by(series_games.c.number)).scalars())


def waits_longest(engine: Engine, person_id: str, side_names: Mapping[str, Sequence[str]], but: str) -> str | None:
    """Return the running table that has waited longest for a user, other than `but`, or None.

    The wait is measured from the user's own last action: the order of their tables must not reveal when the other side
    has chosen in secret, or changed its choice.

    Args:
        engine: the database.
        person_id: the user.
        side_names: for each game the names of its sides, as in the column `asked`.
        but: a table to leave out.
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
    """Return the finished games of open tables, newest first; games by invitation are not listed for others."""
    with engine.connect() as connection:
        return _listed(connection, _list_of_finished, limit)


@contextmanager
def leaving_out(table_id: str) -> Iterator[None]:
    """Log and skip a table of a list that cannot be read; transient database errors are raised."""
    try:
        yield
    except TRANSIENT_ERRORS:
        raise
    except Exception as error:
        log.error("a table cannot be read and is left out of a list", exc_info=error, extra={"table": table_id})


def _listed(connection: Connection, wanted: Select[Any], limit: int, person_id: str | None = None) -> list[ListedTable]:
    who = {"person": person_id} if person_id else {}
    found: list[ListedTable] = []
    rows_read = 0
    # Rows left out do not shorten the list: otherwise its later pages could not be reached.
    while len(found) < limit and (rows := connection.execute(wanted, {**who, "most": limit, "first": rows_read}).all()):
        rows_read += len(rows)
        by_table: dict[str, list[Any]] = {row.id: [] for row in rows}
        for seat in connection.execute(_seats_of_list, {"listed": list(by_table)}):
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
                    row.rated,
                    row.data_file,
                    row.is_played_on,
                    row.match_game,
                )
                found.append(msgspec.convert(fields, ListedTable))
    return found[:limit]


def running_count(engine: Engine) -> int:
    """Return the number of running games."""
    with engine.connect() as connection:
        return connection.execute(
            select(func.count()).select_from(tables).where(tables.c.status == "running")
        ).scalar_one()


def chat_of(engine: Engine, table_id: str, limit: int = 200, person_id: str = "") -> Sequence[ChatLine]:
    """Return the chat of a table, oldest line first; for a user without the lines of people whom they have blocked."""
    wanted = select(chats).where(chats.c.table_id == table_id)
    if person_id:
        hidden = moderation.blocked_by(person_id)
        wanted = wanted.where(chats.c.person_id.is_(None) | chats.c.person_id.not_in(hidden))
    with engine.connect() as connection:
        rows = connection.execute(wanted.order_by(chats.c.id.desc()).limit(limit)).mappings()
        return [ChatLine(row["id"], row["name"], row["side"], row["text"], row["at"]) for row in rows][::-1]


def versions(engine: Engine, table_ids: Sequence[str]) -> list[Version]:
    """Return the versions of tables; tables that no longer exist are left out."""
    # One query needs no transaction; BEGIN and COMMIT would be two more round trips.
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        return [Version(*row) for row in connection.execute(_versions[engine.dialect.name], {"tables": table_ids})]


class KeptRecord(NamedTuple):
    """A stored event record."""

    number: int
    kind: str
    actor: int
    value: int
    at: float


def records_after(engine: Engine, table_id: str, number: int) -> list[KeptRecord]:
    """Return the records of a table after a number, in order."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        rows = connection.execute(_records_after, {"table": table_id, "known": number})
        return [KeptRecord(*row) for row in rows]


def last_said(engine: Engine, table_id: str) -> int:
    """Return the number of the last line of a table's chat, 0 if the chat is empty."""
    with engine.connect() as connection:
        return connection.execute(select(func.max(chats.c.id)).where(chats.c.table_id == table_id)).scalar() or 0


class KeptReason(NamedTuple):
    """Reason for a computer player's action."""

    number: int
    """Number of the action's record."""
    entry: int
    """Index of the action's log entry in the game."""
    said: Any
    """The reason in the form of `engine.message_json.as_json`."""


def reasons_of(engine: Engine, table_id: str) -> list[KeptReason]:
    """Return the reasons of the computer players at a table, in order.

    They may reveal hidden information: query them only after the game is over.
    """
    wanted = select(reasons.c.number, reasons.c.entry, reasons.c.said).where(reasons.c.table_id == table_id)
    with engine.connect() as connection:
        return [KeptReason(*row) for row in connection.execute(wanted.order_by(reasons.c.number))]


def note_of(engine: Engine, table_id: str, person_id: str) -> str:
    """Return a user's private note on a table, "" if there is none."""
    with engine.connect() as connection:
        text = connection.execute(
            select(notes.c.text).where((notes.c.table_id == table_id) & (notes.c.person_id == person_id))
        ).scalar()
    return text or ""


def write_note(engine: Engine, table_id: str, person_id: str, text: str) -> None:
    """Store a user's private note on a table, replacing the previous one."""
    with engine.begin() as connection:
        adding = insert_into(connection, notes).values(table_id=table_id, person_id=person_id, text=text)
        connection.execute(adding.on_conflict_do_update(index_elements=["table_id", "person_id"], set_={"text": text}))


def look_of(engine: Engine, table_id: str, person_id: str) -> int | None:
    """Return the last log entry of a game that a user has seen, or None if they have never opened it."""
    with engine.connect() as connection:
        return connection.execute(
            select(looks.c.entry).where((looks.c.table_id == table_id) & (looks.c.person_id == person_id))
        ).scalar()


def note_look(engine: Engine, table_id: str, person_id: str, entry: int) -> None:
    """Store the last log entry of a game that a user has seen."""
    mine = (looks.c.table_id == table_id) & (looks.c.person_id == person_id)
    with engine.begin() as connection:
        if connection.execute(looks.update().where(mine).values(entry=entry)).rowcount:
            return
        with suppress(IntegrityError), connection.begin_nested():  # another tab was quicker
            connection.execute(looks.insert().values(table_id=table_id, person_id=person_id, entry=entry))


class Sender(NamedTuple):
    """Sender of an upload: marks (`web.tables.quotas`), and the maximum stored uploads with each; 0: no limit."""

    address_mark: str | None = None
    """Mark of the address; None if unknown."""
    person_mark: str | None = None
    """Mark of the user; None if anonymous."""
    most_of_address: int = 0
    most_of_person: int = 0


def keep_upload(engine: Engine, upload_id: str, journal: str, at: float, most: int, sender: Sender) -> None:
    """Store an uploaded journal and delete uploads beyond the limits; one that is stored already stays as it is.

    Beyond the limits of an address or a user their oldest uploads are deleted; beyond `most` in all, the oldest of the
    address with the most uploads.

    Args:
        engine: the database.
        upload_id: the new upload's id.
        journal: its text.
        at: Unix time (s).
        most: maximum number of uploads in all.
        sender: sender of the upload.
    """
    marks = {"address_mark": sender.address_mark, "person_mark": sender.person_mark}
    with engine.begin() as connection:
        adding = insert_into(connection, uploads).values(id=upload_id, journal=journal, at=at, **marks)
        connection.execute(adding.on_conflict_do_nothing())
        if sender.person_mark is not None and sender.most_of_person:
            _keep_newest(connection, uploads.c.person_mark == sender.person_mark, sender.most_of_person)
        _keep_newest(connection, _is_from(sender.address_mark), sender.most_of_address or most)
        by_address = select(uploads.c.address_mark, func.count()).group_by(uploads.c.address_mark)
        while (excess := sum((counts := dict(map(tuple, connection.execute(by_address)))).values()) - most) > 0:
            largest, *others = sorted(counts.values(), reverse=True)
            of = next(address_mark for address_mark, count in counts.items() if count == largest)
            # Do not go below the next address's count: then it is that address's turn.
            leave = max(largest - excess, others[0] if others else 0)
            _keep_newest(connection, _is_from(of), leave if leave < largest else largest - 1)


def _is_from(address_mark: str | None) -> ColumnElement[bool]:
    return uploads.c.address_mark.is_not_distinct_from(address_mark)


def _keep_newest(connection: Connection, own: ColumnElement[bool], most: int) -> None:
    newest = select(uploads.c.id).where(own).order_by(uploads.c.at.desc(), uploads.c.id).limit(most).subquery()
    connection.execute(uploads.delete().where(own & uploads.c.id.not_in(select(newest.c.id))))


def keep_data_file(engine: Engine, sha256: str, content: bytes, at: float) -> None:
    """Store a data file that a user has chosen or made."""
    with engine.begin() as connection:
        if connection.execute(data_files.update().where(data_files.c.sha256 == sha256).values(at=at)).rowcount:
            return
        with suppress(IntegrityError), connection.begin_nested():  # another process has just stored it, too
            connection.execute(data_files.insert().values(sha256=sha256, content=content, at=at))


def data_file(connection: Connection, sha256: str, name: str) -> DataFile | None:
    """Return the data file with a SHA-256 fingerprint under the given name, or None if it is not stored."""
    content = connection.execute(select(data_files.c.content).where(data_files.c.sha256 == sha256)).scalar()
    return None if content is None else DataFile(name, content)


def remove_data_files(engine: Engine, before: float, most: int = MAX_UNUSED) -> None:
    """Remove unused data files that were last chosen before a time, and the oldest beyond `most`.

    A file is unused if no table is played with it.
    """
    is_unused = ~select(tables.c.id).where(tables.c.data_sha256 == data_files.c.sha256).exists()
    latest = select(data_files.c.at).where(is_unused).order_by(data_files.c.at.desc()).offset(most).limit(1)
    with engine.begin() as connection:
        one_too_many = connection.execute(latest).scalar()
        is_old = data_files.c.at < before
        if one_too_many is not None:
            is_old |= data_files.c.at <= one_too_many
        connection.execute(data_files.delete().where(is_old & is_unused))


def remove_simulations(engine: Engine, before: float) -> None:
    """Remove the results of simulations that were requested before a time."""
    with engine.begin() as connection:
        connection.execute(simulations.delete().where(simulations.c.begun_at < before))


def upload_of(engine: Engine, upload_id: str) -> str | None:
    """Return the text of an uploaded journal, or None if it is no longer stored."""
    with engine.connect() as connection:
        return connection.execute(select(uploads.c.journal).where(uploads.c.id == upload_id)).scalar()
