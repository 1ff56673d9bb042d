"""Latency of moves at the table beside visitors who constantly request slow pages. ``python -m benchmarks web``.

Ten visitors with separate local addresses and ten connections each request logs, replays, proofs, journals and
summaries of finished games of Ukrainian Crisis, the longest game. They run in a separate process and are exempt from
the limit of requests per minute: the benchmark measures that their work is isolated from live games. Games are played
beside them as in `load`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from benchmarks.client import HOST
from benchmarks.large_database import fill, name_of
from benchmarks.load import Load, Machine, measure_on, server
from brinkmanship.games.registry import load_game
from brinkmanship.lab.diagnostics.speed import SpeedFigure, at_most
from brinkmanship.store.database import open_database

GAME = "ukrainian-crisis"
VISITORS = 10
CONNECTIONS = 10
"""Connections of each visitor."""
FINISHED_GAMES = 20
BESIDE = Load(games=20, seconds_between_decisions=1.0, seconds=15.0)
MAX_MILLISECONDS = 50
PAGES = ("/t/{}/finished", "/t/{}/log", "/verify?table={}", "/t/{}/replay/40", "/t/{}/journal", "/t/{}/picture.svg")


def beside_hostile_visitors(port: int = 8981) -> Iterator[SpeedFigure]:
    """Measure actions at the table beside ten hostile visitors, and count the responses to those."""
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{Path(folder) / 'hostile.sqlite3'}"
        engine = open_database(url)
        fill(engine, load_game(GAME), FINISHED_GAMES, FINISHED_GAMES)
        engine.dispose()
        context = get_context("spawn")
        with server(port, url) as process:
            counted = context.Queue()
            visitors = context.Process(target=_attack, args=(port, BESIDE.seconds + 5, counted), daemon=True)
            visitors.start()
            measured = measure_on(BESIDE, Machine(port, process))
            made, refused = counted.get(timeout=120)
            visitors.join(30)
    yield SpeedFigure("hostile.pages_made", made, "")
    yield SpeedFigure("hostile.refused", refused, "")
    yield SpeedFigure("beside.decisions", measured.per_second, "per_second")
    yield SpeedFigure("beside.half_within", measured.p50, "ms")
    yield at_most("beside.within_99", measured.p99, "ms", MAX_MILLISECONDS)
    yield at_most("beside.errors", measured.errors, "", 0)


def _attack(port: int, seconds: float, counted: object) -> None:
    made, refused = uvloop.run(_all_visitors(port, seconds))
    counted.put((made, refused))  # type: ignore[attr-defined]


async def _all_visitors(port: int, seconds: float) -> tuple[int, int]:
    until = asyncio.get_running_loop().time() + seconds
    statuses: list[int] = []
    visits = [
        _visit(port, f"127.0.0.{visitor + 2}", visitor * CONNECTIONS + number, until, statuses)
        for visitor in range(VISITORS)
        for number in range(CONNECTIONS)
    ]
    await asyncio.gather(*visits)
    return sum(status == 200 for status in statuses), sum(status == 429 for status in statuses)


async def _visit(port: int, address: str, number: int, until: float, statuses: list[int]) -> None:
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            reader, writer = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
            try:
                while loop.time() < until:
                    page = PAGES[number % len(PAGES)].format(name_of(number % FINISHED_GAMES))
                    number += 7
                    writer.write(f"GET {page} HTTP/1.1\r\nHost: bench\r\nAccept: text/html\r\n\r\n".encode())
                    async with asyncio.timeout_at(until):
                        head = await reader.readuntil(b"\r\n\r\n")
                        length = next(
                            int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"
                        )
                        await reader.readexactly(length)
                    statuses.append(int(head[9:12]))
            finally:
                writer.close()
