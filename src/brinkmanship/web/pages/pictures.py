"""Boards on a page: the outlines of the land stand once in the page, and every board points to them."""

from __future__ import annotations

from functools import cache
from typing import Any

from markupsafe import Markup

from brinkmanship.draw import drawing_of
from brinkmanship.engine.game import Game, State
from brinkmanship.text import Words

HERE = "here"
"""Stands for the address of the outlines, which are in the page itself."""


@cache
def outlines(game: Game) -> Markup:
    """What the boards of a page point to; empty for games without."""
    draw = getattr(drawing_of(game), "coast_file", str)
    return Markup(draw())


def board(game: Game, view: State, side: int, words: Words, layout: str, **more: Any) -> Markup:
    """The board for a page that holds the `outlines`."""
    drawn: str = drawing_of(game).board(game, view, side, words, layout=layout, coast=HERE, **more)
    return at_home(drawn)


def at_home(drawn: str) -> Markup:
    """A picture that was drawn with the outlines `HERE`."""
    return Markup(drawn.replace(f'"{HERE}#', '"#'))
