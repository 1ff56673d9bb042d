"""The pictures of Ukrainian Crisis: the table, its ghosts, cards, and the course of a game."""

from brinkmanship.draw.bare import agenda, coast_file
from brinkmanship.draw.ukrainian_crisis.battle import sketch
from brinkmanship.draw.ukrainian_crisis.board import board, ghost_layer
from brinkmanship.draw.ukrainian_crisis.cards import back, card
from brinkmanship.draw.ukrainian_crisis.course import course
from brinkmanship.draw.ukrainian_crisis.illustrations import illustration
from brinkmanship.draw.ukrainian_crisis.overview import overview
from brinkmanship.draw.ukrainian_crisis.pictogram import explain, pictogram
from brinkmanship.draw.ukrainian_crisis.record import Play, play_of

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
