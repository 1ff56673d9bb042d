"""Background task that finds new turns and notifies absent players.

It is not in the path of any request. Every few seconds the notifier queries the database for tables that wait for a
user with contact addresses. A turn is identified by the last action of another side; one notification per turn and user
is claimed, in one transaction with its deliveries, so several processes send it only once. A failed delivery is retried
after a while, and dropped once the turn has passed. A slow receiver delays no others: each delivery is a separate task,
the number of deliveries to one receiver is limited, and the next tick does not wait for them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Engine, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from brinkmanship.store.schema import contacts, deliveries, notices, records, seats, tables
from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.accounts.account_service import recovery_token
from brinkmanship.web.accounts.contacts import CONFIRM, EMAIL, RECOVER, Contact, contact_of
from brinkmanship.web.notifications import email, webhook
from brinkmanship.web.notifications.presence import Presence
from brinkmanship.web.notifications.turn import opponents_of, sentence_of, since_of, turn_of
from brinkmanship.web.presentation.page_words import page_words, title_of
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.live_table import DEALING, RUNNING, LiveTable
from brinkmanship.web.tables.registry import TableRegistry

log = logging.getLogger("brinkmanship.web.notifications")

TICK_SECONDS = 5
TIMEOUT = 60
"""Timeout (s) of a tick; after a start every waiting table is read."""
WAIT_AFTER_FAILURE = (30, 300, 1800)
"""Seconds before each further attempt; after the last one the notification is dropped."""
LEASE_SECONDS = 300
"""Lease (s) of the process that started a delivery."""
AT_ONCE = 256
"""Maximum running deliveries in one process."""
AT_ONCE_TO_ONE = 2
"""Maximum running deliveries to one receiver: the mail server, or one webhook host."""


@dataclass
class _Waiting:
    """A running table, and one of its players who wants notifications."""

    table_id: str
    side: int
    person_id: str
    number: int
    """Number of records."""
    present_at: float
    notified_turn: int | None
    """Last turn of which the user has been notified."""


class Notifier:
    """Notifier; see the module. Call `tick` every `TICK_SECONDS`; `close` stops its tasks and threads."""

    def __init__(self, engine: Engine, live: TableRegistry, presence: Presence, settings: Settings) -> None:
        self._engine = engine
        self._live = live
        self._presence = presence
        self._settings = settings
        self._looks = ThreadPoolExecutor(2, "turns")
        self._mails = ThreadPoolExecutor(AT_ONCE_TO_ONE, "mails")
        self._under_way: dict[asyncio.Task[None], str] = {}
        """Running deliveries, each with its receiver."""
        self._settled: dict[tuple[str, str], int] = {}
        self._first_seen: dict[tuple[str, str], float] = {}
        self._turns: dict[tuple[str, str], tuple[int, int | None, float]] = {}
        """By table and user: number of records, the turn after them, and the time it began."""

    async def close(self) -> None:
        """Stop; any process retries unfinished deliveries once their lease has expired."""
        for task in self._under_way:
            task.cancel()
        await self.settle()
        self._looks.shutdown(wait=False, cancel_futures=True)
        self._mails.shutdown(wait=False, cancel_futures=True)

    async def tick(self) -> None:
        """Find new turns once, and start the deliveries that are due."""
        loop = asyncio.get_running_loop()
        looking = await loop.run_in_executor(self._looks, self._people)
        await loop.run_in_executor(self._looks, self._look, self._presence.among(looking))
        busy = Counter(self._under_way.values())
        for delivery, receiver in await loop.run_in_executor(self._looks, self._take_due, busy):
            task = asyncio.create_task(self._deliver(delivery))
            self._under_way[task] = receiver
            task.add_done_callback(self._under_way.pop)

    async def settle(self) -> None:
        """Wait until no delivery is running."""
        await asyncio.gather(*self._under_way, return_exceptions=True)

    # Find turns to notify.

    def _people(self) -> list[str]:
        with self._engine.connect() as connection:
            return list(connection.execute(select(contacts.c.person_id).distinct()).scalars())

    def _look(self, present: list[str]) -> None:
        now = time.time()
        if present:
            with self._engine.begin() as connection:
                connection.execute(update(contacts).where(contacts.c.person_id.in_(present)).values(present_at=now))
        waiting = self._waiting()
        for each in waiting:
            key, due = (each.table_id, each.person_id), now - self._settings.notice_after_seconds
            first_seen = self._first_seen.setdefault(key, now)
            if each.present_at > due or self._settled.get(key) == each.number:
                continue
            try:
                turn, since = self._turn(each, first_seen)
            except TRANSIENT_ERRORS:
                raise
            except Exception as error:
                self._settled[key] = each.number
                log.error("turn notifications: a table cannot be read", exc_info=error, extra={"table": each.table_id})
                continue
            if since > due or each.present_at >= since:
                continue
            self._settled[key] = each.number
            if turn is not None and (each.notified_turn is None or each.notified_turn < turn):
                self._claim(each, turn)
        known = {(each.table_id, each.person_id) for each in waiting}
        for notes in (self._settled, self._first_seen, self._turns):
            for key in notes.keys() - known:
                del notes[key]

    def _turn(self, each: _Waiting, first_seen: float) -> tuple[int | None, float]:
        """Return the turn of which a user may be notified, and when it began; reads the table once per record."""
        key = (each.table_id, each.person_id)
        known = self._turns.get(key)
        if known is None or known[0] != each.number:
            table = self._live.read(each.table_id)
            turn = turn_of(table, each.side)
            since = None if turn is None else since_of(table, each.side, turn)
            known = self._turns[key] = (each.number, turn, first_seen if since is None else since)
        return known[1:]

    def _waiting(self) -> list[_Waiting]:
        here = records.c.table_id == tables.c.id
        number = select(func.max(records.c.number)).where(here).scalar_subquery()
        present = (
            select(contacts.c.person_id, func.max(contacts.c.present_at).label("present_at"))
            .where(contacts.c.confirmed_at.is_not(None))
            .group_by(contacts.c.person_id)
            .subquery()
        )
        mine = and_(notices.c.table_id == seats.c.table_id, notices.c.person_id == seats.c.person_id)
        wanted = (
            select(seats.c.table_id, seats.c.side, seats.c.person_id, number, present.c.present_at, notices.c.turn)
            .select_from(present)
            .join(seats, seats.c.person_id == present.c.person_id)
            .join(tables, tables.c.id == seats.c.table_id)
            .outerjoin(notices, mine)
            .where(tables.c.status.in_((RUNNING, DEALING)))
        )
        with self._engine.connect() as connection:
            return [_Waiting(row[0], row[1], row[2], row[3] or 0, row[4], row[5]) for row in connection.execute(wanted)]

    def _claim(self, who: _Waiting, turn: int) -> None:
        """Store that this turn is notified, with its deliveries; only one of several processes succeeds."""
        mine = (notices.c.table_id == who.table_id) & (notices.c.person_id == who.person_id)
        reachable = select(contacts.c.kind).where(
            contacts.c.person_id == who.person_id, contacts.c.confirmed_at.is_not(None)
        )
        try:
            with self._engine.begin() as connection:
                if who.notified_turn is None:
                    connection.execute(
                        insert(notices).values(table_id=who.table_id, person_id=who.person_id, turn=turn)
                    )
                elif not connection.execute(
                    update(notices).where(mine & (notices.c.turn < turn)).values(turn=turn)
                ).rowcount:
                    return
                for kind in connection.execute(reachable).scalars().all():
                    connection.execute(
                        insert(deliveries).values(
                            person_id=who.person_id,
                            kind=kind,
                            table_id=who.table_id,
                            turn=turn,
                            attempts=0,
                            due_at=time.time(),
                        )
                    )
        except IntegrityError:
            return  # another process was first

    # Deliver notifications.

    def _take_due(self, busy: Counter[str]) -> list[tuple[dict[str, Any], str]]:
        """Claim deliveries that are due, within the limits; return each with its receiver."""
        now = time.time()
        taken: list[tuple[dict[str, Any], str]] = []
        due = (
            select(deliveries, contacts.c.address)
            .outerjoin(
                contacts, (contacts.c.person_id == deliveries.c.person_id) & (contacts.c.kind == deliveries.c.kind)
            )
            .where(deliveries.c.due_at <= now)
            .order_by(deliveries.c.due_at)
        )
        with self._engine.begin() as connection:
            for row in connection.execute(due).mappings().all():
                receiver = EMAIL if row["kind"] == EMAIL else urlsplit(row["address"] or "").hostname or ""
                if busy.total() >= AT_ONCE:
                    break
                if busy[receiver] >= AT_ONCE_TO_ONE:
                    continue
                mine = (deliveries.c.id == row["id"]) & (deliveries.c.due_at == row["due_at"])
                if connection.execute(update(deliveries).where(mine).values(due_at=now + LEASE_SECONDS)).rowcount:
                    busy[receiver] += 1
                    taken.append((dict(row), receiver))
        return taken

    async def _deliver(self, delivery: dict[str, Any]) -> None:
        loop = asyncio.get_running_loop()
        failure = ""
        try:
            outgoing = await loop.run_in_executor(self._looks, self._outgoing, delivery)
            if isinstance(outgoing, EmailMessage):
                await loop.run_in_executor(self._mails, email.send, outgoing, self._settings)
            elif outgoing is not None:
                await webhook.post(*outgoing, self._settings.webhooks_to_private, self._settings.webhook_ports)
        except Exception as error:  # one failing delivery must not stop the others
            # Only the type: messages of servers may contain addresses.
            failure = type(error).__name__
        try:
            await loop.run_in_executor(self._looks, self._note, delivery, failure)
        except SQLAlchemyError as error:  # retried once the lease has expired
            log.warning("the outcome of a turn notification could not be stored", exc_info=error)

    def _outgoing(self, delivery: dict[str, Any]) -> EmailMessage | tuple[str, bytes, str] | None:
        """Return what to send: an e-mail, or a webhook's URL, body and secret; None if the reason has passed."""
        with self._engine.connect() as connection:
            contact = contact_of(connection, delivery["person_id"], delivery["kind"])
        if contact is None or (contact.kind == EMAIL and not self._settings.sends_mail):
            return None
        words, site = page_words(contact.language), self._settings.public_url
        if delivery["purpose"] == CONFIRM:
            return email.confirmation(contact, words, site)
        if delivery["purpose"] == RECOVER:
            if not contact.is_confirmed:
                return None
            with self._engine.begin() as connection:
                return email.recovery(contact, words, site, recovery_token(connection, contact.person_id))
        try:
            table = self._live.read(delivery["table_id"])
        except NotFoundError:
            return None
        side = next(iter(table.seat_of(contact.person_id)), None)
        if not contact.is_confirmed or side is None or turn_of(table, side) != delivery["turn"]:
            return None
        notice = _TurnNotice(contact, table, side)
        if contact.kind == EMAIL:
            return email.notice(contact, words, site, notice.title, notice.sentence, notice.path)
        return contact.address, json.dumps(notice.as_json(site), ensure_ascii=False).encode(), contact.secret

    def _note(self, delivery: dict[str, Any], failure: str) -> None:
        mine = deliveries.c.id == delivery["id"]
        attempts = delivery["attempts"] + 1
        about = {"kind": delivery["kind"], "person": delivery["person_id"], "table": delivery["table_id"]}
        with self._engine.begin() as connection:
            if failure and attempts <= len(WAIT_AFTER_FAILURE):
                wait = WAIT_AFTER_FAILURE[attempts - 1]
                connection.execute(update(deliveries).where(mine).values(attempts=attempts, due_at=time.time() + wait))
                log.warning("a turn notification failed", extra={**about, "error": failure, "again_in": wait})
            else:
                connection.execute(delete(deliveries).where(mine))
                log.info(
                    "a turn notification was dropped" if failure else "a turn notification was delivered", extra=about
                )


class _TurnNotice:
    """Content of a notification."""

    def __init__(self, contact: Contact, table: LiveTable, side: int) -> None:
        self.table = table
        self.side = table.game.sides[side]
        self.title = title_of(table.game, page_words(contact.language))
        self.opponents = opponents_of(table, side, contact.language)
        self.path = f"/t/{table.id}"
        self.sentence = sentence_of(table, side, contact.language)

    def as_json(self, site: str) -> dict[str, str]:
        """Return the body of a webhook; `text` is in the user's language.

        `url` is only a path if the operator has not set the public URL.
        """
        return {
            "event": "turn",
            "table": self.table.id,
            "game": self.table.game.id,
            "side": self.side,
            "opponent": self.opponents,
            "url": site + self.path,
            "text": self.sentence,
        }
