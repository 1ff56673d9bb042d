"""The authority: tables, seats, and everything that may happen at them.

One `TableService` serves one database from one event loop. A table in use is held in memory as a `LiveTable`, rebuilt
from its records when it is first asked for. An action is checked (seat, version, legality), made safe by the writer,
told to the other worker processes (see `channel`), and only then shown and acknowledged.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine import fair, journal
from brinkmanship.engine.errors import BrinkError, MalformedActionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Decision
from brinkmanship.engine.options import OptionValue
from brinkmanship.games import load_game
from brinkmanship.players import load_player, players_for
from brinkmanship.store import repository, schema
from brinkmanship.store.writer import NothingChangedError, Statement, Writer
from brinkmanship.web.channel import Channel, Notice
from brinkmanship.web.clock import Clock
from brinkmanship.web.errors import ForbiddenError, IllegalError, NotFoundError, StaleError
from brinkmanship.web.series import SeriesStory, told
from brinkmanship.web.table import (
    ACCEPT,
    ACTION,
    ASK_BACK,
    DECLINE,
    FINISHED,
    KEEP,
    OFFER,
    RESIGN,
    RUNNING,
    SIDES,
    TAKE_BACK,
    TIMEOUT,
    UNDO,
    WAITING,
    LiveTable,
    Part,
    Record,
    Seat,
    digest,
)

ID_BYTES = 6
MOST_LIVE_TABLES = 5_000
"""Tables held in memory; the one used longest ago goes first. It loses nothing: its records are in the database."""

CLOCK_SECONDS = 0.5
"""How often the clocks are looked at."""

ATTEMPTS = 5
"""How often an action is tried again when another worker process has written at the table meanwhile."""


@dataclass
class Plan:
    """What a new table shall be: for each side "me", "computer:NAME", "friend" (by link), or "open" (anybody)."""

    game: str
    seats: Sequence[str]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    clock: Clock | None = None
    series: bool = False
    """Whether it is the first game of a series, as of a campaign."""


def new_id() -> str:
    """A short public name that nobody can guess."""
    return secrets.token_urlsafe(ID_BYTES).replace("-", "x").replace("_", "y")


_insert_table = insert(schema.tables)
_insert_seat = insert(schema.seats)
_insert_series_game = insert(schema.series_games)
_insert_record = insert(schema.records)
_insert_chat = insert(schema.chats)
_update_table = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table"))
    .values(
        status=bindparam("new_status"),
        result=bindparam("new_result"),
        asked=bindparam("new_asked"),
        finished_at=bindparam("new_finished_at"),
    )
)
_set_rematch = (
    update(schema.tables).where(schema.tables.c.id == bindparam("table")).values(rematch=bindparam("new_rematch"))
)
_take_seat = (
    update(schema.seats)
    .where(schema.seats.c.table_id == bindparam("table"))
    .where(schema.seats.c.side == bindparam("seat"))
    .where(schema.seats.c.person_id.is_(None), schema.seats.c.computer.is_(None))
    .values(person_id=bindparam("person"), name=bindparam("new_name"), invitation=None)
)


class TableService:
    """Everything that may be done at tables; see the module."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        channel: Channel | None = None,
        forget_person: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._channel = channel or Channel(None)
        self._forget_person = forget_person
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._changed_while_loading: set[str] = set()
        self._games: dict[tuple[str, str], Game] = {}
        self._ruleset_lock = threading.Lock()
        self._tasks: set[asyncio.Task[object]] = set()

    def ruleset(self, game_id: str, options: Mapping[str, OptionValue]) -> Game:
        """A ruleset, made once and shared by all tables that play by it.

        Raises:
            BrinkError: no such game or option.
        """
        key = (game_id, repr(sorted(options.items())))
        # Asked from several threads; reading a data file in two at once has crashed the interpreter (msgspec).
        with self._ruleset_lock:
            if key not in self._games:
                self._games[key] = load_game(game_id, options=options)
            return self._games[key]

    async def create(self, plan: Plan, person_id: str, name: str) -> tuple[LiveTable, dict[int, str]]:
        """Set a new table; returns it and the invitation links' tokens by side.

        Raises:
            IllegalError: no such game, option, computer player or kind of seat.
        """
        try:
            game = self.ruleset(plan.game, plan.options)
        except BrinkError as error:
            raise IllegalError(str(error)) from error
        if plan.series and game.series() is None:
            raise IllegalError(f"there are no campaigns of {game.title}")
        if len(plan.seats) != len(game.sides):
            raise IllegalError(f"{game.title} has {len(game.sides)} seats")
        seats: list[Seat] = []
        tokens: dict[int, str] = {}
        for side, kind in enumerate(plan.seats):
            seats.append(self._seat(game, side, kind, person_id, name, tokens))
        if not any(seat.person_id for seat in seats):
            raise IllegalError("somebody must sit down first: one seat has to be yours")
        table_id = new_id()
        part = Part(table_id, 0, False) if plan.series else None
        return await self._set(table_id, game, seats, plan.clock, "open" in plan.seats, part), tokens

    async def _set(
        self,
        table_id: str,
        game: Game,
        seats: Sequence[Seat],
        clock: Clock | None,
        is_open: bool,
        part: Part | None,
        *more: Statement,
    ) -> LiveTable:
        secret = fair.new_secret()
        row = {
            "id": table_id,
            "game": game.id,
            "rules_version": game.version,
            "options": {key: value for key, value in game.options.items() if game.default_options[key] != value},
            "secret": secret,
            "commitment": fair.commitment(secret),
            "is_open": is_open,
            "clock": clock.as_json() if clock else None,
            "created_at": time.time(),
            "status": WAITING if any(seat.is_free for seat in seats) else RUNNING,
            "result": "",
            "finished_at": None,
            "asked": "",
            "rematch": None,
        }
        table = LiveTable(row, seats, game, part)
        row["asked"] = self._asked_text(table)
        await self._writer.write(
            Statement(_insert_table, row),
            *(Statement(_insert_seat, {"table_id": table.id, **vars(seat)}) for seat in seats),
            *([Statement(_insert_series_game, {"table_id": table.id, **part._asdict()})] if part else []),
            *more,
        )
        self._keep(table)
        self._let_computer_think(table)
        if self._is_due(table):
            self._channel.tell(Notice(table.id, due=True))
        return table

    def _seat(self, game: Game, side: int, kind: str, person_id: str, name: str, tokens: dict[int, str]) -> Seat:
        if kind == "me":
            return Seat(side, person_id=person_id, name=name)
        if kind == "friend":
            tokens[side] = secrets.token_urlsafe(24)
            return Seat(side, invitation=digest(tokens[side]))
        if kind == "open":
            return Seat(side)
        player = kind.removeprefix("computer:")
        if kind.startswith("computer:") and player in players_for(game):
            return Seat(side, computer=player, name=player)
        raise IllegalError(
            f"a seat is me, friend, open, or computer:PLAYER with {', '.join(players_for(game))}; not {kind!r}"
        )

    async def table(self, table_id: str) -> LiveTable:
        """A table by its id, from memory or from its records.

        Raises:
            NotFoundError: there is no such table.
        """
        self.hear()
        live = self._live.get(table_id)
        if live is None:
            live = await self._first_asked_for(table_id)
        elif live.is_behind:
            async with live.lock:
                await self._catch_up(live)
        self._live.move_to_end(table_id)
        return live

    def at_hand(self, table_id: str) -> LiveTable | None:
        """A table that is in memory and up to date, so that nothing has to be waited for."""
        self.hear()
        live = self._live.get(table_id)
        return None if live is None or live.is_behind else live

    async def _first_asked_for(self, table_id: str) -> LiveTable:
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        async with lock:
            if table_id not in self._live:
                table = await asyncio.to_thread(self._load, table_id)
                while table_id in self._changed_while_loading:
                    self._changed_while_loading.discard(table_id)
                    table = await asyncio.to_thread(self._load, table_id)
                self._keep(table)
                self._let_computer_think(table)
                if self._is_due(table):
                    self._channel.tell(Notice(table_id, due=True))
        self._loading.pop(table_id, None)
        return self._live[table_id]

    async def _catch_up(self, table: LiveTable) -> None:
        """Read what other worker processes have written; the table's lock is held."""
        while table.is_behind:
            changes = table.changes_elsewhere
            table.read_anew(await asyncio.to_thread(self._load, table.id))
            table.changes_read = changes
            self._announce(table)
            self._let_computer_think(table)

    def _keep(self, table: LiveTable) -> None:
        self._live[table.id] = table
        for table_id in list(self._live)[: max(0, len(self._live) - MOST_LIVE_TABLES)]:
            old = self._live[table_id]
            if not old.listeners and not old.lock.locked() and not (old.timer and old.status == RUNNING):
                del self._live[table_id]

    def read(self, table_id: str) -> LiveTable:
        """A table as its records say, apart from the one that is in use; to be called in a thread.

        Raises:
            NotFoundError: there is no such table.
        """
        return self._load(table_id)

    def _load(self, table_id: str) -> LiveTable:
        with self._engine.connect() as connection:
            row = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).mappings().first()
            if row is None:
                raise NotFoundError(f"there is no table {table_id}")
            seats = connection.execute(
                select(schema.seats).where(schema.seats.c.table_id == table_id).order_by(schema.seats.c.side)
            ).mappings()
            records = connection.execute(
                select(schema.records).where(schema.records.c.table_id == table_id).order_by(schema.records.c.number)
            ).mappings()
            part = connection.execute(
                select(schema.series_games).where(schema.series_games.c.table_id == table_id)
            ).first()
            table = LiveTable(
                dict(row),
                [Seat(s["side"], s["person_id"], s["computer"], s["name"], s["invitation"]) for s in seats],
                self.ruleset(row["game"], row["options"]),
                Part(part.series, part.number, part.swapped) if part else None,
            )
            for record in records:
                table.carry_out(Record(record["kind"], record["actor"], record["value"], record["at"]))
        table.status, table.result = row["status"], row["result"]
        return table

    async def join(
        self, table_id: str, person_id: str, name: str, token: str | None = None, side: int | None = None
    ) -> LiveTable:
        """Sit down: with an invitation's token, or at an open table.

        Raises:
            ForbiddenError: the invitation has been used, or no seat is free for this person.
        """
        table = await self.table(table_id)
        async with table.lock:
            if table.seat_of(person_id):
                raise ForbiddenError("you already have a seat at this table; send the link to your opponent")
            seat = self._free_seat(table, token, side)
            if seat is None:
                raise ForbiddenError("this seat is taken or the invitation has already been used")
            await self._seat_person(table, Seat(seat.side, person_id=person_id, name=name))
        self._announce(table, everybody=True)
        self._let_computer_think(table)
        return table

    async def _seat_person(self, table: LiveTable, seat: Seat, *more: Statement) -> None:
        others_sit = not any(other.is_free for other in table.seats if other.side != seat.side)
        row = {"table": table.id, "seat": seat.side, "person": seat.person_id, "new_name": seat.name}
        try:
            await self._writer.write(
                Statement(_take_seat, row, must_change=True),
                Statement(_update_table, self._status_row(table, RUNNING if others_sit else table.status)),
                *more,
            )
        except NothingChangedError as error:
            table.changes_elsewhere += 1
            raise ForbiddenError("this seat has just been taken") from error
        table.sit_down(seat)
        self._channel.tell(Notice(table.id, anew=True, due=self._is_due(table)))

    def _free_seat(self, table: LiveTable, token: str | None, side: int | None) -> Seat | None:
        for seat in table.seats:
            by_link = token is not None and seat.invitation == digest(token)
            by_openness = token is None and table.is_open and seat.invitation is None
            if seat.is_free and (by_link or by_openness) and side in (None, seat.side):
                return seat
        return None

    async def act(self, table_id: str, person_id: str | None, side: int, version: int, action: int | str) -> LiveTable:
        """Take an action for a side.

        Raises:
            ForbiddenError: the seat is not this person's.
            StaleError: the version is not the present one of this side.
            IllegalError: the action does not exist or is not legal.
        """
        table = await self.table(table_id)

        def checked() -> Record:
            self._check_seat(table, person_id, side)
            self._check_version(table, side, version)
            if table.status != RUNNING:
                raise IllegalError("the game is not running")
            return Record(ACTION, side, self._legal_number(table, side, action), time.time())

        await self._do(table, checked)
        self._let_computer_think(table)
        return table

    def _legal_number(self, table: LiveTable, side: int, action: int | str) -> int:
        if side not in table.match.pending:
            raise IllegalError(f"{table.game.sides[side]} is not asked")
        try:
            number = table.game.parse_action(action, side) if isinstance(action, str) else action
        except MalformedActionError as error:
            raise IllegalError(str(error)) from error
        legal = {decision.action for decision in table.match.legal(side)}
        if number not in legal:
            raise IllegalError("that is not legal here")
        return number

    def _check_seat(self, table: LiveTable, person_id: str | None, side: int) -> None:
        if not 0 <= side < len(table.seats):
            raise NotFoundError("there is no such seat")
        if side not in table.seat_of(person_id):
            raise ForbiddenError("that is not your seat")

    def _check_version(self, table: LiveTable, side: int, version: int) -> None:
        present = table.version(side)
        if version != present:
            raise StaleError(f"the position has changed: it is at version {present}, not {version}")

    async def _do(self, table: LiveTable, checked: Callable[[], Record]) -> None:
        """Write the record that `checked` allows at the present position.

        When another worker process was first, `checked` has its say once more at the position as it is then.
        """
        async with table.lock:
            for _ in range(ATTEMPTS):
                await self._catch_up(table)
                try:
                    await self._write(table, checked())
                except IntegrityError:
                    table.changes_elsewhere += 1
                else:
                    return
            raise StaleError("the position has changed meanwhile")

    async def _write(self, table: LiveTable, record: Record) -> None:
        """Make a checked record safe, then carry it out, and tell those who listen.

        Raises:
            IntegrityError: another worker process has written a record with this number.
        """
        after = table.after(record)
        number = len(after.records)
        await self._writer.write(
            Statement(_insert_record, {"table_id": table.id, "number": number, **vars(record)}),
            Statement(_update_table, self._status_row(after, after.status)),
        )
        table.become(after)
        self._channel.tell(Notice(table.id, record, number, due=self._is_due(table)))
        self._announce(table)

    def _status_row(self, table: LiveTable, status: str) -> dict[str, Any]:
        return {
            "table": table.id,
            "new_status": status,
            "new_result": table.result,
            "new_asked": self._asked_text(table),
            "new_finished_at": table.last_deed.at if status == FINISHED and table.last_deed else None,
        }

    def _asked_text(self, table: LiveTable) -> str:
        if table.match.is_over or table.status == FINISHED:
            return ""
        # For lists. While both choose in secret both count as asked, so that no list tells who has chosen.
        sides = range(len(table.seats)) if table.secret_since is not None else sorted(table.match.pending)
        return ",".join(table.game.sides[side] for side in sides)

    def undo_count(self, table: LiveTable, side: int) -> int:
        """How many entries a side may take back now."""
        return table.match.undo_count(side) if table.status == RUNNING else 0

    async def undo(self, table_id: str, person_id: str | None, side: int, version: int, whole_turn: bool) -> LiveTable:
        """Take back the last step, or all steps since the last draw, reveal or change of decider.

        Raises:
            IllegalError: there is nothing this side may take back.
        """
        table = await self.table(table_id)

        def checked() -> Record:
            self._check_seat(table, person_id, side)
            self._check_version(table, side, version)
            count = self.undo_count(table, side)
            if count == 0:
                raise IllegalError("nothing can be taken back: a card was drawn or revealed, or the other side decides")
            return Record(UNDO, side, count if whole_turn else 1, time.time())

        await self._do(table, checked)
        return table

    async def ask_back(self, table_id: str, person_id: str | None, side: int, version: int, keep: int) -> LiveTable:
        """Ask the other side to go back to before a decision of one's own, beyond what the policy allows.

        Raises:
            IllegalError: no decision of this side stands there, both choose in secret, or somebody has asked already.
        """
        table = await self.table(table_id)

        def checked() -> Record:
            self._check_seat(table, person_id, side)
            self._check_version(table, side, version)
            entries = table.match.entries
            if table.status != RUNNING or table.match.in_secret:
                raise IllegalError("nothing can be asked back now")
            if table.seats[1 - side].computer:
                raise IllegalError("a computer player does not take back")
            if table.back is not None:
                raise IllegalError("there is already such a question")
            if not 0 <= keep < len(entries) or entries[keep].actor != side:
                raise IllegalError("one goes back to before a decision of one's own")
            return Record(ASK_BACK, side, keep, time.time())

        await self._do(table, checked)
        return table

    async def answer_back(self, table_id: str, person_id: str | None, side: int, accept: bool) -> LiveTable:
        """Answer the other side that asks to take back.

        Raises:
            IllegalError: there is no such question.
        """
        table = await self.table(table_id)

        def checked() -> Record:
            self._check_seat(table, person_id, side)
            if table.status != RUNNING or table.back is None or table.back[0] == side:
                raise IllegalError("there is no such question to answer")
            kind, value = (TAKE_BACK, table.back[1]) if accept else (KEEP, 0)
            return Record(kind, side, value, time.time())

        await self._do(table, checked)
        return table

    async def resign(self, table_id: str, person_id: str | None, side: int, everything: bool = False) -> LiveTable:
        """Give the game up, or the whole series.

        Raises:
            IllegalError: the game belongs to no series that could be given up.
        """
        if everything and (await self.table(table_id)).part is None:
            raise IllegalError("this game belongs to no campaign")
        return await self._end_or_offer(table_id, person_id, side, RESIGN, int(everything))

    async def offer_void(self, table_id: str, person_id: str | None, side: int) -> LiveTable:
        """Offer to end the game without a result."""
        return await self._end_or_offer(table_id, person_id, side, OFFER)

    async def answer_offer(self, table_id: str, person_id: str | None, side: int, accept: bool) -> LiveTable:
        """Answer the other side's offer."""
        return await self._end_or_offer(table_id, person_id, side, ACCEPT if accept else DECLINE)

    async def _end_or_offer(
        self, table_id: str, person_id: str | None, side: int, kind: str, value: int = 0
    ) -> LiveTable:
        table = await self.table(table_id)

        def checked() -> Record:
            self._check_seat(table, person_id, side)
            if table.status != RUNNING:
                raise IllegalError("the game is not running")
            if kind in (ACCEPT, DECLINE) and table.offer != 1 - side:
                raise IllegalError("there is no offer to answer")
            if kind == OFFER and table.offer is not None:
                raise IllegalError("there is already an offer")
            return Record(kind, side, value, time.time())

        await self._do(table, checked)
        return table

    async def series(self, series_id: str) -> SeriesStory:
        """How a series of games stands, and its tables.

        Raises:
            NotFoundError: there is no such series.
        """
        ids = await asyncio.to_thread(repository.tables_of_series, self._engine, series_id)
        if not ids:
            raise NotFoundError(f"there is no campaign {series_id}")
        return told([await self.table(table_id) for table_id in ids])

    async def next_game(self, table_id: str, person_id: str, swapped: bool | None = None) -> LiveTable:
        """Begin the next game of a series, or say which sides it shall have; returns the table to go to.

        Args:
            swapped: where the players agree on the sides: whether they shall be other than in the first game. The game
                begins once both have said the same; a computer player agrees.

        Raises:
            ForbiddenError: the person does not play here.
            IllegalError: the game is no finished one of a series that goes on, or nothing was said about the sides.
        """
        table = await self.table(table_id)
        mine = table.seat_of(person_id)
        if not mine:
            raise ForbiddenError("only those who play in the campaign can begin its next game")
        story = await self._series_of(table)
        if table.id != story.last.id:
            return story.tables[table.part.number + 1] if table.part else story.last
        sides = story.next_sides
        if sides is None:
            if swapped is None:
                raise IllegalError("the players agree on the sides: say which they shall be")
            for side in mine:
                await self._wish(table, person_id, side, swapped)
            people = [seat.side for seat in table.seats if not seat.computer]
            if any(table.wishes.get(side) != swapped for side in people):
                return table
            sides = (1, 0) if swapped else (0, 1)
        return await self._begin_next(table, story, sides)

    async def _series_of(self, table: LiveTable) -> SeriesStory:
        if table.part is None:
            raise IllegalError("this game belongs to no campaign")
        story = await self.series(table.part.series)
        if table.status != FINISHED:
            raise IllegalError("the game is not over yet")
        if story.series.standing.is_over and table.id == story.last.id:
            raise IllegalError("the campaign is over")
        return story

    async def _wish(self, table: LiveTable, person_id: str, side: int, swapped: bool) -> None:
        def checked() -> Record:
            self._check_seat(table, person_id, side)
            return Record(SIDES, side, int(swapped), time.time())

        if table.wishes.get(side) != swapped:
            await self._do(table, checked)

    async def _begin_next(self, table: LiveTable, story: SeriesStory, sides: tuple[int, int]) -> LiveTable:
        part = Part(story.id, len(story.tables), sides == (1, 0))
        seats = []
        for side in range(len(table.seats)):
            old = table.seats[story.side_at(table, sides.index(side))]
            seats.append(Seat(side, old.person_id, old.computer, old.name))
        table_id = new_id()
        link = Statement(_set_rematch, {"table": table.id, "new_rematch": table_id})
        clock = table.timer.clock if table.timer else None
        try:
            new = await self._set(table_id, table.game, seats, clock, table.is_open, part, link)
        except IntegrityError:  # the other player has just begun it
            return (await self.series(story.id)).last
        table.rematch = new.id
        self._channel.tell(Notice(table.id, anew=True))
        self._announce(table, everybody=True)
        return new

    async def rematch(self, table_id: str, person_id: str, name: str) -> tuple[LiveTable, dict[int, str]]:
        """A new table with the same ruleset and the sides swapped; the opponent finds it at the old table.

        Raises:
            ForbiddenError: the person did not play here.
        """
        table = await self.table(table_id)
        sides = table.seat_of(person_id)
        if not sides:
            raise ForbiddenError("only those who played here can ask for a rematch")
        if table.part and not (await self.series(table.part.series)).series.standing.is_over:
            raise IllegalError("the campaign goes on: begin its next game")
        seats = []
        for side in range(len(table.seats)):
            old = table.seats[len(table.seats) - 1 - side]
            if old.person_id == person_id:
                seats.append("me")
            else:
                seats.append(f"computer:{old.computer}" if old.computer else "friend")
        clock = table.timer.clock if table.timer else None
        plan = Plan(table.game.id, seats, dict(table.game.options), clock, table.part is not None)
        new, tokens = await self.create(plan, person_id, name)
        if not tokens:
            return new, tokens
        # The old opponent needs no link: the seat is kept for that person.
        for side in tokens:
            old = table.seats[len(table.seats) - 1 - side]
            if old.person_id:
                link = Statement(_set_rematch, {"table": table.id, "new_rematch": new.id})
                await self._seat_person(new, Seat(side, person_id=old.person_id, name=old.name), link)
        table.rematch = new.id
        self._channel.tell(Notice(table.id, anew=True))
        self._announce(table, everybody=True)
        return new, {}

    async def say(self, table_id: str, name: str, side: int | None, text: str) -> None:
        """Say something at a table."""
        table = await self.table(table_id)
        row = {"table_id": table.id, "name": name, "side": side, "text": text, "at": time.time()}
        await self._writer.write(Statement(_insert_chat, row))
        self._channel.tell(Notice(table.id, said=True))
        self._announce(table, everybody=True)

    def decisions(self, table: LiveTable, side: int) -> list[Decision]:
        """The legal actions of a side, none while the game is not running."""
        return table.match.legal(side) if side in table.asked else []

    def record(self, table: LiveTable, reader: int) -> journal.Journal:
        """The journal of a table for a reader: whole when the game is over, else what the reader may know."""
        headers = {seat_side: seat.name for seat_side, seat in zip(table.game.sides, table.seats, strict=True)}
        headers["date"] = time.strftime("%Y-%m-%d", time.gmtime(table.created_at))
        headers[fair.COMMITMENT_HEADER] = table.commitment
        if table.status == FINISHED:
            headers[fair.SECRET_HEADER] = table.secret.hex()
            return journal.of_match(table.match, headers, result=table.result)
        whole = journal.of_match(table.match, headers)
        return whole.filtered(journal.readers(table.game)[reader])

    def _announce(self, table: LiveTable, everybody: bool = False) -> None:
        # That there are news is news: nobody is told who may not know of what happened.
        for listener in table.listeners:
            if everybody or table.version(listener.reader) != listener.told:
                listener.nudged = everybody
                listener.event.set()

    # Several worker processes.

    def hear(self) -> None:
        """Take in what other worker processes have told; of what anybody was shown, nothing is missed."""
        for notice in self._channel.heard():
            live = self._live.get(notice.table)
            if notice.person:
                self._forget_person(notice.person)
            elif live is not None:
                self._hear_of(live, notice)
            elif notice.table in self._loading:
                self._changed_while_loading.add(notice.table)
            elif notice.due and self._channel.is_home(notice.table):
                self._soon(self.table(notice.table))

    def _hear_of(self, table: LiveTable, notice: Notice) -> None:
        is_next = notice.number == len(table.records) + 1 and not table.is_behind
        if notice.said:
            self._announce(table, everybody=True)
        elif notice.record is not None and is_next and not table.lock.locked():
            table.carry_out(notice.record)
            self._announce(table)
            self._let_computer_think(table)
        elif notice.anew or notice.number > len(table.records):
            table.changes_elsewhere += 1
            self._soon(self._show_anew(table))

    async def _show_anew(self, table: LiveTable) -> None:
        await self.table(table.id)
        self._announce(table, everybody=True)

    def _soon(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_due(self, table: LiveTable) -> bool:
        """Whether the home worker has something to do: the computer is asked, or a clock runs."""
        return table.status == RUNNING and (
            table.timer is not None or any(table.seats[side].computer for side in table.match.pending)
        )

    # Clocks.

    async def watch_clocks(self) -> None:
        """End games whose time has run out; runs as long as the server does."""
        workers: list[str] = []
        while True:
            if workers != self._channel.workers:  # one has come or gone, and its tables have a new home
                workers = self._channel.workers
                for table_id in await asyncio.to_thread(self._tables_with_clocks):
                    if self._channel.is_home(table_id):
                        await self.table(table_id)
                for table in list(self._live.values()):
                    self._let_computer_think(table)
            await asyncio.sleep(CLOCK_SECONDS)
            for table in list(self._live.values()):
                if table.timer and table.status == RUNNING and table.timer.out_of_time(time.time()) is not None:
                    await self._end_by_time(table)

    def _tables_with_clocks(self) -> list[str]:
        wanted = select(schema.tables.c.id).where(schema.tables.c.status == RUNNING, schema.tables.c.clock.is_not(None))
        with self._engine.connect() as connection:
            return list(connection.execute(wanted).scalars())

    async def _end_by_time(self, table: LiveTable) -> None:
        if not self._channel.is_home(table.id):
            return
        async with table.lock:
            now = time.time()
            side = table.timer.out_of_time(now) if table.timer and table.status == RUNNING else None
            if side is not None:
                try:
                    await self._write(table, Record(TIMEOUT, side, 0, now))
                except IntegrityError:  # a decision was stored in the last moment
                    table.changes_elsewhere += 1

    # The computer's moves.

    def _let_computer_think(self, table: LiveTable) -> None:
        if table.status != RUNNING or (table.computer_task and not table.computer_task.done()):
            return
        if any(table.seats[side].computer for side in table.match.pending) and self._channel.is_home(table.id):
            table.computer_task = asyncio.create_task(self._play_computers(table))

    async def _play_computers(self, table: LiveTable) -> None:
        """Answer for the computer until a person is asked; thinking is done in a thread, from a view."""
        while table.status == RUNNING:
            side = next((side for side in sorted(table.match.pending) if table.seats[side].computer), None)
            if side is None:
                return
            computer = table.seats[side].computer or ""
            if computer not in table.computers:
                table.computers[computer] = await asyncio.to_thread(load_player, computer, table.game)
            count = len(table.records)
            view = table.view(side)
            choice = await asyncio.to_thread(table.computers[computer].choose, view, side)
            async with table.lock:
                if len(table.records) != count or table.status != RUNNING:
                    continue  # somebody acted meanwhile; think again
                try:
                    await self._write(table, Record(ACTION, side, choice.action, time.time()))
                except IntegrityError:
                    table.changes_elsewhere += 1
                    await self._catch_up(table)
