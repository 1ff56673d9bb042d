"""Pub/sub between processes that share a PostgreSQL database, on any number of machines, over LISTEN and NOTIFY.

A thread with its own connection sends and receives. Notifications are sent after the commit, never within it: a commit
that notifies takes a lock on the whole cluster. Notifications within a few milliseconds are batched.

Delivery is best-effort: notifications sent while the connection is down are lost. A dead connection looks like an idle
one, so each process sends a heartbeat every few seconds and reconnects when it no longer receives its own. After each
connect everything in memory is compared with the database (`Notification.missed`).
"""

from __future__ import annotations

import asyncio
import logging
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine

from brinkmanship.web.cluster.pubsub import Notification, PubSub, decode, encode

log = logging.getLogger("brinkmanship.web")

NAME = "brink"
"""PostgreSQL channel between server processes; each database has its own."""
JOBS = "brink_jobs"
"""PostgreSQL channel that announces new jobs to workers; it carries nothing about tables."""

TOGETHER_SECONDS = 0.005
"""Batching window (s) after a send."""
HEARTBEAT_INTERVAL = 2.0
"""Heartbeat interval (s) of a process."""
DEAF_SECONDS = 6.0
"""Timeout (s) without receiving its own heartbeat, after which a process reconnects."""
AGAIN_SECONDS = 0.5
"""Wait (s) before the next attempt to connect."""
MAX_WAITING = 10_000
"""Maximum notifications queued without a connection; beyond it the oldest are dropped."""
MAX_BYTES = 7_500
"""Maximum size of one NOTIFY payload; PostgreSQL's limit is 8000 bytes."""

_NOTIFY = "SELECT pg_notify(%s, each) FROM unnest(%s::text[]) AS each"


def send(engine: Engine, channel: str, name: str, *notices: Notification) -> None:
    """Send notifications on a channel without listening to it; `name` is the sender's. Blocks on the database."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(_NOTIFY, (channel, _packed(name, notices)))


class PostgresPubSub(PubSub):
    """PostgreSQL pub/sub of one process.

    Args:
        engine: Engine of a PostgreSQL database.
        name: Unique name of the process.
        channel: Channel to listen on and send to.
    """

    is_alone = False
    is_sure = False

    def __init__(self, engine: Engine, name: str, channel: str = NAME) -> None:
        self.name = name
        self._channel = channel
        self._engine = engine
        self._to_tell: deque[Notification] = deque(maxlen=MAX_WAITING)
        self._heard: deque[Notification] = deque()
        self._woken, self._wake = socket.socketpair()
        for each in (self._woken, self._wake):
            each.setblocking(False)
        self._is_closing = False
        self.cuts = 0
        """Number of lost connections."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ring: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)

    def has_come_up(self) -> bool:
        """Return False: another machine may be serving."""
        return False

    def listen(self, ring: Callable[[], None]) -> None:
        """Start the connection's thread; see `PubSub.listen`."""
        self._ring = ring
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def publish(self, notice: Notification) -> None:
        """Queue a notification for all other processes; returns at once. May be called from any thread."""
        self._to_tell.append(notice)
        with suppress(OSError):  # full: a wake-up is pending already; or closed
            self._wake.send(b".")

    def drain(self) -> Iterator[Notification]:
        """Yield all received notifications, without waiting."""
        while self._heard:
            yield self._heard.popleft()

    def close(self) -> None:
        """Send the queued notifications and close the connection."""
        self._is_closing = True
        with suppress(OSError):
            self._wake.send(b".")
        if self._thread.is_alive():
            self._thread.join()
        self._wake.close()
        self._woken.close()

    def _run(self) -> None:
        while not self._is_closing:
            try:
                self._converse()
            except Exception as error:  # of any kind: without a connection no notification arrives
                self.cuts += 1
                log.warning("the pub/sub connection was lost", exc_info=error)
                self._sleep(AGAIN_SECONDS)

    def _converse(self) -> None:
        pooled = self._engine.raw_connection()
        line: Any = pooled.driver_connection
        pooled.detach()  # this thread owns the connection; it must not return to the pool
        try:
            line.autocommit = True
            line.execute(f"LISTEN {self._channel}")
            self._take([Notification(missed=True)])
            told_at, heard_at = 0.0, time.monotonic()
            while not self._is_closing:
                if self._hear(line):
                    heard_at = time.monotonic()
                if time.monotonic() - heard_at > DEAF_SECONDS:
                    raise ConnectionError("no heartbeat received")
                wait = told_at + (TOGETHER_SECONDS if self._to_tell else HEARTBEAT_INTERVAL) - time.monotonic()
                if wait <= 0:
                    self._send(line)
                    told_at = time.monotonic()
                else:
                    self._sleep(wait, line)
            self._send(line)
        finally:
            line.close()

    def _sleep(self, seconds: float, line: Any = None) -> None:
        """Wait until the connection has data or there is a new notification to send, at most `seconds`."""
        sources = [line] if line is not None else []
        if not self._to_tell:  # otherwise a batch is waiting already, and new notifications join it
            sources.append(self._woken)
        readable, _, _ = select.select(sources, [], [], seconds)
        if self._woken in readable:
            self._woken.recv(65536)

    def _hear(self, line: Any) -> bool:
        """Receive pending notifications; return True if any arrived, including our own heartbeat."""
        parts = [notification.payload.split("\n") for notification in line.notifies(timeout=0)]
        self._take([decode(text) for sender, *texts in parts if sender != self.name for text in texts])
        return bool(parts)

    def _take(self, notices: list[Notification]) -> None:
        if notices:
            self._heard.extend(notices)
            assert self._loop is not None
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._ring)

    def _send(self, line: Any) -> None:
        """Send the queued notifications, or a heartbeat if there are none."""
        notices = [self._to_tell.popleft() for _ in range(len(self._to_tell))]
        try:
            line.execute(_NOTIFY, (self._channel, _packed(self.name, notices)))
        except BaseException:
            self._to_tell.extendleft(reversed(notices))
            raise


def _packed(name: str, notices: Iterable[Notification]) -> list[str]:
    """Return NOTIFY payloads: each has the process's name and, line by line, as many notifications as fit."""
    packed = [name]
    for notice in notices:
        text = "\n" + encode(notice).decode()
        if len((packed[-1] + text).encode()) > MAX_BYTES:
            packed.append(name)
        packed[-1] += text
    return packed
