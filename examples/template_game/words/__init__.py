"""Texts of Sealed Bids: those of the catalogues in this folder; names come from the data file."""

from __future__ import annotations

from brinkmanship.text import GameTexts
from template_game.rules.game import SealedBids


class SealedBidsTexts(GameTexts[SealedBids]):
    """Texts of Sealed Bids; override what the game has beyond its catalogues: cards, rules, rulings."""
