"""SVG pictures of what a side may know, for web pages, the terminal's export, documents and print.

* `base.Drawing`: the pictures of a game. The package `drawing` of a game holds a class that extends it; a game without
  gets the defaults, the board as a table (`default`)
* `board_request.BoardRequest`: layout, record, highlights and ghosts that a board shows beside the position
* `svg`, `document`, `lettering`, `style`, `icons`, `card_frame`, `player_area`, `graph`, `geography`: shared parts
* `pictogram`, `pictogram_icons`: the effects of a card as marks without words
* `emblem.emblem(game_id)`: a small picture of each game

A drawing is made from a view, never from a state. The same view always gives the same text.
"""

from __future__ import annotations

from functools import cache

from brinkmanship.drawing.base import Drawing
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.engine.game import Game
from brinkmanship.games.registry import Kit, implementation, kit_for

__all__ = ["PLAIN", "BoardRequest", "Drawing", "LayoutName", "drawing_of"]


def drawing_of(game: Game) -> Drawing[Game, object]:
    """Return the drawing of a game: an instance of the class in its package `drawing`, or a plain `Drawing`."""
    return _drawing(kit_for(game))


@cache
def _drawing(kit: Kit) -> Drawing[Game, object]:
    return (implementation(kit, "drawing", Drawing) or Drawing)()
