"""The processes in which computer players think: a few, started when they are first needed, replaced when they fail.

Such a process is given nothing but the game as the player's side saw it (`player_job`). It is started anew (`spawn`),
so it has no memory of this one's: no state, no seed, no journal. (Only of a finished game, to analyse it, it is given
the journal, or positions, which everybody may see.) However long a player thinks, and whatever becomes of it, the
tables go on; who asked for more than there are processes waits for one of them.

What is worked out there is of a kind, from bytes to bytes, so that the same can be done on another machine (`worker`).
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from typing import NamedTuple

from brinkmanship.engine.observation import Observation
from brinkmanship.engine.parent_watch import end_with_parent
from brinkmanship.players import Choice
from brinkmanship.web.jobs.analysis_job import analysed
from brinkmanship.web.jobs.comparison_job import comparison_of
from brinkmanship.web.jobs.player_job import Players, decode_choice, encode_request
from brinkmanship.web.jobs.puzzle_job import puzzles_in
from brinkmanship.web.jobs.simulation_job import simulated

Tell = Callable[[bytes], None]
"""Is told how far a work is, as that kind of work tells it."""
Work = Callable[[bytes, Tell], bytes]

CHOICE = "choice"
"""Job type: one choice of a computer player (payload and result: see `player_job`)."""
HINT = "hint"
"""The kind of work that is hints for a person: from `player_job.encode_request` to what `hints_of` reads."""
ANALYSIS = "analysis"
"""The kind of work that is the analysis of a finished game: from and to what `analysis_job` says."""
COMPARISON = "comparison"
"""The kind of work that compares positions of a finished game: from and to what `comparison_job` says."""
SIMULATION = "simulation"
"""The kind of work that is many games with somebody's own cards; from and to what `simulation_job` says."""
PUZZLES = "puzzles"
"""The kind of work that finds the puzzles in a finished game; from and to what `puzzle_job` says."""
LONG = frozenset({ANALYSIS, SIMULATION, PUZZLES})
"""The kinds that take minutes. They are done in places of their own, so that nobody at a table waits for them."""

PROCESSES = max(1, (os.cpu_count() or 1) - 1)
"""One processor is left to the server."""
TIMEOUT = 120.0
"""So long a process may be silent, the first time with loading the game; then it counts as hung, and ends."""
POLL_INTERVAL = 1.0
"""So often whoever waits for an answer looks whether the server has ended meanwhile."""
NICENESS = 5
"""The pages go first."""
NICENESS_OF_LONG = 15
"""And then the players."""


class JobFailedError(RuntimeError):
    """A computer player did not answer: it failed, or its process ended or hung."""


class Answer(NamedTuple):
    """What came of a work."""

    result: bytes = b""
    fault: str = ""
    """Why there is no result."""


class _Told(NamedTuple):
    """How far a work is."""

    told: bytes


class ProcessPool:
    """So many processes in which computer players think.

    Args:
        processes: how many at most.
        patience: seconds for which one that works may be silent.
        niceness: how far they stand back behind other processes of the machine.
    """

    def __init__(self, processes: int = PROCESSES, patience: float = TIMEOUT, niceness: int = NICENESS) -> None:
        self._patience = patience
        self._niceness = niceness
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="mind")
        self._idle: list[_Mind] = []

    def ask(self, name: str, seen: Callable[[], Observation]) -> Future[Choice]:
        """Ask the player with this name what it chooses; `seen` is made when a process is free. The answer may be a
        `JobFailedError`."""

        def choose() -> Choice:
            return decode_choice(self._work(CHOICE, encode_request(name, seen())))

        return self._threads.submit(choose)

    def work_out(self, kind: str, payload: bytes | Callable[[], bytes], tell: Tell = lambda _: None) -> Future[bytes]:
        """Have something of a kind worked out, from what may be made when a process is free; the answer may be a
        `JobFailedError`. `tell` is called in another thread."""

        def work() -> bytes:
            return self._work(kind, payload if isinstance(payload, bytes) else payload(), tell)

        return self._threads.submit(work)

    def close(self) -> None:
        """End the processes, and whatever they think about."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        while self._idle:
            self._idle.pop().end()

    def _work(self, kind: str, payload: bytes, tell: Tell = lambda _: None) -> bytes:
        mind = self._idle.pop() if self._idle else _Mind(self._niceness)  # each thread has one at a time
        if not mind.is_alive:
            mind.end()
            mind = _Mind(self._niceness)
        try:
            answer = mind.work_out(kind, payload, tell, self._patience)
        except BaseException:
            mind.end()
            raise
        self._idle.append(mind)
        if answer.fault:
            raise JobFailedError(answer.fault)
        return answer.result


@cache
def process_pool() -> ProcessPool:
    """The processes of this one, however many servers it has."""
    return ProcessPool()


@cache
def background_pool() -> ProcessPool:
    """The process of this one for what takes long (`LONG`), one thing after the other."""
    return ProcessPool(1, niceness=NICENESS_OF_LONG)


class _Mind:
    """One process."""

    def __init__(self, niceness: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, other = spawn.Pipe()
        self._process = spawn.Process(target=_think, args=(other, niceness), name="mind", daemon=True)
        self._process.start()
        other.close()

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.is_alive()

    def work_out(self, kind: str, payload: bytes, tell: Tell, patience: float) -> Answer:
        """What comes of a work; the process can be asked again, whether it went well or not.

        Raises:
            JobFailedError: the process ended, or was silent for so many seconds.
        """
        try:
            self._pipe.send((kind, payload))
            while isinstance(said := self._heard(kind, patience), _Told):
                tell(said.told)
        except (EOFError, OSError) as error:
            raise JobFailedError(f"the process that worked out a {kind} has ended") from error
        return said

    def _heard(self, kind: str, patience: float) -> _Told | Answer:
        end = time.monotonic() + patience
        while not self._pipe.poll(min(POLL_INTERVAL, max(0.0, end - time.monotonic()))):
            if time.monotonic() >= end:
                raise JobFailedError(f"there has been no {kind} for {patience:g} seconds")
            if not threading.main_thread().is_alive():
                raise JobFailedError("the server has ended")
        said: _Told | Answer = self._pipe.recv()
        return said

    def end(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _think(pipe: Connection, niceness: int) -> None:
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(niceness)
    players = Players()
    works: dict[str, Work] = {
        CHOICE: lambda payload, _: players.answer(payload),
        HINT: lambda payload, _: players.hint(payload),
        ANALYSIS: analysed,
        SIMULATION: simulated,
        COMPARISON: lambda payload, _: comparison_of(payload),
        PUZZLES: lambda payload, _: puzzles_in(payload),
    }
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            kind, payload = pipe.recv()
            pipe.send(_answer(works, kind, payload, lambda told: pipe.send(_Told(told))))


def _answer(works: dict[str, Work], kind: str, payload: bytes, tell: Tell) -> Answer:
    try:
        return Answer(works[kind](payload, tell))
    except BaseException as fault:  # whatever a player of another package raises, the process goes on
        return Answer(fault=f"no {kind}: {type(fault).__name__}: {fault}")
