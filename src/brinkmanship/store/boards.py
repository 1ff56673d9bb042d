"""Boards of analysis as they are kept: the lines that somebody has tried from positions of one finished game."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Engine, RowMapping, delete, func, insert, select, update

from brinkmanship.engine.variations import Line
from brinkmanship.store.schema import boards

ATTEMPTS = 5
"""So often a change is tried again where another one was quicker."""


class KeptLine(msgspec.Struct, frozen=True):
    """A line of a board."""

    number: int
    """From 1, its name in addresses."""
    line: Line
    name: str = ""
    """As its owner calls it; "" before."""


class Board(NamedTuple):
    """A board of analysis."""

    id: str
    person_id: str
    """Who may change it; everybody else looks."""
    table_id: str | None
    upload_id: str | None
    game: str
    title: str
    lines: tuple[KeptLine, ...]
    changes: int
    changed_at: float

    def line(self, number: int) -> KeptLine | None:
        """The line with a number; None where it is gone."""
        return next((one for one in self.lines if one.number == number), None)


Lines = tuple[KeptLine, ...]
Change = Callable[[Lines], Lines]


class ChangedElsewhereError(Exception):
    """A board was changed so often meanwhile that a change of it was given up."""


def board(engine: Engine, board_id: str) -> Board | None:
    """A board; None: there is none."""
    with engine.connect() as connection:
        row = connection.execute(_wanted().where(boards.c.id == board_id)).mappings().first()
    return None if row is None else _board(row)


def of_person(engine: Engine, person_id: str, limit: int) -> list[Board]:
    """The boards of a person, that which was changed last first."""
    wanted = _wanted().where(boards.c.person_id == person_id).order_by(boards.c.changed_at.desc(), boards.c.id)
    with engine.connect() as connection:
        return [_board(row) for row in connection.execute(wanted.limit(limit)).mappings()]


def count_of(engine: Engine, person_id: str) -> int:
    """How many boards a person has."""
    with engine.connect() as connection:
        return connection.execute(
            select(func.count()).select_from(boards).where(boards.c.person_id == person_id)
        ).scalar_one()


def journal_of(engine: Engine, board_id: str) -> str | None:
    """The journal of a board whose game was uploaded."""
    with engine.connect() as connection:
        packed = connection.execute(select(boards.c.journal).where(boards.c.id == board_id)).scalar()
    return None if packed is None else zlib.decompress(packed).decode()


def add(engine: Engine, new: Board, journal: str | None, now: float) -> None:
    """Keep a new board; `journal`: of a game that was uploaded."""
    packed = None if journal is None else zlib.compress(journal.encode())
    row = {**new._asdict(), "lines": msgspec.to_builtins(new.lines), "journal": packed, "created_at": now}
    with engine.begin() as connection:
        connection.execute(insert(boards).values(**row))


def change(engine: Engine, board_id: str, changed: Change, now: float) -> None:
    """Change the lines of a board; `changed` is asked again where another change was quicker.

    Raises:
        ChangedElsewhereError: it always was.
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
    """Call a board something else."""
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
