"""Computer players. They receive a side's view, never the state, so they know what a person in that seat knows.

`load_player` finds them by name. A player of one game stands in that game's folder here; `PLAYERS` says where.
"""

from __future__ import annotations

from importlib import import_module

from brinkmanship.engine.compile import is_compiled, note_compiled
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.players.player import Candidate, Choice, Player

__all__ = [
    "Candidate",
    "Choice",
    "Player",
    "UnknownPlayerError",
    "are_compiled",
    "compile_players",
    "load_player",
    "players_for",
]

ANY_GAME = ""
ROOM = "players"
"""Where their compiled code is kept."""

PLAYERS = {
    "random": {ANY_GAME: "brinkmanship.players.at_random:RandomPlayer"},
    "greedy": {
        "13-days": "brinkmanship.players.thirteen_days.greedy:GreedyPlayer",
        "13-minutes": "brinkmanship.players.thirteen_minutes.greedy:GreedyPlayer",
        "ukrainian-crisis": "brinkmanship.players.ukrainian_crisis.greedy:GreedyPlayer",
    },
}
"""Where each player's class is, by game, weakest player first; importing one compiles it, so it is done when asked."""


class UnknownPlayerError(BrinkError, ValueError):
    """No player of this game has this name."""


def players_for(game: Game) -> tuple[str, ...]:
    """The names of the players of a game, weakest first."""
    return tuple(name for name, places in PLAYERS.items() if game.id in places or ANY_GAME in places)


def load_player(name: str, game: Game, seed: int | None = None) -> Player:
    """A player of a game by its name; `seed` is that of its own random numbers (None: from the operating system).

    Raises:
        UnknownPlayerError: no player of this game has this name.
    """
    known = players_for(game)
    if name not in known:
        raise UnknownPlayerError(f"{game.id} has no player {name!r}; its players are: {', '.join(known)}")
    places = PLAYERS[name]
    module, class_name = places.get(game.id, places.get(ANY_GAME, "")).split(":")
    found: type[Player] = getattr(import_module(module), class_name)
    return found(game, seed)


def compile_players(game: Game) -> None:
    """Load every player of a game, so that each is compiled from now on."""
    for name in players_for(game):
        load_player(name, game)
    note_compiled(ROOM, game.id)


def are_compiled(game_id: str) -> bool:
    """Whether all players of a game have been compiled on this machine before, so that loading one takes a second."""
    return is_compiled(ROOM, game_id)
