"""Computer players as people choose them: numbered levels, or plain players for games without levels."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.players import levels_for, players_for, usual_opponent
from brinkmanship.text import Words
from brinkmanship.web.presentation.page_words import computer_name


class Opponent(NamedTuple):
    """A computer player of a game, for the form."""

    player: str
    name: str
    """Its name, with its number if it is a level: "1 · Trainee"."""
    line: str
    """Short description, "" if there is none."""
    is_usual: bool
    """True for the one that suits a first game."""


def opponents_of(game: Game, own: Words) -> list[Opponent]:
    """Return the levels of a game, the weakest first; for a game without levels its players, the strongest first."""
    players = levels_for(game) or tuple(reversed(players_for(game)))
    return [
        Opponent(
            player,
            opponent_name(game, player, own),
            own.sentence_if_any(Message(f"{player}.{game.id}")),
            player == usual_opponent(game),
        )
        for player in players
    ]


def opponent_name(game: Game, player: str, own: Words) -> str:
    """Return the name of a computer player, with its number if it is a level."""
    name, levels = computer_name(player, own), levels_for(game)
    return f"{levels.index(player) + 1} · {name}" if player in levels else name
