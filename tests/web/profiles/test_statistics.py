"""Statistics of the site: counted right, with their intervals, and nothing of fewer games than five."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from brinkmanship.lab.matches.summary import wilson
from brinkmanship.store.game_results import Group, Length
from brinkmanship.text import LANGUAGES
from brinkmanship.web.profiles import statistics
from brinkmanship.web.profiles.statistics import MAX_BARS, MIN_GAMES, statistics_of
from support.played_games import counted, played
from support.visitors import Visitor


def group(score: int, games: int, rated: bool = False, mine: str | None = None, other: str | None = None) -> Group:
    """Return a group of games of 13 Days that ended on points."""
    return Group("13-days", mine, other, rated, "points", score, games)


def test_the_balance_is_that_of_games_between_people() -> None:
    groups = [group(1, 6), group(-1, 3), group(0, 1), group(1, 7, True), group(1, 90, other="level:1")]
    (found,) = statistics_of(groups, [])
    everything, rated, unrated = found.balance
    assert found.games == 107
    assert (everything.kind, everything.games, everything.no_winner, everything.share) == ("all", 17, 1, 13.5 / 17)
    assert (everything.low, everything.high) == wilson(13.5, 17)
    assert (rated.kind, rated.games, rated.share) == ("rated", 7, 1.0)
    assert (unrated.kind, unrated.games) == ("unrated", 10)


def test_people_against_a_level_are_counted_by_their_side() -> None:
    groups = [group(1, 5, other="level:2"), group(1, 3, mine="level:2"), group(-1, 3, mine="level:2")]
    (found,) = statistics_of(groups, [])
    assert [(each.player, each.side, each.games, each.share) for each in found.levels] == [
        ("level:2", 0, 5, 1.0),
        ("level:2", 1, 6, 0.5),
    ]
    assert found.balance == ()


def test_fewer_games_than_five_are_told_nowhere() -> None:
    assert statistics_of([group(1, MIN_GAMES - 1)], []) == ()
    groups = [group(1, MIN_GAMES, True), group(1, MIN_GAMES - 1), group(1, 1, other="level:1")]
    (found,) = statistics_of(groups, [Length("13-days", 50, 60.0, "live")] * (MIN_GAMES - 1))
    assert [each.kind for each in found.balance] == ["all", "rated"]
    assert (found.levels, found.length, found.durations) == ((), None, ())


@given(st.lists(st.integers(0, 2000), min_size=MIN_GAMES, max_size=30))
def test_a_histogram_counts_every_game_once_in_few_bars(turns: list[int]) -> None:
    (found,) = statistics_of([group(1, len(turns))], [Length("13-days", each, None, "none") for each in turns])
    bars = found.length
    assert bars is not None
    assert sum(bars.bars) == bars.games == len(turns)
    assert len(bars.bars) <= MAX_BARS
    assert bars.first <= min(turns)
    assert max(turns) < bars.first + bars.width * len(bars.bars)
    for place, count in enumerate(bars.bars):
        start = bars.first + place * bars.width
        assert count == sum(start <= each < start + bars.width for each in turns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_open_to_everyone(client: TestClient, anna: Visitor, boris: Visitor, language: str) -> None:
    stranger = Visitor(client)
    stranger.cookies["language"] = language
    assert "statistics." not in (empty := stranger.get("/statistics"))
    for _ in range(MIN_GAMES):
        played(anna, boris)
    counted(client)
    page = stranger.get("/statistics")
    assert page != empty
    assert "statistics." not in page
    assert re.search(r"<td>5</td><td>100\W{0,2}%</td><td>57\W{0,2}% – 100\W{0,2}%</td>", page)
    assert "Anna" not in page


def test_the_page_of_english_names_its_numbers(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    assert "needs at least 5 finished games" in anna.get("/statistics")
    for _ in range(MIN_GAMES):
        played(anna, boris)
    counted(client)
    page = anna.get("/statistics")
    assert "5 finished games" in page
    assert "Resignation" in page


def test_a_histogram_is_drawn_with_its_name(client: TestClient) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    lengths = [Length("13-days", 40 + number, 600.0 * number, "live") for number in range(9)]
    report = statistics_of([group(1, 9)], lengths)
    statistics.game_results.keep_statistics(services.engine, statistics.msgspec.json.encode(report))
    page = Visitor(client).get("/statistics")
    assert 'aria-label="Decisions of both sides in 9 games played to the end; the median is 44."' in page
    assert page.count('class="bar"') == 9
    assert "40 minutes" in page
