"""``brink serve``: the table, for the browser."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Annotated

import typer

from brinkmanship.cli import app
from brinkmanship.games import GAMES, is_compiled, load_game
from brinkmanship.players import are_compiled, compile_players
from brinkmanship.web.settings import MOST_WORKERS, from_environment


@app.command(
    epilog="Examples:  brink serve  ·  brink serve --host 0.0.0.0 --port 80  ·  "
    "brink serve --workers 4 --database postgresql://brink@localhost/brink"
)
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. [BRINK_HOST; 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port. [BRINK_PORT; 8013]")] = None,
    database: Annotated[
        str | None, typer.Option(help="sqlite:///FILE or postgresql://... [BRINK_DATABASE; a file of the user]")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_WORKERS, help="Processes that serve, to use several cores. [BRINK_WORKERS; 1]"),
    ] = None,
) -> None:
    """Serve the table: play in the browser, alone, together, far apart. Ctrl-C stops it."""
    from brinkmanship.store.database import open_database
    from brinkmanship.web import processes

    settings = from_environment()
    settings = replace(
        settings,
        host=settings.host if host is None else host,
        port=settings.port if port is None else port,
        database=settings.database if database is None else database,
        workers=settings.workers if workers is None else workers,
    )
    open_database(settings.database_url).dispose()  # a database that cannot be opened is said before anything starts
    processes.check_address(settings)
    _compile()
    print(f"The table is open at http://{settings.host}:{settings.port}/  (Ctrl-C closes it)", flush=True)
    processes.serve(settings)


def _compile() -> None:
    """Compile what is not compiled yet, game beside game, so that nobody need wait for it at a table."""
    missing = [game for game in GAMES if not (is_compiled(game) and are_compiled(game))]
    if not missing:
        return
    print(f"Compiling the rules and the computer players, this once: {', '.join(missing)} ...", flush=True)
    processes_at_once = min(len(missing), os.cpu_count() or 1)
    with ProcessPoolExecutor(processes_at_once, get_context("spawn")) as pool:
        for game, _ in zip(missing, pool.map(_compile_game, missing), strict=True):
            print(f"  {game} is ready", flush=True)


def _compile_game(game_id: str) -> None:
    compile_players(load_game(game_id))
