"""``brink bench``: the figures of the engine and of the server, measured here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from brinkmanship.cli import app
from brinkmanship.games import load_game

if TYPE_CHECKING:
    from brinkmanship.lab.bench import Figure


@app.command(epilog="Examples:  brink bench  ·  brink bench --web  ·  brink bench --pages  ·  brink bench --json")
def bench(
    game: Annotated[str, typer.Option(help="Which game.")] = "13-days",
    web: Annotated[bool, typer.Option("--web", help="Measure the server under load instead of the engine.")] = False,
    pages: Annotated[bool, typer.Option("--pages", help="Measure the table's page in a real browser instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all figures.")] = False,
) -> None:
    """Measure on this machine: games a second, compiling, starting; or the server under load. One to two minutes."""
    from brinkmanship.lab.bench import figures  # no other command should wait for it

    ruleset = load_game(game)
    measuring = _pages() if pages else _web() if web else figures(ruleset)
    measured = list(_shown(measuring, as_json))
    if as_json:
        print(json.dumps({"game": game, "figures": [figure._asdict() for figure in measured]}))


def _pages() -> Iterator[Figure]:
    from brinkmanship.lab.pages import figures_of_pages

    yield from figures_of_pages()


def _web() -> Iterator[Figure]:
    from brinkmanship.lab.archive import with_many_games
    from brinkmanship.lab.load import under_load

    yield from under_load()
    yield from with_many_games()


def _shown(measuring: Iterable[Figure], as_json: bool) -> Iterator[Figure]:
    console = Console(highlight=False)
    progress = Console(stderr=True)
    with progress.status("measuring ...") if progress.is_terminal else nullcontext():
        for figure in measuring:
            if not as_json:
                verdict = "" if figure.reached is None else f"{figure.goal}: {'yes' if figure.reached else 'NO'}"
                console.print(f"{figure.name:<32} {_number(figure.value):>14} {figure.unit:<12} {verdict}")
            yield figure


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"
