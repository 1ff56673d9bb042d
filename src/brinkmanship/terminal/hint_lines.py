"""Hints in the terminal: the best choices with their reasons."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine.game import Game
from brinkmanship.engine.hint import Hints
from brinkmanship.engine.record import State
from brinkmanship.terminal.style import QUIET
from brinkmanship.text import Words
from brinkmanship.text.hints import BEST, hints_text


def hint_lines(game: Game, words: Words, view: State, found: Hints) -> Iterator[RenderableType]:
    """Yield hints as lines; `view` is that of the side they are for."""
    said = hints_text(game, view, found, words)
    yield Text()
    yield Padding(Text(said.title, "bold"), (0, 0, 0, 1))
    for one in said.hints:
        mark = Text(f" {BEST if one.is_best else ' '} ", "bold")
        yield mark + Text(one.what, "bold" if one.is_best else "")
        for below in (one.wins, *one.more):
            yield Padding(Text(below, QUIET), (0, 0, 0, 5))
    if said.equal:
        yield Padding(Text(said.equal), (0, 0, 0, 1))
