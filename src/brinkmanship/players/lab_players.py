"""Players of the lab by name: those of a game, programs, trained weights, best responses and earlier versions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from brinkmanship.engine.game import Game
from brinkmanship.players import load_player, with_blunder_check
from brinkmanship.players.budget import Budget
from brinkmanship.players.earlier_version import load_earlier_version
from brinkmanship.players.learned.player import LEARNED, LearnedPlayer
from brinkmanship.players.player import Player
from brinkmanship.players.program import ProgramPlayer
from brinkmanship.players.response import load_response

COMMAND = "cmd:"
"""Prefix of the name of a player that is a program: ``cmd:./my-player --depth 3``."""
CHECKED = "checked:"
"""Prefix of the name of a player that checks its choices for avoidable wars, as levels do: ``checked:learned:run/``."""
RESPONSE = "response:"
"""Prefix of the name of a local best response to a player: ``response:400n:level:5``."""
COMMIT = "commit:"
"""Prefix of the name of a player of an earlier version: ``commit:837dc6c:level:6``."""


def load_lab_player(name: str, game: Game, seed: int | None = None) -> Player:
    """Load a player by name, as `load_player`, or one of the lab's.

    ``cmd:COMMAND`` is a program, ``learned:FOLDER`` trained weights, ``response:BUDGET:PLAYER`` a local best response,
    ``checked:PLAYER`` a player that checks its choices for avoidable wars, ``commit:COMMIT:PLAYER`` a player of an
    earlier version of this project.
    Only for names from this machine's own command line: a name is a command that is run, or a file that is read.

    Raises:
        LearnedError: The folder has no weights for this game.
        ResponseError: The game has no search for a local best response.
        EarlierVersionError: The earlier version cannot be found.
        UnknownPlayerError: The game has no player of this name.
        BudgetError: The budget in the name is invalid.
        ProgramError: The program cannot be started, or does not know the protocol.
    """
    if name.startswith(LEARNED):
        return LearnedPlayer(game, Path(name.removeprefix(LEARNED)), seed)
    if name.startswith(CHECKED):
        return with_blunder_check(game, partial(load_lab_player, name.removeprefix(CHECKED), game), seed)
    if name.startswith(RESPONSE):
        budget, _, victim = name.removeprefix(RESPONSE).partition(":")
        thinking = Budget.parse(budget)
        return load_response(load_lab_player(victim, game, 0), thinking, seed)
    if name.startswith(COMMIT):
        commit, _, player = name.removeprefix(COMMIT).partition(":")
        return load_earlier_version(game, commit, player, seed)
    if not name.startswith(COMMAND):
        return load_player(name, game, seed)
    return ProgramPlayer(game, name.removeprefix(COMMAND), seed)
