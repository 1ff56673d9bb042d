"""``brink hint``: what a side could do in the last position of a recorded game, and how sure that is.

The command `hint` of a game in the terminal shows the same, and notes in the journal that a hint was taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.cli import command
from brinkmanship.cli.look import QUIET, show
from brinkmanship.cli.options import AsJson, Cards, Seed, side_number
from brinkmanship.cli.record import ruleset_of
from brinkmanship.cli.speech import Language, terminal_words
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game, State
from brinkmanship.engine.journal import Journal
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.seen import SeenGame
from brinkmanship.players.budget import Budget
from brinkmanship.text import Words

if TYPE_CHECKING:
    from brinkmanship.players.hints import Hint, Hints

NOTE = "hint taken"
"""The comment of an entry that was chosen after a hint."""
BEST = "★ "


@command(
    "brink hint evening.brink",
    "brink hint evening.brink --side ussr --budget 5s",
    "brink hint evening.brink --budget 4000n --seed 1 --json",
)
def hint(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    side: Annotated[str | None, typer.Option("--side")] = None,
    budget: Annotated[str, typer.Option("--budget")] = "1s",
    seed: Seed = None,
    lang: Language = "en",
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Show the best answers of the side that is asked at the end of a journal, from what that side knows."""
    from brinkmanship.players.hints import hints  # it loads Numba

    record = journal.read(file)
    game = ruleset_of(record, cards)
    words = terminal_words(game, lang)
    spent = Budget.parse(budget)
    match = journal.play(record, game)
    number = _asked(match, side)
    seen = SeenGame.of(match, number)
    found = hints(seen, spent, seed or 0)
    if as_json:
        print(json.dumps(_as_data(game, words, seen.view(), found), ensure_ascii=False))
    else:
        show(Console(highlight=False), hint_lines(game, words, seen.view(), found))


def _asked(match: Match, name: str | None) -> int:
    """The side that a hint is for.

    Raises:
        OptionError: the game is over or waits for chance, both are asked and none is named, or the other one is asked.
    """
    game, pending = match.game, sorted(match.pending)
    if not pending:
        raise OptionError("nobody is asked at the end of this journal, so there is nothing to hint")
    names = [game.sides[each] for each in pending]
    if name is None:
        if len(pending) > 1:
            raise OptionError(f"{' and '.join(names)} are both asked: say with --side for whom the hint is")
        return pending[0]
    if (number := side_number(game, name)) not in pending:
        raise OptionError(f"--side {name}: it is {names[0]} that is asked here")
    return number


def hint_lines(game: Game, words: Words, view: State, found: Hints) -> Iterator[RenderableType]:
    """Hints as a person reads them; `view` is that of the side they are for."""

    def say(key: str, **args: int | str) -> str:
        return words.text(Message(key, args))

    yield Text()
    title = "hint.secret" if found.is_secret else "hint.title"
    yield Padding(Text(say(title, n=found.playouts), "bold"), (0, 0, 0, 1))
    for one in found.hints:
        args = {"percent": round(100 * one.win), "error": ceil(100 * one.error)}
        if one.share is None:
            line = say("hint.wins", **args)
        else:
            line = say("hint.share", share=round(100 * one.share), **args)
        mark = Text(f" {BEST if one.is_best else '  '}", "bold")
        yield mark + Text(words.sentence(game.describe(view, found.side, one.action)), "bold" if one.is_best else "")
        for below in (line, *_more(words, one)):
            yield Padding(Text(below, QUIET), (0, 0, 0, 5))
    if not found.is_secret and sum(one.is_best for one in found.hints) > 1:
        yield Padding(Text(say("hint.equal")), (0, 0, 0, 1))


def _more(words: Words, one: Hint) -> Iterator[str]:
    if one.war:
        yield words.text(Message("hint.war", {"percent": ceil(100 * one.war)}))
    if one.reason is not None:
        yield _why(words, one.reason)
    if one.reply is not None:
        percent = round(100 * one.reply.share)
        yield words.text(Message("hint.reply", {"what": one.reply.text, "percent": percent}))


def _why(words: Words, reason: Message) -> str:
    return words.with_domain("players").sentence(reason)


def _as_data(game: Game, words: Words, view: State, found: Hints) -> dict[str, Any]:
    return {
        "game": game.id,
        "side": game.sides[found.side],
        "worlds": found.worlds,
        "playouts": found.playouts,
        "secret": found.is_secret,
        "hints": [
            {
                "action": game.action_text(one.action),
                "text": words.sentence(game.describe(view, found.side, one.action)),
                "win": one.win,
                "error": one.error,
                "best": one.is_best,
                "war": one.war,
                "share": one.share,
                "reason": None if one.reason is None else _why(words, one.reason),
                "reply": None
                if one.reply is None
                else {
                    "action": game.action_text(one.reply.action),
                    "text": words.sentence(one.reply.text),
                    "share": one.reply.share,
                },
            }
            for one in found.hints
        ],
    }


def with_notes_of_hints(record: Journal, hinted: set[int]) -> Journal:
    """A journal that says which decisions were made after a hint: `hinted` counts the entries before each."""
    count = len(record.entries)
    record.entries = [
        replace(entry, comment=NOTE) if number in hinted else entry for number, entry in enumerate(record.entries)
    ]
    if count in hinted:
        record.below = (NOTE,)
    return record


def hinted_in(record: Journal, match: Match) -> set[int]:
    """Which decisions a journal says were made after a hint; `match` is the game that it records."""
    hinted = {number - 1 for number, said in journal.comments_of(record, match).items() if NOTE in said}
    return hinted | ({len(match.entries)} if NOTE in record.below else set())
