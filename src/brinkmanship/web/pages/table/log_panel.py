"""The log of a table page, and the summary of what has happened since the viewer acted."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.web.pages.table.card_text import CardView, card_view_for
from brinkmanship.web.pages.table.table_context import TableContext
from brinkmanship.web.presentation.log_view import HintedDecisions, LogView, LogViewLine
from brinkmanship.web.tables.origins import Origin


class LastCard(NamedTuple):
    """The card played last, face up on the table."""

    side: int | None
    side_name: str
    face: CardView


class LogPanel(NamedTuple):
    """The log of a table for one viewer."""

    origin: Origin | None
    """Position the game began from; None for the initial one."""
    lines: list[LogViewLine]
    line_count: int
    earlier: bool
    """True if there are earlier lines."""
    hinted: HintedDecisions
    """The decisions made after a hint."""
    recap: list[LogViewLine]
    """Lines since the viewer's own last decision."""
    gist: str
    """Events since the last play, or since then, in one line."""
    played: LastCard | None


def log_panel_of(at: TableContext) -> LogPanel:
    """Return the log of a table."""
    log_view = at.log_view
    recap = _recap(log_view, at.side) if at.viewer.is_player else []
    side_names = [at.words.name("side", side) for side in at.game.sides]
    return LogPanel(
        origin=at.table.origin,
        lines=log_view.lines,
        line_count=log_view.count,
        earlier=bool(log_view.lines) and log_view.lines[0].number > 0,
        hinted=HintedDecisions(log_view.entries, at.table.hinted_entries(at.side), side_names),
        recap=recap,
        gist=_gist(log_view, recap),
        played=_played(at, side_names),
    )


def _recap(log_view: LogView, viewer: int) -> list[LogViewLine]:
    first = log_view.since(viewer)
    return [line for line in log_view.lines if line.number >= first]


def _gist(log_view: LogView, recap: list[LogViewLine]) -> str:
    """Return what has happened since the last play, or since the viewer acted if that is later, in one line."""
    starts = [line.number for line in (log_view.last_played, *recap[:1]) if line is not None]
    happened = [line for line in log_view.lines if starts and line.number >= max(starts)]
    return " · ".join(line.shown.striptags() for line in happened)


def _played(at: TableContext, side_names: list[str]) -> LastCard | None:
    """Return the card played last by either side."""
    line = at.log_view.last_played
    if line is None or line.line.card is None:
        return None
    side_name = side_names[line.side] if line.side is not None else ""
    return LastCard(line.side, side_name, card_view_for(at.game, "card", line.line.card, at.words))
