"""kill -9 at any moment loses nothing that was acknowledged."""

from __future__ import annotations

import random
import threading
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError

import pytest

from support.databases import KINDS, fresh_database
from support.server_process import ServerProcess

MAX_BETWEEN_KILLS = 12
"""How many actions may be taken in peace before the next kill."""
LATEST_SECONDS = 0.02
"""How long at most an action has been under way when the server is killed; an answer takes a few thousandths."""


class Game:
    """A table on one screen at a server that dies now and then, and what of its play was acknowledged."""

    def __init__(self, server: ServerProcess, dice: random.Random) -> None:
        self.server = server
        self.dice = dice
        self.token = server.ask("/tokens", body={"name": "Anna"})["token"]
        self.acknowledged = 0
        self.begin()

    def begin(self) -> None:
        """A new game."""
        self.table = self.server.ask("/tables", self.token, {"game": "13-days", "seats": ["me", "me"]})["id"]
        self.version = 0
        self.last = "nothing"

    def act(self) -> None:
        """Take any legal action; a game that is over is followed by another."""
        while True:
            side = self.dice.choice(("us", "ussr"))
            view = self.server.ask(f"/tables/{self.table}?side={side}", self.token)
            if view["status"] == "over":
                self.begin()
            elif view["legal"]:
                break
        body = {"side": side, "version": view["version"], "action": self.dice.choice(view["legal"])}
        self.server.ask(f"/tables/{self.table}/actions", self.token, body)
        self.acknowledged += 1
        self.version = view["version"] + 1
        self.last = f"{side} {body['action']}"

    def check(self) -> None:
        """All that was acknowledged is there, and its journal is whole."""
        views = [self.server.ask(f"/tables/{self.table}?side={side}", self.token) for side in ("us", "ussr")]
        assert max(view["version"] for view in views) >= self.version, f"acknowledged and lost: {self.last}"
        assert self.server.ask(f"/tables/{self.table}/journal", self.token).endswith("end\n")


def play_and_kill(database: str, times: int) -> int:
    """Play on one table until the server dies, `times` times; returns the number of acknowledged actions."""
    dice = random.Random(times)
    server = ServerProcess(["-m", "brinkmanship", "serve", "--database", database])
    try:
        server.wait_until_it_answers()
        game = Game(server, dice)
        for _ in range(times):
            for _ in range(dice.randint(1, MAX_BETWEEN_KILLS)):
                game.act()
            killer = threading.Timer(dice.uniform(0, LATEST_SECONDS), server.kill)
            killer.start()
            try:
                while killer.is_alive():
                    game.act()
            except HTTPError:
                raise
            except (OSError, HTTPException):
                pass  # this one may be kept or lost
            killer.join()
            server.start()
            server.wait_until_it_answers()
            game.check()
    finally:
        server.kill()
    return game.acknowledged


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_acknowledged_is_lost(tmp_path: Path, kind: str) -> None:
    with fresh_database(kind, tmp_path) as database:
        assert play_and_kill(database, 2) >= 2


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_acknowledged_is_lost_in_a_hundred_kills(tmp_path: Path, kind: str) -> None:
    with fresh_database(kind, tmp_path) as database:
        assert play_and_kill(database, 100) >= 100
