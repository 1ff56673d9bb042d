"""``brink server worker``: a worker machine for computer players, besides the web servers."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from brinkmanship.cli import command, server_commands
from brinkmanship.cli.commands import precompile
from brinkmanship.engine.message import Message
from brinkmanship.web.support.settings import from_environment


@command(
    "brink server worker --database postgresql://brink@localhost/brink",
    "brink server worker --processes 4",
    within=server_commands,
)
def worker(
    database: Annotated[str | None, typer.Option()] = None,
    processes: Annotated[int | None, typer.Option(min=1, max=256)] = None,
) -> None:
    """Compute choices of computer players for the servers of a PostgreSQL database. Ctrl-C stops it."""
    from brinkmanship.store.database import DatabaseError, open_database
    from brinkmanship.web.jobs.worker import work
    from brinkmanship.web.support import logs

    url = from_environment().database_url if database is None else database
    engine = open_database(url)
    if engine.dialect.name != "postgresql":
        raise DatabaseError(Message("fault.database.one_machine", {"database": url}))
    if missing := precompile.missing():
        print(f"Compiling {', '.join(missing)}, this once ...", flush=True)
        precompile.compile_beside(missing).join()
    places = processes or os.cpu_count() or 1
    shown = f"{engine.url.host or 'localhost'}/{engine.url.database}"
    print(f"Running computer players for {shown}, up to {places} at a time (Ctrl-C stops it)", flush=True)
    logs.set_up()
    work(engine, places)
    engine.dispose()
