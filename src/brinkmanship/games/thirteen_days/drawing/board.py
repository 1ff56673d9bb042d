"""The board of 13 Days as one picture, drawn from the knowledge of a side.

Everything clickable has an attribute: ``data-place="berlin"``, ``data-track="military"``, ``data-letter``,
``data-pile="discard"``, ``data-play="5"`` (half-days, from 0); those among the `highlights` also have the class ``can``
and a place in the tab order. Moving things have stable ids: ``cube-us-berlin-3``, ``cube-us-supply-7``,
``marker-ussr-political``, ``marker-prestige``, ``marker-letter``.
"""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.svg import NOTHING, join
from brinkmanship.games.thirteen_days.drawing import ghosts as ghost
from brinkmanship.games.thirteen_days.drawing.atlas import atlas
from brinkmanship.games.thirteen_days.drawing.battleground import battleground
from brinkmanship.games.thirteen_days.drawing.calendar import Play, calendar
from brinkmanship.games.thirteen_days.drawing.desks import desk
from brinkmanship.games.thirteen_days.drawing.labels import labels_for
from brinkmanship.games.thirteen_days.drawing.layout import layout_of
from brinkmanship.games.thirteen_days.drawing.opinion import opinion
from brinkmanship.games.thirteen_days.drawing.piles import piles
from brinkmanship.games.thirteen_days.drawing.position import read
from brinkmanship.games.thirteen_days.drawing.prestige import prestige, tag_rows
from brinkmanship.games.thirteen_days.drawing.thermometers import thermometers
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import State
from brinkmanship.text import Words


def board(game: ThirteenDays, view: State, side: int, words: Words, request: BoardRequest[Play] = PLAIN) -> str:
    """Return the board as SVG. See `Drawing.board`.

    `request.highlights` may name battlegrounds and tracks by their ids, "letter", "deck", "discard" and "aftermath".
    """
    labels = labels_for(words, game.data)
    position = read(game, view, side)
    plan = layout_of(request.layout, tag_rows(labels, position, request.layout))
    ghosts, can = request.ghosts, frozenset(request.highlights)
    return sheet(
        plan.width,
        plan.height,
        icons.patterns(request.ids),
        calendar(labels, position, request.plays, plan),
        [desk(labels, position, owner, plan, can="letter" in can) for owner in range(2)],
        prestige(labels, position, plan),
        opinion(labels, plan),
        atlas(labels, position, plan, request.coast),
        [battleground(labels, position, place, plan, can=place in can) for place in BATTLEGROUNDS],
        thermometers(labels, position, plan, request.ids, can),
        piles(labels, position, plan, can),
        ghost.ghosts(labels, position, read(game, ghosts, side), plan) if ghosts is not None else NOTHING,
        standalone=request.standalone,
        css=f"board {request.layout}",
        role="group",
        label=labels.say("aria.board", round=position.round_number),
        language=words.language,
    )


def ghost_layer(
    game: ThirteenDays, before: State, after: State, side: int, words: Words, layout: LayoutName = "wide"
) -> str:
    """Return only the ghosts, to overlay on the board of `before`: the difference between two views of a side."""
    labels = labels_for(words, game.data)
    position = read(game, before, side)
    plan = layout_of(layout, tag_rows(labels, position, layout))
    return join(ghost.ghosts(labels, position, read(game, after, side), plan))
