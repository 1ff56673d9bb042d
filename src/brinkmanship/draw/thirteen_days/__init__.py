"""The pictures of 13 Days: the board, its ghosts, cards, and the course of a game."""

from brinkmanship.draw.memo import back
from brinkmanship.draw.thirteen_days.atlas import coast_file
from brinkmanship.draw.thirteen_days.board import board, ghost_layer
from brinkmanship.draw.thirteen_days.calendar import Play, play_of
from brinkmanship.draw.thirteen_days.cards import agenda, card
from brinkmanship.draw.thirteen_days.course import course
from brinkmanship.draw.thirteen_days.illustrations import illustration

__all__ = ["Play", "agenda", "back", "board", "card", "coast_file", "course", "ghost_layer", "illustration", "play_of"]
