"""Results of finished games by seat, counted once so that profiles and statistics never replay a game.

One process at a time counts, under a lease by the database's clock. It goes through the finished games in the order in
which they ended, so the same task counts old games after an upgrade and new ones from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, bindparam, case, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.database import time_of
from brinkmanship.store.schema import analyses, game_results, results_progress, seats, site_statistics, tables
from brinkmanship.store.writer import Statement

OVERLAP_SECONDS = 600.0
"""Games that ended this long (s) before the latest counted one are looked at again: others may be stored late."""
STEP_BACK_SECONDS = 0.001
"""Minimum step (s) by which `look_again` moves progress back, so that `count` notices it."""

results = game_results.c
_set_luck = (
    update(game_results)
    .where(results.table_id == bindparam("table"), results.side == bindparam("of_side"))
    .values(luck_adjusted=bindparam("luck"))
)


class FinishedGame(NamedTuple):
    """A finished game that is not counted yet."""

    table_id: str
    game: str
    result: str
    is_open: bool
    rated: bool
    is_standard: bool
    """True if it was played with the game's own cards or scenario."""
    pace: str
    """Kind of its clock; "none" without one."""
    dealt_at: float | None
    finished_at: float


class SideFacts(NamedTuple):
    """Facts of one side of a finished game."""

    score: int
    agenda: str | None
    luck_adjusted: float | None


class GameFacts(NamedTuple):
    """Facts of a finished game that its row does not tell."""

    game: FinishedGame
    ending: str
    turns: int | None
    sides: tuple[SideFacts, SideFacts]


def take_turn(engine: Engine, seconds: float) -> bool:
    """Return True if this process may count games for some seconds; then no other process does."""
    lease, now = results_progress.c.leased_until, time_of(engine)
    is_mine = update(results_progress).where(results_progress.c.id == 1, lease <= now)
    try:
        with engine.begin() as connection:
            if connection.execute(is_mine.values(leased_until=now + seconds)).rowcount:
                return True
            if connection.execute(select(lease)).first() is not None:
                return False
            connection.execute(results_progress.insert().values(id=1, through=0.0, leased_until=now + seconds))
    except IntegrityError:  # another process was first
        return False
    return True


def end_turn(engine: Engine) -> None:
    """Let the next process count games."""
    with engine.begin() as connection:
        connection.execute(update(results_progress).values(leased_until=0.0))


def progress(engine: Engine) -> float | None:
    """Return how far counting has come, to be read before the games that are then counted; None if none began."""
    with engine.connect() as connection:
        return connection.execute(select(results_progress.c.through)).scalar()


def uncounted(engine: Engine, game_ids: Collection[str], limit: int) -> list[FinishedGame]:
    """Return the next finished games to count, of these games, in the order in which they ended.

    Left out are games of one user on one screen, and those that continue from a position of another game.
    """
    first, second = seats.alias("first"), seats.alias("second")
    through = func.coalesce(select(results_progress.c.through).scalar_subquery(), 0.0)
    columns = (tables.c.id, tables.c.game, tables.c.result, tables.c.is_open, tables.c.rated, tables.c.data_file)
    wanted = (
        select(*columns, tables.c.clock, tables.c.dealt_at, tables.c.finished_at)
        .join(first, (first.c.table_id == tables.c.id) & (first.c.side == 0))
        .join(second, (second.c.table_id == tables.c.id) & (second.c.side == 1))
        .outerjoin(game_results, (results.table_id == tables.c.id) & (results.side == 0))
        .where(tables.c.finished_at >= through - OVERLAP_SECONDS, tables.c.status == "over", tables.c.origin.is_(None))
        .where(tables.c.game.in_(game_ids), tables.c.sealed.is_(False))  # others still play a sealed deal
        .where(or_(results.table_id.is_(None), results.finished_at != tables.c.finished_at))
        .where(or_(first.c.person_id.is_(None), first.c.person_id.is_distinct_from(second.c.person_id)))
        .order_by(tables.c.finished_at, tables.c.id)
        .limit(limit)
    )
    with engine.connect() as connection:
        return [_finished(row) for row in connection.execute(wanted)]


def _finished(row: Any) -> FinishedGame:
    kind = row.clock.get("kind") if isinstance(row.clock, dict) else None
    pace = "none" if kind is None else "live" if kind == "live" else "days"
    is_standard = row.data_file is None
    return FinishedGame(
        row.id, row.game, row.result, row.is_open, row.rated, is_standard, pace, row.dealt_at, row.finished_at
    )


def latest_reports(engine: Engine, table_ids: Collection[str]) -> dict[str, bytes]:
    """Return the latest stored analysis of each of these tables that has one."""
    wanted = (
        select(analyses.c.table_id, analyses.c.report)
        .where(analyses.c.table_id.in_(table_ids), analyses.c.report.is_not(None))
        .order_by(func.length(analyses.c.about), analyses.c.about)  # by number of records
    )
    with engine.connect() as connection:
        return {row[0]: row[1] for row in connection.execute(wanted)}


def latest_report(connection: Connection, table_id: str) -> bytes | None:
    """Return the latest stored analysis of a table, or None; wait for a transaction that is just storing one."""
    # Rows without a report are locked as well: one of them may be about to get it.
    kept = select(analyses.c.report).where(analyses.c.table_id == table_id)
    by_records = kept.order_by(func.length(analyses.c.about), analyses.c.about).with_for_update(read=True)
    reports = connection.execute(by_records).scalars().all()
    return next((report for report in reversed(reports) if report is not None), None)


def count(engine: Engine, games: Sequence[GameFacts], since: float | None, is_all: bool) -> None:
    """Store the results of games, and how far counting has come; results of the same games are replaced.

    Progress moves on by compare-and-swap: if it has changed since the games were read, older games may have become
    countable (`look_again`), and it stays as it is.

    Args:
        engine: the database.
        games: the games, in the order of `uncounted`.
        since: `progress` before the games were read.
        is_all: True if no further games are uncounted.
    """
    through = select(func.max(tables.c.finished_at)).scalar_subquery() if is_all else _latest(games)
    with suppress(IntegrityError), engine.begin() as connection:  # a lease may have expired under a slow process
        if games:
            rows = list(_rows(connection, games))
            ids = [each.game.table_id for each in games]
            connection.execute(game_results.delete().where(results.table_id.in_(ids)))
            if rows:
                connection.execute(game_results.insert(), rows)
        is_same, is_behind = results_progress.c.through == since, results_progress.c.through < through
        connection.execute(update(results_progress).where(is_same, is_behind).values(through=through))


def _latest(games: Sequence[GameFacts]) -> float:
    return max((each.game.finished_at for each in games), default=0.0)


def look_again(connection: Connection, since: float) -> None:
    """Let the next run look at all games that ended since a time, for games that could not be counted before."""
    through = results_progress.c.through
    # It changes in any case: a run that has already read the games would otherwise move on past these.
    moved = case((through > since, since), else_=through - STEP_BACK_SECONDS)
    connection.execute(update(results_progress).values(through=moved))


def _rows(connection: Connection, games: Sequence[GameFacts]) -> Iterator[dict[str, object]]:
    ids = [each.game.table_id for each in games]
    # The lock orders this before or after the deletion of an account, which removes the names of its seats first.
    taken = select(seats.c.table_id, seats.c.side, seats.c.person_id, seats.c.computer, seats.c.name)
    found = connection.execute(taken.where(seats.c.table_id.in_(ids)).with_for_update(read=True))
    seated = {(row.table_id, row.side): row for row in found}
    for facts in games:
        game = facts.game
        for side, own in enumerate(facts.sides):
            seat, other = seated.get((game.table_id, side)), seated.get((game.table_id, 1 - side))
            if seat is None or other is None:  # the table has just been removed
                continue
            yield {
                "table_id": game.table_id,
                "side": side,
                "person_id": seat.person_id,
                "computer": seat.computer,
                "opponent_id": other.person_id,
                "opponent_computer": other.computer,
                "opponent_key": "" if other.computer else search_key(other.name),
                "game": game.game,
                "is_standard": game.is_standard,
                "is_open": game.is_open,
                "rated": game.rated,
                "pace": game.pace,
                "score": own.score,
                "ending": facts.ending,
                "agenda": own.agenda,
                "turns": facts.turns,
                "seconds": None if game.dealt_at is None else max(0.0, game.finished_at - game.dealt_at),
                "luck_adjusted": own.luck_adjusted,
                "finished_at": game.finished_at,
            }


MAX_KEY = 60
"""Maximum characters of a name that are compared in a search."""


def search_key(name: str) -> str:
    """Return a name as searches compare it."""
    return name.casefold()[:MAX_KEY]


def luck_statements(table_id: str, adjusted: Sequence[float]) -> list[Statement]:
    """Return the statements that store the luck-adjusted results of a game that was analysed after it was counted."""
    return [
        Statement(_set_luck, {"table": table_id, "of_side": side, "luck": luck}) for side, luck in enumerate(adjusted)
    ]


# Statistics of the site.


class Group(NamedTuple):
    """Number of games with the same players' kinds and the same result, seen from side 0."""

    game: str
    computer: str | None
    opponent_computer: str | None
    rated: bool
    ending: str
    score: int
    games: int


class Length(NamedTuple):
    """Length of one game."""

    game: str
    turns: int | None
    seconds: float | None
    pace: str


def groups(engine: Engine) -> list[Group]:
    """Return the counted games with a game's own cards or scenario, grouped; reads all of them."""
    kinds = (
        results.game,
        results.computer,
        results.opponent_computer,
        results.rated,
        results.ending,
        results.score,
    )
    wanted = select(*kinds, func.count()).where(results.side == 0, results.is_standard).group_by(*kinds)
    with engine.connect() as connection:
        return [Group(*row) for row in connection.execute(wanted)]


def lengths(engine: Engine, conceded: Collection[str]) -> list[Length]:
    """Return the lengths of the same games, without those that ended in one of the ways `conceded`."""
    wanted = select(results.game, results.turns, results.seconds, results.pace).where(
        results.side == 0, results.is_standard, results.ending.not_in(conceded)
    )
    with engine.connect() as connection:
        return [Length(*row) for row in connection.execute(wanted)]


def statistics_due(engine: Engine, seconds: float) -> bool:
    """Return True if the stored statistics are older than some seconds, or there are none."""
    is_fresh = site_statistics.c.made_at > time_of(engine) - seconds
    with engine.connect() as connection:
        return connection.execute(select(site_statistics.c.id).where(is_fresh)).first() is None


def keep_statistics(engine: Engine, report: bytes) -> None:
    """Store the statistics of the site, replacing the previous ones."""
    now = time_of(engine)
    with suppress(IntegrityError), engine.begin() as connection:  # another process was quicker
        if not connection.execute(update(site_statistics).values(made_at=now, report=report)).rowcount:
            connection.execute(site_statistics.insert().values(id=1, made_at=now, report=report))


def statistics(engine: Engine) -> bytes | None:
    """Return the stored statistics of the site, or None if there are none yet."""
    with engine.connect() as connection:
        return connection.execute(select(site_statistics.c.report)).scalar()
