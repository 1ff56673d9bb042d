"""kill -9 at any moment loses nothing that was acknowledged."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest


class Server:
    """`brink serve` in a process of its own."""

    def __init__(self, database: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.database = database
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "brinkmanship", "serve", "--port", str(self.port), "--database", self.database]
        environment = {**os.environ, "BRINK_REQUESTS_PER_MINUTE": "1000000"}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 120  # the first one may have to compile the games
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).read()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError("the server does not come up")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def ask(self, path: str, token: str = "", body: object = None) -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1{path}")
        request.add_header("Authorization", f"Bearer {token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read().decode()
        return text if path.endswith("journal") else json.loads(text)


def play_and_kill(database: str, times: int) -> int:
    """Play on one table until the server dies, `times` times; returns the number of acknowledged actions."""
    dice = random.Random(times)
    server = Server(database)
    acknowledged = 0
    try:
        token = server.ask("/tokens", body={"name": "Anna"})["token"]
        new_game = {"game": "13-days", "seats": ["me", "me"]}
        table, known = server.ask("/tables", token, new_game)["id"], ""
        for _ in range(times):
            deadline = time.monotonic() + dice.uniform(0.05, 0.4)
            try:
                while time.monotonic() < deadline:
                    side = dice.choice(("us", "ussr"))
                    view = server.ask(f"/tables/{table}?side={side}", token)
                    if view["status"] == "over":
                        table, known = server.ask("/tables", token, new_game)["id"], ""
                        continue
                    if not view["legal"]:
                        continue
                    action = dice.choice(view["legal"])
                    body = {"side": side, "version": view["version"], "action": action}
                    if time.monotonic() > deadline - 0.01:
                        server.process.send_signal(signal.SIGKILL)  # while the action is under way
                    server.ask(f"/tables/{table}/actions", token, body)
                    acknowledged += 1
                    known = f"{side} {action}"
                    last_version = view["version"] + 1
            except (OSError, urllib.error.URLError):
                pass
            server.kill()
            server.start()
            view = server.ask(f"/tables/{table}?side=us", token)
            if known:
                other = server.ask(f"/tables/{table}?side=ussr", token)
                assert max(view["version"], other["version"]) >= last_version, f"acknowledged and lost: {known}"
            assert server.ask(f"/tables/{table}/journal", token).endswith("end\n")
    finally:
        server.kill()
    return acknowledged


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    assert play_and_kill(f"sqlite:///{tmp_path / 'table.sqlite3'}", 4) > 4


@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_a_hundred_kills(tmp_path: Path) -> None:
    assert play_and_kill(f"sqlite:///{tmp_path / 'table.sqlite3'}", 100) > 200
