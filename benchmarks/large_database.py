"""Response times of a server with many finished games: the home page, lists, and a step of a replay.

``python -m benchmarks web`` with 10,000 games; ``python -m benchmarks archive 100000`` with any number, and a tenth of
that number of users, who each request their own pages and those of others, with tournaments and seeks (`community`).
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Engine, insert

from benchmarks.client import HOST
from benchmarks.community import GAME, RUNNING_TOURNAMENTS, fill_community, person_id, tournament_id
from benchmarks.load import cpu_seconds, server
from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.games.registry import load_game
from brinkmanship.lab.diagnostics.speed import SpeedFigure, at_most
from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.accounts.authentication import COOKIE
from brinkmanship.web.support.tokens import digest
from brinkmanship.web.tables.record_kinds import ACTION
from brinkmanship.web.tables.statuses import FINISHED

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


def with_many_games(port: int = 8979) -> Iterator[SpeedFigure]:
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


def with_people(
    games: int, database: str | None = None, requests: int = REQUESTS, port: int = 8979
) -> Iterator[SpeedFigure]:
    """Measure requests of users with accounts on a server with many finished games between users.

    Args:
        games: number of games.
        database: the URL of an empty database, None: an SQLite file.
        requests: requests for each kind of page.
        port: port of the server.
    """
    people = max(1, games // GAMES_OF_A_PERSON)
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        url = database or f"sqlite:///{Path(folder) / 'archive.sqlite3'}"
        engine = open_database(url)
        _add_people(engine, people)
        fill(engine, load_game(GAME), games, DIFFERENT_GAMES, people)
        players = [players_of(number, people) for number in range(games)]
        fill_community(engine, [name_of(number) for number in range(games)], players, people)
        if engine.dialect.name == "postgresql":
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM ANALYZE")
        engine.dispose()
        with server(port, url) as process:
            yield from _times(port, process, games, people, requests)


class _Page(NamedTuple):
    """A kind of page that users request."""

    name: str
    path: Callable[[np.random.Generator], str]
    """Return the path of one page of this kind."""
    is_for_programs: bool = False


def _pages(games: int, people: int) -> list[_Page]:
    return [
        _Page("home_page", lambda _: "/"),
        _Page("lobby", lambda _: "/lobby"),
        _Page("profile", lambda draw: f"/people/{person_id(int(draw.integers(people)))}"),
        _Page("history", lambda draw: f"/people/{person_id(int(draw.integers(people)))}/games"),
        _Page("leaderboard", lambda _: f"/ratings/{GAME}"),
        _Page("leaderboard_later", lambda draw: f"/ratings/{GAME}?after={person_id(int(draw.integers(people)))}"),
        _Page("tournaments", lambda _: "/tournaments"),
        _Page("tournament", lambda draw: f"/tournaments/{tournament_id(int(draw.integers(RUNNING_TOURNAMENTS)))}"),
        _Page("lists", lambda _: "/library"),
        _Page("replay", lambda draw: f"/t/{name_of(int(draw.integers(games)))}/replay/{STEP}"),
        _Page("programs", lambda _: "/api/v1/tables?mine=true", is_for_programs=True),
    ]


def _times(port: int, process: int, games: int, people: int, requests: int) -> Iterator[SpeedFigure]:
    draw = np.random.default_rng(1)
    connection = HTTPConnection(HOST, port)
    for page in _pages(games, people):
        times, began_at = [], 0.0
        for number in range(requests + 1):
            if number == 1:  # the first request warms caches
                began_at = cpu_seconds(process)
            token = _token(int(draw.integers(people)), page.is_for_programs)
            times.append(_one_request(connection, page.path(draw), token, page.is_for_programs))
        half, almost_all = np.percentile(times[1:], (50, 99))
        yield SpeedFigure(f"people.{page.name}.half_within", float(half), "ms")
        yield at_most(f"people.{page.name}.within_99", float(almost_all), "ms", MAX_MILLISECONDS_AT_ALL)
        yield SpeedFigure(f"people.{page.name}.processor", 1000 * (cpu_seconds(process) - began_at) / requests, "ms")


def _one_request(connection: HTTPConnection, path: str, token: str, is_for_programs: bool) -> float:
    """Return the time (ms) of one request."""
    headers = {"Authorization": f"Bearer {token}"} if is_for_programs else {"Cookie": f"{COOKIE}={token}"}
    began = time.perf_counter()
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} returned status {answer.status}")
    return 1000 * (time.perf_counter() - began)


def _token(number: int, is_api_token: bool) -> str:
    return f"{'program' if is_api_token else 'browser'}-of-{number}"


def _add_people(engine: Engine, people: int) -> None:
    now = time.time()
    rows = [
        {"id": person_id(number), "name": f"P {number}", "login": f"p {number}", "language": "en", "created_at": now}
        for number in range(people)
    ]
    sessions = [
        {
            "digest": digest(_token(number, is_api_token)),
            "person_id": person_id(number),
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


def players_of(number: int, people: int) -> tuple[int, int]:
    """Return the numbers of the users who played a game."""
    first = number % people
    return first, (first + 1 + number // people) % people


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
                    "commitment": commit_reveal.commitment(secret),
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
                    **_seat(players_of(number, people)[side] if people else None),
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
    return {"computer": None, "person_id": person_id(person), "name": f"P {person}"}


def _played(game: Game, seed: int) -> tuple[bytes, str, list[tuple[int, int]]]:
    """Return a random game: its secret, its result, and its decisions in order."""
    random = np.random.default_rng(seed)
    secret = random.bytes(commit_reveal.SECRET_BYTES)
    match = Match(game)
    decisions: list[tuple[int, int]] = []
    while not match.is_over:
        if match.actor == CHANCE:
            commit_reveal.advance(match, secret)
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
