"""Open hands for spectators, on the page of a table: the state of the agreement, and what a player may change."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request

from brinkmanship.engine.message import Message
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.rendering import public_url
from brinkmanship.web.pages.table.viewer import Viewer
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands import MINUTES, commentator_token
from brinkmanship.web.tables.open_hands_commands import is_shown, open_delays
from brinkmanship.web.tables.statuses import RUNNING


class WatchBox(NamedTuple):
    """Open hands for spectators, on the page of a table."""

    delay: str
    """Name of the agreed delay; "" without one."""
    said: str
    """The delay in words."""
    asked: str
    """Name of the proposed delay; "" without a proposal."""
    asks_me: bool
    is_alone: bool
    """True if no second person has to agree."""
    delays: list[str]
    """Delays that may still be proposed."""
    address: str
    """Address of the page for spectators; "" if they see nothing."""
    commentator: str
    """"": none; "asked", "asks_me" or "invited"."""
    invitation: str
    """Link for the commentator."""


def watch_box(request: Request, who: Person | None, table: LiveTable, viewer: Viewer) -> WatchBox | None:
    """Return the state of open hands at a running table; None where there is nothing to show."""
    view, side, about = table.state.open_view, viewer.side, table.state.commentary
    if table.status != RUNNING or not (is_shown(table) or (viewer.is_player and open_delays(table))):
        return None
    address = f"{public_url(request)}/t/{table.id}/watch" if is_shown(table) else ""
    asked = view.asked if viewer.is_player else None
    token = commentator_token(table.secret, about) if viewer.is_player and about.number and view.delay else ""
    return WatchBox(
        delay=delay_name(table, view.delay) if view.delay else "",
        said=delay_said(request, who, table) if is_shown(table) else "",
        asked=delay_name(table, asked[1]) if asked else "",
        asks_me=asked is not None and asked[0] != side,
        is_alone=table.state.decides_alone(side),
        delays=[delay_name(table, delay) for delay in open_delays(table) if delay != view.delay],
        address=address,
        commentator=_commentator(table, side) if viewer.is_player and view.delay else "none",
        invitation=f"{public_url(request)}/t/{table.id}/commentator/{token}" if token else "",
    )


def _commentator(table: LiveTable, side: int) -> str:
    about = table.state.commentary
    if about.number is not None:
        return "invited"
    return "" if about.asked is None else "asked" if about.asked == side else "asks_me"


def delay_said(request: Request, who: Person | None, table: LiveTable) -> str:
    """Return the delay in words."""
    own = page_words(language_of(request, who))
    if table.state.open_view.delay is None:
        return own.sentence(Message("watch.delay.ended"))
    return own.sentence(Message(f"watch.delay.{delay_name(table, table.state.open_view.delay)}"))


def delay_name(table: LiveTable, delay: int) -> str:
    """Return the name of a delay in message keys: "minutes", "round" or "turn"."""
    return "minutes" if delay == MINUTES else table.game.narrator.span


def delay_called(table: LiveTable, name: str) -> int:
    """Return the delay with a name.

    Raises:
        IllegalError: The game has no such delay.
    """
    for delay in open_delays(table):
        if delay_name(table, delay) == name:
            return delay
    raise IllegalError("this game cannot be shown with that delay", key="watch.refused.delay")
