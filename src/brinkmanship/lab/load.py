"""Load on a server: many live games at once over the HTTP API, with everybody listening. ``brink bench --web``.

The server runs in a process of its own on this machine, with an SQLite file on the disk; the players are one asyncio
program that writes HTTP itself, so that it measures the server and not a client library. The time of a decision is
from sending the action to having read one's own updated view, which the server sends when the action is safely stored.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import uvloop

from brinkmanship.lab.bench import Figure, at_least, at_most

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Load(NamedTuple):
    """What is put on the server."""

    games: int
    seconds_between_decisions: float
    """In each game; 0: as fast as answers come."""
    seconds: float
    streams_per_game: int = 2
    idle_streams: int = 0


class Measured(NamedTuple):
    """What came of it; times in milliseconds, memory in MiB, cores as a share of one."""

    decisions: int
    per_second: float
    p50: float
    p95: float
    p99: float
    slowest: float
    errors: int
    stuck: int
    """Games in which nobody could act for the last five seconds."""
    cores: float
    memory: float
    finished: int


class Connection:
    """One kept-alive HTTP/1.1 connection."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, token: str = "", body: object = None) -> tuple[int, Any]:
        """Send a request; returns the status and the JSON answered."""
        raw = b"" if body is None else json.dumps(body).encode()
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection(*self._address)
        self._writer.write(_request(method, path, token, raw))
        status, length = await _head(self._reader)
        content = await self._reader.readexactly(length)
        return status, json.loads(content)

    async def listen(self, path: str, token: str, heard: asyncio.Event) -> None:
        """Read a stream of events for ever, setting `heard` at each."""
        reader, writer = await asyncio.open_connection(*self._address, limit=4096)
        writer.write(_request("GET", path, token, b""))
        while line := await reader.readline():
            if line.startswith(b"data:"):
                heard.set()

    def close(self) -> None:
        """Close it."""
        if self._writer is not None:
            self._writer.close()


def _request(method: str, path: str, token: str, body: bytes) -> bytes:
    return (
        f"{method} /api/v1{path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


async def _head(reader: asyncio.StreamReader) -> tuple[int, int]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    length = next(int(line[15:]) for line in lines if line.lower().startswith("content-length:"))
    return int(lines[0].split()[1]), length


@contextmanager
def server(port: int, database: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a process of its own, stopped at the end."""
    environment = {**os.environ, "BRINK_REQUESTS_PER_MINUTE": "10000000"}
    command = [sys.executable, "-m", "brinkmanship", "serve", "--port", str(port), "--database", database]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        asyncio.run(_wait_until_up(port))
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(15)


async def _wait_until_up(port: int) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError(f"no server answers on port {port}")


class _Players:
    def __init__(self, port: int, load: Load, process: int) -> None:
        self.port = port
        self.load = load
        self.process = process
        self.times: list[float] = []
        self.errors = 0
        self.finished = 0
        self.last_decision: dict[int, float] = {}

    def connection(self) -> Connection:
        return Connection("127.0.0.1", self.port)

    async def run(self) -> Measured:
        games = await asyncio.gather(*(self.seat(number) for number in range(self.load.games)))
        idle = [asyncio.create_task(self.idle(games[0])) for _ in range(self.load.idle_streams)]
        await asyncio.sleep(1 if not idle else 5)
        cpu, started = _cpu_seconds(self.process), time.perf_counter()
        until = started + self.load.seconds
        await asyncio.gather(*(self.play(number, game, until) for number, game in enumerate(games)))
        seconds = time.perf_counter() - started
        cores = (_cpu_seconds(self.process) - cpu) / seconds
        memory = _memory_mib(self.process)
        for task in idle:
            task.cancel()
        times = np.array(self.times or [0.0]) * 1000
        stuck = sum(until - last > 5 for last in self.last_decision.values()) if self.load.seconds > 10 else 0
        p50, p95, p99 = np.percentile(times, (50, 95, 99))
        return Measured(
            len(self.times),
            len(self.times) / seconds,
            float(p50),
            float(p95),
            float(p99),
            float(times.max()),
            self.errors,
            stuck,
            cores,
            memory,
            self.finished,
        )

    async def seat(self, number: int) -> tuple[str, list[str]]:
        connection = self.connection()
        tokens = []
        for name in ("US", "USSR"):
            _, answer = await connection.ask("POST", "/tokens", body={"name": f"{name} {number}"})
            tokens.append(answer["token"])
        table = await self.new_table(connection, tokens)
        connection.close()
        return table, tokens

    async def new_table(self, connection: Connection, tokens: list[str]) -> str:
        body = {"game": "13-days", "seats": ["me", "friend"]}
        _, made = await connection.ask("POST", "/tables", tokens[0], body)
        join = {"invitation": made["invitations"]["ussr"]}
        await connection.ask("POST", f"/tables/{made['id']}/join", tokens[1], join)
        return str(made["id"])

    async def idle(self, game: tuple[str, list[str]]) -> None:
        await self.connection().listen(f"/tables/{game[0]}/stream", game[1][0], asyncio.Event())

    async def play(self, number: int, game: tuple[str, list[str]], until: float) -> None:
        table, tokens = game
        rng = random.Random(number)
        connections = [self.connection() for _ in tokens]
        heard = [asyncio.Event() for _ in tokens]
        listeners = [
            asyncio.create_task(self.connection().listen(f"/tables/{table}/stream", tokens[i % 2], heard[i % 2]))
            for i in range(self.load.streams_per_game)
        ]
        pause = self.load.seconds_between_decisions
        await asyncio.sleep(rng.random() * (pause or 0.2))
        side = 0
        while (now := time.perf_counter()) < until:
            view = await self.look(connections[side], table, tokens[side])
            if view is None:
                break
            if view["status"] == "over":
                self.finished += 1
                table = await self.new_table(connections[0], tokens)
                continue
            if not view["legal"]:
                side = 1 - side
                continue
            body = {"side": view["you"][0], "version": view["version"], "action": rng.choice(view["legal"])}
            sent = time.perf_counter()
            status, _ = await connections[side].ask("POST", f"/tables/{table}/actions", tokens[side], body)
            self.times.append(time.perf_counter() - sent)
            self.errors += status != 200
            self.last_decision[number] = time.perf_counter()
            if pause:
                await asyncio.sleep(max(0.0, pause - (time.perf_counter() - now)))
        for listener in listeners:
            listener.cancel()
        for connection in connections:
            connection.close()

    async def look(self, connection: Connection, table: str, token: str) -> Any:
        status, view = await connection.ask("GET", f"/tables/{table}", token)
        self.errors += status != 200
        return view if status == 200 else None


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def _memory_mib(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure(load: Load, port: int = 8977, database: str | None = None) -> Measured:
    """Put a load on a fresh server and measure it."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        url = database or f"sqlite:///{Path(folder) / 'bench.sqlite3'}"
        with server(port, url) as process:
            gc.disable()  # a pause here would be counted as the server's
            try:
                return uvloop.run(_Players(port, load, process.pid).run())
            finally:
                gc.enable()


PACED = Load(games=500, seconds_between_decisions=2.0, seconds=30.0)
SATURATED = Load(games=64, seconds_between_decisions=0.0, seconds=15.0)


def at_load(name: str, load: Load) -> Iterator[Figure]:
    """The figures of a server under a load; the goals are those of the paced or of the saturated load."""
    measured = measure(load)
    paced = load.seconds_between_decisions > 0
    goals = {"99 % within": 250.0}
    if paced:
        goals = {"half within": 5.0, "95 % within": 15.0, "99 % within": 25.0, "of one core": 60.0}
    yield Figure(f"{name}: games at once", load.games, "")
    if paced:
        yield Figure(f"{name}: decisions", measured.per_second, "a second")
    else:
        yield at_least(f"{name}: decisions", measured.per_second, "a second", 600)
    for what, value, unit in (
        ("half within", measured.p50, "ms"),
        ("95 % within", measured.p95, "ms"),
        ("99 % within", measured.p99, "ms"),
        ("errors", measured.errors, ""),
        ("stuck games", measured.stuck, ""),
        ("of one core", 100 * measured.cores, "%"),
        ("memory", measured.memory, "MiB"),
    ):
        goal = {"errors": 0.0, "stuck games": 0.0, "memory": 300.0, **goals}.get(what)
        title = f"{name}: {what}"
        yield Figure(title, value, unit) if goal is None else at_most(title, value, unit, goal)
