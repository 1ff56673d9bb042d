"""Variations on an analysis board, with their game: shared by pages and API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.variations import Advance, Position, Variation, fresh_chance, manual_chance, replay_chance
from brinkmanship.store.boards import Board
from brinkmanship.web.studies.boards import THE_GAME
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.tables.continuation import Source

Chance = Literal["same", "fresh", "hand"]
"""Source of chance on a line: the same as in the game, drawn again, or chosen by the user."""

NOT_KEPT = ""
"""Id of a board that has not been stored yet."""


def nothing_tried(game: Game, table_id: str | None = None, upload_id: str | None = None) -> Board:
    """Return an empty board of a finished game."""
    return Board(NOT_KEPT, "", table_id, upload_id, game.id, "", (), 0, 0.0)


@dataclass(frozen=True)
class BoardSession:
    """A board with its game."""

    source: Source
    board: Board

    @property
    def game(self) -> Game:
        """Ruleset of the game."""
        return self.source.game

    def position(self, number: int, at: int | None = None) -> Position:
        """Return the position of a line after `at` steps; None: at its end.

        Raises:
            NotFoundError: There is no such line, or it is shorter.
        """
        kept = self.board.line(number)
        if kept is None and number != THE_GAME:
            raise NotFoundError("this line no longer exists")
        line = Variation(self.source.seen.length) if kept is None else kept.line
        if at is not None:
            if not 0 <= at <= line.length:
                raise NotFoundError(f"the line has {line.length} steps")
            line = line.until(at)
        try:
            return Position(self.source.seen, line)
        except IllegalActionError as error:
            raise NotFoundError("the game has continued differently since", key="branches.refused.gone") from error

    def after(self, number: int, at: int, chance: Chance, chosen: Callable[[Position], int | None]) -> Position:
        """Return the position after one more step.

        Args:
            number: Number of the line.
            at: Number of steps before the position on it.
            chance: Source of chance for this step.
            chosen: Returns the choice of the side to move, or the outcome of chance; None to let chance decide.

        Raises:
            IllegalError: There is no such choice, or the chance of the game is not known.
        """
        here, advance = self.position(number, at), self._advance(chance)
        outcomes = {one.action for one in here.outcomes()}
        action = chosen(here)
        if action is None and outcomes:
            return here.deal(fresh_chance if chance == "hand" else advance)
        if action is None or (outcomes and action not in outcomes):
            raise IllegalError("there is no such choice here", key="refused.no_choice")
        return here.act(action, advance)

    def _advance(self, chance: Chance) -> Advance:
        if chance == "hand":
            return manual_chance
        if chance == "fresh":
            return fresh_chance
        if self.source.key is None:
            raise IllegalError("the chance of that game is not known", key="play_on.refused.chance")
        return replay_chance(self.source.key)

    def ends(self) -> list[Position]:
        """Return the final positions of the lines."""
        return [self.position(one.number) for one in self.board.lines]

    def of_interest(self, lines: Sequence[Position], here: Position | None = None) -> int:
        """Return the side whose chances are shown.

        It is the side to move where the first line leaves the game; if there is no line, the side to move at `here`.
        """
        first = min((one.line.base for one in lines), default=None)
        position = here if first is None else Position(self.source.seen, Variation(first))
        return (position.side if position else None) or 0

    def beside(self, lines: Sequence[Position]) -> Position | None:
        """Return the game's next decision after it departs from the last line, for comparison with it."""
        if not lines:
            return None
        seen = self.source.seen
        entries = range(lines[-1].line.base + 1, seen.length + 1)
        at = next((at for at in entries if self.game.to_move(seen.view(at)) and not self._is_half(at)), seen.length)
        return Position(seen, Variation(at))

    def _is_half(self, at: int) -> bool:
        """Return True if exactly one side has chosen there, in a simultaneous secret choice of both."""
        seen = self.source.seen
        return seen.entry(at).together and len(self.game.to_move(seen.view(at - 1))) > 1
