"""Explained choices in the terminal: hints, and the solution of a puzzle."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.analysis.explained import ExplainedChoice, ExplainedOptions, explained_hints
from brinkmanship.engine.game import Game
from brinkmanship.engine.hint import Hints
from brinkmanship.engine.record import State
from brinkmanship.terminal.style import QUIET
from brinkmanship.text import Words
from brinkmanship.text.hints import BEST


def hint_lines(game: Game, words: Words, view: State, found: Hints) -> Iterator[RenderableType]:
    """Yield hints as lines; `view` is that of the side they are for."""
    said = explained_hints(game, view, found, words)
    yield Text()
    yield Padding(Text(said.title, "bold"), (0, 0, 0, 1))
    yield from choice_lines(said.table)
    if said.equal:
        yield Padding(Text(said.equal), (0, 0, 0, 1))


def choice_lines(table: ExplainedOptions) -> Iterator[RenderableType]:
    """Yield the choices of a table: the best ones with reasons and details, the others only with their figures."""
    for one in table.shown:
        yield _line(table, one)
        for below in (one.reason, *one.more):
            if below:
                yield Padding(Text(below, QUIET), (0, 0, 0, 5))
    if table.folded:
        yield Padding(Text(table.labels["folded"], QUIET), (0, 0, 0, 1))
        for one in table.folded:
            yield _line(table, one)
    if table.note:
        yield Padding(Text(table.note, QUIET), (0, 0, 0, 1))


def _line(table: ExplainedOptions, one: ExplainedChoice) -> Text:
    figures = [f"{table.labels['win']} {one.win_said}"]
    if one.share is not None:
        figures.insert(0, f"{table.labels['share']} {one.share_said}")
    own = f" · {table.labels['taken']}" if one.is_taken else ""
    line = Text(f" {BEST if one.is_best else ' '} ", "bold") + Text(one.what, "bold" if one.is_best else "")
    return line + Text(f"{own}  {', '.join(figures)}", QUIET)
