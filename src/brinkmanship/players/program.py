"""Computer players that are programs of their own, in any language: the player protocol over standard input and output.

Each message is one line of JSON. The program is started once and answers one decision after another; it ends when its
input ends. docs/research/python.md describes the messages, examples/programs has a player in Python.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import threading
import weakref
from collections.abc import Mapping
from queue import Empty, Queue
from typing import IO, Any

from brinkmanship.engine.chance import below
from brinkmanship.engine.errors import BrinkError, LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.players.player import Choice, Player

PROTOCOL = 1
TIMEOUT = 60.0
"""Maximum time for an answer (s)."""
END_TIMEOUT = 2.0
"""Time (s) in which a program has to end once its input has ended."""
BITS_OF_SEED = 31
MAX_LINE = 1 << 20
"""Maximum length of an answer."""
SHOWN = 200
"""Maximum length of a wrong answer in an error message."""


class ProgramError(LocalizedError):
    """A program cannot be started, ended, took too long, or gave an answer that is not of the protocol."""


class ProgramPlayer(Player):
    """A program as a computer player.

    Copies share its processes: each decision takes an idle process, or starts one, so several threads may ask at once.

    Args:
        game: The ruleset.
        command: The command line, split as a shell would, but run without one.
        seed: Seed of the numbers that the program gets with each decision.
        timeout: Maximum time for an answer (s).

    Raises:
        ProgramError: The program cannot be started, or does not know the protocol.
    """

    name = "program"

    def __init__(self, game: Game, command: str, seed: int | None = None, timeout: float = TIMEOUT) -> None:
        super().__init__(game, seed)
        self._processes = _Processes(command, self.start_message(), timeout)
        self._processes.give_back(self._processes.take())

    def choose(self, seen: Observation) -> Choice:
        """Return the program's choice.

        Raises:
            ProgramError: The program ended, took too long, or its answer is not of the protocol.
            IllegalActionError: Its action is not legal.
        """
        legal = self.game.legal_actions(seen.view(), seen.side)
        process = self._processes.take()
        try:
            answer = process.ask(self.question(seen, legal, below(self.random, 1 << BITS_OF_SEED)))
            action = answer.get("action")
            if not isinstance(action, int | str) or isinstance(action, bool):
                raise process.error("fault.program.action", answer=json.dumps(answer)[:SHOWN])
            chosen = self.game.legal_action(action, seen.side, legal)
        except BrinkError:
            process.end()
            raise
        self._processes.give_back(process)
        return Choice(chosen)

    def start_message(self) -> dict[str, Any]:
        """Return the first message to a process, which says what is played."""
        game = self.game
        return {
            "command": "start",
            "protocol": PROTOCOL,
            "game": game.id,
            "rules": game.version,
            "options": dict(game.options),
            "data_sha256": game.data_sha256,
            "sides": list(game.sides),
        }

    def question(self, seen: Observation, legal: list[int], seed: int) -> dict[str, Any]:
        """Return the message that asks for a decision."""
        game = self.game
        return {
            "command": "choose",
            "side": game.sides[seen.side],
            "seed": seed,
            "legal": [{"number": action, "text": game.action_text(action)} for action in legal],
            "known": game.known_state(seen.view(), seen.side),
            "history": [each.line for each in seen.actions],
        }


class _Processes:
    """The processes of one program, each idle or answering one question."""

    def __init__(self, command: str, start: Mapping[str, Any], timeout: float) -> None:
        self._command = command
        self._start = start
        self._timeout = timeout
        self._idle: Queue[_Process] = Queue()
        weakref.finalize(self, _end_all, self._idle)

    def take(self) -> _Process:
        """Return an idle process, or a new one that has answered the start message."""
        try:
            return self._idle.get_nowait()
        except Empty:
            process = _Process(self._command, self._timeout)
        answer = process.ask(self._start)
        if answer.get("protocol") != PROTOCOL:
            process.end()
            raise process.error("fault.program.protocol", number=str(PROTOCOL), answer=json.dumps(answer)[:SHOWN])
        return process

    def give_back(self, process: _Process) -> None:
        """Make a process idle."""
        self._idle.put(process)


def _end_all(idle: Queue[_Process]) -> None:
    while not idle.empty():
        idle.get_nowait().end()


class _Process:
    """One running process of a program."""

    def __init__(self, command: str, timeout: float) -> None:
        self._command = command
        self._timeout = timeout
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except (OSError, ValueError, IndexError) as error:
            raise self.error("fault.program.start", why=str(error) or "no command") from error

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message and return the answer.

        Raises:
            ProgramError: The program ended, took too long, reported an error, or answered no JSON object.
        """
        alarm = threading.Timer(self._timeout, self._process.kill)
        alarm.start()
        try:
            line = self._exchange(json.dumps(message))
        finally:
            alarm.cancel()
        if not line:
            self.end()
            raise self.error("fault.program.ended", code=str(self._process.returncode), seconds=f"{self._timeout:g}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.end()
            raise self.error("fault.program.json", answer=line.strip()[:SHOWN])
        if "error" in answer:
            self.end()
            raise self.error("fault.program.reported", why=str(answer["error"])[:SHOWN])
        return answer

    def _exchange(self, text: str) -> str:
        """Return the line that the program answers; "" if it has ended."""
        try:
            _pipe(self._process.stdin).write(text + "\n")
            _pipe(self._process.stdin).flush()
            return _pipe(self._process.stdout).readline(MAX_LINE)
        except (OSError, UnicodeDecodeError):
            return ""

    def error(self, key: str, **known: str) -> ProgramError:
        """Return an error about this program."""
        return ProgramError(Message(key, {"command": self._command, **known}))

    def end(self) -> None:
        """End the process: its input ends, and it is killed if it does not end soon."""
        try:
            self._process.communicate(timeout=END_TIMEOUT)
        except (subprocess.TimeoutExpired, OSError, ValueError):
            self._process.kill()
            self._process.wait()


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
