"""A community in a database: accounts with ratings and public profiles, results, tournaments, seeks, open tables."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, Table, insert

from brinkmanship.store import schema
from brinkmanship.store.seeks import DAYS, OPEN
from brinkmanship.tournament.event import OVER, RUNNING, SWISS

GAME = "13-days"
RULESET = ""
RUNNING_TOURNAMENTS = 200
FINISHED_TOURNAMENTS = 800
PLAYERS = 16
"""Players of a tournament."""
ROUNDS = 3
SEEKS = 100
OPEN_TABLES = 100
FAR = 10 * 365 * 24 * 3600.0
"""Time (s) in which nothing of this falls due."""
ROWS_AT_ONCE = 20_000

Rows = Iterator[dict[str, Any]]


def person_id(number: int) -> str:
    """Return the id of a user."""
    return f"person{number}"


def tournament_id(number: int) -> str:
    """Return the id of a tournament; the running ones come first."""
    return f"cup{number}"


def fill_community(engine: Engine, tables: Sequence[str], players: Sequence[tuple[int, int]], people: int) -> None:
    """Add to users and finished games what belongs to them.

    Args:
        engine: the database.
        tables: tables of the games, in the order in which they ended.
        players: numbers of the users of each game, by side.
        people: number of users.
    """
    now, draw = time.time(), np.random.default_rng(2)
    strength = draw.normal(1500, 130, people)
    everyone, games = range(people), list(enumerate(zip(tables, players, strict=True)))
    with engine.begin() as connection:
        _insert(connection, schema.public_profiles, ({"person_id": person_id(n), "since": 1.0} for n in everyone))
        _insert(connection, schema.ratings, (_rating(n, float(strength[n]), now) for n in everyone))
        _insert(connection, schema.game_results, (row for n, game in games for row in _results(n, *game)))
        _insert(connection, schema.rated_games, (_rated(n, table) for n, (table, _) in games))
        _insert(connection, schema.rating_changes, (row for n, game in games for row in _changes(n, *game, strength)))
        _insert(connection, schema.results_progress, iter([{"id": 1, "through": now, "leased_until": 0.0}]))
        _insert(connection, schema.seeks, (_seek(n, people, now) for n in range(SEEKS)))
        _insert(connection, schema.tables, (_open_table(n, now) for n in range(OPEN_TABLES)))
        _insert(connection, schema.seats, (row for n in range(OPEN_TABLES) for row in _open_seats(n, people)))
        _fill_tournaments(connection, tables, people, now)


def _insert(connection: Connection, table: Table, rows: Rows) -> None:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROWS_AT_ONCE:
            connection.execute(insert(table), batch)
            batch.clear()
    if batch:
        connection.execute(insert(table), batch)


def _rating(number: int, value: float, now: float) -> dict[str, Any]:
    person = {"person_id": person_id(number), "game": GAME, "rating": value, "deviation": 60.0}
    return {**person, "games": 20, "at": now, "is_listed": True}


def _results(number: int, table: str, players: tuple[int, int]) -> Rows:
    for side in (0, 1):
        yield {
            "table_id": table,
            "side": side,
            "person_id": person_id(players[side]),
            "opponent_id": person_id(players[1 - side]),
            "opponent_key": f"p {players[1 - side]}",
            "game": GAME,
            "is_standard": True,
            "is_open": number % 2 == 0,
            "rated": True,
            "pace": "days",
            "score": (1 - 2 * side) * (1 - 2 * (number % 2)),
            "ending": "points",
            "agenda": f"a{number % 13}",
            "turns": 40,
            "finished_at": float(number),
        }


def _rated(number: int, table: str) -> dict[str, Any]:
    game = {"table_id": table, "number": number + 1, "game": GAME, "ruleset": RULESET}
    return {**game, "at": float(number), "score": 1.0, "advantage": 0.0, "weight": 1.0}


def _changes(number: int, table: str, players: tuple[int, int], strength: Any) -> Rows:
    for side in (0, 1):
        value = float(strength[players[side]])
        yield {
            "table_id": table,
            "side": side,
            "number": number + 1,
            "game": GAME,
            "at": float(number),
            "person_id": person_id(players[side]),
            "player": person_id(players[side]),
            "opponent": person_id(players[1 - side]),
            "score": 1.0 - side,
            "is_early": False,
            "counts": True,
            "before": value,
            "deviation_before": 61.0,
            "after": value + 10 * (1 - 2 * side),
            "deviation_after": 60.0,
        }


def _seek(number: int, people: int, now: float) -> dict[str, Any]:
    """Return a seek for one side only, so that no two of them are paired."""
    seek = {"id": f"seek{number}", "person_id": person_id(number % people), "wants": f"{GAME}:0", "clocks": "days 3"}
    times = {"created_at": now, "expires_at": now + FAR, "seen_at": now, "announced_at": now}
    return {**seek, **times, "pace": DAYS, "rated": False, "state": OPEN}


def _open_table(number: int, now: float) -> dict[str, Any]:
    table = {"id": f"open{number}", "game": GAME, "rules_version": 1, "options": {}, "secret": b"0" * 32}
    waits = {"commitment": "", "is_open": True, "created_at": now, "status": "waiting", "result": "", "asked": ""}
    return {**table, **waits}


def _open_seats(number: int, people: int) -> Rows:
    host = number % people
    yield {"table_id": f"open{number}", "side": 0, "person_id": person_id(host), "name": f"P {host}"}
    yield {"table_id": f"open{number}", "side": 1, "person_id": None, "name": ""}


def _fill_tournaments(connection: Connection, tables: Sequence[str], people: int, now: float) -> None:
    numbers = range(RUNNING_TOURNAMENTS + FINISHED_TOURNAMENTS)
    pairs = [(n, round_, place) for n in numbers for round_ in range(ROUNDS) for place in range(PLAYERS // 2)]
    games = [(*pair, game) for pair in pairs for game in (0, 1)][: len(tables)]
    _insert(connection, schema.tournaments, (_tournament(n, people, now) for n in numbers))
    _insert(connection, schema.tournament_entries, (row for n in numbers for row in _entries(n, people)))
    _insert(connection, schema.tournament_matches, (_match(*pair, people) for pair in pairs))
    _insert(
        connection,
        schema.tournament_games,
        (_game(*game, table) for game, table in zip(games, tables[: len(games)], strict=True)),
    )


def _tournament(number: int, people: int, now: float) -> dict[str, Any]:
    is_running = number < RUNNING_TOURNAMENTS
    return {
        "id": tournament_id(number),
        "kind": SWISS,
        "name": f"Tournament {number}",
        "about": "",
        "game": GAME,
        "options": {},
        "clock": {"kind": "days", "days": 3},
        "rated": True,
        "organiser_id": person_id(number % people),
        "is_listed": True,
        "size": PLAYERS,
        "round_days": 30,
        "status": RUNNING if is_running else OVER,
        "created_at": now - number,
        "begun_at": now - number,
        "finished_at": None if is_running else now,
        "season": 1,
        "changes": 0,
        "due_at": None,
    }


def _players(number: int, people: int) -> list[str]:
    return [person_id((number * PLAYERS + place) % people) for place in range(min(PLAYERS, people))]


def _entries(number: int, people: int) -> Rows:
    for seed, person in enumerate(_players(number, people)):
        entry = {"tournament_id": tournament_id(number), "person_id": person, "entered_at": float(seed)}
        yield {**entry, "is_substitute": False, "division": 0, "seed": seed, "is_struck": False}


def _place(number: int, round_: int, place: int) -> dict[str, Any]:
    return {"tournament_id": tournament_id(number), "division": 0, "round": round_ + 1, "number": place}


def _match(number: int, round_: int, place: int, people: int) -> dict[str, Any]:
    entered = _players(number, people)
    half = len(entered) // 2
    first, second = entered[place % half], entered[half + (place + round_) % half]
    at = _place(number, round_, place)
    return {**at, "first_id": first, "second_id": second, "starts_at": 1.0, "is_struck": False}


def _game(number: int, round_: int, place: int, game: int, table: str) -> dict[str, Any]:
    points = {"first_points": 1.0 - game, "second_points": float(game), "decided_at": 1.0}
    return {**_place(number, round_, place), "game": game, "table_id": table, "first_side": game, **points}
