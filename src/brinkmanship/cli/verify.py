"""``brink verify``: were the deals of a recorded game fair?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from brinkmanship.cli import app
from brinkmanship.cli.options import AsJson, Cards
from brinkmanship.engine import fair, journal
from brinkmanship.games import load_game


@app.command(epilog="Example:  brink verify downloaded.brink")
def verify(
    file: Annotated[Path, typer.Argument(help="The journal of a game that was played at a table and is over.")],
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Check that every deal of a finished game follows from the secret its table was bound to at the start."""
    record = journal.read(file)
    game = load_game(record.game_id, cards, record.options)
    checked = fair.verify(record, game)
    if as_json:
        print(json.dumps({"fair": True, "deals": checked, "commitment": record.headers[fair.COMMITMENT_HEADER]}))
    else:
        print(f"{file}: all {checked} deals follow from the secret that was committed to at the start")
