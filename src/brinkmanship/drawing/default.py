"""The pictures of a game without its own: the board as a table, cards with their names."""

from __future__ import annotations

from typing import Any

from brinkmanship.drawing import card_frame
from brinkmanship.drawing.board_request import BoardRequest
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, line, rect
from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.text import Words
from brinkmanship.text.default import BoardRow, names_in, rows

_WIDTH: dict[LayoutName, float] = {"wide": 720.0, "narrow": 380.0}
_MARGIN = 16.0
_ROW = 30.0
_SIZE = 15.0


def board(
    game: Game,
    view: State,
    side: int,
    words: Words,
    request: BoardRequest[Any],
) -> str:
    """Return what the side knows, except its cards, as a table with a line for each fact."""
    layout, ghosts = request.layout, request.ghosts
    found = rows(game, view, side, words, cards=False)
    height = 2 * _MARGIN + _ROW * max(len(found), 1)
    width = _WIDTH[layout]
    return sheet(
        width,
        height,
        NOTHING,
        rect(0.5, 0.5, width - 1, height - 1, "panel", 3),
        [_row(number, row, layout, request.ids) for number, row in enumerate(found)],
        ghost_layer(game, view, ghosts, side, words, layout) if ghosts is not None else NOTHING,
        standalone=request.standalone,
        css=f"board {layout}",
        role="img",
        label=". ".join(f"{row.label}: {row.value}" for row in found),
        language=words.language,
    )


def _row(number: int, row: BoardRow, layout: LayoutName, ids: str) -> Markup:
    y, width = _MARGIN + number * _ROW, _WIDTH[layout]
    half = width / 2 - 1.5 * _MARGIN
    return group(
        text(_MARGIN, y + 20, row.label, _SIZE, "mu", room=half),
        text(width / 2, y + 20, row.value, _SIZE, "b", room=half / 2),
        line(_MARGIN, y + _ROW, width - _MARGIN, y + _ROW, "rule"),
        id=f"{ids}row-{number}",
    )


def ghost_layer(game: Game, before: State, after: State, side: int, words: Words, layout: LayoutName) -> Markup:
    """Return the new values of the lines that change."""
    pairs = zip(rows(game, before, side, words, cards=False), rows(game, after, side, words, cards=False), strict=False)
    width = _WIDTH[layout]
    return join(
        text(width - _MARGIN, _MARGIN + number * _ROW + 20, f"→ {new.value}", _SIZE, "b", "end", room=width / 4)
        for number, (old, new) in enumerate(pairs)
        if old.label == new.label and old.value != new.value
    )


def card(game: Game, card: str, words: Words, standalone: Theme | None) -> str:
    """Return a card with its name and nothing more.

    Raises:
        KeyError: the data file names no such thing.
    """
    if card not in names_in(game):
        raise KeyError(card)
    name = words.name("card", card)
    body = join(rect(0.5, 0.5, card_frame.WIDTH - 1, card_frame.HEIGHT - 1, "memo", 3), card_frame.title(name))
    return card_frame.picture(body, "card", name, words, standalone, card)
