"""How a server answers that has seen many games: the home page, and a step of a replay. ``brink bench --web``."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sqlalchemy import Engine, insert

from brinkmanship.engine import fair, journal
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.games import load_game
from brinkmanship.lab.bench import Figure, at_most
from brinkmanship.lab.load import HOST, server
from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.table import ACTION, FINISHED

GAMES = 10_000
DIFFERENT_GAMES = 50
"""So many are played; each is kept many times over."""
PAGES = 40
"""So many pages of each kind are asked for, each of another game."""
STEP = 30
MOST_MILLISECONDS = 100


def with_many_games(port: int = 8979) -> Iterator[Figure]:
    """Times of pages of a server with 10,000 finished games in its database."""
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{Path(folder) / 'archive.sqlite3'}"
        engine = open_database(url)
        _fill(engine, load_game("13-days"))
        engine.dispose()
        with server(port, url):
            _milliseconds(port, "/")
            home = [_milliseconds(port, "/") for _ in range(PAGES)]
            steps = [_milliseconds(port, f"/t/{_name(number)}/replay/{STEP}") for number in range(PAGES)]
            again = [_milliseconds(port, f"/t/{_name(number)}/replay/{STEP + 1}") for number in range(PAGES)]
    for what, times in (("home page", home), ("replay, first step", steps), ("replay, next step", again)):
        yield at_most(f"10,000 games: {what}", float(np.median(times)), "ms", MOST_MILLISECONDS)


def _name(number: int) -> str:
    return f"game{number:05d}"


def _fill(engine: Engine, game: Game) -> None:
    played = [_played(game, number) for number in range(DIFFERENT_GAMES)]
    for first in range(0, GAMES, 500):
        tables: list[dict[str, Any]] = []
        seats: list[dict[str, Any]] = []
        records: list[dict[str, Any]] = []
        for number in range(first, first + 500):
            secret, result, decisions = played[number % DIFFERENT_GAMES]
            tables.append(
                {
                    "id": _name(number),
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
            seats += [{"table_id": _name(number), "side": side, "computer": "random"} for side in range(2)]
            records += [
                {"table_id": _name(number), "number": place, "kind": ACTION, "actor": actor, "value": action, "at": 0.0}
                for place, (actor, action) in enumerate(decisions, 1)
            ]
        with engine.begin() as connection:
            connection.execute(insert(schema.tables), tables)
            connection.execute(insert(schema.seats), seats)
            connection.execute(insert(schema.records), records)


def _played(game: Game, seed: int) -> tuple[bytes, str, list[tuple[int, int]]]:
    """A random game: its secret, its result, and its decisions in the order in which they were taken."""
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
