"""The processes in which computer players think: a few, started when they are first needed, replaced when they fail.

Such a process is given nothing but the game as the player's side saw it (`questions`). It is started anew (`spawn`),
so it has no memory of this one's: no state, no seed, no journal. However long a player thinks, and whatever becomes of
it, the tables go on; who asked for more than there are processes waits for one of them.

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

from brinkmanship.engine.lifeline import end_with_parent
from brinkmanship.engine.seen import SeenGame
from brinkmanship.players import Choice
from brinkmanship.web.questions import Players, choice_of, question_to

Work = Callable[[bytes], bytes]

CHOICE = "choice"
"""The kind of work that is a computer player's choice: from `questions.question_to` to what `choice_of` reads."""
HINT = "hint"
"""The kind of work that is hints for a person: from `questions.question_to` to what `hints_of` reads."""

PROCESSES = max(1, (os.cpu_count() or 1) - 1)
"""One processor is left to the server."""
PATIENCE_SECONDS = 120.0
"""So long a process may take over an answer, the first time with loading the game; then it counts as hung, and ends."""
LOOK_SECONDS = 1.0
"""So often whoever waits for an answer looks whether the server has ended meanwhile."""
NICENESS = 5
"""The pages go first."""


class MindError(RuntimeError):
    """A computer player did not answer: it failed, or its process ended or hung."""


class Answer(NamedTuple):
    """What came of a work."""

    result: bytes = b""
    fault: str = ""
    """Why there is no result."""


class Minds:
    """So many processes in which computer players think.

    Args:
        processes: how many at most.
        patience: seconds that one may take over an answer.
    """

    def __init__(self, processes: int = PROCESSES, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="mind")
        self._idle: list[_Mind] = []

    def ask(self, name: str, seen: Callable[[], SeenGame]) -> Future[Choice]:
        """Ask the player with this name what it chooses; `seen` is made when a process is free. The answer may be a
        `MindError`."""

        def choose() -> Choice:
            return choice_of(self._work(CHOICE, question_to(name, seen())))

        return self._threads.submit(choose)

    def work_out(self, kind: str, payload: bytes | Callable[[], bytes]) -> Future[bytes]:
        """Have something of a kind worked out, from what may be made when a process is free; the answer may be a
        `MindError`."""
        return self._threads.submit(lambda: self._work(kind, payload if isinstance(payload, bytes) else payload()))

    def close(self) -> None:
        """End the processes, and whatever they think about."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        while self._idle:
            self._idle.pop().end()

    def _work(self, kind: str, payload: bytes) -> bytes:
        mind = self._idle.pop() if self._idle else _Mind()  # each thread has one at a time
        if not mind.is_alive:
            mind.end()
            mind = _Mind()
        try:
            answer = mind.work_out(kind, payload, self._patience)
        except BaseException:
            mind.end()
            raise
        self._idle.append(mind)
        if answer.fault:
            raise MindError(answer.fault)
        return answer.result


@cache
def minds() -> Minds:
    """The processes of this one, however many servers it has."""
    return Minds()


class _Mind:
    """One process."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, other = spawn.Pipe()
        self._process = spawn.Process(target=_think, args=(other,), name="mind", daemon=True)
        self._process.start()
        other.close()

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.is_alive()

    def work_out(self, kind: str, payload: bytes, patience: float) -> Answer:
        """What comes of a work; the process can be asked again, whether it went well or not.

        Raises:
            MindError: the process ended, or gave no answer for so many seconds.
        """
        try:
            self._pipe.send((kind, payload))
            end = time.monotonic() + patience
            while not self._pipe.poll(min(LOOK_SECONDS, max(0.0, end - time.monotonic()))):
                if time.monotonic() >= end:
                    raise MindError(f"there has been no {kind} for {patience:g} seconds")
                if not threading.main_thread().is_alive():
                    raise MindError("the server has ended")
            answer: Answer = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise MindError(f"the process that worked out a {kind} has ended") from error
        return answer

    def end(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _think(pipe: Connection) -> None:
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    players = Players()
    works: dict[str, Work] = {CHOICE: players.answer, HINT: players.hint}
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            kind, payload = pipe.recv()
            pipe.send(_answer(works, kind, payload))


def _answer(works: dict[str, Work], kind: str, payload: bytes) -> Answer:
    try:
        return Answer(works[kind](payload))
    except BaseException as fault:  # whatever a player of another package raises, the process goes on
        return Answer(fault=f"no {kind}: {type(fault).__name__}: {fault}")
