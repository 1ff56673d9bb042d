"""The pictures of 13 Days: the board, its ghosts, cards, and the course of a game."""

from brinkmanship.drawing.card_frame import back
from brinkmanship.drawing.default import sketch
from brinkmanship.games.thirteen_days.drawing.atlas import coast_file
from brinkmanship.games.thirteen_days.drawing.board import board, ghost_layer
from brinkmanship.games.thirteen_days.drawing.calendar import Play, play_of
from brinkmanship.games.thirteen_days.drawing.cards import agenda, card
from brinkmanship.games.thirteen_days.drawing.course import course
from brinkmanship.games.thirteen_days.drawing.illustrations import illustration
from brinkmanship.games.thirteen_days.drawing.overview import overview
from brinkmanship.games.thirteen_days.drawing.pictogram import explain, pictogram

__all__ = [
    "Play",
    "agenda",
    "back",
    "board",
    "card",
    "coast_file",
    "course",
    "explain",
    "ghost_layer",
    "illustration",
    "overview",
    "pictogram",
    "play_of",
    "sketch",
]
