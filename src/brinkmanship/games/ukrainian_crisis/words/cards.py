"""What the Event Cards do, in words."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.text.words import Words


def event_text(game: UkrainianCrisis, event: str, words: Words) -> str:
    """What an Event Card does; without dice (10.2) with what takes the place of its roll."""
    return words.sentence(Message(f"event.text.{event}"), "no_dice" if game.options["no_randomness"] else "")
