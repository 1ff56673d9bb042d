"""Compilation announced: the rules of a game are compiled once on a machine, which takes many seconds."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from brinkmanship.games.registry import is_compiled, load_game
from brinkmanship.players import are_compiled, compile_players

log = logging.getLogger("brinkmanship")


def compile(game_id: str) -> None:
    """Compile the rules and the computer players of a game, if that has not been done on this machine.

    Call it before the time of a program matters, or when an image of a machine is built.

    Raises:
        UnknownGameError: no game has this id.
    """
    with announced(f"{game_id} and its players", is_compiled(game_id) and are_compiled(game_id)):
        compile_players(load_game(game_id))


@contextmanager
def announced(subject: str, is_done: bool) -> Iterator[None]:
    """Say on a terminal, or else in the log, that a block compiles its subject; say nothing if it `is_done`."""
    if is_done:
        yield
        return
    said = f"Compiling {subject}, once on this machine"
    is_seen = sys.stderr is not None and sys.stderr.isatty()
    if is_seen:
        print(f"{said} ...", end=" ", flush=True, file=sys.stderr)
    else:
        log.info(said)
    started = perf_counter()
    yield
    took = f"done in {perf_counter() - started:.0f} s"
    if is_seen:
        print(took, file=sys.stderr)
    else:
        log.info("%s: %s", said, took)
