"""Rendering of environments: the board as one viewer knows it."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
"""``human`` prints the text of ``ansi``, the viewer's knowledge; ``svg`` is the board as a standalone picture, and
``rgb_array`` its pixels, uint8[height, width, 3], for recordings.
"""


def rendered(game: Game, view: State, viewer: int, mode: str | None) -> Any:
    """Return the rendering in a mode; None if the mode returns nothing.

    Args:
        game: the ruleset.
        view: the viewer's view (`Game.view_of`).
        viewer: the side, or `OBSERVER`.
        mode: one of `RENDER_MODES`, or None.
    """
    if mode is None:
        return None
    if mode == "svg":
        from brinkmanship.drawing import BoardRequest, drawing_of
        from brinkmanship.text import words_for

        return drawing_of(game).board(game, view, viewer, words_for(game, "en"), BoardRequest(standalone="auto"))
    if mode == "rgb_array":
        return pixels(game, view, viewer)
    text = described(game, view, viewer)
    if mode == "human":
        sys.stdout.write(text)
        return None
    return text


def pixels(game: Game, view: State, viewer: int) -> npt.NDArray[np.uint8]:
    """Return the pixels of the board as a viewer knows it, uint8[height, width, 3]."""
    from PIL import Image

    from brinkmanship.drawing import BoardRequest, drawing_of
    from brinkmanship.drawing.link_preview import plain_picture
    from brinkmanship.drawing.png import png
    from brinkmanship.text import words_for

    board = drawing_of(game).board(game, view, viewer, words_for(game, "en"), BoardRequest())
    with Image.open(io.BytesIO(png(plain_picture(board)))) as image:
        return np.array(image.convert("RGB"))


def described(game: Game, view: State, viewer: int) -> str:
    """Return a viewer's knowledge, a line for each key of `Game.known_state`, then the sides to act."""
    lines = [f"{name}: {json.dumps(value)}" for name, value in game.known_state(view, viewer).items()]
    to_move = " and ".join(game.sides[side] for side in sorted(game.to_move(view)))
    return "\n".join([game.title, *lines, f"asked: {to_move or 'nobody'}"]) + "\n"
