"""The background task that finds whose turn it has become, and tells those who are away.

Nothing in the path of a request takes part. Every few seconds the notifier asks the database for tables that wait for
somebody who wants to be told. A turn is known by the last thing another side did; for each turn and person one notice
is claimed, in one transaction with its deliveries, so several processes tell it once. A delivery that fails is tried
again after a while, and dropped when the turn has passed meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.schema import contacts, deliveries, notices, records, seats, tables
from brinkmanship.web.errors import NotFoundError
from brinkmanship.web.pages.render import page_words, title_of
from brinkmanship.web.service import TableService
from brinkmanship.web.settings import Settings
from brinkmanship.web.table import RUNNING, LiveTable
from brinkmanship.web.turns import mail, webhook
from brinkmanship.web.turns.contacts import EMAIL, Contact, contact_of
from brinkmanship.web.turns.presence import Presence
from brinkmanship.web.turns.turn import opponents_of, sentence_of, turn_of

log = logging.getLogger("brinkmanship.web.turns")

TICK_SECONDS = 5
WAIT_AFTER_FAILURE = (30, 300, 1800)
"""Seconds before each further attempt; after the last the notice is dropped."""
LEASE_SECONDS = 120
"""For so long a delivery under way belongs to the process that began it."""
AT_ONCE = 4
"""Deliveries under way in one process, in threads of their own: a slow receiver keeps no request waiting."""


@dataclass
class _Waiting:
    """A table that goes on, and somebody at it who wants to be told."""

    table_id: str
    side: int
    person_id: str
    number: int
    """How many records there are."""
    at: float | None
    """When the last one was; None before the first."""
    present_at: float
    told: int | None
    """The last turn of which the person has been told."""


class Notifier:
    """See the module. `run` runs as long as the server does; `close` stops its threads."""

    def __init__(self, engine: Engine, service: TableService, presence: Presence, settings: Settings) -> None:
        self._engine = engine
        self._service = service
        self._presence = presence
        self._settings = settings
        self._threads = ThreadPoolExecutor(AT_ONCE, "turns")
        self._settled: dict[tuple[str, str], int] = {}
        self._first_seen: dict[tuple[str, str], float] = {}

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self.tick()
            except Exception:  # the next tick may do better; without notices the games go on all the same
                log.exception("turn notices: a look failed")

    def close(self) -> None:
        """Let what is under way end."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def tick(self) -> None:
        """Look once, and deliver what is due."""
        loop = asyncio.get_running_loop()
        looking = await loop.run_in_executor(self._threads, self._people)
        await loop.run_in_executor(self._threads, self._look, self._presence.among(looking))
        due = await loop.run_in_executor(self._threads, self._take_due)
        await asyncio.gather(*(loop.run_in_executor(self._threads, self._deliver, each) for each in due))

    # Who has to be told.

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
            key = (each.table_id, each.person_id)
            since = each.at or self._first_seen.setdefault(key, now)
            was_here = each.present_at >= since
            if was_here or since > now - self._settings.notice_after_seconds or self._settled.get(key) == each.number:
                continue
            self._settled[key] = each.number
            turn = turn_of(self._service.read(each.table_id), each.side)
            if turn is not None and (each.told is None or each.told < turn):
                self._claim(each, turn)
        known = {(each.table_id, each.person_id) for each in waiting}
        for notes in (self._settled, self._first_seen):
            for key in notes.keys() - known:
                del notes[key]

    def _waiting(self) -> list[_Waiting]:
        here = records.c.table_id == tables.c.id
        number = select(func.max(records.c.number)).where(here).scalar_subquery()
        at = select(records.c.at).where(here).order_by(records.c.number.desc()).limit(1).scalar_subquery()
        present = (
            select(contacts.c.person_id, func.max(contacts.c.present_at).label("present_at"))
            .where(contacts.c.confirmed_at.is_not(None))
            .group_by(contacts.c.person_id)
            .subquery()
        )
        mine = and_(notices.c.table_id == seats.c.table_id, notices.c.person_id == seats.c.person_id)
        wanted = (
            select(seats.c.table_id, seats.c.side, seats.c.person_id, number, at, present.c.present_at, notices.c.turn)
            .select_from(present)
            .join(seats, seats.c.person_id == present.c.person_id)
            .join(tables, tables.c.id == seats.c.table_id)
            .outerjoin(notices, mine)
            .where(tables.c.status == RUNNING)
        )
        with self._engine.connect() as connection:
            return [
                _Waiting(row[0], row[1], row[2], row[3] or 0, row[4], row[5], row[6])
                for row in connection.execute(wanted)
            ]

    def _claim(self, who: _Waiting, turn: int) -> None:
        """Note that this turn is told, with the deliveries; of several processes one succeeds."""
        mine = (notices.c.table_id == who.table_id) & (notices.c.person_id == who.person_id)
        reachable = select(contacts.c.kind).where(
            contacts.c.person_id == who.person_id, contacts.c.confirmed_at.is_not(None)
        )
        try:
            with self._engine.begin() as connection:
                if who.told is None:
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
            return  # another process was quicker

    # Telling them.

    def _take_due(self) -> list[dict[str, Any]]:
        now = time.time()
        taken = []
        with self._engine.begin() as connection:
            due = select(deliveries).where(deliveries.c.due_at <= now).order_by(deliveries.c.due_at).limit(100)
            for row in connection.execute(due).mappings().all():
                mine = (deliveries.c.id == row["id"]) & (deliveries.c.due_at == row["due_at"])
                if connection.execute(update(deliveries).where(mine).values(due_at=now + LEASE_SECONDS)).rowcount:
                    taken.append(dict(row))
        return taken

    def _deliver(self, delivery: dict[str, Any]) -> None:
        with self._engine.connect() as connection:
            contact = contact_of(connection, delivery["person_id"], delivery["kind"])
        failure = ""
        if contact is not None:
            try:
                self._send(contact, delivery)
            except OSError as error:
                # Only its kind: what servers say may contain addresses.
                failure = type(error).__name__
        self._note(delivery, failure)

    def _send(self, contact: Contact, delivery: dict[str, Any]) -> None:
        words = page_words(contact.language)
        if delivery["table_id"] is None:
            if self._settings.smtp_host:
                mail.send(mail.confirmation(contact, words), self._settings)
            return
        try:
            table = self._service.read(delivery["table_id"])
        except NotFoundError:
            return
        side = next(iter(table.seat_of(contact.person_id)), None)
        if not contact.is_confirmed or side is None or turn_of(table, side) != delivery["turn"]:
            return
        told = _Told(contact, table, side)
        if contact.kind != EMAIL:
            body = json.dumps(told.as_json(), ensure_ascii=False).encode()
            webhook.post(contact.address, body, contact.secret, self._settings.webhooks_to_private)
        elif self._settings.smtp_host:
            mail.send(mail.notice(contact, words, told.title, told.sentence, told.address), self._settings)

    def _note(self, delivery: dict[str, Any], failure: str) -> None:
        mine = deliveries.c.id == delivery["id"]
        attempts = delivery["attempts"] + 1
        about = {"kind": delivery["kind"], "person": delivery["person_id"], "table": delivery["table_id"]}
        with self._engine.begin() as connection:
            if failure and attempts <= len(WAIT_AFTER_FAILURE):
                wait = WAIT_AFTER_FAILURE[attempts - 1]
                connection.execute(update(deliveries).where(mine).values(attempts=attempts, due_at=time.time() + wait))
                log.warning("a turn notice failed", extra={**about, "error": failure, "again_in": wait})
            else:
                connection.execute(delete(deliveries).where(mine))
                log.info("a turn notice was given up" if failure else "a turn notice is done", extra=about)


class _Told:
    """What a notice says."""

    def __init__(self, contact: Contact, table: LiveTable, side: int) -> None:
        self.table = table
        self.side = table.game.sides[side]
        self.title = title_of(table.game, page_words(contact.language))
        self.opponents = opponents_of(table, side, contact.language)
        self.address = f"{contact.site}/t/{table.id}"
        self.sentence = sentence_of(table, side, contact.language)

    def as_json(self) -> dict[str, str]:
        """The body of a webhook; `text` is for people, in the language of the person."""
        return {
            "event": "turn",
            "table": self.table.id,
            "game": self.table.game.id,
            "side": self.side,
            "opponent": self.opponents,
            "url": self.address,
            "text": self.sentence,
        }
