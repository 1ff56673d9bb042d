"""A table as one viewer sees it now: what the parts of its page are built from, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from brinkmanship.drawing import LayoutName, drawing_of
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.text import Words
from brinkmanship.web.pages.table.viewer import Viewer
from brinkmanship.web.presentation.choice_groups import Group, choices_of
from brinkmanship.web.presentation.log_view import LogView
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.tables.live_table import LiveTable


@dataclass(frozen=True)
class TableContext:
    """A table as one viewer sees it now, and the texts that describe it."""

    table: LiveTable
    viewer: Viewer
    layout: LayoutName
    """Layout of the board."""
    words: Words
    """Texts of the ruleset."""
    own: Words
    """Texts of the pages."""
    seen: Perspective
    view: State
    prompt: Message
    """Question of the game."""
    log_view: LogView
    decisions: list[Decision]
    """Legal decisions; empty for a viewer who may not act."""
    groups: list[Group]
    """The same as choices on the page."""

    @property
    def game(self) -> Game:
        """Ruleset of the table."""
        return self.table.game

    @property
    def side(self) -> int:
        """A side, or `OBSERVER`."""
        return self.viewer.side


def context_of(
    table: LiveTable, viewer: Viewer, language: str, layout: LayoutName, *, warns: bool = True
) -> TableContext:
    """Return the table as a viewer sees it now; see `table_model`."""
    game, side, seen = table.game, viewer.side, table.seen_by(viewer.side)
    words, own, view = game_words(game, language), page_words(language), seen.view()
    log_view = log_view_of(table, side, words)
    decisions = table.decisions(side) if viewer.is_player else []
    groups = choices_of(game, view, side, decisions, words, own, log_view.slots.now, warns=warns) if decisions else []
    prompt = game.narrator.prompt(view, side)
    return TableContext(table, viewer, layout, words, own, seen, view, prompt, log_view, decisions, groups)


_log_views: WeakKeyDictionary[LiveTable, dict[tuple[int, str], LogView]] = WeakKeyDictionary()


def log_view_of(table: LiveTable, viewer: int, words: Words) -> LogView:
    """Return the up-to-date log of a table for a viewer."""
    log_views = _log_views.setdefault(table, {})
    key = (viewer, words.language)
    if key not in log_views:
        log_views[key] = LogView(drawing_of(table.game), words, f"/t/{table.id}/card/")
    log_view = log_views[key]
    log_view.follow(table.seen_by(viewer))
    return log_view
