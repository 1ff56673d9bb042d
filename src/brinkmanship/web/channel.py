"""What the worker processes of one server tell one another.

Every worker may serve every table: each keeps the tables it uses in memory, and tells the others of every record it
has made safe, before it is acknowledged. Whoever reads out its sockets (`Channel.heard`) before it answers therefore
knows of all that anybody has been told. A notice that could not be delivered does no harm beyond a late picture: the
database refuses a record whose number is taken, and then the worker reads the table anew.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from brinkmanship.web.table import Record

log = logging.getLogger("brinkmanship.web")

PATIENCE_SECONDS = 0.1
"""How long a full socket is waited for; a worker that does not read for so long is told nothing more."""

ALONE = "alone"


class Notice(msgspec.Struct, omit_defaults=True):
    """Something another worker should know."""

    table: str = ""
    record: Record | None = None
    number: int = 0
    """The record's number, from 1."""
    anew: bool = False
    """The table's seats or its rematch have changed: read it anew."""
    said: bool = False
    """Something was said at the table."""
    due: bool = False
    """The computer is asked or a clock runs there: its home worker must have the table."""
    person: str = ""
    """This person's name, language or sessions have changed."""


_decode = msgspec.json.Decoder(Notice).decode
_encode = msgspec.json.Encoder().encode


class Channel:
    """A worker's sockets to the others: Unix sockets in a folder that only the server's user can enter.

    `folder` None: the only worker, who has nobody to talk to. `name` "": named after the process.
    """

    def __init__(self, folder: Path | None, name: str = "") -> None:
        self.name = ALONE if folder is None else name or str(os.getpid())
        self._folder = folder
        self._sending = threading.Lock()
        self._outgoing: dict[str, socket.socket] = {}
        self._incoming: dict[socket.socket, bytes] = {}
        self._door: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ring: Callable[[], None] = lambda: None
        if folder is not None:
            self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._door.setblocking(False)
            self._door.bind(str(folder / f".{self.name}"))
            self._door.listen(64)
            (folder / f".{self.name}").rename(folder / self.name)  # from here on the others see it

    def listen(self, ring: Callable[[], None]) -> None:
        """From now on call `ring` in this event loop whenever there is something to hear."""
        if self._door is not None:
            self._ring = ring
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self._door, ring)

    @property
    def workers(self) -> list[str]:
        """The names of all workers, this one included."""
        return [self.name] if self._folder is None else [n for n in os.listdir(self._folder) if n[0] != "."]

    def is_home(self, table_id: str) -> bool:
        """Whether this worker plays a table's computers and watches its clocks: every table has one that does."""
        return self._folder is None or self.name == max(
            self.workers, key=lambda worker: hashlib.sha256(f"{worker} {table_id}".encode()).digest()
        )

    def tell(self, notice: Notice) -> None:
        """Tell all other workers; it is in their sockets when this returns. May be called from any thread."""
        if self._folder is None:
            return
        line = _encode(notice) + b"\n"
        with self._sending:
            for worker in self.workers:
                if worker != self.name:
                    self._send(worker, line)

    def _send(self, worker: str, line: bytes) -> None:
        assert self._folder is not None
        try:
            if worker not in self._outgoing:
                self._outgoing[worker] = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self._outgoing[worker].connect(str(self._folder / worker))
                self._outgoing[worker].setblocking(False)
            _send_all(self._outgoing[worker], line)
        except (ConnectionError, FileNotFoundError):
            self._drop(worker)
            with suppress(FileNotFoundError):
                (self._folder / worker).unlink()  # it has died
        except TimeoutError:
            log.warning("a worker does not read its news", extra={"worker": worker})
            self._drop(worker)

    def _drop(self, worker: str) -> None:
        self._outgoing.pop(worker).close()

    def heard(self) -> Iterator[Notice]:
        """All that has arrived, without waiting."""
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

    def _read(self, other: socket.socket) -> Iterator[Notice]:
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
            del self._incoming[other]
            other.close()
        yield from map(_decode, lines)

    def close(self) -> None:
        """Say good-bye: the others take over this worker's tables."""
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
            if not select.select([], [to], [], PATIENCE_SECONDS)[1]:
                raise TimeoutError from None
