"""Comments on the moves of a game, and the commentators of running games; blocking, called in threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Engine, func, insert, select
from sqlalchemy.exc import IntegrityError

from brinkmanship.store import moderation
from brinkmanship.store.schema import commentators, comments

MAX_COMMENTS = 500
"""Maximum comments at a table."""

Marks = tuple[tuple[str, str], ...]
"""Arrows on the board from place to place; with "" as its second place a ring around the first."""


class Comment(NamedTuple):
    """A comment on a move."""

    id: int
    step: int
    """Number of entries of the game before the position it is about."""
    move: str
    """Text of the last of them as in journals; "" before the first."""
    name: str
    side: int | None
    """The author's side; None for a spectator."""
    text: str
    marks: Marks
    at: float


def comments_of(engine: Engine, table_id: str, person_id: str = "") -> list[Comment]:
    """Return the comments at a table by step and age; for a user without those of people whom they have blocked."""
    columns = (comments.c[name] for name in ("id", "step", "move", "name", "side", "text", "marks", "at"))
    wanted = select(*columns).where(comments.c.table_id == table_id)
    if person_id:
        hidden = moderation.blocked_by(person_id)
        wanted = wanted.where(comments.c.person_id.is_(None) | comments.c.person_id.not_in(hidden))
    with engine.connect() as connection:
        rows = connection.execute(wanted.order_by(comments.c.step, comments.c.id).limit(MAX_COMMENTS)).all()
    return [
        Comment(id, step, move, name, side, text, tuple((place, other) for place, other in marks), at)
        for id, step, move, name, side, text, marks, at in rows
    ]


def comment_count(engine: Engine, table_id: str) -> int:
    """Return the number of comments at a table."""
    with engine.connect() as connection:
        return connection.execute(select(func.count()).where(comments.c.table_id == table_id)).scalar_one()


def commentator_of(engine: Engine, table_id: str, number: int) -> str | None:
    """Return the id of the commentator whom the players have invited with a record; None if no one has come yet."""
    wanted = select(commentators.c.person_id).where(
        commentators.c.table_id == table_id, commentators.c.number == number
    )
    with engine.connect() as connection:
        return connection.execute(wanted).scalar()


def become_commentator(engine: Engine, table_id: str, number: int, person_id: str) -> bool:
    """Make a person the commentator; return False if someone else is it already."""
    try:
        with engine.begin() as connection:
            row = {"table_id": table_id, "number": number, "person_id": person_id}
            connection.execute(insert(commentators).values(row))
    except IntegrityError:
        return commentator_of(engine, table_id, number) == person_id
    return True


def steps_with(found: Sequence[Comment]) -> list[int]:
    """Return the steps that have comments, in order."""
    return sorted({one.step for one in found})
