"""``brink server run``, also ``brink serve``: run the web server."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from brinkmanship.cli import command, server_commands
from brinkmanship.cli.commands import precompile
from brinkmanship.engine.message import Message
from brinkmanship.terminal.words import Language, program_words
from brinkmanship.text import Words
from brinkmanship.web.support.settings import MAX_WORKERS, from_environment


@command(
    "brink server run",
    "brink server run --workers 4 --database postgresql://brink@localhost/brink",
    within=server_commands,
    name="run",
)
@command(
    "brink serve",
    "brink serve --host 0.0.0.0 --port 80",
)
def serve(
    host: Annotated[str | None, typer.Option()] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535)] = None,
    database: Annotated[str | None, typer.Option()] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_WORKERS),
    ] = None,
    lang: Language = "en",
) -> None:
    """Run the web server, for play in the browser: alone, on one screen, or remotely. Ctrl-C stops it."""
    from brinkmanship.store.database import open_database, reserved
    from brinkmanship.web.server import processes

    words = program_words(lang)
    settings = from_environment()
    settings = replace(
        settings,
        host=settings.host if host is None else host,
        port=settings.port if port is None else port,
        database=settings.database if database is None else database,
        workers=settings.workers if workers is None else workers,
    )
    address = f"http://{settings.host}:{settings.port}/"
    with reserved(settings.database_url):
        open_database(settings.database_url).dispose()  # fail early if it cannot be opened
        processes.check_address(settings)
        missing = precompile.missing()
        if missing and settings.workers == 1 and processes.CAN_HAND_OVER:
            processes.serve_while(
                settings, partial(precompile.compile_beside, missing), partial(_tell, words, address, missing)
            )
            return
        if missing:
            print(words.text(Message("serve.compiling", {"games": ", ".join(missing)})), flush=True)
            precompile.compile_beside(missing).join()
        print(words.text(Message("serve.open", {"address": address})), flush=True)
        processes.serve(settings)


def _tell(words: Words, address: str, missing: list[str], is_compiled: bool) -> None:
    if is_compiled:
        print(f"  {words.text(Message('serve.compiled'))}", flush=True)
    else:
        print(words.text(Message("serve.open", {"address": address})), flush=True)
        print(f"  {words.text(Message('serve.meanwhile', {'games': ', '.join(missing)}))}", flush=True)
