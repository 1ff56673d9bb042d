"""``brink print``: a sheet of a game to print and cut out, as HTML or PDF."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeVar

import typer

from brinkmanship.cli import command
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import Cards, OptionTexts, check_output, chosen_options, unwritable
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import any_of
from brinkmanship.games.registry import load_game
from brinkmanship.terminal.words import Language, checked_language

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""Programs that make a PDF of a page, the first one found."""
PDF_TIMEOUT = 120.0
"""Timeout (s) of the browser."""

Known = TypeVar("Known", bound=str)


@command(
    "brink print 13-days --lang de -o cards.pdf",
    "brink print ukrainian-crisis --sheet counters --paper letter -o counters.html",
    "brink print 13-days --cards my.toml -o my-cards.pdf",
    name="print",
)
def print_(
    game: GameId,
    output: Annotated[Path, typer.Option("-o", "--output")],
    sheet: Annotated[str, typer.Option("--sheet")] = "cards",
    paper: Annotated[str, typer.Option("--paper")] = "a4",
    pages: Annotated[int, typer.Option("--pages")] = 1,
    lang: Language = "en",
    option: OptionTexts = None,
    cards: Cards = None,
) -> None:
    """Make a sheet to print and cut out, as one HTML file, or as PDF with an installed Chromium or Chrome."""
    from brinkmanship.web.pages.library.print_sheets import PAPERS, SHEETS, file

    checked_language(lang)
    chosen, on = _one_of("--sheet", sheet, SHEETS), _one_of("--paper", paper, tuple(PAPERS))
    _one_of("--pages", str(pages), ("1", "4"))
    ending = _one_of("-o", output.suffix, (".html", ".pdf"))
    check_output(output)
    browser = _browser() if ending == ".pdf" else ""
    content = file(load_game(game, cards, chosen_options(option)), chosen, lang, on, pages)
    try:
        if browser:
            _write_pdf(browser, content, output)
        else:
            output.write_text(content, "utf-8")
    except OSError as error:
        raise unwritable(output, error) from error


def _one_of(option: str, value: str, known: tuple[Known, ...]) -> Known:
    """Return a value of an option.

    Raises:
        OptionError: it is not one of `known`.
    """
    for one in known:
        if one == value:
            return one
    raise OptionError(Message("fault.command.takes", {"option": option, "what": any_of(list(known)), "value": value}))


def _browser() -> str:
    """Return the program that makes a PDF.

    Raises:
        OptionError: none is installed.
    """
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise OptionError(Message("fault.command.no_browser", {"programs": ", ".join(BROWSERS)}))
    return found


def _write_pdf(browser: str, content: str, output: Path) -> None:
    """Print a page to a PDF, with a browser profile of its own.

    Raises:
        OptionError: the browser failed.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page, made = Path(folder) / "sheet.html", Path(folder) / "sheet.pdf"
        page.write_text(content, "utf-8")
        how = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}",
        ]
        try:
            subprocess.run(
                [browser, *how, f"--print-to-pdf={made}", page.as_uri()], capture_output=True, timeout=PDF_TIMEOUT
            )
        except subprocess.TimeoutExpired:
            made.unlink(missing_ok=True)
        if not made.exists():
            raise OptionError(Message("fault.command.browser_failed", {"program": browser}))
        output.write_bytes(made.read_bytes())
