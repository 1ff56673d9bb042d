"""View model of the table page for one viewer, built from the viewer's view; each part of the page has its module."""

from __future__ import annotations

from dataclasses import dataclass

from brinkmanship.drawing import LayoutName
from brinkmanship.web.pages.shared.board_text import TextMode
from brinkmanship.web.pages.table.agreements import Agreements, agreements_of
from brinkmanship.web.pages.table.board_panel import BoardPanel, board_panel_of
from brinkmanship.web.pages.table.dock import Dock, dock_of
from brinkmanship.web.pages.table.ending import Ending, ending_of
from brinkmanship.web.pages.table.header import Header, header_of
from brinkmanship.web.pages.table.log_panel import LogPanel, log_panel_of
from brinkmanship.web.pages.table.question import QuestionView, question_of
from brinkmanship.web.pages.table.table_context import context_of
from brinkmanship.web.pages.table.viewer import Viewer
from brinkmanship.web.presentation.page_words import title_of
from brinkmanship.web.support import time_control
from brinkmanship.web.tables.live_table import LiveTable


@dataclass(frozen=True)
class TableModel:
    """The contents of the *state* fragment for one viewer; templates read its attributes."""

    id: str
    game_id: str
    title: str
    """Title of the game."""
    commitment: str
    """Commitment to the server's secret for the deals."""
    has_dice: bool
    viewer: Viewer
    version: int
    seating: str
    """See `LiveTable.seating`."""
    status: str
    now: float
    """Server time in seconds since 1970."""
    layout: LayoutName
    header: Header
    board: BoardPanel
    question: QuestionView
    dock: Dock
    log: LogPanel
    agreements: Agreements
    ending: Ending


def table_model(
    table: LiveTable,
    viewer: Viewer,
    language: str,
    layout: LayoutName,
    server: str,
    *,
    warns: bool = True,
    text_mode: TextMode = "off",
) -> TableModel:
    """Return the current table for a viewer.

    Args:
        table: the table.
        viewer: the viewer.
        language: the language of all texts.
        layout: the layout of the board.
        server: the server's public address without a trailing slash.
        warns: False for a user who wants no warnings of choices that lose.
        text_mode: how the user wants the board in words.
    """
    at = context_of(table, viewer, language, layout, warns=warns)
    question, now = question_of(at), time_control.now()
    return TableModel(
        id=table.id,
        game_id=table.game.id,
        title=title_of(table.game, at.own),
        commitment=table.commitment,
        has_dice=table.game.narrator.has_dice,
        viewer=viewer,
        version=table.version(viewer.side),
        seating=table.seating,
        status=table.status,
        now=now,
        layout=layout,
        header=header_of(at, now, server),
        board=board_panel_of(at, text_mode),
        question=question,
        dock=dock_of(at, question),
        log=log_panel_of(at),
        agreements=agreements_of(at),
        ending=ending_of(at),
    )
