"""Moderation: blocks between people, reports, measures with their appeals, and the log of what moderators did.

The log is append-only: this module inserts into it and reads it, and nothing else does either.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Connection,
    Engine,
    Select,
    Text,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)

from brinkmanship.store.schema import (
    CHANGED,
    blocks,
    chats,
    comments,
    measures,
    moderation_log,
    people,
    reports,
    seats,
    sessions,
    tables,
)

MODERATOR = "moderator"
"""Role of a moderator."""

CATEGORIES = ("abuse", "stalling", "cheating", "name", "other")
"""Categories of reports."""
OPEN, ACTED, DISMISSED = "open", "acted", "dismissed"
"""States of a report."""

WARNING, MUTE, UNRATED, RENAME, CLOSED = "warning", "mute", "unrated", "rename", "closed"
KINDS = (WARNING, MUTE, UNRATED, RENAME, CLOSED)
"""Kinds of measures: a warning, no chat, no rated games, another name required, the account closed."""

LINES = 20
"""Maximum chat lines attached to a report."""
PAGE = 50
RECENT_REPORTS = 20
"""Number of a reporter's last closed reports that count for the score of their next one."""
NEUTRAL_SCORE = 20
"""Score of a report by a person of whom half of the reports were confirmed."""
SCORE_PER_PERCENT = 0.8
MARKED_REPORTER = 30
"""Points that a report by a person under measures loses."""


# Blocks.

_one, _other = (bindparam(name, type_=Text) for name in ("one", "other"))
block_between = (  # built once: building a statement takes longer than executing it
    select(blocks.c.at)
    .where(
        ((blocks.c.person_id == _one) & (blocks.c.blocked_id == _other))
        | ((blocks.c.person_id == _other) & (blocks.c.blocked_id == _one))
    )
    .limit(1)
)
"""Query for a block between two people, `one` and `other`, in either direction."""


def has_block(connection: Connection, one: str, other: str) -> bool:
    """Return True if one of two people has blocked the other."""
    return connection.execute(block_between, {"one": one, "other": other}).first() is not None


def has_blocked(connection: Connection, person_id: str, other: str) -> bool:
    """Return True if a person has blocked another one, whatever the other one has done."""
    is_it = (blocks.c.person_id == person_id) & (blocks.c.blocked_id == other)
    return connection.execute(select(blocks.c.at).where(is_it)).first() is not None


def blocked_by(person_id: str | BindParameter[str]) -> Select[str]:
    """Return the subquery of the ids of the people whom a person has blocked."""
    return select(blocks.c.blocked_id).where(blocks.c.person_id == person_id)


def sits_apart(person_id: str | BindParameter[str]) -> ColumnElement[bool]:
    """Return the condition that no one at a table has blocked this person or is blocked by them."""
    at_it = select(seats.c.side).where(seats.c.table_id == tables.c.id, seats.c.person_id.in_(_apart_from(person_id)))
    return ~at_it.exists()


def _apart_from(person_id: str | BindParameter[str]) -> CompoundSelect[str]:
    has_blocked_me = select(blocks.c.person_id).where(blocks.c.blocked_id == person_id)
    return union_all(blocked_by(person_id), has_blocked_me)


_apart = _apart_from(bindparam("person", type_=Text))


def apart_from(connection: Connection, person_id: str) -> set[str]:
    """Return the people whom a person has blocked, and those who have blocked them."""
    return set(connection.execute(_apart, {"person": person_id}).scalars())


class Blocked(NamedTuple):
    """A blocked person in the list of the one who blocked them."""

    id: str
    name: str
    at: float


def block(connection: Connection, person_id: str, blocked_id: str, now: float) -> None:
    """Block a person; blocking them twice changes nothing."""
    if not has_blocked(connection, person_id, blocked_id):
        connection.execute(insert(blocks).values(person_id=person_id, blocked_id=blocked_id, at=now))


def unblock(connection: Connection, person_id: str, blocked_id: str) -> None:
    """End a block."""
    connection.execute(delete(blocks).where(blocks.c.person_id == person_id, blocks.c.blocked_id == blocked_id))


def all_blocked_by(connection: Connection, person_id: str) -> list[Blocked]:
    """Return the people whom a person has blocked, the latest first."""
    wanted = (
        select(people.c.id, people.c.name, blocks.c.at)
        .join(blocks, blocks.c.blocked_id == people.c.id)
        .where(blocks.c.person_id == person_id)
        .order_by(blocks.c.at.desc())
    )
    return [Blocked(*row) for row in connection.execute(wanted)]


def block_count(connection: Connection, person_id: str) -> int:
    """Return the number of people whom a person has blocked."""
    return connection.execute(select(func.count()).where(blocks.c.person_id == person_id)).scalar_one()


# People at a table.


class PersonAtTable(NamedTuple):
    """A person at a table whom another one may block or report."""

    handle: str
    """Name in forms: "side-0" for a player, "line-12" or "note-7" for the author of a chat line or a comment."""
    id: str
    name: str
    is_blocked: bool


def people_at(connection: Connection, table_id: str, viewer_id: str) -> list[PersonAtTable]:
    """Return everyone who plays or has written at a table, other than the viewer, players first."""
    players = (
        select(seats.c.side, seats.c.person_id, seats.c.name)
        .where(seats.c.table_id == table_id, seats.c.person_id.is_not(None), seats.c.name != "")
        .order_by(seats.c.side)
    )
    authors = (
        select(func.min(chats.c.id), chats.c.person_id, people.c.name)
        .join(people, people.c.id == chats.c.person_id)
        .where(chats.c.table_id == table_id)
        .group_by(chats.c.person_id, people.c.name)
        .order_by(func.min(chats.c.id))
    )
    commentators = (
        select(func.min(comments.c.id), comments.c.person_id, people.c.name)
        .join(people, people.c.id == comments.c.person_id)
        .where(comments.c.table_id == table_id)
        .group_by(comments.c.person_id, people.c.name)
        .order_by(func.min(comments.c.id))
    )
    blocked = set(connection.execute(blocked_by(viewer_id)).scalars())
    found: dict[str, PersonAtTable] = {}
    for prefix, wanted in (("side", players), ("line", authors), ("note", commentators)):
        for number, person_id, name in connection.execute(wanted):
            if person_id != viewer_id and person_id not in found:
                handle = f"{prefix}-{number}"
                found[person_id] = PersonAtTable(handle, person_id, name, person_id in blocked)
    return list(found.values())


# Reports.


class ReportedLine(NamedTuple):
    """A chat line attached to a report, as it was."""

    name: str
    is_reported: bool
    """True if the reported person wrote it."""
    text: str
    at: float


class Report(NamedTuple):
    """A report with the names of those it is about and from, as they are called today."""

    id: str
    reporter_id: str
    reporter: str
    person_id: str
    name: str
    table_id: str | None
    category: str
    text: str
    lines: list[ReportedLine]
    score: float
    state: str
    at: float


class OwnReport(NamedTuple):
    """A report as its sender sees it."""

    name: str
    category: str
    state: str
    at: float


_reporter = people.alias("reporter")
_reports = (
    select(reports, people.c.name, _reporter.c.name.label("reporter"))
    .join(people, people.c.id == reports.c.person_id)
    .join(_reporter, _reporter.c.id == reports.c.reporter_id)
)


def report_score(confirmed: int, closed: int, is_marked: bool) -> float:
    """Return the place of a report in the queue.

    Args:
        confirmed: Reports of this reporter upon which moderators acted, of those closed last.
        closed: Number of those closed last.
        is_marked: True if the reporter is under measures.
    """
    percent = 100 * confirmed / closed if closed else 50
    score = NEUTRAL_SCORE + SCORE_PER_PERCENT * (percent - 50)
    return score - MARKED_REPORTER if is_marked else score


def has_open_report(connection: Connection, reporter_id: str, person_id: str) -> bool:
    """Return True if a report of this person by this reporter waits for a moderator."""
    is_it = (reports.c.person_id == person_id) & (reports.c.reporter_id == reporter_id) & (reports.c.state == OPEN)
    return connection.execute(select(reports.c.id).where(is_it).limit(1)).first() is not None


def add_report(
    connection: Connection,
    reporter_id: str,
    person_id: str,
    table_id: str | None,
    category: str,
    text: str,
    now: float,
) -> str:
    """Store a report with the last chat lines of the table; return its id."""
    last = (
        select(reports.c.state)
        .where(reports.c.reporter_id == reporter_id, reports.c.state != OPEN)
        .order_by(reports.c.at.desc())
        .limit(RECENT_REPORTS)
    )
    states = connection.execute(last).scalars().all()
    is_marked = any(each.is_active(now) for each in measures_of(connection, reporter_id))
    report_id = secrets.token_hex(8)
    connection.execute(
        insert(reports).values(
            id=report_id,
            reporter_id=reporter_id,
            person_id=person_id,
            table_id=table_id,
            category=category,
            text=text,
            lines=[line._asdict() for line in _last_lines(connection, table_id, person_id)],
            score=report_score(states.count(ACTED), len(states), is_marked),
            state=OPEN,
            at=now,
        )
    )
    return report_id


def _last_lines(connection: Connection, table_id: str | None, person_id: str) -> list[ReportedLine]:
    """Return the last lines of the chat and the last comments at a table, the oldest first."""
    rows = [
        row
        for each in ((chats, comments) if table_id else ())
        for row in connection.execute(
            select(each.c.name, each.c.person_id, each.c.text, each.c.at)
            .where(each.c.table_id == table_id)
            .order_by(each.c.id.desc())
            .limit(LINES)
        )
    ]
    last = sorted(rows, key=lambda row: row.at)[-LINES:]
    return [ReportedLine(row.name, row.person_id == person_id, row.text, row.at) for row in last]


def open_reports(connection: Connection) -> list[Report]:
    """Return the first `PAGE` reports that wait, by score, then by age."""
    wanted = _reports.where(reports.c.state == OPEN).order_by(reports.c.score.desc(), reports.c.at).limit(PAGE)
    return [_report(row) for row in connection.execute(wanted).mappings()]


def report(connection: Connection, report_id: str) -> Report | None:
    """Return a report, None if there is none with this id."""
    row = connection.execute(_reports.where(reports.c.id == report_id)).mappings().first()
    return _report(row) if row is not None else None


def _report(row: Any) -> Report:
    values = {name: row[name] for name in Report._fields if name != "lines"}
    return Report(**values, lines=[ReportedLine(**line) for line in row["lines"]])


def reports_by(connection: Connection, reporter_id: str) -> list[OwnReport]:
    """Return the last reports that a person has sent, newest first."""
    wanted = _reports.where(reports.c.reporter_id == reporter_id).order_by(reports.c.at.desc()).limit(PAGE)
    rows = connection.execute(wanted).mappings()
    return [OwnReport(row["name"], row["category"], row["state"], row["at"]) for row in rows]


def report_counts(connection: Connection, person_id: str) -> tuple[int, int]:
    """Return the number of reports about a person, and of those acted upon."""
    is_acted = func.coalesce(func.sum(case((reports.c.state == ACTED, 1), else_=0)), 0)
    row = connection.execute(select(func.count(), is_acted).where(reports.c.person_id == person_id)).one()
    return row[0], int(row[1])


def dismiss(connection: Connection, moderator: Moderator, report_id: str, note: str, now: float) -> bool:
    """Close a report without a measure; return False if it is not open any more."""
    found = report(connection, report_id)
    if found is None or not close_report(connection, report_id, DISMISSED, now):
        return False
    _log(connection, moderator, "dismissed", found.person_id, "", note, now)
    return True


def close_report(connection: Connection, report_id: str, state: str, now: float) -> bool:
    """Close an open report; return False if it is not open any more: of two moderators one is first."""
    is_it = (reports.c.id == report_id) & (reports.c.state == OPEN)
    return bool(connection.execute(update(reports).where(is_it).values(state=state, closed_at=now)).rowcount)


# Measures.


class Moderator(NamedTuple):
    """Someone who moderates; the operator has no id."""

    id: str | None
    name: str


OPERATOR = Moderator(None, "operator")


class Measure(NamedTuple):
    """A measure against a person, with its appeal."""

    id: str
    person_id: str
    name: str
    kind: str
    reason: str
    line: str
    """The chat line or the name that it is about, "" for none."""
    moderator_id: str | None
    at: float
    until: float | None
    """End; None: until it is lifted."""
    read_at: float | None
    lifted_at: float | None
    key: str
    """Secret that allows the person to appeal without a session."""
    appeal: str | None
    appealed_at: float | None
    reply: str | None
    decided_at: float | None
    is_waiting: bool
    """True if the appeal waits for a decision."""

    def is_active(self, now: float) -> bool:
        """Return True if the measure is in force; a warning never is."""
        return self.kind != WARNING and self.lifted_at is None and (self.until is None or self.until > now)

    @property
    def can_appeal(self) -> bool:
        """True if the person may still answer."""
        return self.appealed_at is None and self.lifted_at is None


_measures = select(measures, people.c.name).join(people, people.c.id == measures.c.person_id)


def measures_of(connection: Connection, person_id: str) -> list[Measure]:
    """Return all measures against a person, newest first."""
    return _found(connection, _measures.where(measures.c.person_id == person_id).order_by(measures.c.at.desc()))


def measure(connection: Connection, measure_id: str) -> Measure | None:
    """Return a measure, None if there is none with this id."""
    return next(iter(_found(connection, _measures.where(measures.c.id == measure_id))), None)


def active(connection: Connection, person_id: str, kind: str, now: float) -> Measure | None:
    """Return the measure of a kind that is in force against a person, the longest one; None if there is none."""
    found = [each for each in measures_of(connection, person_id) if each.kind == kind and each.is_active(now)]
    return max(found, key=lambda each: (each.until is None, each.until or 0.0), default=None)


def may_play_rated(connection: Connection, person_id: str, now: float) -> bool:
    """Return True unless a measure keeps a person from rated games and tournaments."""
    return active(connection, person_id, UNRATED, now) is None


def has_unread() -> ColumnElement[bool]:
    """Return the condition that a row of `people` has measures that the person has not confirmed."""
    return exists().where(measures.c.person_id == people.c.id, measures.c.read_at.is_(None))


def appeals(connection: Connection) -> list[Measure]:
    """Return the first `PAGE` measures whose appeals wait for a decision, the oldest appeal first."""
    return _found(connection, _measures.where(measures.c.is_waiting).order_by(measures.c.appealed_at).limit(PAGE))


def _found(connection: Connection, wanted: Select[Any]) -> list[Measure]:
    rows = connection.execute(wanted).mappings()
    return [Measure(**{name: row[name] for name in Measure._fields}) for row in rows]


def impose(
    connection: Connection,
    moderator: Moderator,
    person_id: str,
    kind: str,
    reason: str,
    line: str,
    until: float | None,
    now: float,
) -> list[str]:
    """Impose a measure, close the open reports about the person, and log it.

    Returns:
        The tables at which the person is called otherwise because of it.
    """
    renamed: list[str] = []
    if kind == RENAME:
        line = connection.execute(select(people.c.name).where(people.c.id == person_id)).scalar_one()
        renamed = _take_name(connection, person_id)
    values = {"person_id": person_id, "kind": kind, "reason": reason, "line": line, "moderator_id": moderator.id}
    connection.execute(
        insert(measures).values(id=secrets.token_hex(8), key=secrets.token_urlsafe(16), at=now, until=until, **values)
    )
    if kind == CLOSED:
        connection.execute(update(people).where(people.c.id == person_id).values(banned_at=now))
        connection.execute(delete(sessions).where(sessions.c.person_id == person_id))
    are_open = (reports.c.person_id == person_id) & (reports.c.state == OPEN)
    connection.execute(update(reports).where(are_open).values(state=ACTED, closed_at=now))
    _log(connection, moderator, "imposed", person_id, kind, reason, now)
    return renamed


def _take_name(connection: Connection, person_id: str) -> list[str]:
    """Replace the name of a person everywhere; return the tables at which they sit."""
    name = f"Player {secrets.randbelow(9000) + 1000}"
    sat = list(connection.execute(select(seats.c.table_id).where(seats.c.person_id == person_id)).scalars())
    connection.execute(update(people).where(people.c.id == person_id).values(name=name))
    connection.execute(update(seats).where(seats.c.person_id == person_id).values(name=name))
    connection.execute(update(chats).where(chats.c.person_id == person_id).values(name=name))
    connection.execute(update(comments).where(comments.c.person_id == person_id).values(name=name))
    connection.execute(update(tables).where(tables.c.id.in_(sat)).values(**CHANGED))
    return sat


def lift(connection: Connection, moderator: Moderator, measure_id: str, text: str, now: float) -> bool:
    """Lift a measure; return False if it is not in force any more. An appeal that waits is decided with it."""
    is_it = (measures.c.id == measure_id) & measures.c.lifted_at.is_(None)
    found = measure(connection, measure_id)
    lifted = {"lifted_at": now, "is_waiting": False, "reply": text, "decided_at": now, "read_at": None}
    if found is None or not connection.execute(update(measures).where(is_it).values(**lifted)).rowcount:
        return False
    reopen(connection, found.person_id, now)
    _log(connection, moderator, "lifted", found.person_id, found.kind, text, now)
    return True


def keep(connection: Connection, moderator: Moderator, measure_id: str, text: str, now: float) -> bool:
    """Decide an appeal against the person; return False if it does not wait any more."""
    is_it = (measures.c.id == measure_id) & measures.c.is_waiting
    found = measure(connection, measure_id)
    decided = {"is_waiting": False, "reply": text, "decided_at": now, "read_at": None}
    if found is None or not connection.execute(update(measures).where(is_it).values(**decided)).rowcount:
        return False
    _log(connection, moderator, "kept", found.person_id, found.kind, text, now)
    return True


def reopen(connection: Connection, person_id: str, now: float) -> bool:
    """Let a person sign in again if no measure closes their account any more; return True if so."""
    if active(connection, person_id, CLOSED, now) is not None:
        return False
    connection.execute(update(people).where(people.c.id == person_id).values(banned_at=None))
    return True


def mark_read(connection: Connection, person_id: str, now: float) -> None:
    """Note that a person has read all measures against them."""
    is_unread = (measures.c.person_id == person_id) & measures.c.read_at.is_(None)
    connection.execute(update(measures).where(is_unread).values(read_at=now))


def add_appeal(connection: Connection, measure_id: str, key: str, text: str, now: float) -> bool:
    """Store the appeal against a measure; return False if the key is wrong, or no appeal is possible any more."""
    is_it = (measures.c.id == measure_id) & (measures.c.key == key)
    may_be = measures.c.appealed_at.is_(None) & measures.c.lifted_at.is_(None)
    appealed = {"appeal": text, "appealed_at": now, "is_waiting": True}
    return bool(connection.execute(update(measures).where(is_it & may_be).values(**appealed)).rowcount)


def removed_names(connection: Connection, person_id: str) -> list[str]:
    """Return the names that moderators have taken from a person."""
    is_it = (measures.c.person_id == person_id) & (measures.c.kind == RENAME) & measures.c.lifted_at.is_(None)
    return list(connection.execute(select(measures.c.line).where(is_it)).scalars())


# Retention.


def remove_old(engine: Engine, before: float) -> None:
    """Remove reports closed before a time, and measures that ended before it.

    A warning ends when it is given. Measures in force, undecided appeals, and what keeps an account closed stay.
    """
    keeps_closed = exists().where(people.c.id == measures.c.person_id, people.c.banned_at.is_not(None))
    has_ended = or_(measures.c.lifted_at < before, measures.c.until < before, measures.c.kind == WARNING)
    was_decided = measures.c.decided_at.is_(None) | (measures.c.decided_at < before)
    is_old = (measures.c.at < before) & has_ended & was_decided & ~measures.c.is_waiting
    with engine.begin() as connection:
        connection.execute(delete(reports).where(reports.c.closed_at < before))
        connection.execute(delete(measures).where(is_old, (measures.c.kind != CLOSED) | ~keeps_closed))


# Moderators and their log.


class LogEntry(NamedTuple):
    """An action of a moderator."""

    id: int
    at: float
    moderator: str
    """Name of the moderator at that time."""
    action: str
    person_id: str
    name: str | None
    """Present name of the person it concerns; None without such a person."""
    kind: str
    text: str


def set_role(connection: Connection, person_id: str, is_moderator: bool, now: float) -> None:
    """Make a person a moderator, or end that."""
    role = MODERATOR if is_moderator else None
    connection.execute(update(people).where(people.c.id == person_id).values(role=role))
    _log(connection, OPERATOR, "appointed" if is_moderator else "removed", person_id, "", "", now)


def log_entries(connection: Connection, before: int | None = None, limit: int = PAGE) -> Sequence[LogEntry]:
    """Return the entries of the log, newest first; those before an entry's id if one is given."""
    wanted = (
        select(moderation_log, people.c.name)
        .outerjoin(people, people.c.id == moderation_log.c.person_id)
        .order_by(moderation_log.c.id.desc())
        .limit(limit)
    )
    if before is not None:
        wanted = wanted.where(moderation_log.c.id < before)
    rows = connection.execute(wanted).mappings()
    return [LogEntry(**{name: row[name] for name in LogEntry._fields}) for row in rows]


def _log(
    connection: Connection, moderator: Moderator, action: str, person_id: str, kind: str, text: str, now: float
) -> None:
    entry = {"moderator_id": moderator.id, "moderator": moderator.name, "person_id": person_id}
    connection.execute(insert(moderation_log).values(at=now, action=action, kind=kind, text=text, **entry))
