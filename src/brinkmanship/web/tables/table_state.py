"""State of a table: everything that a record, a seat or a standing order can change.

It is a function of the table's seats and records: every process with the same records has the same state.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.time_control import Timer
from brinkmanship.web.tables import open_hands
from brinkmanship.web.tables.open_hands import Commentary, OpenView
from brinkmanship.web.tables.origins import Origin
from brinkmanship.web.tables.record_kinds import WISH
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.secrecy import Secrecy
from brinkmanship.web.tables.statuses import FINISHED, RUNNING


@dataclass
class TableState:
    """State of a table; values other than `match`, `records`, `seats` and `timer` are replaced, never changed."""

    game: Game
    seats: list[Seat]
    status: str
    result: str
    match: Match
    timer: Timer | None
    dealt_at: float | None
    """Time of the deal, when the clocks start; None before it, or at a table of an older server."""
    chance_key: bytes | None = None
    """Key from which all random draws follow; None before the deal."""
    records: list[TableRecord] = field(default_factory=list)
    entry_times: list[float] = field(default_factory=list)
    """Time of each entry of the game."""
    secrecy: Secrecy = field(default_factory=Secrecy)
    offer: int | None = None
    """Side whose draw offer is pending."""
    back: tuple[int, int] | None = None
    """Side that requests a take-back, and the number of entries to keep."""
    wishes: dict[int, bool] = field(default_factory=dict)
    """In a series with agreed sides: each side's wish, True to swap the sides in the next game."""
    hinted: frozenset[tuple[int, int]] = frozenset()
    """Sides that were given hints, each with the number of entries it knew then."""
    orders: dict[int, frozenset[str]] = field(default_factory=dict)
    """Standing orders by side, for sides that have given any."""
    open_view: OpenView = field(default_factory=OpenView)
    """Agreement on open hands for spectators."""
    commentary: Commentary = field(default_factory=Commentary)
    """Agreement on a commentator."""

    def copy(self) -> TableState:
        """Return an independent state, but for the seats; it is made for every action."""
        copy = TableState.__new__(TableState)  # ten times as fast as `copy.copy`
        copy.__dict__.update(self.__dict__)
        copy.match = self.match.copy()
        copy.records = list(self.records)
        copy.timer = deepcopy(self.timer)
        return copy

    def deal(self, secret: bytes, origin: Origin | None, created_at: float) -> None:
        """Begin the game, once every seat is taken and nothing is missing for the deal."""
        contributions = {self.game.sides[seat.side]: seat.contribution for seat in self.seats}
        self.chance_key = commit_reveal.chance_key(secret, contributions)
        if origin:
            self.match.take(origin.given)
        commit_reveal.advance(self.match, self.chance_key)
        self.entry_times = [created_at if self.dealt_at is None else self.dealt_at] * self.length
        if self.timer and self.dealt_at is not None:
            self.timer.start(self.dealt_at, sorted(self.match.pending))
        self.note_secret()

    def note_secret(self) -> None:
        """Note where a secret choice begins or ends."""
        if not self.match.in_secret:
            self.secrecy = self.secrecy.end()
        elif self.secrecy.since is None:
            self.secrecy = self.secrecy.begin(len(self.records), self.timer)

    @property
    def length(self) -> int:
        """Number of entries of the game."""
        return len(self.match.entries)

    @property
    def last_game_record(self) -> TableRecord | None:
        """Last record of the game itself; wishes after its end do not count."""
        return next((record for record in reversed(self.records) if record.kind != WISH), None)

    @property
    def is_hot_seat(self) -> bool:
        """True if one user plays every side on one screen."""
        people = {seat.person_id for seat in self.seats}
        return len(people) == 1 and None not in people

    def decides_alone(self, side: int) -> bool:
        """Return True if no second person has to agree with a side."""
        return self.is_hot_seat or self.seats[1 - side].computer is not None

    def shown_openly(self, now: float) -> int:
        """Return the number of entries of the running game that spectators may see with all hands open."""
        return open_hands.shown(self.open_view, self.match, self.entry_times, now)

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
    def clock_ends_at(self) -> float | None:
        """Time at which the next clock runs out if no one acts; None while no clock runs."""
        return self.timer.ends_at if self.timer and self.status == RUNNING else None

    @property
    def computer_asked(self) -> int | None:
        """First side to move that is played by a computer, or None."""
        return next((side for side in self.to_move if self.seats[side].computer), None)

    @property
    def ordered(self) -> tuple[int, int] | None:
        """Side to move whose choice follows from a standing order, and its action; None if there is none."""
        for side in self.to_move if self.orders else ():
            if side in self.orders:
                view = Perspective(self.match, side).view()
                action = self.game.ordered_action(self.orders[side], view, side)
                if action is not None:
                    return side, action
        return None

    @property
    def goes_on_by_itself(self) -> bool:
        """True if the server acts for a side to move: a bot or a standing order."""
        if not self.orders and not any(seat.computer for seat in self.seats):
            return False  # the common case of two users; checked several times per action
        return self.computer_asked is not None or self.ordered is not None
