"""Find the terminal table of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import implementation, kit_for
from brinkmanship.terminal.default import BareTable
from brinkmanship.terminal.protocol import Asking, Table
from brinkmanship.text import Words


def table_for(game: Game, words: Words) -> Table:
    """Return the terminal table of a game in one language."""
    make = implementation(kit_for(game), "terminal", Asking) or BareTable
    return cast("Callable[[Game, Words], Table]", make)(game, words)
