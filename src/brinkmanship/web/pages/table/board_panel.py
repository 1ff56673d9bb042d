"""The board of a table page, as a picture and in words, with what has just changed on it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from markupsafe import Markup

from brinkmanship.drawing import dice, drawing_of
from brinkmanship.drawing.overview import Overview
from brinkmanship.engine.message import Message
from brinkmanship.web.pages.shared.board_text import BoardText, TextMode, board_text
from brinkmanship.web.pages.shared.pictures import board, changed_between, marked, overview
from brinkmanship.web.pages.table.table_context import TableContext
from brinkmanship.web.presentation.choice_groups import Group
from brinkmanship.web.presentation.log_view import Throw

_PILES = {"draw_top": "deck"}
"""Pile to highlight for a kind of choice, if its name differs."""


class BoardPanel(NamedTuple):
    """The board of a table for one viewer."""

    picture: Markup
    text: BoardText
    """The board in words."""
    overview: Overview | None
    """The board as lines and lists, for a small screen."""
    sketch: Markup
    """The game's drawing of the current situation beside the board, e.g. a combat."""
    throws: list[tuple[Throw, Markup]]
    """The latest throws of dice, each with its picture."""
    recent: Collection[str]
    """Changes on the board since the viewer's own last decision, by `Row.mark`."""


def board_panel_of(at: TableContext, text_mode: TextMode) -> BoardPanel:
    """Return the board of a table; `text_mode` is how the user wants it in words."""
    game, view, side, words, layout = at.game, at.view, at.side, at.words, at.layout
    plays, highlights = [play for _, play in at.log_view.plays], highlights_of(at.groups)
    recent = _recent(at) if at.viewer.is_player else frozenset()
    drawn = board(game, view, side, words, layout, plays=plays, highlights=highlights)
    return BoardPanel(
        picture=marked(drawn, recent, at.own.sentence(Message("table.recent"))),
        text=board_text(game, view, side, words, text_mode),
        overview=overview(game, view, side, words, layout, plays=plays, highlights=highlights),
        sketch=Markup(drawing_of(game).sketch(game, view, words, layout=layout)),
        throws=[(throw, Markup(dice.row(throw.dice))) for throw in at.log_view.throws],
        recent=recent,
    )


def highlights_of(groups: list[Group]) -> set[str]:
    """Return what the board shows as choosable, as `BoardRequest.highlights` takes it."""
    found = set()
    for group in groups:
        if group.kind in ("place", "track"):
            found.add(group.id)
        found.update(_PILES.get(choice.kind, choice.kind) for choice in group.choices)
        found.update(f"area:{choice.area}" for choice in group.choices if choice.area)
    return found


def _recent(at: TableContext) -> frozenset[str]:
    """Return what has changed on the board since a side's last decision; nothing before its first."""
    own = max((number for number, entry in enumerate(at.log_view.entries, 1) if entry.actor == at.side), default=0)
    return changed_between(at.game, at.seen.view(own), at.view, at.side, at.words) if own else frozenset()
