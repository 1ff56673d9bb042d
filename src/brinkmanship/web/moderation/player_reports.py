"""Blocks and reports by players, and what they read about measures against themselves."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from brinkmanship.store import moderation
from brinkmanship.store.moderation import Blocked, Measure, OwnReport, PersonAtTable
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.accounts.mail_rate_limit import DAY_SECONDS, MailLimit
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import IllegalError, NotFoundError, TooManyError
from brinkmanship.web.support.rate_limit import client_address
from brinkmanship.web.support.tokens import digest

REPORT_LENGTH = 500
APPEAL_LENGTH = 1000
MAX_BLOCKED = 500
"""Maximum people whom one user has blocked."""
REPORTS_OF_PERSON = (MailLimit(5, DAY_SECONDS),)
REPORTS_OF_ADDRESS = (MailLimit(20, DAY_SECONDS),)
HANDLE_LENGTH = 16


class ModerationStanding(NamedTuple):
    """A user's relation to moderation, for their account page."""

    measures: list[Measure]
    blocked: list[Blocked]
    reports: list[OwnReport]
    now: float


class PlayerReports:
    """Blocks, reports and appeals of players. Every method is a short transaction to run in a thread."""

    def __init__(self, engine: Engine, users: UserService) -> None:
        self._engine = engine
        self._users = users

    def people_at(self, table_id: str, viewer_id: str) -> list[PersonAtTable]:
        """Return everyone at a table whom the viewer may block or report."""
        with self._engine.connect() as connection:
            return moderation.people_at(connection, table_id, viewer_id)

    def block(self, person_id: str, table_id: str, handle: str) -> None:
        """Block someone at a table.

        Raises:
            NotFoundError: No one at the table has this handle.
            IllegalError: The user has blocked `MAX_BLOCKED` people already.
        """
        with suppress(IntegrityError), self._engine.begin() as connection:  # a second click may come at the same moment
            other = _at_table(moderation.people_at(connection, table_id, person_id), handle)
            if moderation.block_count(connection, person_id) >= MAX_BLOCKED:
                raise IllegalError(f"at most {MAX_BLOCKED} people can be blocked", key="block.refused.many")
            moderation.block(connection, person_id, other.id, time_control.now())

    def unblock(self, person_id: str, handle: str) -> None:
        """End a block; the handle is that of `handle_of`. Nothing happens if there is no such block."""
        with self._engine.begin() as connection:
            for blocked in moderation.all_blocked_by(connection, person_id):
                if handle_of(blocked.id) == handle:
                    moderation.unblock(connection, person_id, blocked.id)

    def report(self, person_id: str, table_id: str, handle: str, category: str, text: str) -> None:
        """Report someone at a table, with the last chat lines there.

        Raises:
            NotFoundError: No one at the table has this handle.
            IllegalError: An earlier report of this person by this user still waits.
            TooManyError: The user or the address has sent too many reports today.
        """
        now = time_control.now()
        with self._engine.begin() as connection:
            other = _at_table(moderation.people_at(connection, table_id, person_id), handle)
            if moderation.has_open_report(connection, person_id, other.id):
                raise IllegalError("you have already reported this player", key="report.refused.again")
            try:
                address = mail_rate_limit.address_digest(client_address.get())
                mail_rate_limit.enter(connection, "report", person_id, REPORTS_OF_PERSON, now)
                mail_rate_limit.enter(connection, "report", address, REPORTS_OF_ADDRESS, now)
            except TooManyError as error:
                raise TooManyError("too many reports today", "report.refused.many", DAY_SECONDS) from error
            moderation.add_report(connection, person_id, other.id, table_id, category, text, now)

    def standing(self, person_id: str) -> ModerationStanding:
        """Return a user's measures, blocks and reports."""
        with self._engine.connect() as connection:
            return ModerationStanding(
                moderation.measures_of(connection, person_id),
                moderation.all_blocked_by(connection, person_id),
                moderation.reports_by(connection, person_id),
                time_control.now(),
            )

    def mark_read(self, person_id: str) -> None:
        """Note that a user has read what the moderators have written."""
        with self._engine.begin() as connection:
            moderation.mark_read(connection, person_id, time_control.now())
        self._users.forget_everywhere(person_id)

    def appeal(self, measure_id: str, key: str, text: str) -> None:
        """Store the answer to a measure; the key proves that it is the person's own.

        Raises:
            IllegalError: The answer is empty, or no answer is possible any more.
        """
        if not text.strip():
            raise IllegalError("write an answer", key="measure.refused.empty")
        with self._engine.begin() as connection:
            if not moderation.add_appeal(connection, measure_id, key, text.strip(), time_control.now()):
                raise IllegalError("you cannot answer this measure any more", key="measure.refused.appeal")


def handle_of(person_id: str) -> str:
    """Return the name of a blocked person in forms."""
    return digest(f"blocked {person_id}")[:HANDLE_LENGTH]


def _at_table(people: list[PersonAtTable], handle: str) -> PersonAtTable:
    found = next((each for each in people if each.handle == handle), None)
    if found is None:
        raise NotFoundError("there is no such person at this table", key="report.refused.nobody")
    return found
