"""What happened in October 1962, for the cards that tell of it: the catalogue ``history``, by the id of a card.

Cards of different games with the same id are about the same thing and share their text.
"""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.text.words import MissingTextError, Words

DOMAIN = "history"


def history_of(card_id: str, language: str) -> str:
    """Two or three sentences about what is behind a card; "" where nothing is written about it."""
    try:
        return Words(language, (DOMAIN,)).sentence(Message(f"history.{card_id}"))
    except MissingTextError:
        return ""
