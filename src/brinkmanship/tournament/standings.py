"""Standings of a tournament: points and tie-breaks.

A game won is one point, a draw half a point for both; a game that both lose brings none. Points that are equal are
decided by the matches among those players (if all of them have met), then by Sonneborn-Berger (round robin) or
Buchholz without the lowest opponent (Swiss), then by wins; the draw decides the rest, so the order is always the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from brinkmanship.tournament.event import (
    BYE_POINTS,
    GAMES,
    KNOCKOUT,
    SWISS,
    Entry,
    Event,
    Match,
    Points,
)


class Standing(NamedTuple):
    """A line of the standings."""

    person: str
    rank: int
    """Rank from 1; no two players have the same."""
    points: float
    games: int
    """Decided games, those forfeited included."""
    wins: int
    draws: int
    losses: int
    head_to_head: float
    """Points against those with equal points; 0 if not all of them have met."""
    tie_break: float
    """Sonneborn-Berger or Buchholz number; in a knock-out the number of rounds won."""
    is_withdrawn: bool


class MatchResult(NamedTuple):
    """A match as it counts."""

    match: Match
    points: Points
    """Points with those for games that a player forfeits."""
    forfeits: Points
    """Points that each player has for forfeited games."""


OwnResults = dict[str, list[MatchResult]]
"""Results of each player."""


def standings(event: Event, division: int = 0) -> list[Standing]:
    """Return the standings of a division, best first; those who were struck are last."""
    roster = event.roster(division)
    results = _by_person(roster, results_of(event, division))
    points = {entry.person: _points(event, entry.person, results[entry.person]) for entry in roster}
    numbers = _tie_breaks(event, roster, results, points)
    order = sorted(roster, key=lambda entry: (entry.is_struck, -_rank_points(event, points, numbers, entry.person)))
    lines: list[Standing] = []
    for _, group in groupby(
        order, key=lambda each: (each.is_struck, _rank_points(event, points, numbers, each.person))
    ):
        lines += _ordered(list(group), results, points, numbers)
    return [line._replace(rank=rank) for rank, line in enumerate(lines, 1)]


def _by_person(roster: Iterable[Entry], results: Iterable[MatchResult]) -> OwnResults:
    own: OwnResults = {entry.person: [] for entry in roster}
    for result in results:
        for person in result.match.people:
            own[person].append(result)
    return own


def results_of(event: Event, division: int) -> list[MatchResult]:
    """Return the matches of a division that count, with forfeits."""
    entries = {entry.person: entry for entry in event.entries}
    counted = [
        match
        for match in event.matches_of(division)
        if not match.is_struck and not any(entries[person].is_struck for person in match.people)
    ]
    return [_result(match, entries) for match in counted]


def winner_of(event: Event, match: Match) -> str | None:
    """Return the winner of a match of a knock-out; None while it is open.

    A match that is level after its third game goes to the better seed, as does one from which both withdrew.
    """
    if match.second is None:
        return match.first
    entries = {entry.person: entry for entry in event.entries}
    gone = [person for person in match.people if entries[person].withdrawn_at is not None]
    first, second = _result(match, entries).points
    if len(gone) == 1:
        return match.opponent_of(gone[0])
    if not gone and (match.decided < GAMES or (first == second and match.decided == GAMES)):
        return None
    if first != second:
        return match.first if first > second else match.second
    return min(match.people, key=lambda person: entries[person].seed or 0)


def _result(match: Match, entries: Mapping[str, Entry]) -> MatchResult:
    first, second = match.points
    forfeits = [0.0, 0.0]
    if match.second is not None:
        left = float(max(0, GAMES - match.decided))
        gone = [entries[person].withdrawn_at is not None for person in match.people]
        if gone[0] != gone[1]:
            forfeits[0 if gone[1] else 1] = left
    return MatchResult(match, (first + forfeits[0], second + forfeits[1]), (forfeits[0], forfeits[1]))


def _points(event: Event, person: str, own: Iterable[MatchResult]) -> float:
    total = 0.0
    for match, points, _ in own:
        if match.second is None:
            total += BYE_POINTS if event.kind == SWISS else 0.0
        else:
            total += points[match.people.index(person)]
    return total


def _rank_points(event: Event, points: Mapping[str, float], numbers: Mapping[str, float], person: str) -> float:
    """Return the number that decides first: the points, in a knock-out the rounds won."""
    return numbers[person] if event.kind == KNOCKOUT else points[person]


def _tie_breaks(
    event: Event, roster: Sequence[Entry], results: OwnResults, points: Mapping[str, float]
) -> dict[str, float]:
    if event.kind == KNOCKOUT:
        return {
            entry.person: float(sum(winner_of(event, match) == entry.person for match, _, _ in results[entry.person]))
            for entry in roster
        }
    of_one = _buchholz if event.kind == SWISS else _sonneborn_berger
    return {entry.person: of_one(entry.person, results[entry.person], points) for entry in roster}


def _sonneborn_berger(person: str, own: Iterable[MatchResult], points: Mapping[str, float]) -> float:
    total = 0.0
    for match, won, _ in own:
        opponent = match.opponent_of(person)
        if opponent is not None:
            total += won[match.people.index(person)] * points[opponent]
    return total


def _buchholz(person: str, own: Iterable[MatchResult], points: Mapping[str, float]) -> float:
    """Return the points of all opponents but the lowest; a bye is an opponent without points."""
    opponents = [match.opponent_of(person) for match, _, _ in own]
    met = [points[opponent] if opponent is not None else 0.0 for opponent in opponents]
    return sum(met) - min(met, default=0.0)


def _ordered(
    group: Sequence[Entry], results: OwnResults, points: Mapping[str, float], numbers: Mapping[str, float]
) -> list[Standing]:
    tied = {entry.person for entry in group}
    among = _points_among(tied, results)
    lines = [_line(entry, results[entry.person], points, numbers, among.get(entry.person, 0.0)) for entry in group]
    seeds = {entry.person: entry.seed or 0 for entry in group}
    return sorted(
        lines, key=lambda line: (-line.head_to_head, -line.tie_break, -line.wins, seeds[line.person], line.person)
    )


def _points_among(tied: set[str], results: OwnResults) -> dict[str, float]:
    """Return the points of tied players against each other; empty unless all have met, or only one has these points."""
    found = dict.fromkeys(tied, 0.0)
    met = set()
    for person in tied:
        for match, points, _ in results[person]:
            if match.second is not None and tied.issuperset(match.people):
                met.add(frozenset(match.people))
                found[person] += points[match.people.index(person)]
    if len(tied) == 1 or any(frozenset(pair) not in met for pair in combinations(tied, 2)):
        return {}
    return found


def _line(
    entry: Entry,
    own: Iterable[MatchResult],
    points: Mapping[str, float],
    numbers: Mapping[str, float],
    head_to_head: float,
) -> Standing:
    person = entry.person
    wins = draws = losses = 0
    for match, _, forfeits in own:
        if match.second is None:
            continue
        me = match.people.index(person)
        wins += round(forfeits[me])
        losses += round(forfeits[1 - me])
        for game in match.games:
            if game.points is not None:
                wins += game.points[me] == 1
                draws += game.points[me] == game.points[1 - me] != 0
                losses += game.points[me] == 0
    withdrawn = entry.withdrawn_at is not None
    games = wins + draws + losses
    return Standing(person, 0, points[person], games, wins, draws, losses, head_to_head, numbers[person], withdrawn)


def is_done(event: Event, match: Match) -> bool:
    """Return True if nothing more can happen in a match."""
    if match.second is None or match.is_struck:
        return True
    if any(game.points is None for game in match.games):
        return False
    if any((entry := event.entry(person)) and entry.withdrawn_at is not None for person in match.people):
        return True
    if event.kind == KNOCKOUT:
        return winner_of(event, match) is not None
    return match.decided >= GAMES
