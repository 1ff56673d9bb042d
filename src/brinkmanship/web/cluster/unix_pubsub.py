"""Pub/sub between workers on one machine that share an SQLite file, over Unix sockets.

A worker notifies the others of what it has stored before it acknowledges it. A worker that reads its sockets (`drain`)
before it responds therefore knows everything that any client has been shown.

A connection is closed when a notification cannot be sent over it, and when its worker ends, wherever that was stopped.
Its end therefore says that notifications may have been lost (`Notification.missed`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from brinkmanship.web.cluster.pubsub import Notification, PubSub, decode, encode
from brinkmanship.web.support.settings import JUST_STARTED

log = logging.getLogger("brinkmanship.web")

TIMEOUT = 0.1
"""Timeout (s) on a full socket; the connection to a worker that does not read in time is dropped."""
AGAIN_SECONDS = 1.0
"""Time (s) after which a worker that could not be connected to is told that it has missed notifications."""


class UnixPubSub(PubSub):
    """Unix-socket pub/sub of one worker, in a folder that only the server's user can enter.

    If `name` is "", the socket is named after the process id.
    """

    is_alone = False

    def __init__(self, folder: Path, name: str = "") -> None:
        self.name = name or str(os.getpid())
        self._folder: Path | None = folder
        self._sending = threading.Lock()
        self._outgoing: dict[str, socket.socket] = {}
        self._incoming: dict[socket.socket, bytes] = {}
        self._door: socket.socket | None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ring: Callable[[], None] = lambda: None
        self._tells_missed = False
        """True while `_tell_missed` is scheduled."""
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._door.setblocking(False)
        self._door.bind(str(folder / f".{self.name}"))
        self._door.listen(64)
        (folder / f".{self.name}").rename(folder / self.name)  # only now, listening, it becomes visible to the others

    def listen(self, ring: Callable[[], None]) -> None:
        """Watch the sockets in the current event loop; see `PubSub.listen`."""
        if self._door is not None:
            self._ring = ring
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self._door, ring)

    @property
    def workers(self) -> list[str]:
        """Names of all workers, including this one."""
        return [] if self._folder is None else [name for name in os.listdir(self._folder) if name[0] != "."]

    def has_come_up(self) -> bool:
        """Return True if the server has just been started; only the first worker to call this gets True."""
        assert self._folder is not None
        try:
            (self._folder / JUST_STARTED).unlink()
        except FileNotFoundError:
            return False
        return True

    def publish(self, notice: Notification) -> None:
        """Notify all other workers; the data is in their sockets on return. May be called from any thread."""
        if self._folder is None:
            return
        line = encode(notice) + b"\n"
        with self._sending:
            for worker in self.workers:
                if worker != self.name:
                    self._send(worker, line)

    def _send(self, worker: str, line: bytes) -> None:
        assert self._folder is not None
        try:
            if worker not in self._outgoing:
                self._outgoing[worker] = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self._outgoing[worker].setblocking(False)  # a hung worker accepts no connection
                self._outgoing[worker].connect(str(self._folder / worker))
            _send_all(self._outgoing[worker], line)
        except (ConnectionError, FileNotFoundError):
            self._drop(worker)
            with suppress(FileNotFoundError):
                (self._folder / worker).unlink()  # the worker has died
        except TimeoutError:
            log.warning("a worker does not read its notifications", extra={"worker": worker})
            self._drop(worker)
        except OSError as error:  # such as too many open files; the event itself is stored anyway
            log.error("a worker cannot be notified", exc_info=error, extra={"worker": worker})
            self._drop(worker)
            self._tell_missed_later()  # without a connection the worker sees none end

    def _tell_missed_later(self) -> None:
        if self._loop is not None and not self._tells_missed:
            self._tells_missed = True
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._loop.call_later, AGAIN_SECONDS, self._tell_missed)

    def _tell_missed(self) -> None:
        self._tells_missed = False
        self.publish(Notification(missed=True))

    def _drop(self, worker: str) -> None:
        if worker in self._outgoing:
            self._outgoing.pop(worker).close()

    def drain(self) -> Iterator[Notification]:
        """Yield all received notifications, without waiting."""
        if self._door is None:
            return
        with suppress(BlockingIOError):
            while True:
                new, _ = self._door.accept()
                new.setblocking(False)
                self._incoming[new] = b""
                if self._loop is not None:
                    self._loop.add_reader(new, self._ring)
        for other in list(self._incoming):
            yield from self._read(other)

    def _read(self, other: socket.socket) -> Iterator[Notification]:
        text = self._incoming[other]
        gone = False
        with suppress(BlockingIOError):
            while not gone:
                chunk = _receive(other)
                text += chunk
                gone = not chunk
        *lines, self._incoming[other] = text.split(b"\n")
        if gone:
            if self._loop is not None:
                self._loop.remove_reader(other)
            del self._incoming[other]  # with the beginning of a notification that was cut off
            other.close()
        yield from map(decode, lines)
        if gone:
            yield Notification(missed=True)

    def close(self) -> None:
        """Remove and close all sockets."""
        if self._door is None or self._folder is None:
            return
        with suppress(FileNotFoundError):
            (self._folder / self.name).unlink()
        for each in (self._door, *self._incoming):
            if self._loop is not None:
                self._loop.remove_reader(each)
            each.close()
        for each in self._outgoing.values():
            each.close()
        self._door, self._folder = None, None


def _receive(other: socket.socket) -> bytes:
    try:
        return other.recv(65536)
    except ConnectionError:
        return b""


def _send_all(to: socket.socket, line: bytes) -> None:
    while line:
        try:
            line = line[to.send(line) :]
        except BlockingIOError:
            if not select.select([], [to], [], TIMEOUT)[1]:
                raise TimeoutError from None
