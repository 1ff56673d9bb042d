"""``brink puzzle``: a position with one best choice, to be solved in the terminal."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from math import ceil
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.analysis.explained import explained_options
from brinkmanship.cli import command
from brinkmanship.cli.options import AsJson
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.message_json import message_of
from brinkmanship.games.registry import load_game
from brinkmanship.puzzles.puzzle import MAX_LINES, PosedPuzzle, PuzzleCollection, collection_of
from brinkmanship.puzzles.spaced_repetition import day_of
from brinkmanship.terminal.hint_lines import choice_lines
from brinkmanship.terminal.log import game_log
from brinkmanship.terminal.style import QUIET, show
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import Language, terminal_words
from brinkmanship.text import Words

DOMAIN = "puzzles"


@command(
    "brink puzzle",
    "brink puzzle ukrainian-crisis --number 12 --lang de",
    "brink puzzle 13-minutes --number 3 --answer decline --json",
)
def puzzle(
    game: Annotated[str, typer.Argument(metavar="GAME")] = "13-days",
    today: Annotated[bool, typer.Option("--today")] = False,
    number: Annotated[int | None, typer.Option("--number", min=1)] = None,
    answer: Annotated[str | None, typer.Option("--answer")] = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Show a puzzle, and the evaluation of an answer; without a number, the puzzle of the day."""
    ruleset = load_game(game)
    collection = collection_of(ruleset.id)
    chosen = collection.today(day_of(time.time())) if today or number is None else number
    posed = collection.pose(ruleset, chosen)
    words = terminal_words(ruleset, lang).with_domain(DOMAIN)
    if answer is not None:
        ruleset.legal_action(answer, posed.puzzle.side, [one.action for one in posed.seen.legal()])
    if as_json:
        print(json.dumps(_as_data(ruleset, collection, chosen, posed, answer), ensure_ascii=False))
        return
    console = Console(highlight=False)
    show(console, _position(ruleset, words, posed, chosen, len(collection), console.width))
    if answer is None:
        answer = _asked(console, ruleset, words, posed)
    show(console, _outcome(ruleset, words, posed, answer))


def _position(
    game: Game, words: Words, posed: PosedPuzzle, number: int, count: int, width: int
) -> Iterator[RenderableType]:
    seen, one = posed.seen, posed.puzzle
    table, view = table_for(game, words), seen.view()

    def say(key: str, **args: Argument) -> str:
        return words.sentence(Message(f"puzzle.{key}", args))

    yield Text(f" {say('of', n=number, count=count)} · {say(f'trains.{one.trains}')} ", "bold reverse")
    yield from table.position(view, one.side, max(width, 40), list(seen.seen()))
    yield from table.hands(view, one.side, width)
    yield Text()
    for line in game_log(seen, words)[-MAX_LINES:]:
        yield Padding(line.shown, (0, 0, 0, 1))
    yield Text()
    yield Text(say("you", side=Ref("side", game.sides[one.side])), "bold")
    yield Text(words.sentence(game.narrator.prompt(view, one.side)), "bold")


def _asked(console: Console, game: Game, words: Words, posed: PosedPuzzle) -> str:
    """Return the user's answer, chosen by its number."""
    legal, view = posed.seen.legal(), posed.seen.view()
    for number, decision in enumerate(legal, 1):
        sentence = words.sentence(game.narrator.describe(view, posed.puzzle.side, decision.action))
        console.print(Padding(Text(f"{number:>3}  {sentence}"), (0, 0, 0, 1)))
    while True:
        try:
            said = console.input(f"{words.sentence(Message('puzzle.number_asked'))} ").strip()
        except EOFError as error:
            raise typer.Abort from error
        if said.isdecimal() and 1 <= int(said[:4]) <= len(legal):
            return legal[int(said) - 1].text
        console.print(Text(words.sentence(Message("puzzle.no_number", {"count": len(legal)})), QUIET))


def _outcome(game: Game, words: Words, posed: PosedPuzzle, answer: str) -> Iterator[RenderableType]:
    one, view = posed.puzzle, posed.seen.view()

    def say(key: str, **args: Argument) -> str:
        return words.sentence(Message(f"puzzle.{key}", args))

    yield Text()
    is_right = answer == one.answer
    yield Text(words.sentence(Message(f"explained.{'right' if is_right else 'wrong'}")), "bold")
    yield Text(say("gap", x=round(100 * one.gap), error=ceil(100 * one.error), n=one.worlds))
    reason = None if one.reason is None else message_of(one.reason)
    replies = {} if one.reply is None else {one.answer: message_of(one.reply)}
    yield from choice_lines(
        explained_options(game, view, one.side, one.told(answer), one.answer, answer, words, reason, replies)
    )


def _as_data(
    game: Game, collection: PuzzleCollection, number: int, posed: PosedPuzzle, answer: str | None
) -> dict[str, Any]:
    one = posed.puzzle
    data: dict[str, Any] = {
        "game": game.id,
        "number": number,
        "count": len(collection),
        "id": one.id,
        "side": game.sides[one.side],
        "trains": one.trains,
        "known": game.known_state(posed.seen.view(), one.side),
        "legal": posed.seen.legal_texts(),
    }
    if answer is not None:
        options = [{"action": each.action, "win": each.win, "error": each.error} for each in one.options]
        data |= {"answer": one.answer, "right": answer == one.answer, "gap": one.gap, "error": one.error}
        data["options"] = options
    return data
