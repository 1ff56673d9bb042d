"""``brink serve``: the table, for the browser."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from typing import Annotated

import typer

from brinkmanship.cli import app
from brinkmanship.web.settings import from_environment


@app.command(
    epilog="Examples:  brink serve  ·  brink serve --host 0.0.0.0 --port 80  ·  "
    "brink serve --database postgresql://brink@localhost/brink"
)
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. [BRINK_HOST; 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port. [BRINK_PORT; 8013]")] = None,
    database: Annotated[
        str | None, typer.Option(help="sqlite:///FILE or postgresql://... [BRINK_DATABASE; a file of the user]")
    ] = None,
) -> None:
    """Serve the table: play in the browser, alone, together, far apart. Ctrl-C stops it."""
    import uvicorn

    from brinkmanship.store.database import open_database
    from brinkmanship.web import logs
    from brinkmanship.web.app import create_app

    settings = from_environment()
    settings = replace(
        settings,
        host=settings.host if host is None else host,
        port=settings.port if port is None else port,
        database=settings.database if database is None else database,
    )
    open_database(settings.database_url).dispose()  # a database that cannot be opened is said before anything starts
    # Threads (the writer, the computer's thinking) hand over quickly: the usual 5 ms would be most of an answer's time.
    sys.setswitchinterval(0.0005)
    # A table holds thousands of small tuples that live long: the collector need not look at them all the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    logs.set_up()
    print(f"The table is open at http://{settings.host}:{settings.port}/  (Ctrl-C closes it)", flush=True)
    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=3,
        timeout_keep_alive=75,
        access_log=False,
        server_header=False,
    )
