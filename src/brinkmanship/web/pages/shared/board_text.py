"""The board in words on a page: beside the picture, instead of it, or only for screen readers.

The browser remembers the choice in a cookie, like the other display settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from starlette.requests import Request

from brinkmanship.drawing import drawing_of
from brinkmanship.drawing.board_text import TextSection
from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.text import Words

TextMode = Literal["off", "beside", "instead"]
MODES: tuple[TextMode, ...] = get_args(TextMode)
TEXT_COOKIE = "board_text"


class BoardText(NamedTuple):
    """The board in words, and how the page shows it; "off" hides it from the eye."""

    mode: TextMode
    sections: Sequence[TextSection]
    modes: tuple[TextMode, ...] = MODES


def text_mode_of(request: Request) -> TextMode:
    """Return how the browser wants the board in words."""
    chosen = request.cookies.get(TEXT_COOKIE)
    return next((mode for mode in MODES if mode == chosen), "off")


def board_text(game: Game, view: State, side: int, words: Words, mode: TextMode) -> BoardText:
    """Return a view in words for a page."""
    return BoardText(mode, drawing_of(game).board_text(game, view, side, words))
