"""A small pool of worker processes for computer players, started on demand and restarted on failure.

A worker process only receives the game as the player's side observed it (`player_job`). It is started with `spawn`, so
it inherits none of the server's memory: no state, no seed, no journal. (Only for a finished game, which everyone may
see, it receives the journal or positions to analyse.) However long a player thinks, and even if it crashes, the tables
go on. Requests beyond the pool size are queued.

Each job has a kind and maps bytes to bytes, so that a remote machine can do the same work (`worker`).
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

from brinkmanship.drawing.png import png
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.parent_watch import end_with_parent
from brinkmanship.players import Choice
from brinkmanship.web.jobs import analysis_job, animation_job, comparison_job, puzzle_job, simulation_job
from brinkmanship.web.jobs.player_job import Players, decode_choice, encode_request

ReportProgress = Callable[[bytes], None]
"""Callback for progress reports, in a format specific to the kind of job."""
Work = Callable[[bytes, ReportProgress], bytes]

CHOICE = "choice"
"""Job type: one choice of a computer player (payload and result: see `player_job`)."""
HINT = "hint"
"""Job type: hints for a user, from `player_job.encode_request` to `player_job.hints_of`."""
ANALYSIS = "analysis"
"""Job type: analysis of a finished game (payload and result: see `analysis_job`)."""
COMPARISON = "comparison"
"""Job type: comparison of positions of a finished game (payload and result: see `comparison_job`)."""
SIMULATION = "simulation"
"""Job type: simulate many games with custom cards (payload and result: see `simulation_job`)."""
PUZZLES = "puzzles"
"""Job type: find the puzzles in a finished game (payload and result: see `puzzle_job`)."""
PICTURE = "picture"
"""Job type: an SVG picture as PNG. The program that draws it would block all threads of its process."""
ANIMATION = "animation"
"""Job type: animated picture of a finished game (payload and result: see `animation_job`)."""
LONG = frozenset({ANALYSIS, SIMULATION, PUZZLES, ANIMATION})
"""Job types that take minutes. They run in a separate pool, so that players at a table do not wait for them."""

PROCESSES = max(1, (os.cpu_count() or 1) - 1)
"""Default pool size; leaves one CPU to the server."""
TIMEOUT = 120.0
"""Timeout (s) without output, including the first game load; the process is then killed as hung."""
POLL_INTERVAL = 1.0
"""Interval (s) at which a waiting thread checks whether the server has shut down."""
NICENESS = 5
"""Niceness of worker processes; below the priority of the pages."""
NICENESS_OF_LONG = 15
"""Niceness of processes for long jobs; below the priority of the players."""


class JobFailedError(RuntimeError):
    """A job failed: the computer player raised an exception, or its process ended or hung."""


class Answer(NamedTuple):
    """Result of a job."""

    result: bytes = b""
    fault: str = ""
    """Reason why there is no result."""


class _Progress(NamedTuple):
    """Progress report of a job."""

    progress: bytes


class ProcessPool:
    """Pool of worker processes for computer players.

    Args:
        processes: Maximum number of processes.
        patience: Timeout (s) without output of a working process.
        niceness: Niceness of the processes.
    """

    def __init__(self, processes: int = PROCESSES, patience: float = TIMEOUT, niceness: int = NICENESS) -> None:
        self._patience = patience
        self._niceness = niceness
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="job")
        self._idle: list[WorkerProcess] = []

    def ask(self, name: str, seen: Callable[[], Observation], seed: int | None = None) -> Future[Choice]:
        """Request a choice from the player with this name; the future may raise `JobFailedError`.

        `seen` is called when a process is free.
        """

        def choose() -> Choice:
            return decode_choice(self._work(CHOICE, encode_request(name, seen(), seed)))

        return self._threads.submit(choose)

    def submit(
        self, kind: str, payload: bytes | Callable[[], bytes], report_progress: ReportProgress = lambda _: None
    ) -> Future[bytes]:
        """Run a job of a kind; the future may raise `JobFailedError`.

        A callable payload is called when a process is free. `report_progress` is called in another thread.
        """

        def work() -> bytes:
            return self._work(kind, payload if isinstance(payload, bytes) else payload(), report_progress)

        return self._threads.submit(work)

    def close(self) -> None:
        """Kill the processes with their jobs."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        while self._idle:
            self._idle.pop().end()

    def _work(self, kind: str, payload: bytes, report_progress: ReportProgress = lambda _: None) -> bytes:
        # Each thread uses one process at a time.
        process = self._idle.pop() if self._idle else WorkerProcess(self._niceness)
        if not process.is_alive:
            process.end()
            process = WorkerProcess(self._niceness)
        try:
            answer = process.run(kind, payload, report_progress, self._patience)
        except BaseException:
            process.end()
            raise
        self._idle.append(process)
        if answer.fault:
            raise JobFailedError(answer.fault)
        return answer.result


@cache
def process_pool() -> ProcessPool:
    """Return the pool of this process, shared by all its servers."""
    return ProcessPool()


@cache
def background_pool() -> ProcessPool:
    """Return the pool of this process for long jobs (`LONG`): one worker process, one job at a time."""
    return ProcessPool(1, niceness=NICENESS_OF_LONG)


class WorkerProcess:
    """One worker process."""

    def __init__(self, niceness: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, other = spawn.Pipe()
        self._process = spawn.Process(target=_run_jobs, args=(other, niceness), name="worker", daemon=True)
        self._process.start()
        other.close()

    @property
    def is_alive(self) -> bool:
        """True if the process can take jobs."""
        return self._process.is_alive()

    def run(self, kind: str, payload: bytes, report_progress: ReportProgress, patience: float) -> Answer:
        """Run a job and return its result; the process stays usable whether or not the job succeeds.

        Raises:
            JobFailedError: The process ended, or was silent for `patience` seconds.
        """
        try:
            self._pipe.send((kind, payload))
            while isinstance(said := self._heard(kind, patience), _Progress):
                report_progress(said.progress)
        except (EOFError, OSError) as error:
            raise JobFailedError(f"the worker process for a job ({kind}) has ended") from error
        return said

    def _heard(self, kind: str, patience: float) -> _Progress | Answer:
        end = time.monotonic() + patience
        while not self._pipe.poll(min(POLL_INTERVAL, max(0.0, end - time.monotonic()))):
            if time.monotonic() >= end:
                raise JobFailedError(f"no {kind} for {patience:g} seconds")
            if not threading.main_thread().is_alive():
                raise JobFailedError("the server has shut down")
        said: _Progress | Answer = self._pipe.recv()
        return said

    def end(self) -> None:
        """Kill the process at once."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _run_jobs(pipe: Connection, niceness: int) -> None:
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(niceness)
    players = Players()
    works: dict[str, Work] = {
        CHOICE: lambda payload, _: players.answer(payload),
        HINT: lambda payload, _: players.hint(payload),
        ANALYSIS: analysis_job.run,
        SIMULATION: simulation_job.run,
        COMPARISON: lambda payload, _: comparison_job.run(payload),
        ANIMATION: animation_job.run,
        PUZZLES: lambda payload, _: puzzle_job.run(payload),
        PICTURE: lambda payload, _: png(payload.decode()),
    }
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            kind, payload = pipe.recv()
            pipe.send(_answer(works, kind, payload, lambda progress: pipe.send(_Progress(progress))))


def _answer(works: dict[str, Work], kind: str, payload: bytes, report_progress: ReportProgress) -> Answer:
    try:
        return Answer(works[kind](payload, report_progress))
    except BaseException as fault:  # a third-party player may raise anything; the process must go on
        return Answer(fault=f"no {kind}: {type(fault).__name__}: {fault}")
