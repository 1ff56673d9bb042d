"""Server-sent events for the page of a live seek: `found` with the address of the table, or `closed`.

The open stream is the user's presence: without one the seek is withdrawn after a minute.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from brinkmanship.store.seeks import OPEN
from brinkmanship.web.seeks.seek_service import SeekService
from brinkmanship.web.tables.event_stream import HEADERS, RETRY_MILLISECONDS, StreamServices, ends_at_shutdown


class SeekStreamServices(StreamServices, Protocol):
    """Services of the server that the stream of a seek uses."""

    @property
    def seeks(self) -> SeekService:
        """Seeks."""
        ...


class SeekStream(Response):
    """Event stream of a seek for its user; implements ASGI directly, as `NewsResponse` does."""

    media_type = "text/event-stream"

    def __init__(self, services: SeekStreamServices, seek_id: str, person_id: str) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._services = services
        self._seek_id = seek_id
        self._person_id = person_id
        self._is_ending = services.streams.is_ending
        self._changed = asyncio.Event()

    def end(self) -> None:
        """End the stream."""
        self._is_ending = True
        self._changed.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the event once the seek is no longer open, until then comments that keep the connection alive."""
        assert scope["type"] == "http"
        ends_at_shutdown(self)
        services = self._services
        with (
            services.streams.one_more(),
            services.presence.looking(self._person_id),
            services.seeks.waiting(self._seek_id) as page,
        ):
            self._changed = page.changed
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            watch = asyncio.create_task(self._watch(receive))
            text = f"retry: {random.randint(*RETRY_MILLISECONDS)}\n\n"
            try:
                while not self._is_ending and page.state == OPEN:
                    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
                    text = ": waiting\n\n"
                    with suppress(TimeoutError):
                        async with asyncio.timeout(services.settings.heartbeat_seconds):
                            await page.changed.wait()
            finally:
                watch.cancel()
            event = b""
            if page.state != OPEN:
                found = f"event: found\ndata: /t/{page.table_id}\n\n" if page.table_id else "event: closed\ndata:\n\n"
                event = found.encode()
            await send({"type": "http.response.body", "body": event, "more_body": False})

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()
