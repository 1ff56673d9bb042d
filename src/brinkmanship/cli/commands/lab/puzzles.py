"""``brink lab puzzles``: find puzzles in games of strong players, and select the best."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from brinkmanship.cli import command, group, lab_commands
from brinkmanship.cli.options import AsJson, check_output, unwritable
from brinkmanship.cli.progress import progress
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.puzzles.puzzle import Origin, packed, read
from brinkmanship.terminal.words import Language, checked_language
from brinkmanship.text import Words

DOMAIN = "puzzles"


puzzles = group("puzzles", lab_commands)


@command(
    "brink lab puzzles make 13-days --games 100 -o days.jsonl",
    "brink lab puzzles make 13-minutes --games 50 --first 100 --seed 7 -o more.jsonl",
    within=puzzles,
)
def make(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    output: Annotated[Path, typer.Option("-o", "--output")],
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000)] = 100,
    first: Annotated[int, typer.Option("--first", min=0)] = 0,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Find puzzles in games of strong players. After an interruption, the same command resumes."""
    from brinkmanship.puzzles import generator  # loads Numba

    check_output(output)
    words = Words(checked_language(lang), (DOMAIN,))
    ruleset = load_game(game)
    try:
        with progress(words.text(Message("puzzle.making")), games) as advance:
            generator.make(ruleset, games, seed, output, advance, first)
    except OSError as error:
        raise unwritable(Path(error.filename or output), error) from error
    _tell(read(output.read_bytes()), words, as_json)


@command("brink lab puzzles check days.jsonl --seed 7 -o held.jsonl", within=puzzles)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    output: Annotated[Path, typer.Option("-o", "--output")],
    seed: Annotated[int, typer.Option("--seed", min=0)] = 1,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Judge puzzles again with other possible deals and another player, and keep those confirmed.

    After an interruption, the same command resumes.
    """
    from brinkmanship.puzzles import generator  # loads Numba

    check_output(output)
    words = Words(checked_language(lang), (DOMAIN,))
    try:
        found = read(file.read_bytes())
        with progress(words.text(Message("puzzle.making")), len(found)) as advance:
            kept = generator.check(found, seed, output, advance)
    except OSError as error:
        raise unwritable(Path(error.filename or output), error) from error
    _tell(kept, words, as_json)


@command("brink lab puzzles choose days.jsonl more.jsonl --count 200 -o 13-days.jsonl.gz", within=puzzles)
def choose(
    file: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    output: Annotated[Path, typer.Option("-o", "--output")],
    count: Annotated[int, typer.Option("--count", min=1)] = 200,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Select the puzzles to keep: no similar ones, few easy ones, some of every kind."""
    from brinkmanship.puzzles import generator  # loads Numba

    check_output(output)
    words = Words(checked_language(lang), (DOMAIN,))
    try:
        found = [one for path in file for one in read(path.read_bytes())]
        kept = tuple(generator.chosen(sorted(found, key=lambda one: (one.seed, one.number)), count))
        output.write_bytes(packed(kept))
    except OSError as error:
        raise unwritable(Path(error.filename or output), error) from error
    _tell(kept, words, as_json)


def _tell(found: tuple[Origin, ...], words: Words, as_json: bool) -> None:
    every = [one for origin in found for one in origin.puzzles]
    if not as_json:
        print(words.text(Message("puzzle.made", {"n": len(every), "games": len(found)})))
        return
    trains: dict[str, int] = {}
    found_by: dict[str, int] = {}
    for one in every:
        trains[one.trains] = trains.get(one.trains, 0) + 1
        finders = "+".join(one.found_by) or "nobody"
        found_by[finders] = found_by.get(finders, 0) + 1
    data: dict[str, Any] = {"puzzles": len(every), "games": len(found), "trains": trains, "found_by": found_by}
    print(msgspec.json.encode(data).decode())
