"""``brink simulate``: many games by computer players, and what came of them."""

from __future__ import annotations

import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from brinkmanship.cli import app
from brinkmanship.cli.options import AsJson, Cards, OptionTexts, Seed, chosen_options, name_and_value, side_number
from brinkmanship.engine import journal
from brinkmanship.engine.errors import BrinkError, OptionError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.playout import Batch, Policy, play, record
from brinkmanship.games import load_game
from brinkmanship.lab.summary import Summary
from brinkmanship.players import load_player

GREEDY_CHUNK = 64
"""Games in a batch where a player thinks: short enough for a lively progress bar."""


@app.command(
    epilog="Examples:  brink simulate 13-days --games 100000  ·  "
    "brink simulate 13-days --games 2000 --player us=greedy --seed 7 --json  ·  "
    "brink simulate 13-days --games 20 --save-journals games/"
)
def simulate(
    game: Annotated[str, typer.Argument(help="Which game, as `brink games` names it.")],
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")],
    player: Annotated[
        list[str] | None, typer.Option("--player", help="Who plays a side, SIDE=PLAYER; random unless named.")
    ] = None,
    seed: Seed = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Threads; all cores unless given.")] = None,
    option: OptionTexts = None,
    cards: Cards = None,
    save_journals: Annotated[
        Path | None, typer.Option("--save-journals", help="Write each game's journal into this folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play many games by computer players and count the results.

    The same seed gives the same games, whatever the number of workers. Ctrl-C stops early and reports what was played.
    """
    ruleset = load_game(game, cards, chosen_options(option))
    names, policies = _players(ruleset, player or [])
    number = secrets.randbits(32) if seed is None else seed
    if save_journals is not None:
        _make_folder(save_journals)
    summary = Summary(ruleset)
    started = time.perf_counter()
    chunk = GREEDY_CHUNK if any(policies) else 2048
    batches = play(ruleset, 0, games, number, policies, chunk=chunk, workers=workers or os.cpu_count() or 1)
    complete = True
    try:
        for batch in _with_progress(batches, games):
            if save_journals is not None:
                _save(ruleset, names, policies, number, summary.games, len(batch.decisions), save_journals)
            summary.add(batch)
    except KeyboardInterrupt:
        complete = False
    seconds = time.perf_counter() - started
    if as_json:
        print(json.dumps(_report(summary, names, number, seconds, complete)))
    else:
        _print(summary, names, number, seconds, complete)


def _players(game: Game, texts: list[str]) -> tuple[list[str], tuple[Policy | None, Policy | None]]:
    names = ["random"] * len(game.sides)
    named: set[int] = set()
    for text in texts:
        side_name, name = name_and_value(text, "--player")
        side = side_number(game, side_name)
        if side in named:
            raise OptionError(f"--player names {side_name} twice")
        named.add(side)
        names[side] = name
    first, second = (load_player(name, game).policy for name in names)
    return names, (first, second)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BrinkError(f"--save-journals: {folder} cannot be made: {error.strerror}") from error


def _with_progress(batches: Iterator[Batch], games: int) -> Iterator[Batch]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from batches
        return
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("games", total=games)
        for batch in batches:
            yield batch
            progress.advance(task, len(batch.decisions))


def _save(
    game: Game,
    names: list[str],
    policies: tuple[Policy | None, Policy | None],
    seed: int,
    first: int,
    count: int,
    folder: Path,
) -> None:
    for number in range(first, first + count):
        match = Match(game)
        for actor, action in record(game, number, seed, policies):
            match.push(action, side=actor if actor != CHANCE else None)
        headers = {**dict(zip(game.sides, names, strict=True)), "seed": str(seed), "number": str(number)}
        journal.of_match(match, headers).write(folder / f"{game.id}-{seed}-{number:06}.brink")


def _report(summary: Summary, names: list[str], seed: int, seconds: float, complete: bool) -> dict[str, object]:
    return {
        **summary.as_json(),
        "players": dict(zip(summary.game.sides, names, strict=True)),
        "seed": seed,
        "complete": complete,
        "seconds": round(seconds, 3),
        "games_per_second": round(summary.games / seconds, 1),
    }


def _print(summary: Summary, names: list[str], seed: int, seconds: float, complete: bool) -> None:
    game = summary.game
    if not complete:
        print("stopped early; what was played:", file=sys.stderr)
    players = ", ".join(f"{side} {name}" for side, name in zip(game.sides, names, strict=True))
    print(f"{game.title}: {summary.games:,} games, {players}, seed {seed}")
    for side, name in [*enumerate(game.sides), (None, "nobody")]:
        low, high = summary.interval(side)
        print(f"  {name:<7} wins {summary.share(summary.wins(side)):7.2%}   95 % interval {low:.2%} to {high:.2%}")
        for (winner, reason), count in sorted(summary.results.items(), key=lambda item: -item[1]):
            if winner == side:
                print(f"    {reason.replace('_', ' '):<22} {summary.share(count):7.2%}   {count:,}")
    lengths = summary.lengths()
    print(f"  decisions a game: {lengths['mean']:.1f} on average, {lengths['min']} to {lengths['max']}")
    print(f"  {summary.games / seconds:,.0f} games/s in {seconds:.2f} s")
