"""Connections: how many one address may hold, and how long a request may take to arrive and an answer to be taken."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from brinkmanship.web.support.rate_limit import address_prefix

HEAD_SECONDS = 15.0
"""A request's first lines have arrived so long after the connection or the request was begun."""
BODY_SECONDS = 60.0
"""And its body so long after them."""
TAKING_SECONDS = 60.0
"""So long an answer waits for somebody who does not read it."""
MAX_HEAD_BYTES = 65_536
LAST_CALL_SECONDS, LAST_CALLS = 0.1, 10
"""A server that ends still answers what was on its way: it looks so often, so far apart, at a connection on which there
is nothing to answer. It counts looks, and not seconds, as a machine under load may not look for a while."""
FILES_FOR_OTHERS = 128
"""Of the files the process may open: database, workers, logs, code."""


class ConnectionLimits:
    """Counts connections by address.

    Args:
        most: in all.
        most_of_address: of one address; those of trusted proxies, who bring everybody, are not counted by address.
    """

    def __init__(self, most: int, most_of_address: int, proxies: frozenset[str] = frozenset()) -> None:
        self._most = most
        self._most_of_address = most_of_address
        self._proxies = proxies
        self._open: Counter[str] = Counter()
        self._all = 0
        self.is_ending = False
        """Whether the server ends: each connection then brings one more answer at most."""

    def admit(self, host: str) -> bool:
        """Whether one more may come; counts it if so."""
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
        """One that was admitted has gone."""
        name = address_prefix(host)
        self._all -= 1
        self._open[name] -= 1
        if not self._open[name]:
            del self._open[name]


class _OneWrite:
    """A transport to which the head of an answer and what follows it at once are one write, and so one packet."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""
        # Asked for with every request; the rest is found by `__getattr__`, which takes ten times as long.
        self.is_closing, self.resume_reading = transport.is_closing, transport.resume_reading

    def write(self, data: bytes) -> None:
        """See `asyncio.WriteTransport`."""
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head + data)
        elif data.startswith(b"HTTP/"):
            self._head = data
            self._loop.call_soon(self._write_head)
        else:
            self._transport.write(data)

    def close(self) -> None:
        """See `asyncio.WriteTransport`."""
        self._write_head()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def _write_head(self) -> None:
        if self._head:
            self.write(b"")


class PatientProtocol(HttpToolsProtocol):
    """HTTP/1.1 as uvicorn speaks it, but nobody is waited for without an end."""

    def __init__(self, *given: Any, limits: ConnectionLimits, **more: Any) -> None:
        super().__init__(*given, **more)
        self._limits = limits
        self._host: str | None = None
        self._arriving: asyncio.TimerHandle | None = None
        self._seconds: float | None = None
        """How long to wait for the rest of what has begun to arrive; None: all of it is here, or it is waited for."""
        self._taking: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self.transport = _OneWrite(transport, self.loop)  # type: ignore[assignment]
        host = self.client[0] if self.client else ""
        if not self._limits.admit(host):
            transport.abort()
            return
        self._host = host
        self._wait_for_request(HEAD_SECONDS)
        if self._limits.is_ending:  # it was taken from the queue before the door was closed
            self.shutdown()

    def shutdown(self) -> None:
        """See `HttpToolsProtocol`; a request that was sent before its sender could know is still answered."""
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
        """See `asyncio.Protocol`."""
        if self._host is not None:
            self._limits.leave(self._host)
            self._host = None
        self._request_is_here()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        # Most requests come in whole: only where something is missing afterwards a clock is set for it.
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
        """See `HttpToolsProtocol`."""
        super().on_message_begin()
        self._in_head = True
        if self._arriving is None:
            self._seconds = HEAD_SECONDS

    def on_headers_complete(self) -> None:
        """See `HttpToolsProtocol`."""
        super().on_headers_complete()
        if self._limits.is_ending:
            self.cycle.keep_alive = False
        self._in_head, self._head_bytes = False, 0
        self._request_is_here()
        self._seconds = BODY_SECONDS

    def on_message_complete(self) -> None:
        """See `HttpToolsProtocol`."""
        super().on_message_complete()
        self._request_is_here()

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`."""
        super().pause_writing()
        if self._taking is None:
            self._taking = self.loop.call_later(TAKING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`."""
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
    """The limits of one server; `proxies` are addresses that bring connections of everybody."""
    trusted = frozenset(address_prefix(proxy) for proxy in proxies)
    return ConnectionLimits(most_connections(), most_of_address, trusted)


def protocol(limits: ConnectionLimits) -> Any:
    """What uvicorn makes for each connection."""
    return partial(PatientProtocol, limits=limits)


def most_connections() -> int:
    """How many the process may hold; first it asks the system for as many open files as it may have."""
    try:
        import resource
    except ImportError:  # Windows
        return 400
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return 1_000_000 if soft == resource.RLIM_INFINITY else max(16, soft - FILES_FOR_OTHERS)
