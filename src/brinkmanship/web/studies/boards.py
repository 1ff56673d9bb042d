"""Boards of analysis: lines that somebody tries from positions of a finished game, for both sides by one hand.

Whoever may see the game whole may try lines from it. A board belongs to who made it; whoever else plays on it goes on
with a board of his own that begins with the same line. What is kept is the lines alone, and of an uploaded game its
journal: the rest follows from them.
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
from brinkmanship.engine.variations import Line
from brinkmanship.players import players_for
from brinkmanship.store import boards, repository
from brinkmanship.store.boards import Board, ChangedElsewhereError, KeptLine, Lines
from brinkmanship.web.jobs.comparison_job import comparison_in, question_of
from brinkmanship.web.jobs.process_pool import COMPARISON, JobFailedError, process_pool
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support import rate_limit, time_control
from brinkmanship.web.support.errors import IllegalError, TooManyError, UnavailableError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.lru_cache import LruCache

if TYPE_CHECKING:
    from brinkmanship.analysis.compare import Compared

log = logging.getLogger("brinkmanship.web")

MAX_LINES = 24
"""Of a board: more nobody compares."""
MAX_BOARDS = 200
"""Of a person."""
MAX_TITLE = 60
PER_MINUTE = 60
"""Comparisons that one address is given, in bursts of a quarter of that: each takes a second or two of a processor."""
MAX_AT_ONCE = 8
"""Comparisons that are worked out or waited for: computer players wait for the same processes."""
MAX_COMPARED = 200
"""Comparisons that are kept: the same page is asked for again."""
ASKED_BY = "search"
"""Games without this player are not played on, so nothing can be compared."""

THE_GAME = 0
"""The number of the game itself, among the lines of a board."""


class Boards:
    """Keeps boards, and compares positions on them."""

    def __init__(self, engine: Engine, remote_workers: RemoteWorkers | None = None) -> None:
        self._engine = engine
        self._remote_workers = remote_workers
        self._limit = rate_limit.RateLimit(PER_MINUTE)
        self._at_work = 0
        self._compared = LruCache[str, "list[list[Compared]]"](MAX_COMPARED)

    def keep(self, board: Board, person_id: str, number: int, line: Line) -> tuple[Board, int]:
        """Keep what somebody has played on from a line of a board; returns the board, which is a new one where that was
        somebody else's, and the number of the line.

        Raises:
            IllegalError: he has as many boards as anybody may have, or the board as many lines.
            UnavailableError: it is changed elsewhere all the time.
        """
        if board.id and person_id == board.person_id:
            return board, self.play(board, number, line)
        if board.id and not line.deeds:  # what the game itself did is there already
            return board, THE_GAME
        journal = None if board.upload_id is None else repository.upload_of(self._engine, board.upload_id)
        return self.begin(person_id, board, journal, line)

    def begin(self, person_id: str, of: Board, journal: str | None, line: Line) -> tuple[Board, int]:
        """Keep a board of somebody with one line; returns it and the number of the line.

        Args:
            person_id: whose it is.
            of: what game it is about, and what it is called: a board of somebody else, or one that is not kept.
            journal: of a game that was uploaded.
            line: the first one.

        Raises:
            IllegalError: he has as many as anybody may have.
        """
        if boards.count_of(self._engine, person_id) >= MAX_BOARDS:
            raise IllegalError(f"nobody keeps more than {MAX_BOARDS} boards", said="branches.refused.boards")
        now = time_control.now()
        lines = (KeptLine(1, line),)
        new = of._replace(id=new_id(), person_id=person_id, lines=lines, changes=0, changed_at=now)
        boards.add(self._engine, new, journal, now)
        return new, 1

    def play(self, board: Board, number: int, line: Line) -> int:
        """Keep what comes of playing on from a line of a board; returns the number of the line that it is now.

        Raises:
            IllegalError: the board has as many lines as it may have.
            UnavailableError: it is changed elsewhere all the time.
        """
        found = THE_GAME

        def changed(lines: Lines) -> Lines:
            nonlocal found
            lines, found = placed(lines, number, line)
            if len(lines) > MAX_LINES:
                raise IllegalError(f"a board has {MAX_LINES} lines at most", said="branches.refused.lines")
            return lines

        self._change(board, changed)
        return found

    def call(self, board: Board, number: int, name: str) -> None:
        """Give a line a name, or the board where the number is that of the game."""
        if number == THE_GAME:
            boards.rename(self._engine, board.id, name[:MAX_TITLE])
            return

        def changed(lines: Lines) -> Lines:
            return tuple(
                KeptLine(one.number, one.line, name[:MAX_TITLE]) if one.number == number else one for one in lines
            )

        self._change(board, changed)

    def remove(self, board: Board, number: int) -> None:
        """Remove a line, or the board where the number is that of the game."""
        if number == THE_GAME:
            boards.remove(self._engine, board.id)
            return
        self._change(board, lambda lines: tuple(one for one in lines if one.number != number))

    def _change(self, board: Board, changed: boards.Change) -> None:
        try:
            boards.change(self._engine, board.id, changed, time_control.now())
        except ChangedElsewhereError as error:
            raise UnavailableError("the board is changed elsewhere; try again") from error

    async def compare(self, game: Game, side: int, groups: Sequence[Sequence[State]]) -> list[list[Compared]]:
        """How good positions are for a side, each beside the others of its group, with all cards open.

        Raises:
            TooManyError: too many are asked for.
            UnavailableError: there is none now.
        """
        question = await asyncio.to_thread(question_of, game, side, groups)
        about = hashlib.sha256(question).hexdigest()
        if (found := self._compared.get(about)) is not None:
            return found
        if self._at_work >= MAX_AT_ONCE or not self._limit.allows(rate_limit.asking.get()):
            await rate_limit.delay_refusal()
            raise TooManyError("too many comparisons are asked for; wait a little", said="branches.refused.many")
        self._at_work += 1
        try:
            answer = None
            if self._remote_workers:
                answer = await self._remote_workers.work_out(COMPARISON, about[:40], lambda: question)
            if answer is None:
                answer = await asyncio.wrap_future(process_pool().work_out(COMPARISON, question))
        except JobFailedError as error:
            log.warning("positions were not compared", extra={"reason": str(error)})
            raise UnavailableError(
                "the positions were not compared; ask again", said="branches.refused.failed"
            ) from error
        finally:
            self._at_work -= 1
        if not answer:
            raise UnavailableError("nothing is compared until the rules are compiled", said="hints.refused.not_yet")
        return self._compared.keep(about, comparison_in(answer))


def can_compare(game: Game) -> bool:
    """Whether positions of a game can be compared: one of its players plays games on."""
    return ASKED_BY in players_for(game)


def check_comparable(game: Game) -> None:
    """Refuse to compare positions of a game that no player plays on.

    Raises:
        IllegalError: they cannot be compared.
    """
    if not can_compare(game):
        raise IllegalError(f"positions of {game.title} cannot be compared", said="hints.refused.game")


def placed(lines: Lines, number: int, line: Line) -> tuple[Lines, int]:
    """The lines of a board with one more that was played, and its number among them. Where another line begins with it,
    it is that one; where it goes on from the end of the line with `number`, that one grows."""
    if not line.deeds:
        return lines, THE_GAME
    for one in lines:
        if line.begins(one.line):
            return lines, one.number
    for place, one in enumerate(lines):
        if one.number == number and one.line.begins(line):
            return (*lines[:place], KeptLine(number, line, one.name), *lines[place + 1 :]), number
    new = max((one.number for one in lines), default=THE_GAME) + 1
    return (*lines, KeptLine(new, line)), new
