"""Texts of Salt and Amber: those of the layer; names come from the data file."""

from brinkmanship.games.card_driven.words import CardDrivenTexts


class SaltAndAmberTexts(CardDrivenTexts):
    """Texts of Salt and Amber."""
