"""Results of duplicate rounds: each is compared with the same side at the other tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brinkmanship.web.matches.duplicate_results import averages, compared

POINTS = st.lists(st.sampled_from([(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]), min_size=1, max_size=12)


def test_a_lone_win_beats_all_and_equal_results_share() -> None:
    results = compared([(1.0, 0.0), (0.0, 1.0), (0.0, 1.0)])
    assert [each.first.matchpoints for each in results] == [1.0, 0.25, 0.25]
    assert [each.second.matchpoints for each in results] == [0.0, 0.75, 0.75]
    assert results[0].first.difference == pytest.approx(2 / 3)


def test_a_single_table_has_nothing_to_be_compared_with() -> None:
    (only,) = compared([(0.5, 0.5)])
    assert (only.first.matchpoints, only.first.difference) == (None, 0.0)
    assert compared([]) == []


@given(POINTS)
def test_what_one_side_gains_the_other_loses(points: list[tuple[float, float]]) -> None:
    results = compared(points)
    assert sum(averages(points)) == pytest.approx(1)
    assert sum(each.first.difference for each in results) == pytest.approx(0)
    for each in results:
        assert each.first.difference == pytest.approx(-each.second.difference)
        if each.first.matchpoints is not None and each.second.matchpoints is not None:
            assert each.first.matchpoints + each.second.matchpoints == pytest.approx(1)
