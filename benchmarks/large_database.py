"""Response times of a server with many finished games: the home page, lists, and a step of a replay.

``python -m benchmarks web`` with 10,000 games; ``python -m benchmarks archive 100000`` with any number, and a tenth of
that number of users, who each request their own pages.
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sqlalchemy import Engine, insert

from benchmarks.client import HOST
from benchmarks.load import server
from brinkmanship.engine import fair, journal
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.games.registry import load_game
from brinkmanship.lab.diagnostics.speed import Figure, at_most
from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.accounts.authentication import COOKIE
from brinkmanship.web.support.tokens import digest
from brinkmanship.web.tables.live_table import ACTION, FINISHED

GAMES = 10_000
DIFFERENT_GAMES = 50
"""Number of distinct games; each is stored many times."""
PAGES = 40
"""Requests for each kind of page, each for another game."""
STEP = 30
MAX_MILLISECONDS = 100
GAMES_OF_A_PERSON = 10
"""Ratio of games to users: each user sits at twice as many tables."""
REQUESTS = 1_000
"""Requests for each kind of page, by random users and for random games."""
MAX_MILLISECONDS_AT_ALL = 50


def with_many_games(port: int = 8979) -> Iterator[Figure]:
    """Measure pages of a server with 10,000 finished games in its database."""
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{Path(folder) / 'archive.sqlite3'}"
        engine = open_database(url)
        fill(engine, load_game("13-days"), GAMES, DIFFERENT_GAMES)
        engine.dispose()
        with server(port, url):
            _milliseconds(port, "/")
            home = [_milliseconds(port, "/") for _ in range(PAGES)]
            steps = [_milliseconds(port, f"/t/{name_of(number)}/replay/{STEP}") for number in range(PAGES)]
            again = [_milliseconds(port, f"/t/{name_of(number)}/replay/{STEP + 1}") for number in range(PAGES)]
    for what, times in (("home_page", home), ("first_step", steps), ("next_step", again)):
        yield at_most(f"archive.{what}", float(np.median(times)), "ms", MAX_MILLISECONDS)


def with_people(games: int, database: str | None = None, port: int = 8979) -> Iterator[Figure]:
    """Measure requests of users with accounts on a server with many finished games between users.

    Args:
        games: number of games.
        database: the URL of an empty database, None: an SQLite file.
        port: port of the server.
    """
    people = max(1, games // GAMES_OF_A_PERSON)
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        url = database or f"sqlite:///{Path(folder) / 'archive.sqlite3'}"
        engine = open_database(url)
        _add_people(engine, people)
        fill(engine, load_game("13-days"), games, DIFFERENT_GAMES, people)
        if engine.dialect.name == "postgresql":
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM ANALYZE")
        engine.dispose()
        with server(port, url):
            yield from _times(port, games, people)


def _times(port: int, games: int, people: int) -> Iterator[Figure]:
    draw = np.random.default_rng(1)
    connection = HTTPConnection(HOST, port)
    asked: dict[str, Callable[[], str]] = {
        "home_page": lambda: "/",
        "lists": lambda: "/library",
        "history": lambda: f"/t/{name_of(int(draw.integers(games)))}/replay/{STEP}",
        "programs": lambda: "/api/v1/tables?mine=true",
    }
    for what, path in asked.items():
        times = []
        for number in range(REQUESTS + 1):
            token = _token(int(draw.integers(people)), what == "programs")
            headers = {"Authorization": f"Bearer {token}"} if what == "programs" else {"Cookie": f"{COOKIE}={token}"}
            began = time.perf_counter()
            connection.request("GET", path(), headers=headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{path()} returned status {answer.status}")
            if number:  # the first request warms caches
                times.append(1000 * (time.perf_counter() - began))
        half, almost_all = np.percentile(times, (50, 99))
        yield Figure(f"people.{what}.half_within", float(half), "ms")
        yield at_most(f"people.{what}.within_99", float(almost_all), "ms", MAX_MILLISECONDS_AT_ALL)


def _token(number: int, is_api_token: bool) -> str:
    return f"{'program' if is_api_token else 'browser'}-of-{number}"


def _add_people(engine: Engine, people: int) -> None:
    now = time.time()
    rows = [
        {"id": f"person{number}", "name": f"P {number}", "language": "en", "created_at": now}
        for number in range(people)
    ]
    sessions = [
        {
            "digest": digest(_token(number, is_api_token)),
            "person_id": f"person{number}",
            "created_at": now,
            "is_api_token": is_api_token,
            "used_at": now,
        }
        for number in range(people)
        for is_api_token in (False, True)
    ]
    with engine.begin() as connection:
        connection.execute(insert(schema.people), rows)
        connection.execute(insert(schema.sessions), sessions)


def name_of(number: int) -> str:
    """Return the id of the table of a game."""
    return f"game{number:07d}"


def fill(engine: Engine, game: Game, number_of_games: int, different: int, people: int = 0) -> None:
    """Put finished games into a database; `different` of them are distinct, the others are copies.

    Args:
        engine: the database.
        game: the ruleset.
        number_of_games: number of games.
        different: number of distinct games.
        people: number of users who played the games in turn; 0: computer players did.
    """
    played = [_played(game, number) for number in range(different)]
    for first in range(0, number_of_games, 500):
        tables: list[dict[str, Any]] = []
        seats: list[dict[str, Any]] = []
        records: list[dict[str, Any]] = []
        for number in range(first, min(first + 500, number_of_games)):
            secret, result, decisions = played[number % different]
            tables.append(
                {
                    "id": name_of(number),
                    "game": game.id,
                    "rules_version": game.version,
                    "options": {},
                    "secret": secret,
                    "commitment": fair.commitment(secret),
                    "is_open": False,
                    "clock": None,
                    "created_at": float(number),
                    "status": FINISHED,
                    "result": result,
                    "finished_at": float(number),
                    "asked": "",
                }
            )
            table = name_of(number)
            seats += [
                {
                    "table_id": table,
                    "side": side,
                    **_seat((number, number // people)[side] % people if people else None),
                }
                for side in range(2)
            ]
            records += [
                {
                    "table_id": name_of(number),
                    "number": place,
                    "kind": ACTION,
                    "actor": actor,
                    "value": action,
                    "at": 0.0,
                }
                for place, (actor, action) in enumerate(decisions, 1)
            ]
        with engine.begin() as connection:
            connection.execute(insert(schema.tables), tables)
            connection.execute(insert(schema.seats), seats)
            connection.execute(insert(schema.records), records)


def _seat(person: int | None) -> dict[str, Any]:
    if person is None:
        return {"computer": "random", "person_id": None, "name": ""}
    return {"computer": None, "person_id": f"person{person}", "name": f"P {person}"}


def _played(game: Game, seed: int) -> tuple[bytes, str, list[tuple[int, int]]]:
    """Return a random game: its secret, its result, and its decisions in order."""
    random = np.random.default_rng(seed)
    secret = random.bytes(fair.SECRET_BYTES)
    match = Match(game)
    decisions: list[tuple[int, int]] = []
    while not match.is_over:
        if match.actor == CHANCE:
            fair.advance(match, secret)
            continue
        side = min(match.pending)
        action = match.legal(side)[random.integers(len(match.legal(side)))].action
        decisions.append((side, action))
        match.push(action, side=side)
    return secret, journal.result_text(match), decisions


def _milliseconds(port: int, path: str) -> float:
    started = time.perf_counter()
    with urllib.request.urlopen(f"http://{HOST}:{port}{path}") as answer:
        answer.read()
    return 1000 * (time.perf_counter() - started)
