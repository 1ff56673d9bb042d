"""Rate finished games: each once, in the order in which they ended, by any number of processes.

A process locks the row of `rating_ledger`, so that games are rated one after the other, and gives each a number. The
numbers are the order for good: `rating_rebuild` takes the games in this order, so it gives the same ratings. A game
that ended earlier but was stored later is rated when it arrives, with the ratings as they are then.

A game that ended before any side had acted is not rated, nor is a table that cannot be read; that one is logged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, Text, bindparam, cast, func, insert, select, update

from brinkmanship.games.registry import game_class, kit_of, kits
from brinkmanship.rating.bookkeeping import (
    MonthlyAdvantage,
    PlayerRating,
    RatedResult,
    RatingChange,
    lead_of,
    rate,
)
from brinkmanship.rating.game_results import DAY_SECONDS, LISTED_GAMES
from brinkmanship.rating.glicko import Rating
from brinkmanship.rating.profile import RatingProfile, is_level, profile_of, ruleset_of
from brinkmanship.rating.side_advantage import SideResult
from brinkmanship.store import ratings, repository
from brinkmanship.store.schema import (
    rated_games,
    rating_changes,
    rating_ledger,
    records,
    seats,
    side_advantages,
    tables,
)
from brinkmanship.store.schema import ratings as standings

BATCH = 50
"""Maximum games rated in one transaction."""
EARLY_ACTIONS = 5
"""A side that resigns with fewer actions of its own resigned early."""
RESIGNED = "resignation"

_due = (
    select(
        tables.c.id, tables.c.game, cast(tables.c.options, Text).label("options"), tables.c.result, tables.c.finished_at
    )
    .where(tables.c.awaits_rating.is_(True), tables.c.status == "over")
    .order_by(tables.c.finished_at, tables.c.id)
)
_actions = (
    select(records.c.actor, func.count())
    .where(records.c.table_id == bindparam("table"), records.c.kind == "action")
    .group_by(records.c.actor)
)


def rate_finished(engine: Engine, limit: int = BATCH) -> list[str]:
    """Rate games that have ended since the last call, up to a limit; return their tables, rated or not."""
    due_here = _due.where(tables.c.game.in_(list(kits()))).limit(limit)
    with engine.connect() as connection:
        if connection.execute(due_here.limit(1)).first() is None:  # the usual case, without a lock
            return []
    with engine.begin() as connection:
        number = lock_ledger(connection)
        due = connection.execute(due_here).all()
        for row in due:
            with repository.leaving_out(row.id), connection.begin_nested():
                number += _rated(connection, row, number + 1)
        if due:
            connection.execute(update(rating_ledger).values(number=number))
            is_due = tables.c.id.in_([row.id for row in due])
            connection.execute(update(tables).where(is_due).values(awaits_rating=False))
    return [row.id for row in due]


def lock_ledger(connection: Connection) -> int:
    """Lock the ledger until the end of the transaction; return the number of the last rated game."""
    # An update locks in both databases, and begins a transaction in SQLite.
    connection.execute(update(rating_ledger).values(number=rating_ledger.c.number))
    number: int = connection.execute(select(rating_ledger.c.number)).scalar_one()
    return number


@cache
def rating_profile(game: str) -> RatingProfile:
    """Return the rating profile of a game; the default one if the game is no longer installed."""
    return profile_of(kit_of(game)) if game in kits() else RatingProfile()


def _rated(connection: Connection, row: Any, number: int) -> bool:
    """Rate a game and store what it changed; return False for a game that is not rated."""
    wanted = select(seats.c.person_id, seats.c.computer).where(seats.c.table_id == row.id).order_by(seats.c.side)
    players = [person or computer for person, computer in connection.execute(wanted)]
    acted = {actor: count for actor, count in connection.execute(_actions, {"table": row.id})}  # noqa: C416 - rows are no tuples for `dict`
    if not acted or len(players) != 2 or None in players:
        return False
    winner, _, reason = row.result.partition(" by ")
    sides = game_class(row.game).sides
    score = 0.5 if winner not in sides else 1.0 - sides.index(winner)
    result = RatedResult(
        row.id, row.game, ruleset_of(json.loads(row.options)), row.finished_at, score, (players[0], players[1])
    )
    outcome = rate(_Stored(connection), rating_profile(row.game), result)
    early = [reason == RESIGNED and score == side and acted.get(side, 0) < EARLY_ACTIONS for side in (0, 1)]
    _store(connection, number, result, outcome, early)
    return True


def _store(
    connection: Connection, number: int, result: RatedResult, outcome: RatingChange, early: Sequence[bool]
) -> None:
    game = {"table_id": result.table_id, "number": number, "game": result.game, "ruleset": result.ruleset}
    derived = {"advantage": outcome.advantage.value, "weight": outcome.weight}
    connection.execute(insert(rated_games).values(**game, at=result.at, score=result.score, **derived))
    latest = ratings.latest_advantage(connection, result.game, result.ruleset)
    if outcome.advantage != latest:
        insert_advantages(connection, (result.game, result.ruleset), [outcome.advantage])
    against_each_other = not any(is_level(player) for player in result.players)
    for side in (0, 1):
        player, other = result.players[side], result.players[1 - side]
        connection.execute(
            insert(rating_changes).values(
                table_id=result.table_id,
                side=side,
                number=number,
                game=result.game,
                at=result.at,
                person_id=None if is_level(player) else player,
                player=player,
                opponent=other,
                score=result.score if side == 0 else 1 - result.score,
                is_early=early[side] and against_each_other,
                **change_values(outcome, side),
            )
        )
        if (standing := outcome.standings[side]) is not None:
            _keep_standing(connection, player, result.game, standing)


def change_values(outcome: RatingChange, side: int) -> dict[str, Any]:
    """Return the columns of `rating_changes` that follow from earlier games."""
    before, after = outcome.before[side], outcome.after[side]
    return {
        "counts": outcome.standings[side] is not None,
        "before": before.value,
        "deviation_before": before.deviation,
        "after": after.value,
        "deviation_after": after.deviation,
    }


def _keep_standing(connection: Connection, person: str, game: str, standing: PlayerRating) -> None:
    is_it = (standings.c.person_id == person) & (standings.c.game == game)
    row = standing_values(standing)
    # The ledger is locked: no other process inserts the same row.
    if not connection.execute(update(standings).where(is_it).values(**row)).rowcount:
        connection.execute(insert(standings).values(person_id=person, game=game, **row))


def standing_values(standing: PlayerRating) -> dict[str, Any]:
    """Return the columns of `ratings` but for its key."""
    (value, deviation), games, at = standing
    counted = {"games": games, "at": at, "is_listed": games >= LISTED_GAMES}
    return {"rating": value, "deviation": deviation, **counted}


def insert_advantages(connection: Connection, ruleset: tuple[str, str], advantages: Iterable[MonthlyAdvantage]) -> None:
    """Store side advantages of a ruleset: game and name."""
    game, name = ruleset
    rows = [{"game": game, "ruleset": name, **advantage._asdict()} for advantage in advantages]
    connection.execute(insert(side_advantages), rows)


class _Stored:
    """The memory of earlier games in the database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def standing(self, person: str, game: str) -> PlayerRating | None:
        return ratings.standing(self._connection, person, game)

    def counted_on(self, person: str, game: str, level: str, day: float) -> int:
        change = rating_changes.c
        is_against = (change.person_id == person) & (change.opponent == level) & (change.game == game)
        is_that_day = (change.at >= day) & (change.at < day + DAY_SECONDS)
        counted = select(func.count()).where(is_against & is_that_day & change.counts.is_(True))
        number: int = self._connection.execute(counted).scalar_one()
        return number

    def advantage(self, game: str, ruleset: str) -> MonthlyAdvantage | None:
        return ratings.latest_advantage(self._connection, game, ruleset)

    def side_results(self, game: str, ruleset: str, before: float) -> Iterable[SideResult]:
        first, second = rating_changes.alias(), rating_changes.alias()
        columns = (first.c.before, first.c.deviation_before, second.c.before, second.c.deviation_before)
        wanted = (
            select(*columns, rated_games.c.score, rated_games.c.weight)
            .join(first, (first.c.table_id == rated_games.c.table_id) & (first.c.side == 0))
            .join(second, (second.c.table_id == rated_games.c.table_id) & (second.c.side == 1))
            .where(rated_games.c.game == game, rated_games.c.ruleset == ruleset, rated_games.c.at < before)
            .order_by(rated_games.c.number)
        )
        for mine, my_deviation, other, other_deviation, score, weight in self._connection.execute(wanted):
            yield SideResult(*lead_of(Rating(mine, my_deviation), Rating(other, other_deviation)), score, weight)
