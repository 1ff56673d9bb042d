"""Endurance test: live games under random faults for any duration. ``python -m benchmarks soak``.

Programs play on a server of two workers by its HTTP API, against one another and against computer players, while at
random moments a worker or the whole server is killed, the database is disconnected or locked, its disk is full, and
players lose their connection. At the end no acknowledged action may be missing, no player's position may go back, no
game may be stuck after the faults have stopped, and memory use must stay level.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import create_engine, make_url, text

from benchmarks.client import HOST, Connection, Listening
from benchmarks.load import compile_games, memory_mib, wait_until_up
from brinkmanship.games.registry import BUILT_IN, game_class

PAUSE_SECONDS = (15.0, 40.0)
"""Range of the time between two faults (s)."""
FAULT_SECONDS = 3.0
"""Duration of a database fault (s)."""
QUIET_SECONDS = 90.0
"""Time at the end without faults (s), in which every game must make progress."""
ANSWER_SECONDS = 20.0
"""Timeout of a request (s)."""
SAMPLE_SECONDS = 5.0
DISK_MIB = 256
BETWEEN_DECISIONS = 3.0

KINDS = tuple(BUILT_IN)
"""The games played, in turn."""


FAULTS = {
    "worker_killed": "a worker process killed",
    "server_killed": "the server killed and started again",
    "database_locked": "the database locked for 3 s",
    "disk_full": "the disk full for 3 s",
    "connections_cut": "all connections of the database cut",
    "no_database": "no database for 3 s",
    "line_cut": "a player offline while making a request",
}
"""Descriptions of the faults."""

LOSSES = {
    "went_back": "{table}: {side} was at version {before}, then at {after}",
    "missing": "{table}: {side} {action} was acknowledged and is not in the journal",
}
"""Descriptions of the ways in which acknowledged data can be lost."""

Loss = dict[str, str | int]
"""A loss: its kind (``what``), and the values for its text in `LOSSES`."""


class Report(NamedTuple):
    """Results of an endurance test."""

    minutes: float
    games: int
    database: str
    acknowledged: int
    """Actions that the server acknowledged."""
    lost: list[Loss]
    """Acknowledged actions that are missing, and positions that went back: must be empty."""
    stuck: list[str]
    """Games without progress in the quiet time at the end: must be empty."""
    unheard: list[str]
    """Tables whose listener was not notified of the last version within five seconds: must be empty."""
    finished: int
    faults: dict[str, int]
    """Count of each fault of `FAULTS`."""
    refused: dict[str, int]
    """Requests without a successful response, by status or error."""
    memory: list[tuple[float, float]]
    """Minutes since the start, and resident MiB of all processes of the server."""

    @property
    def most(self) -> tuple[float, float]:
        """Most memory in the first half of the time and in the second (MiB).

        A leak shows in the second. A slope would measure the restarts: each begins with little memory.
        """
        halves = [
            [mib for at, mib in self.memory if (at > self.minutes / 2) == is_second] for is_second in (False, True)
        ]
        first, second = (max(half, default=0.0) for half in halves)
        return first, second


@dataclass
class Seat:
    """A program that plays a side of a table."""

    side: str
    token: str
    version: int = -1
    acknowledged: list[str] = field(default_factory=list)


@dataclass
class LiveGame:
    """A table and its players; a side without a seat is the computer's."""

    kind: str
    seats: list[Seat]
    table: str = ""
    last_change: float = 0.0
    told: int = -1
    """The last version received by the listener at the table."""


class UnansweredError(Exception):
    """A request failed: its effect is unknown."""


class Endurance:
    """The players, the faults, and the statistics of both."""

    def __init__(self, server: Server, games: int, minutes: float, seed: int) -> None:
        self.server = server
        self.minutes = minutes
        self.dice = random.Random(seed)
        self.games = [LiveGame(KINDS[number % len(KINDS)], []) for number in range(games)]
        self.lost: list[Loss] = []
        self.faults: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.acknowledged = self.finished = 0
        self.memory: list[tuple[float, float]] = []
        self.over = asyncio.Event()
        self.quiet = False

    async def run(self, note: Callable[[str], None]) -> Report:
        """Run the test, and report progress to `note` from time to time."""
        started = time.monotonic()
        for number, game in enumerate(self.games):
            names = game_class(game.kind).sides[: 1 + number % 2]  # every other game against the computer
            game.seats = [Seat(side, await self._token(f"{side} {number}")) for side in names]
        tasks = [asyncio.create_task(self._play(game)) for game in self.games]
        tasks += [asyncio.create_task(self._listen(game)) for game in self.games]
        tasks.append(asyncio.create_task(self._watch_memory(started)))
        await self._break_things(started + 60 * self.minutes, note)
        self.quiet = True
        calm = time.monotonic()
        note("no more faults: every game has to go on")
        await asyncio.sleep(QUIET_SECONDS)
        unheard = [game.table for game in self.games if not await self._has_heard(game)]
        self.over.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        stuck = [f"{game.kind} {game.table}" for game in self.games if game.last_change < calm]
        for game in self.games:
            await self._compare(game)
        return Report(
            (time.monotonic() - started) / 60,
            len(self.games),
            self.server.kind,
            self.acknowledged,
            self.lost,
            stuck,
            unheard,
            self.finished,
            dict(self.faults),
            dict(self.refused),
            self.memory,
        )

    # The players.

    async def _play(self, game: LiveGame) -> None:
        dice = random.Random(self.dice.random())
        await asyncio.sleep(dice.random() * BETWEEN_DECISIONS)
        while not self.over.is_set():
            try:
                if not game.table:
                    await self._begin(game)
                for seat in game.seats:
                    await self._act(game, seat, dice)
            except UnansweredError:
                await asyncio.sleep(dice.random())
            await asyncio.sleep(BETWEEN_DECISIONS * (0.5 + dice.random()))

    async def _begin(self, game: LiveGame) -> None:
        seats = ["me", "friend" if len(game.seats) == 2 else "computer:greedy"]
        body = {"game": game.kind, "seats": seats}
        made = await self._ask("POST", "/tables", game.seats[0].token, body)
        if len(game.seats) == 2:
            join = {"invitation": made["invitations"][game.seats[1].side]}
            await self._ask("POST", f"/tables/{made['id']}/join", game.seats[1].token, join)
        for seat in game.seats:
            seat.version, seat.acknowledged = -1, []
        game.table, game.told = made["id"], -1

    async def _act(self, game: LiveGame, seat: Seat, dice: random.Random) -> None:
        view = await self._look(game, seat)
        if view["status"] == "over":
            await self._compare(game)
            self.finished += 1
            game.table = ""
            await self._begin(game)
            return
        if not view["legal"]:
            return
        action = dice.choice(view["legal"])
        body = {"side": seat.side, "version": view["version"], "action": action}
        view = await self._ask("POST", f"/tables/{game.table}/actions", seat.token, body)
        self.acknowledged += 1
        seat.acknowledged.append(action)
        self._see(game, seat, view)

    async def _look(self, game: LiveGame, seat: Seat) -> Any:
        view = await self._ask("GET", f"/tables/{game.table}", seat.token)
        self._see(game, seat, view)
        return view

    def _see(self, game: LiveGame, seat: Seat, view: Any) -> None:
        if view["version"] < seat.version:
            place = {"table": game.table, "side": seat.side}
            self.lost.append({"what": "went_back", **place, "before": seat.version, "after": view["version"]})
        if view["version"] != seat.version:
            game.last_change = time.monotonic()
        seat.version = view["version"]

    async def _compare(self, game: LiveGame) -> None:
        """Check that the journal contains each acknowledged action in order."""
        for seat in game.seats if game.table else ():
            told = await self._insist("GET", f"/tables/{game.table}/journal?side={seat.side}", seat.token)
            entries = iter(str(told).splitlines())
            for action in seat.acknowledged:
                mark = f" {seat.side} "
                if not any(mark in line and _action_in(line, mark) == action for line in entries):
                    place = {"table": game.table, "side": seat.side}
                    self.lost.append({"what": "missing", **place, "action": action})
                    break

    async def _token(self, name: str) -> str:
        return str((await self._insist("POST", "/tokens", "", {"name": name}))["token"])

    async def _insist(self, method: str, path: str, token: str, body: object = None) -> Any:
        while True:
            with suppress(UnansweredError):
                return await self._ask(method, path, token, body)
            await asyncio.sleep(0.5)

    async def _ask(self, method: str, path: str, token: str, body: object = None) -> Any:
        line = Connection(self._cuts)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                status, content = await line.send(self.server.port, method, path, token, body)
        except (OSError, TimeoutError, ValueError) as error:
            self.refused[type(error).__name__] += 1
            raise UnansweredError from error
        finally:
            line.close()
        if status >= 300:
            self.refused[str(status)] += 1
            raise UnansweredError(content[:200])
        return content.decode() if path.partition("?")[0].endswith("journal") else msgspec.json.decode(content)

    def _cuts(self) -> bool:
        cut = not self.quiet and self.dice.random() < 0.002
        if cut:
            self.faults["line_cut"] += 1
        return cut

    async def _listen(self, game: LiveGame) -> None:
        """Follow the table; disconnect and reconnect from time to time."""
        while not self.over.is_set():
            table, until = game.table, time.monotonic() + self.dice.uniform(5, 60)
            news = Listening(f"/tables/{table}/stream", game.seats[0].token)
            with suppress(OSError):
                await news.open(self.server.port)
                while table and table == game.table and time.monotonic() < until and not self.over.is_set():
                    await news.news(1.0)
                    if news.is_lost or table != game.table:
                        break
                    game.told = news.told
            news.close()
            await asyncio.sleep(1.0)

    async def _has_heard(self, game: LiveGame) -> bool:
        with suppress(UnansweredError):
            await self._look(game, game.seats[0])
        version = game.seats[0].version
        for _ in range(50):
            if game.told >= version:
                return True
            await asyncio.sleep(0.1)
        return False

    # The faults.

    async def _break_things(self, until: float, note: Callable[[str], None]) -> None:
        while time.monotonic() < until:
            await asyncio.sleep(self.dice.uniform(*PAUSE_SECONDS))
            weights = [1 if fault == self.server.kill_all else 4 for _, fault in self.server.faults]
            ((name, fault),) = self.dice.choices(self.server.faults, weights)
            self.faults[name] += 1
            left = (until - time.monotonic()) / 60
            note(f"{left:.0f} min left, {self.acknowledged} acknowledged: {FAULTS[name]}")
            await fault()

    async def _watch_memory(self, started: float) -> None:
        while not self.over.is_set():
            with suppress(OSError, StopIteration):  # a process has just been killed
                self.memory.append(((time.monotonic() - started) / 60, memory_mib(self.server.process.pid)))
            await asyncio.sleep(SAMPLE_SECONDS)


def _action_in(line: str, mark: str) -> str:
    return line.split(mark, 1)[1].partition("{")[0].strip()


class Server:
    """`brink server run` with two workers, and ways to inject faults."""

    def __init__(self, port: int, database: str, disk: Path | None) -> None:
        self.port = port
        self.database = database
        self.url = make_url(database)
        self.kind = self.url.get_backend_name()
        self.disk = disk
        self.faults: list[tuple[str, Callable[[], Awaitable[None]]]] = [
            ("worker_killed", self.kill_a_worker),
            ("server_killed", self.kill_all),
        ]
        if self.kind == "sqlite":
            self.faults.append(("database_locked", self.lock))
            if disk is not None:
                self.faults.append(("disk_full", self.fill_disk))
        else:
            self.faults.append(("connections_cut", self.cut))
            self.faults.append(("no_database", self.shut_out))
        self.start()

    def start(self) -> None:
        """Start the server."""
        many = {"BRINK_REQUESTS_PER_MINUTE": "10000000", "BRINK_REQUESTS_PER_MINUTE_OF_ADDRESS": "10000000"}
        many |= {"BRINK_CONNECTIONS_OF_ADDRESS": "10000", "BRINK_STREAMS_OF_ADDRESS": "10000"}
        many |= {"BRINK_TABLES_OF_PERSON": "0", "BRINK_TABLES_OF_ADDRESS": "0", "BRINK_OPEN_TABLES_OF_ADDRESS": "0"}
        command = [sys.executable, "-m", "brinkmanship", "server", "run", "--port", str(self.port), "--workers", "2"]
        command += ["--database", self.database]
        self.process = subprocess.Popen(
            command, env={**os.environ, **many}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def workers(self) -> list[int]:
        """Return the ids of its worker processes."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]

    async def kill_a_worker(self) -> None:
        """Kill one worker with SIGKILL."""
        with suppress(OSError):
            if workers := self.workers():
                os.kill(random.choice(workers), signal.SIGKILL)

    async def kill_all(self) -> None:
        """Kill all processes with SIGKILL, and start the server again."""
        with suppress(OSError):
            for worker in self.workers():
                os.kill(worker, signal.SIGKILL)
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        self.start()
        await wait_until_up(self.port)

    async def lock(self) -> None:
        """Lock the SQLite file from another connection."""

        def hold() -> None:
            connection = sqlite3.connect(str(self.url.database), timeout=30, isolation_level=None)
            connection.execute("BEGIN EXCLUSIVE")
            time.sleep(FAULT_SECONDS)
            connection.execute("ROLLBACK")
            connection.close()

        await asyncio.to_thread(hold)

    async def fill_disk(self) -> None:
        """Fill the disk for a while."""
        assert self.disk is not None
        ballast = self.disk / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        await asyncio.sleep(FAULT_SECONDS)
        ballast.unlink()

    async def cut(self) -> None:
        """Make PostgreSQL close all connections to the database."""
        await asyncio.to_thread(self._as_operator, "SELECT 1")

    async def shut_out(self) -> None:
        """Make PostgreSQL close all connections and refuse new ones for a while."""
        name = self.url.database
        await asyncio.to_thread(self._as_operator, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        await asyncio.sleep(FAULT_SECONDS)
        await asyncio.to_thread(self._as_operator, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')

    def _as_operator(self, statement: str) -> None:
        engine = create_engine(self.url.set(database="postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(statement))
            ending = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
            connection.execute(ending, {"name": self.url.database})
        engine.dispose()

    def stop(self) -> None:
        """Stop the server."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a small disk in memory that can be filled; yield None if this user may not mount one."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    try:
        yield folder if mounted.returncode == 0 else None
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def endure(database: str, folder: Path, games: int, minutes: float, seed: int, note: Callable[[str], None]) -> Report:
    """Play under faults on a fresh server.

    Args:
        database: the URL of an empty PostgreSQL database; "" for an SQLite file in `folder`, on a separate disk.
        folder: an empty folder.
        games: number of simultaneous games.
        minutes: duration of the faults; a quiet time follows.
        seed: seed of players and faults; the exact times of faults depend on the machine.
        note: callback for progress messages.
    """
    compile_games()
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    with small_disk(folder) as disk:
        server = Server(port, database or f"sqlite:///{folder / 'endurance.sqlite3'}", disk)
        try:
            asyncio.run(wait_until_up(port))
            return asyncio.run(_endure(server, games, minutes, seed, note))
        finally:
            server.stop()


async def _endure(server: Server, games: int, minutes: float, seed: int, note: Callable[[str], None]) -> Report:
    return await Endurance(server, games, minutes, seed).run(note)


def report_text(report: Report) -> str:
    """Return the report as readable lines."""
    lines = [heading(report)]
    counts: dict[str, float] = {
        "acknowledged actions": report.acknowledged,
        "of these lost": len(report.lost),
        "games stuck": len(report.stuck),
        "listeners not told": len(report.unheard),
        "games finished": report.finished,
        "most memory in the first half, MiB": round(report.most[0]),
        "most memory in the second half, MiB": round(report.most[1]),
    }
    counts |= {FAULTS[name]: count for name, count in sorted(report.faults.items())}
    counts |= {f"not answered: {reason}": count for reason, count in sorted(report.refused.items())}
    lines += [f"{name:<46} {count:>10,}" for name, count in counts.items()]
    lines += [f"  ! {LOSSES[str(loss['what'])].format(**loss)}" for loss in report.lost]
    lines += [f"  ! {table}" for table in (*report.stuck, *report.unheard)]
    return "\n".join(lines)


def heading(report: Report) -> str:
    """Return the number of games, the duration and the database."""
    return f"{report.games} games for {report.minutes:.1f} minutes on {report.database}"


def plot(report: Report, title: str) -> str:
    """Draw the memory over time as SVG with this title."""
    width, height, left, bottom = 720, 260, 56, 36
    most = 1.2 * max(mib for _, mib in report.memory)

    def at(minutes: float, mib: float) -> str:
        x = left + (width - left - 12) * minutes / report.minutes
        return f"{x:.1f},{(height - bottom) * (1 - mib / most) + 8:.1f}"

    line = " ".join(at(minutes, mib) for minutes, mib in report.memory)
    marks = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        x, y = at(share * report.minutes, share * most).split(",")
        marks.append(f'<text x="{x}" y="{height - 12}" text-anchor="middle">{share * report.minutes:.0f}</text>')
        marks.append(f'<text x="{left - 8}" y="{y}" text-anchor="end">{share * most:.0f}</text>')
        marks.append(f'<line x1="{left}" y1="{y}" x2="{width - 12}" y2="{y}" stroke="#ccc"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11"><title>{escape(title)}</title>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(marks)}'
        f'<polyline points="{line}" fill="none" stroke="#1d4f8c" stroke-width="1.5"/></svg>\n'
    )


def as_json(report: Report) -> str:
    """Return the report as JSON."""
    return json.dumps({**report._asdict(), "most_mib": report.most})
