"""Connection limits: connections per address, and timeouts for slow requests and slow readers of responses."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from brinkmanship.web.support.rate_limit import address_prefix

HEAD_SECONDS = 15.0
"""Timeout (s) for a request's head, after the start of the connection or of the request."""
BODY_SECONDS = 60.0
"""Timeout (s) for a request's body, after its head."""
TAKING_SECONDS = 60.0
"""Timeout (s) for clients that stop reading the response."""
MAX_HEAD_BYTES = 65_536
LAST_CALL_SECONDS, LAST_CALLS = 0.1, 10
"""Interval (s) and number of checks of an idle connection at shutdown: requests on their way are still served.

It counts checks, not seconds, because a machine under load may be late.
"""
FILES_FOR_OTHERS = 128
"""File descriptors reserved for the database, workers, logs and code."""


class ConnectionLimits:
    """Counter of connections, in total and by address.

    Args:
        most: Maximum connections in total.
        most_of_address: Maximum connections of one address.
        proxies: Trusted proxies, which carry many clients: not limited by address.
    """

    def __init__(self, most: int, most_of_address: int, proxies: frozenset[str] = frozenset()) -> None:
        self._most = most
        self._most_of_address = most_of_address
        self._proxies = proxies
        self._open: Counter[str] = Counter()
        self._all = 0
        self.is_ending = False
        """True at shutdown: each connection is then closed after at most one more response."""

    def admit(self, host: str) -> bool:
        """Count one more connection and return True, or return False if a limit is reached."""
        name = address_prefix(host)
        is_too_many = name not in self._proxies and self._open[name] >= self._most_of_address
        if is_too_many or self._all >= self._most:
            if not self._open[name]:
                del self._open[name]
            return False
        self._open[name] += 1
        self._all += 1
        return True

    def leave(self, host: str) -> None:
        """Uncount a closed connection."""
        name = address_prefix(host)
        self._all -= 1
        self._open[name] -= 1
        if not self._open[name]:
            del self._open[name]


class _OneWrite:
    """Transport wrapper that joins a response's head and its first data into one write, and so one packet."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""
        # Used for every request; other attributes go through `__getattr__`, which takes ten times as long.
        self.is_closing, self.resume_reading = transport.is_closing, transport.resume_reading

    def write(self, data: bytes) -> None:
        """Write data, after the head of a response if one is pending; see `asyncio.WriteTransport`."""
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head + data)
        elif data.startswith(b"HTTP/"):
            self._head = data
            self._loop.call_soon(self._write_head)
        else:
            self._transport.write(data)

    def close(self) -> None:
        """Write a pending head and close the transport."""
        self._write_head()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def _write_head(self) -> None:
        if self._head:
            self.write(b"")


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 protocol with connection limits and timeouts."""

    def __init__(self, *given: Any, limits: ConnectionLimits, **more: Any) -> None:
        super().__init__(*given, **more)
        self._limits = limits
        self._host: str | None = None
        self._arriving: asyncio.TimerHandle | None = None
        self._seconds: float | None = None
        """Timeout (s) to set for the rest of a request; None if it is complete or a timer is already running."""
        self._taking: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.transport = _OneWrite(transport, self.loop)  # type: ignore[assignment]
        host = self.client[0] if self.client else ""
        if not self._limits.admit(host):
            transport.abort()
            return
        self._host = host
        self._wait_for_request(HEAD_SECONDS)
        if self._limits.is_ending:  # accepted from the backlog just before the socket was closed
            self.shutdown()

    def shutdown(self) -> None:
        """Close an idle connection at shutdown, after serving requests that were sent before the client could know."""
        if self._is_idle:
            self._call_last(LAST_CALLS)
        else:
            super().shutdown()

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _call_last(self, calls: int) -> None:
        if self.transport.is_closing() or not self._is_idle:
            return
        if calls:
            self.loop.call_later(LAST_CALL_SECONDS, self._call_last, calls - 1)
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._host is not None:
            self._limits.leave(self._host)
            self._host = None
        self._request_is_here()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # Most requests arrive in one piece: a timer is only set if something is missing afterwards.
        if self._arriving is None:
            self._seconds = HEAD_SECONDS
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._seconds is not None:
            self._wait_for_request(self._seconds)
            self._seconds = None
        if self._in_head and self._head_bytes > MAX_HEAD_BYTES:
            self.transport.abort()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        if self._arriving is None:
            self._seconds = HEAD_SECONDS

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if self._limits.is_ending:
            self.cycle.keep_alive = False
        self._in_head, self._head_bytes = False, 0
        self._request_is_here()
        self._seconds = BODY_SECONDS

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._request_is_here()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._taking is None:
            self._taking = self.loop.call_later(TAKING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _wait_for_request(self, seconds: float) -> None:
        self._arriving = self.loop.call_later(seconds, self.transport.abort)

    def _request_is_here(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None
        self._seconds = None


def limits_of_server(most_of_address: int, proxies: tuple[str, ...] = ()) -> ConnectionLimits:
    """Return the connection limits of a server; `proxies` are the addresses of trusted proxies."""
    trusted = frozenset(address_prefix(proxy) for proxy in proxies)
    return ConnectionLimits(most_connections(), most_of_address, trusted)


def protocol(limits: ConnectionLimits) -> Any:
    """Return the factory of uvicorn's connection protocols."""
    return partial(PatientProtocol, limits=limits)


def most_connections() -> int:
    """Return the maximum connections of the process, after raising its limit of open files as far as allowed."""
    try:
        import resource
    except ImportError:  # Windows
        return 400
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return 1_000_000 if soft == resource.RLIM_INFINITY else max(16, soft - FILES_FOR_OTHERS)
