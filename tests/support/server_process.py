"""A server in a process of its own, which a test can kill, restart, and ask as a program does."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from brinkmanship.engine.jit.cache import INTERPRET
from support.patience import HANGS_SECONDS, wait_until


class ServerProcess:
    """A server that interprets the games: it is there quickly, and nothing depends on what is compiled here.

    Args:
        has_port: whether it is asked at one; a machine for computer players has none.
    """

    def __init__(self, command: Sequence[str], log: Path | None = None, has_port: bool = True) -> None:
        self.port = free_port() if has_port else 0
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, *command, *(["--port", str(self.port)] if has_port else [])]
        self._log = log
        self.start()

    def start(self) -> None:
        """Start it, also again after it was killed; it may not answer yet."""
        environment = {
            **os.environ,
            INTERPRET: "1",
            "BRINK_REQUESTS_PER_MINUTE": "1000000",
            "BRINK_COMPUTER_PACE_MS": "0",
        }
        with (self._log or Path(os.devnull)).open("wb") as log:
            self.process = subprocess.Popen(self._command, env=environment, stdout=subprocess.DEVNULL, stderr=log)

    def wait_until_it_answers(self) -> None:
        """Until it has come up."""
        wait_until(self.answers_or_has_ended)
        assert self.process.poll() is None, "it has ended instead of coming up"

    def answers_or_has_ended(self) -> bool:
        """Whether there is nothing to wait for."""
        return self.answers() or self.process.poll() is not None

    def answers(self) -> bool:
        """Whether anybody answers at its address."""
        try:
            urllib.request.urlopen(f"{self.url}/health", timeout=HANGS_SECONDS).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """At once, whatever it is doing."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """As it is asked to stop; its exit code."""
        self.process.terminate()
        return self.process.wait(HANGS_SECONDS)

    def workers(self) -> set[int]:
        """The processes that it has started."""
        # -ww: else lines end at COLUMNS, where that is set, and what is to be told apart stands behind a long path.
        command = ["ps", "-ww", "--no-headers", "-o", "pid,args", "--ppid", str(self.process.pid)]
        listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        return {int(line.split()[0]) for line in listed if "resource_tracker" not in line}

    def ask(self, path: str, token: str = "", body: object = None) -> Any:
        """Each time on a connection of its own, so that any worker may answer."""
        with urllib.request.urlopen(self.request(path, token, body), timeout=HANGS_SECONDS) as answer:
            text = answer.read().decode()
        return text if path.endswith("journal") else json.loads(text)

    def request(self, path: str, token: str = "", body: object = None) -> urllib.request.Request:
        """What a program sends to the API."""
        request = urllib.request.Request(f"{self.url}/api/v1{path}")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        return request


def free_port() -> int:
    """A port that nobody listens on, and that the system gives to nobody who asks for any port."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_768)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
