"""The table of 13 Minutes as one picture, seen from above, drawn from what a side knows.

Everything one can click carries a hook: ``data-place="cuba"``, ``data-area="neutral"``, ``data-play="3"`` (turns, from
0); the class ``can`` and a place in the tab order where it is among the `highlights`. Things that move have ids that
stay: ``place-scramble`` for a card on the table, ``cube-us-scramble-3``, ``cube-us-supply-7``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from brinkmanship.drawing import icons
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.style import Theme
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


def board(
    game: ThirteenMinutes,
    view: State,
    side: int,
    words: Words,
    *,
    layout: LayoutName = "wide",
    plays: Sequence[Play] = (),
    highlights: Collection[str] = (),
    ghosts: State | None = None,
    standalone: Theme | None = None,
    ids: str = "",
    coast: str = "",  # noqa: ARG001 - as every board; there is no map here
) -> str:
    """The table as SVG.

    Args:
        game: the ruleset.
        view: the view of `side` (`Game.view_of`), never a state.
        side: 0, 1, or `OBSERVER`: whose view it is.
        words: the language; the names are those it knows.
        layout: "wide" or "narrow".
        plays: the cards played so far, for the marks on the clock.
        highlights: what can be clicked: ids of battlegrounds, "area:us" for an area.
        ghosts: the view after an action, to show what it would change.
        standalone: a theme, for a picture that brings its own style and ground; None for a part of a page that has
            `style.stylesheet`.
        ids: goes before ids of patterns, where one page holds several boards.
        coast: of no use here.
    """
    labels = labels_for(words, game.data)
    position = read(game, view, side)
    plan = layout_of(layout, position)
    can = frozenset(highlights)
    areas = [
        area(labels, position, number, plan, ids, can=f"area:{found.id}" in can)
        for number, found in enumerate(game.data.area)
    ]
    return sheet(
        plan.width,
        plan.height,
        icons.patterns(ids),
        desk(labels, position, 0, plan),
        clock(labels, position, plays, plan),
        desk(labels, position, 1, plan),
        areas,
        [battleground(labels, position, ground, plan, can=ground.id in can) for ground in position.grounds],
        ghost.ghosts(labels, position, read(game, ghosts, side), plan) if ghosts is not None else NOTHING,
        standalone=standalone,
        css=f"board {layout}",
        role="group",
        label=labels.say("aria.table", turn=position.turn),
        language=words.language,
    )


def ghost_layer(
    game: ThirteenMinutes, before: State, after: State, side: int, words: Words, layout: LayoutName = "wide"
) -> str:
    """Only the ghosts, to be laid into the board of `before`: the difference between two views of a side."""
    position = read(game, before, side)
    plan = layout_of(layout, position)
    return join(ghost.ghosts(labels_for(words, game.data), position, read(game, after, side), plan))
