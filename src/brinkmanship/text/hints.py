"""The reasons of computer players and of hints as text."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.text.words import Words

PLAYERS = "players"
"""Catalogue of the reasons."""

BEST = "★"
"""Marks choices that are equal within the error of measurement; not in the catalogues: their fonts lack it."""


def why_text(reason: Message, words: Words) -> str:
    """Return a computer player's reason as text."""
    return words.with_domain(PLAYERS).sentence(reason)
