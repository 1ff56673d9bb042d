"""The pictures of 13 Days: the board, its ghosts, cards, and the course of a game."""

from brinkmanship.drawing import Drawing
from brinkmanship.games.thirteen_days.drawing.atlas import coast_file
from brinkmanship.games.thirteen_days.drawing.board import board, ghost_layer
from brinkmanship.games.thirteen_days.drawing.board_text import board_text
from brinkmanship.games.thirteen_days.drawing.calendar import Play, play_of
from brinkmanship.games.thirteen_days.drawing.cards import agenda, card
from brinkmanship.games.thirteen_days.drawing.changes import changes, standing
from brinkmanship.games.thirteen_days.drawing.course import course
from brinkmanship.games.thirteen_days.drawing.deciding import deciding
from brinkmanship.games.thirteen_days.drawing.illustrations import illustration
from brinkmanship.games.thirteen_days.drawing.overview import overview
from brinkmanship.games.thirteen_days.drawing.pictogram import explain, pictogram
from brinkmanship.games.thirteen_days.drawing.printed import counters, score_sheet
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays

__all__ = ["ThirteenDaysDrawing"]


class ThirteenDaysDrawing(Drawing[ThirteenDays, Play]):
    """Pictures of 13 Days; each is a function of its module."""

    board = staticmethod(board)
    ghost_layer = staticmethod(ghost_layer)
    overview = staticmethod(overview)
    board_text = staticmethod(board_text)
    changes = staticmethod(changes)
    standing = staticmethod(standing)
    card = staticmethod(card)
    agenda = staticmethod(agenda)
    counters = staticmethod(counters)
    score_sheet = staticmethod(score_sheet)
    pictogram = staticmethod(pictogram)
    explain = staticmethod(explain)
    play_of = staticmethod(play_of)
    course = staticmethod(course)
    deciding = staticmethod(deciding)
    illustration = staticmethod(illustration)
    coast_file = staticmethod(coast_file)
