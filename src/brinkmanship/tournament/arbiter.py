"""The next steps of a tournament as a function of its state and the time.

The arbiter changes nothing. Whoever carries a step out stores it together with the state it was decided for; so it does
not matter how many server processes ask, how often, or which of them is stopped in between.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import NamedTuple

from brinkmanship.tournament import bracket, swiss
from brinkmanship.tournament.divisions import drawn_up
from brinkmanship.tournament.event import (
    CUP,
    GAMES,
    KNOCKOUT,
    LEAGUE,
    OPEN,
    ROUND_ROBINS,
    RUNNING,
    SWISS,
    Entry,
    Event,
    Kind,
    Match,
    MatchPlace,
)
from brinkmanship.tournament.round_robin import Pair, round_robin
from brinkmanship.tournament.standings import Standing, is_done, standings, winner_of
from brinkmanship.tournament.withdrawals import must_leave, would_be_struck

MIN_ENTRIES = 3
CUP_SIZE = 4
OPEN_SECONDS = 30 * 24 * 3600.0
"""Time after which a tournament that starts once it is full is cancelled."""
BREAK_SECONDS = 120.0
"""Time before a live match starts, so that the players can come to the table."""


class Cancel(NamedTuple):
    """Close a tournament that too few have entered."""


class Begin(NamedTuple):
    """Close the entries; the players of each division by seed."""

    divisions: tuple[tuple[str, ...], ...]


class PairUp(NamedTuple):
    """Add matches of a round."""

    matches: tuple[Match, ...]


class Remove(NamedTuple):
    """Withdraw a player."""

    person: str
    is_struck: bool


class Substitute(NamedTuple):
    """Give a struck player's place to a substitute, who plays the matches so far again."""

    person: str
    replaces: str
    division: int
    seed: int
    struck: tuple[MatchPlace, ...]
    matches: tuple[Match, ...]


class SetTable(NamedTuple):
    """Create the table of a game."""

    match: Match
    number: int
    """Number of the game within the match."""
    first_side: int


class EndGame(NamedTuple):
    """End a game that cannot go on."""

    place: MatchPlace
    number: int
    loser: str | None
    """Player who has withdrawn; None at the deadline, when the side to move loses."""


class Finish(NamedTuple):
    """End the tournament with these standings of each division."""

    divisions: tuple[tuple[Standing, ...], ...]


Step = Cancel | Begin | PairUp | Remove | Substitute | SetTable | EndGame | Finish


def next_steps(event: Event, now: float) -> list[Step]:
    """Return the steps to carry out now; empty if nothing is to be done.

    A step that changes entries or matches comes alone; tables to set and games to end come together.
    """
    if event.status == OPEN:
        return _opening(event, now)
    if event.status != RUNNING:
        return []
    if change := next(_changes(event, now), None):
        return [change]
    work: list[Step] = [*_to_end(event, now), *_to_set(event, now)]
    if work:
        return work
    if following := next(_rounds(event, now), None):
        return [following]
    if all(is_done(event, match) for match in event.matches):
        return [Finish(tuple(tuple(standings(event, division)) for division in range(event.number_of_divisions)))]
    return []


def next_time(event: Event, now: float) -> float | None:
    """Return the next time at which `next_steps` may return something although nothing has changed; None if never."""
    if event.status == OPEN:
        return event.created_at + OPEN_SECONDS if event.starts_at is None else event.starts_at
    if event.status != RUNNING:
        return None
    times = [
        at
        for match in event.matches
        if not is_done(event, match)
        for at in (match.starts_at, match.ends_at)
        if at is not None and at > now
    ]
    return min(times, default=None)


def min_entries(kind: Kind) -> int:
    """Return the number of entries without which a tournament is cancelled."""
    return CUP_SIZE if kind == CUP else MIN_ENTRIES


def lot(event_id: str, person: str) -> str:
    """Return a player's lot in the draw of a tournament: the lowest is first."""
    return hashlib.sha256(f"{event_id}:{person}".encode()).hexdigest()


def _place_in_draw(event: Event, person: str) -> tuple[float, str]:
    """Return the sort key of a player in the draw: by rating, then those without one; equals by lot."""
    return -event.ratings.get(person, -math.inf), lot(event.id, person)


def _opening(event: Event, now: float) -> list[Step]:
    players = [entry for entry in event.entries if not entry.is_substitute and entry.withdrawn_at is None]
    drawn = sorted((entry.person for entry in players), key=lambda person: _place_in_draw(event, person))
    if event.starts_at is None and len(players) >= event.size:
        return [Begin((tuple(drawn[: event.size]),))]
    if now < (event.created_at + OPEN_SECONDS if event.starts_at is None else event.starts_at):
        return []
    if event.starts_at is None or len(players) < min_entries(event.kind):
        return [Cancel()]
    if event.kind == LEAGUE:
        return [Begin(tuple(tuple(division) for division in drawn_up(drawn, event.size, event.before)))]
    return [Begin((tuple(drawn),))]


def _changes(event: Event, now: float) -> Iterator[Step]:
    """Yield the changes of the entries that are due."""
    for entry in event.entries:
        if entry.seed is not None and entry.withdrawn_at is None and must_leave(event, entry.person):
            yield Remove(entry.person, would_be_struck(event, entry.person))
    free = sorted(
        (entry for entry in event.entries if entry.is_substitute and entry.withdrawn_at is None and entry.seed is None),
        key=lambda entry: (entry.entered_at, entry.person),
    )
    replaced = {entry.replaces for entry in event.entries}
    for entry in event.entries:
        if free and entry.is_struck and entry.person not in replaced:
            yield _substitution(event, free[0], entry, now)


def _substitution(event: Event, substitute: Entry, gone: Entry, now: float) -> Substitute:
    old = [match for match in event.matches if gone.person in match.people and not match.is_struck]
    again = []
    for match in old:
        opponent = match.opponent_of(gone.person)
        entry = event.entry(opponent) if opponent is not None else None
        if entry is None or entry.withdrawn_at is not None:
            continue  # a bye; or nothing is played, and a substitute of the opponent has a match of their own
        numbers = [each.place.number for each in event.matches if each.place[:2] == match.place[:2]]
        place = match.place._replace(number=max(numbers) + 1)
        people = (substitute.person, opponent)
        again.append(_match(event, place, people, now))
    assert gone.seed is not None, "only players with a place are struck"
    return Substitute(
        substitute.person,
        gone.person,
        gone.division,
        gone.seed,
        tuple(match.place for match in old),
        tuple(again),
    )


def _to_end(event: Event, now: float) -> Iterator[EndGame]:
    gone = {entry.person for entry in event.entries if entry.withdrawn_at is not None}
    for match in event.matches:
        for game in match.games:
            if game.points is not None:
                continue
            left = [person for person in match.people if person in gone]
            if left or match.is_struck:
                yield EndGame(match.place, game.number, left[0] if left else match.first)
            elif match.ends_at is not None and now >= match.ends_at:
                yield EndGame(match.place, game.number, None)


def _to_set(event: Event, now: float) -> Iterator[SetTable]:
    for match in event.matches:
        if match.second is None or now < match.starts_at or is_done(event, match):
            continue
        if any((entry := event.entry(person)) is None or entry.withdrawn_at is not None for person in match.people):
            continue
        begun = len(match.games)
        if begun < GAMES:
            if not event.is_live or begun == match.decided:
                wanted = range(begun, begun + 1 if event.is_live else GAMES)
                yield from (SetTable(match, number, _first_side(event, match, number)) for number in wanted)
        elif event.kind == KNOCKOUT and begun == match.decided == GAMES and match.is_level:
            yield SetTable(match, GAMES, _first_side(event, match, GAMES))


def _first_side(event: Event, match: Match, number: int) -> int:
    """Return the side of the first player: drawn by lot for the first game and a third one, changed in the second."""
    if number == 1:
        return 1 - _first_side(event, match, 0)
    return int(lot(event.id, f"{match.place}{number}")[-1], 16) % 2


def _rounds(event: Event, now: float) -> Iterator[PairUp]:
    """Yield the rounds that are to be paired."""
    for division in range(event.number_of_divisions):
        matches = event.matches_of(division)
        last = max((match.place.round for match in matches), default=0)
        if not all(is_done(event, match) for match in matches if match.place.round == last):
            continue
        made = [
            _match(event, MatchPlace(division, number, index), pair, now)
            for number, pairs in _pairs(event, division, last, now)
            for index, pair in enumerate(pairs)
        ]
        if made:
            yield PairUp(tuple(made))


def _pairs(event: Event, division: int, last: int, now: float) -> list[tuple[int, list[Pair]]]:
    """Return the numbers and pairs of the rounds that follow a round (0: none yet); empty after the last one."""
    people = [entry.person for entry in event.roster(division)]
    if event.kind in ROUND_ROBINS:
        left = [(number, _without_struck(event, pairs)) for number, pairs in enumerate(round_robin(people), 1)]
        following = [each for each in left if each[0] > last and each[1]]
        return following if event.kind == CUP and not event.is_live else following[:1]
    if event.kind == SWISS:
        pairs = _swiss_round(event, last + 1, now)
    elif last == 0:
        pairs = bracket.first_round(people)
    else:
        winners = [winner_of(event, match) for match in event.matches_of(0) if match.place.round == last]
        pairs = bracket.next_round([winner for winner in winners if winner is not None])
    return [(last + 1, pairs)] if pairs else []


def _without_struck(event: Event, pairs: list[Pair]) -> list[Pair]:
    """Return the pairs of a round robin without struck players; matches with others who left are forfeited."""
    struck = {entry.person for entry in event.entries if entry.is_struck}
    return [pair for pair in pairs if not struck.intersection(pair)]


def _swiss_round(event: Event, number: int, now: float) -> list[Pair]:
    players = event.roster(0)
    if number > swiss.number_of_rounds(len(players)):
        return []
    lines = {line.person: line for line in standings(event)}
    byes = {match.first for match in event.matches if match.second is None}
    present = [
        swiss.Player(entry.person, lines[entry.person].points, entry.seed or 0, entry.person in byes)
        for entry in players
        if entry.withdrawn_at is None and not entry.is_away(now)
    ]
    if len(present) < 2:
        return []
    return swiss.pair_round(present, {frozenset(match.people) for match in event.matches if match.second is not None})


def _match(event: Event, place: MatchPlace, pair: Pair, now: float) -> Match:
    first, second = pair
    starts = [now + BREAK_SECONDS if event.is_live else now]
    for person in pair:
        entry = event.entry(person) if person is not None else None
        if entry is not None and entry.away_until is not None and entry.is_away(now):
            starts.append(entry.away_until)
    starts_at = max(starts)
    ends_at = None if event.round_seconds is None else starts_at + event.round_seconds
    return Match(place, first, second, starts_at, ends_at)
