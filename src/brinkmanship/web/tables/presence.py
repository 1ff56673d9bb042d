"""Who has a table open: the streams that wait for its updates, and the sides whose players look at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple


class News(NamedTuple):
    """State that a stream announces to a viewer; it sends an event only when one of these changes."""

    version: int
    """See `LiveTable.version`."""
    seating: str
    """See `LiveTable.seating`."""
    said: int
    """Number of the last chat line."""


class Listener:
    """A stream waiting for updates of a table, for one viewer."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.last_news: News | None = None
        """The update that the stream announced last."""
        self.event = asyncio.Event()


class Presence:
    """Who has a table open in this process, or as other processes report it."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        """Streams waiting for updates."""
        self.looked_at: dict[int, float] = {}
        """Monotonic time (s) at which each side last had the table open."""

    def note_look(self, side: int) -> None:
        """Note that a side has the table open now."""
        self.looked_at[side] = time.monotonic()

    def who_is_here(self, within: float) -> list[int]:
        """Return the sides that have had the table open within `within` seconds, active or not."""
        since = time.monotonic() - within
        return sorted(side for side, at in self.looked_at.items() if at >= since)

    def announce(self, news: Callable[[int], News]) -> None:
        """Wake the listeners whose viewers have an update; even the existence of other updates is information."""
        for listener in self.listeners:
            if news(listener.viewer) != listener.last_news:
                listener.event.set()
