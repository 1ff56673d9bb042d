"""Load on a server: many live games at once over the HTTP API, with listeners at all. ``python -m benchmarks web``.

The server runs in separate processes on this machine, with an SQLite file on disk; the players (`client`) are one
asyncio program. They follow the protocol in `api`: a player who may not act waits for an event, requests the state, and
then acts on each response. The latency of a decision runs from sending the action to having read the updated view,
which the server sends after the action is safely stored. The measurement starts when all players are connected and
listening.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import uvloop

from benchmarks.client import HOST, Connection, Listening
from brinkmanship.lab.diagnostics.speed import SpeedFigure, at_least, at_most

SETTLING_SECONDS = 1.0
HEARD_SECONDS = 5.0
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Load(NamedTuple):
    """The load on the server."""

    games: int
    seconds_between_decisions: float
    """Time between decisions in each game (s); 0: as fast as responses come."""
    seconds: float
    streams_per_game: int = 2
    idle_streams: int = 0
    workers: int = 1
    hears: bool = False
    """True to measure when the other side is notified of a decision; the next one waits for that."""


class Machine(NamedTuple):
    """The port of a server, and its first process."""

    port: int
    process: int


class Measured(NamedTuple):
    """Results of a load: times in milliseconds, memory in MiB, cores as a fraction of one.

    Cores and memory are totals of all servers.
    """

    decisions: int
    per_second: float
    p50: float
    p95: float
    p99: float
    slowest: float
    errors: int
    stuck: int
    """Games without a possible action in the last five seconds."""
    cores: float
    memory: float
    per_idle_stream: float
    """KiB of the servers' memory for each idle stream; 0 without."""
    finished: int
    heard: tuple[float, ...]
    """Times from sending an action to its notification on the other side's stream, for each action that is published at
    once; sorted.
    """
    unheard: int
    """Such actions without a notification within `HEARD_SECONDS`."""


def compile_games() -> None:
    """Compile all games in another process, unless they are: on an empty cache a server answers only after that."""
    subprocess.run([sys.executable, "-m", "brinkmanship.cli.commands.precompile"], check=True)


@contextmanager
def server(port: int, database: str, workers: int = 1) -> Iterator[int]:
    """Run a server in separate processes and stop it at the end; yield the id of the first one.

    Its games are compiled in advance: a server that interprets them while it compiles is not to be measured.
    """
    compile_games()
    # All players share one address, and some listen at thousands of tables, so per-address limits must not apply.
    limits = (
        *("REQUESTS_PER_MINUTE", "CONNECTIONS_OF_ADDRESS", "STREAMS_OF_ADDRESS", "STREAMS_OF_PERSON"),
        *("TABLES_OF_PERSON", "TABLES_OF_ADDRESS", "OPEN_TABLES_OF_ADDRESS"),
    )
    environment = {**os.environ, **{f"BRINK_{name}": "10000000" for name in limits}}
    command = [sys.executable, "-m", "brinkmanship", "server", "run", "--port", str(port), "--database", database]
    process = subprocess.Popen([*command, "--workers", str(workers)], env=environment, stdout=subprocess.DEVNULL)
    try:
        asyncio.run(wait_until_up(port))
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(15)


async def wait_until_up(port: int) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection(HOST, port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError(f"no server answers on port {port}")


class _Seats(NamedTuple):
    """A game and the programs that play it, by side."""

    table: str
    tokens: list[str]
    connections: list[Connection]
    news: list[Listening]


class _Players:
    """Two programs for each game. With several servers, the two sides of a game use different ones."""

    def __init__(self, load: Load, machines: Sequence[Machine]) -> None:
        self.load = load
        self.machines = machines
        self.heard: list[float] = []
        self.unheard = 0
        self.times: list[float] = []
        self.errors = 0
        self.finished = 0
        self.last_decision: dict[int, float] = {}

    async def run(self) -> Measured:
        games = [await self.seat(number) for number in range(self.load.games)]
        await asyncio.sleep(SETTLING_SECONDS)
        before = self.memory()
        for number in range(self.load.idle_streams):
            game = number % len(games)
            await self.listen(games[game].table, games[0].tokens[0], self.port(game, 0))
        await asyncio.sleep(SETTLING_SECONDS)
        per_idle_stream = 1024 * (self.memory() - before) / max(1, self.load.idle_streams)
        cpu, started = self.cpu_seconds(), time.perf_counter()
        until = started + self.load.seconds
        await asyncio.gather(*(self.play(number, game, until) for number, game in enumerate(games)))
        seconds = time.perf_counter() - started
        cores = (self.cpu_seconds() - cpu) / seconds
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
            self.memory(),
            per_idle_stream,
            self.finished,
            tuple(sorted(1000 * seconds for seconds in self.heard)),
            self.unheard,
        )

    def port(self, number: int, side: int) -> int:
        """Return the port for a side of a game."""
        return self.machines[(number + side) % len(self.machines)].port

    def memory(self) -> float:
        """Return the memory of all servers in MiB."""
        return sum(memory_mib(machine.process) for machine in self.machines)

    def cpu_seconds(self) -> float:
        """Return the processor time of all servers so far."""
        return sum(cpu_seconds(machine.process) for machine in self.machines)

    async def seat(self, number: int) -> _Seats:
        connections = [Connection(), Connection()]
        tokens = []
        for side, name in enumerate(("US", "USSR")):
            port = self.port(number, side)
            _, answer = await connections[side].ask(port, "POST", "/tokens", body={"name": f"{name} {number}"})
            tokens.append(answer["token"])
        table = await self.new_table(number, connections, tokens)
        news = [
            await self.listen(table, tokens[place % 2], self.port(number, place % 2))
            for place in range(self.load.streams_per_game)
        ]
        return _Seats(table, tokens, connections, news)

    async def new_table(self, number: int, connections: list[Connection], tokens: list[str]) -> str:
        body = {"game": "13-days", "seats": ["me", "friend"]}
        status, made = await connections[0].ask(self.port(number, 0), "POST", "/tables", tokens[0], body)
        if status not in (200, 201):
            raise RuntimeError(f"the server creates no table (status {status}): {made}")
        join = {"invitation": made["invitations"]["ussr"]}
        await connections[1].ask(self.port(number, 1), "POST", f"/tables/{made['id']}/join", tokens[1], join)
        return str(made["id"])

    async def listen(self, table: str, token: str, port: int) -> Listening:
        stream = Listening(f"/tables/{table}/stream", token)
        await stream.open(port)
        await stream.news()
        return stream

    async def play(self, number: int, game: _Seats, until: float) -> None:
        rng = random.Random(number)
        table, news = game.table, game.news
        pause = self.load.seconds_between_decisions
        await asyncio.sleep(rng.random() * pause)
        side = 0
        view = await self.look(number, game, table, side)
        while view is not None and (now := time.perf_counter()) < until:
            if view["status"] == "over":
                self.finished += 1
                table = await self.new_table(number, game.connections, game.tokens)
                news = []  # the streams are those of the first table
                view = await self.look(number, game, table, side)
            elif not view["legal"]:
                side = 1 - side
                view = await self.look(number, game, table, side)
            else:
                # A simultaneous choice is published only when both have chosen, so it cannot be timed here.
                ear = news[1 - side] if self.load.hears and news and len(view["asked"]) == 1 else None
                if ear is not None:
                    ear.forget()
                view = await self.act(number, game, table, side, view, rng.choice(view["legal"]))
                if ear is not None:
                    await self.hear(ear, now)
                self.last_decision[number] = time.perf_counter()
                if pause:
                    await asyncio.sleep(max(0.0, pause - (time.perf_counter() - now)))

    async def hear(self, ear: Listening, sent: float) -> None:
        """Record when the other side was notified of an action sent at `sent`."""
        await ear.news(HEARD_SECONDS)
        if ear.told_at > sent:
            self.heard.append(ear.told_at - sent)
        else:
            self.unheard += 1

    async def act(self, number: int, game: _Seats, table: str, side: int, view: Any, action: str) -> Any:
        body = {"side": view["you"][0], "version": view["version"], "action": action}
        path = f"/tables/{table}/actions"
        sent = time.perf_counter()
        port = self.port(number, side)
        status, view = await game.connections[side].ask(port, "POST", path, game.tokens[side], body)
        self.times.append(time.perf_counter() - sent)
        return view if self.is_fine(status) else None

    async def look(self, number: int, game: _Seats, table: str, side: int) -> Any:
        port = self.port(number, side)
        status, view = await game.connections[side].ask(port, "GET", f"/tables/{table}", game.tokens[side])
        return view if self.is_fine(status) else None

    def is_fine(self, status: int) -> bool:
        self.errors += status != 200
        return status == 200


def _family(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(grandchild for child in children for grandchild in _family(int(child)))]


def cpu_seconds(process: int) -> float:
    """Return the processor time of a process and its descendants so far."""

    def of_one(number: int) -> float:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    return sum(map(of_one, _family(process)))


def memory_mib(process: int) -> float:
    """Return the resident memory of a process and its descendants; shared pages count once for each."""

    def of_one(number: int) -> float:
        status = Path(f"/proc/{number}/status").read_text()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS:"))

    return sum(map(of_one, _family(process)))


def measure(load: Load, port: int = 8977, database: str | None = None) -> Measured:
    """Start a server, put a load on it and measure it."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        url = database or f"sqlite:///{Path(folder) / 'bench.sqlite3'}"
        with server(port, url, load.workers) as process:
            return measure_on(load, Machine(port, process))


def measure_on(load: Load, *machines: Machine) -> Measured:
    """Put a load on running servers and measure them."""
    gc.disable()  # a pause of this process would count as the server's
    try:
        return uvloop.run(_Players(load, machines).run())
    finally:
        gc.enable()


PACED = Load(games=500, seconds_between_decisions=2.0, seconds=30.0)
SATURATED = Load(games=64, seconds_between_decisions=0.0, seconds=15.0)
MIN_A_SECOND = {"saturated": 600, "two_workers": 1.6 * 600}
IDLE = Load(games=1, seconds_between_decisions=1.0, seconds=2.0, idle_streams=2000)


def under_load() -> Iterator[SpeedFigure]:
    """Measure a server under load: paced, saturated with one worker and with two, and with idle streams."""
    yield from _figures("paced", PACED, measure(PACED))
    saturated = measure(SATURATED)
    yield from _figures("saturated", SATURATED, saturated)
    with_two = measure(SATURATED._replace(workers=2))
    yield from _figures("two_workers", SATURATED, with_two)
    # No goal: the players run on the same machine, and on two cores they take most of one from the two workers.
    yield SpeedFigure("two_workers_against_one", with_two.per_second / saturated.per_second, "times")
    yield at_most("idle_streams", measure(IDLE).per_idle_stream, "KiB_each", 45)


def _figures(name: str, load: Load, measured: Measured) -> Iterator[SpeedFigure]:
    paced = load.seconds_between_decisions > 0
    yield SpeedFigure(f"{name}.games_at_once", load.games, "")
    if name in MIN_A_SECOND:
        yield at_least(f"{name}.decisions", measured.per_second, "per_second", MIN_A_SECOND[name])
    else:
        yield SpeedFigure(f"{name}.decisions", measured.per_second, "per_second")
    goals = {"errors": 0.0, "stuck_games": 0.0, "within_99": 250.0}
    if paced:
        goals |= {"half_within": 5.0, "within_95": 15.0, "within_99": 25.0, "of_one_core": 60.0, "memory": 300.0}
    for what, value, unit in (
        ("half_within", measured.p50, "ms"),
        ("within_95", measured.p95, "ms"),
        ("within_99", measured.p99, "ms"),
        ("errors", measured.errors, ""),
        ("stuck_games", measured.stuck, ""),
        ("of_one_core", 100 * measured.cores, "percent"),
        ("memory", measured.memory, "MiB"),
    ):
        goal = goals.get(what)
        title = f"{name}.{what}"
        yield SpeedFigure(title, value, unit) if goal is None else at_most(title, value, unit, goal)
