"""Games in order: which months refit the side advantage, and how games against computers count."""

from __future__ import annotations

import pytest

from brinkmanship.rating.bookkeeping import RatedResult, RatingChange, Recollection, month_of, rate
from brinkmanship.rating.glicko import START
from brinkmanship.rating.profile import STANDARD, RatingProfile

PROFILE = RatingProfile({STANDARD: 50.0}, (1200.0, 1500.0))
DAY = 86_400.0
JANUARY = 1_767_225_600.0
"""1 January 2026, UTC."""


def played(memory: Recollection, at: float, *players: str, score: float = 1.0) -> RatingChange:
    result = RatedResult(f"t{at}", "13-days", STANDARD, at, score, (players[0], players[1]))
    outcome = rate(memory, PROFILE, result)
    memory.note(result, outcome)
    return outcome


def test_the_side_advantage_changes_with_the_first_game_of_a_month() -> None:
    memory = Recollection()
    january = [played(memory, JANUARY + day * DAY, "anna", "boris").advantage for day in range(0, 30, 3)]
    assert {advantage.value for advantage in january} == {50.0}
    february = played(memory, JANUARY + 31 * DAY, "anna", "boris").advantage
    assert (february.since, february.games) == (JANUARY + 31 * DAY, 10)
    assert february.value > 50  # the first side had won all ten
    late = played(memory, JANUARY + 30 * DAY, "anna", "boris").advantage
    assert late == february


def test_the_start_of_a_month_is_that_of_greenwich() -> None:
    assert month_of(JANUARY + 31 * DAY - 1) == JANUARY
    assert month_of(JANUARY + 31 * DAY) == JANUARY + 31 * DAY


def test_three_games_a_day_against_a_level_count_half() -> None:
    memory = Recollection()
    weights = [played(memory, JANUARY + hour * 3600, "level:2", "anna", score=0.0).weight for hour in range(5)]
    assert weights == [0.5, 0.5, 0.5, 0, 0]
    assert memory.standings["anna", "13-days"].games == 3
    assert played(memory, JANUARY + 6 * 3600, "level:1", "anna").weight == 0.5
    assert played(memory, JANUARY + DAY, "level:2", "anna").weight == 0.5
    assert ("level:2", "13-days") not in memory.standings


def test_a_late_result_finds_the_ratings_as_they_are() -> None:
    memory = Recollection()
    played(memory, JANUARY + DAY, "anna", "boris")
    before = memory.standings["anna", "13-days"]
    late = played(memory, JANUARY, "anna", "carl")
    assert late.before == (before.rating, START)
    assert memory.standings["anna", "13-days"].at == before.at


def test_two_people_move_apart_by_the_same_number_of_points() -> None:
    outcome = played(Recollection(), JANUARY, "anna", "boris", score=0.5)
    first, second = (after.value - before.value for before, after in zip(outcome.before, outcome.after, strict=True))
    assert first == pytest.approx(-second)
    assert first < 0  # a draw with the better side
