"""``brink replay``: check a recorded game against the rules and show it step by step."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.analysis.annotated import Heading, Remark, annotated
from brinkmanship.cli import command
from brinkmanship.cli.animation import check_animation, write_animation
from brinkmanship.cli.journal_ruleset import ruleset_of
from brinkmanship.cli.options import AsJson, Cards
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.options import any_of
from brinkmanship.engine.perspective import Perspective
from brinkmanship.terminal.line_ui import prepare_input
from brinkmanship.terminal.log import game_log
from brinkmanship.terminal.score import score_lines
from brinkmanship.terminal.style import QUIET, show
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import Language, checked_language, terminal_words
from brinkmanship.text import Words
from brinkmanship.text.reasons import reason_text

_LINES_SHOWN = 8
_PRINTED = 80
"""Width of the score table if the output is not a terminal."""


@command(
    "brink replay examples/13-days-playthrough.brink",
    "brink replay game.brink --as ussr --lang pl",
    "brink replay game.brink --to 40",
    "brink replay game.brink --animate game.webp",
    "brink replay game.brink --json | head -1",
    "brink replay game.brink --markdown --lang de > game.md",
)
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    to: Annotated[int | None, typer.Option("--to", min=0)] = None,
    viewer: Annotated[str | None, typer.Option("--as")] = None,
    lang: Language = "en",
    cards: Cards = None,
    as_json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown")] = False,
    animate: Annotated[Path | None, typer.Option("--animate")] = None,
    start: Annotated[int, typer.Option("--from", min=0)] = 0,
) -> None:
    """Check a recorded game against the rules and show it step by step.

    If the output is not a terminal, print the whole log with entry numbers.
    """
    checked_language(lang)
    if markdown and as_json:
        raise OptionError(Message("fault.command.markdown_json"))
    if animate is not None:
        check_animation(animate)
    record = journal.read(file)
    game = ruleset_of(record, cards)
    seen_as = _viewer(game, viewer)
    match = journal.play(record, game)
    count = len(match.entries)
    if to is not None and to > count:
        raise OptionError(Message("fault.command.to", {"to": str(to), "entries": str(count)}))
    is_whole = to is None or to == count
    words = terminal_words(game, lang)
    if animate is not None:
        ending = _result_line(record, Perspective(match, seen_as), words)
        write_animation(animate, record, Perspective(match, seen_as), start, count if to is None else to, words, ending)
        return
    reasons = _reasons(journal.reasons_of(record, match), Perspective(match, seen_as), words)
    seen = Perspective(match, seen_as, to)
    if as_json:
        for line in _json_lines(seen, reasons):
            print(json.dumps(line, ensure_ascii=False))
        if is_whole:
            print(json.dumps(_json_result(record, seen), ensure_ascii=False))
    elif markdown:
        print(_markdown(record, seen, words, journal.comments_of(record, match)), end="")
    elif sys.stdout.isatty() and sys.stdin.isatty():
        prepare_input()
        screen = _Replay(record, Perspective(match, seen_as), journal.comments_of(record, match), reasons, lang)
        screen.run(0 if to is None else seen.length)
    else:
        _print_log(seen, words, reasons)
        if is_whole:
            show(Console(highlight=False), _score(seen, words, _PRINTED))
            print(_result_line(record, seen, words))


def _viewer(game: Game, name: str | None) -> int:
    names = journal.viewers(game)
    if name is None:
        return FULL_INFORMATION
    if name not in names:
        raise OptionError(Message("fault.command.takes", {"option": "--as", "what": any_of(names), "value": name}))
    return names.index(name)


def _reasons(said: Mapping[int, Message], seen: Perspective, words: Words) -> dict[int, str]:
    """Return the reasons of computer players by entry number, as far as the viewer may know them.

    A reason may reveal what only its side knew.
    """
    return {
        number: text
        for number, reason in said.items()
        if seen.viewer in (FULL_INFORMATION, seen.entries[number - 1].actor) and (text := reason_text(reason, words))
    }


def _json_lines(seen: Perspective, reasons: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    game = seen.game
    yield {"index": 0, "actor": None, "action": "setup", "state": game.public_state(seen.view(0))}
    for each in seen.seen():
        actor, action = journal.actor_name(game, each.entry), each.entry.text
        why = {"why": reasons[each.number]} if each.number in reasons else {}
        yield {"index": each.number, "actor": actor, "action": action, **why, "state": game.public_state(each.after)}


def _json_result(record: journal.Journal, seen: Perspective) -> dict[str, Any]:
    winner, reason = journal.ending_of(seen.game, _result(record, seen))
    prestige = seen.game.public_state(seen.view()).get("prestige")
    side = None if winner is None else seen.game.sides[winner]
    return {"result": {"winner": side, "reason": reason or "unfinished", "prestige": prestige}}


def _result(record: journal.Journal, seen: Perspective) -> str:
    return journal.result_text(seen) if seen.outcome() else record.result


def _result_line(record: journal.Journal, seen: Perspective, words: Words) -> str:
    winner, reason = journal.ending_of(seen.game, _result(record, seen))
    if not reason:
        return words.sentence(Message("replay.unfinished"))
    if winner is None:
        return words.sentence(Message("play.result.nobody"))
    key = "resignation" if reason == "resignation" else "winner"
    sides = [Ref("side", side) for side in seen.game.sides]
    return words.sentence(Message(f"play.result.{key}", {"side": sides[winner], "loser": sides[1 - winner]}))


def _markdown(record: journal.Journal, seen: Perspective, words: Words, comments: Mapping[int, str]) -> str:
    """Return the game as Markdown, with the comments of the journal."""
    game = seen.game
    title = words.sentence_if_any(Message(f"game.{game.id}")) or game.title
    names = [record.headers.get(side, "") for side in game.sides]
    heading = Heading(title, names, record.headers.get("date", ""), _result_line(record, seen, words))
    remarks = {
        number: [Remark("", said)]
        for number, said in comments.items()
        if said != journal.HINT_TAKEN and number <= seen.length
    }
    return annotated(seen, heading, words.language, remarks)


def _score(seen: Perspective, words: Words, width: int) -> Iterator[RenderableType]:
    """Yield the breakdown of the score if all cards are open to the viewer."""
    return score_lines(seen, words, width) if seen.viewer == FULL_INFORMATION else iter(())


def _print_log(seen: Perspective, words: Words, reasons: Mapping[int, str]) -> None:
    console = Console(highlight=False)
    width = len(str(seen.length)) + 1
    lines, said = game_log(seen, words), 0
    for line, after in zip_longest(lines, lines[1:]):
        console.print(Text(f"{line.entry:>{width}} ", QUIET) + line.shown, soft_wrap=True)
        if after is None or after.entry != line.entry:
            for number in range(said + 1, line.entry + 1):
                if number in reasons:
                    console.print(Text(f"{'':>{width}}   {reasons[number]}", "italic"), soft_wrap=True)
            said = line.entry


class _Replay:
    """A recorded game on the screen."""

    def __init__(
        self,
        record: journal.Journal,
        seen: Perspective,
        comments: Mapping[int, str],
        reasons: Mapping[int, str],
        language: str,
    ) -> None:
        self.record = record
        self.seen = seen
        self.game = seen.game
        self.words = terminal_words(self.game, language)
        self.table = table_for(self.game, self.words)
        self.console = Console(highlight=False)
        self.comments = comments
        self.reasons = reasons

    def run(self, at: int) -> None:
        """Show the game from an entry on until the user quits."""
        last = self.seen.length
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
        console, seen = self.console, self.seen.at(at)
        view, viewer, last = self.seen.view(at), self.seen.viewer, self.seen.length
        console.clear()
        names = " – ".join(self.record.headers.get(side, side) for side in self.game.sides)
        title = Text(f" {Path(self.record.file).name} · {names} · {at}/{last} ", "bold reverse")
        title.append(" " * max(0, console.width - title.cell_len), "reverse")
        console.print(title, no_wrap=True, overflow="ellipsis")
        show(console, self.table.position(view, viewer, max(console.width, 40), list(seen.seen())))
        show(console, self.table.hands(view, viewer, console.width))
        console.print()
        for line in game_log(seen, self.words)[-_LINES_SHOWN:]:
            text = line.shown
            if line.entry < at:
                text.stylize(QUIET)
            console.print(Padding(text, (0, 0, 0, 1)))
        for said in filter(None, (self.comments.get(at), self.reasons.get(at))):
            console.print(Padding(Text(said, "italic"), (0, 0, 0, 1)))
        if at == last:
            show(console, self.table.ending(view))
            show(console, _score(self.seen, self.words, max(console.width, 40)))
            console.print(Padding(Text(_result_line(self.record, seen, self.words), "bold"), (0, 0, 0, 1)))
        console.print(Text(" " + self.words.text(Message("replay.hint")), QUIET))
