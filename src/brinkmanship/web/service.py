"""The authority: tables, seats, and everything that may happen at them.

One `TableService` serves one database from one event loop. A table in use is held in memory as a `LiveTable`, rebuilt
from its records when it is first asked for. An action is checked (seat, version, legality), carried out, made safe by
the writer, and only then acknowledged and shown.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy as copy
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine import fair, journal
from brinkmanship.engine.errors import BrinkError, IllegalActionError, MalformedActionError
from brinkmanship.engine.game import Game, State
from brinkmanship.engine.match import Decision, Match
from brinkmanship.games import load_game
from brinkmanship.players import Player, load_player, players_for
from brinkmanship.store import schema
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.clock import Clock, Timer
from brinkmanship.web.errors import ForbiddenError, IllegalError, NotFoundError, StaleError

ID_BYTES = 6
MOST_LIVE_TABLES = 5_000
"""Tables held in memory; the one used longest ago goes first. It loses nothing: its records are in the database."""

WAITING = "waiting"
RUNNING = "running"
FINISHED = "over"

ACTION = "action"
UNDO = "undo"
RESIGN = "resign"
OFFER = "offer"
ACCEPT = "accept"
DECLINE = "decline"
TIMEOUT = "timeout"

CLOCK_SECONDS = 0.5
"""How often the clocks are looked at."""


@dataclass
class Seat:
    """Who plays a side. A seat with neither a person nor a computer is free."""

    side: int
    person_id: str | None = None
    computer: str | None = None
    name: str = ""
    invitation: str | None = None
    """Digest of the link that may still take the seat."""

    @property
    def is_free(self) -> bool:
        """Whether somebody may still sit down here."""
        return self.person_id is None and self.computer is None


@dataclass
class Plan:
    """What a new table shall be: for each side "me", "computer:NAME", "friend" (by link), or "open" (anybody)."""

    game: str
    seats: Sequence[str]
    options: Mapping[str, str | bool] = field(default_factory=dict)
    clock: Clock | None = None


@dataclass
class Record:
    """One thing that happened at a table, as it is kept."""

    kind: str
    actor: int
    value: int
    at: float


UNDONE_ON_FAILURE = ("offer", "status", "result", "secret_since", "secret_left", "timer")
"""What of a live table is put back, beside the match, when a record could not be made safe."""


class Listener:
    """Somebody who waits for news of a table, as what reader, and the version he was last told."""

    def __init__(self, reader: int) -> None:
        self.reader = reader
        self.told = -1
        self.nudged = False
        """Whether something happened that is no part of the game, such as chat."""
        self.event = asyncio.Event()


class LiveTable:
    """A table in memory: its seats, the match, and who listens."""

    def __init__(self, row: Mapping[str, Any], seats: Sequence[Seat], game: Game) -> None:
        self.id: str = row["id"]
        self.game = game
        self.secret: bytes = row["secret"]
        self.commitment: str = row["commitment"]
        self.created_at: float = row["created_at"]
        self.is_open: bool = row["is_open"]
        self.status: str = row["status"]
        self.result: str = row["result"]
        self.rematch: str | None = row["rematch"]
        self.seats = list(seats)
        self.match = Match(game)
        self.records: list[Record] = []
        self.offer: int | None = None
        """The side whose offer to end the game without a result waits for an answer."""
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        """Who waits for news."""
        self.computer_task: asyncio.Task[None] | None = None
        self.computers: dict[str, Player] = {}
        fair.advance(self.match, self.secret)
        clock = Clock.from_json(row["clock"])
        self.timer = Timer(clock, len(game.sides)) if clock else None
        self.secret_left: tuple[list[float], float | None] = ([], None)
        """The clocks, and when it was, as the secret choice began that is still open."""
        self.secret_since: int | None = None
        """How many records there were when the secret choice began that is still open."""
        self._note_secret()

    def carry_out(self, record: Record) -> None:
        """Do what a record says; it has been checked."""
        if record.kind == ACTION:
            self.match.push(record.value, side=record.actor)
            fair.advance(self.match, self.secret)
            self.offer = None
        elif record.kind == UNDO:
            for _ in range(record.value):
                self.match.pop()
        elif record.kind == OFFER:
            self.offer = record.actor
        elif record.kind == DECLINE:
            self.offer = None
        self.records.append(record)
        self._settle(record)
        if self.timer:
            self.timer.record(record.at, record.actor, record.kind == ACTION, self.asked, self.match.in_secret)
        self._note_secret()

    def _note_secret(self) -> None:
        if not self.match.in_secret:
            self.secret_since = None
        elif self.secret_since is None:
            self.secret_since = len(self.records)
            if self.timer:
                self.secret_left = (list(self.timer.left), self.timer.since)

    def _settle(self, record: Record) -> None:
        if record.kind == RESIGN:
            self.status = FINISHED
            self.result = f"{self.game.sides[1 - record.actor]} by resignation"
        elif record.kind == TIMEOUT:
            self.status = FINISHED
            self.result = f"{self.game.sides[1 - record.actor]} by time"
        elif record.kind == ACCEPT:
            self.status = FINISHED
            self.result = "nobody by agreement"
        elif self.match.is_over:
            self.status = FINISHED
            self.result = journal.result_text(self.match)

    def seat_of(self, person_id: str | None) -> list[int]:
        """The sides a person plays: none, one, or in hot seat all."""
        return [seat.side for seat in self.seats if person_id is not None and seat.person_id == person_id]

    @property
    def is_hot_seat(self) -> bool:
        """Whether one person plays every side at one screen."""
        people = {seat.person_id for seat in self.seats}
        return len(people) == 1 and None not in people

    @property
    def asked(self) -> list[int]:
        """The sides that may act now."""
        return sorted(self.match.pending) if self.status == RUNNING else []

    def version(self, reader: int) -> int:
        """A number that rises with all a reader may know of, and with nothing else.

        While both sides choose in secret, what the other does and takes back again is not counted.
        """
        if self.secret_since is None:
            return len(self.records)
        mine = sum(
            record.actor == reader or record.kind not in (ACTION, UNDO) for record in self.records[self.secret_since :]
        )
        return self.secret_since + mine

    def seconds_left(self, reader: int, now: float) -> list[float] | None:
        """Each side's time as a reader may know it, None without clocks."""
        if self.timer is None:
            return None
        shown = [self.timer.seconds_left(side, now) for side in range(len(self.seats))]
        if self.secret_since is not None:
            left, since = self.secret_left
            for side in range(len(self.seats)):
                if side != reader:
                    shown[side] = left[side] - (0.0 if since is None else max(0.0, now - since))
        return [max(0.0, seconds) for seconds in shown]

    def view(self, reader: int) -> State:
        """What a reader knows now."""
        return self.match.view(reader)


def digest(token: str) -> str:
    """What is kept of a secret token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_id() -> str:
    """A short public name that nobody can guess."""
    return secrets.token_urlsafe(ID_BYTES).replace("-", "x").replace("_", "y")


_insert_table = insert(schema.tables)
_insert_seat = insert(schema.seats)
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
    .values(person_id=bindparam("person"), name=bindparam("new_name"), invitation=None)
)


class TableService:
    """Everything that may be done at tables; see the module."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._games: dict[tuple[str, str], Game] = {}
        self._ruleset_lock = threading.Lock()

    def ruleset(self, game_id: str, options: Mapping[str, str | bool]) -> Game:
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
        if len(plan.seats) != len(game.sides):
            raise IllegalError(f"{game.title} has {len(game.sides)} seats")
        seats: list[Seat] = []
        tokens: dict[int, str] = {}
        for side, kind in enumerate(plan.seats):
            seats.append(self._seat(game, side, kind, person_id, name, tokens))
        if not any(seat.person_id for seat in seats):
            raise IllegalError("somebody must sit down first: one seat has to be yours")
        secret = fair.new_secret()
        row = {
            "id": new_id(),
            "game": game.id,
            "rules_version": game.version,
            "options": {key: value for key, value in game.options.items() if game.default_options[key] != value},
            "secret": secret,
            "commitment": fair.commitment(secret),
            "is_open": "open" in plan.seats,
            "clock": plan.clock.as_json() if plan.clock else None,
            "created_at": time.time(),
            "status": WAITING if any(seat.is_free for seat in seats) else RUNNING,
            "result": "",
            "finished_at": None,
            "asked": "",
            "rematch": None,
        }
        table = LiveTable(row, seats, game)
        row["asked"] = self._asked_text(table)
        await self._writer.write(
            Statement(_insert_table, row),
            *(Statement(_insert_seat, {"table_id": table.id, **vars(seat)}) for seat in seats),
        )
        self._keep(table)
        self._let_computer_think(table)
        return table, tokens

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
        if (live := self._live.get(table_id)) is not None:
            self._live.move_to_end(table_id)
            return live
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        async with lock:
            if table_id not in self._live:
                self._keep(await asyncio.to_thread(self._load, table_id))
                self._let_computer_think(self._live[table_id])
        self._loading.pop(table_id, None)
        return self._live[table_id]

    def _keep(self, table: LiveTable) -> None:
        self._live[table.id] = table
        for table_id in list(self._live)[: max(0, len(self._live) - MOST_LIVE_TABLES)]:
            old = self._live[table_id]
            if not old.listeners and not old.lock.locked() and not (old.timer and old.status == RUNNING):
                del self._live[table_id]

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
            table = LiveTable(
                dict(row),
                [Seat(s["side"], s["person_id"], s["computer"], s["name"], s["invitation"]) for s in seats],
                self.ruleset(row["game"], row["options"]),
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
            seat = self._free_seat(table, token, side)
            if seat is None:
                raise ForbiddenError("this seat is taken or the invitation has already been used")
            if table.seat_of(person_id):
                raise ForbiddenError("you already have a seat at this table; send the link to your opponent")
            taken = Seat(seat.side, person_id=person_id, name=name)
            full = all(other is seat or not other.is_free for other in table.seats)
            status = RUNNING if full else table.status
            await self._writer.write(
                Statement(
                    _take_seat,
                    {"table": table.id, "seat": seat.side, "person": person_id, "new_name": name},
                ),
                Statement(_update_table, self._status_row(table, status)),
            )
            table.seats[seat.side] = taken
            table.status = status
        self._announce(table, everybody=True)
        self._let_computer_think(table)
        return table

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
        async with table.lock:
            self._check_seat(table, person_id, side)
            self._check_version(table, side, version)
            if table.status != RUNNING:
                raise IllegalError("the game is not running")
            number = self._legal_number(table, side, action)
            await self._write(table, Record(ACTION, side, number, time.time()))
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

    async def _write(self, table: LiveTable, record: Record) -> None:
        """Carry a checked record out, make it safe, and tell those who listen; on failure the table is as before."""
        before = {name: copy(getattr(table, name)) for name in UNDONE_ON_FAILURE} | {"match": table.match.copy()}
        number = len(table.records) + 1
        table.carry_out(record)
        try:
            await self._writer.write(
                Statement(_insert_record, {"table_id": table.id, "number": number, **vars(record)}),
                Statement(_update_table, self._status_row(table, table.status)),
            )
        except BaseException as error:
            table.records.pop()
            for name, value in before.items():
                setattr(table, name, value)
            if isinstance(error, IntegrityError):
                # Another process has written here; what it wrote is in the database.
                self._live.pop(table.id, None)
                raise StaleError("the position has changed meanwhile") from error
            raise
        self._announce(table)

    def _status_row(self, table: LiveTable, status: str) -> dict[str, Any]:
        return {
            "table": table.id,
            "new_status": status,
            "new_result": table.result,
            "new_asked": self._asked_text(table),
            "new_finished_at": time.time() if status == FINISHED else None,
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
        async with table.lock:
            self._check_seat(table, person_id, side)
            self._check_version(table, side, version)
            count = self.undo_count(table, side)
            if count == 0:
                raise IllegalError("nothing can be taken back: a card was drawn or revealed, or the other side decides")
            await self._write(table, Record(UNDO, side, count if whole_turn else 1, time.time()))
        return table

    async def resign(self, table_id: str, person_id: str | None, side: int) -> LiveTable:
        """Give the game up."""
        return await self._end_or_offer(table_id, person_id, side, RESIGN)

    async def offer_void(self, table_id: str, person_id: str | None, side: int) -> LiveTable:
        """Offer to end the game without a result."""
        return await self._end_or_offer(table_id, person_id, side, OFFER)

    async def answer_offer(self, table_id: str, person_id: str | None, side: int, accept: bool) -> LiveTable:
        """Answer the other side's offer."""
        return await self._end_or_offer(table_id, person_id, side, ACCEPT if accept else DECLINE)

    async def _end_or_offer(self, table_id: str, person_id: str | None, side: int, kind: str) -> LiveTable:
        table = await self.table(table_id)
        async with table.lock:
            self._check_seat(table, person_id, side)
            if table.status != RUNNING:
                raise IllegalError("the game is not running")
            if kind in (ACCEPT, DECLINE) and table.offer != 1 - side:
                raise IllegalError("there is no offer to answer")
            if kind == OFFER and table.offer is not None:
                raise IllegalError("there is already an offer")
            await self._write(table, Record(kind, side, 0, time.time()))
        return table

    async def rematch(self, table_id: str, person_id: str, name: str) -> tuple[LiveTable, dict[int, str]]:
        """A new table with the same ruleset and the sides swapped; the opponent finds it at the old table.

        Raises:
            ForbiddenError: the person did not play here.
        """
        table = await self.table(table_id)
        sides = table.seat_of(person_id)
        if not sides:
            raise ForbiddenError("only those who played here can ask for a rematch")
        seats = []
        for side in range(len(table.seats)):
            old = table.seats[len(table.seats) - 1 - side]
            if old.person_id == person_id:
                seats.append("me")
            else:
                seats.append(f"computer:{old.computer}" if old.computer else "friend")
        plan = Plan(table.game.id, seats, dict(table.game.options), table.timer.clock if table.timer else None)
        new, tokens = await self.create(plan, person_id, name)
        if not tokens:
            return new, tokens
        # The old opponent needs no link: the seat is kept for that person.
        for side in tokens:
            old = table.seats[len(table.seats) - 1 - side]
            if old.person_id:
                new.seats[side] = Seat(side, person_id=old.person_id, name=old.name)
                new.status = RUNNING
                await self._writer.write(
                    Statement(
                        _take_seat,
                        {"table": new.id, "seat": side, "person": old.person_id, "new_name": old.name},
                    ),
                    Statement(_update_table, self._status_row(new, RUNNING)),
                    Statement(_set_rematch, {"table": table.id, "new_rematch": new.id}),
                )
        table.rematch = new.id
        self._announce(table, everybody=True)
        return new, {}

    async def say(self, table_id: str, name: str, side: int | None, text: str) -> None:
        """Say something at a table."""
        table = await self.table(table_id)
        row = {"table_id": table.id, "name": name, "side": side, "text": text, "at": time.time()}
        await self._writer.write(Statement(_insert_chat, row))
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

    # Clocks.

    async def watch_clocks(self) -> None:
        """End games whose time has run out; runs as long as the server does."""
        for table_id in await asyncio.to_thread(self._tables_with_clocks):
            await self.table(table_id)
        while True:
            await asyncio.sleep(CLOCK_SECONDS)
            for table in list(self._live.values()):
                if table.timer and table.status == RUNNING and table.timer.out_of_time(time.time()) is not None:
                    await self._end_by_time(table)

    def _tables_with_clocks(self) -> list[str]:
        wanted = select(schema.tables.c.id).where(schema.tables.c.status == RUNNING, schema.tables.c.clock.is_not(None))
        with self._engine.connect() as connection:
            return list(connection.execute(wanted).scalars())

    async def _end_by_time(self, table: LiveTable) -> None:
        async with table.lock:
            now = time.time()
            side = table.timer.out_of_time(now) if table.timer and table.status == RUNNING else None
            if side is not None:
                with suppress(StaleError):
                    await self._write(table, Record(TIMEOUT, side, 0, now))

    # The computer's moves.

    def _let_computer_think(self, table: LiveTable) -> None:
        if table.status != RUNNING or (table.computer_task and not table.computer_task.done()):
            return
        if any(table.seats[side].computer for side in table.match.pending):
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
                with suppress(IllegalActionError):
                    await self._write(table, Record(ACTION, side, choice.action, time.time()))
