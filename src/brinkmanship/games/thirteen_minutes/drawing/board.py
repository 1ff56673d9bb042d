"""The table of 13 Minutes as one SVG picture, seen from above, drawn from what a side knows.

Everything that can be clicked carries a hook: ``data-place="cuba"``, ``data-area="neutral"``, ``data-play="3"``
(turns, from 0), and, if it is among the `highlights`, the class ``can`` and a place in the tab order. Things that
move have stable ids: ``place-scramble`` for a card on the table, ``cube-us-scramble-3``, ``cube-us-supply-7``.
"""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.svg import NOTHING, join
from brinkmanship.games.thirteen_minutes.drawing import ghosts as ghost
from brinkmanship.games.thirteen_minutes.drawing.areas import area
from brinkmanship.games.thirteen_minutes.drawing.battleground import battleground
from brinkmanship.games.thirteen_minutes.drawing.clock import Play, clock
from brinkmanship.games.thirteen_minutes.drawing.desks import desk
from brinkmanship.games.thirteen_minutes.drawing.labels import labels_for
from brinkmanship.games.thirteen_minutes.drawing.layout import layout_of
from brinkmanship.games.thirteen_minutes.drawing.position import read
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import State
from brinkmanship.text import Words


def board(game: ThirteenMinutes, view: State, side: int, words: Words, request: BoardRequest[Play] = PLAIN) -> str:
    """Return the table as SVG. See `Drawing.board`.

    `request.highlights` may name battlegrounds by their ids, and areas ("area:us").
    """
    labels = labels_for(words, game.data)
    position = read(game, view, side)
    plan = layout_of(request.layout, position)
    ghosts, can = request.ghosts, frozenset(request.highlights)
    areas = [
        area(labels, position, number, plan, request.ids, can=f"area:{found.id}" in can)
        for number, found in enumerate(game.data.area)
    ]
    return sheet(
        plan.width,
        plan.height,
        icons.patterns(request.ids),
        desk(labels, position, 0, plan),
        clock(labels, position, request.plays, plan),
        desk(labels, position, 1, plan),
        areas,
        [battleground(labels, position, ground, plan, can=ground.id in can) for ground in position.grounds],
        ghost.ghosts(labels, position, read(game, ghosts, side), plan) if ghosts is not None else NOTHING,
        standalone=request.standalone,
        css=f"board {request.layout}",
        role="group",
        label=labels.say("aria.table", turn=position.turn),
        language=words.language,
    )


def ghost_layer(
    game: ThirteenMinutes, before: State, after: State, side: int, words: Words, layout: LayoutName = "wide"
) -> str:
    """Return only the ghosts, an overlay for the board of `before`: the difference between two views of a side."""
    position = read(game, before, side)
    plan = layout_of(layout, position)
    return join(ghost.ghosts(labels_for(words, game.data), position, read(game, after, side), plan))
