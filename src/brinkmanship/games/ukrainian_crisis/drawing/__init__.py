"""Drawings of Ukrainian Crisis: the table, its ghosts, the cards and the course of a game."""

from brinkmanship.drawing import Drawing
from brinkmanship.games.ukrainian_crisis.drawing.battle import sketch
from brinkmanship.games.ukrainian_crisis.drawing.board import board, ghost_layer
from brinkmanship.games.ukrainian_crisis.drawing.board_text import board_text
from brinkmanship.games.ukrainian_crisis.drawing.cards import card
from brinkmanship.games.ukrainian_crisis.drawing.changes import changes, standing
from brinkmanship.games.ukrainian_crisis.drawing.course import course
from brinkmanship.games.ukrainian_crisis.drawing.deciding import deciding
from brinkmanship.games.ukrainian_crisis.drawing.dice_record import Play, play_of
from brinkmanship.games.ukrainian_crisis.drawing.illustrations import illustration
from brinkmanship.games.ukrainian_crisis.drawing.overview import overview
from brinkmanship.games.ukrainian_crisis.drawing.pictogram import explain, pictogram
from brinkmanship.games.ukrainian_crisis.drawing.printed import counters, deck, score_sheet
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis

__all__ = ["UkrainianCrisisDrawing"]


class UkrainianCrisisDrawing(Drawing[UkrainianCrisis, Play]):
    """Drawing of Ukrainian Crisis; each picture is a function in its own module."""

    board = staticmethod(board)
    ghost_layer = staticmethod(ghost_layer)
    overview = staticmethod(overview)
    board_text = staticmethod(board_text)
    changes = staticmethod(changes)
    standing = staticmethod(standing)
    card = staticmethod(card)
    deck = staticmethod(deck)
    counters = staticmethod(counters)
    score_sheet = staticmethod(score_sheet)
    pictogram = staticmethod(pictogram)
    explain = staticmethod(explain)
    play_of = staticmethod(play_of)
    course = staticmethod(course)
    deciding = staticmethod(deciding)
    illustration = staticmethod(illustration)
    sketch = staticmethod(sketch)
