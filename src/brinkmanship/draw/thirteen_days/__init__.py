"""The pictures of 13 Days: the board, its ghosts, cards, and the course of a game."""

from brinkmanship.draw.bare import sketch
from brinkmanship.draw.memo import back
from brinkmanship.draw.thirteen_days.atlas import coast_file
from brinkmanship.draw.thirteen_days.board import board, ghost_layer
from brinkmanship.draw.thirteen_days.calendar import Play, play_of
from brinkmanship.draw.thirteen_days.cards import agenda, card
from brinkmanship.draw.thirteen_days.course import course
from brinkmanship.draw.thirteen_days.illustrations import illustration
from brinkmanship.draw.thirteen_days.overview import overview
from brinkmanship.draw.thirteen_days.pictogram import explain, pictogram

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
