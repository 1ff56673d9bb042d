"""The reasons of computer players as text; the journal they come from may be from anywhere."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.text.hints import why_text
from brinkmanship.text.words import MissingTextError, Words


def reason_text(said: Message, words: Words) -> str:
    """Return a reason as a sentence; "" if there is no text for it."""
    try:
        return why_text(said, words)
    except (MissingTextError, TypeError, ValueError):
        return ""
