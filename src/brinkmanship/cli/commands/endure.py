"""``brink endure``: live games on a server that is hurt again and again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from babel.numbers import format_decimal
from rich.console import Console

from brinkmanship.cli import command
from brinkmanship.cli.options import AsJson, check_output
from brinkmanship.engine.message import Argument, Message
from brinkmanship.terminal.words import Language, lab_words
from brinkmanship.text import Words

if TYPE_CHECKING:
    from brinkmanship.benchmarks.endurance import Report


@command(
    "brink endure --minutes 30",
    "brink endure --minutes 30 --database postgresql+psycopg://postgres@127.0.0.1/empty --plot memory.svg",
)
def endure(
    minutes: Annotated[float, typer.Option(min=0.1, max=10_000)] = 30,
    games: Annotated[int, typer.Option(min=1, max=2000)] = 200,
    database: Annotated[str, typer.Option()] = "",
    seed: Annotated[int, typer.Option()] = 1,
    plot: Annotated[Path | None, typer.Option()] = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Play under random faults on a server of this machine: killed workers, no database, full disk, lost lines.

    At the end nothing acknowledged may be missing, no game stuck, and the memory level. Exit code 1 otherwise.
    """
    from brinkmanship.benchmarks import endurance  # no other command should wait for it

    check_output(plot, "--plot")
    words = lab_words(lang)
    progress = Console(stderr=True, highlight=False)
    with tempfile.TemporaryDirectory(prefix="brink-endure-") as folder:
        report = endurance.endure(
            database, Path(folder), games, minutes, seed, lambda now: progress.print(words.sentence(now))
        )
    if plot is not None:
        plot.write_text(endurance.plot(report, words.text(Message("endure.memory", _head(report, words)))), "utf-8")
    if as_json:
        print(endurance.as_json(report))
    else:
        _show(report, words, Console(highlight=False))
    if report.lost or report.stuck or report.unheard:
        raise typer.Exit(1)


def _head(report: Report, words: Words) -> dict[str, Argument]:
    minutes = format_decimal(report.minutes, "0.0", words.language)
    return {"n": report.games, "minutes": minutes, "database": report.database}


def _show(report: Report, words: Words, console: Console) -> None:
    def line(key: str, value: float) -> None:
        console.print(f"{words.text(Message(key)):<46} {format_decimal(value, locale=words.language):>10}")

    console.print(words.text(Message("endure.head", _head(report, words))))
    line("endure.acknowledged", report.acknowledged)
    line("endure.lost", len(report.lost))
    line("endure.stuck", len(report.stuck))
    line("endure.unheard", len(report.unheard))
    line("endure.finished", report.finished)
    line("endure.growth", round(report.growth, 1))
    line("endure.most", round(max(mib for _, mib in report.memory)))
    for name, count in sorted(report.faults.items()):
        line(f"fault.{name}", count)
    for reason, count in sorted(report.refused.items()):
        said = words.text(Message("endure.refused", {"reason": reason}))
        console.print(f"{said:<46} {format_decimal(count, locale=words.language):>10}")
    for lost in report.lost:
        console.print(f"  ! {words.text(lost)}")
    for table in (*report.stuck, *report.unheard):
        console.print(f"  ! {table}")
