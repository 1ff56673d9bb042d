"""Start games at once: uncompiled games are interpreted while other processes compile them.

Interpreted rules are identical and fast enough for users. The switch is read when the first rules are imported, so it
is set before that: neither this module nor its imports load Numba.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from brinkmanship.engine.jit.cache import INTERPRET
from brinkmanship.engine.parent_watch import end_with_parent
from brinkmanship.games.registry import is_compiled, kits, load_game
from brinkmanship.players import are_compiled, compile_players

NICENESS = 10
"""Niceness of the compiling processes, which yield to running games."""


def missing(games: Sequence[str] | None = None) -> list[str]:
    """Return the games that are not fully compiled, rules or players; check all games if none are given."""
    return [game for game in (kits() if games is None else games) if not (is_compiled(game) and are_compiled(game))]


def compile_beside(games: Sequence[str]) -> BaseProcess:
    """Start a process that compiles games in parallel; it ends when they are compiled, or with this process."""
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
    """Prepare ``brink play``: if the game is not compiled, interpret it here and start a process that compiles it.

    That process continues after the user has left. What is neither a game nor a file is refused soon, and compiles
    nothing.
    """
    wanted = [game for game in kits() if game in arguments]
    if not wanted and arguments and not arguments[0].startswith("-") and not Path(arguments[0]).exists():
        return
    wanted = wanted or list(kits())
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
