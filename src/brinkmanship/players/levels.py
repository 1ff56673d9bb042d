"""The levels of a game: the computer players offered to people, and the level to suggest after a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.cache import is_interpreting
from brinkmanship.engine.journal import ending_of
from brinkmanship.engine.record import State
from brinkmanship.engine.score import ScoreTable

BOLD = "bold"
CAUTIOUS = "cautious"
MANNERS = (BOLD, CAUTIOUS)
"""The manners of noisy levels: what they prefer among choices that they value alike."""


class Levels(NamedTuple):
    """The levels of a game."""

    players: tuple[str, ...]
    """Player names for `players.load_player`, weakest first; adjacent ones differ by about the same strength."""
    interpreted: tuple[str, ...] = ()
    """The same levels while nothing is compiled: each chooses within about three seconds. Empty: the same players."""
    counted: tuple[str, ...] = ()
    """The items of `Game.reasons` after which the result is decided by points."""
    far_behind: int = 1000
    """Minimum deficit in points for a heavy loss."""
    without_noise: tuple[int, ...] = ()
    """Nodes of the state, such as war or peace, that noisy levels decide without noise."""
    boldness: Callable[[Any, State, int], float] | None = None
    """``boldness(rules, view, side)`` measures how bold a side has been in its view after a choice; None if the game
    has no manners. Compiled code may call it (`noisy_policy`).
    """

    @property
    def at_hand(self) -> tuple[str, ...]:
        """The players used for the levels in this process."""
        return (self.interpreted if is_interpreting() else ()) or self.players

    def thinks_less(self, number: int) -> bool:
        """Return True if level `number`, from 0, plays with less than its budget because nothing is compiled."""
        return self.at_hand[number] != self.players[number]

    def that_suits(self, game: Game, number: int, side: int, result: str, score: Sequence[ScoreTable]) -> int:
        """Return the level for the user's next game after a game against level `number`, from 0.

        It is one level up after a victory, one down after a heavy loss (before the end of the game or by many points),
        otherwise the same.

        Args:
            game: the ruleset.
            number: number of the level in the last game.
            side: side of the user.
            result: as in journals: "us by prestige".
            score: the parts of the score (`Narrator.score`).
        """
        winner, reason = ending_of(game, result)
        if winner == side:
            number += 1
        elif winner == 1 - side:
            totals = score[0].totals if score else (0, 0)
            is_far = totals[1 - side] - totals[side] >= self.far_behind
            number -= is_far or reason not in self.counted
        return min(max(number, 0), len(self.players) - 1)
