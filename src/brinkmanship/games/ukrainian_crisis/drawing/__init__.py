"""The pictures of Ukrainian Crisis: the table, its ghosts, cards, and the course of a game."""

from brinkmanship.drawing.default import agenda, coast_file
from brinkmanship.games.ukrainian_crisis.drawing.battle import sketch
from brinkmanship.games.ukrainian_crisis.drawing.board import board, ghost_layer
from brinkmanship.games.ukrainian_crisis.drawing.cards import back, card
from brinkmanship.games.ukrainian_crisis.drawing.course import course
from brinkmanship.games.ukrainian_crisis.drawing.illustrations import illustration
from brinkmanship.games.ukrainian_crisis.drawing.overview import overview
from brinkmanship.games.ukrainian_crisis.drawing.pictogram import explain, pictogram
from brinkmanship.games.ukrainian_crisis.drawing.record import Play, play_of

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
