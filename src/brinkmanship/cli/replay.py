"""``brink replay``: checks a recorded game by the rules and shows it step by step."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from brinkmanship.cli import app
from brinkmanship.cli.look import QUIET, show
from brinkmanship.cli.options import AsJson, Cards
from brinkmanship.cli.record import ruleset_of
from brinkmanship.cli.session import prepare_input
from brinkmanship.cli.speech import Language, checked_language, terminal_words
from brinkmanship.cli.story import EVERYTHING, knows, past_of, spoken, story, view_for
from brinkmanship.cli.table import table_for
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Entry, Match
from brinkmanship.engine.message import Message, Ref
from brinkmanship.text import Words

_LINES_SHOWN = 8


@app.command(
    epilog="Examples:  brink replay examples/13-days-playthrough.brink  ·  "
    "brink replay game.brink --as ussr --lang pl  ·  brink replay game.brink --to 40  ·  "
    "brink replay game.brink --json | head -1"
)
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A journal.")],
    to: Annotated[int | None, typer.Option("--to", min=0, help="Stop after this entry.")] = None,
    reader: Annotated[
        str | None, typer.Option("--as", help="Show only what a side knew, or the `public`. Default: everything.")
    ] = None,
    lang: Language = "en",
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Check a recorded game against the rules and show it step by step.

    Where the output is no terminal, the whole log is printed, with the numbers of the entries.
    """
    checked_language(lang)
    record = journal.read(file)
    game = ruleset_of(record, cards)
    eyes = _reader(game, reader)
    match = journal.play(record, game)
    count = len(match.entries)
    if to is not None and to > count:
        raise OptionError(f"--to {to}: the journal has {count} entries")
    is_whole = to is None or to == count
    count = _hide_waiting_choice(match, eyes, count if to is None else to)
    if as_json:
        for line in _json_lines(match, eyes, count):
            print(json.dumps(line, ensure_ascii=False))
        if is_whole:
            print(json.dumps(_json_result(record, match), ensure_ascii=False))
    elif sys.stdout.isatty() and sys.stdin.isatty():
        prepare_input()
        _Replay(record, match, eyes, lang).run(count if to is not None else 0)
    else:
        words = terminal_words(game, lang)
        _print_log(match, eyes, words, count)
        if is_whole:
            print(_result_line(record, match, words))


def _reader(game: Game, name: str | None) -> int:
    names = journal.readers(game)
    if name is None:
        return EVERYTHING
    if name not in names:
        raise OptionError(f"--as takes {', '.join(names[:-1])} or {names[-1]}, not {name!r}")
    return names.index(name)


def _hide_waiting_choice(match: Match, reader: int, count: int) -> int:
    """Leave out a secret choice that still waits for the other side's: even that it was made is secret."""
    if count and match.entries[count - 1].actor < CHANCE and not knows(match.entries[count - 1], reader):
        together = count < len(match.entries) and match.entries[count].together
        if count == len(match.entries) or (together and match.entries[count].actor != match.entries[count - 1].actor):
            return count - 1
    return count


def _json_lines(match: Match, reader: int, count: int) -> Iterator[dict[str, Any]]:
    game = match.game
    setup = game.public_state(match.state_after(0))
    yield {"index": 0, "actor": None, "action": "setup", "state": setup}
    for number, entry in enumerate(match.entries[:count], 1):
        text = entry.text if knows(entry, reader) else game.hidden_action_text(entry.action)
        state = game.public_state(match.state_after(number))
        yield {"index": number, "actor": _actor_name(game, entry), "action": text, "state": state}


def _json_result(record: journal.Journal, match: Match) -> dict[str, Any]:
    winner, _, reason = _result(record, match).partition(" by ")
    prestige = match.game.public_state(match.state).get("prestige")
    side = winner if winner in match.game.sides else None
    return {"result": {"winner": side, "reason": reason or "unfinished", "prestige": prestige}}


def _actor_name(game: Game, entry: Entry) -> str:
    if entry.actor < CHANCE:
        return game.sides[entry.actor]
    return "rules" if entry.by_rules else "chance"


def _result(record: journal.Journal, match: Match) -> str:
    return journal.result_text(match) if match.is_over else record.result


def _result_line(record: journal.Journal, match: Match, words: Words) -> str:
    winner, _, reason = _result(record, match).partition(" by ")
    if not reason:
        return words.sentence(Message("replay.unfinished"))
    if reason == "resignation" and winner in match.game.sides:
        return words.sentence(Message("play.result.resignation", {"side": Ref("side", winner)}))
    if winner in match.game.sides:
        return words.sentence(Message("play.result.winner", {"side": Ref("side", winner)}))
    return words.sentence(Message("play.result.nobody"))


def _print_log(match: Match, reader: int, words: Words, count: int) -> None:
    console = Console(highlight=False)
    width = len(str(count)) + 1
    for told in story(match, reader, 0, count):
        for line in spoken([told], words):
            console.print(Text(f"{told.entry:>{width}} ", QUIET) + line, soft_wrap=True)


class _Replay:
    """A recorded game on the screen."""

    def __init__(self, record: journal.Journal, match: Match, reader: int, language: str) -> None:
        self.record = record
        self.match = match
        self.reader = reader
        self.words = terminal_words(match.game, language)
        self.table = table_for(match.game, self.words)
        self.console = Console(highlight=False)
        self.comments = journal.comments_of(record, match)

    def run(self, at: int) -> None:
        """Show it from an entry on until the person has seen enough."""
        last = len(self.match.entries)
        while True:
            self._show(at)
            try:
                text = input("> ").strip().casefold()
            except EOFError:
                print()
                return
            if text in ("q", "quit", "exit"):
                return
            if text in ("", "n"):
                at = min(at + 1, last)
            elif text == "b":
                at = max(at - 1, 0)
            elif text == "e":
                at = last
            elif text.isdecimal():
                at = min(int(text), last)

    def _show(self, at: int) -> None:
        match, console = self.match, self.console
        view = view_for(match, at, self.reader)
        console.clear()
        names = " – ".join(self.record.headers.get(side, side) for side in match.game.sides)
        title = Text(f" {Path(self.record.file).name} · {names} · {at}/{len(match.entries)} ", "bold reverse")
        title.append(" " * max(0, console.width - title.cell_len), "reverse")
        console.print(title, no_wrap=True, overflow="ellipsis")
        show(console, self.table.position(view, self.reader, max(console.width, 40), past_of(match, self.reader, at)))
        show(console, self.table.hands(view, self.reader, console.width))
        console.print()
        told = list(story(match, self.reader, 0, at))[-_LINES_SHOWN:]
        for line, text in zip(told, spoken(told, self.words), strict=True):
            if line.entry < at:
                text.stylize(QUIET)
            console.print(Padding(text, (0, 0, 0, 1)))
        if comment := self.comments.get(at):
            console.print(Padding(Text(comment, "italic"), (0, 0, 0, 1)))
        if at == len(match.entries):
            show(console, self.table.ending(view))
            console.print(Padding(Text(_result_line(self.record, match, self.words), "bold"), (0, 0, 0, 1)))
        console.print(Text(" " + self.words.text(Message("replay.hint")), QUIET))
