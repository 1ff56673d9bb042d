"""``brink bench``: the figures of the engine and of the server, measured here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer
from babel.numbers import format_decimal
from rich.console import Console

from brinkmanship.cli import command
from brinkmanship.cli.options import AsJson
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.terminal.words import Language, lab_words
from brinkmanship.text import Words

if TYPE_CHECKING:
    from brinkmanship.benchmarks.bench import Figure


@command(
    "brink bench",
    "brink bench --web",
    "brink bench --web --machines 2 --database postgresql://brink@localhost/bench",
    "brink bench --pages",
    "brink bench --archive 100000",
    "brink bench --json",
)
def bench(
    game: Annotated[str, typer.Option()] = "13-days",
    web: Annotated[bool, typer.Option("--web")] = False,
    pages: Annotated[bool, typer.Option("--pages")] = False,
    machines: Annotated[int | None, typer.Option("--machines", min=2, max=8)] = None,
    archive: Annotated[int | None, typer.Option("--archive", min=1)] = None,
    database: Annotated[str | None, typer.Option()] = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Measure on this machine: games a second, compiling, starting; or the server under load. One to two minutes."""
    from brinkmanship.benchmarks.bench import figures  # no other command should wait for it

    words = lab_words(lang)
    ruleset = load_game(game)
    if machines is not None:
        if not web:
            raise OptionError(Message("fault.command.machines"))
        measuring = _machines(machines, database)
    elif archive is not None:
        measuring = _archive(archive, database)
    else:
        measuring = _pages() if pages else _web() if web else figures(ruleset)
    measured = list(_shown(measuring, words, as_json))
    if as_json:
        told = [{**figure._asdict(), "reached": figure.reached} for figure in measured]
        print(json.dumps({"game": game, "figures": told}))


def _pages() -> Iterator[Figure]:
    from brinkmanship.benchmarks.pages import figures_of_pages

    yield from figures_of_pages()


def _archive(games: int, database: str | None) -> Iterator[Figure]:
    from brinkmanship.benchmarks.large_database import with_people

    yield from with_people(games, database)


def _machines(count: int, database: str | None) -> Iterator[Figure]:
    from brinkmanship.benchmarks.several_servers import several_machines

    yield from several_machines(count, database)


def _web() -> Iterator[Figure]:
    from brinkmanship.benchmarks.abuse import beside_hostile_visitors
    from brinkmanship.benchmarks.bots import strongest_beside_games
    from brinkmanship.benchmarks.large_database import with_many_games
    from brinkmanship.benchmarks.load import under_load

    yield from under_load()
    yield from beside_hostile_visitors()
    yield from strongest_beside_games()
    yield from with_many_games()


def _shown(measuring: Iterable[Figure], words: Words, as_json: bool) -> Iterator[Figure]:
    console = Console(highlight=False)
    progress = Console(stderr=True)
    with progress.status(words.text(Message("bench.measuring"))) if progress.is_terminal else nullcontext():
        for figure in measuring:
            if not as_json:
                console.print(_line(figure, words), soft_wrap=True)
            yield figure


def _line(figure: Figure, words: Words) -> str:
    name = ": ".join(words.text(Message(f"figure.{part}")) for part in figure.name.split("."))
    unit = words.text(Message(f"unit.{figure.unit}")) if figure.unit else ""
    line = f"{name:<44} {_number(figure.value, words):>14} {unit:<13}"
    bound, goal = ("most", figure.most) if figure.least is None else ("least", figure.least)
    if goal is None:
        return line.rstrip()
    said = words.text(Message(f"bench.{bound}", {"goal": format_decimal(goal, locale=words.language)}))
    return f"{line} {said}: {words.text(Message('bench.reached' if figure.reached else 'bench.missed'))}"


def _number(value: float, words: Words) -> str:
    return format_decimal(value, "#,##0" if value >= 100 else "#,##0.00", words.language)
