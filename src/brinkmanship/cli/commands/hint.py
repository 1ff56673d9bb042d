"""``brink hint``: advice for a side in the last position of a recorded game, with its uncertainty.

The command `hint` of a game in the terminal shows the same, and records the hint in the journal.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from brinkmanship.cli import command
from brinkmanship.cli.journal_ruleset import ruleset_of
from brinkmanship.cli.options import AsJson, Cards, Seed, side_number
from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.hint import Hints
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.players.budget import Budget
from brinkmanship.terminal.hint_lines import hint_lines
from brinkmanship.terminal.style import show
from brinkmanship.terminal.words import Language, terminal_words
from brinkmanship.text import Words
from brinkmanship.text.hints import why_text


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
    """Show the best choices of the side to decide at the end of a journal, based on its own knowledge."""
    from brinkmanship.players.hints import hints  # loads Numba

    record = journal.read(file)
    game = ruleset_of(record, cards)
    words = terminal_words(game, lang)
    spent = Budget.parse(budget)
    match = journal.play(record, game)
    number = _asked(match, side)
    seen = Observation.of(match, number)
    found = hints(seen, spent, seed or 0)
    if as_json:
        print(json.dumps(_as_data(game, words, seen.view(), found), ensure_ascii=False))
    else:
        show(Console(highlight=False), hint_lines(game, words, seen.view(), found))


def _asked(match: Match, name: str | None) -> int:
    """Return the side that a hint is for.

    Raises:
        OptionError: no side is to decide, both are and none is named, or the named side is not.
    """
    game, pending = match.game, sorted(match.pending)
    if not pending:
        raise OptionError(Message("fault.hint.nobody"))
    names = [game.sides[each] for each in pending]
    if name is None:
        if len(pending) > 1:
            raise OptionError(Message("fault.hint.both"))
        return pending[0]
    if (number := side_number(game, name)) not in pending:
        raise OptionError(Message("fault.hint.other", {"name": name, "asked": names[0]}))
    return number


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
                "text": words.sentence(game.narrator.describe(view, found.side, one.action)),
                "win": one.win,
                "error": one.error,
                "best": one.is_best,
                "war": one.war,
                "score": one.score,
                "share": one.share,
                "reason": None if one.reason is None else why_text(one.reason, words),
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
