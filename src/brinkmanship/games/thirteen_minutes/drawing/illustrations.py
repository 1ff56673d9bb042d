"""Illustrations of the rules: the table before the first turn, a card, movement, the scored example."""

from __future__ import annotations

import re

from brinkmanship.drawing.board_request import BoardRequest
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import Markup, el, group, num, path, rect
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.games.thirteen_minutes.drawing.battleground import cubes, face
from brinkmanship.games.thirteen_minutes.drawing.board import board
from brinkmanship.games.thirteen_minutes.drawing.cards import card
from brinkmanship.games.thirteen_minutes.drawing.clock import Play
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, Battleground
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import CUBA, N_AREAS, Area, CardIs, Node, State
from brinkmanship.games.thirteen_minutes.words.example import BIDS, EXAMPLE, LAST_CARDS
from brinkmanship.text import Words

_ID = re.compile(r' id="(?![^"]*(?:hatch|dots)")[^"]*"')
"""Ids of moving things, to be removed: illustrations are static, and the page has its own ids."""


def illustration(game: ThirteenMinutes, name: str, words: Words, layout: LayoutName = "wide", _coast: str = "") -> str:
    """Return the illustration `name` of the rules (`brinkmanship.games.thirteen_minutes.words.rulebook.PICTURES`).

    Raises:
        KeyError: there is no such picture.
    """
    return {"table": _table, "card": _card, "movement": _movement, "example": _example}[name](game, words, layout)


def _table(game: ThirteenMinutes, words: Words, layout: LayoutName) -> str:
    """Draw the table with Cuba set and two cards in each hand, before the first play."""
    return _still(game, _laid_out(game), words, layout, "table-")


def _example(game: ThirteenMinutes, words: Words, layout: LayoutName) -> str:
    """Draw the example position of the rules, after the last turn."""
    return _still(game, example_state(game), words, layout, "example-")


def _still(game: ThirteenMinutes, state: State, words: Words, layout: LayoutName, ids: str) -> str:
    request = BoardRequest[Play](layout=layout, ids=ids)
    return _ID.sub("", board(game, game.view_of(state, OBSERVER), OBSERVER, words, request))


def _laid_out(game: ThirteenMinutes) -> State:
    state = game.new_state()
    state.area[CUBA] = Area.NEUTRAL
    state.hand[:] = game.data.limits.hand_size
    state.pile = len(game.data.card) - 1 - 2 * game.data.limits.hand_size
    state.node, state.mover = Node.DRAW_CARD, CHANCE
    return state


def example_state(game: ThirteenMinutes) -> State:
    """Return the example of the rules as a state, at the beginning of the scoring."""
    state, places = _laid_out(game), game.data.places
    areas = [area.id for area in game.data.area]
    for lying in EXAMPLE:
        if lying.id in places:  # a custom data file may lack the card
            place = places.index(lying.id)
            state.area[place] = areas.index(lying.area)
            state.influence[0, place], state.influence[1, place] = lying.us, lying.ussr
            if place != CUBA:
                state.card[place] = CardIs.ON_TABLE
    for side, name in enumerate(game.sides):
        state.lost[side] = BIDS[name]
        state.supply[side] = game.data.limits.cubes_per_side - BIDS[name] - int(state.influence[side].sum())
        state.hand[side] = int(name in LAST_CARDS)
    state.pile, state.turn = 0, game.data.limits.turns
    state.node = Node.SCORE_BATTLEGROUNDS
    return state


def _card(game: ThirteenMinutes, words: Words, _layout: LayoutName) -> str:
    """Draw a card whose Command value can be counted."""
    shown = max((card for card in game.data.card if card.side != "un"), key=lambda card: card.cubes)
    return card(game, shown, words)


def _movement(game: ThirteenMinutes, words: Words, layout: LayoutName) -> str:
    """Draw two small tables: the US places a cube, and removes one."""
    labels = labels_for(words, game.data)
    wide = layout == "wide"
    width, high = (760.0, 190.0) if wide else (344.0, 350.0)
    shift = (390.0, 0.0) if wide else (0.0, 180.0)
    shown = next(card for card in game.data.card if card.side == "us")
    scenes = (
        _scene(labels, shown.id, shown.colour, Box(0, 0, 344 if not wide else 370, 168), 1, "place"),
        _scene(labels, shown.id, shown.colour, Box(*shift, 344 if not wide else 370, 168), -1, "remove"),
    )
    return el(
        "svg",
        scenes,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {num(width)} {num(high)}",
        class_="brink movement",
        role="img",
        aria_label=f"{labels.sentence('example.place')}. {labels.sentence('example.remove')}",
        lang=words.language,
    )


def _scene(labels: Labels, id: str, colour: str, box: Box, cubes_more: int, key: str) -> Markup:
    """Draw a battleground of the neutral area that moves toward the US, or away from it."""
    gap, w, h = 6.0, 78.0, 100.0
    column = (box.w - 2 * gap) / N_AREAS
    end = Area.US_SPHERE if cubes_more > 0 else Area.USSR_SPHERE
    before, after = ((1, 1), (2, 1)) if cubes_more > 0 else ((1, 1), (0, 1))
    parts = []
    for area in range(N_AREAS):
        x, side = box.x + area * (column + gap), SPHERES.get(area)
        css = SIDE_CSS[side] if side is not None else ""
        name = text(x + column / 2, box.y + 42, labels.short_area(area), 12.5, f"b {css}", "middle", room=column - 8)
        parts.append(group(rect(x, box.y + 24, column, 142, f"wash {css}" if css else "sunk", 4), name))
    slots = [Box(box.x + area * (column + gap) + (column - w) / 2, box.y + 54, w, h) for area in range(N_AREAS)]
    start, goal = slots[Area.NEUTRAL], slots[end]
    toward = 1 if goal.x > start.x else -1
    x1, x2, y = (start.right if toward > 0 else start.x), (goal.x if toward > 0 else goal.right), box.y + 104
    tip = x2 - toward * 2
    return group(
        text(box.x, box.y + 15, labels.sentence(f"example.{key}"), 14, "b", room=box.w),
        parts,
        _standing(labels, Battleground(id, id, colour, Area.NEUTRAL, before, is_cuba=False), start, "panel ghost-card"),
        _standing(labels, Battleground(id, id, colour, end, after, is_cuba=False), goal, "panel"),
        path(f"M{num(x1)} {num(y)}H{num(tip)}", "line"),
        path(f"M{num(tip - toward * 7)} {num(y - 5)}L{num(tip)} {num(y)}L{num(tip - toward * 7)} {num(y + 5)}", "gone"),
    )


def _standing(labels: Labels, ground: Battleground, box: Box, css: str) -> Markup:
    drawn = cubes(ground, box, wide=True)
    return group(
        rect(box.x, box.y, box.w, box.h, css, 3),
        face(labels, ground, box, wide=True),
        Markup(_ID.sub("", drawn)),
        css="place",
    )
