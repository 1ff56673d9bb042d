"""Table in memory: its seats, its game, its records, and the streams listening to it.

A `LiveTable` is a function of its records: every process with the same records has the same table.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import Any, NamedTuple, TypeVar

from brinkmanship.engine import fair, journal
from brinkmanship.engine.continuation import Prefix
from brinkmanship.engine.continuation import headers as headers_of_given
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.match import Decision, Match
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.table_terms import FREE, Terms
from brinkmanship.web.support.time_control import Timer, after_pause
from brinkmanship.web.support.tokens import digest
from brinkmanship.web.tables import open_view

WAITING = "waiting"
"""Status: a seat is free."""
DEALING = "dealing"
"""Status: all seats are taken; players' contributions to the deal are awaited."""
RUNNING = "running"
FINISHED = "over"
CLOSED = "closed"
"""Status: withdrawn or expired before all seats were taken; nothing was played."""

ACTION = "action"
UNDO = "undo"
RESIGN = "resign"
OFFER = "offer"
ACCEPT = "accept"
DECLINE = "decline"
TIMEOUT = "timeout"
ASK_BACK = "ask_back"
"""A side requests a take-back beyond the policy; the value is the number of entries to keep."""
TAKE_BACK = "take_back"
"""The other side accepts the take-back."""
KEEP = "keep"
"""The other side declines the take-back."""
WISH = "sides"
"""A side's wish for the next game of a series with agreed sides; value 1: swap relative to the first game, else 0."""
_ENDS = (RESIGN, TIMEOUT, ACCEPT)
"""Kinds of records that end a game before its rules do."""
HINT = "hint"
"""A side was given a hint for its pending decision; the value is the number of entries it knew then.

Not counted in any viewer's version: it shows with the decision for which it was taken.
"""
ASK_OPEN = "watch_ask"
"""A side proposes to show spectators all hands with a delay; the value is the delay (`open_view`)."""
OPEN = "watch_yes"
"""The other side accepts the delay."""
CLOSE = "watch_no"
"""A side ends it for everything spectators have not seen yet; value 1: it only declines or withdraws the proposal."""
ASK_COMMENTATOR = "note_ask"
"""A side proposes to invite a commentator."""
INVITE_COMMENTATOR = "note_yes"
"""The other side accepts."""
DISMISS_COMMENTATOR = "note_no"
"""A side declines, or dismisses the commentator."""
PAUSE = "pause"
"""The clocks were paused for `value` seconds until this record, because no one could play. The actor is `NOBODY`."""
NOBODY = -1
"""Actor of the server's own records."""

Worked = TypeVar("Worked")
Command = Callable[[], "TableRecord | None"]
"""Command callback: inspect the current table and return the record to write (None for none); raise to reject."""


@dataclass
class Seat:
    """Seat of a side: its player, and their share in the deal. A seat with neither user nor computer is free."""

    side: int
    person_id: str | None = None
    computer: str | None = None
    name: str = ""
    invitation: str | None = None
    """Token of the invitation link for the seat; at tables of older versions its digest."""
    contributes: bool = False
    """True if the user contributes random bytes to the deal."""
    pledge: str | None = None
    """Commitment to the user's bytes, sent before them (`fair.pledge`)."""
    contribution: bytes | None = None

    @property
    def is_free(self) -> bool:
        """True if the seat can still be taken."""
        return self.person_id is None and self.computer is None

    @property
    def is_awaited(self) -> bool:
        """True if the game cannot begin before this player's bytes have arrived."""
        return self.contributes and self.contribution is None

    @property
    def is_deserted(self) -> bool:
        """True if the user of the seat has deleted their account."""
        return self.person_id is not None and not self.name

    @property
    def known_as(self) -> str:
        """Name in files and for API clients, independent of a viewer's language."""
        return "somebody" if self.is_deserted else self.name

    def is_invited(self, token: str) -> bool:
        """Return True if this token allows a user to take the seat."""
        known = (self.invitation or "").encode()
        return self.is_free and any(hmac.compare_digest(known, given.encode()) for given in (token, digest(token)))


def status_before(seats: Sequence[Seat]) -> str:
    """Return the initial status of a table with these seats."""
    if any(seat.is_free for seat in seats):
        return WAITING
    return DEALING if any(seat.is_awaited for seat in seats) else RUNNING


class Part(NamedTuple):
    """Place of a table in a series of games."""

    series: str
    """Id of the series: the id of its first table."""
    number: int
    """Number of the game, from 0."""
    swapped: bool
    """True if the sides are swapped relative to the first game, in which player 0 had side 0."""

    @property
    def sides(self) -> tuple[int, int]:
        """Side of each player."""
        return (1, 0) if self.swapped else (0, 1)


class MatchPlace(NamedTuple):
    """Place of a table in a match of two games."""

    match: str
    """Id of the match."""
    number: int
    """Number of the game, 0 or 1; in game 1 the sides are swapped."""


class Occasion(NamedTuple):
    """Purpose of a table against the computer, besides a single game."""

    kind: str
    """"daily" for a deal of the day, "solo" for a stage of a crisis diary."""
    address: str
    """Path of the page that it belongs to."""

    @classmethod
    def of_daily(cls, game_id: str, day: int) -> Occasion:
        """Return the occasion of a game of a deal of the day."""
        return cls("daily", f"/daily/{game_id}/{date.fromordinal(day).isoformat()}")

    @classmethod
    def of_solo(cls, game_id: str, side: int) -> Occasion:
        """Return the occasion of a stage of a crisis diary."""
        return cls("solo", f"/solo/{game_id}/{side}")


class Origin(NamedTuple):
    """Origin of a game that continues from a position of another game, which is open to everyone."""

    address: str
    """Path of the other game: "/t/ID" or "/u/ID"."""
    same_chance: bool
    """True if chance is the same as in the other game; otherwise it is drawn again."""
    given: Prefix
    """Actions that led to the position."""

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Origin | None:
        """Return the origin stored in a table's row; None for a game that started from the beginning."""
        kept = row.get("origin")
        if kept is None:
            return None
        return cls(kept["from"], kept["same"], tuple((actor, action) for actor, action in kept["given"]))

    def as_json(self) -> dict[str, Any]:
        """Return the value stored in the table's row."""
        return {"from": self.address, "same": self.same_chance, "given": self.given}

    @property
    def step(self) -> int:
        """Step of the other game's replay that shows the position."""
        return len(self.given)


class News(NamedTuple):
    """State that a stream announces to a viewer; it sends an event only when one of these changes."""

    version: int
    """See `LiveTable.version`."""
    seating: str
    """See `LiveTable.seating`."""
    said: int
    """Number of the last chat line."""


class Listener:
    """A stream waiting for updates of a table, for one viewer."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.last_news: News | None = None
        """The update that the stream announced last."""
        self.event = asyncio.Event()


SNAPSHOT_FIELDS = (
    "match",
    "chance_key",
    "records",
    "offer",
    "back",
    "status",
    "result",
    "timer",
    "wishes",
    "hinted",
    "unheard",
    "dealt_at",
    "secret_since",
    "secret_left",
    "open_view",
    "commentary",
    "entry_times",
)
"""Attributes of a live table that a record can change."""


class LiveTable:
    """A table in memory: its seats, the match, and its listeners."""

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
        self.origin = Origin.of_row(row)
        self.match_place: MatchPlace | None = None
        """Place in a match of two games."""
        self.round: str | None = None
        """Duplicate round that the table belongs to: all its tables play the same deal."""
        self.occasion: Occasion | None = None
        """Purpose of the table; None for a single game, a match or a series."""
        self.sealed: bool = bool(row.get("sealed"))
        """True while other tables of the duplicate round may still play the same deal."""
        self.changes: int = row.get("changes", 0)
        """Number of changes outside the event log, as far as known here."""
        self.compared_at = time.monotonic()
        """Monotonic time (s) of the last comparison with the database."""
        self.seats = list(seats)
        self.match = Match(game)
        self.chance_key: bytes | None = None
        """Key from which all random draws follow; None before the deal."""
        self.records: list[TableRecord] = []
        self.offer: int | None = None
        """Side whose draw offer is pending."""
        self.back: tuple[int, int] | None = None
        """Side that requests a take-back, and the number of entries to keep."""
        self.wishes: dict[int, bool] = {}
        """In a series with agreed sides: each side's wish, True to swap the sides in the next game."""
        self.hinted: frozenset[tuple[int, int]] = frozenset()
        """Sides that were given hints, each with the number of entries it knew then."""
        self.unheard: dict[int, int] = {}
        """Records hidden from viewers for good: by index in `records`, the only viewer who sees it, or `NOBODY`."""
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        """Streams waiting for updates."""
        self.said = 0
        """Number of the last chat line; 0 if there is none."""
        self.looked_at: dict[int, float] = {}
        """Monotonic time (s) at which each side last had the table open."""
        self.orders: dict[int, frozenset[str]] = {}
        """Standing orders by side, for sides that have given any."""
        self.last_claim_attempt = 0.0
        """Monotonic time (s) of the last attempt to claim the table's lease."""
        self.changes_elsewhere = 0
        """Number of changes by other worker processes that require a reload."""
        self.changes_read = 0
        self.open_view = open_view.OpenView()
        """Agreement on open hands for spectators."""
        self.commentary = open_view.Commentary()
        """Agreement on a commentator."""
        self.entry_times: list[float] = []
        """Time of each entry of the game."""
        self._worked_out: dict[tuple[str, int], Any] = {}
        self.terms = Terms.of_row(row)
        self.timer = Timer(self.terms.clock, len(game.sides)) if self.terms.clock else None
        self.dealt_at: float | None = row.get("dealt_at")
        """Time of the deal, when the clocks start; None before it, or at a table of an older server."""
        self.secret_left: tuple[list[float], float | None] = ([], None)
        """The clocks, and their `since`, at the start of the pending secret choice."""
        self.secret_since: int | None = None
        """Number of records at the start of the pending secret choice."""
        if self.status in (WAITING, DEALING):
            self.status = status_before(self.seats)
        # A game may be resigned before it is dealt.
        if self.status in (RUNNING, FINISHED) and not any(seat.is_awaited for seat in self.seats):
            self._deal()

    def _deal(self) -> None:
        contributions = {self.game.sides[seat.side]: seat.contribution for seat in self.seats}
        self.chance_key = fair.chance_key(self.secret, contributions)
        if self.origin:
            self.match.take(self.origin.given)
        fair.advance(self.match, self.chance_key)
        self.entry_times = [self.created_at if self.dealt_at is None else self.dealt_at] * self.length
        if self.timer and self.dealt_at is not None:
            self.timer.start(self.dealt_at, sorted(self.match.pending))
        self._note_secret()

    def after(self, record: TableRecord) -> LiveTable:
        """Return the table as it will be after a record; this one is unchanged until `apply_snapshot`."""
        after = self._twin()
        after.match = self.match.copy()
        after.records = list(self.records)
        after.timer = deepcopy(self.timer)
        after.apply_record(record)
        return after

    def still(self) -> LiveTable:
        """Return a snapshot of the table, to be read in another thread while this one goes on."""
        still = self._twin()
        still.match = self.match.copy()
        still.records, still.seats = list(self.records), list(self.seats)
        still.timer = deepcopy(self.timer)
        still._worked_out = {}
        return still

    def _twin(self) -> LiveTable:
        # Ten times as fast as `copy.copy`.
        twin = LiveTable.__new__(LiveTable)
        twin.__dict__.update(self.__dict__)
        return twin

    def apply_snapshot(self, other: LiveTable) -> None:
        """Adopt the state of another instance of this table."""
        for name in SNAPSHOT_FIELDS:
            setattr(self, name, getattr(other, name))
        self._worked_out = {}

    def read_anew(self, fresh: LiveTable) -> None:
        """Adopt the state read from the database; the listeners stay."""
        self.apply_snapshot(fresh)
        self.seats = fresh.seats
        self.rematch = fresh.rematch
        self.sealed = fresh.sealed
        self.changes, self.compared_at = fresh.changes, fresh.compared_at
        self.orders = fresh.orders
        self.said = max(self.said, fresh.said)

    def after_seats(self, seats: Sequence[Seat], at: float) -> LiveTable:
        """Return the table as it will be with these seats from a time on; this one is unchanged."""
        after = self._twin()
        after.match = self.match.copy()
        after.seats = list(self.seats)
        after.timer = deepcopy(self.timer)
        after.change_seats(*seats, at=at)
        return after

    def change_seats(self, *seats: Seat, at: float) -> None:
        """Replace seats (taken, or with a pledge or bytes); the game begins once nothing is missing."""
        for seat in seats:
            self.seats[seat.side] = seat
        if self.status in (WAITING, DEALING):
            self.status = status_before(self.seats)
            if self.status == RUNNING:
                self.dealt_at = at
                self._deal()
        self._worked_out = {}

    def work_out(self, what: str, viewer: int, make: Callable[[], Worked]) -> Worked:
        """Return a value derived from the current position for a viewer; it is cached until the position changes."""
        key = (what, viewer)
        if key not in self._worked_out:
            self._worked_out[key] = make()
        worked: Worked = self._worked_out[key]
        return worked

    def apply_record(self, record: TableRecord) -> None:
        """Apply a record that has already been validated."""
        self._worked_out = {}
        completes = record.kind == ACTION and self.match.answered == 1 - record.actor
        if record.kind == ACTION:
            assert self.chance_key is not None, "no action can precede the deal"
            first = self.match.answered
            self.match.push(record.value, side=record.actor)
            fair.advance(self.match, self.chance_key)
            self.offer = self.back = None
            if first is not None and first != record.actor:
                self.secret_since = None  # that secret choice is over, even if the next decision is simultaneous again
        elif record.kind == UNDO:
            for _ in range(record.value):
                self.match.pop()
            self.back = None
        elif record.kind == OFFER:
            self.offer = record.actor
        elif record.kind == ASK_BACK:
            self.back = (record.actor, record.value)
        elif record.kind == TAKE_BACK:
            # Chance follows from secret and place: the same steps bring the same draws again (docs/develop/formats.md).
            while len(self.match.entries) > record.value:
                self.match.pop()
            self.offer = self.back = self.secret_since = None
            if self.timer:
                self.timer.forget_gains()
        elif record.kind == WISH:
            self.wishes = {**self.wishes, record.actor: bool(record.value)}
        elif record.kind == HINT:
            self.hinted |= {(record.actor, record.value)}
        elif record.kind == KEEP:
            self.back = None
        elif record.kind == DECLINE:
            self.offer = None
        elif record.kind in (ASK_OPEN, OPEN, CLOSE):
            self.open_view = self._open_view_after(record)
        elif record.kind in (ASK_COMMENTATOR, INVITE_COMMENTATOR, DISMISS_COMMENTATOR):
            self.commentary = self._commentary_after(record)
        self._note_entries(record, completes)
        self._note_unheard(record)
        self.records.append(record)
        self._settle(record)
        if self.timer and record.kind == PAUSE:
            self.timer.pause(record.at, record.value)
            left, since = self.secret_left
            self.secret_left = (left, after_pause(since, record.at, record.value))
        elif self.timer and record.kind != HINT:
            # Not `self.status`: a finished table that is reloaded has its final status from the first record on.
            runs = () if record.kind in _ENDS or record.kind == WISH else sorted(self.match.pending)
            undone = record.value if record.kind == UNDO else 0
            self.timer.record(record.at, record.actor, record.kind == ACTION, runs, self.match.in_secret, undone)
        self._note_secret()

    def _open_view_after(self, record: TableRecord) -> open_view.OpenView:
        """Return the agreement on open hands after a record; only a second person has to accept it."""
        if record.kind == CLOSE and record.value:
            return self.open_view._replace(asked=None)
        if record.kind == CLOSE:
            return open_view.OpenView(frozen=self.shown_openly(record.at))
        if record.kind == OPEN or self.decides_alone(record.actor):
            return open_view.OpenView(record.value)
        return self.open_view._replace(asked=(record.actor, record.value))

    def _commentary_after(self, record: TableRecord) -> open_view.Commentary:
        """Return the agreement on a commentator after a record."""
        if record.kind == DISMISS_COMMENTATOR:
            return open_view.Commentary()
        if record.kind == INVITE_COMMENTATOR or self.decides_alone(record.actor):
            return open_view.Commentary(len(self.records) + 1)
        return open_view.Commentary(asked=record.actor)

    def decides_alone(self, side: int) -> bool:
        """Return True if no second person has to agree with a side."""
        return self.is_hot_seat or self.seats[1 - side].computer is not None

    def _note_entries(self, record: TableRecord, completes: bool) -> None:
        """Note when the entries of a record were made, and forget those it takes back."""
        self.entry_times = open_view.times_after(self.entry_times, self.length, record.at, completes=completes)
        if self.open_view.frozen > self.length:
            self.open_view = self.open_view._replace(frozen=self.length)

    def _note_unheard(self, record: TableRecord) -> None:
        """Note the only viewer who ever sees a record being applied.

        After a secret choice its result is known, but not how often each side changed its mind, so that is never
        counted.
        """
        if record.kind == HINT:
            self.unheard = {**self.unheard, len(self.records): NOBODY}
        elif record.kind in (ACTION, UNDO) and self.secret_since is not None and self.match.in_secret:
            self.unheard = {**self.unheard, len(self.records): record.actor}

    def _note_secret(self) -> None:
        if not self.match.in_secret:
            self.secret_since = None
        elif self.secret_since is None:
            self.secret_since = len(self.records)
            if self.timer:
                self.secret_left = (list(self.timer.left), self.timer.since)

    def _settle(self, record: TableRecord) -> None:
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
        if self.status == FINISHED:
            # No action is possible any more: no offer or request outlives the game, however it ended.
            self.offer = self.back = None

    def seat_of(self, person_id: str | None) -> list[int]:
        """Return the sides a user plays: none, one, or in a hot seat game all."""
        return [seat.side for seat in self.seats if person_id is not None and seat.person_id == person_id]

    @property
    def last_game_record(self) -> TableRecord | None:
        """Last record of the game itself; wishes after its end do not count."""
        return next((record for record in reversed(self.records) if record.kind != WISH), None)

    @property
    def seating(self) -> str:
        """State of a table apart from game and chat, as viewers see it; a page must be reloaded when it changes."""
        taken = sum(not seat.is_free for seat in self.seats)
        pledged = "".join(" pledged" for seat in self.seats if seat.pledge) if self.status == DEALING else ""
        # Bytes that have arrived or were withdrawn may allow the other side to send its own.
        ready = "".join(" ready" for seat in self.seats if not seat.is_awaited) if self.status == DEALING else ""
        sealed = " sealed" if self.sealed else ""
        return f"{self.status} {taken}{pledged}{ready}{' next' if self.rematch else ''}{sealed}"

    def who_is_here(self, within: float) -> list[int]:
        """Return the sides that have had the table open within `within` seconds, active or not."""
        since = time.monotonic() - within
        return sorted(side for side, at in self.looked_at.items() if at >= since)

    @property
    def is_revealed(self) -> bool:
        """True if everyone may know everything: the game is over, and no other table still plays its deal."""
        return self.status == FINISHED and not self.sealed

    def is_open_to(self, person_id: str | None) -> bool:
        """Return True if a user may look at the table: in a duplicate round, only its players until the round is over.

        A table that waits for players is open to everyone: nothing has been dealt there.
        """
        return not self.sealed or self.status == WAITING or bool(self.seat_of(person_id))

    def check_open_to(self, person_id: str | None) -> None:
        """Raise unless a user may look at the table (`is_open_to`).

        Raises:
            ForbiddenError: The same deal is still being played at other tables.
        """
        if not self.is_open_to(person_id):
            raise ForbiddenError(
                "other tables still play this deal: until they have finished, only the players see the table",
                said="duplicate.refused.sealed",
            )

    @property
    def is_behind(self) -> bool:
        """True if another worker process has written something that has not been read yet."""
        return self.changes_read < self.changes_elsewhere

    @property
    def is_hot_seat(self) -> bool:
        """True if one user plays every side on one screen."""
        people = {seat.person_id for seat in self.seats}
        return len(people) == 1 and None not in people

    @property
    def to_move(self) -> list[int]:
        """Sides to move now."""
        return sorted(self.match.pending) if self.status == RUNNING else []

    @property
    def asked_names(self) -> str:
        """Sides to move, as stored in the table's row for the players' lists of games.

        During a secret choice this reveals who has chosen: never send it to other viewers.
        """
        if self.match.is_over or self.status == FINISHED:
            return ""
        return ",".join(self.game.sides[side] for side in sorted(self.match.pending))

    @property
    def length(self) -> int:
        """Number of entries of the game."""
        return len(self.match.entries)

    def move(self, step: int) -> str | None:
        """Return the text of the last entry before a step, which names a move; "" at the start, None beyond the end.

        It may be hidden from viewers.
        """
        if step > self.length:
            return None
        return self.match.entries[step - 1].text if step else ""

    @property
    def given(self) -> int:
        """Number of entries given at the start by the game it continues; they cannot be taken back."""
        return self.origin.step if self.origin else 0

    @property
    def computer_asked(self) -> int | None:
        """First side to move that is played by a computer, or None."""
        for side in self.to_move:
            if self.seats[side].computer:
                return side
        return None

    @property
    def ordered(self) -> tuple[int, int] | None:
        """Side to move whose choice follows from a standing order, and its action; None if there is none."""
        for side in self.to_move if self.orders else ():
            if side in self.orders:
                action = self.game.ordered_action(self.orders[side], self.view(side), side)
                if action is not None:
                    return side, action
        return None

    @property
    def goes_on_by_itself(self) -> bool:
        """True if the server acts for a side to move: a bot or a standing order."""
        if not self.orders and not any(seat.computer for seat in self.seats):
            return False  # the common case of two users; checked several times per action
        return self.computer_asked is not None or self.ordered is not None

    @property
    def clock_ends_at(self) -> float | None:
        """Time at which the next clock runs out if no one acts; None while no clock runs."""
        return self.timer.ends_at if self.timer and self.status == RUNNING else None

    def version(self, viewer: int) -> int:
        """Return a number that grows with everything a viewer may know, and with nothing else.

        In a simultaneous choice the other side's choice counts once, when both have chosen: making, changing or taking
        it back before is never counted, then or later.
        """
        return len(self.records) - sum(hearer != viewer for hearer in self.unheard.values())

    def news(self, viewer: int) -> News:
        """Return the state that a stream announces to a viewer."""
        return News(self.version(viewer), self.seating, self.said)

    def known_records(self, viewer: int) -> list[TableRecord]:
        """Return the records that a viewer may know."""
        unheard = self.unheard
        if not unheard:
            return self.records
        return [record for index, record in enumerate(self.records) if unheard.get(index, viewer) == viewer]

    @property
    def allows_hints(self) -> bool:
        """True if the players may take hints."""
        if self.terms.hints is not None:
            return self.terms.hints
        return self.is_hot_seat or any(seat.computer for seat in self.seats)

    def hinted_entries(self, viewer: int) -> frozenset[int]:
        """Return the numbers, from 1, of the entries known to a viewer that were decided after a hint."""
        if not self.hinted:
            return frozenset()
        entries = self.seen_by(viewer).entries
        found = set()
        for side, known in self.hinted:
            for number in (known + 1, known + 2):  # + 2: the second of two simultaneous secret choices
                if number <= len(entries) and entries[number - 1].actor == side:
                    if number == known + 1 or entries[number - 1].together:
                        found.add(number)
                    break
        return frozenset(found)

    def pause_before(self, viewer: int) -> TableRecord | None:
        """Return the last record known to a viewer if it is a pause, else None."""
        known = self.known_records(viewer)
        return known[-1] if known and known[-1].kind == PAUSE else None

    def pauses_before(self, viewer: int) -> int:
        """Return the number of consecutive pauses at the end of the records known to a viewer."""
        return sum(1 for _ in takewhile(lambda record: record.kind == PAUSE, reversed(self.known_records(viewer))))

    def seconds_left(self, viewer: int, now: float) -> list[float] | None:
        """Return each side's time (s) as a viewer may know it; None without clocks."""
        if self.timer is None:
            return None
        shown = [self.timer.seconds_left(side, now) for side in range(len(self.seats))]
        if self.secret_since is not None:
            left, since = self.secret_left
            for side in range(len(self.seats)):
                if side != viewer:
                    shown[side] = left[side] - (0.0 if since is None else max(0.0, now - since))
        return [max(0.0, seconds) for seconds in shown]

    def seen_by(self, viewer: int) -> Perspective:
        """Return the game as a viewer knows it; everything that displays the game uses this.

        Raises:
            ForbiddenError: All cards are asked for while other tables still play this deal.
        """
        if self.sealed and viewer == FULL_INFORMATION:
            raise ForbiddenError(
                "other tables still play this deal: it is revealed when all of them have finished",
                said="duplicate.refused.sealed",
            )
        return Perspective(self.match, viewer)

    @property
    def open_view_delays(self) -> tuple[int, ...]:
        """The delays with which the players may show spectators all hands; empty where they may not."""
        if self.terms.rated or self.sealed or self.round:
            return ()
        return open_view.delays_of(self.game, self.terms)

    def shown_openly(self, now: float) -> int:
        """Return the number of entries of the running game that spectators may see with all hands open."""
        return open_view.shown(self.open_view, self.match, self.entry_times, now)

    def seen_openly(self, viewer: int, now: float) -> Perspective:
        """Return the game as far as spectators may see it openly; it holds nothing newer.

        Raises:
            ForbiddenError: Other tables still play this deal.
        """
        if self.sealed:
            self.check_open_to(None)
        return Perspective(self.match.until(self.shown_openly(now)), viewer)

    def seen_game(self, side: int) -> Observation:
        """Return the game as given to the computer player of a side: from its start, which is slow (see `still`)."""
        return Observation.of(self.match, side)

    def bot_seed(self, side: int) -> int | None:
        """Return the seed of a computer player's next choice; None lets it choose by chance.

        While others play the same deal it follows from the deal's secret and from all that the side sees, so that the
        same moves get the same reply at every table.
        """
        if not self.sealed:
            return None
        purpose = b"brinkmanship computer 1 %d " % side
        return int.from_bytes(hmac.digest(self.secret, purpose + self.view(side).tobytes(), "sha256")[:8], "big")

    def view(self, viewer: int) -> State:
        """Return the current state as a viewer knows it."""
        return self.seen_by(viewer).view()

    def decisions(self, viewer: int) -> list[Decision]:
        """Return a viewer's legal decisions: none for a spectator, or while the game is not running."""
        return self.seen_by(viewer).legal() if self.status == RUNNING else []

    def undo_count(self, viewer: int) -> int:
        """Return the number of entries that a viewer may undo now without asking."""
        if self.status != RUNNING or self.terms.undo != FREE:
            return 0
        return min(self.seen_by(viewer).undo_count, self.length - self.given)

    def legal_number(self, side: int, action: int | str) -> int:
        """Return the number of an action that is legal for a side now.

        Raises:
            IllegalError: The action is not legal; the message lists the legal ones.
        """
        if side not in self.match.pending:
            raise IllegalError(f"{self.game.sides[side]} is not to move", said="refused.not_asked")
        try:
            return self.match.checked(action, side)
        except BrinkError as error:
            raise IllegalError(str(error), said="refused.no_choice") from error

    def journal(self, viewer: int) -> journal.Journal:
        """Return the journal for a viewer: complete once the game is revealed, else what the viewer may know."""
        headers = {seat_side: seat.known_as for seat_side, seat in zip(self.game.sides, self.seats, strict=True)}
        headers["date"] = time.strftime("%Y-%m-%d", time.gmtime(self.created_at))
        shares = {self.game.sides[seat.side]: fair.Share(seat.pledge or "", seat.contribution) for seat in self.seats}
        secret = self.secret if self.is_revealed else None
        headers |= fair.headers(secret, self.commitment, shares)
        if self.origin:
            headers |= headers_of_given(self.origin.given, self.origin.address)
        if self.is_revealed:
            record = journal.of_match(self.match, headers, result=self.result)
            if self.chance_key:
                record = fair.with_draws(record, self.match, self.chance_key, self.given)
            viewer = FULL_INFORMATION
        else:
            # A sealed game may have ended by resignation, which its position does not say.
            record = journal.known_to(self.seen_by(viewer), headers, self.result or None)
        return journal.with_notes_of_hints(record, {number - 1 for number in self.hinted_entries(viewer)})
