"""The score of a finished game in the terminal: its parts side by side, and their sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.terminal.style import MARKS, QUIET, SIDE_STYLES, fit, widest, wrapped
from brinkmanship.text import Words
from brinkmanship.text.score import ScoreText, score_text


def score_lines(seen: Perspective, words: Words, width: int) -> Iterator[RenderableType]:
    """Yield the breakdown of a game's score, line by line.

    Args:
        seen: the finished game with full information.
        words: texts of the game and the terminal.
        width: screen width in cells.

    Raises:
        ValueError: the perspective does not have full information.
    """
    if seen.viewer != FULL_INFORMATION:
        raise ValueError("the score needs full information, including secret actions")
    for table in score_text(seen.game, seen.game.narrator.score(list(seen.seen())), words):
        yield Text()
        yield from _table(table, words, width)


def _table(table: ScoreText, words: Words, width: int) -> Iterator[RenderableType]:
    numbers = [table.totals, *(part.points for part in table.parts)]
    columns = [
        max(widest([points[side] for points in numbers]), widest([f"{MARKS[side]} {table.sides[side]}"]))
        for side in range(2)
    ]
    room = max(width - 4 - sum(columns) - 4, 16)
    whats = [line for what in (table.title, *(part.what for part in table.parts)) for line in wrapped(what, room)]
    room = min(room, max(widest(whats), 16))
    heads = [Text(f"{MARKS[side]} {name}", SIDE_STYLES[side]) for side, name in enumerate(table.sides)]
    yield from _row(table.title, heads, room, columns, "bold")
    for part in table.parts:
        yield from _row(part.what, part.points, room, columns, "")
    yield from _row(words.sentence(Message("score.total")), table.totals, room, columns, "bold")
    for note in table.notes:
        for line in wrapped(f"{note}.", width - 2):
            yield Text(f" {line}", QUIET)


def _row(what: str, cells: Iterable[str | Text], room: int, columns: list[int], style: str) -> Iterator[Text]:
    *above, last = wrapped(what, room)
    for line in above:
        yield Text(f" {line}", style)
    row = Text(" ").append_text(fit(Text(last, style), room))
    for cell, column in zip(cells, columns, strict=True):
        row.append("  ").append_text(fit(cell if isinstance(cell, Text) else Text(cell, style), column, "right"))
    yield row
