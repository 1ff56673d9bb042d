"""A small picture of each game for the home page, without words and so the same in every language."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.document import drawing
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, rect
from brinkmanship.games.registry import kit_of

WIDTH, HEIGHT = 240.0, 150.0


def emblem(game_id: str, *, standalone: Theme | None = None, ids: str = "") -> str:
    """Draw the emblem of a game by its id. It is decorative: the page names the game.

    Args:
        game_id: id of the game.
        standalone: theme of a standalone file.
        ids: prefix of its ids, if a page has several emblems; the whole drawing is then "#PREFIXemblem" to refer to.
    """
    own = kit_of(game_id).module("drawing.emblem")
    return drawing(
        WIDTH,
        HEIGHT,
        icons.patterns(f"{ids}e-"),
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "panel", 3),
        own.emblem(ids) if own else NOTHING,
        standalone=standalone,
        css=f"emblem {game_id}",
        id=f"{ids}emblem" if ids else None,
        aria_hidden="true",
    )
