"""A wire between a browser and a server that can be cut: a TCP proxy whose connections do as they are told."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from support.patience import HANGS_SECONDS

RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Wire:
    """Forwards connections to a server's address. What is done to it holds until `mend`.

    `deafen` leaves all connections open, and takes new ones, but nothing comes through any more. With `mend` it does,
    but for the connections there were before `deafen(for_good=True)`: a router has forgotten them. `cut` resets all
    connections, also new ones.
    """

    def __init__(self, url: str) -> None:
        self.target = url
        self._is_cut = False
        self._pairs: set[_Pair] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._flows.set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._listening = self._call(asyncio.start_server(self._take, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Reset all connections."""
        self._call(self._cut())

    def deafen(self, *, for_good: bool = False) -> None:
        """Let nothing through; `for_good`: what is open now stays so for ever."""
        self._call(self._deafen(for_good))

    def mend(self) -> None:
        """Be a good wire again."""
        self._call(self._mend())

    def close(self) -> None:
        """End everything."""
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(HANGS_SECONDS)

    def _call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(HANGS_SECONDS)

    async def _cut(self) -> None:
        self._is_cut = True
        for pair in list(self._pairs):
            pair.reset()

    async def _deafen(self, for_good: bool) -> None:
        self._flows.clear()
        for pair in self._pairs if for_good else ():
            pair.is_forgotten = True

    async def _mend(self) -> None:
        self._is_cut = False
        self._flows.set()

    async def _close(self) -> None:
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        pair = _Pair(writer)
        self._pairs.add(pair)
        try:
            with suppress(OSError, asyncio.CancelledError):
                await self._connect(pair, reader, writer)
        finally:
            self._tasks.discard(task)
            self._pairs.discard(pair)
            pair.close()

    async def _connect(self, pair: _Pair, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            pair.reset()
            return
        await self._flows.wait()
        address = urlsplit(self.target)
        there_reader, pair.there = await asyncio.open_connection(address.hostname, address.port)
        await asyncio.gather(self._pump(pair, reader, pair.there), self._pump(pair, there_reader, writer))

    async def _pump(self, pair: _Pair, source: asyncio.StreamReader, goal: asyncio.StreamWriter) -> None:
        while chunk := await source.read(65536):
            await self._flows.wait()
            if pair.is_forgotten:
                continue
            goal.write(chunk)
            await goal.drain()
        if not pair.is_forgotten:
            goal.close()


class _Pair:
    """The two connections of a browser through the wire."""

    def __init__(self, here: asyncio.StreamWriter) -> None:
        self.here = here
        self.there: asyncio.StreamWriter | None = None
        self.is_forgotten = False

    def reset(self) -> None:
        for end in (self.here, self.there):
            if end is not None:
                end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
                end.transport.abort()

    def close(self) -> None:
        for end in (self.here, self.there):
            if end is not None:
                end.close()
