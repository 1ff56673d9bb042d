"""Profiles of people: who has a public one, their results by game, their opponents, and their finished games.

Everything is read from `game_results`, by person and newest first; no game is replayed. A profile never names an
opponent whose profile is private, unless the game was played at an open table, whose players are listed to everyone.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
)
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.schema import (
    game_results,
    lessons_done,
    people,
    public_profiles,
    puzzle_answers,
    seats,
    tables,
)

PAGE = 20
"""Games on a page of the history."""

results = game_results.c
_is_public = public_profiles.c.person_id.is_not(None) & people.c.login.is_not(None) & people.c.banned_at.is_(None)


def _times(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


# Statements are built once: building one takes longer than running it.
_kinds = (results.game, results.side, results.opponent_computer, results.agenda, results.score)
_theirs = results.person_id == bindparam("person")
_counts = select(*_kinds, func.count()).where(_theirs).group_by(*_kinds)
_adjusted = (
    select(results.game, func.count(), func.avg((results.score + 1) / 2.0), func.avg(results.luck_adjusted))
    .where(_theirs, results.luck_adjusted.is_not(None))
    .group_by(results.game)
)
_met = _theirs & (results.opponent_id == bindparam("opponent"))
_head_to_head = (
    select(results.game, func.count(), _times(results.score == 1), _times(results.score == -1))
    .where(_met)
    .group_by(results.game)
)
_name_at_last_game = (
    select(seats.c.name)
    .join(game_results, (results.table_id == seats.c.table_id) & (results.side == 1 - seats.c.side))
    .where(_met)
    .order_by(results.finished_at.desc())
    .limit(1)
)


class ShownPerson(NamedTuple):
    """A person whose profile the viewer may see."""

    id: str
    name: str
    created_at: float
    has_account: bool
    is_public: bool


class GameCount(NamedTuple):
    """Number of a person's games of one kind."""

    game: str
    side: int
    computer: str | None
    """The computer player that was the opponent; None for a person."""
    agenda: str | None
    score: int
    games: int


class Adjusted(NamedTuple):
    """Analysed games of a person in one game."""

    game: str
    games: int
    result: float
    """Mean result, a draw counting half."""
    adjusted: float
    """Mean result without luck."""


class Rival(NamedTuple):
    """An opponent of a person."""

    id: str
    name: str
    """Name at their last game, "" if the account was deleted."""
    is_public: bool
    games: int
    won: int
    lost: int


class HeadToHead(NamedTuple):
    """Games between two people in one game, from the view of the first."""

    game: str
    games: int
    won: int
    lost: int


class PlayedGame(NamedTuple):
    """A finished game in a person's history."""

    table_id: str
    game: str
    side: int
    score: int
    result: str
    """As in journals."""
    ending: str
    rated: bool
    agenda: str | None
    turns: int | None
    finished_at: float
    opponent_id: str | None
    opponent_computer: str | None
    opponent: str
    """Name of the opponent's seat; "" if their account was deleted."""
    is_named: bool
    """True if the viewer may know the opponent, and so the table."""
    is_linked: bool
    """True if the opponent has a public profile."""


class HistoryFilter(NamedTuple):
    """The games wanted of a history; None and "" stand for any."""

    game: str = ""
    sides: tuple[tuple[str, int], ...] = ()
    """Games, each with the number of the wanted side."""
    score: int | None = None
    against_person: bool | None = None
    opponent: str = ""
    """Beginning of the opponent's name, case-folded."""
    since: float | None = None
    until: float | None = None
    """Unix times (s): from `since` on, before `until`."""
    rated: bool | None = None
    ending: str = ""
    after: str = ""
    """The table after which the page begins."""


def shown_person(engine: Engine, person_id: str, viewer_id: str | None) -> ShownPerson | None:
    """Return a person if their profile is public or the viewer's own, otherwise None.

    The query is the same for private profiles and for people who do not exist.
    """
    wanted = (
        select(people.c.id, people.c.name, people.c.created_at, people.c.login.is_not(None), _is_public)
        .outerjoin(public_profiles, public_profiles.c.person_id == people.c.id)
        .where(people.c.id == person_id, people.c.left_at.is_(None), or_(_is_public, people.c.id == viewer_id))
    )
    with engine.connect() as connection:
        row = connection.execute(wanted).first()
    return None if row is None else ShownPerson(row[0], row[1], row[2], bool(row[3]), bool(row[4]))


def public_among(engine: Engine, person_ids: Collection[str]) -> set[str]:
    """Return which of these people have a public profile."""
    if not person_ids:
        return set()
    wanted = (
        select(public_profiles.c.person_id)
        .join(people, people.c.id == public_profiles.c.person_id)
        .where(public_profiles.c.person_id.in_(person_ids), _is_public)
    )
    with engine.connect() as connection:
        return set(connection.execute(wanted).scalars())


def set_public(engine: Engine, person_id: str, is_public: bool) -> None:
    """Make the profile of a person public or private."""
    mine = public_profiles.c.person_id == person_id
    with engine.begin() as connection:
        if not is_public:
            connection.execute(public_profiles.delete().where(mine))
        elif connection.execute(select(public_profiles.c.person_id).where(mine)).first() is None:
            with suppress(IntegrityError), connection.begin_nested():  # another tab was quicker
                connection.execute(public_profiles.insert().values(person_id=person_id, since=time.time()))


def counts_of(engine: Engine, person_id: str) -> list[GameCount]:
    """Return how many games a person has played, by all that a profile tells apart."""
    with engine.connect() as connection:
        return [GameCount(*row) for row in connection.execute(_counts, {"person": person_id})]


def adjusted_of(engine: Engine, person_id: str) -> list[Adjusted]:
    """Return the mean results of a person's analysed games with and without luck, by game."""
    with engine.connect() as connection:
        rows = connection.execute(_adjusted, {"person": person_id})
        return [Adjusted(row[0], row[1], float(row[2]), float(row[3])) for row in rows]


def rivals_of(engine: Engine, person_id: str, is_own: bool, limit: int) -> list[Rival]:
    """Return the people a person has played most often; for others only those with a public profile."""
    with engine.connect() as connection:
        return [
            Rival(
                row[0],
                row[4] if row[5] else _last_name(connection, person_id, row[0]),
                bool(row[5]),
                row[1],
                int(row[2]),
                int(row[3]),
            )
            for row in connection.execute(_rivals(is_own), {"person": person_id, "most": limit}).all()
        ]


@cache
def _rivals(is_own: bool) -> Select[Any]:
    grouped = (
        select(
            results.opponent_id,
            func.count().label("games"),
            _times(results.score == 1).label("won"),
            _times(results.score == -1).label("lost"),
        )
        .where(_theirs, results.opponent_id.is_not(None))
        .group_by(results.opponent_id)
        .subquery()
    )
    wanted = (
        select(grouped, people.c.name, _is_public)
        .join(people, people.c.id == grouped.c.opponent_id)
        .outerjoin(public_profiles, public_profiles.c.person_id == people.c.id)
        .order_by(grouped.c.games.desc(), grouped.c.opponent_id)
        .limit(bindparam("most", type_=Integer))
    )
    return wanted if is_own else wanted.where(_is_public)


def _last_name(connection: Connection, person_id: str, opponent_id: str) -> str:
    """Return the name of an opponent at the last game, because a later one may be unknown to the person."""
    return connection.execute(_name_at_last_game, {"person": person_id, "opponent": opponent_id}).scalar() or ""


def head_to_head(engine: Engine, person_id: str, other_id: str) -> list[HeadToHead]:
    """Return the games of a person against another one, by game."""
    with engine.connect() as connection:
        rows = connection.execute(_head_to_head, {"person": person_id, "opponent": other_id})
        return [HeadToHead(row[0], row[1], int(row[2]), int(row[3])) for row in rows]


def games_of(
    engine: Engine, person_id: str, viewer_id: str | None, wanted: HistoryFilter, limit: int = PAGE
) -> list[PlayedGame]:
    """Return a person's finished games that match a filter, newest first."""
    values: dict[str, Any] = {"person": person_id, "viewer": viewer_id or "-", "most": limit}
    is_own = viewer_id == person_id
    with engine.connect() as connection:
        if wanted == HistoryFilter():
            return [PlayedGame._make(row) for row in connection.execute(_latest(is_own), values)]
        page = _history(is_own).where(*_conditions(wanted, _is_named(is_own)))
        if wanted.after:
            at = connection.execute(
                select(results.finished_at).where(results.table_id == wanted.after, results.person_id == person_id)
            ).scalar()
            if at is None:
                return []
            page = page.where(results.finished_at <= at, or_(results.finished_at < at, results.table_id < wanted.after))
        return [PlayedGame._make(row) for row in connection.execute(_with_tables(page.subquery()), values)]


@cache
def _history(is_own: bool) -> Select[Any]:
    """Return the query of the games of a person, newest first."""
    is_named = _is_named(is_own)
    return (
        select(
            *(results.table_id, results.side, results.finished_at),
            *(is_named.label("is_named"), _has_public_opponent().label("is_linked")),
        )
        .where(_theirs)
        .order_by(results.finished_at.desc(), results.table_id.desc())
        .limit(bindparam("most", type_=Integer))
    )


@cache
def _latest(is_own: bool) -> Select[Any]:
    return _with_tables(_history(is_own).subquery())


def _with_tables(page: Subquery) -> Select[Any]:
    """Return the query of the games of a page with their tables, which are joined after the page was cut."""
    other = seats.alias("other")
    return (
        select(
            *(results.table_id, results.game, results.side, results.score, tables.c.result, results.ending),
            *(results.rated, results.agenda, results.turns, results.finished_at),
            *(results.opponent_id, results.opponent_computer, other.c.name, page.c.is_named, page.c.is_linked),
        )
        .join(page, (page.c.table_id == results.table_id) & (page.c.side == results.side))
        .join(tables, tables.c.id == page.c.table_id)
        .join(other, (other.c.table_id == page.c.table_id) & (other.c.side == 1 - page.c.side))
        .order_by(page.c.finished_at.desc(), page.c.table_id.desc())
    )


def _conditions(wanted: HistoryFilter, is_named: ColumnElement[bool]) -> list[ColumnElement[bool]]:
    equal = {
        results.game: wanted.game or None,
        results.score: wanted.score,
        results.rated: wanted.rated,
        results.ending: wanted.ending or None,
    }
    found: list[ColumnElement[bool]] = [column == value for column, value in equal.items() if value is not None]
    if wanted.sides:
        found.append(or_(*(and_(results.game == game_id, results.side == side) for game_id, side in wanted.sides)))
    if wanted.against_person is not None:
        found.append(results.opponent_computer.is_(None) == wanted.against_person)
    if wanted.since is not None:
        found.append(results.finished_at >= wanted.since)
    if wanted.until is not None:
        found.append(results.finished_at < wanted.until)
    if wanted.opponent:
        # Without `is_named` the filter would tell who an opponent is that the list does not name.
        found.append(and_(is_named, results.opponent_key.startswith(wanted.opponent, autoescape=True)))
    return found


def _is_named(is_own: bool) -> ColumnElement[bool]:
    """Return the condition that the viewer of a profile may know the opponent of a game."""
    if is_own:
        return results.side.is_not(None)
    return or_(
        results.is_open,
        results.opponent_computer.is_not(None),
        _has_public_opponent(),
        func.coalesce(results.opponent_id, "") == bindparam("viewer"),
    )


def _has_public_opponent() -> ColumnElement[bool]:
    return (
        select(public_profiles.c.person_id)
        .join(people, people.c.id == public_profiles.c.person_id)
        .where(public_profiles.c.person_id == results.opponent_id, _is_public)
        .exists()
    )


def puzzles_of(engine: Engine, person_id: str) -> dict[str, int]:
    """Return the number of puzzles that a person has solved, by game."""
    answers = puzzle_answers.c
    wanted = select(answers.game, func.count()).where(answers.person_id == person_id, answers.is_solved)
    with engine.connect() as connection:
        return {row[0]: row[1] for row in connection.execute(wanted.group_by(answers.game))}


def lessons_of(engine: Engine, person_id: str) -> dict[str, set[str]]:
    """Return the lessons that a person has completed, by game."""
    found: dict[str, set[str]] = {}
    wanted = select(lessons_done.c.game, lessons_done.c.lesson).where(lessons_done.c.person_id == person_id)
    with engine.connect() as connection:
        for game_id, lesson_id in connection.execute(wanted):
            found.setdefault(game_id, set()).add(lesson_id)
    return found


def keep_lesson(engine: Engine, person_id: str, game_id: str, lesson_id: str) -> None:
    """Store that a person has completed a lesson."""
    row = {"person_id": person_id, "game": game_id, "lesson": lesson_id}
    is_it = and_(*(lessons_done.c[name] == value for name, value in row.items()))
    with engine.begin() as connection:
        if connection.execute(select(lessons_done.c.lesson).where(is_it)).first() is None:
            with suppress(IntegrityError), connection.begin_nested():  # another tab was quicker
                connection.execute(lessons_done.insert().values(row))


def forget(connection: Connection, person_id: str, table_ids: Collection[str]) -> None:
    """Remove what profiles hold of a deleted account; the results stay for the histories of others, without a name.

    Call it in the transaction that deletes the account, after the names of its seats were removed.
    """
    for table in (public_profiles, lessons_done):
        connection.execute(table.delete().where(table.c.person_id == person_id))
    theirs = results.table_id.in_(table_ids)
    connection.execute(game_results.update().where(theirs, results.opponent_id == person_id).values(opponent_key=""))


def bring(connection: Connection, guest_id: str, person_id: str, table_ids: Collection[str]) -> None:
    """Move a guest's results at these tables, and completed lessons, to an account.

    Call it in the transaction that moves the seats. Tables not counted yet are counted with the seats as they are then.
    """
    moved = results.table_id.in_(table_ids)
    for column in (results.person_id, results.opponent_id):
        is_theirs = moved & (column == guest_id)
        connection.execute(game_results.update().where(is_theirs).values({column.name: person_id}))
    known = select(lessons_done.c.game + "/" + lessons_done.c.lesson).where(lessons_done.c.person_id == person_id)
    is_new = (lessons_done.c.person_id == guest_id) & (lessons_done.c.game + "/" + lessons_done.c.lesson).not_in(known)
    connection.execute(lessons_done.update().where(is_new).values(person_id=person_id))
