"""The pictures of 13 Minutes: the table, its ghosts, cards, and the course of a game."""

from brinkmanship.draw.memo import back
from brinkmanship.draw.thirteen_minutes.board import board, ghost_layer
from brinkmanship.draw.thirteen_minutes.cards import card
from brinkmanship.draw.thirteen_minutes.clock import Play, play_of
from brinkmanship.draw.thirteen_minutes.course import course
from brinkmanship.draw.thirteen_minutes.illustrations import illustration

__all__ = ["Play", "back", "board", "card", "course", "ghost_layer", "illustration", "play_of"]
