"""Table in memory: its seats, its game, its records, and the streams listening to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from brinkmanship.engine import commit_reveal, journal
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
from brinkmanship.web.support.time_control import Timer
from brinkmanship.web.tables.freshness import Freshness
from brinkmanship.web.tables.origins import MatchPlace, Occasion, Origin, SeriesPlace
from brinkmanship.web.tables.presence import News, Presence
from brinkmanship.web.tables.record_handlers import apply_record
from brinkmanship.web.tables.record_kinds import PAUSE
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import DEALING, FINISHED, RUNNING, WAITING, status_before
from brinkmanship.web.tables.table_state import TableState

Worked = TypeVar("Worked")


class LiveTable:
    """A table in memory: its state, what each viewer may know of it, and who has it open."""

    def __init__(
        self, row: Mapping[str, Any], seats: Sequence[Seat], game: Game, part: SeriesPlace | None = None
    ) -> None:
        self.id: str = row["id"]
        self.game = game
        self.secret: bytes = row["secret"]
        self.commitment: str = row["commitment"]
        self.created_at: float = row["created_at"]
        self.is_open: bool = row["is_open"]
        self.terms = Terms.of_row(row)
        self.part = part
        self.match_place: MatchPlace | None = None
        """Place in a match of two games."""
        self.round: str | None = None
        """Duplicate round that the table belongs to: all its tables play the same deal."""
        self.occasion: Occasion | None = None
        """Purpose of the table; None for a single game, a match or a series."""
        self.origin = Origin.of_row(row)
        self.rematch: str | None = row["rematch"]
        self.sealed: bool = bool(row.get("sealed"))
        """True while other tables of the duplicate round may still play the same deal."""
        self.said = 0
        """Number of the last chat line; 0 if there is none."""
        self.lock = asyncio.Lock()
        self.presence = Presence()
        self.freshness = Freshness(row.get("changes", 0))
        self._cached: dict[tuple[str, int], Any] = {}
        status = status_before(seats) if row["status"] in (WAITING, DEALING) else row["status"]
        timer = Timer(self.terms.clock, len(game.sides)) if self.terms.clock else None
        self.state = TableState(game, list(seats), status, row["result"], Match(game), timer, row.get("dealt_at"))
        # A game may be resigned before it is dealt.
        if status in (RUNNING, FINISHED) and not any(seat.is_awaited for seat in seats):
            self.state.deal(self.secret, self.origin, self.created_at)

    def after(self, record: TableRecord) -> TableState:
        """Return the state as it will be after a record; the table is unchanged until `apply_state`."""
        after = self.state.copy()
        apply_record(after, record)
        return after

    def after_seats(self, seats: Sequence[Seat], at: float) -> TableState:
        """Return the state as it will be with these seats (taken, or with a pledge or bytes) from a time on.

        The game begins once nothing is missing.
        """
        after = self.state.copy()
        after.seats = list(self.seats)
        for seat in seats:
            after.seats[seat.side] = seat
        if after.status in (WAITING, DEALING):
            after.status = status_before(after.seats)
            if after.status == RUNNING:
                after.dealt_at = at
                after.deal(self.secret, self.origin, self.created_at)
        return after

    def apply_record(self, record: TableRecord) -> None:
        """Apply a record that has already been validated."""
        self._cached = {}
        apply_record(self.state, record)

    def apply_state(self, state: TableState) -> None:
        """Adopt a state of this table."""
        self._cached = {}
        self.state = state

    def read_anew(self, fresh: LiveTable) -> None:
        """Adopt the state read from the database; the listeners stay."""
        self.apply_state(fresh.state)
        self.rematch = fresh.rematch
        self.sealed = fresh.sealed
        self.freshness.changes, self.freshness.compared_at = fresh.freshness.changes, fresh.freshness.compared_at
        self.said = max(self.said, fresh.said)

    def snapshot(self) -> LiveTable:
        """Return a snapshot of the table, to be read in another thread while this one goes on."""
        snapshot = LiveTable.__new__(LiveTable)  # ten times as fast as `copy.copy`
        snapshot.__dict__.update(self.__dict__)
        snapshot.state = self.state.copy()
        snapshot.state.seats = list(self.seats)
        snapshot._cached = {}
        return snapshot

    def cached(self, what: str, viewer: int, make: Callable[[], Worked]) -> Worked:
        """Return a value derived from the current position for a viewer; it is cached until the position changes."""
        key = (what, viewer)
        if key not in self._cached:
            self._cached[key] = make()
        worked: Worked = self._cached[key]
        return worked

    @property
    def status(self) -> str:
        """See `statuses`."""
        return self.state.status

    @property
    def result(self) -> str:
        """Result of a finished game, as in a journal; "" before the end."""
        return self.state.result

    @property
    def seats(self) -> list[Seat]:
        """Seats by side."""
        return self.state.seats

    @property
    def match(self) -> Match:
        """The game with all that is hidden; see `seen_by`."""
        return self.state.match

    @property
    def records(self) -> list[TableRecord]:
        """All records; see `known_records`."""
        return self.state.records

    @property
    def timer(self) -> Timer | None:
        """Clocks; see `seconds_left`."""
        return self.state.timer

    @property
    def to_move(self) -> list[int]:
        """Sides to move now."""
        return self.state.to_move

    @property
    def length(self) -> int:
        """Number of entries of the game."""
        return self.state.length

    def seat_of(self, person_id: str | None) -> list[int]:
        """Return the sides a user plays: none, one, or in a hot seat game all."""
        return [seat.side for seat in self.seats if person_id is not None and seat.person_id == person_id]

    @property
    def seating(self) -> str:
        """State of a table apart from game and chat, as viewers see it; a page must be reloaded when it changes."""
        status = self.status  # read once, as this runs several times per request
        taken = sum(not seat.is_free for seat in self.seats)
        pledged = ready = ""
        if status == DEALING:
            pledged = "".join(" pledged" for seat in self.seats if seat.pledge)
            # Bytes that have arrived or were withdrawn may allow the other side to send its own.
            ready = "".join(" ready" for seat in self.seats if not seat.is_awaited)
        sealed = " sealed" if self.sealed else ""
        return f"{status} {taken}{pledged}{ready}{' next' if self.rematch else ''}{sealed}"

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
                key="duplicate.refused.sealed",
            )

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

    def version(self, viewer: int) -> int:
        """Return a number that grows with everything a viewer may know, and with nothing else (see `Secrecy`)."""
        return self.state.secrecy.version(len(self.records), viewer)

    def news(self, viewer: int) -> News:
        """Return the state that a stream announces to a viewer."""
        return News(self.version(viewer), self.seating, self.said)

    def announce(self) -> None:
        """Wake the streams whose viewers have an update."""
        self.presence.announce(self.news)

    def known_records(self, viewer: int) -> list[TableRecord]:
        """Return the records that a viewer may know."""
        return self.state.secrecy.known(self.records, viewer)

    @property
    def allows_hints(self) -> bool:
        """True if the players may take hints."""
        if self.terms.hints is not None:
            return self.terms.hints
        return self.state.is_hot_seat or any(seat.computer for seat in self.seats)

    def hinted_entries(self, viewer: int) -> frozenset[int]:
        """Return the numbers, from 1, of the entries known to a viewer that were decided after a hint."""
        if not self.state.hinted:
            return frozenset()
        entries = self.seen_by(viewer).entries
        found = set()
        for side, known in self.state.hinted:
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

    def seconds_left(self, viewer: int, now: float) -> list[float] | None:
        """Return each side's time (s) as a viewer may know it; None without clocks."""
        return self.state.secrecy.seconds_left(self.timer, viewer, now) if self.timer else None

    def seen_by(self, viewer: int) -> Perspective:
        """Return the game as a viewer knows it; everything that displays the game uses this.

        Raises:
            ForbiddenError: All cards are asked for while other tables still play this deal.
        """
        if self.sealed and viewer == FULL_INFORMATION:
            raise ForbiddenError(
                "other tables still play this deal: it is revealed when all of them have finished",
                key="duplicate.refused.sealed",
            )
        return Perspective(self.match, viewer)

    def shown_openly(self, now: float) -> int:
        """Return the number of entries of the running game that spectators may see with all hands open."""
        return self.state.shown_openly(now)

    def seen_openly(self, viewer: int, now: float) -> Perspective:
        """Return the game as far as spectators may see it openly; it holds nothing newer.

        Raises:
            ForbiddenError: Other tables still play this deal.
        """
        if self.sealed:
            self.check_open_to(None)
        return Perspective(self.match.until(self.shown_openly(now)), viewer)

    def seen_game(self, side: int) -> Observation:
        """Return the game as given to the computer player of a side: from its start, which is slow (see `snapshot`)."""
        return Observation.of(self.match, side)

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
            raise IllegalError(f"{self.game.sides[side]} is not to move", key="refused.not_asked")
        try:
            return self.match.checked(action, side)
        except BrinkError as error:
            raise IllegalError(str(error), key="refused.no_choice") from error

    def journal(self, viewer: int) -> journal.Journal:
        """Return the journal for a viewer: complete once the game is revealed, else what the viewer may know."""
        headers = {seat_side: seat.known_as for seat_side, seat in zip(self.game.sides, self.seats, strict=True)}
        headers["date"] = time.strftime("%Y-%m-%d", time.gmtime(self.created_at))
        shares = {
            self.game.sides[seat.side]: commit_reveal.Share(seat.pledge or "", seat.contribution) for seat in self.seats
        }
        secret = self.secret if self.is_revealed else None
        headers |= commit_reveal.headers(secret, self.commitment, shares)
        if self.origin:
            headers |= headers_of_given(self.origin.given, self.origin.address)
        if self.is_revealed:
            record = journal.of_match(self.match, headers, result=self.result)
            if self.state.chance_key:
                record = commit_reveal.with_draws(record, self.match, self.state.chance_key, self.given)
            viewer = FULL_INFORMATION
        else:
            # A sealed game may have ended by resignation, which its position does not say.
            record = journal.known_to(self.seen_by(viewer), headers, self.result or None)
        return journal.with_notes_of_hints(record, {number - 1 for number in self.hinted_entries(viewer)})
