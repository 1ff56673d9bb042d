"""Analysis boards: variations that a user tries from positions of a finished game, playing both sides.

Anyone who may see the whole game may try variations. A board belongs to the user who created it; another user who plays
on it gets their own board, which begins with the same line. Only the lines are stored, and the journal of an uploaded
game; everything else follows from them.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Engine

from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.engine.variations import Variation
from brinkmanship.players import players_for
from brinkmanship.store import boards, repository
from brinkmanship.store.boards import Board, ChangedElsewhereError, KeptLine, Lines
from brinkmanship.web.jobs import comparison_job
from brinkmanship.web.jobs.job_limit import JobLimit
from brinkmanship.web.jobs.process_pool import COMPARISON, JobFailedError, process_pool
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import IllegalError, UnavailableError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.lru_cache import LruCache

if TYPE_CHECKING:
    from brinkmanship.analysis.compare import ComparedPosition

log = logging.getLogger("brinkmanship.web")

MAX_LINES = 24
"""Maximum lines of a board."""
MAX_BOARDS = 200
"""Maximum boards of one user."""
MAX_TITLE = 60
PER_MINUTE = 60
"""Maximum comparisons per minute of one address, in bursts of a quarter of that; each takes 1 or 2 s of CPU time."""
MAX_COMPARED = 200
"""Maximum cached comparisons; the same page is often requested again."""
ASKED_BY = "search"
"""Player needed for comparisons: games without it are not simulated."""

THE_GAME = 0
"""Number of the game itself among the lines of a board."""


class Boards:
    """Service that stores boards and compares positions on them."""

    def __init__(self, engine: Engine, remote_workers: RemoteWorkers | None = None) -> None:
        self._engine = engine
        self._remote_workers = remote_workers
        self._limit = JobLimit(PER_MINUTE, "comparisons", "branches.refused.many")
        self._compared = LruCache[str, "list[list[ComparedPosition]]"](MAX_COMPARED)

    def keep(self, board: Board, person_id: str, number: int, line: Variation) -> tuple[Board, int]:
        """Store the continuation of a line; return the board and the number of the line.

        If the board belongs to another user, the result is a new board.

        Raises:
            IllegalError: The user has the maximum number of boards, or the board the maximum number of lines.
            UnavailableError: Concurrent changes of the board prevented it.
        """
        if board.id and person_id == board.person_id:
            return board, self.play(board, number, line)
        if board.id and not line.actions:  # the game's own actions need no new line
            return board, THE_GAME
        journal = None if board.upload_id is None else repository.upload_of(self._engine, board.upload_id)
        return self.begin(person_id, board, journal, line)

    def begin(self, person_id: str, of: Board, journal: str | None, line: Variation) -> tuple[Board, int]:
        """Store a new board with one line; return it and the number of the line.

        Args:
            person_id: Owner of the board.
            of: Template for game and title: a board of another user, or one that is not stored.
            journal: Journal of an uploaded game.
            line: First line.

        Raises:
            IllegalError: The user has the maximum number of boards.
        """
        if boards.count_of(self._engine, person_id) >= MAX_BOARDS:
            raise IllegalError(f"a user has at most {MAX_BOARDS} boards", key="branches.refused.boards")
        now = time_control.now()
        lines = (KeptLine(1, line),)
        new = of._replace(id=new_id(), person_id=person_id, lines=lines, changes=0, changed_at=now)
        boards.add(self._engine, new, journal, now)
        return new, 1

    def play(self, board: Board, number: int, line: Variation) -> int:
        """Store the continuation of a line; return the number of the resulting line.

        Raises:
            IllegalError: The board has the maximum number of lines.
            UnavailableError: Concurrent changes of the board prevented it.
        """
        found = THE_GAME

        def changed(lines: Lines) -> Lines:
            nonlocal found
            lines, found = placed(lines, number, line)
            if len(lines) > MAX_LINES:
                raise IllegalError(f"a board has at most {MAX_LINES} lines", key="branches.refused.lines")
            return lines

        self._change(board, changed)
        return found

    def call(self, board: Board, number: int, name: str) -> None:
        """Rename a line, or the board if the number is that of the game."""
        if number == THE_GAME:
            boards.rename(self._engine, board.id, name[:MAX_TITLE])
            return

        def changed(lines: Lines) -> Lines:
            return tuple(
                KeptLine(one.number, one.line, name[:MAX_TITLE]) if one.number == number else one for one in lines
            )

        self._change(board, changed)

    def remove(self, board: Board, number: int) -> None:
        """Remove a line, or the board if the number is that of the game."""
        if number == THE_GAME:
            boards.remove(self._engine, board.id)
            return
        self._change(board, lambda lines: tuple(one for one in lines if one.number != number))

    def _change(self, board: Board, changed: boards.Change) -> None:
        try:
            boards.change(self._engine, board.id, changed, time_control.now())
        except ChangedElsewhereError as error:
            raise UnavailableError("the board was changed at the same time; try again") from error

    async def compare(self, game: Game, side: int, groups: Sequence[Sequence[State]]) -> list[list[ComparedPosition]]:
        """Rate positions for a side, each relative to the others of its group, with all cards open.

        Raises:
            TooManyError: Too many comparisons are requested.
            UnavailableError: The comparison failed, or the rules are not compiled yet.
        """
        question = await asyncio.to_thread(comparison_job.encode, game, side, groups)
        about = hashlib.sha256(question).hexdigest()
        if (found := self._compared.get(about)) is not None:
            return found
        async with self._limit.place():
            answer = await self._answer(about, question)
        if not answer:
            raise UnavailableError("there are no comparisons until the rules are compiled", key="hints.refused.not_yet")
        return self._compared.keep(about, comparison_job.decode(answer))

    async def _answer(self, about: str, question: bytes) -> bytes:
        try:
            answer = None
            if self._remote_workers:
                answer = await self._remote_workers.run(COMPARISON, about[:40], lambda: question)
            if answer is None:
                answer = await asyncio.wrap_future(process_pool().submit(COMPARISON, question))
        except JobFailedError as error:
            log.warning("positions could not be compared", extra={"reason": str(error)})
            raise UnavailableError(
                "the positions could not be compared; try again", key="branches.refused.failed"
            ) from error
        return answer


def can_compare(game: Game) -> bool:
    """Return True if positions of a game can be compared: one of its players is the search."""
    return ASKED_BY in players_for(game)


def check_comparable(game: Game) -> None:
    """Raise unless positions of a game can be compared.

    Raises:
        IllegalError: They cannot be compared.
    """
    if not can_compare(game):
        raise IllegalError(f"positions of {game.title} cannot be compared", key="hints.refused.game")


def placed(lines: Lines, number: int, line: Variation) -> tuple[Lines, int]:
    """Return the lines of a board with a played line added, and its number among them.

    If an existing line begins with it, the result is that line; if it extends the line with `number`, that one grows.
    """
    if not line.actions:
        return lines, THE_GAME
    for one in lines:
        if line.begins(one.line):
            return lines, one.number
    for place, one in enumerate(lines):
        if one.number == number and one.line.begins(line):
            return (*lines[:place], KeptLine(number, line, one.name), *lines[place + 1 :]), number
    new = max((one.number for one in lines), default=THE_GAME) + 1
    return (*lines, KeptLine(new, line)), new
