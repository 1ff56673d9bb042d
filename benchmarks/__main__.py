"""The command ``python -m benchmarks``: the server under load, attack and faults, and its page in a browser."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from benchmarks import abuse, bots, endurance, large_database, load, several_servers
from benchmarks import capacity as by_games
from benchmarks import tournaments as played
from brinkmanship.cli.bench_figures import as_data, shown
from brinkmanship.cli.options import check_output
from brinkmanship.engine.errors import BrinkError
from brinkmanship.lab.diagnostics.speed import SpeedFigure

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def web(as_json: AsJson = False) -> None:
    """Measure a server under load, beside hostile visitors and strong computer players, and with 10,000 games."""
    _print(_web(), as_json)


@app.command()
def capacity(
    games: Annotated[
        list[int] | None,
        typer.Option(min=1, max=5000, help="Number of live games; repeat it for several. Default: 50 to 5,000."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, max=600, help="Duration of each measurement (s).")] = 15,
    plot: Annotated[Path | None, typer.Option(help="Draw throughput and latency into this SVG file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure throughput and latency against the number of live games, each with a decision every two seconds."""
    check_output(plot, "--plot")
    counts = sorted({*(games or by_games.GAMES)})
    points = list(by_games.capacity(counts, seconds, lambda line: print(line, file=sys.stderr, flush=True)))
    if plot is not None and len(points) > 1:
        title = f"Decisions a second and 99% of the times with {points[0].games} to {points[-1].games} live games"
        plot.write_text(by_games.plot(points, title), "utf-8")
    print(by_games.as_json(points) if as_json else by_games.table(points))


@app.command()
def machines(
    count: Annotated[int, typer.Argument(min=2, max=8, help="Servers.")],
    database: Annotated[str | None, typer.Option(help="PostgreSQL database; it should be empty.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure several servers on one database, each limited to a share of a core. Needs Linux and root."""
    _print(several_servers.several_machines(count, database), as_json)


@app.command()
def pages(as_json: AsJson = False) -> None:
    """Measure the page of a table in Chromium. Needs Playwright."""
    from benchmarks.pages import figures_of_pages

    _print(figures_of_pages(), as_json)


@app.command()
def archive(
    games: Annotated[int, typer.Argument(min=1, help="Finished games; a tenth of this number of users.")],
    database: Annotated[str | None, typer.Option(help="An empty database. Default: a new SQLite file.")] = None,
    requests: Annotated[int, typer.Option(min=1, help="Requests for each kind of page.")] = large_database.REQUESTS,
    as_json: AsJson = False,
) -> None:
    """Measure the pages of a community: with tournaments, seeks and many finished games."""
    _print(large_database.with_people(games, database, requests), as_json)


@app.command()
def soak(
    minutes: Annotated[float, typer.Option(min=0.1, max=10_000, help="Duration of the faults (min).")] = 30,
    games: Annotated[int, typer.Option(min=1, max=2000, help="Live games at a time.")] = 200,
    database: Annotated[str, typer.Option(help="An empty PostgreSQL database. Default: a new SQLite file.")] = "",
    seed: Annotated[int, typer.Option(help="Seed for players and faults.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="Draw the memory of the server into this SVG file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play under random faults: killed workers, no database, a full disk, lost connections.

    Exit code 1 if acknowledged data is missing at the end, a game is stuck, or a listener was not notified.
    """
    check_output(plot, "--plot")
    with tempfile.TemporaryDirectory(prefix="brink-soak-") as folder:
        report = endurance.endure(
            database, Path(folder), games, minutes, seed, lambda note: print(note, file=sys.stderr, flush=True)
        )
    if plot is not None:
        title = f"Resident memory (MiB): {endurance.heading(report)}"
        plot.write_text(endurance.plot(report, title), "utf-8")
    print(endurance.as_json(report) if as_json else endurance.report_text(report))
    if report.lost or report.stuck or report.unheard:
        raise typer.Exit(1)


@app.command()
def tournaments(
    database: Annotated[str, typer.Option(help="An empty PostgreSQL database.")],
    kills: Annotated[int, typer.Option(min=0, max=100, help="Times a server is killed.")] = 3,
    seed: Annotated[int, typer.Option(help="Seed for results and kills.")] = 1,
) -> None:
    """Play tournaments to their ends by programs on two servers that are killed now and then.

    Exit code 1 if someone was paired twice, a result is lost or the standings differ from a recount.
    """
    report = played.play(database, kills, seed, lambda note: print(note, file=sys.stderr, flush=True))
    print(json.dumps(report._asdict()))
    if report.paired_twice or report.lost_results or report.wrong_totals:
        raise typer.Exit(1)


def _web() -> Iterator[SpeedFigure]:
    yield from load.under_load()
    yield from abuse.beside_hostile_visitors()
    yield from bots.strongest_beside_games()
    yield from large_database.with_many_games()


def _print(measuring: Iterator[SpeedFigure], as_json: bool) -> None:
    measured = list(shown(measuring, as_json))
    if as_json:
        print(json.dumps({"figures": as_data(measured)}))


def main() -> None:
    """Run the command line; a user error is one line on standard error and exit code 2."""
    try:
        app()
    except BrinkError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
