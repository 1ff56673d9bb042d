"""Drawings of 13 Minutes: the table, its ghosts, the cards and the course of a game."""

from brinkmanship.drawing import Drawing
from brinkmanship.games.thirteen_minutes.drawing.board import board, ghost_layer
from brinkmanship.games.thirteen_minutes.drawing.board_text import board_text
from brinkmanship.games.thirteen_minutes.drawing.cards import card
from brinkmanship.games.thirteen_minutes.drawing.changes import changes, standing
from brinkmanship.games.thirteen_minutes.drawing.clock import Play, play_of
from brinkmanship.games.thirteen_minutes.drawing.course import course
from brinkmanship.games.thirteen_minutes.drawing.deciding import deciding
from brinkmanship.games.thirteen_minutes.drawing.illustrations import illustration
from brinkmanship.games.thirteen_minutes.drawing.overview import overview
from brinkmanship.games.thirteen_minutes.drawing.pictogram import explain, pictogram
from brinkmanship.games.thirteen_minutes.drawing.printed import counters, score_sheet
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes

__all__ = ["ThirteenMinutesDrawing"]


class ThirteenMinutesDrawing(Drawing[ThirteenMinutes, Play]):
    """Drawing of 13 Minutes; each picture is a function in its own module."""

    board = staticmethod(board)
    ghost_layer = staticmethod(ghost_layer)
    overview = staticmethod(overview)
    board_text = staticmethod(board_text)
    changes = staticmethod(changes)
    standing = staticmethod(standing)
    card = staticmethod(card)
    counters = staticmethod(counters)
    score_sheet = staticmethod(score_sheet)
    pictogram = staticmethod(pictogram)
    explain = staticmethod(explain)
    play_of = staticmethod(play_of)
    course = staticmethod(course)
    deciding = staticmethod(deciding)
    illustration = staticmethod(illustration)
