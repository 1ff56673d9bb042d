"""Background task that finds new turns, notifies absent players, and delivers announcements.

It is not in the path of any request. Every few seconds the notifier queries the database for tables that wait for a
user with contact addresses. A turn is identified by the last action of another side; one notification per turn and user
is claimed, in one transaction with its deliveries, so several processes send it only once. What is due to one browser
or e-mail address at the same time becomes one notice; a webhook gets each by itself. Deliveries wait for the end of the
user's quiet hours. A failed delivery is retried after a while, and dropped once the turn has passed or the user has
been here. A slow receiver delays no others: each delivery is a separate task, the number of deliveries to one receiver
is limited, and the next tick does not wait for them.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, Engine, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from brinkmanship.store import notices as stored
from brinkmanship.store.notices import EMAIL, NEWS, TURN, WEBHOOK, Preferences
from brinkmanship.store.schema import contacts, deliveries, notice_preferences, notices, records, seats, tables
from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.accounts.account_service import recovery_token
from brinkmanship.web.accounts.contacts import CONFIRM, PUSH, RECOVER, Contact, ContactService, contact_of
from brinkmanship.web.notifications import content, email, push, webhook
from brinkmanship.web.notifications.content import Notice
from brinkmanship.web.notifications.presence import Presence
from brinkmanship.web.notifications.push import PushKey, PushMessage
from brinkmanship.web.notifications.turn import since_of, turn_of
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.statuses import DEALING, RUNNING

log = logging.getLogger("brinkmanship.web.notifications")

POLL_INTERVAL = 5
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
    """Number of records and of changes outside them: the table is read again when it grows."""
    present_at: float
    notified_turn: int | None
    """Last turn of which the user has been notified."""


@dataclass
class _WebhookRequest:
    """A request to a webhook, as `webhook.post` takes it."""

    url: str
    body: bytes
    secret: str
    message_id: str


Delivery = dict[str, Any]
"""A row of `deliveries`."""
Outgoing = EmailMessage | PushMessage | _WebhookRequest


class Notifier:
    """Notifier; see the module. Call `tick` every `POLL_INTERVAL`; `close` stops its tasks and threads.

    Args:
        engine: Database engine.
        live: Tables.
        presence: Users who are online.
        settings: Settings of the server.
        now: Clock (s since 1970), for tests.
    """

    def __init__(
        self,
        engine: Engine,
        live: TableRegistry,
        presence: Presence,
        settings: Settings,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._now = now
        self._push_key = PushKey(engine, settings.push_subject, settings.push_key)
        self._contacts = ContactService(engine)
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
        """By table and user: number as in `_Waiting`, the turn at that time, and when it began."""

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
        for group, receiver in await loop.run_in_executor(self._looks, self._take_due, busy):
            task = asyncio.create_task(self._deliver(group))
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
        now = self._now()
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
            if turn is not None and (each.notified_turn is None or each.notified_turn < turn):
                self._claim(each, turn)
            self._settled[key] = each.number  # last, so that a claim that the database refused is made again
        known = {(each.table_id, each.person_id) for each in waiting}
        for notes in (self._settled, self._first_seen, self._turns):
            for key in notes.keys() - known:
                del notes[key]

    def _turn(self, each: _Waiting, first_seen: float) -> tuple[int | None, float]:
        """Return the turn of which a user may be notified, and when it began; reads the table once per record."""
        key = (each.table_id, each.person_id)
        known = self._turns.get(key)
        if known is None or known[0] != each.number:
            table = self._live.loader.read(each.table_id)
            turn = turn_of(table, each.side)
            since = None if turn is None else since_of(table, each.side, turn)
            known = self._turns[key] = (each.number, turn, first_seen if since is None else since)
        return known[1:]

    def _waiting(self) -> list[_Waiting]:
        here = records.c.table_id == tables.c.id
        last = select(func.max(records.c.number)).where(here).scalar_subquery()
        number = func.coalesce(last, 0) + tables.c.changes  # before the deal only `changes` grows
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
            .where(tables.c.status.in_((RUNNING, DEALING)), or_(notices.c.is_muted.is_(None), ~notices.c.is_muted))
        )
        with self._engine.connect() as connection:
            return [_Waiting(*row) for row in connection.execute(wanted)]

    def _claim(self, who: _Waiting, turn: int) -> None:
        """Store that this turn is notified, with its deliveries; only one of several processes succeeds."""
        mine = (notices.c.table_id == who.table_id) & (notices.c.person_id == who.person_id)
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
                stored.queue(connection, who.person_id, TURN, self._now(), table_id=who.table_id, turn=turn)
        except IntegrityError:
            return  # another process was first

    # Deliver notifications.

    def _take_due(self, busy: Counter[str]) -> list[tuple[list[Delivery], str]]:
        """Claim deliveries that are due, within the limits; return those of one notice together, with its receiver."""
        now = self._now()
        taken: list[tuple[list[Delivery], str]] = []
        with self._engine.begin() as connection:
            for group in self._due(connection, now):
                first = group[0]
                receiver = EMAIL if first["kind"] == EMAIL else urlsplit(first["address"] or "").hostname or ""
                if busy.total() >= AT_ONCE:
                    break
                if busy[receiver] >= AT_ONCE_TO_ONE:
                    continue
                mine = [row for row in group if _lease(connection, row, now + LEASE_SECONDS)]
                if mine:
                    busy[receiver] += 1
                    taken.append((mine, receiver))
        return taken

    def _due(self, connection: Connection, now: float) -> list[list[Delivery]]:
        """Return the deliveries that are due, grouped by notice, and put off those that have to wait."""
        is_of_contact = (
            (contacts.c.person_id == deliveries.c.person_id)
            & (contacts.c.kind == deliveries.c.kind)
            & (contacts.c.place == deliveries.c.place)
        )
        chosen = [notice_preferences.c[name] for name in Preferences._fields]
        due = (
            select(deliveries, contacts.c.address, *chosen)
            .outerjoin(contacts, is_of_contact)
            .outerjoin(notice_preferences, notice_preferences.c.person_id == deliveries.c.person_id)
            .where(deliveries.c.due_at <= now)
            .order_by(deliveries.c.due_at)
        )
        groups: dict[tuple[str, ...], list[Delivery]] = {}
        for found in connection.execute(due).mappings().all():
            row = dict(found)
            is_notice = row["purpose"] in (TURN, NEWS)
            if is_notice and row["time_zone"] is not None:
                preferences = Preferences(*(row[name] for name in Preferences._fields))
                release = preferences.release(row["kind"], row["made_at"], now)
                if release > now:
                    _put_off(connection, row, release)
                    continue
            is_joined = is_notice and row["kind"] != WEBHOOK
            key = (row["person_id"], row["kind"], row["place"]) if is_joined else (str(row["id"]),)
            groups.setdefault(key, []).append(row)
        return list(groups.values())

    async def _deliver(self, group: list[Delivery]) -> None:
        loop = asyncio.get_running_loop()
        failure = ""
        try:
            outgoing = await loop.run_in_executor(self._looks, self._outgoing, group)
            if isinstance(outgoing, EmailMessage):
                await loop.run_in_executor(self._mails, email.send, outgoing, self._settings)
            elif isinstance(outgoing, PushMessage):
                await self._push(group[0], outgoing)
            elif outgoing is not None:
                await webhook.post(
                    outgoing.url,
                    outgoing.body,
                    outgoing.secret,
                    outgoing.message_id,
                    self._settings.webhooks_to_private,
                    self._settings.webhook_ports,
                )
        except Exception as error:  # one failing delivery must not stop the others
            # Only the type: messages of servers may contain addresses.
            failure = type(error).__name__
        try:
            await loop.run_in_executor(self._looks, self._note, group, failure)
        except SQLAlchemyError as error:  # retried once the lease has expired
            log.warning("the outcome of a turn notification could not be stored", exc_info=error)

    async def _push(self, delivery: Delivery, message: PushMessage) -> None:
        """Send a push message, and note what the push service says about the browser.

        Raises:
            WebhookError: The push service did not accept it.
        """
        settings = self._settings
        status = await webhook.send(message.endpoint, message.body, message.headers, settings.webhooks_to_private)
        if not 200 <= status < 300 and status not in push.FINAL:
            raise webhook.WebhookError(f"the push service responded with {status}")
        await asyncio.get_running_loop().run_in_executor(self._looks, self._note_push, delivery, status)

    def _note_push(self, delivery: Delivery, status: int) -> None:
        with self._engine.connect() as connection:
            contact = contact_of(connection, delivery["person_id"], PUSH, delivery["place"])
        if contact is None:
            return
        if status in push.GONE:
            self._contacts.stop(contact.person_id, PUSH, contact.place)
        elif status == push.REFUSED:
            self._contacts.note_refusal(contact, self._now())
        else:
            self._contacts.note_acceptance(contact)

    def _outgoing(self, group: list[Delivery]) -> Outgoing | None:
        """Return what to send; None if the reason has passed."""
        first = group[0]
        with self._engine.connect() as connection:
            contact = contact_of(connection, first["person_id"], first["kind"], first["place"])
        if contact is None or not self._reaches(contact.kind):
            return None
        words, site = page_words(contact.language), self._settings.public_url
        if first["purpose"] == CONFIRM:
            return email.confirmation(contact, words, site)
        if not contact.is_confirmed:
            return None
        if first["purpose"] == RECOVER:
            with self._engine.begin() as connection:
                return email.recovery(contact, words, site, recovery_token(connection, contact.person_id))
        found = [notice for delivery in group if (notice := self._notice(delivery, contact))]
        if not found:
            return None
        if contact.kind == EMAIL:
            return email.notice(contact, words, site, found)
        if contact.kind == PUSH:
            return self._push_key.message(
                push.subscription(contact.address, contact.keys),
                content.push_payload(found, words),
                found[0].tag if len(found) == 1 else content.SEVERAL,
                any(notice.is_urgent for notice in found),
            )
        about = (first["person_id"], first["table_id"] or first["announcement_id"], first["turn"])
        body = content.webhook_body(found[0], site)
        return _WebhookRequest(contact.address, body, contact.secret, content.message_id(*about))

    def _reaches(self, kind: str) -> bool:
        """Return True if this server can send to contacts of a kind."""
        is_on = {EMAIL: self._settings.sends_mail, PUSH: bool(self._settings.push_subject)}
        return is_on.get(kind, True)

    def _notice(self, delivery: Delivery, contact: Contact) -> Notice | None:
        """Return the notice of a delivery, None if the user has been here since, or the turn has passed."""
        if contact.present_at > delivery["made_at"] > 0:
            return None
        if delivery["purpose"] == NEWS:
            with self._engine.connect() as connection:
                news = stored.announcement(connection, delivery["announcement_id"])
            return None if news is None else content.news_notice(news, contact.language)
        with self._engine.connect() as connection:
            if stored.is_muted(connection, delivery["table_id"], contact.person_id):
                return None
        try:
            table = self._live.loader.read(delivery["table_id"])
        except NotFoundError:
            return None
        side = next(iter(table.seat_of(contact.person_id)), None)
        if side is None or turn_of(table, side) != delivery["turn"]:
            return None
        return content.turn_notice(table, side, contact.language)

    def _note(self, group: list[Delivery], failure: str) -> None:
        now = self._now()
        with self._engine.begin() as connection:
            for delivery in group:
                mine = deliveries.c.id == delivery["id"]
                attempts = delivery["attempts"] + 1
                about = {"kind": delivery["kind"], "person": delivery["person_id"], "table": delivery["table_id"]}
                if failure and attempts <= len(WAIT_AFTER_FAILURE):
                    wait = WAIT_AFTER_FAILURE[attempts - 1]
                    connection.execute(update(deliveries).where(mine).values(attempts=attempts, due_at=now + wait))
                    log.warning("a turn notification failed", extra={**about, "error": failure, "again_in": wait})
                else:
                    connection.execute(delete(deliveries).where(mine))
                    outcome = "dropped" if failure else "delivered"
                    log.info(f"a turn notification was {outcome}", extra=about)


def _put_off(connection: Connection, delivery: Delivery, until: float, **more: int) -> bool:
    """Put a delivery off; return False if another process has been first."""
    mine = (deliveries.c.id == delivery["id"]) & (deliveries.c.due_at == delivery["due_at"])
    return bool(connection.execute(update(deliveries).where(mine).values(due_at=until, **more)).rowcount)


def _lease(connection: Connection, delivery: Delivery, until: float) -> bool:
    """Claim a delivery for an attempt; return False if another process has been first.

    The attempt counts from now on: what changes waiting deliveries, which have none (`keep_preferences`), leaves it.
    """
    return _put_off(connection, delivery, until, attempts=delivery["attempts"] + 1)
