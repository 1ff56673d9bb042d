"""Analyses of finished games: asked for by anybody who may see the game, worked out in the background, kept.

They are worked out on the machines for computer players where there are any, else beside this process, one after the
other and behind everything that people wait for. A server that ends leaves one half done; whoever looks next has it
begun again.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

from sqlalchemy import Engine

from brinkmanship.analysis.report import Analysis
from brinkmanship.engine.cache import is_interpreting
from brinkmanship.engine.game import EVERYTHING, Game
from brinkmanship.players import players_for
from brinkmanship.store import analyses
from brinkmanship.store.analyses import Subject
from brinkmanship.store.writer import AWAY, Writer
from brinkmanship.web import limits
from brinkmanship.web.analysis_work import Progress, question_about
from brinkmanship.web.errors import TooManyError
from brinkmanship.web.minds import ANALYSIS, MindError, patient_minds
from brinkmanship.web.questions import ADVISER
from brinkmanship.web.table import LiveTable
from brinkmanship.web.tasks import Supervisor
from brinkmanship.web.thinkers import Thinkers

log = logging.getLogger("brinkmanship.web")

PER_MINUTE = 12
"""Analyses that one address may ask for, in bursts of a quarter of that: each takes about a minute of a processor."""
MOST_AT_ONCE = 20
"""Under way or waiting at one process."""
BEAT_SECONDS = 1.0
"""How often it is written how far each is."""
AGAIN_SECONDS = 0.5
"""How long it waits where the database is away, before it tries again to keep what came of one."""


class State(NamedTuple):
    """How the analysis of a game stands."""

    progress: Progress | None = None
    """How far it is; None: nobody works on it."""
    report: Analysis | None = None
    fault: str = ""
    """Why nothing came of it."""

    @property
    def status(self) -> Literal["none", "at_work", "done", "failed"]:
        """In a word."""
        if self.report is not None:
            return "done"
        return "at_work" if self.progress is not None else "failed" if self.fault else "none"


class Analysing:
    """Has games analysed.

    Args:
        thinkers: other machines for it, None: there are none.
    """

    def __init__(self, engine: Engine, writer: Writer, tasks: Supervisor, thinkers: Thinkers | None = None) -> None:
        self._engine = engine
        self._writer = writer
        self._tasks = tasks
        self._thinkers = thinkers
        self.playouts = 0
        """For each step of a game; 0: no game is analysed here."""
        self._telling = analyses.Telling(engine)
        self._limit = limits.RateLimit(PER_MINUTE)
        self._told: dict[Subject, bytes | None] = {}
        """How far each is that is under way here."""

    def can_analyse(self, game: Game, result: str) -> bool:
        """Whether a game can be analysed that has ended so."""
        return self.playouts > 0 and result not in ("", "unfinished") and ADVISER in players_for(game)

    def of_table(self, table: LiveTable) -> tuple[Subject, Callable[[], bytes]]:
        """What names the analysis of a finished table, and makes what is asked about it."""
        still, playouts = table.still(), self.playouts

        def question() -> bytes:
            return question_about(still.journal(EVERYTHING), still.game, playouts)

        return Subject(table.id, len(still.records)), question

    async def state(self, subject: Subject, question: Callable[[], bytes]) -> State:
        """How the analysis of a game stands; one that was cut short is begun again.

        Args:
            question: makes what `analysis_work` is asked, is called in a thread.
        """
        kept = await asyncio.to_thread(analyses.kept, self._engine, subject)
        if kept is None:
            return State()
        if kept.report is not None:
            return State(report=Analysis.from_json(zlib.decompress(kept.report)))
        if kept.fault is not None:
            return State(fault=kept.fault)
        if not kept.is_at_work:
            await self._begin(subject, question)
        return State(Progress.from_bytes(kept.told) if kept.told else Progress())

    async def begin(self, subject: Subject, question: Callable[[], bytes]) -> None:
        """Have a game analysed, unless it is or has been.

        Raises:
            TooManyError: too much of this is asked for.
        """
        if subject in self._told:
            return
        if len(self._told) >= MOST_AT_ONCE or not self._limit.allows(limits.asking.get()):
            await limits.hold_back()
            raise TooManyError("too many analyses are asked for; wait a little", said="analysis.refused.many")
        await self._begin(subject, question)

    async def beat(self) -> None:
        """Write how far each is; to be called every `BEAT_SECONDS`."""
        still = [self._telling.of(subject, told) for subject, told in self._told.items()]
        if still:
            await self._writer.write(*still)

    async def _begin(self, subject: Subject, question: Callable[[], bytes]) -> None:
        is_mine = subject not in self._told and await asyncio.to_thread(analyses.take, self._engine, subject)
        # Interpreted rules would take hours: who takes over when they are compiled finds that it was asked for.
        if is_mine and not (is_interpreting() and self._thinkers is None):
            self._told[subject] = None
            self._tasks.start("analysis", subject.about, partial(self._work, subject, question))

    async def _work(self, subject: Subject, question: Callable[[], bytes]) -> None:
        try:
            try:
                came_of_it = analyses.reporting(subject, await self._worked_out(subject, question))
            except MindError as error:
                log.warning("a game was not analysed", extra={"game": subject.about, "reason": str(error)})
                came_of_it = analyses.giving_up(subject, str(error))
            while True:
                try:
                    await self._writer.write(came_of_it)
                    return
                except AWAY:
                    await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self._told.pop(subject, None)

    async def _worked_out(self, subject: Subject, question: Callable[[], bytes]) -> bytes:
        def tell(told: bytes) -> None:
            if subject in self._told:
                self._told[subject] = told

        if self._thinkers is not None:
            report = await self._thinkers.work_out(ANALYSIS, subject.about, question, tell)
            if report is not None:
                return report
        return await asyncio.wrap_future(patient_minds().work_out(ANALYSIS, question, tell))
