"""Texts of the Event Cards."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.text.words import Words


def event_text(game: UkrainianCrisis, event: str, words: Words) -> str:
    """Return the effect of an Event Card; without dice (10.2) with the replacement of its roll."""
    return words.sentence(Message(f"event.text.{event}"), "no_dice" if game.options["no_randomness"] else "")
