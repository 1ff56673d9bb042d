"""``brink verify``: check the fairness of the deals of a recorded game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from brinkmanship.cli import command
from brinkmanship.cli.options import AsJson, Cards
from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.terminal.words import Language, program_words


@command("brink verify downloaded.brink")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    cards: Cards = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Check that every deal of a finished game follows from the secret committed to at the start."""
    record = journal.read(file)
    game = load_game(record.game_id, cards, record.options)
    checked = commit_reveal.verify(record, game)
    given = int(record.headers.get(journal.GIVEN_HEADER, "0"))
    if as_json:
        commitment = record.headers[commit_reveal.COMMITMENT_HEADER]
        print(json.dumps({"fair": True, "deals": checked, "given": given, "commitment": commitment}))
        return
    words = program_words(lang)
    print(f"{file}: {words.text(Message('verify.fair', {'n': checked}))}")
    if given:
        print(f"{file}: {words.text(Message('verify.given', {'n': given}))}")
