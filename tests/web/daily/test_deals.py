"""The deal of a day follows from the server's secret and the date; streaks are counted by day."""

from __future__ import annotations

from datetime import date

import pytest

from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.web.daily.deals import Streaks, ends_at, level_of, secret_of, side_of, streaks

DAY = date(2026, 11, 23).toordinal()
"""A Monday."""


def test_the_secret_differs_by_game_day_and_server() -> None:
    secrets = {secret_of(key, game, day) for key in (b"a", b"b") for game in BUILT_IN for day in (DAY, DAY + 1)}
    assert len(secrets) == 2 * len(BUILT_IN) * 2
    assert {len(secret) for secret in secrets} == {32}
    assert secret_of(b"a", "13-days", DAY) == secret_of(b"a", "13-days", DAY)


def test_the_level_rises_during_the_week_and_the_side_changes_every_day() -> None:
    game = load_game("13-days")
    assert [level_of(game, DAY + day)[-1] for day in range(7)] == ["1", "1", "2", "3", "4", "5", "6"]
    assert [side_of("13-days", DAY + day) for day in range(3)] in ([0, 1, 0], [1, 0, 1])
    assert side_of("13-days", DAY) != side_of("13-minutes", DAY)


def test_a_day_ends_at_midnight_utc() -> None:
    assert ends_at(date(1970, 1, 1).toordinal()) == 86400.0


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        pytest.param([], (0, 0), id="never"),
        pytest.param([(0, None), (-1, 1), (-2, 1)], (3, 2), id="today-unfinished"),
        pytest.param([(0, 1), (-1, 1), (-3, 1)], (2, 2), id="gap"),
        pytest.param([(0, -1), (-1, 1)], (2, 0), id="lost-today"),
        pytest.param([(-1, 1), (-2, -1)], (2, 1), id="not-yet-today"),
        pytest.param([(-2, 1)], (0, 0), id="broken"),
        pytest.param([(0, 1), (-1, 0), (-2, 1)], (3, 1), id="draw-between"),
    ],
)
def test_streaks(days: list[tuple[int, int | None]], expected: tuple[int, int]) -> None:
    assert streaks([(DAY + day, score) for day, score in days], DAY) == Streaks(*expected)
