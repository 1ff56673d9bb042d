"""Pictures: what a side may know becomes SVG, for the page, the terminal's export, documents and print.

* `svg`, `sheet`, `lettering`, `style`, `marks`, `memo`, `desk`, `graph`, `geography`: what pictures share
* `emblems.emblem(game_id)`: a small picture of each game
* a package per game: `thirteen_days.board(game, view, side, words)`, its cards and graphs

A drawing is made from a view, never from a state, and is the same text for the same view.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from brinkmanship.engine.game import Game

__all__ = ["DRAWINGS", "drawing_of"]

DRAWINGS = {
    "13-days": "brinkmanship.draw.thirteen_days",
    "13-minutes": "brinkmanship.draw.thirteen_minutes",
    "ukrainian-crisis": "brinkmanship.draw.ukrainian_crisis",
}
"""Where the pictures of each game are, imported when they are needed."""


def drawing_of(game: Game) -> Any:
    """The package that draws a game.

    It gives ``board``, ``ghost_layer``, ``card``, ``back``, ``play_of``, ``course``, ``illustration``; ``agenda`` where
    the game has agendas, ``coast_file`` where its board lies on a map, ``sketch`` where the moment has a picture of its
    own beside the board.
    """
    return import_module(DRAWINGS[game.id])
