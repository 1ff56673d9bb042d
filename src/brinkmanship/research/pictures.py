"""What an environment shows when it is asked to: the board as one reader knows it."""

from __future__ import annotations

import json
import sys

from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State

RENDER_MODES = ("human", "ansi", "svg")
"""``human`` prints what ``ansi`` returns: what the reader knows as text; ``svg`` is the board as a picture that stands
alone. There is no ``rgb_array``: nothing here turns drawings into pixels."""


def rendered(game: Game, view: State, reader: int, mode: str | None) -> str | None:
    """What `render` returns in a mode; None where it has nothing to return.

    Args:
        view: the reader's view (`Game.view_of`).
        reader: the side, or `OBSERVER`.
    """
    if mode is None:
        return None
    if mode == "svg":
        from brinkmanship.drawing import BoardRequest, drawing_of
        from brinkmanship.text import words_for

        return drawing_of(game).board(game, view, reader, words_for(game, "en"), BoardRequest(standalone="auto"))
    text = described(game, view, reader)
    if mode == "human":
        sys.stdout.write(text)
        return None
    return text


def described(game: Game, view: State, reader: int) -> str:
    """What a reader knows, a line for each key of `Game.known_state`, then who is asked."""
    lines = [f"{name}: {json.dumps(value)}" for name, value in game.known_state(view, reader).items()]
    asked = " and ".join(game.sides[side] for side in sorted(game.asked(view)))
    return "\n".join([game.title, *lines, f"asked: {asked or 'nobody'}"]) + "\n"
