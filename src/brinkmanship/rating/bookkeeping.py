"""Ratings as a function of the results: each finished rated game, in order, changes what is remembered of its players.

`rate` computes one game. What it needs comes from a `Memory`: the database for the game that has just finished, a
dictionary for all games again (`Recollection`). Both must give the same numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from brinkmanship.rating.game_results import DAY_SECONDS, rated_game, weight_of
from brinkmanship.rating.glicko import START, Rating, aged
from brinkmanship.rating.profile import RatingProfile, is_level
from brinkmanship.rating.side_advantage import SideResult, refitted


class RatedResult(NamedTuple):
    """A finished rated game."""

    table_id: str
    game: str
    ruleset: str
    """See `profile.ruleset_of`."""
    at: float
    """Time of its end (s)."""
    score: float
    """Score of the first side."""
    players: tuple[str, str]
    """Player of each side: the id of a person, or the name of a level."""


class PlayerRating(NamedTuple):
    """A person's rating in a game."""

    rating: Rating
    games: int
    """Number of games that counted."""
    at: float
    """End of the last of them (s)."""


class MonthlyAdvantage(NamedTuple):
    """The first side's advantage in a ruleset during a month."""

    since: float
    """Start of the month (UTC, s)."""
    value: float
    """Advantage in points."""
    games: int
    """Number of games from which it was refitted."""


class RatingChange(NamedTuple):
    """Effect of a game on the ratings."""

    advantage: MonthlyAdvantage
    weight: float
    before: tuple[Rating, Rating]
    after: tuple[Rating, Rating]
    standings: tuple[PlayerRating | None, PlayerRating | None]
    """New standings by side; None for a level, and where the game did not count."""


class Memory(Protocol):
    """Memory of earlier games."""

    def standing(self, person: str, game: str) -> PlayerRating | None:
        """Return a person's standing; None before their first game."""
        ...

    def counted_on(self, person: str, game: str, level: str, day: float) -> int:
        """Return the number of a person's games against a level that counted and ended on a day (its start, UTC)."""
        ...

    def advantage(self, game: str, ruleset: str) -> MonthlyAdvantage | None:
        """Return the latest side advantage of a ruleset; None before its first game."""
        ...

    def side_results(self, game: str, ruleset: str, before: float) -> Iterable[SideResult]:
        """Return the games of a ruleset that ended before a time, in the order in which they were rated."""
        ...


def rate(memory: Memory, profile: RatingProfile, result: RatedResult) -> RatingChange:
    """Return what a game does to the ratings of its players.

    The order of the calls decides, not the time: a result that arrives late finds the ratings as they are.
    """
    advantage = _advantage(memory, profile, result)
    people = [not is_level(player) for player in result.players]
    standings = [_standing(memory, profile, result, side) for side in (0, 1)]
    before = [aged(standing.rating, (result.at - standing.at) / DAY_SECONDS) for standing in standings]
    weight = _weight(memory, result, people)
    after = rated_game(before, people, advantage.value, result.score, weight)
    counts = [is_person and weight > 0 for is_person in people]
    new = [
        PlayerRating(rating, old.games + 1, max(old.at, result.at)) if is_counted else None
        for rating, old, is_counted in zip(after, standings, counts, strict=True)
    ]
    return RatingChange(advantage, weight, (before[0], before[1]), (after[0], after[1]), (new[0], new[1]))


def side_result(outcome: RatingChange, score: float) -> SideResult:
    """Return a rated game as the refit of the side advantage sees it."""
    first, second = outcome.before
    return SideResult(*lead_of(first, second), score, outcome.weight)


def lead_of(first: Rating, second: Rating) -> tuple[float, float]:
    """Return the first side's lead in points, and its standard deviation."""
    return first.value - second.value, (first.deviation**2 + second.deviation**2) ** 0.5


def month_of(at: float) -> float:
    """Return the start of the month (UTC) of a time."""
    day = datetime.fromtimestamp(at, UTC)
    return datetime(day.year, day.month, 1, tzinfo=UTC).timestamp()


def _advantage(memory: Memory, profile: RatingProfile, result: RatedResult) -> MonthlyAdvantage:
    """Return the side advantage for a game; the first game of a month refits it."""
    prior = profile.side_advantages.get(result.ruleset, 0.0)
    latest = memory.advantage(result.game, result.ruleset)
    month = month_of(result.at)
    if latest is None:
        return MonthlyAdvantage(month, prior, 0)
    if latest.since >= month:
        return latest
    games = list(memory.side_results(result.game, result.ruleset, month))
    return MonthlyAdvantage(month, refitted(latest.value, prior, games), len(games))


def _standing(memory: Memory, profile: RatingProfile, result: RatedResult, side: int) -> PlayerRating:
    player = result.players[side]
    if is_level(player):
        # A level that a later version no longer has keeps the rating of an average one.
        return PlayerRating(Rating(profile.level_rating(player) or START.value), 0, result.at)
    return memory.standing(player, result.game) or PlayerRating(START, 0, result.at)


def _weight(memory: Memory, result: RatedResult, people: list[bool]) -> float:
    if all(people):
        return weight_of(False)
    person, level = (result.players[side] for side in ((0, 1) if people[0] else (1, 0)))
    day = result.at - result.at % DAY_SECONDS
    return weight_of(True, memory.counted_on(person, result.game, level, day))


class Recollection:
    """A memory of games rated in this process, from the first one on."""

    def __init__(self) -> None:
        self.standings: dict[tuple[str, str], PlayerRating] = {}
        self.advantages: dict[tuple[str, str], list[MonthlyAdvantage]] = defaultdict(list)
        self._counted: Counter[tuple[str, str, str, float]] = Counter()
        self._side_results: dict[tuple[str, str], list[tuple[float, SideResult]]] = defaultdict(list)

    def standing(self, person: str, game: str) -> PlayerRating | None:
        """Return a person's standing."""
        return self.standings.get((person, game))

    def counted_on(self, person: str, game: str, level: str, day: float) -> int:
        """Return the number of games against a level on a day."""
        return self._counted[person, game, level, day]

    def advantage(self, game: str, ruleset: str) -> MonthlyAdvantage | None:
        """Return the latest side advantage."""
        found = self.advantages.get((game, ruleset))
        return found[-1] if found else None

    def side_results(self, game: str, ruleset: str, before: float) -> Iterable[SideResult]:
        """Return the games of a ruleset."""
        return [result for at, result in self._side_results[game, ruleset] if at < before]

    def note(self, result: RatedResult, outcome: RatingChange) -> None:
        """Remember a rated game."""
        ruleset = (result.game, result.ruleset)
        if outcome.advantage != self.advantage(*ruleset):
            self.advantages[ruleset].append(outcome.advantage)
        self._side_results[ruleset].append((result.at, side_result(outcome, result.score)))
        for side, standing in enumerate(outcome.standings):
            if standing is None:
                continue
            player, other = result.players[side], result.players[1 - side]
            self.standings[player, result.game] = standing
            if is_level(other):
                self._counted[player, result.game, other, result.at - result.at % DAY_SECONDS] += 1
