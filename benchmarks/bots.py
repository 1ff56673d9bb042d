"""Response times of the strongest computer players beside running games, and their effect on those games.

``python -m benchmarks web`` measures it.

Fifty games of programs are played as in `load`, first alone, then beside users (programs of another process) who play
the strongest level of every game, at a few tables each. A response time runs from when the table reports that the
computer has to act until it shows the computer's decision: the waiting time in the browser, including the minimum delay
of a decision while someone is watching.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import uvloop

from benchmarks.client import Connection, Listening
from benchmarks.load import Load, Machine, measure_on, server
from brinkmanship.games.registry import kits, load_game
from brinkmanship.lab.diagnostics.speed import SpeedFigure, at_most
from brinkmanship.players import levels_for

GAMES = Load(games=50, seconds_between_decisions=2.0, seconds=30.0)
TABLES = 2
"""Tables against the strongest level of each game."""
THINKING_SECONDS = 1.0
"""Mean time of the simulated users for a decision."""
TIMEOUT = 20.0
MAX_MILLISECONDS = 2000
WARMING = Load(games=8, seconds_between_decisions=0.0, seconds=3.0)


def strongest_beside_games(port: int = 8983) -> Iterator[SpeedFigure]:
    """Measure the strongest levels beside fifty games, and those games with and without them."""
    context = get_context("spawn")
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{Path(folder) / 'strongest.sqlite3'}"
        with server(port, url) as process:
            machine = Machine(port, process)
            measure_on(WARMING, machine)
            alone = measure_on(GAMES, machine)
            answered = context.Queue()
            people = context.Process(target=_play_all, args=(port, GAMES.seconds + 4, answered), daemon=True)
            people.start()
            beside = measure_on(GAMES, machine)
            times: list[float] = answered.get(timeout=120)
            people.join(30)
    half, almost_all = 1000 * np.percentile(times or [TIMEOUT], (50, 95))
    yield SpeedFigure("strongest.answers", len(times), "")
    yield SpeedFigure("strongest.half_within", float(half), "ms")
    yield at_most("strongest.within_95", float(almost_all), "ms", MAX_MILLISECONDS)
    yield SpeedFigure("fifty_games.within_99", alone.p99, "ms")
    yield SpeedFigure("fifty_games_beside.within_99", beside.p99, "ms")
    yield at_most("fifty_games_beside.errors", beside.errors, "", 0)


def _play_all(port: int, seconds: float, answered: Any) -> None:
    answered.put(uvloop.run(_all_people(port, seconds)))


async def _all_people(port: int, seconds: float) -> list[float]:
    times: list[float] = []
    until = time.perf_counter() + seconds
    games = [(game, number) for game in kits() for number in range(TABLES)]
    await asyncio.gather(*(_play(port, game, number, until, times) for game, number in games))
    return times


async def _play(port: int, game: str, number: int, until: float, times: list[float]) -> None:
    """Play table after table against the strongest level, deciding at random."""
    rng = random.Random(f"{game} {number}")
    connection = Connection()
    _, person = await connection.ask(port, "POST", "/tokens", body={"name": f"{game} {number}"})
    token, side = person["token"], number % 2
    seats = ["me", "computer:" + levels_for(load_game(game))[-1]]
    while time.perf_counter() < until:
        body = {"game": game, "seats": seats if side == 0 else seats[::-1]}
        status, table = await connection.ask(port, "POST", "/tables", token, body)
        if status not in (200, 201):
            raise RuntimeError(f"the server creates no table (status {status}): {table}")
        path = f"/tables/{table['id']}"
        ear = Listening(f"{path}/stream", token)
        await ear.open(port)
        _, view = await connection.ask(port, "GET", path, token)
        while view["status"] != "over" and (now := time.perf_counter()) < until:
            if view["legal"]:
                await asyncio.sleep(THINKING_SECONDS * (0.5 + rng.random()))
                answer = {"side": view["you"][0], "version": view["version"], "action": rng.choice(view["legal"])}
                ear.forget()
                status, view = await connection.ask(port, "POST", f"{path}/actions", token, answer)
                if status not in (200, 409):
                    raise RuntimeError(f"the server rejects an action (status {status}): {view}")
                if status == 409:  # a simultaneous choice, and the computer has chosen in between
                    _, view = await connection.ask(port, "GET", path, token)
            else:
                version = view["version"]
                await ear.news(TIMEOUT)
                _, view = await connection.ask(port, "GET", path, token)
                if view["version"] > version:
                    times.append(time.perf_counter() - now)
        ear.close()
    connection.close()
