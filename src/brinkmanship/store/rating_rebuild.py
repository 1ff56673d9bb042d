"""Compute all ratings again from the stored results; see `rating_ledger` for the order of the games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, bindparam, delete, insert, select, update

from brinkmanship.rating.bookkeeping import RatedResult, Recollection, rate
from brinkmanship.store.database import snapshot
from brinkmanship.store.rating_ledger import (
    change_values,
    insert_advantages,
    lock_ledger,
    rating_profile,
    standing_values,
)
from brinkmanship.store.schema import rated_games, rating_changes, rating_ledger, side_advantages
from brinkmanship.store.schema import ratings as standings

GAME_COLUMNS = ("advantage", "weight")
SIDE_COLUMNS = ("counts", "before", "deviation_before", "after", "deviation_after")
"""Columns of the two tables that follow from earlier games."""


class Rebuilt(NamedTuple):
    """Ratings computed again."""

    memory: Recollection
    games: list[dict[str, Any]]
    """Changed rows of `rated_games`."""
    sides: list[dict[str, Any]]
    """Changed rows of `rating_changes`."""
    total: int
    """Number of all games."""


def rebuild(engine: Engine) -> int:
    """Compute all ratings again; return the number of games.

    Computing goes before locking, because in SQLite no one else can write meanwhile.
    """
    with snapshot(engine) as connection:
        number = connection.execute(select(rating_ledger.c.number)).scalar_one()
        rebuilt = _rebuilt(connection)
    with engine.begin() as connection:
        if lock_ledger(connection) != number:
            rebuilt = _rebuilt(connection)
        _replace(connection, rebuilt)
    return rebuilt.total


def _rebuilt(connection: Connection) -> Rebuilt:
    memory, games, sides, total = Recollection(), list[dict[str, Any]](), list[dict[str, Any]](), 0
    for result, row in _stored(connection):
        outcome = rate(memory, rating_profile(result.game), result)
        memory.note(result, outcome)
        total += 1
        key = {"id": result.table_id}
        game = {"advantage": outcome.advantage.value, "weight": outcome.weight}
        if any(row[name] != value for name, value in game.items()):
            games.append(key | _new(game))
        for side in (0, 1):
            change = change_values(outcome, side)
            if any(row[f"{name}_{side}"] != value for name, value in change.items()):
                sides.append(key | {"of": side} | _new(change))
    return Rebuilt(memory, games, sides, total)


def _stored(connection: Connection) -> Iterable[tuple[RatedResult, Any]]:
    """Yield the rated games in order, each with the row of what was stored of it."""
    sides = (rating_changes.alias(), rating_changes.alias())
    columns = [
        table.c[name].label(f"{name}_{side}") for side, table in enumerate(sides) for name in ("player", *SIDE_COLUMNS)
    ]
    wanted = select(rated_games, *columns).order_by(rated_games.c.number)
    for side, table in enumerate(sides):
        wanted = wanted.join(table, (table.c.table_id == rated_games.c.table_id) & (table.c.side == side))
    for row in connection.execute(wanted).mappings():
        facts = (row["table_id"], row["game"], row["ruleset"], row["at"], row["score"])
        yield RatedResult(*facts, (row["player_0"], row["player_1"])), row


def _new(values: dict[str, Any]) -> dict[str, Any]:
    return {f"new_{name}": value for name, value in values.items()}


def _replace(connection: Connection, rebuilt: Rebuilt) -> None:
    is_game = rated_games.c.table_id == bindparam("id")
    is_side = (rating_changes.c.table_id == bindparam("id")) & (rating_changes.c.side == bindparam("of"))
    if rebuilt.games:
        connection.execute(update(rated_games).where(is_game).values(_changed(GAME_COLUMNS)), rebuilt.games)
    if rebuilt.sides:
        connection.execute(update(rating_changes).where(is_side).values(_changed(SIDE_COLUMNS)), rebuilt.sides)
    connection.execute(delete(standings))
    connection.execute(delete(side_advantages))
    rows = [
        {"person_id": person, "game": game, **standing_values(standing)}
        for (person, game), standing in rebuilt.memory.standings.items()
    ]
    if rows:
        connection.execute(insert(standings), rows)
    for ruleset, advantages in rebuilt.memory.advantages.items():
        insert_advantages(connection, ruleset, advantages)


def _changed(names: Sequence[str]) -> dict[str, Any]:
    return {name: bindparam(f"new_{name}") for name in names}
