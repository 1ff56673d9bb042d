"""Stored analysis boards: the lines that a user has tried from positions of one finished game."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Engine, RowMapping, delete, func, insert, select, update

from brinkmanship.engine.struct_types import prepare
from brinkmanship.engine.variations import Variation
from brinkmanship.store.schema import boards

ATTEMPTS = 5
"""Maximum attempts of a change that conflicts with concurrent changes."""


class KeptLine(msgspec.Struct, frozen=True):
    """A line of a board."""

    number: int
    """Number of the line from 1; used in URLs."""
    line: Variation
    name: str = ""
    """The owner's name for the line; "" if unnamed."""


class Board(NamedTuple):
    """An analysis board."""

    id: str
    person_id: str
    """The owner, who alone may change it; everyone else may view it."""
    table_id: str | None
    upload_id: str | None
    game: str
    title: str
    lines: tuple[KeptLine, ...]
    changes: int
    changed_at: float

    def line(self, number: int) -> KeptLine | None:
        """Return the line with a number, or None if it was removed."""
        return next((one for one in self.lines if one.number == number), None)


Lines = tuple[KeptLine, ...]
prepare(Lines)
Change = Callable[[Lines], Lines]


class ChangedElsewhereError(Exception):
    """A change of a board was given up after too many concurrent changes."""


def board(engine: Engine, board_id: str) -> Board | None:
    """Return a board, or None if it does not exist."""
    with engine.connect() as connection:
        row = connection.execute(_wanted().where(boards.c.id == board_id)).mappings().first()
    return None if row is None else _board(row)


def of_person(engine: Engine, person_id: str, limit: int) -> list[Board]:
    """Return the boards of a user, most recently changed first."""
    wanted = _wanted().where(boards.c.person_id == person_id).order_by(boards.c.changed_at.desc(), boards.c.id)
    with engine.connect() as connection:
        return [_board(row) for row in connection.execute(wanted.limit(limit)).mappings()]


def count_of(engine: Engine, person_id: str) -> int:
    """Return the number of boards of a user."""
    with engine.connect() as connection:
        return connection.execute(
            select(func.count()).select_from(boards).where(boards.c.person_id == person_id)
        ).scalar_one()


def journal_of(engine: Engine, board_id: str) -> str | None:
    """Return the journal of a board whose game was uploaded, or None."""
    with engine.connect() as connection:
        packed = connection.execute(select(boards.c.journal).where(boards.c.id == board_id)).scalar()
    return None if packed is None else zlib.decompress(packed).decode()


def add(engine: Engine, new: Board, journal: str | None, now: float) -> None:
    """Store a new board.

    Args:
        engine: the database.
        new: the board.
        journal: the journal's text if the game was uploaded.
        now: Unix time (s).
    """
    packed = None if journal is None else zlib.compress(journal.encode())
    row = {**new._asdict(), "lines": msgspec.to_builtins(new.lines), "journal": packed, "created_at": now}
    with engine.begin() as connection:
        connection.execute(insert(boards).values(**row))


def change(engine: Engine, board_id: str, changed: Change, now: float) -> None:
    """Change the lines of a board by compare-and-swap; `changed` is called again after a concurrent change.

    Raises:
        ChangedElsewhereError: all `ATTEMPTS` attempts met a concurrent change.
    """
    for _ in range(ATTEMPTS):
        now_kept = board(engine, board_id)
        if now_kept is None:
            return
        values = {"lines": msgspec.to_builtins(changed(now_kept.lines)), "changes": now_kept.changes + 1}
        is_it = (boards.c.id == board_id) & (boards.c.changes == now_kept.changes)
        with engine.begin() as connection:
            if connection.execute(update(boards).where(is_it).values(**values, changed_at=now)).rowcount:
                return
    raise ChangedElsewhereError(board_id)


def rename(engine: Engine, board_id: str, title: str) -> None:
    """Set the title of a board."""
    with engine.begin() as connection:
        connection.execute(update(boards).where(boards.c.id == board_id).values(title=title))


def remove(engine: Engine, board_id: str) -> None:
    """Remove a board."""
    with engine.begin() as connection:
        connection.execute(delete(boards).where(boards.c.id == board_id))


def _wanted() -> Any:
    return select(*(boards.c[name] for name in Board._fields))


def _board(row: RowMapping) -> Board:
    return Board(**{**row, "lines": msgspec.convert(row["lines"], Lines)})
