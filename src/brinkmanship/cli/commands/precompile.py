"""Games at once: where they are not compiled yet they run as ordinary Python, while other processes compile them.

Interpreted, the rules are the same to the letter and quick enough for people. What decides it is read when the first
rules are imported, so it is asked before that: nothing here, and nothing it imports, loads Numba.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from brinkmanship.engine.jit.cache import INTERPRET
from brinkmanship.engine.parent_watch import end_with_parent
from brinkmanship.games.registry import is_compiled, kits, load_game
from brinkmanship.players import are_compiled, compile_players

NICENESS = 10
"""Of the processes that compile: people who play go first."""


def missing(games: Sequence[str] | None = None) -> list[str]:
    """The games of which something is not compiled yet, rules or players; of all games where none are given."""
    return [game for game in (kits() if games is None else games) if not (is_compiled(game) and are_compiled(game))]


def compile_beside(games: Sequence[str]) -> BaseProcess:
    """A process that compiles games, one beside the other; it ends when they are compiled, or with this process."""
    process = multiprocessing.get_context("spawn").Process(target=_compile_all, args=(list(games),))
    process.start()
    return process


def _compile_all(games: list[str]) -> None:
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    running: list[BaseProcess] = []
    for game in games:
        while len(running) >= (os.cpu_count() or 1):
            wait([process.sentinel for process in running])
            running = [process for process in running if process.is_alive()]
        running.append(multiprocessing.get_context("spawn").Process(target=compile_one, args=(game,)))
        running[-1].start()
    for process in running:
        process.join()


def compile_one(game_id: str) -> None:
    """Compile the rules and all players of a game."""
    end_with_parent()
    compile_players(load_game(game_id))


def begin_to_play(arguments: Sequence[str]) -> None:
    """Called before ``brink play`` is carried out: where the game is not compiled, this process interprets it, and
    another one compiles it for the next time. That one goes on when the player has left."""
    wanted = [game for game in kits() if game in arguments] or list(kits())
    if "numba" in sys.modules or {"-h", "--help"} & {*arguments} or not missing(wanted):
        return
    os.environ[INTERPRET] = "1"
    subprocess.Popen(
        [sys.executable, "-m", __name__, *wanted],
        env={**os.environ, INTERPRET: "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


if __name__ == "__main__":
    _compile_all(sys.argv[1:] or missing())
