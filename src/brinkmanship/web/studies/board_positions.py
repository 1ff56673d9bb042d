"""Lines that are tried on a board of analysis, with the game that they are of: for people and for programs alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.variations import Advance, Line, Position, fresh_chance, manual_chance, replay_chance
from brinkmanship.store.boards import Board
from brinkmanship.web.studies.boards import THE_GAME
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.tables.continuation import Source

Chance = Literal["same", "fresh", "hand"]
"""What chance does on a line: as in the game, drawn anew, or what one says."""

NOT_KEPT = ""
"""The id of a board that nobody has played on yet."""


def nothing_tried(game: Game, table_id: str | None = None, upload_id: str | None = None) -> Board:
    """The board of a finished game on which nothing was tried yet."""
    return Board(NOT_KEPT, "", table_id, upload_id, game.id, "", (), 0, 0.0)


@dataclass(frozen=True)
class BoardSession:
    """A board with the game that it is about."""

    source: Source
    board: Board

    @property
    def game(self) -> Game:
        """The ruleset."""
        return self.source.game

    def position(self, number: int, at: int | None = None) -> Position:
        """The position of a line, None: its end.

        Raises:
            NotFoundError: there is no such line, or it is not as long.
        """
        kept = self.board.line(number)
        if kept is None and number != THE_GAME:
            raise NotFoundError("this line is gone")
        line = Line(self.source.seen.length) if kept is None else kept.line
        if at is not None:
            if not 0 <= at <= line.length:
                raise NotFoundError(f"the line has {line.length} steps")
            line = line.until(at)
        try:
            return Position(self.source.seen, line)
        except IllegalActionError as error:
            raise NotFoundError("the game has gone on in another way", said="branches.refused.gone") from error

    def after(self, number: int, at: int, chance: Chance, chosen: Callable[[Position], int | None]) -> Position:
        """The position after one more step.

        Args:
            number: of the line.
            at: the position on it.
            chance: what it does then.
            chosen: what the side does that is asked, or what chance is to do there; None: chance acts by itself.

        Raises:
            IllegalError: there is no such choice, or what decided chance in the game is not known.
        """
        here, advance = self.position(number, at), self._advance(chance)
        outcomes = {one.action for one in here.outcomes()}
        action = chosen(here)
        if action is None and outcomes:
            return here.deal(fresh_chance if chance == "hand" else advance)
        if action is None or (outcomes and action not in outcomes):
            raise IllegalError("there is no such choice here", said="refused.no_choice")
        return here.act(action, advance)

    def _advance(self, chance: Chance) -> Advance:
        if chance == "hand":
            return manual_chance
        if chance == "fresh":
            return fresh_chance
        if self.source.key is None:
            raise IllegalError("what decided chance in that game is not known", said="play_on.refused.chance")
        return replay_chance(self.source.key)

    def ends(self) -> list[Position]:
        """Where the lines end."""
        return [self.position(one.number) for one in self.board.lines]

    def of_interest(self, lines: Sequence[Position], here: Position | None = None) -> int:
        """The side whose chances are told: that which is asked where the first line leaves the game; where there is no
        line, that which is asked here."""
        first = min((one.line.base for one in lines), default=None)
        asked = here if first is None else Position(self.source.seen, Line(first))
        return (asked.side if asked else None) or 0

    def beside(self, lines: Sequence[Position]) -> Position | None:
        """The game where it stands after it went another way than the last line: at its next question."""
        if not lines:
            return None
        seen = self.source.seen
        entries = range(lines[-1].line.base + 1, seen.length + 1)
        at = next((at for at in entries if self.game.asked(seen.view(at)) and not self._is_half(at)), seen.length)
        return Position(seen, Line(at))

    def _is_half(self, at: int) -> bool:
        """Whether one side has answered there, of two that are asked in secret."""
        seen = self.source.seen
        return seen.entry(at).together and len(self.game.asked(seen.view(at - 1))) > 1
