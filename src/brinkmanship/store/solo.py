"""Crisis diaries: the last attempt at each stage; blocking, called in threads."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Engine, bindparam, delete, exists, insert, select, update

from brinkmanship.store.schema import solo_games, tables
from brinkmanship.store.writer import Statement

_columns = solo_games.c
_insert_stage = insert(solo_games)
_stage = (
    (_columns.person_id == bindparam("person"))
    & (_columns.game == bindparam("of_game"))
    & (_columns.side == bindparam("of_side"))
)
_last_attempt = _stage & (_columns.stage == bindparam("at_stage")) & (_columns.table_id == bindparam("old_table"))
# Statements that must change a row run before the new table is inserted, so this one cannot refer to it. It compares
# and swaps the number of attempts: of two in one transaction the second changes nothing.
_count_attempt = (
    update(solo_games)
    .where(_last_attempt, _columns.attempts == bindparam("old_attempts"))
    .values(attempts=_columns.attempts + 1)
)
_repeat = update(solo_games).where(_last_attempt).values(table_id=bindparam("new_table"))
_remove = delete(solo_games).where(_stage)


class Attempt(NamedTuple):
    """The last attempt at a stage."""

    game: str
    side: int
    stage: int
    table_id: str
    attempts: int
    """Number of attempts at this stage."""
    status: str
    """Status of its table."""
    result: str


def attempts(engine: Engine, person_id: str) -> list[Attempt]:
    """Return the last attempts of a user at all stages that they have begun."""
    names = (_columns.game, _columns.side, _columns.stage, _columns.table_id, _columns.attempts)
    wanted = (
        select(*names, tables.c.status, tables.c.result)
        .join(tables, tables.c.id == _columns.table_id)
        .where(_columns.person_id == person_id)
        .order_by(_columns.game, _columns.side, _columns.stage)
    )
    with engine.connect() as connection:
        return [Attempt(*row) for row in connection.execute(wanted)]


def first_attempt(person_id: str, game: str, side: int, stage: int, table_id: str) -> Statement:
    """Return the statement that stores the first attempt at a stage; it fails if there is one already."""
    row = {"person_id": person_id, "game": game, "side": side, "stage": stage, "table_id": table_id, "attempts": 1}
    return Statement(_insert_stage, row)


def next_attempt(person_id: str, old: Attempt, table_id: str) -> tuple[Statement, ...]:
    """Return the statements that store another attempt; they fail if there is a newer one than `old`."""
    row = {**_of(person_id, old.game, old.side), "at_stage": old.stage, "old_table": old.table_id}
    return (
        Statement(_count_attempt, {**row, "old_attempts": old.attempts}, must_change=True),
        Statement(_repeat, {**row, "new_table": table_id}),
    )


def remove(person_id: str, game: str, side: int) -> Statement:
    """Return the statement that removes a diary; its games stay."""
    return Statement(_remove, _of(person_id, game, side))


def bring(connection: Connection, guest_id: str, person_id: str) -> None:
    """Move the diaries of a guest to an account, except those that the account has begun itself."""
    known = solo_games.alias("known")
    is_known = exists().where(
        known.c.person_id == person_id, known.c.game == _columns.game, known.c.side == _columns.side
    )
    brought = (_columns.person_id == guest_id) & ~is_known
    connection.execute(update(solo_games).where(brought).values(person_id=person_id))


def _of(person_id: str, game: str, side: int) -> dict[str, object]:
    return {"person": person_id, "of_game": game, "of_side": side}
