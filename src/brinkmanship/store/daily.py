"""Deals of the day: the games of users, their results, and the comparison of a day; blocking, called in threads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Connection, Engine, RowMapping, bindparam, case, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store import game_results
from brinkmanship.store.notices import server_key
from brinkmanship.store.schema import CHANGED, analyses, daily_games, daily_reports, people, tables
from brinkmanship.store.writer import Statement

KEY_NAME = "daily"

_columns = daily_games.c
_insert_game = insert(daily_games)
_set_score = (
    update(daily_games)
    .where(_columns.table_id == bindparam("table"), _columns.score.is_(None))
    .values(score=bindparam("new_score"), is_abandoned=bindparam("is_left"))
)
_set_luck = (
    update(daily_games)
    .where(_columns.table_id == bindparam("table"))
    .values(luck_adjusted=case((_columns.side == 0, bindparam("first")), else_=bindparam("second")))
)


class DailyGame(NamedTuple):
    """A user's game of a deal of the day."""

    game: str
    day: int
    person_id: str
    table_id: str
    side: int
    score: int | None
    """1 for a win, 0 without a winner, -1 for a loss; None while it is being played."""
    is_abandoned: bool
    """True if it was not finished when the day ended."""
    luck_adjusted: float | None
    """Result without luck, about 0..1; None before its analysis."""
    revealed_at: float | None
    """Time at which the tables of the day were opened to everyone."""
    name: str = ""
    """Display name of the user."""
    is_guest: bool = False
    """True if the user has no account."""


class EndedGame(NamedTuple):
    """A daily game that has ended, or is due to end."""

    table_id: str
    game: str
    side: int
    person_id: str
    result: str
    """Result as in journals; "" while it is being played."""


def secret_key(engine: Engine, new: bytes) -> bytes:
    """Return the server's secret from which all deals of the day follow; the first process to ask stores its own."""
    with engine.begin() as connection:
        return server_key(connection, KEY_NAME, new)


def new_game(game: str, day: int, person_id: str, table_id: str, side: int) -> Statement:
    """Return the statement that stores a game; it fails if the user has already played this deal."""
    row = {"game": game, "day": day, "person_id": person_id, "table_id": table_id, "side": side}
    return Statement(_insert_game, {**row, "is_abandoned": False})


def scored(table_id: str, score: int, is_abandoned: bool) -> Statement:
    """Return the statement that stores the result of a game, once."""
    return Statement(_set_score, {"table": table_id, "new_score": score, "is_left": is_abandoned})


def luck_statement(table_id: str, adjusted: tuple[float, float]) -> Statement:
    """Return the statement that stores the result without luck of a daily game, given that of each side."""
    return Statement(_set_luck, {"table": table_id, "first": adjusted[0], "second": adjusted[1]})


def own_games(engine: Engine, person_id: str, days: Collection[int]) -> list[DailyGame]:
    """Return a user's games of some days."""
    wanted = select(daily_games).where(_columns.person_id == person_id, _columns.day.in_(days))
    with engine.connect() as connection:
        return [DailyGame(**row) for row in connection.execute(wanted).mappings()]


def counts(engine: Engine, games: Collection[str], day: int) -> dict[str, int]:
    """Return the number of players of each game on a day."""
    wanted = select(_columns.game, func.count()).where(_columns.game.in_(games), _columns.day == day)
    with engine.connect() as connection:
        return {row[0]: row[1] for row in connection.execute(wanted.group_by(_columns.game))}


def results(engine: Engine, game: str, day: int, limit: int) -> list[DailyGame]:
    """Return the finished games of a day: those of accounts, then those of guests.

    Of each the best without luck comes first, then those not analysed, then abandoned ones.
    """
    is_guest = people.c.login.is_(None)
    wanted = (
        select(daily_games, people.c.name, is_guest.label("is_guest"))
        .join(people, people.c.id == _columns.person_id)
        .where(_columns.game == game, _columns.day == day, _columns.score.is_not(None))
        .order_by(
            is_guest,
            _columns.is_abandoned,
            _columns.luck_adjusted.is_(None),
            _columns.luck_adjusted.desc(),
            _columns.score.desc(),
        )
        .order_by(_columns.person_id)
        .limit(limit)
    )
    with engine.connect() as connection:
        return [DailyGame(**row) for row in connection.execute(wanted).mappings()]


def days_played(engine: Engine, person_id: str, limit: int) -> list[tuple[int, int | None]]:
    """Return the last days on which a user played, newest first, each with the best score; None: none finished."""
    wanted = (
        select(_columns.day, func.max(_columns.score))
        .where(_columns.person_id == person_id)
        .group_by(_columns.day)
        .order_by(_columns.day.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        return [(row[0], row[1]) for row in connection.execute(wanted)]


def bring(connection: Connection, guest_id: str, person_id: str) -> None:
    """Move the games of a guest to an account, except those of deals that the account has played itself."""
    known = daily_games.alias("known")
    is_known = exists().where(
        known.c.person_id == person_id, known.c.game == _columns.game, known.c.day == _columns.day
    )
    brought = (_columns.person_id == guest_id) & ~is_known
    connection.execute(update(daily_games).where(brought).values(person_id=person_id))


# The end of games and days.


def ended(engine: Engine, limit: int) -> list[EndedGame]:
    """Return games that are over and have no score yet."""
    return _unscored(engine, limit, tables.c.status == "over")


def overdue(engine: Engine, day: int, limit: int) -> list[EndedGame]:
    """Return games of days before `day` that are still being played."""
    return _unscored(engine, limit, (tables.c.status == "running") & (_columns.day < day))


def _unscored(engine: Engine, limit: int, condition: object) -> list[EndedGame]:
    wanted = (
        select(_columns.table_id, _columns.game, _columns.side, _columns.person_id, tables.c.result)
        .join(tables, tables.c.id == _columns.table_id)
        .where(_columns.revealed_at.is_(None), _columns.score.is_(None), condition)  # type: ignore[arg-type]
        .limit(limit)
    )
    with engine.connect() as connection:
        return [EndedGame(*row) for row in connection.execute(wanted)]


def without_analysis(engine: Engine, games: Collection[str], since: int, limit: int) -> Sequence[str]:
    """Return the tables of games finished since a day whose analysis has not been requested."""
    wanted = (
        select(_columns.table_id)
        .outerjoin(analyses, analyses.c.table_id == _columns.table_id)
        .where(_columns.game.in_(games), _columns.day >= since)
        .where(_columns.score.is_not(None), _columns.is_abandoned.is_(False), analyses.c.about.is_(None))
        .order_by(_columns.day.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        return connection.execute(wanted).scalars().all()


def ended_days(engine: Engine, day: int) -> list[tuple[str, int]]:
    """Return the game and day of each deal before `day` whose tables are still sealed."""
    wanted = select(_columns.game, _columns.day).where(_columns.revealed_at.is_(None), _columns.day < day).distinct()
    with engine.connect() as connection:
        return [(row[0], row[1]) for row in connection.execute(wanted)]


def reveal(engine: Engine, game: str, day: int, at: float) -> list[str]:
    """Open all tables of an ended day to everyone; return them, or none while a game has no score."""
    of_day = (_columns.game == game) & (_columns.day == day)
    unscored = daily_games.alias("unscored")
    has_unscored = exists().where(unscored.c.game == game, unscored.c.day == day, unscored.c.score.is_(None))
    # One statement sees one state of the database: a game that begins meanwhile stays sealed.
    opened = (
        update(daily_games)
        .where(of_day, _columns.revealed_at.is_(None), ~has_unscored)
        .values(revealed_at=at)
        .returning(_columns.table_id)
    )
    with engine.begin() as connection:
        found = list(connection.execute(opened).scalars())
        if found:
            of_tables = tables.c.id.in_(select(_columns.table_id).where(of_day, _columns.revealed_at == at))
            connection.execute(update(tables).where(of_tables).values(sealed=False, **CHANGED))
            _count_for_profiles(connection, of_tables)
    return found


def _count_for_profiles(connection: Connection, of_tables: object) -> None:
    """Let sealed games, which were not counted, be counted."""
    since = connection.execute(select(func.min(tables.c.finished_at)).where(of_tables)).scalar()  # type: ignore[arg-type]
    if since is not None:
        game_results.look_again(connection, since)


# The comparison of the players' decisions.


def uncompared(engine: Engine, games: Collection[str], day: int) -> list[str]:
    """Return the games whose revealed tables of a day have not been compared yet."""
    wanted = (
        select(_columns.game)
        .outerjoin(daily_reports, (daily_reports.c.game == _columns.game) & (daily_reports.c.day == _columns.day))
        .where(_columns.game.in_(games), _columns.day == day)
        .where(_columns.revealed_at.is_not(None), daily_reports.c.game.is_(None))
        .distinct()
    )
    with engine.connect() as connection:
        return list(connection.execute(wanted).scalars())


def keep_report(engine: Engine, game: str, day: int, report: bytes) -> None:
    """Store the comparison of a day, unless another process has done so."""
    with suppress(IntegrityError), engine.begin() as connection:
        connection.execute(insert(daily_reports).values(game=game, day=day, report=report))


def report(engine: Engine, game: str, day: int) -> bytes | None:
    """Return the stored comparison of a day, or None."""
    wanted = select(daily_reports.c.report).where(daily_reports.c.game == game, daily_reports.c.day == day)
    with engine.connect() as connection:
        found: RowMapping | None = connection.execute(wanted).mappings().first()
    return None if found is None else bytes(found["report"])
