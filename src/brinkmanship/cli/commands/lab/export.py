"""``brink lab export``: games as Parquet files, for data frames and databases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from brinkmanship.cli import command, lab_commands
from brinkmanship.cli.journal_ruleset import ruleset_of
from brinkmanship.cli.options import AsJson, Cards, check_output
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import Journal
from brinkmanship.engine.message import Message


@command(
    "brink lab export game.brink -o games.parquet",
    "brink lab export games/ more.brink -o games.parquet --json",
    within=lab_commands,
)
def export(
    journals: Annotated[list[Path], typer.Argument()],
    output: Annotated[Path, typer.Option("-o", "--output")],
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Write journals to one Parquet file of games, and one of their decisions beside it."""
    from brinkmanship.research.parquet import decisions_file, write  # after the options: it needs an extra

    files = list(_files(journals))
    for file in (output, decisions_file(output)):
        check_output(file)
    counts = write(_games(files, cards), output)
    written = {"games": str(output), "decisions": str(decisions_file(output))}
    if as_json:
        print(json.dumps({"files": written, **counts._asdict()}))
    else:
        print(f"{written['games']}: {counts.games} games; {written['decisions']}: {counts.decisions} decisions")


def _files(paths: list[Path]) -> Iterator[Path]:
    """Yield the journals named on the command line; a folder stands for the ``.brink`` files in it.

    Raises:
        OptionError: a folder has none.
    """
    for path in paths:
        if not path.is_dir():
            yield path
        elif found := sorted(path.glob("*.brink")):
            yield from found
        else:
            raise OptionError(Message("fault.command.no_journals", {"folder": str(path)}))


def _games(files: list[Path], cards: Path | None) -> Iterator[tuple[Journal, Game]]:
    loaded: dict[tuple[str, tuple[tuple[str, str], ...]], Game] = {}
    for file in files:
        for record in journal.read_all(file):
            key = record.game_id, tuple(sorted(record.options.items()))
            if key not in loaded:
                loaded[key] = ruleset_of(record, cards)
            yield record, loaded[key]
