"""The illustrations of the rules: the board after set-up, the thermometers, a card."""

from __future__ import annotations

import re

from brinkmanship.drawing import icons
from brinkmanship.drawing.board_request import BoardRequest
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.svg import Markup, el, num
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.thirteen_days.drawing.board import board
from brinkmanship.games.thirteen_days.drawing.cards import card
from brinkmanship.games.thirteen_days.drawing.labels import labels_for
from brinkmanship.games.thirteen_days.drawing.layout import layout_of
from brinkmanship.games.thirteen_days.drawing.position import read
from brinkmanship.games.thirteen_days.drawing.thermometers import thermometers
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.text import Words

_ID = re.compile(r' id="(?:cube-|marker-)[^"]*"')
"""Ids of moving things on a board, removed as an illustration is static and the page has other ids."""


def illustration(game: ThirteenDays, name: str, words: Words, layout: LayoutName = "wide", coast: str = "") -> str:
    """Return the picture called `name` in the rules (`brinkmanship.games.thirteen_days.words.rulebook.PICTURES`).

    Raises:
        KeyError: there is no such picture.
    """
    return {"board": _board, "thermometer": _thermometer, "card": _card}[name](game, words, layout, coast)


def _board(game: ThirteenDays, words: Words, layout: LayoutName, coast: str) -> str:
    drawn = board(
        game, game.view_of(game.new_state(), OBSERVER), OBSERVER, words, BoardRequest(layout=layout, coast=coast)
    )
    return _ID.sub("", drawn)


def _thermometer(game: ThirteenDays, words: Words, layout: LayoutName, _coast: str) -> str:
    labels, plan, ids = labels_for(words, game.data), layout_of(layout), "thermometer-"
    position = read(game, game.view_of(game.new_state(), OBSERVER), OBSERVER)
    box = plan.defcon
    return el(
        "svg",
        icons.patterns(ids),
        Markup(_ID.sub("", thermometers(labels, position, plan, ids, frozenset()))),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{num(box.x - 1)} {num(box.y - 1)} {num(box.w + 2)} {num(box.h + 2)}",
        class_="brink thermometers",
        role="group",
        aria_label="DEFCON",
        lang=words.language,
    )


def _card(game: ThirteenDays, words: Words, _layout: LayoutName, _coast: str) -> str:
    """Draw a card with every element that a card may have."""
    shown = next((card for card in game.data.card if card.defcon_icon and card.side != "un"), game.data.card[0])
    return card(game, shown, words)
