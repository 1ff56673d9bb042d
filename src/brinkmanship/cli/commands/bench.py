"""``brink bench``: benchmark figures of the engine on this machine."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from brinkmanship.cli import command
from brinkmanship.cli.options import AsJson
from brinkmanship.games.registry import load_game


@command("brink bench", "brink bench --game ukrainian-crisis", "brink bench --json")
def bench(game: Annotated[str, typer.Option()] = "13-days", as_json: AsJson = False) -> None:
    """Measure the engine on this machine: games per second, compilation, start-up. Takes one to two minutes."""
    from brinkmanship.cli.bench_figures import as_data, shown  # imported here so that other commands start faster
    from brinkmanship.lab.diagnostics.speed import figures

    measured = list(shown(figures(load_game(game)), as_json))
    if as_json:
        print(json.dumps({"game": game, "figures": as_data(measured)}))
