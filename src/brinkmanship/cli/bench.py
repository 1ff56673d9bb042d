"""``brink bench``: the figures of the engine, measured here."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Console

from brinkmanship.cli import app
from brinkmanship.games import load_game


@app.command(epilog="Examples:  brink bench  ·  brink bench --game 13-days --json")
def bench(
    game: Annotated[str, typer.Option(help="Which game.")] = "13-days",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all figures.")] = False,
) -> None:
    """Measure the engine on this machine: games a second, compiling, starting. Takes one to two minutes."""
    from brinkmanship.lab.bench import Figure, figures

    console = Console(highlight=False)
    progress = Console(stderr=True)
    measured: list[Figure] = []
    with progress.status("measuring ...") if progress.is_terminal else nullcontext():
        for figure in figures(load_game(game)):
            measured.append(figure)
            if not as_json:
                verdict = "" if figure.reached is None else f"{figure.goal}: {'yes' if figure.reached else 'NO'}"
                console.print(f"{figure.name:<30} {_number(figure.value):>14} {figure.unit:<12} {verdict}")
    if as_json:
        print(json.dumps({"game": game, "figures": [figure._asdict() for figure in measured]}))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"
