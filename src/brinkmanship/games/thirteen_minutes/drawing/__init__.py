"""The pictures of 13 Minutes: the table, its ghosts, cards, and the course of a game."""

from brinkmanship.drawing.card_frame import back
from brinkmanship.drawing.default import agenda, coast_file, sketch
from brinkmanship.games.thirteen_minutes.drawing.board import board, ghost_layer
from brinkmanship.games.thirteen_minutes.drawing.cards import card
from brinkmanship.games.thirteen_minutes.drawing.clock import Play, play_of
from brinkmanship.games.thirteen_minutes.drawing.course import course
from brinkmanship.games.thirteen_minutes.drawing.illustrations import illustration
from brinkmanship.games.thirteen_minutes.drawing.overview import overview
from brinkmanship.games.thirteen_minutes.drawing.pictogram import explain, pictogram

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
