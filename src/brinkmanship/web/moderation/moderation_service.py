"""Decisions of moderators: reports, measures, appeals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, select

from brinkmanship.store import moderation, ratings
from brinkmanship.store.moderation import (
    CLOSED,
    MODERATOR,
    MUTE,
    RENAME,
    UNRATED,
    WARNING,
    LogEntry,
    Measure,
    Moderator,
    Report,
)
from brinkmanship.store.schema import people
from brinkmanship.web.accounts.users import Person, UserService
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import IllegalError, NotFoundError

Found = TypeVar("Found")

DAY_SECONDS = 24 * 3600
REASON_LENGTH = 1000
PAIRS_SECONDS = 30 * DAY_SECONDS
"""Period (s) in which early resignations of rated games are counted."""
MEASURES: dict[str, tuple[str, int | None]] = {
    WARNING: (WARNING, None),
    "mute-1": (MUTE, 1),
    "mute-7": (MUTE, 7),
    "mute-30": (MUTE, 30),
    "unrated-7": (UNRATED, 7),
    "unrated-30": (UNRATED, 30),
    "unrated-90": (UNRATED, 90),
    RENAME: (RENAME, None),
    "closed-30": (CLOSED, 30),
    CLOSED: (CLOSED, None),
}
"""Measures as moderators choose them: kind, and duration in days; None: until it is lifted."""


class SuspiciousPair(NamedTuple):
    """Two people of whom one has resigned rated games early to the other."""

    loser_id: str
    loser: str
    winner_id: str
    winner: str
    games: int


class Queue(NamedTuple):
    """Open cases."""

    reports: list[Report]
    appeals: list[Measure]
    pairs: list[SuspiciousPair]


class History(NamedTuple):
    """A person as moderators see them."""

    id: str
    name: str
    measures: list[Measure]
    report_count: int
    acted_count: int
    now: float


class ModerationService:
    """Moderators' work. Every method is a short transaction to run in a thread.

    All of them raise `NotFoundError` for a user who does not moderate (any more), as if there were no such page.

    Args:
        engine: Database engine.
        users: Users and their sessions.
    """

    def __init__(self, engine: Engine, users: UserService) -> None:
        self._engine = engine
        self._users = users

    def queue(self, who: Person) -> Queue:
        """Return the open reports and appeals; appeals against the moderator's own measures come last."""
        with self._engine.connect() as connection:
            _moderator(connection, who)
            waiting = moderation.appeals(connection)
            waiting.sort(key=lambda each: each.moderator_id == who.id)
            reports = moderation.open_reports(connection)
            pairs = ratings.suspicious_pairs(self._engine, time_control.now() - PAIRS_SECONDS)[: moderation.PAGE]
            ids = {each for pair in pairs for each in (pair.person_id, pair.opponent)}
            found = connection.execute(select(people.c.id, people.c.name).where(people.c.id.in_(ids)))
            names = {row.id: row.name for row in found}
        return Queue(
            reports,
            waiting,
            [
                SuspiciousPair(pair.person_id, names[pair.person_id], pair.opponent, names[pair.opponent], pair.games)
                for pair in pairs
                if {pair.person_id, pair.opponent} <= names.keys()  # the opponent may be a computer level
            ],
        )

    def report(self, who: Person, report_id: str) -> Report:
        """Return a report.

        Raises:
            NotFoundError: There is no such report.
        """
        with self._engine.connect() as connection:
            _moderator(connection, who)
            return _there(moderation.report(connection, report_id))

    def measure(self, who: Person, measure_id: str) -> Measure:
        """Return a measure.

        Raises:
            NotFoundError: There is no such measure.
        """
        with self._engine.connect() as connection:
            _moderator(connection, who)
            return _there(moderation.measure(connection, measure_id))

    def history(self, who: Person, person_id: str) -> History:
        """Return the history of a person.

        Raises:
            NotFoundError: There is no such person.
        """
        with self._engine.connect() as connection:
            _moderator(connection, who)
            name = _there(connection.execute(select(people.c.name).where(people.c.id == person_id)).scalar())
            counts = moderation.report_counts(connection, person_id)
            found = moderation.measures_of(connection, person_id)
            return History(person_id, name, found, *counts, time_control.now())

    def log(self, who: Person, before: int | None) -> Sequence[LogEntry]:
        """Return a page of the log, newest first."""
        with self._engine.connect() as connection:
            _moderator(connection, who)
            return moderation.log_entries(connection, before)

    def dismiss(self, who: Person, report_id: str, note: str) -> None:
        """Close a report without a measure.

        Raises:
            IllegalError: Another moderator has closed it already, or it concerns the moderator.
        """
        with self._engine.begin() as connection:
            found = _there(moderation.report(connection, report_id))
            me = _moderator(connection, who, found.person_id, found.reporter_id)
            _check_open(moderation.dismiss(connection, me, report_id, note, time_control.now()))

    def impose(
        self, who: Person, person_id: str, measure: str, reason: str, report_id: str = "", line: int = -1
    ) -> list[str]:
        """Impose one of `MEASURES` on a person; their open reports are closed as acted upon.

        Returns the tables at which the person is called otherwise because of it.

        Args:
            who: Moderator.
            person_id: Person whom it concerns.
            measure: Key in `MEASURES`.
            reason: Reason, which the person reads.
            report_id: Report that the moderator has read; it must still be open. "" for none.
            line: Index of the report's line that the measure is about; -1 for none.

        Raises:
            NotFoundError: There is no such person or report.
            IllegalError: There is no reason, the report has been closed already, or the moderator is concerned.
        """
        if not reason.strip():
            raise IllegalError("give a reason", key="moderation.refused.reason")
        kind, days = MEASURES[measure]
        now = time_control.now()
        with self._engine.begin() as connection:
            _there(connection.execute(select(people.c.id).where(people.c.id == person_id)).scalar())
            quoted, concerned = "", [person_id]
            if report_id:
                report = _there(moderation.report(connection, report_id))
                is_about = report.person_id == person_id
                _check_open(is_about and moderation.close_report(connection, report_id, moderation.ACTED, now))
                quoted = report.lines[line].text if 0 <= line < len(report.lines) else ""
                concerned.append(report.reporter_id)
            me = _moderator(connection, who, *concerned)
            until = now + DAY_SECONDS * days if days else None
            renamed = moderation.impose(connection, me, person_id, kind, reason.strip(), quoted, until, now)
        self._users.forget_everywhere(person_id)
        return renamed

    def lift(self, who: Person, measure_id: str, text: str) -> str:
        """Lift a measure, also to decide its appeal for the person; return the person's id.

        Raises:
            NotFoundError: There is no such measure.
            IllegalError: It is lifted already, there is no reason, or the moderator is concerned.
        """
        return self._decide(moderation.lift, who, measure_id, text)

    def keep(self, who: Person, measure_id: str, text: str) -> str:
        """Decide an appeal against the person; return the person's id.

        Raises:
            NotFoundError: There is no such measure.
            IllegalError: Its appeal is decided already, there is no reply, or the moderator is concerned.
        """
        return self._decide(moderation.keep, who, measure_id, text)

    def _decide(
        self, decide: Callable[[Connection, Moderator, str, str, float], bool], who: Person, measure_id: str, text: str
    ) -> str:
        if not text.strip():
            raise IllegalError("give a reason", key="moderation.refused.reason")
        with self._engine.begin() as connection:
            found = _there(moderation.measure(connection, measure_id))
            me = _moderator(connection, who, found.person_id)
            _check_open(decide(connection, me, measure_id, text.strip(), time_control.now()))
        self._users.forget_everywhere(found.person_id)
        return found.person_id


def _moderator(connection: Connection, who: Person, *concerned: str) -> Moderator:
    """Return the moderator, whose role is read again: sessions are cached.

    Raises:
        NotFoundError: The user does not moderate.
        IllegalError: The case concerns them.
    """
    role = connection.execute(select(people.c.role).where(people.c.id == who.id)).scalar()
    if role != MODERATOR:
        raise NotFoundError("there is no such page")
    if who.id in concerned:
        raise IllegalError("this concerns you", key="moderation.refused.own")
    return Moderator(who.id, who.name)


def _there(found: Found | None) -> Found:
    if found is None:
        raise NotFoundError("there is no such report, measure or person")
    return found


def _check_open(is_open: bool) -> None:
    if not is_open:
        raise IllegalError("this has already been decided", key="moderation.refused.closed")
