"""A table in memory: its seats, the game that is played at it, what happened, and who waits for news.

A `LiveTable` is what its records say and nothing else: any process that knows the records has the same table.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from brinkmanship.engine import fair, journal
from brinkmanship.engine.game import Game, State
from brinkmanship.engine.match import Match
from brinkmanship.players import Player
from brinkmanship.web.clock import Clock, Timer

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
ASK_BACK = "ask_back"
"""A side asks to take back more than the policy allows; the value is how many entries shall stay."""
TAKE_BACK = "take_back"
"""The other side agrees."""
KEEP = "keep"
"""The other side does not."""
SIDES = "sides"
"""After a game of a series whose sides are agreed on: the value is 1 for other sides than in the first game, else 0."""


Worked = TypeVar("Worked")


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
class Record:
    """One thing that happened at a table, as it is kept."""

    kind: str
    actor: int
    value: int
    at: float


class Part(NamedTuple):
    """What a table is in a series of games."""

    series: str
    """The series, named by its first table."""
    number: int
    """Of the game, from 0."""
    swapped: bool
    """Whether the players have other sides than in the first game. Player 0 had side 0 there."""

    @property
    def sides(self) -> tuple[int, int]:
        """The side of each player."""
        return (1, 0) if self.swapped else (0, 1)


class Listener:
    """Somebody who waits for news of a table, as what reader, and the version he was last told."""

    def __init__(self, reader: int) -> None:
        self.reader = reader
        self.told = -1
        self.nudged = False
        """Whether something happened that is no part of the game, such as chat."""
        self.event = asyncio.Event()


COURSE = ("match", "records", "offer", "back", "status", "result", "timer", "wishes", "secret_since", "secret_left")
"""What of a live table changes with a record."""


class LiveTable:
    """A table in memory: its seats, the match, and who listens."""

    def __init__(self, row: Mapping[str, Any], seats: Sequence[Seat], game: Game, part: Part | None = None) -> None:
        self.part = part
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
        self.back: tuple[int, int] | None = None
        """The side that asks to take back, and how many entries shall stay."""
        self.wishes: dict[int, bool] = {}
        """In a series whose sides are agreed on: what each side has said, whether they shall be swapped next."""
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        """Who waits for news."""
        self.computer_task: asyncio.Task[None] | None = None
        self.computers: dict[str, Player] = {}
        self.changes_elsewhere = 0
        """How often another worker process has written here something that has to be read."""
        self.changes_read = 0
        self._worked_out: dict[tuple[str, int], Any] = {}
        fair.advance(self.match, self.secret)
        clock = Clock.from_json(row["clock"])
        self.timer = Timer(clock, len(game.sides)) if clock else None
        self.secret_left: tuple[list[float], float | None] = ([], None)
        """The clocks, and when it was, as the secret choice began that is still open."""
        self.secret_since: int | None = None
        """How many records there were when the secret choice began that is still open."""
        self._note_secret()

    def after(self, record: Record) -> LiveTable:
        """The table as it will be after a record; this one stays as it is until `become`."""
        after = copy(self)
        after.match = self.match.copy()
        after.records = list(self.records)
        after.timer = deepcopy(self.timer)
        after.carry_out(record)
        return after

    def become(self, other: LiveTable) -> None:
        """Be at the point of another one of the same table."""
        for name in COURSE:
            setattr(self, name, getattr(other, name))
        self._worked_out = {}

    def read_anew(self, fresh: LiveTable) -> None:
        """Be as the database has it; those who listen stay."""
        self.become(fresh)
        self.seats = fresh.seats
        self.rematch = fresh.rematch

    def sit_down(self, seat: Seat) -> None:
        """Somebody takes a seat; with the last one the game begins."""
        self.seats[seat.side] = seat
        if self.status == WAITING and not any(other.is_free for other in self.seats):
            self.status = RUNNING
        self._worked_out = {}

    def work_out(self, what: str, reader: int, make: Callable[[], Worked]) -> Worked:
        """Something made from the present position for a reader, made once for all who ask for it."""
        key = (what, reader)
        if key not in self._worked_out:
            self._worked_out[key] = make()
        worked: Worked = self._worked_out[key]
        return worked

    def carry_out(self, record: Record) -> None:
        """Do what a record says; it has been checked."""
        self._worked_out = {}
        if record.kind == ACTION:
            self.match.push(record.value, side=record.actor)
            fair.advance(self.match, self.secret)
            self.offer = self.back = None
        elif record.kind == UNDO:
            for _ in range(record.value):
                self.match.pop()
            self.back = None
        elif record.kind == OFFER:
            self.offer = record.actor
        elif record.kind == ASK_BACK:
            self.back = (record.actor, record.value)
        elif record.kind == TAKE_BACK:
            # Chance follows from secret and place: what was dealt from there on is dealt again (docs/journal.md).
            while len(self.match.entries) > record.value:
                self.match.pop()
            self.offer = self.back = None
        elif record.kind == SIDES:
            self.wishes = {**self.wishes, record.actor: bool(record.value)}
        elif record.kind == KEEP:
            self.back = None
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
    def last_deed(self) -> Record | None:
        """The last record of the game; what was said after its end is none."""
        return next((record for record in reversed(self.records) if record.kind != SIDES), None)

    @property
    def is_behind(self) -> bool:
        """Whether something written by another worker process has not been read yet."""
        return self.changes_read < self.changes_elsewhere

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
