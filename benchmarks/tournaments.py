"""Tournaments played to their ends by programs over the HTTP API, while servers are killed.

``python -m benchmarks tournaments --database postgresql://...``: two servers share the database. A league of 22, a
Swiss of 64, a knock-out of 16 and two cups are played at once; every game ends when one side resigns. Servers are
killed with SIGKILL at random moments and started again. At the end the stored standings are compared with the results
of the tables, and nobody may have been paired twice.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Engine, select

from benchmarks.client import Connection
from benchmarks.load import wait_until_up
from brinkmanship.engine.errors import BrinkError
from brinkmanship.store import schema
from brinkmanship.store import tournaments as store
from brinkmanship.store.database import open_database
from brinkmanship.web.support.time_control import DAYS, Clock
from brinkmanship.web.tournaments.terms import TournamentSettings, checked

FIRST_PORT = 8990
SERVERS = 2
ASK_AGAIN_SECONDS = 1.0
CLOCK = Clock(DAYS, 3 * 24 * 3600.0)
ENTRY_SECONDS = 60.0
"""Time for entries: longer than it takes to enter all programs."""
CREATED = 201

EVENTS = (("league", 22, 8), ("swiss", 64, 64), ("knockout", 16, 16), ("cup", 4, 4), ("cup", 4, 4))
"""Kind, programs and size of each tournament."""


class TournamentError(BrinkError):
    """The tournaments cannot be played here."""


class Report(NamedTuple):
    """What has been played and found."""

    tournaments: int
    games: int
    seconds: float
    kills: int
    paired_twice: int
    """Pairs that met twice although that could be avoided, or people with two matches in a round."""
    lost_results: int
    """Finished tables whose result the standings do not have, or tables without a game."""
    wrong_totals: int
    """Players whose stored points differ from the recount."""


class Program(NamedTuple):
    """A program that plays."""

    name: str
    token: str


class _Servers:
    """Server processes on one database."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    async def start(self, port: int) -> None:
        limits = ("REQUESTS_PER_MINUTE", "REQUESTS_PER_MINUTE_OF_ADDRESS", "TABLES_OF_PERSON", "TABLES_OF_ADDRESS")
        environment = {**os.environ, **{f"BRINK_{name}": "10000000" for name in limits}}
        command = [sys.executable, "-m", "brinkmanship", "server", "run", "--port", str(port)]
        command += ["--database", self._database]
        output = subprocess.DEVNULL
        self._processes[port] = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        await wait_until_up(port)

    async def kill(self, port: int) -> None:
        self._processes[port].send_signal(signal.SIGKILL)
        self._processes[port].wait()
        await asyncio.sleep(2)
        await self.start(port)

    def stop(self) -> None:
        for process in self._processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self._processes.values():
            process.wait(30)


def play(database: str, kills: int, seed: int, say: Callable[[str], object]) -> Report:
    """Play all tournaments.

    Args:
        database: URL of an empty PostgreSQL database.
        kills: number of times a server is killed.
        seed: seed for results and kills.
        say: called with notes on the progress.

    Raises:
        TournamentError: it is not PostgreSQL.
    """
    if not database.startswith("postgresql"):
        raise TournamentError("two servers need PostgreSQL: give --database postgresql://USER@HOST/NAME")
    engine = open_database(database)
    try:
        return asyncio.run(_played(engine, _Servers(database), kills, random.Random(seed), say))
    finally:
        engine.dispose()


async def _played(
    engine: Engine, servers: _Servers, kills: int, dice: random.Random, say: Callable[[str], object]
) -> Report:
    ports = [FIRST_PORT + number for number in range(SERVERS)]
    for port in ports:
        await servers.start(port)
    began = time.monotonic()
    try:
        events = [await _entered(engine, ports, *event) for event in EVENTS]
        killing = asyncio.create_task(_kill(servers, ports, kills, dice, say))
        await asyncio.gather(*(_to_its_end(ports, each, programs, dice, say) for each, programs in events))
        await killing
        seconds = time.monotonic() - began
    finally:
        servers.stop()
    found = [_check(engine, tournament_id) for tournament_id, _ in events]
    with engine.connect() as connection:
        ours = set(connection.execute(select(schema.tournament_games.c.table_id)).scalars())
        tables = set(connection.execute(select(schema.tables.c.id)).scalars())
    twice, lost, wrong = (sum(each[part] for each in found) for part in range(3))
    return Report(len(events), len(tables), seconds, kills, twice, lost + len(tables - ours), wrong)


async def _kill(
    servers: _Servers, ports: list[int], kills: int, dice: random.Random, say: Callable[[str], object]
) -> None:
    for number in range(kills):
        await asyncio.sleep(dice.uniform(5, 25) + (ENTRY_SECONDS if number == 0 else 0))
        port = dice.choice(ports)
        say(f"kill -9 the server on port {port}")
        await servers.kill(port)


async def _entered(engine: Engine, ports: list[int], kind: str, people: int, size: int) -> tuple[str, list[Program]]:
    """Return a tournament that programs have entered."""
    programs = []
    for number in range(people):
        name = f"{kind} {number}"
        made = await _ask(ports, "POST", "/tokens", "", {"name": name})
        programs.append(Program(name, made["token"]))
    starts_at = time.time() + ENTRY_SECONDS if kind == "league" else None
    with engine.connect() as connection:
        organiser = connection.execute(select(schema.people.c.id).limit(1)).scalar_one()
    plan = TournamentSettings(kind, kind, "13-days", CLOCK, size, round_days=30, starts_at=starts_at)
    new = checked(plan, organiser, time.time())
    store.create(engine, new, time.time())
    for program in programs:
        await _ask(ports, "POST", f"/tournaments/{new.id}/enter", program.token, {})
    return new.id, programs


async def _to_its_end(
    ports: list[int], tournament_id: str, programs: list[Program], dice: random.Random, say: Callable[[str], object]
) -> None:
    tokens = {program.name: program.token for program in programs}
    rounds = 0
    while True:
        seen = await _ask(ports, "GET", f"/tournaments/{tournament_id}", programs[0].token)
        if seen["status"] == "over":
            say(f"{seen['kind']} is over")
            return
        latest = max((match["round"] for match in seen["matches"]), default=0)
        if latest > rounds:
            rounds = latest
            say(f"{seen['kind']}: round {rounds}")
        for match in seen["matches"]:
            for game in match["games"]:
                if game["points"] is None and game["table"]:
                    await _resign(ports, game["table"], tokens[dice.choice((match["first"], match["second"]))])
        await asyncio.sleep(ASK_AGAIN_SECONDS)


async def _resign(ports: list[int], table: str, token: str) -> None:
    for side in ("us", "ussr"):
        with suppress(PermissionError):
            await _ask(ports, "POST", f"/tables/{table}/resign?side={side}", token)


async def _ask(ports: list[int], method: str, path: str, token: str = "", body: object = None) -> Any:
    """Return the response of either server; ask the other one where one has been killed.

    Raises:
        PermissionError: the request was refused.
    """
    while True:
        for port in random.sample(ports, len(ports)):
            connection = Connection()
            try:
                status, answer = await connection.ask(port, method, path, token, body)
            except OSError:
                continue
            finally:
                connection.close()
            if status in (503, 409):
                continue
            if status > CREATED:
                raise PermissionError(f"{status} for {path}: {answer}")
            return answer
        await asyncio.sleep(0.2)


def _check(engine: Engine, tournament_id: str) -> tuple[int, int, int]:
    """Return how many pairings came twice, results are missing and totals differ from a recount of the tables."""
    record = store.read(engine, tournament_id)
    assert record is not None, "it has just been played"
    matches = record.event.matches
    in_round = Counter((*match.place[:2], person) for match in matches for person in match.people)
    met = Counter(frozenset(match.people) for match in matches if match.second is not None)
    twice = sum(count > 1 for count in (*in_round.values(), *met.values()))
    points = Counter[str]()
    lost = 0
    games, seats, tables = schema.tournament_games, schema.seats, schema.tables
    with engine.connect() as connection:
        rows = connection.execute(
            select(tables.c.id, tables.c.status, tables.c.result, games.c.decided_at)
            .join(games, games.c.table_id == tables.c.id)
            .where(games.c.tournament_id == tournament_id)
        ).all()
        for row in rows:
            lost += row.status != "over" or row.decided_at is None
            winner = ("us", "ussr").index(row.result.partition(" by ")[0])
            is_winner = (seats.c.table_id == row.id) & (seats.c.side == winner)
            points[connection.execute(select(seats.c.person_id).where(is_winner)).scalar_one()] += 1
    if record.tournament.kind == "swiss":
        points.update({match.first: 2 for match in matches if match.second is None})
    stored = {person: won for division in store.final_standings(engine, tournament_id) for person, won in division}
    wrong = sum(stored.get(entry.person) != points[entry.person] for entry in record.event.entries)
    return twice, lost, wrong
