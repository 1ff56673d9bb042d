"""``brink analyse``: luck, guesses and play in a finished game, as a page or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer

from brinkmanship.analysis import summary
from brinkmanship.analysis.report import Analysis
from brinkmanship.cli import command
from brinkmanship.cli.journal_ruleset import ruleset_of
from brinkmanship.cli.options import AsJson, Cards, Seed, check_output, side_number, unwritable
from brinkmanship.cli.progress import progress
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import any_of
from brinkmanship.engine.perspective import Perspective
from brinkmanship.players.budget import Budget
from brinkmanship.terminal.words import Language, checked_language
from brinkmanship.text import Words, words_for

PERCENT = 100


@command(
    "brink analyse evening.brink -o evening.html",
    "brink analyse evening.brink --side ussr --lang de -o evening.html",
    "brink analyse evening.brink --budget 2000n --seed 1 --json",
    "brink analyse monday.brink tuesday.json --side us",
)
def analyse(
    file: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    side: Annotated[str | None, typer.Option("--side")] = None,
    budget: Annotated[str | None, typer.Option("--budget")] = None,
    seed: Seed = None,
    lang: Language = "en",
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Analyse a finished game: luck, guesses, play, and the costly decisions."""
    words_in = checked_language(lang)
    spent = None
    if budget is not None and (spent := Budget.parse(budget).nodes) is None:
        raise OptionError(Message("fault.command.playouts", {"value": budget}))
    if output is not None and output.suffix.lower() not in (".html", ".htm", ".json"):
        raise OptionError(Message("fault.command.output", {"option": "--output", "file": str(output)}))
    check_output(output)
    if len(file) > 1:
        _summarise(file, side, output, words_in, partial(_analysed, spent=spent, seed=seed, cards=cards), as_json)
        return
    from brinkmanship.analysis import page  # loads Numba

    one = _analysed(file[0], side, words_in, spent, seed, cards)
    if as_json or (output is not None and output.suffix.lower() == ".json"):
        _data(one.found.to_json(), output)
        return
    words = words_for(one.game, words_in).with_domain(page.DOMAIN)
    viewer = one.side if one.side is not None else one.found.loser
    print(words.sentence(page.headline(one.found, viewer)))
    if output is not None:
        _write(output, page.page(one.found, one.seen, viewer, words).encode())


class _Analysed(NamedTuple):
    """A game with its analysis."""

    game: Game
    seen: Perspective
    """The game with all cards open."""
    found: Analysis
    side: int | None
    """The side given on the command line."""


def _analysed(
    file: Path, side: str | None, language: str, spent: int | None, seed: int | None, cards: Path | None
) -> _Analysed:
    from brinkmanship.analysis import page, pipeline  # loads Numba

    record = journal.read(file)
    game = ruleset_of(record, cards)
    number = None if side is None else side_number(game, side)
    match = journal.play(record, game)
    reported = 0
    words = words_for(game, language).with_domain(page.DOMAIN)
    with progress(words.text(Message("progress")), PERCENT) as advance:

        def on(done: int, total: int) -> None:
            nonlocal reported
            now = PERCENT * done // total
            advance(now - reported)
            reported = now

        given = journal.given_in(record, match)
        playouts = spent or pipeline.playouts_for(game)
        found = pipeline.analyse(match, seed or 0, playouts, record.result, on, given=given)
    return _Analysed(game, Perspective(match, FULL_INFORMATION), found, number)


def _summarise(
    files: list[Path],
    side: str | None,
    output: Path | None,
    language: str,
    analysed: Callable[[Path, str, str], _Analysed],
    as_json: bool,
) -> None:
    """Summarise several games of one side; existing analyses are read."""
    from brinkmanship.analysis.page import DOMAIN

    if side is None:
        raise OptionError(Message("fault.command.summary_side"))
    games = [_read(file) if file.suffix.lower() == ".json" else analysed(file, side, language).found for file in files]
    for file, one in zip(files, games, strict=True):
        if side not in one.sides:
            what = {"option": "--side", "what": any_of(one.sides), "value": side}
            raise OptionError(Message("fault.command.takes", what)) from None
        if one.game != games[0].game:
            raise OptionError(Message("fault.command.summary_games", {"file": str(file)}))
    found = summary.summary((one, one.sides.index(side)) for one in games)
    if as_json or output is not None:
        _data(msgspec.json.encode(found), output)
        return
    words = Words(language, (DOMAIN,))
    for sentence in summary.sentences(found, words):
        print(sentence)
    for row in summary.rows(found, words):
        print(*(str(cell) for cell in row), sep=" · ")


def _read(file: Path) -> Analysis:
    try:
        return Analysis.from_json(file.read_bytes())
    except OSError as error:
        why = {"file": str(file), "why": error.strerror or str(error)}
        raise OptionError(Message("fault.command.summary_unreadable", why)) from error


def _data(raw: bytes, output: Path | None) -> None:
    if output is None:
        print(raw.decode())
    else:
        _write(output, raw)


def _write(file: Path, raw: bytes) -> None:
    try:
        file.write_bytes(raw)
    except OSError as error:
        raise unwritable(file, error) from error
