"""A worker that interprets the games serves at once; a compiled one takes over, and who plays notices nothing."""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import socket
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest

from brinkmanship.cli.commands import precompile
from brinkmanship.engine import journal
from brinkmanship.engine.jit.cache import INTERPRET
from brinkmanship.web.server import processes
from brinkmanship.web.support.settings import Settings, sign_of_life
from support.patience import HANGS_SECONDS, wait_until
from support.server_process import ServerProcess

pytestmark = pytest.mark.skipif(not processes.CAN_HAND_OVER, reason="workers cannot take over here")

SERVER = """
import multiprocessing, sys, time
from pathlib import Path
from brinkmanship.engine.parent_watch import end_with_parent
from brinkmanship.web.server import processes
from brinkmanship.web.support.settings import Settings

folder = Path(sys.argv[1])

def compile_games():
    end_with_parent()
    while not (folder / "compiled").exists():
        time.sleep(0.05)

def begin():
    process = multiprocessing.get_context("spawn").Process(target=compile_games)
    process.start()
    return process

def tell(is_compiled):
    (folder / ("handed over" if is_compiled else "open")).touch()

if __name__ == "__main__":
    processes.START_SECONDS = processes.END_SECONDS = float(sys.argv[2])
    settings = Settings(port=int(sys.argv[-1]), database=f"sqlite:///{folder}/table.sqlite3", requests_per_minute=10**6)
    processes.serve_while(settings, begin, tell)
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of which the test says when its games are compiled.

    It interprets them to the end: what is tested is the handing over, and that should not wait for a compiler.
    """
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    server = ServerProcess([str(tmp_path / "server.py"), str(tmp_path), str(HANGS_SECONDS)], tmp_path / "log")
    wait_until(lambda: (tmp_path / "open").exists() or server.process.poll() is not None)
    assert server.process.poll() is None
    yield server
    server.stop()
    print((tmp_path / "log").read_text("utf-8"))  # shown where the test has failed


class Onlooker(threading.Thread):
    """Reads the stream of a table as a page does: when it is cut off it comes back."""

    def __init__(self, server: ServerProcess, table: str, token: str) -> None:
        super().__init__(daemon=True)
        self.server, self.table, self.token = server, table, token
        self.version = -1
        self.streams = 0
        self.is_done = False

    def run(self) -> None:
        while not self.is_done:
            try:
                request = self.server.request(f"/tables/{self.table}/stream", self.token)
                with urllib.request.urlopen(request, timeout=HANGS_SECONDS) as stream:
                    self.streams += 1
                    for line in stream:
                        if line.startswith(b"data:") and (found := re.search(rb"\d+", line)):
                            self.version = int(found[0])
            except OSError:
                pass


def test_no_move_and_no_request_is_lost_when_a_compiled_worker_takes_over(
    server: ServerProcess, tmp_path: Path
) -> None:
    token = server.ask("/tokens", body={"name": "Anna"})["token"]
    table = server.ask("/tables", token, {"game": "13-minutes", "seats": ["me", "me"]})["id"]
    against = server.ask("/tables", token, {"game": "13-days", "seats": ["me", "computer:random"]})["id"]
    before = server.workers()
    onlooker = Onlooker(server, table, token)
    onlooker.start()
    dice = random.Random(5)
    acknowledged: list[str] = []

    def play(table: str) -> None:
        side = dice.choice(("us", "ussr")) if table != against else "us"
        view = server.ask(f"/tables/{table}?side={side}", token)
        if view["legal"]:
            action = dice.choice(view["legal"])
            server.ask(f"/tables/{table}/actions", token, {"side": side, "version": view["version"], "action": action})
            if table != against:
                acknowledged.append(action)

    while len(acknowledged) < 3:
        play(table)
    wait_until(lambda: onlooker.streams == 1)
    (tmp_path / "compiled").touch()

    def first_worker_is_gone() -> bool:
        play(against)
        if (tmp_path / "handed over").exists():
            play(table)
        return not server.workers() & before

    wait_until(first_worker_is_gone)
    for _ in range(6):
        play(against)
        play(table)
    record = journal.parse(server.ask(f"/tables/{table}/journal", token))
    kept = [entry for entry in record.entries if entry.actor in ("us", "ussr")]
    assert len(kept) == len(acknowledged) > 3
    known = Counter(entry.text for entry in kept if not entry.is_hidden)  # the other side's bid is not shown
    assert not known - Counter(acknowledged)
    assert known.total() >= len(acknowledged) - 1
    version = server.ask(f"/tables/{table}", token)["version"]
    wait_until(lambda: onlooker.version >= version)
    assert onlooker.version == version
    assert onlooker.streams > 1
    onlooker.is_done = True


def test_the_first_worker_interprets_and_the_next_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(INTERPRET, "0")
    started: list[str] = []

    class Process:
        """Instead of a worker: notes how it was to take the rules."""

        def __init__(self, **_: object) -> None: ...

        def start(self) -> None:
            started.append(os.environ[INTERPRET])

    monkeypatch.setattr(multiprocessing.get_context("spawn").__class__, "Process", Process)
    processes._start(Settings(), None, interpreted=True)
    processes._start(Settings(), None, interpreted=False)
    assert started == ["1", "0"]
    assert os.environ[INTERPRET] == "0"


class Hanging:
    """A worker that neither comes up nor ends when it is told to."""

    def __init__(self) -> None:
        program = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=1); time.sleep(9e3)"
        self._process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self._process.stdout.readline()
        self.pid = self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def terminate(self) -> None:
        self._process.terminate()

    def join(self, _: float = 0) -> None:
        self._process.wait()


def test_a_worker_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Hanging] = []

    def start(*_: object, **__: object) -> Hanging:
        started.append(Hanging())
        return started[-1]

    class Compiled:
        """The process that compiles, when it is done."""

        exitcode = 0

        def is_alive(self) -> bool:
            return False

    monkeypatch.setattr(processes, "_start", start)
    told: list[bool] = []
    with socket.socket() as door:
        team = processes._Handover(Settings(channel=str(tmp_path)), door, cast(Any, Compiled), told.append)
        sign_of_life(tmp_path, started[0].pid).touch()  # the first one is up
        team.look()
        team.look()
        assert [worker.is_alive() for worker in started] == [True, True]
        monkeypatch.setattr(processes, "START_SECONDS", 0)
        team.look()  # the second one does not come up, so there is a third
        assert [worker.is_alive() for worker in started] == [True, False, True]
        sign_of_life(tmp_path, started[2].pid).touch()
        team.look()
        assert told == [False, True]
        assert started[0].is_alive()  # it was told to end, and does not
        monkeypatch.setattr(processes, "END_SECONDS", 0)
        team.look()
        assert [worker.is_alive() for worker in started] == [False, False, True]
        started[2]._process.kill()


def test_workers_do_not_outlive_a_server_that_is_killed(server: ServerProcess) -> None:
    assert server.workers()
    server.kill()

    def is_port_free() -> bool:
        with suppress(OSError), socket.create_server(("127.0.0.1", server.port)):
            return True
        return False

    wait_until(is_port_free)


def test_playing_in_the_terminal_begins_at_once_and_compiles_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: begun.append(command))
    monkeypatch.setattr(precompile, "missing", lambda games: [game for game in games if game == "13-days"])
    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setenv(INTERPRET, "0")
    precompile.begin_to_play(["13-minutes"])
    assert (begun, os.environ[INTERPRET]) == ([], "0")
    precompile.begin_to_play(["13-days", "--help"])
    precompile.begin_to_play(["13days"])
    assert begun == []
    precompile.begin_to_play(["13-days", "--seed", "1"])
    assert os.environ[INTERPRET] == "1"
    assert [command[-2:] for command in begun] == [["brinkmanship.cli.commands.precompile", "13-days"]]


def test_what_decides_it_does_not_load_numba() -> None:
    modules = "brinkmanship.cli.commands.serve, brinkmanship.web.server.processes"
    program = f"import {modules}, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
