"""Server-sent events: the versions of a table, as they come. What changed the reader asks for himself, by version.

A line that is dead looks like one on which nothing happens. So there is a heartbeat that a script can see, every few
seconds and with every news: what the reader's page has to have reached, and the server's time.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import AbstractContextManager
from typing import Protocol
from weakref import WeakSet

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from brinkmanship.web.support import time_control
from brinkmanship.web.support.rate_limit import asking
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.live_table import Listener, LiveTable
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.stream_limits import StreamLimits

RETRY_MILLISECONDS = (1000, 5000)
"""How long a program waits before it connects again, drawn anew for each: after a restart not all come at once."""

MISSED = 2.5
"""After so many heartbeats without one of its streams a side is away."""

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Heartbeat(msgspec.Struct):
    """What a page has to have reached to be right."""

    version: int
    """Of the game, for this reader."""
    said: int
    """The last line of the chat."""
    seating: str
    """See `LiveTable.seating`."""
    here: list[int]
    """The other sides that have the table open. Told to players only: a stranger need not know who is at home."""
    at: float
    """The server's time, in seconds since 1970."""


_encode = msgspec.json.Encoder().encode


def heartbeat(table: LiveTable, reader: int, seconds: float) -> bytes:
    """The heartbeat of a table for a reader, as JSON; `seconds` lie between two of them."""
    is_player = reader < len(table.seats)
    here = [side for side in table.who_is_here(MISSED * seconds) if side != reader] if is_player else []
    return _encode(Heartbeat(table.version(reader), table.said, table.seating, here, round(time_control.now(), 3)))


_open: WeakSet[NewsResponse] = WeakSet()


def close_all() -> None:
    """End all streams of this process, since it ends: their readers come back to whoever serves next."""
    for stream in list(_open):
        stream.gone = True
        stream.listener.event.set()


class Presence(Protocol):
    """Knows which users have a stream open."""

    def looking(self, person_id: str | None) -> AbstractContextManager[None]:
        """While a stream is open."""
        ...


class StreamServices(Protocol):
    """The services of the server that a stream uses."""

    @property
    def tables(self) -> TableRegistry:
        """The tables in memory."""
        ...

    @property
    def streams(self) -> StreamLimits:
        """The streams that are open."""
        ...

    @property
    def presence(self) -> Presence:
        """The users who are looking."""
        ...

    @property
    def settings(self) -> Settings:
        """How the server runs."""
        ...


class NewsResponse(Response):
    """A stream for a reader of a table: events `version`, with the version as "id" and "data", and `heartbeat`.

    Speaks ASGI itself: a stream that only waits costs two small tasks and no buffers, so thousands may wait.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        services: StreamServices,
        table: LiveTable,
        reader: int,
        person_id: str | None = None,
        status_code: int = 200,
    ) -> None:
        super().__init__(status_code=status_code, headers=HEADERS)
        del self.headers["content-length"]
        self.services = services
        self.table = table
        self.person_id = person_id
        self.listener = Listener(reader)
        self.gone = False
        self._is_due = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send versions until the reader goes, or the server."""
        _open.add(self)
        assert scope["type"] == "http"
        services = self.services
        self.gone = services.streams.is_ending
        with services.streams.one_more(asking.get(), self.person_id), services.presence.looking(self.person_id):
            await self._stream(receive, send, services.tables, services.settings.heartbeat_seconds)

    async def _stream(self, receive: Receive, send: Send, tables: TableRegistry, seconds: float) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        watch = asyncio.create_task(self._watch(receive))
        self._set_clock(seconds)
        listener = self.listener
        self.table.listeners.add(listener)
        text = f"retry: {random.randint(*RETRY_MILLISECONDS)}\n"
        try:
            while not self.gone:
                news = self.table.news(listener.reader)
                if news != listener.told:
                    listener.told = news
                    text += f"id: {news.version}\nevent: version\ndata: {news.version}\n\n"
                if self._is_due:
                    self._is_due = False
                    tables.note_look(self.table, listener.reader)
                beat = heartbeat(self.table, listener.reader, seconds)
                body = b"%bevent: heartbeat\ndata: %b\n\n" % (text.encode(), beat)
                await send({"type": "http.response.body", "body": body, "more_body": True})
                text = ""
                await listener.event.wait()
                listener.event.clear()
        finally:
            self.table.listeners.discard(listener)
            self._clock.cancel()
            watch.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _set_clock(self, seconds: float) -> None:
        self._clock = asyncio.get_running_loop().call_later(seconds, self._ring, seconds)

    def _ring(self, seconds: float) -> None:
        self._is_due = True
        self.listener.event.set()
        self._set_clock(seconds)

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self.listener.event.set()
