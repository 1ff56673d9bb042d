"""The pictures of 13 Minutes: the table, its ghosts, cards, and the course of a game."""

from brinkmanship.draw.bare import agenda, coast_file, sketch
from brinkmanship.draw.memo import back
from brinkmanship.draw.thirteen_minutes.board import board, ghost_layer
from brinkmanship.draw.thirteen_minutes.cards import card
from brinkmanship.draw.thirteen_minutes.clock import Play, play_of
from brinkmanship.draw.thirteen_minutes.course import course
from brinkmanship.draw.thirteen_minutes.illustrations import illustration
from brinkmanship.draw.thirteen_minutes.overview import overview
from brinkmanship.draw.thirteen_minutes.pictogram import explain, pictogram

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
