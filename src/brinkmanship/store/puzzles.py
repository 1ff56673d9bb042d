"""Puzzle answers: how well each user knows each puzzle, and the share of users who solve it at first sight.

Also lists the user's own games not yet searched for puzzles; `background_jobs` stores the puzzles found.
"""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import Engine, Integer, cast, exists, func, select
from sqlalchemy.exc import IntegrityError

from brinkmanship.puzzles.spaced_repetition import PuzzleProgress, after
from brinkmanship.store.schema import analyses, own_puzzles, seats, tables
from brinkmanship.store.schema import puzzle_answers as answers


def known_by(engine: Engine, person_id: str, game_id: str) -> dict[str, PuzzleProgress]:
    """Return how well a person knows the puzzles of a game that they have tried, by their ids."""
    wanted = select(answers.c.puzzle, answers.c.box, answers.c.due_at, answers.c.is_solved)
    mine = (answers.c.person_id == person_id) & (answers.c.game == game_id)
    with engine.connect() as connection:
        return {row[0]: PuzzleProgress(row[1], row[2], row[3]) for row in connection.execute(wanted.where(mine))}


def answered(
    engine: Engine, person_id: str, game_id: str, puzzle_id: str, is_right: bool, now: float
) -> PuzzleProgress:
    """Record that a person has answered a puzzle, rightly or not, and return how well they know it now."""
    is_it = (answers.c.person_id == person_id) & (answers.c.game == game_id) & (answers.c.puzzle == puzzle_id)
    before = known_by(engine, person_id, game_id).get(puzzle_id)
    known = after(before, is_right, now)
    row: dict[str, object] = known._asdict()
    if known == before:
        return known
    with engine.begin() as connection:
        if connection.execute(answers.update().where(is_it).values(**row, answered_at=now)).rowcount:
            return known
        row |= {"person_id": person_id, "game": game_id, "puzzle": puzzle_id, "answered_at": now}
        with suppress(IntegrityError), connection.begin_nested():  # another tab was quicker
            connection.execute(answers.insert().values(**row, at_first_sight=known.is_solved))
    return known


def tried(engine: Engine, game_id: str) -> dict[str, tuple[int, int]]:
    """Return, for each tried puzzle of a game, how many users tried it and how many solved it at first sight."""
    solved = func.sum(cast(answers.c.at_first_sight, Integer))
    wanted = select(answers.c.puzzle, func.count(), solved).where(answers.c.game == game_id).group_by(answers.c.puzzle)
    with engine.connect() as connection:
        return {row[0]: (int(row[1]), int(row[2])) for row in connection.execute(wanted)}


def to_look_through(engine: Engine, person_id: str, limit: int) -> list[tuple[str, str]]:
    """Return the analysed games that a user has played as one side and that were not yet searched for puzzles.

    Games continued from a position of another game are left out.

    Returns:
        Pairs of analysis key and table id, newest first.
    """
    other = seats.alias()
    is_on_both = exists().where(
        other.c.table_id == tables.c.id, other.c.person_id == person_id, other.c.side != seats.c.side
    )
    wanted = (
        select(analyses.c.about, tables.c.id)
        .join(tables, tables.c.id == analyses.c.table_id)
        .join(seats, seats.c.table_id == tables.c.id)
        .outerjoin(own_puzzles, own_puzzles.c.about == analyses.c.about)
        .where(seats.c.person_id == person_id, ~is_on_both)
        .where(analyses.c.report.is_not(None), tables.c.status == "over", tables.c.origin.is_(None))
        .where(own_puzzles.c.report.is_(None), own_puzzles.c.fault.is_(None))
        .order_by(tables.c.created_at.desc(), analyses.c.about.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        return [(row[0], row[1]) for row in connection.execute(wanted)]
