"""The levels of a game: the computer players that people choose from, and which of them suits after a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.cache import is_interpreting
from brinkmanship.engine.journal import ending_of
from brinkmanship.engine.score import ScoreTable


class Levels(NamedTuple):
    """The levels of a game."""

    players: tuple[str, ...]
    """Weakest first, each as `players.load_player` reads it: adjacent ones differ by about as much."""
    interpreted: tuple[str, ...] = ()
    """The same levels as they are while nothing is compiled: each answers within about three seconds. Empty: the same
    players."""
    counted: tuple[str, ...] = ()
    """Of the reasons for which a game ends, those by which its points are counted."""
    far_behind: int = 1000
    """A game is lost badly by so many points of the score."""
    firm: tuple[str, ...] = ()
    """Keys of questions (`Narrator.prompt`), war or peace, that coarse eyes answer as well as sharp ones."""

    @property
    def at_hand(self) -> tuple[str, ...]:
        """The players that stand behind the levels in this process."""
        return (self.interpreted if is_interpreting() else ()) or self.players

    def thinks_less(self, number: int) -> bool:
        """Return True if level `number`, from 0, plays with less than its budget, since nothing is compiled."""
        return self.at_hand[number] != self.players[number]

    def that_suits(self, game: Game, number: int, side: int, result: str, score: Sequence[ScoreTable]) -> int:
        """The level for the next game of somebody who played a side against level `number`, from 0: one up after a
        victory, one down after a game that was lost badly, before its end or by many points; else the same.

        Args:
            game: the ruleset.
            number: of the level that was played against.
            side: that the person played.
            result: as journals write it: "us by prestige".
            score: what the score was made of (`Narrator.score`).
        """
        winner, reason = ending_of(game, result)
        if winner == side:
            number += 1
        elif winner == 1 - side:
            totals = score[0].totals if score else (0, 0)
            is_far = totals[1 - side] - totals[side] >= self.far_behind
            number -= is_far or reason not in self.counted
        return min(max(number, 0), len(self.players) - 1)
