"""Minimal HTTP clients for benchmarks, so that the measurement is dominated by the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import msgspec

HOST = "127.0.0.1"


class Connection(asyncio.Protocol):
    """One kept-alive HTTP/1.1 connection to the API, for one request at a time.

    Args:
        is_cut: called after each request is sent; if it returns True, the connection is aborted at once.
    """

    def __init__(self, is_cut: Callable[[], bool] = lambda: False) -> None:
        self._is_cut = is_cut
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if found and self._answer is not None and len(body) >= _content_length(head):
            self._received = b""
            self._answer.set_result((int(head[9:12]), body))

    def connection_lost(self, error: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error or ConnectionResetError("the line was cut"))

    async def send(self, port: int, method: str, path: str, token: str = "", body: object = None) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the response.

        Raises:
            OSError: the server cannot be reached, or the connection was lost.
        """
        loop = asyncio.get_running_loop()
        if self._transport is None or self._transport.is_closing():  # the server closes idle connections
            await loop.create_connection(lambda: self, HOST, port)
        assert self._transport is not None
        self._answer = loop.create_future()
        self._transport.write(_request(method, path, token, b"" if body is None else msgspec.json.encode(body)))
        if self._is_cut():
            self._transport.abort()
        return await self._answer

    async def ask(self, port: int, method: str, path: str, token: str = "", body: object = None) -> tuple[int, Any]:
        """Send a request; return the status and the decoded JSON of the response."""
        status, content = await self.send(port, method, path, token, body)
        return status, msgspec.json.decode(content)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


class Listening(asyncio.Protocol):
    """A table's stream of events."""

    def __init__(self, path: str, token: str) -> None:
        self._path, self._token = path, token
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._news = asyncio.Event()
        self.told = -1
        """The last version received."""
        self.told_at = 0.0
        """Time of its receipt (`time.perf_counter`)."""
        self.is_lost = False

    async def open(self, port: int) -> None:
        """Start to listen.

        Raises:
            OSError: the server cannot be reached.
        """
        await asyncio.get_running_loop().create_connection(lambda: self, HOST, port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(_request("GET", self._path, self._token, b""))

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line[:6] == b"data: " and line[6:].isdigit():
                self.told = int(line[6:])
                self.told_at = time.perf_counter()
                self._news.set()

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - the reason does not matter
        self.is_lost = True
        self._news.set()

    def forget(self) -> None:
        """Discard the events received so far."""
        self._news.clear()

    async def news(self, seconds: float | None = None) -> None:
        """Wait for an event, the loss of the connection, or the timeout."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        self._news.clear()

    def close(self) -> None:
        """Close the stream."""
        if self._transport is not None:
            self._transport.close()


def _content_length(head: bytes) -> int:
    at = head.lower().index(b"content-length:") + 15
    return int(head[at:].split(b"\r\n", 1)[0])


def _request(method: str, path: str, token: str, body: bytes) -> bytes:
    return (
        f"{method} /api/v1{path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body
