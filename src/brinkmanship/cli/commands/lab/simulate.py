"""``brink lab simulate``: many games by computer players, and their results."""

from __future__ import annotations

import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from babel.numbers import format_decimal, format_percent
from rich.console import Console
from rich.table import Table
from rich.text import Text

from brinkmanship.cli import INTERRUPTED, command, lab_commands
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import (
    AsJson,
    Cards,
    OptionTexts,
    Seed,
    chosen_options,
    make_folder,
    name_and_value,
    side_number,
)
from brinkmanship.cli.progress import progress
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.lab.matches.summary import Summary
from brinkmanship.players.lab_players import load_lab_player
from brinkmanship.players.self_play import Players, play, record
from brinkmanship.terminal.style import QUIET
from brinkmanship.terminal.words import Language, terminal_words
from brinkmanship.text import Words

GREEDY_CHUNK = 64
"""Games per batch for players that search: small enough for a responsive progress bar."""


@command(
    "brink lab simulate 13-days --games 100000",
    "brink lab simulate 13-days --games 2000 --player us=greedy --seed 7 --json",
    "brink lab simulate 13-days --games 20 --save-journals games/",
    within=lab_commands,
)
def simulate(
    game: GameId,
    games: Annotated[int, typer.Option("--games", min=1)],
    player: Annotated[list[str] | None, typer.Option("--player")] = None,
    seed: Seed = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1)] = None,
    option: OptionTexts = None,
    cards: Cards = None,
    save_journals: Annotated[Path | None, typer.Option("--save-journals")] = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Play many games by computer players and count the results.

    The same seed gives the same games, for any number of workers. Ctrl-C stops early and reports the games played so
    far.
    """
    ruleset = load_game(game, cards, chosen_options(option))
    words = terminal_words(ruleset, lang)
    names, players = _players(ruleset, player or [])
    number = secrets.randbits(32) if seed is None else seed
    if save_journals is not None:
        make_folder(save_journals, "--save-journals")
    summary = Summary(ruleset)
    started = time.perf_counter()
    chunk = 2048 if all(name == "random" for name in names) else GREEDY_CHUNK
    batches = play(ruleset, 0, games, number, players, chunk=chunk, workers=workers or os.cpu_count() or 1)
    complete = True
    try:
        with progress("games", games) as advance:
            for batch in batches:
                if save_journals is not None:
                    _save(ruleset, names, players, number, summary.games, len(batch.decisions), save_journals)
                summary.add(batch)
                advance(len(batch.decisions))
    except KeyboardInterrupt:
        complete = False
    seconds = time.perf_counter() - started
    if as_json:
        print(json.dumps(_report(summary, names, number, seconds, complete)))
    else:
        if not complete:
            print(words.sentence(Message("simulate.stopped")), file=sys.stderr)
        _print(summary, names, number, seconds, words)
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _players(game: Game, texts: list[str]) -> tuple[list[str], Players]:
    names = ["random"] * len(game.sides)
    named: set[int] = set()
    for text in texts:
        side_name, name = name_and_value(text, "--player")
        side = side_number(game, side_name)
        if side in named:
            raise OptionError(Message("fault.command.player_twice", {"side": side_name}))
        named.add(side)
        names[side] = name
    first, second = (load_lab_player(name, game) for name in names)
    return names, (first, second)


def _save(
    game: Game,
    names: list[str],
    players: Players,
    seed: int,
    first: int,
    count: int,
    folder: Path,
) -> None:
    for number in range(first, first + count):
        match = Match(game)
        for actor, action in record(game, number, seed, players):
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


def _print(summary: Summary, names: list[str], seed: int, seconds: float, words: Words) -> None:
    def say(key: str, **arguments: str | int) -> str:
        return words.sentence(Message(f"simulate.{key}", arguments))

    def number(value: float, pattern: str = "#,##0") -> str:
        return format_decimal(value, pattern, words.language)

    def share(value: float) -> str:
        return format_percent(value, "0.00 %", words.language)

    game = summary.game
    sides = [words.name("side", side) for side in game.sides]
    players = ", ".join(f"{side} {name}" for side, name in zip(sides, names, strict=True))
    table = Table(box=None, pad_edge=False, header_style=QUIET)
    table.add_column(say("winner"))
    for heading in ("share", "games", "interval"):
        table.add_column(say(heading), justify="right")
    for side, name in [*enumerate(sides), (None, words.text(Message("simulate.nobody")))]:
        low, high = summary.interval(side)
        wins = summary.wins(side)
        between = f"{share(low)} – {share(high)}"
        table.add_row(Text(name, "bold"), share(summary.share(wins)), number(wins), between)
        for (winner, reason), count in sorted(summary.results.items(), key=lambda item: -item[1]):
            if winner == side:
                why = words.text(Message(f"reason.{reason}"))
                table.add_row(Text(f"  {why}", QUIET), share(summary.share(count)), number(count), "")
    table.add_row(words.text(Message("simulate.all")), "", number(summary.games), "")
    lengths = summary.lengths()
    console = Console(highlight=False)
    console.print(Text(words.text(Message(f"game.{game.id}")), "bold"))
    console.print(say("head", players=players, seed=seed))
    console.print()
    console.print(table)
    console.print()
    fewest, most = number(lengths["min"]), number(lengths["max"])
    console.print(say("decisions", mean=number(lengths["mean"], "#,##0.0"), least=fewest, most=most))
    console.print(say("speed", rate=number(summary.games / seconds), seconds=number(seconds, "0.00")))
