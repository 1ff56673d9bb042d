"""A table in memory: its seats, the game that is played at it, what happened, and who waits for news.

A `LiveTable` is what its records say and nothing else: any process that knows the records has the same table.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
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
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.table_terms import FREE, Terms
from brinkmanship.web.support.time_control import Timer, after_pause
from brinkmanship.web.support.tokens import digest

WAITING = "waiting"
"""A seat is free."""
DEALING = "dealing"
"""All seats are taken; bytes that players want to add to the chance of the game are awaited."""
RUNNING = "running"
FINISHED = "over"
CLOSED = "closed"
"""Withdrawn, or waited for too long, before everybody had sat down: nothing was played."""

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
WISH = "sides"
"""After a game of a series whose sides are agreed on: the value is 1 for other sides than in the first game, else 0."""
_ENDS = (RESIGN, TIMEOUT, ACCEPT)
"""Kinds of records that end a game which its rules have not ended."""
HINT = "hint"
"""A side was given a hint for what it is asked; the value is how many entries it knew of then. No reader's version
counts it: it shows with the decision for which it was taken."""
PAUSE = "pause"
"""Nobody could play for so many seconds until then; clocks stood still. The actor is `NOBODY`."""
NOBODY = -1
"""The actor of what the server itself records."""

Worked = TypeVar("Worked")
Command = Callable[[], "TableRecord | None"]
"""Looks at a table as it is now and says what shall be written, None for nothing; raises what forbids it."""


@dataclass
class Seat:
    """Who plays a side. A seat with neither a person nor a computer is free."""

    side: int
    person_id: str | None = None
    computer: str | None = None
    name: str = ""
    invitation: str | None = None
    """Token of the link that may still take the seat; of an older table the digest of it."""
    contributes: bool = False
    """Whether the person adds random bytes to the chance of the game."""
    pledge: str | None = None
    """What binds him to bytes he has not sent yet (`fair.pledge`)."""
    contribution: bytes | None = None

    @property
    def is_free(self) -> bool:
        """Whether somebody may still sit down here."""
        return self.person_id is None and self.computer is None

    @property
    def is_awaited(self) -> bool:
        """Whether the game cannot begin before this player's bytes have come."""
        return self.contributes and self.contribution is None

    @property
    def is_deserted(self) -> bool:
        """Whether the person who sat here has deleted his account."""
        return self.person_id is not None and not self.name

    @property
    def known_as(self) -> str:
        """The name in files and for programs, which have no reader's language."""
        return "somebody" if self.is_deserted else self.name

    def is_invited(self, token: str) -> bool:
        """Whether somebody with this token may sit down here."""
        known = (self.invitation or "").encode()
        return self.is_free and any(hmac.compare_digest(known, given.encode()) for given in (token, digest(token)))


def status_before(seats: Sequence[Seat]) -> str:
    """The status of a table at which nothing has happened yet."""
    if any(seat.is_free for seat in seats):
        return WAITING
    return DEALING if any(seat.is_awaited for seat in seats) else RUNNING


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


class Origin(NamedTuple):
    """What a game has that was played on from a position of another one, which is open to everybody."""

    address: str
    """Where that other game is: "/t/ID" or "/u/ID"."""
    same_chance: bool
    """Whether chance is decided as there; else anew."""
    given: Prefix
    """What led to the position."""

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Origin | None:
        """As a table's row has it; None of a game that was begun at its table."""
        kept = row.get("origin")
        if kept is None:
            return None
        return cls(kept["from"], kept["same"], tuple((actor, action) for actor, action in kept["given"]))

    def as_json(self) -> dict[str, Any]:
        """As it is kept."""
        return {"from": self.address, "same": self.same_chance, "given": self.given}

    @property
    def step(self) -> int:
        """The step of the other game's replay that shows the position."""
        return len(self.given)


class News(NamedTuple):
    """All that a stream announces to a reader: it says something only where one of these has changed."""

    version: int
    """See `LiveTable.version`."""
    seating: str
    """See `LiveTable.seating`."""
    said: int
    """The number of the last line of the chat."""


class Listener:
    """A stream that waits for news of a table, with the reader it is for."""

    def __init__(self, reader: int) -> None:
        self.reader = reader
        self.told: News | None = None
        """The news that the stream has announced last."""
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
)
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
        self.origin = Origin.of_row(row)
        self.changes: int = row.get("changes", 0)
        """How often something has changed that no record says, as far as is known here."""
        self.compared_at = time.monotonic()
        """When this was last known to be what the database has."""
        self.seats = list(seats)
        self.match = Match(game)
        self.chance_key: bytes | None = None
        """From which all that is drawn follows; None: nothing is dealt yet."""
        self.records: list[TableRecord] = []
        self.offer: int | None = None
        """The side whose offer to end the game without a result waits for an answer."""
        self.back: tuple[int, int] | None = None
        """The side that asks to take back, and how many entries shall stay."""
        self.wishes: dict[int, bool] = {}
        """In a series whose sides are agreed on: what each side has said, whether they shall be swapped next."""
        self.hinted: frozenset[tuple[int, int]] = frozenset()
        """The sides that were given hints, each with how many entries it knew of then."""
        self.unheard: dict[int, int] = {}
        """Records that readers never hear of: by index in `event_log`, the only reader who does, or `NOBODY`."""
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        """Who waits for news."""
        self.said = 0
        """The number of the last line of the chat, 0 before anything was said."""
        self.looked_at: dict[int, float] = {}
        """When each side last had the table open, by `time.monotonic`."""
        self.orders: dict[int, frozenset[str]] = {}
        """The standing orders of each side that has given some."""
        self.last_claim_attempt = 0.0
        """When it was last asked whether the table is at home here, by `time.monotonic`."""
        self.changes_elsewhere = 0
        """How often another worker process has written here something that has to be read."""
        self.changes_read = 0
        self._worked_out: dict[tuple[str, int], Any] = {}
        self.terms = Terms.of_row(row)
        self.timer = Timer(self.terms.clock, len(game.sides)) if self.terms.clock else None
        self.dealt_at: float | None = row.get("dealt_at")
        """When the cards were dealt, since when the clocks run; None: not yet, or at a table of an older server."""
        self.secret_left: tuple[list[float], float | None] = ([], None)
        """The clocks, and when it was, as the secret choice began that is still open."""
        self.secret_since: int | None = None
        """How many records there were when the secret choice began that is still open."""
        if self.status in (WAITING, DEALING):
            self.status = status_before(self.seats)
        # A game may be given up before it is dealt.
        if self.status in (RUNNING, FINISHED) and not any(seat.is_awaited for seat in self.seats):
            self._deal()

    def _deal(self) -> None:
        contributions = {self.game.sides[seat.side]: seat.contribution for seat in self.seats}
        self.chance_key = fair.chance_key(self.secret, contributions)
        if self.origin:
            self.match.take(self.origin.given)
        fair.advance(self.match, self.chance_key)
        if self.timer and self.dealt_at is not None:
            self.timer.start(self.dealt_at, sorted(self.match.pending))
        self._note_secret()

    def after(self, record: TableRecord) -> LiveTable:
        """The table as it will be after a record; this one stays as it is until `apply_snapshot`."""
        after = self._twin()
        after.match = self.match.copy()
        after.records = list(self.records)
        after.timer = deepcopy(self.timer)
        after.apply_record(record)
        return after

    def still(self) -> LiveTable:
        """The table as it is now, to be looked at in another thread while this one goes on."""
        still = self._twin()
        still.match = self.match.copy()
        still.records, still.seats = list(self.records), list(self.seats)
        still.timer = deepcopy(self.timer)
        still._worked_out = {}
        return still

    def _twin(self) -> LiveTable:
        # `copy.copy` does the same in ten times the time.
        twin = LiveTable.__new__(LiveTable)
        twin.__dict__.update(self.__dict__)
        return twin

    def apply_snapshot(self, other: LiveTable) -> None:
        """Be at the point of another one of the same table."""
        for name in SNAPSHOT_FIELDS:
            setattr(self, name, getattr(other, name))
        self._worked_out = {}

    def read_anew(self, fresh: LiveTable) -> None:
        """Be as the database has it; those who listen stay."""
        self.apply_snapshot(fresh)
        self.seats = fresh.seats
        self.rematch = fresh.rematch
        self.changes, self.compared_at = fresh.changes, fresh.compared_at
        self.orders = fresh.orders
        self.said = max(self.said, fresh.said)

    def after_seats(self, seats: Sequence[Seat], at: float) -> LiveTable:
        """The table as it will be with these seats from a time on; this one stays as it is."""
        after = self._twin()
        after.match = self.match.copy()
        after.seats = list(self.seats)
        after.timer = deepcopy(self.timer)
        after.change_seats(*seats, at=at)
        return after

    def change_seats(self, *seats: Seat, at: float) -> None:
        """Seats are taken, or their players pledge or send bytes; when nothing is missing any more the game begins."""
        for seat in seats:
            self.seats[seat.side] = seat
        if self.status in (WAITING, DEALING):
            self.status = status_before(self.seats)
            if self.status == RUNNING:
                self.dealt_at = at
                self._deal()
        self._worked_out = {}

    def work_out(self, what: str, reader: int, make: Callable[[], Worked]) -> Worked:
        """Something made from the present position for a reader, made once for all who ask for it."""
        key = (what, reader)
        if key not in self._worked_out:
            self._worked_out[key] = make()
        worked: Worked = self._worked_out[key]
        return worked

    def apply_record(self, record: TableRecord) -> None:
        """Do what a record says; it has been checked."""
        self._worked_out = {}
        if record.kind == ACTION:
            assert self.chance_key is not None, "nobody acts before the cards are dealt"
            first = self.match.answered
            self.match.push(record.value, side=record.actor)
            fair.advance(self.match, self.chance_key)
            self.offer = self.back = None
            if first is not None and first != record.actor:
                self.secret_since = None  # that question is over, though the next one may be put to both again
        elif record.kind == UNDO:
            for _ in range(record.value):
                self.match.pop()
            self.back = None
        elif record.kind == OFFER:
            self.offer = record.actor
        elif record.kind == ASK_BACK:
            self.back = (record.actor, record.value)
        elif record.kind == TAKE_BACK:
            # Chance follows from secret and place: all dealt from there on is dealt again (docs/develop/journal.md).
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
        self._note_unheard(record)
        self.records.append(record)
        self._settle(record)
        if self.timer and record.kind == PAUSE:
            self.timer.pause(record.at, record.value)
            left, since = self.secret_left
            self.secret_left = (left, after_pause(since, record.at, record.value))
        elif self.timer and record.kind != HINT:
            # Not by the status: a finished table that is read again has it from its first record on.
            runs = () if record.kind in _ENDS or record.kind == WISH else sorted(self.match.pending)
            undone = record.value if record.kind == UNDO else 0
            self.timer.record(record.at, record.actor, record.kind == ACTION, runs, self.match.in_secret, undone)
        self._note_secret()

    def _note_unheard(self, record: TableRecord) -> None:
        """Note who alone ever hears of a record that is carried out.

        After a secret choice its answers are known, but not how often each was changed: so that never counts.
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
            # Nobody can answer any more: no offer or request outlives the game, however it ended.
            self.offer = self.back = None

    def seat_of(self, person_id: str | None) -> list[int]:
        """The sides a person plays: none, one, or in hot seat all."""
        return [seat.side for seat in self.seats if person_id is not None and seat.person_id == person_id]

    @property
    def last_deed(self) -> TableRecord | None:
        """The last record of the game; what was said after its end is none."""
        return next((record for record in reversed(self.records) if record.kind != WISH), None)

    @property
    def seating(self) -> str:
        """What readers see of a table beside the game and the chat: other than before when a page must be made anew."""
        taken = sum(not seat.is_free for seat in self.seats)
        pledged = "".join(" pledged" for seat in self.seats if seat.pledge) if self.status == DEALING else ""
        # Bytes that have come, or shall not come any more, may let the other side send its own.
        ready = "".join(" ready" for seat in self.seats if not seat.is_awaited) if self.status == DEALING else ""
        return f"{self.status} {taken}{pledged}{ready}{' next' if self.rematch else ''}"

    def who_is_here(self, within: float) -> list[int]:
        """The sides that have had the table open within so many seconds; whether they do anything is not asked."""
        since = time.monotonic() - within
        return sorted(side for side, at in self.looked_at.items() if at >= since)

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

    @property
    def asked_names(self) -> str:
        """Who is asked, as it is kept with the table's row for the lists of those who sit there.

        While both choose in secret it says who has chosen: it is to be told nobody else.
        """
        if self.match.is_over or self.status == FINISHED:
            return ""
        return ",".join(self.game.sides[side] for side in sorted(self.match.pending))

    @property
    def length(self) -> int:
        """How many entries the game has."""
        return len(self.match.entries)

    @property
    def given(self) -> int:
        """How many of them were given when it was played on from another game; nobody takes these back."""
        return self.origin.step if self.origin else 0

    @property
    def computer_asked(self) -> int | None:
        """The first of the sides that may act now and that a computer plays."""
        for side in self.asked:
            if self.seats[side].computer:
                return side
        return None

    @property
    def ordered(self) -> tuple[int, int] | None:
        """The side that is asked and has answered beforehand by a standing order, and its action."""
        for side in self.asked if self.orders else ():
            if side in self.orders:
                action = self.game.ordered_action(self.orders[side], self.view(side), side)
                if action is not None:
                    return side, action
        return None

    @property
    def goes_on_by_itself(self) -> bool:
        """Whether the program answers for a side that is asked: a computer, or a standing order."""
        if not self.orders and not any(seat.computer for seat in self.seats):
            return False  # two people, as at most tables: asked several times for each action
        return self.computer_asked is not None or self.ordered is not None

    @property
    def clock_ends_at(self) -> float | None:
        """When the next clock runs out if nobody acts, None while none runs."""
        return self.timer.ends_at if self.timer and self.status == RUNNING else None

    def version(self, reader: int) -> int:
        """A number that rises with all a reader may know of, and with nothing else.

        Of a question put to both sides the other side's answer counts once, when both have answered: that it was
        given, changed or taken back before is not counted, then or later.
        """
        return len(self.records) - sum(hearer != reader for hearer in self.unheard.values())

    def news(self, reader: int) -> News:
        """All that a stream announces to a reader."""
        return News(self.version(reader), self.seating, self.said)

    def known_records(self, reader: int) -> list[TableRecord]:
        """The records that a reader may know of."""
        unheard = self.unheard
        if not unheard:
            return self.records
        return [record for index, record in enumerate(self.records) if unheard.get(index, reader) == reader]

    @property
    def allows_hints(self) -> bool:
        """Whether its players may take hints."""
        if self.terms.hints is not None:
            return self.terms.hints
        return self.is_hot_seat or any(seat.computer for seat in self.seats)

    def hinted_entries(self, reader: int) -> frozenset[int]:
        """The entries, of those that a reader knows of, that were decided after a hint; numbers from 1."""
        if not self.hinted:
            return frozenset()
        entries = self.seen_by(reader).entries
        found = set()
        for side, known in self.hinted:
            for number in (known + 1, known + 2):  # the second of two answers given in secret
                if number <= len(entries) and entries[number - 1].actor == side:
                    if number == known + 1 or entries[number - 1].together:
                        found.add(number)
                    break
        return frozenset(found)

    def pause_before(self, reader: int) -> TableRecord | None:
        """The pause since which nothing has happened that a reader may know of, if the last thing was one."""
        known = self.known_records(reader)
        return known[-1] if known and known[-1].kind == PAUSE else None

    def pauses_before(self, reader: int) -> int:
        """How many pauses there were, one after the other, since the last thing that a reader may know of."""
        return sum(1 for _ in takewhile(lambda record: record.kind == PAUSE, reversed(self.known_records(reader))))

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

    def seen_by(self, reader: int) -> Perspective:
        """The game as a reader knows it; all that shows it takes this."""
        return Perspective(self.match, reader)

    def seen_game(self, side: int) -> Observation:
        """The game as the computer player of a side is given it: from its start, which takes a while (see `still`)."""
        return Observation.of(self.match, side)

    def view(self, reader: int) -> State:
        """What a reader knows now."""
        return self.seen_by(reader).view()

    def decisions(self, reader: int) -> list[Decision]:
        """What a reader may do now: nothing for an onlooker, or while the game is not running."""
        return self.seen_by(reader).legal() if self.status == RUNNING else []

    def undo_count(self, reader: int) -> int:
        """How many entries a reader may take back now by himself."""
        if self.status != RUNNING or self.terms.undo != FREE:
            return 0
        return min(self.seen_by(reader).undo_count, self.length - self.given)

    def legal_number(self, side: int, action: int | str) -> int:
        """The number of an action that a side may take now.

        Raises:
            IllegalError: it may not; the message says what it may do.
        """
        if side not in self.match.pending:
            raise IllegalError(f"{self.game.sides[side]} is not asked", said="refused.not_asked")
        try:
            return self.match.checked(action, side)
        except BrinkError as error:
            raise IllegalError(str(error), said="refused.no_choice") from error

    def journal(self, reader: int) -> journal.Journal:
        """The journal for a reader: whole when the game is over, else what the reader may know."""
        headers = {seat_side: seat.known_as for seat_side, seat in zip(self.game.sides, self.seats, strict=True)}
        headers["date"] = time.strftime("%Y-%m-%d", time.gmtime(self.created_at))
        shares = {self.game.sides[seat.side]: fair.Share(seat.pledge or "", seat.contribution) for seat in self.seats}
        secret = self.secret if self.status == FINISHED else None
        headers |= fair.headers(secret, self.commitment, shares)
        if self.origin:
            headers |= headers_of_given(self.origin.given, self.origin.address)
        if self.status == FINISHED:
            record = journal.of_match(self.match, headers, result=self.result)
            if self.chance_key:
                record = fair.with_draws(record, self.match, self.chance_key, self.given)
            reader = FULL_INFORMATION
        else:
            record = journal.known_to(self.seen_by(reader), headers)
        return journal.with_notes_of_hints(record, {number - 1 for number in self.hinted_entries(reader)})
