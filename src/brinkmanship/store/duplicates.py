"""Duplicate rounds: tables that play the same deal, sealed until all are finished; blocking, called in threads."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Engine, bindparam, func, insert, or_, select, update

from brinkmanship.store import game_results
from brinkmanship.store.schema import CHANGED, duplicate_players, duplicate_rounds, duplicate_tables, tables
from brinkmanship.store.writer import Statement

_insert_round = insert(duplicate_rounds)
_insert_table = insert(duplicate_tables)
_insert_player = insert(duplicate_players)
_of_round = select(duplicate_tables.c.table_id).where(duplicate_tables.c.round_id == bindparam("round"))
_close_waiting = (
    update(tables)
    .where(tables.c.id.in_(_of_round), tables.c.status == "waiting")
    .values(status="closed", asked="", finished_at=bindparam("at"), **CHANGED)
)
_unfinished = ("waiting", "dealing", "running")
_finish = (
    update(duplicate_rounds)
    .where(duplicate_rounds.c.id == bindparam("round"), duplicate_rounds.c.finished_at.is_(None))
    .where(~select(tables.c.id).where(tables.c.id.in_(_of_round), tables.c.status.in_(_unfinished)).exists())
    .values(finished_at=bindparam("at"))
)
_unseal = update(tables).where(tables.c.id.in_(_of_round)).values(sealed=False, **CHANGED)


class KeptRound(NamedTuple):
    """A duplicate round."""

    id: str
    organiser: str | None
    """User who invited the players; None for a round that a program of the server created."""
    commitment: str
    """Commitment to the secret of all its tables."""
    join_until: float | None
    """Time after which tables with free seats are closed; None if no seat was free."""
    created_at: float
    finished_at: float | None
    """Time at which all tables were revealed; None while one is played."""
    tables: tuple[str, ...]
    """Tables in their order."""


def new_round(round_id: str, organiser: str | None, commitment: str, join_until: float | None, at: float) -> Statement:
    """Return the statement that stores a round; it fails if the round already exists."""
    row = {"id": round_id, "organiser": organiser, "commitment": commitment, "join_until": join_until}
    return Statement(_insert_round, {**row, "created_at": at, "finished_at": None})


def new_table(round_id: str, number: int, table_id: str) -> Statement:
    """Return the statement that adds a table to a round."""
    return Statement(_insert_table, {"round_id": round_id, "number": number, "table_id": table_id})


def new_player(round_id: str, person_id: str) -> Statement:
    """Return the statement that adds a player to a round; it fails if they already play at another table of it."""
    return Statement(_insert_player, {"round_id": round_id, "person_id": person_id})


def settle(engine: Engine, round_id: str, at: float, closes_waiting: bool) -> bool:
    """End a round and reveal its tables; return False, with nothing changed, if it is not over or already ended.

    With `closes_waiting` the tables that still wait for a player are closed. A user who sits down at the same moment
    is too late, or starts a game, which then is not over.
    """
    row = {"round": round_id, "at": at}
    with engine.connect() as connection, connection.begin() as transaction:
        if closes_waiting:
            connection.execute(_close_waiting, row)
        if connection.execute(_finish, row).rowcount == 0:
            transaction.rollback()
            return False
        connection.execute(_unseal, row)
        began_to_end = select(func.min(tables.c.finished_at)).where(
            tables.c.id.in_(_of_round), tables.c.status == "over"
        )
        if (since := connection.execute(began_to_end, row).scalar()) is not None:
            game_results.look_again(connection, since)  # sealed games were not counted
        return True


def duplicate_round(engine: Engine, round_id: str) -> KeptRound | None:
    """Return a round, or None if it does not exist."""
    listed = select(duplicate_tables.c.table_id).where(duplicate_tables.c.round_id == round_id)
    with engine.connect() as connection:
        row = connection.execute(select(duplicate_rounds).where(duplicate_rounds.c.id == round_id)).mappings().first()
        found = tuple(connection.execute(listed.order_by(duplicate_tables.c.number)).scalars())
    return None if row is None else KeptRound(**row, tables=found)


def due(engine: Engine, now: float) -> list[str]:
    """Return the unfinished rounds in which no table is played or may still fill."""
    of_round = (
        select(tables.c.id)
        .join(duplicate_tables, duplicate_tables.c.table_id == tables.c.id)
        .where(duplicate_tables.c.round_id == duplicate_rounds.c.id)
    )
    wanted = select(duplicate_rounds.c.id).where(
        duplicate_rounds.c.finished_at.is_(None),
        ~of_round.where(tables.c.status.in_(("dealing", "running"))).exists(),
        or_(duplicate_rounds.c.join_until < now, ~of_round.where(tables.c.status == "waiting").exists()),
    )
    with engine.connect() as connection:
        return list(connection.execute(wanted).scalars())


def unfinished_count(engine: Engine, organiser: str) -> int:
    """Return the number of unfinished rounds that a user has organised."""
    mine = (duplicate_rounds.c.organiser == organiser) & duplicate_rounds.c.finished_at.is_(None)
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(duplicate_rounds).where(mine)).scalar_one()
