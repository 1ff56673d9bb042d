"""Server-sent events: the versions of a table, as they come. What changed the reader asks for himself, by version."""

from __future__ import annotations

import asyncio

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from brinkmanship.web.table import Listener, LiveTable

HEARTBEAT_SECONDS = 25
"""A comment is sent so often, so that proxies keep the connection."""

RETRY_MILLISECONDS = 1000
"""How long a browser waits before it connects again."""

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class NewsResponse(Response):
    """A stream of a table's versions for a reader: "id" and "data" are the version.

    Speaks ASGI itself: a stream that only waits costs two small tasks and no buffers, so thousands may wait.
    """

    media_type = "text/event-stream"

    def __init__(self, table: LiveTable, reader: int, person_id: str | None = None, status_code: int = 200) -> None:
        super().__init__(status_code=status_code, headers=HEADERS)
        del self.headers["content-length"]
        self.table = table
        self.person_id = person_id
        self.listener = Listener(reader)
        self.gone = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send versions until the reader goes."""
        assert scope["type"] == "http"
        with scope["app"].state.presence.looking(self.person_id):
            await self._stream(receive, send)

    async def _stream(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        watch = asyncio.create_task(self._watch(receive))
        listener = self.listener
        self.table.listeners.add(listener)
        text = f"retry: {RETRY_MILLISECONDS}\n"
        try:
            while not self.gone:
                version = self.table.version(listener.reader)
                if version != listener.told or listener.nudged:
                    listener.told, listener.nudged = version, False
                    text += f"id: {version}\nevent: version\ndata: {version}\n\n"
                await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
                text = ""
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await listener.event.wait()
                except TimeoutError:
                    text = ": still here\n\n"
                listener.event.clear()
        finally:
            self.table.listeners.discard(listener)
            watch.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self.listener.event.set()
