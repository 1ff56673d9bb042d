"""The refit of a side advantage."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brinkmanship.rating.glicko import expected_score
from brinkmanship.rating.side_advantage import SideResult, refitted


def test_without_games_the_value_goes_back_to_the_labs() -> None:
    assert refitted(74.8, 74.8, []) == 74.8
    assert refitted(60, 74.8, []) == pytest.approx(74.8)


def test_a_golden_value_by_hand() -> None:
    # One win of equals: gradient = q / 2 = 0.0028782, curvature = q^2 / 4 + 1/900 = 0.0011194, step 2.571.
    assert refitted(0, 0, [SideResult(0, 0, 1)]) == pytest.approx(2.571, abs=0.001)


@given(st.floats(-150, 150), st.lists(st.floats(-300, 300), max_size=30))
def test_more_wins_of_the_first_side_never_lower_its_advantage(prior: float, leads: list[float]) -> None:
    won, lost = ([SideResult(lead, 100, score) for lead in leads] for score in (1.0, 0.0))
    assert refitted(prior, prior, won) + 1e-6 >= prior >= refitted(prior, prior, lost) - 1e-6


def test_a_year_of_steps_finds_the_truth() -> None:
    dice, truth, advantage = random.Random(1), 110.0, 75.0
    results = []
    for _ in range(12):
        for _ in range(150):
            lead = dice.gauss(0, 150)
            results.append(SideResult(lead, 0, float(dice.random() < expected_score(lead + truth, 0))))
        advantage = refitted(advantage, 75.0, results)
    assert advantage == pytest.approx(truth, abs=20)
