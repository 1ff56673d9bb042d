"""The rating formula: golden values, and what holds for all ratings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brinkmanship.rating.game_results import prospect, rated_game, weight_of
from brinkmanship.rating.glicko import (
    MAX_DEVIATION,
    MIN_DEVIATION,
    START,
    Rating,
    aged,
    attenuation,
    expected_score,
    updated,
    win_chance,
)

values = st.floats(800, 2400)
ratings = st.builds(Rating, values, st.floats(MIN_DEVIATION, MAX_DEVIATION))
advantages = st.floats(-200, 200)
scores = st.sampled_from((0.0, 0.5, 1.0))


def test_golden_values_of_glickmans_paper() -> None:
    # Section 3.2 of "The Glicko system": a player of 1500 (200) against 1400 (30), 1550 (100) and 1700 (300).
    assert [round(attenuation(deviation), 4) for deviation in (30, 100, 300)] == [0.9955, 0.9531, 0.7242]
    found = [
        round(expected_score(1500 - other, deviation), 3) for other, deviation in ((1400, 30), (1550, 100), (1700, 300))
    ]
    assert found == [0.639, 0.432, 0.303]


def test_golden_values_by_hand() -> None:
    # Two new players: g(150) = 0.90296; E = 1/2; 1/v = q^2 g^2 / 4 = 6.754e-6;
    # RD' = (1/22500 + 6.754e-6)^-1/2 = 139.75;
    # the winner gains q RD'^2 g / 2 = 0.0057565 * 19530.8 * 0.90296 / 2 = 50.76.
    winner = updated(START, START, 0, 1)
    assert winner == pytest.approx((1550.76, 139.75), abs=0.01)
    # With an advantage of 74.8 points: E = 1 / (1 + 10^(-0.90296 * 74.8 / 400)) = 0.59602; 1/v = 6.505e-6;
    # RD' = 140.10; a win gains 0.0057565 * 19628 * 0.90296 * 0.40398 = 41.22, a draw costs 9.80.
    assert updated(START, START, 74.8, 1) == pytest.approx((1541.22, 140.10), abs=0.02)
    assert updated(START, START, 74.8, 0.5).value == pytest.approx(1490.20, abs=0.02)
    # Against the Counsellor, whose rating is certain, at half weight: 1/v = q^2 / 8 = 4.142e-6; RD' = 143.46;
    # a win gains 0.0057565 * 20581 / 2 / 2 = 29.62.
    assert updated(START, Rating(1500), 0, 1, 0.5) == pytest.approx((1529.62, 143.46), abs=0.01)


def test_the_deviation_after_games_against_equals() -> None:
    rating, found = START, {}
    for games in range(1, 30):
        rating = updated(rating, Rating(rating.value, rating.deviation), 0, 0.5)
        found[games] = round(rating.deviation)
    assert (found[5], found[10], found[17], found[29]) == (112, 92, 76, 61)


def test_a_year_without_games_makes_60_points_of_deviation_110() -> None:
    assert aged(Rating(1500, 60), 365).deviation == pytest.approx(109.5, abs=0.1)
    assert aged(START, 1000) == START
    assert aged(Rating(1500, 60), -1) == Rating(1500, 60)


@given(ratings, ratings, advantages)
def test_the_chances_of_both_sides_are_one_together(mine: Rating, other: Rating, advantage: float) -> None:
    assert win_chance(mine, other, advantage) + win_chance(other, mine, -advantage) == pytest.approx(1)


@given(ratings, ratings, advantages, st.sampled_from((0.5, 1.0)))
def test_a_win_gains_a_loss_costs_and_more_points_never_gain_less(
    mine: Rating, other: Rating, advantage: float, weight: float
) -> None:
    win, draw, loss = (updated(mine, other, advantage, score, weight).value for score in (1, 0.5, 0))
    assert loss < mine.value < win
    assert draw == pytest.approx((win + loss) / 2, abs=1e-5)


@given(ratings, ratings, advantages, scores)
def test_a_game_never_makes_a_rating_less_certain(mine: Rating, other: Rating, advantage: float, score: float) -> None:
    assert MIN_DEVIATION <= updated(mine, other, advantage, score).deviation <= mine.deviation


@given(ratings, ratings, advantages, scores)
def test_half_weight_moves_less(mine: Rating, other: Rating, advantage: float, score: float) -> None:
    whole, half = (updated(mine, other, advantage, score, weight).value - mine.value for weight in (1, 0.5))
    assert abs(half) <= abs(whole) + 1e-6


@given(ratings, ratings, advantages)
def test_a_prospect_is_what_the_game_then_does(mine: Rating, other: Rating, advantage: float) -> None:
    shown = prospect(mine, other, -advantage)
    for score, change in ((1.0, shown.win), (0.5, shown.draw), (0.0, shown.loss)):
        after = rated_game((other, mine), (True, True), advantage, 1 - score, 1.0)
        assert after[1].value - mine.value == pytest.approx(change, abs=1e-6)


def test_a_computer_keeps_its_rating_and_a_fourth_game_of_a_day_counts_nothing() -> None:
    level = Rating(1500)
    after = rated_game((START, level), (True, False), 0, 1, weight_of(True, 2))
    assert (after[0].value > START.value, after[1]) == (True, level)
    assert rated_game((START, level), (True, False), 0, 1, weight_of(True, 3)) == [START, level]
    assert weight_of(False, 99) == 1
