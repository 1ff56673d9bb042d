"""``brink record``: enter a game that was played with the physical game."""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Annotated

import typer

from brinkmanship.cli import command
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.journal_ruleset import ruleset_of
from brinkmanship.cli.options import Cards, OptionTexts, chosen_options
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.message import Message
from brinkmanship.engine.open_record import OpenRecord, resumed
from brinkmanship.games.registry import load_game
from brinkmanship.terminal.line_ui import prepare_input
from brinkmanship.terminal.recording import RecordSession
from brinkmanship.terminal.words import Language, checked_language


@command("brink record 13-days -o evening.brink", "brink record 13-minutes -o evening.brink --lang de")
def record(
    game: GameId,
    output: Annotated[Path, typer.Option("--output", "-o")],
    lang: Language = "en",
    option: OptionTexts = None,
    cards: Cards = None,
) -> None:
    """Enter a game that was played with the physical game, step by step, into a journal.

    An existing journal is continued. It is written after every step.
    """
    checked_language(lang)
    started, headers = _started(game, output, option, cards)
    prepare_input()
    RecordSession(started, output, headers, lang).run()


def _started(
    game: str, output: Path, option: list[str] | None, cards: Path | None
) -> tuple[OpenRecord, dict[str, str]]:
    """Return the record in the file, or a new one, with the headers of its journal."""
    if output.exists() and output.is_file() and output.stat().st_size:
        known = journal.read(output)
        if known.game_id != game:
            raise journal.other_game(known, game)
        if option:
            raise OptionError(Message("fault.command.option_load"))
        return resumed(known, ruleset_of(known, cards)), dict(known.headers)
    _check_writable(output)
    started = OpenRecord(load_game(game, cards, chosen_options(option)))
    return started, {"date": datetime.date.today().isoformat()}


def _check_writable(output: Path) -> None:
    if not output.parent.is_dir():
        known = {"option": "--output", "folder": str(output.parent)}
        raise OptionError(Message("fault.command.no_folder", known))
    if output.is_dir() or not os.access(output.parent, os.W_OK):
        raise OptionError(Message("fault.command.not_writable", {"file": str(output)}))
