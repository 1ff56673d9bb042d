"""Why a computer player did something, as a journal from anywhere may say it."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.text.hints import why_text
from brinkmanship.text.words import MissingTextError, Words


def reason_text(said: Message, words: Words) -> str:
    """A reason as a sentence; "" where there is no text for it."""
    try:
        return why_text(said, words)
    except (MissingTextError, TypeError, ValueError):
        return ""
