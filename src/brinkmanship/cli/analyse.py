"""``brink analyse``: what of a finished game was luck, what was guessed and what was played, as a page or as JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from brinkmanship.cli import command
from brinkmanship.cli.options import AsJson, Cards, Seed, side_number
from brinkmanship.cli.progress import progress
from brinkmanship.cli.record import ruleset_of
from brinkmanship.cli.speech import Language, checked_language
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import EVERYTHING
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.players.budget import Budget
from brinkmanship.text import words_for

PERCENT = 100


@command(
    "brink analyse evening.brink -o evening.html",
    "brink analyse evening.brink --side ussr --lang de -o evening.html",
    "brink analyse evening.brink --budget 2000n --seed 1 --json",
)
def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    side: Annotated[str | None, typer.Option("--side")] = None,
    budget: Annotated[str, typer.Option("--budget")] = "7000n",
    seed: Seed = None,
    lang: Language = "en",
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Say what of a finished game was luck, what was guessed and what was played, and which decisions were dear."""
    from brinkmanship.analysis import analysing, page  # they load Numba

    words_in = checked_language(lang)
    spent = Budget.parse(budget)
    if spent.nodes is None:
        raise OptionError(Message("fault.command.playouts", {"value": budget}))
    record = journal.read(file)
    game = ruleset_of(record, cards)
    number = None if side is None else side_number(game, side)
    if output is not None and output.suffix.lower() not in (".html", ".htm", ".json"):
        raise OptionError(Message("fault.command.output", {"file": str(output)}))
    match = journal.play(record, game)
    told = 0
    words = words_for(game, words_in).with_domain(page.DOMAIN)
    with progress(words.text(Message("progress")), PERCENT) as advance:

        def on(done: int, total: int) -> None:
            nonlocal told
            now = PERCENT * done // total
            advance(now - told)
            told = now

        given = journal.given_in(record, match)
        found = analysing.analyse(match, seed or 0, spent.nodes, record.result, on, given=given)
    if as_json or (output is not None and output.suffix.lower() == ".json"):
        raw = found.to_json()
        if output is None:
            sys.stdout.buffer.write(raw + b"\n")
            return
        _write(output, raw)
        return
    eyes = number if number is not None else found.loser
    print(words.sentence(page.headline(found, eyes)))
    if output is not None:
        _write(output, page.page(found, Perspective(match, EVERYTHING), eyes, words).encode())


def _write(file: Path, raw: bytes) -> None:
    try:
        file.write_bytes(raw)
    except OSError as error:
        why = {"file": str(file), "why": error.strerror or str(error)}
        raise OptionError(Message("fault.command.output_unwritable", why)) from error
