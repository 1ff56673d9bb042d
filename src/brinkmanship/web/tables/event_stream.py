"""Server-sent events: new versions of a table. The page then requests the changes since its version.

A dead connection looks like an idle one. Therefore a heartbeat visible to scripts is sent every few seconds and with
every update: it has the state that the page should have reached, and the server's time.
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
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.presence import Listener
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.stream_limits import StreamLimits

RETRY_MILLISECONDS = (1000, 5000)
"""Range of the reconnect delay; each stream draws its own, so that clients do not all return at once."""

MISSED = 2.5
"""Number of heartbeats without an open stream after which a side counts as away."""

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Heartbeat(msgspec.Struct):
    """State that an up-to-date page has reached."""

    version: int
    """Version of the game for this viewer."""
    said: int
    """Number of the last chat line."""
    seating: str
    """See `LiveTable.seating`."""
    here: list[int]
    """The other sides that have the table open. Sent to players only: spectators need not know who is online."""
    at: float
    """Server time in seconds since 1970."""


_encode = msgspec.json.Encoder().encode


def heartbeat(table: LiveTable, viewer: int, seconds: float) -> bytes:
    """Return the heartbeat of a table for a viewer, as JSON; `seconds` is the heartbeat interval."""
    is_player = viewer < len(table.seats)
    here = [side for side in table.presence.who_is_here(MISSED * seconds) if side != viewer] if is_player else []
    return _encode(Heartbeat(table.version(viewer), table.said, table.seating, here, round(time_control.now(), 3)))


class OpenStream(Protocol):
    """A stream of this process."""

    def end(self) -> None:
        """End the stream; its client reconnects."""
        ...


_open: WeakSet[OpenStream] = WeakSet()


def ends_at_shutdown(stream: OpenStream) -> None:
    """Register a stream to be ended by `close_all`."""
    _open.add(stream)


def close_all() -> None:
    """End all streams of this process at shutdown; their clients reconnect to the next process."""
    for stream in list(_open):
        stream.end()


class Presence(Protocol):
    """Registry of users with an open stream."""

    def looking(self, person_id: str | None) -> AbstractContextManager[None]:
        """Count the user as present while the context is open."""
        ...


class StreamServices(Protocol):
    """Services of the server that every stream uses."""

    @property
    def streams(self) -> StreamLimits:
        """Limits on open streams."""
        ...

    @property
    def presence(self) -> Presence:
        """Registry of users with an open stream."""
        ...

    @property
    def settings(self) -> Settings:
        """Settings of the server."""
        ...


class TableStreamServices(StreamServices, Protocol):
    """Services of the server that the stream of a table uses."""

    @property
    def tables(self) -> TableRegistry:
        """Registry of the tables in memory."""
        ...


class NewsResponse(Response):
    """Event stream of a table for a viewer: events `version` (version as "id" and "data") and `heartbeat`.

    Implements ASGI directly: an idle stream costs two small tasks and no buffers, so thousands can be open.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        services: TableStreamServices,
        table: LiveTable,
        viewer: int,
        person_id: str | None = None,
        status_code: int = 200,
    ) -> None:
        super().__init__(status_code=status_code, headers=HEADERS)
        del self.headers["content-length"]
        self.services = services
        self.table = table
        self.person_id = person_id
        self.listener = Listener(viewer)
        self.gone = False
        self._is_due = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the client disconnects or the server shuts down."""
        ends_at_shutdown(self)
        assert scope["type"] == "http"
        services = self.services
        self.gone = services.streams.is_ending
        with services.streams.one_more(), services.presence.looking(self.person_id):
            await self._stream(receive, send, services.tables, services.settings.heartbeat_seconds)

    async def _stream(self, receive: Receive, send: Send, tables: TableRegistry, seconds: float) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        watch = asyncio.create_task(self._watch(receive))
        self._set_clock(seconds)
        listener = self.listener
        self.table.presence.listeners.add(listener)
        text = f"retry: {random.randint(*RETRY_MILLISECONDS)}\n"
        try:
            # A stream of a waiting table of a duplicate round ends for others once the cards are dealt.
            while not self.gone and self.table.is_open_to(self.person_id):
                news = self.table.news(listener.viewer)
                if news != listener.last_news:
                    listener.last_news = news
                    text += f"id: {news.version}\nevent: version\ndata: {news.version}\n\n"
                if self._is_due:
                    self._is_due = False
                    tables.note_look(self.table, listener.viewer)
                beat = heartbeat(self.table, listener.viewer, seconds)
                body = b"%bevent: heartbeat\ndata: %b\n\n" % (text.encode(), beat)
                await send({"type": "http.response.body", "body": body, "more_body": True})
                text = ""
                await listener.event.wait()
                listener.event.clear()
        finally:
            self.table.presence.listeners.discard(listener)
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
        self.end()

    def end(self) -> None:
        """End the stream."""
        self.gone = True
        self.listener.event.set()
