"""Crisis diaries: the progress of a user, and the tables of the stages.

A diary is derived from its tables: a stage opens when the one before is won; a stage that was not won can be repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import ending_of
from brinkmanship.games.registry import kits
from brinkmanship.players import levels_for
from brinkmanship.store import solo
from brinkmanship.store.solo import Attempt
from brinkmanship.store.writer import NoRowUpdatedError, Statement, Writer
from brinkmanship.text.diary import Stage, diary_of
from brinkmanship.web.solo.stages import has_diary, options
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.tables.origins import Occasion
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating, TableSettings
from brinkmanship.web.tables.statuses import FINISHED

State = Literal["locked", "open", "running", "lost", "won"]
SIDES = (0, 1)


class StageState(NamedTuple):
    """A stage of a user's diary."""

    number: int
    """Number of the stage, from 0."""
    stage: Stage
    level: str
    state: State
    """"open": it can be begun; "lost": its last attempt was not won, and it can be repeated."""
    last: Attempt | None


class Diary(NamedTuple):
    """A user's diary for one side of a game."""

    game: Game
    side: int
    stages: list[StageState]

    @property
    def won(self) -> int:
        """Number of stages won."""
        return sum(each.state == "won" for each in self.stages)

    @property
    def is_complete(self) -> bool:
        """True if all stages are won."""
        return self.won == len(self.stages)

    @property
    def current(self) -> StageState | None:
        """The stage to play now; None if all are won."""
        return next((each for each in self.stages if each.state != "won"), None)


class SoloService:
    """Service for crisis diaries.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tables: Registry of the tables in memory.
        seating: Seating service.
    """

    def __init__(self, engine: Engine, writer: Writer, tables: TableRegistry, seating: Seating) -> None:
        self._engine = engine
        self._writer = writer
        self._tables = tables
        self._seating = seating

    def games(self) -> list[Game]:
        """Return the games that have a diary."""
        return [game for game_id in kits() if has_diary(game := self._tables.rulesets.get(game_id, {}))]

    async def diaries(self, person_id: str | None) -> list[Diary]:
        """Return the diaries of a user for all games and sides; those of a stranger are empty."""
        found = await self._attempts(person_id)
        return [_diary(game, side, found) for game in self.games() for side in SIDES]

    async def diary(self, game_id: str, side: int, person_id: str | None) -> Diary:
        """Return a user's diary.

        Raises:
            NotFoundError: The game has no diary.
        """
        game = next((each for each in self.games() if each.id == game_id), None)
        if game is None:
            raise NotFoundError(f"there is no crisis diary of {game_id}", key="solo.refused.game")
        return _diary(game, side, await self._attempts(person_id))

    async def _attempts(self, person_id: str | None) -> list[Attempt]:
        return await asyncio.to_thread(solo.attempts, self._engine, person_id) if person_id else []

    async def begin(self, game_id: str, side: int, person_id: str, name: str) -> str:
        """Return the table of the current stage; it begins, or begins again, unless it is being played.

        Raises:
            NotFoundError: The game has no diary.
            IllegalError: All stages are won.
            TooManyError: The user, or the address of the request, has too many tables.
        """
        diary = await self.diary(game_id, side, person_id)
        now = diary.current
        if now is None:
            raise IllegalError("all stages of this diary are won", key="solo.refused.complete")
        if now.state == "running" and now.last is not None:
            return now.last.table_id
        table_id = new_id()
        seats = ["me" if seat == side else f"computer:{now.level}" for seat in SIDES]
        rows: tuple[Statement, ...]
        if now.last is None:
            rows = (solo.first_attempt(person_id, game_id, side, now.number, table_id),)
        else:
            rows = solo.next_attempt(person_id, now.last, table_id)
        try:
            plan = TableSettings(game_id, seats, options(diary.game, side, now.number))
            table, _ = await self._seating.create(plan, person_id, name, *rows, table_id=table_id)
        except (IntegrityError, NoRowUpdatedError):  # a second click was quicker
            again = (await self.diary(game_id, side, person_id)).current
            if again is None or again.last is None:
                raise
            return again.last.table_id
        table.occasion = Occasion.of_solo(game_id, side)
        return table.id

    async def remove(self, game_id: str, side: int, person_id: str) -> None:
        """Remove a user's diary, so that it starts at the first stage; its games stay.

        Raises:
            NotFoundError: The game has no diary.
        """
        await self.diary(game_id, side, person_id)
        await self._writer.write(solo.remove(person_id, game_id, side))


def _diary(game: Game, side: int, found: Sequence[Attempt]) -> Diary:
    own = {each.stage: each for each in found if (each.game, each.side) == (game.id, side)}
    stages: list[StageState] = []
    for number, (stage, level) in enumerate(zip(diary_of(game).stages, levels_for(game), strict=False)):
        is_open = not stages or stages[-1].state == "won"
        stages.append(StageState(number, stage, level, _state(game, side, own.get(number), is_open), own.get(number)))
    return Diary(game, side, stages)


def _state(game: Game, side: int, last: Attempt | None, is_open: bool) -> State:
    if not is_open:
        return "locked"
    if last is None:
        return "open"
    if last.status != FINISHED:
        return "running"
    return "won" if ending_of(game, last.result).winner == side else "lost"
