"""The board of Salt and Amber: the one of the layer, from the places of the data file."""

from brinkmanship.games.card_driven.drawing import CardDrivenDrawing


class SaltAndAmberDrawing(CardDrivenDrawing):
    """The drawing of Salt and Amber."""
