"""The state of a tournament: its terms, entries and matches, as the arbiter and the standings read them.

A match is two games between the same two people, each side once; so a round robin of matches is a double round robin of
games. A knock-out match that is level after two games has a third.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal["cup", "league", "swiss", "knockout"]
Status = Literal["open", "running", "over", "cancelled"]

CUP: Kind = "cup"
"""Double round robin of four, all games at once."""
LEAGUE: Kind = "league"
"""Season in divisions: a double round robin in each, with promotion and relegation."""
SWISS: Kind = "swiss"
KNOCKOUT: Kind = "knockout"
KINDS: tuple[Kind, ...] = (CUP, LEAGUE, SWISS, KNOCKOUT)
ROUND_ROBINS: tuple[Kind, ...] = (CUP, LEAGUE)

OPEN: Status = "open"
"""Status: people can enter."""
RUNNING: Status = "running"
OVER: Status = "over"
CANCELLED: Status = "cancelled"
"""Status: too few people entered."""

GAMES = 2
"""Games of a match, each side once."""
BYE_POINTS = float(GAMES)
"""Points of a bye in a Swiss tournament: those of a match won."""

Points = tuple[float, float]
"""Points of both players of a match or game, in the order of the match."""


class Entry(NamedTuple):
    """A person who has entered."""

    person: str
    entered_at: float
    is_substitute: bool = False
    """True if they take over the place of a player who withdraws, and have none yet."""
    seed: int | None = None
    """Place in the draw from 0, within the division; None before the draw, and for substitutes without a place."""
    division: int = 0
    replaces: str | None = None
    """Player whose place a substitute has taken over."""
    withdrawn_at: float | None = None
    is_struck: bool = False
    """True if the matches of a player who has withdrawn do not count."""
    away_from: float | None = None
    away_until: float | None = None

    def is_away(self, now: float) -> bool:
        """Return True during the player's announced absence."""
        return self.away_from is not None and self.away_until is not None and self.away_from <= now < self.away_until


class Game(NamedTuple):
    """A game of a match."""

    number: int
    """Number within the match, from 0."""
    first_side: int
    """Side of the first player of the match."""
    points: Points | None = None
    """Points of the first and the second player; None while it is played."""
    no_show: int | None = None
    """Player of the match (0 or 1) who lost on time without a single decision."""


class MatchPlace(NamedTuple):
    """Place of a match in the tournament; unique."""

    division: int
    round: int
    """Round from 1."""
    number: int
    """Number within the round, from 0."""


class Match(NamedTuple):
    """Two people who play each other in a round; `second` is None for a bye."""

    place: MatchPlace
    first: str
    second: str | None
    starts_at: float = 0.0
    ends_at: float | None = None
    """Deadline: then the side to move loses; None if the clocks alone end the games."""
    is_struck: bool = False
    """True if a substitute plays this match again."""
    games: tuple[Game, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """The players: one for a bye, otherwise two."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def is_level(self) -> bool:
        """True if the decided games give both players the same points."""
        points = self.points
        return points[0] == points[1]

    @property
    def points(self) -> Points:
        """Points of both players in the decided games."""
        decided = [game.points for game in self.games if game.points is not None]
        return sum(first for first, _ in decided), sum(second for _, second in decided)

    @property
    def decided(self) -> int:
        """Number of decided games."""
        return sum(game.points is not None for game in self.games)

    def opponent_of(self, person: str) -> str | None:
        """Return the other player; None for a bye."""
        return self.second if person == self.first else self.first


class Event(NamedTuple):
    """A tournament with its entries and matches."""

    id: str
    kind: Kind
    status: Status
    size: int
    """Maximum entries; of a league: entries of a division."""
    created_at: float
    starts_at: float | None
    """End of entries; None if the tournament starts once it is full."""
    round_seconds: float | None
    """Time for a round (s); None if the clocks alone end the games."""
    entries: tuple[Entry, ...] = ()
    matches: tuple[Match, ...] = ()
    before: tuple[tuple[str, ...], ...] = ()
    """Final order of each division in the season before."""
    ratings: Mapping[str, float] = {}
    """Ratings of the players who have one, before the draw."""

    @property
    def is_live(self) -> bool:
        """True if the players are there at the same time: the games of a match follow each other."""
        return self.round_seconds is None

    @property
    def number_of_divisions(self) -> int:
        """Number of divisions; 1 for all kinds but a league."""
        return 1 + max((entry.division for entry in self.entries), default=0)

    def entry(self, person: str) -> Entry | None:
        """Return the entry of a person; None if they have not entered."""
        return next((entry for entry in self.entries if entry.person == person), None)

    def roster(self, division: int) -> list[Entry]:
        """Return the drawn players of a division by seed; a substitute stands for the player they replace."""
        replaced = {entry.replaces for entry in self.entries}
        drawn = [
            entry
            for entry in self.entries
            if entry.seed is not None and entry.division == division and entry.person not in replaced
        ]
        return sorted(drawn, key=lambda entry: entry.seed or 0)

    def matches_of(self, division: int) -> list[Match]:
        """Return the matches of a division in the order of its rounds."""
        return sorted(match for match in self.matches if match.place.division == division)
