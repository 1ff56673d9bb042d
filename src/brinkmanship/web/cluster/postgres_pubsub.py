"""The channel between processes that share PostgreSQL, on any number of machines: its LISTEN and NOTIFY.

One connection of its own carries what is told and what is heard, in a thread. Things are told after the commit, never
within: a commit that notifies takes a lock on the whole cluster. What comes in within a few milliseconds goes together.

The bus is a hint. Where the line is cut, what is told meanwhile is not heard, and a line that is dead looks like one on
which nothing happens; so a process says on the bus every few seconds that it lives, and where it does not hear itself
it begins a new line. After each beginning everything in memory is compared with the database (`Notification.missed`).
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
"""Of the PostgreSQL channel between those who serve. Each database has its own."""
JOBS = "brink_jobs"
"""Of the one on which workers hear that there is something to do. They hear nothing of tables."""

TOGETHER_SECONDS = 0.005
"""After something was told, so long more is gathered."""
HEARTBEAT_INTERVAL = 2.0
"""How often a process says on the bus that it lives."""
DEAF_SECONDS = 6.0
"""After so long without hearing itself it begins a new line."""
AGAIN_SECONDS = 0.5
"""How long it waits before it tries another line."""
MAX_WAITING = 10_000
"""Notices that are kept while there is no line; of more the oldest go."""
MAX_BYTES = 7_500
"""Of one notification: PostgreSQL takes less than 8000."""

_NOTIFY = "SELECT pg_notify(%s, each) FROM unnest(%s::text[]) AS each"


def send(engine: Engine, channel: str, name: str, *notices: Notification) -> None:
    """Tell something on a channel that one does not listen on; `name` is the process's own. Waits for the database."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(_NOTIFY, (channel, _packed(name, notices)))


class PostgresPubSub(PubSub):
    """One process's line to the others.

    Args:
        name: of the process, which no other has.
        channel: that it hears and tells on.
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
        """How often the line was cut."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ring: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)

    def has_come_up(self) -> bool:
        """Not known: another machine may serve."""
        return False

    def listen(self, ring: Callable[[], None]) -> None:
        """Begin the line; see `PubSub`."""
        self._ring = ring
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def tell(self, notice: Notification) -> None:
        """Tell all other processes as soon as there is a line; returns at once. May be called from any thread."""
        self._to_tell.append(notice)
        with suppress(OSError):  # full: it will wake up; or closed
            self._wake.send(b".")

    def heard(self) -> Iterator[Notification]:
        """All that has arrived, without waiting."""
        while self._heard:
            yield self._heard.popleft()

    def close(self) -> None:
        """Tell what is still to be told, and end the line."""
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
            except Exception as error:  # of any kind: without a line nobody is told of anything
                self.cuts += 1
                log.warning("the line to the other processes is cut", exc_info=error)
                self._sleep(AGAIN_SECONDS)

    def _converse(self) -> None:
        pooled = self._engine.raw_connection()
        line: Any = pooled.driver_connection
        pooled.detach()  # it is ours alone, and goes back to no pool
        try:
            line.autocommit = True
            line.execute(f"LISTEN {self._channel}")
            self._take([Notification(missed=True)])
            told_at, heard_at = 0.0, time.monotonic()
            while not self._is_closing:
                if self._hear(line):
                    heard_at = time.monotonic()
                if time.monotonic() - heard_at > DEAF_SECONDS:
                    raise ConnectionError("nothing is heard on it any more")
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
        """Until something comes on the line, or there is something new to tell; but not longer."""
        sources = [line] if line is not None else []
        if not self._to_tell:  # else what is added meanwhile goes with it
            sources.append(self._woken)
        readable, _, _ = select.select(sources, [], [], seconds)
        if self._woken in readable:
            self._woken.recv(65536)

    def _hear(self, line: Any) -> bool:
        """Take in what has come; whether anything has, if only from ourselves."""
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
        """Tell what is to be told; if it is nothing, that we live."""
        notices = [self._to_tell.popleft() for _ in range(len(self._to_tell))]
        try:
            line.execute(_NOTIFY, (self._channel, _packed(self.name, notices)))
        except BaseException:
            self._to_tell.extendleft(reversed(notices))
            raise


def _packed(name: str, notices: Iterable[Notification]) -> list[str]:
    """Notifications of a process: its name, and as many notices as go with it, each on a line."""
    packed = [name]
    for notice in notices:
        text = "\n" + encode(notice).decode()
        if len((packed[-1] + text).encode()) > MAX_BYTES:
            packed.append(name)
        packed[-1] += text
    return packed
