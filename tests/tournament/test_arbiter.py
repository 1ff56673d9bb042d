"""The arbiter plays tournaments to their ends: pairings, points, and the rules for those who leave or miss a match."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brinkmanship.tournament.arbiter import (
    BREAK_SECONDS,
    OPEN_SECONDS,
    Begin,
    Cancel,
    EndGame,
    Finish,
    PairUp,
    Remove,
    SetTable,
    Substitute,
    lot,
    next_steps,
    next_time,
)
from brinkmanship.tournament.event import (
    CANCELLED,
    CUP,
    GAMES,
    KINDS,
    KNOCKOUT,
    LEAGUE,
    OPEN,
    OVER,
    RUNNING,
    SWISS,
    Entry,
    Event,
    Game,
    Kind,
    Match,
    MatchPlace,
    Points,
)
from brinkmanship.tournament.standings import Standing, standings
from brinkmanship.tournament.withdrawals import would_be_struck

DAY = 24 * 3600.0
Played = Callable[[Match, int], tuple[Points, int | None]]
"""Points of a game, and the player who did not show up."""


@dataclass
class Director:
    """Carries out what the arbiter decides, without a database."""

    event: Event
    played: Played
    now: float = 0.0
    final: tuple[tuple[Standing, ...], ...] = ()
    rounds: list[tuple[Match, ...]] = field(default_factory=list)
    set_twice: list[tuple[object, int]] = field(default_factory=list)

    def run(self) -> Director:
        for _ in range(10_000):
            steps = next_steps(self.event, self.now)
            if not steps:
                if self.event.status in (OVER, CANCELLED):
                    return self
                at = next_time(self.event, self.now)
                assert (at or 0.0) > self.now, "the tournament stands still"
                assert at is not None
                self.now = at
            for step in steps:
                self.carry_out(step)
        raise AssertionError("the tournament does not end")

    def entry(self, person: str, **changes: Any) -> None:
        entries = tuple(each._replace(**changes) if each.person == person else each for each in self.event.entries)
        self.event = self.event._replace(entries=entries)

    def match(self, match: Match) -> None:
        matches = tuple(match if each.place == match.place else each for each in self.event.matches)
        self.event = self.event._replace(matches=matches)

    def add(self, matches: tuple[Match, ...]) -> None:
        assert {match.place for match in matches}.isdisjoint(match.place for match in self.event.matches)
        self.event = self.event._replace(matches=self.event.matches + matches)

    def carry_out(self, step: object) -> None:
        match step:
            case Cancel():
                self.event = self.event._replace(status=CANCELLED)
            case Begin(divisions):
                self.event = self.event._replace(status=RUNNING)
                for number, division in enumerate(divisions):
                    for seed, person in enumerate(division):
                        self.entry(person, division=number, seed=seed)
            case PairUp(matches):
                self.rounds.append(matches)
                self.add(matches)
            case Remove(person, is_struck):
                self.entry(person, withdrawn_at=self.now, is_struck=is_struck)
            case Substitute(person, replaces, division, seed, struck, matches):
                self.entry(person, is_substitute=False, replaces=replaces, division=division, seed=seed)
                for each in self.event.matches:
                    if each.place in struck:
                        self.match(each._replace(is_struck=True))
                self.add(matches)
            case SetTable(match, number, side):
                now = next(each for each in self.event.matches if each.place == match.place)
                assert len(now.games) == number
                points, no_show = self.played(match, number)
                self.match(now._replace(games=(*now.games, Game(number, side, points, no_show))))
            case EndGame():
                raise AssertionError("all games end at once here")
            case Finish(divisions):
                self.event = self.event._replace(status=OVER)
                self.final = divisions
            case _:
                raise AssertionError(step)


def entered(kind: Kind, number: int, size: int | None = None, **fields: Any) -> Event:
    entries = tuple(Entry(f"p{index:02}", float(index)) for index in range(number))
    event = Event("event", kind, OPEN, size or number, 0.0, 0.0, 30 * DAY, entries)
    return event._replace(**fields)


def by_lot(seed: int, draws: bool = True) -> Played:
    dice = random.Random(seed)
    results: list[Points] = [(1.0, 0.0), (0.0, 1.0), *([(0.5, 0.5)] if draws else [])]
    return lambda _match, _number: (dice.choice(results), None)


def better_wins(match: Match, _number: int) -> tuple[Points, int | None]:
    assert match.second is not None
    return ((1.0, 0.0) if match.first < match.second else (0.0, 1.0)), None


@settings(max_examples=60)
@given(st.sampled_from(KINDS), st.integers(4, 14), st.integers(0, 1000), st.booleans())
def test_every_tournament_comes_to_its_end_and_no_point_is_lost(
    kind: Kind, number: int, seed: int, is_live: bool
) -> None:
    number = 4 if kind == CUP else number
    event = entered(kind, number, 5 if kind == LEAGUE else None, round_seconds=None if is_live else 30 * DAY)
    done = Director(event, by_lot(seed)).run()
    for matches in done.rounds:
        by_round = Counter(
            (match.place.division, match.place.round, person) for match in matches for person in match.people
        )
        assert set(by_round.values()) == {1}
    byes = Counter(match.first for match in done.event.matches if match.second is None)
    assert kind in (LEAGUE, KNOCKOUT) or set(byes.values()) <= {1}
    lines = [line for division in done.final for line in division]
    assert sorted(line.person for line in lines) == sorted(entry.person for entry in event.entries)
    for division in done.final:
        assert [line.rank for line in division] == list(range(1, len(division) + 1))
    games = sum(len(match.games) for match in done.event.matches)
    rested = 2 * byes.total() if kind == SWISS else 0
    assert sum(line.points for line in lines) == games + rested
    assert sum(line.games for line in lines) == 2 * games
    if kind in (CUP, LEAGUE):
        assert {line.games for division in done.final for line in division if len(division) == len(done.final[0])} == {
            GAMES * (len(done.final[0]) - 1)
        }


@settings(max_examples=25)
@given(st.sampled_from(KINDS), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_entries_and_matches_changes_nothing(kind: Kind, seed: int, dice: random.Random) -> None:
    done = Director(entered(kind, 4 if kind == CUP else 9), by_lot(seed)).run()
    mixed = done.event._replace(
        entries=tuple(dice.sample(done.event.entries, len(done.event.entries))),
        matches=tuple(dice.sample(done.event.matches, len(done.event.matches))),
    )
    assert standings(mixed) == list(done.final[0])
    begun = entered(kind, 4 if kind == CUP else 9)
    assert next_steps(begun, 1.0) == next_steps(
        begun._replace(entries=tuple(dice.sample(begun.entries, len(begun.entries)))), 1.0
    )


def test_players_stand_in_the_draw_by_rating_and_those_without_one_follow_by_lot() -> None:
    event = entered(KNOCKOUT, 6, ratings={"p01": 1480.0, "p04": 1620.0, "p05": 1480.0})
    [begin] = next_steps(event, 1.0)
    assert isinstance(begin, Begin)
    [order] = begin.divisions
    assert order[0] == "p04"
    assert list(order[1:3]) == sorted(("p01", "p05"), key=lambda person: lot(event.id, person))
    assert list(order[3:]) == sorted(("p00", "p02", "p03"), key=lambda person: lot(event.id, person))


@pytest.mark.parametrize("kind", [CUP, SWISS, KNOCKOUT])
def test_the_best_wins(kind: Kind) -> None:
    done = Director(entered(kind, 4 if kind == CUP else 11), better_wins).run()
    assert done.final[0][0].person == "p00"


def test_a_tournament_starts_once_it_is_full_or_is_cancelled() -> None:
    event = entered(CUP, 3, 4, starts_at=None)
    assert next_steps(event, 5.0) == []
    assert next_steps(event, OPEN_SECONDS) == [Cancel()]
    full = event._replace(entries=(*event.entries, Entry("p03", 3.0)))
    assert isinstance(next_steps(full, 5.0)[0], Begin)
    evening = entered(SWISS, 8, starts_at=100.0)
    assert next_steps(evening, 99.0) == []
    assert isinstance(next_steps(evening, 100.0)[0], Begin)
    assert next_steps(evening._replace(entries=evening.entries[:2]), 100.0) == [Cancel()]


def test_live_games_follow_each_other_after_a_break() -> None:
    done = Director(entered(SWISS, 4, round_seconds=None), better_wins)
    done.carry_out(next_steps(done.event, 0.0)[0])
    done.carry_out(next_steps(done.event, 0.0)[0])
    assert next_steps(done.event, 0.0) == []
    first = next_steps(done.event, BREAK_SECONDS)
    assert [(type(step), step.number) for step in first] == [(SetTable, 0)] * 2  # type: ignore[union-attr]
    by_days = Director(entered(SWISS, 4), better_wins)
    by_days.carry_out(next_steps(by_days.event, 0.0)[0])
    by_days.carry_out(next_steps(by_days.event, 0.0)[0])
    steps = next_steps(by_days.event, 0.0)
    assert sorted(step.number for step in steps if isinstance(step, SetTable)) == [0, 0, 1, 1]
    sides = {(step.match.place, step.first_side) for step in steps if isinstance(step, SetTable)}
    assert len(sides) == 4  # each plays each side once


def test_a_level_match_of_a_knock_out_has_a_third_game() -> None:
    def split(_match: Match, number: int) -> tuple[Points, int | None]:
        return ((1.0, 0.0) if number != 1 else (0.0, 1.0)), None

    done = Director(entered(KNOCKOUT, 4), split).run()
    assert [len(match.games) for match in done.event.matches] == [3, 3, 3]
    drawn = Director(entered(KNOCKOUT, 4), lambda _match, _number: ((0.5, 0.5), None)).run()
    assert drawn.final[0][0].person == drawn.event.roster(0)[0].person  # the better seed goes on


def missing(person: str) -> Played:
    def played(match: Match, number: int) -> tuple[Points, int | None]:
        if person in match.people:
            me = match.people.index(person)
            return ((0.0, 1.0) if me == 0 else (1.0, 0.0)), me
        return better_wins(match, number)

    return played


def test_a_first_missed_match_is_excused_and_the_second_ends_it() -> None:
    once: list[Match] = []

    def misses_once(match: Match, number: int) -> tuple[Points, int | None]:
        if "p00" in match.people and (not once or once[0].place == match.place):
            once.append(match)
            return missing("p00")(match, number)
        return better_wins(match, number)

    done = Director(entered(SWISS, 8), misses_once).run()
    assert done.event.entry("p00").withdrawn_at is None  # type: ignore[union-attr]
    gone = Director(entered(SWISS, 8), missing("p00")).run()
    assert gone.event.entry("p00").withdrawn_at is not None  # type: ignore[union-attr]
    assert sum("p00" in match.people for match in gone.event.matches) == 2


def test_who_leaves_a_round_robin_early_is_struck_and_later_forfeits() -> None:
    for rounds, is_struck in ((2, True), (4, False)):
        director = Director(entered(LEAGUE, 6, 6), by_lot(1, draws=False))
        while len(director.rounds) < rounds or any(len(match.games) < 2 for match in director.event.matches):
            for step in next_steps(director.event, director.now):
                director.carry_out(step)
        assert would_be_struck(director.event, "p00") is is_struck
        director.entry("p00", withdrawn_at=director.now, is_struck=is_struck)
        (final,) = director.run().final
        games = {line.person: line.games for line in final}
        assert games.pop("p00") == (0 if is_struck else 10)
        assert set(games.values()) == ({8} if is_struck else {10})
        assert sum(line.points for line in final) == (20 if is_struck else 30)
        assert not is_struck or final[-1].person == "p00"


def test_a_substitute_takes_over_the_place_and_plays_the_matches_so_far_again() -> None:
    event = entered(LEAGUE, 6, 6)
    event = event._replace(entries=(*event.entries, Entry("s", 9.0, is_substitute=True)))
    director = Director(event, by_lot(2, draws=False))
    while len(director.rounds) < 2 or any(len(match.games) < 2 for match in director.event.matches):
        for step in next_steps(director.event, director.now):
            director.carry_out(step)
    director.entry("p00", withdrawn_at=director.now, is_struck=True)
    (final,) = director.run().final
    assert sorted(line.person for line in final) == ["p01", "p02", "p03", "p04", "p05", "s"]
    assert {line.games for line in final} == {10}
    assert sum(line.points for line in final) == 30


def test_an_absent_player_sits_out_a_swiss_round_and_starts_later_elsewhere() -> None:
    event = entered(SWISS, 6)
    away = tuple(
        entry._replace(away_from=0.0, away_until=7 * DAY) if entry.person == "p00" else entry for entry in event.entries
    )
    director = Director(event._replace(entries=away), better_wins).run()
    assert "p00" not in {person for match in director.rounds[0] for person in match.people}
    league = Director(entered(LEAGUE, 4, 4)._replace(entries=away[:4]), better_wins).run()
    late = [match for match in league.event.matches if match.place.round == 1 and "p00" in match.people]
    assert len(late) == 1
    assert (late[0].starts_at, late[0].ends_at) == (7 * DAY, 37 * DAY)


def test_undecided_games_end_at_the_deadline_and_when_a_player_leaves() -> None:
    director = Director(entered(SWISS, 4), better_wins)
    for _ in range(2):
        director.carry_out(next_steps(director.event, 0.0)[0])
    for match in director.event.matches:
        director.match(match._replace(games=(Game(0, 0), Game(1, 1))))
    assert next_steps(director.event, 29 * DAY) == []
    assert next_time(director.event, 29 * DAY) == 30 * DAY
    overdue = next_steps(director.event, 30 * DAY)
    assert [step.loser for step in overdue if isinstance(step, EndGame)] == [None] * 4
    gone = director.event.matches[0].first
    director.entry(gone, withdrawn_at=1.0)
    assert [step.loser for step in next_steps(director.event, DAY) if isinstance(step, EndGame)] == [gone] * 2


@pytest.mark.parametrize(
    ("points", "order"),
    [
        # a and b have 4 points each; b won their match.
        ({("a", "b"): (0, 2), ("a", "c"): (2, 0), ("a", "d"): (2, 0), ("b", "c"): (2, 0), ("b", "d"): (0, 2),
          ("c", "d"): (1, 1)}, ["b", "a", "d", "c"]),
        # b, c and d have beaten each other in a circle and lost to a: Sonneborn-Berger is equal too: the seed.
        ({("a", "b"): (2, 0), ("a", "c"): (2, 0), ("a", "d"): (2, 0), ("b", "c"): (2, 0), ("c", "d"): (2, 0),
          ("b", "d"): (0, 2)}, ["a", "b", "c", "d"]),
    ],
)  # fmt: skip
def test_ties_of_a_round_robin_are_decided_head_to_head(
    points: dict[tuple[str, str], tuple[int, int]], order: list[str]
) -> None:
    entries = tuple(Entry(person, 0.0, seed=seed) for seed, person in enumerate("abcd"))
    matches = tuple(
        Match(
            MatchPlace(0, 1, number), *pair, games=tuple(Game(game, 0, (won[0] / 2, won[1] / 2)) for game in range(2))
        )
        for number, (pair, won) in enumerate(points.items())
    )
    event = Event("e", CUP, RUNNING, 4, 0.0, None, DAY, entries, matches)
    assert [line.person for line in standings(event)] == order


def test_buchholz_leaves_out_the_lowest_opponent() -> None:
    entries = tuple(Entry(person, 0.0, seed=seed) for seed, person in enumerate("abcdef"))
    results = [("a", "b", 2), ("c", "d", 2), ("e", "f", 2), ("a", "c", 2), ("e", "b", 2), ("d", "f", 2)]
    matches = tuple(
        Match(
            MatchPlace(0, 1 + number // 3, number),
            one,
            other,
            games=(Game(0, 0, (1.0, 0.0)), Game(1, 1, (won - 1.0, 0.0))),
        )
        for number, (one, other, won) in enumerate(results)
    )
    lines = standings(Event("e", SWISS, RUNNING, 6, 0.0, None, DAY, entries, matches))
    numbers = {line.person: line.tie_break for line in lines}
    assert numbers == {"a": 2.0, "e": 0.0, "c": 4.0, "d": 2.0, "b": 4.0, "f": 4.0}
    assert [line.person for line in lines] == ["a", "e", "c", "d", "b", "f"]
