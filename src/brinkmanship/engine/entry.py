"""Entries of a match: an action that was taken, and the same as one viewer knows it."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.record import State


class Entry(NamedTuple):
    """One action that was taken."""

    actor: int
    """The side, or CHANCE for chance and for the steps of the rules."""
    action: int
    text: str
    audience: int
    """Bits of those who may know the action, the observer last."""
    by_rules: bool
    """True for a step the rules take themselves: nothing was drawn or rolled."""
    together: bool
    """True if several sides chose at once and in secret; their order has no meaning."""

    def is_known_to(self, side: int) -> bool:
        """Return True if a side (or OBSERVER) may know the action."""
        return bool(self.audience >> side & 1)


class ViewedEntry(NamedTuple):
    """An entry with the viewer's views before and after it."""

    number: int
    """Number of the entry, from 1."""
    entry: Entry
    before: State
    after: State
