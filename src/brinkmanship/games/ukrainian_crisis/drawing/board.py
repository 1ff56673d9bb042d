"""The table of Ukrainian Crisis as one SVG picture, drawn from what a side knows.

Everything that can be clicked carries a hook: ``data-place="DON"`` for zones, "reserve" and "mobilisation";
``data-track="GB"`` for countries, ``data-track="military"`` for areas of the card matrix; and, if it is among the
`highlights`, the class ``can`` and a place in the tab order. ``data-tell`` holds the lines of a thing's tooltip.
"""

from __future__ import annotations

from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.svg import NOTHING, join
from brinkmanship.games.ukrainian_crisis.drawing import zone_map
from brinkmanship.games.ukrainian_crisis.drawing.desks import desk
from brinkmanship.games.ukrainian_crisis.drawing.dice_record import Play, dice_record
from brinkmanship.games.ukrainian_crisis.drawing.ghosts import ghosts as draw_ghosts
from brinkmanship.games.ukrainian_crisis.drawing.key import key
from brinkmanship.games.ukrainian_crisis.drawing.labels import labels_for
from brinkmanship.games.ukrainian_crisis.drawing.layout import LAYOUTS
from brinkmanship.games.ukrainian_crisis.drawing.matrix import matrix
from brinkmanship.games.ukrainian_crisis.drawing.position import read
from brinkmanship.games.ukrainian_crisis.drawing.relations import relations
from brinkmanship.games.ukrainian_crisis.drawing.tracks import general
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.state import State
from brinkmanship.text import Words


def board(game: UkrainianCrisis, view: State, side: int, words: Words, request: BoardRequest[Play] = PLAIN) -> str:
    """Return the table as SVG. See `Drawing.board`.

    `request.highlights` may name zones, boxes of units, countries and areas, by their ids.
    """
    labels, position, plan = labels_for(words, game), read(game, view, side), LAYOUTS[request.layout]
    ghosts, can = request.ghosts, frozenset(request.highlights)
    results = (game.data.resources.small, game.data.resources.medium)
    return sheet(
        plan.width,
        plan.height,
        zone_map.patterns(request.ids),
        desk(labels, position, 0, plan, can),
        zone_map.zone_map(labels, position, plan, request.ids, can),
        general(labels, position, request.plays, plan),
        desk(labels, position, 1, plan, can),
        relations(labels, position, plan, can),
        matrix(labels, position, plan, can),
        dice_record(labels, request.plays, plan, results),
        zone_map.legend(labels, plan, request.ids),
        key(labels, plan),
        draw_ghosts(labels, position, read(game, ghosts, side), plan) if ghosts is not None else NOTHING,
        standalone=request.standalone,
        css=f"board {request.layout}",
        role="group",
        label=labels.say("crisis.aria.board", turn=position.turn),
        language=words.language,
    )


def ghost_layer(
    game: UkrainianCrisis, before: State, after: State, side: int, words: Words, layout: LayoutName = "wide"
) -> str:
    """Return only the ghosts, an overlay for the board of `before`: the difference between two views of a side."""
    labels = labels_for(words, game)
    return join(draw_ghosts(labels, read(game, before, side), read(game, after, side), LAYOUTS[layout]))
