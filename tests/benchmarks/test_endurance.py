"""`brink endure`: what it counts, and a short run of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brinkmanship.benchmarks import endurance
from brinkmanship.benchmarks.endurance import Endurance, LiveGame, Report, Seat
from brinkmanship.engine.message import Message
from support.cli_runner import run
from support.loops import run_in_thread

REPORT = Report(
    60.0, 2, "sqlite", 9, [], [], [], 1, {"worker_killed": 1}, {}, [(0.0, 50.0), (40.0, 100.0), (50.0, 110.0)]
)


def test_growth_is_that_of_the_second_half() -> None:
    assert REPORT.growth == pytest.approx(60.0)
    assert json.loads(endurance.as_json(REPORT))["growth_mib_an_hour"] == pytest.approx(60.0)
    assert REPORT._replace(memory=[(0.0, 1.0)]).growth == 0.0


def test_the_plot_has_a_point_for_each_sample() -> None:
    drawn = endurance.plot(REPORT, "Memory & time")
    assert drawn.count(",") >= len(REPORT.memory)
    assert "<polyline" in drawn
    assert "<title>Memory &amp; time</title>" in drawn


def test_a_position_that_goes_back_is_noticed() -> None:
    books = Endurance.__new__(Endurance)
    books.lost = []
    game, seat = LiveGame("13-days", [], "t"), Seat("us", "")
    books._see(game, seat, {"version": 5})
    books._see(game, seat, {"version": 5})
    assert books.lost == []
    books._see(game, seat, {"version": 4})
    assert books.lost == [Message("lost.went_back", {"table": "t", "side": "us", "before": 5, "after": 4})]


async def _told(*_: object) -> str:
    return "\n".join((" 1. us     keep italy {us}", " 2. ussr   keep turkey", " 3. us     event scramble"))


@pytest.mark.parametrize(
    ("acknowledged", "lost"),
    [(["keep italy", "event scramble"], 0), (["event scramble", "keep italy"], 1), (["command scramble"], 1)],
)
def test_an_action_that_is_not_in_the_journal_is_noticed(
    monkeypatch: pytest.MonkeyPatch, acknowledged: list[str], lost: int
) -> None:
    monkeypatch.setattr(Endurance, "_insist", _told)
    books = Endurance.__new__(Endurance)
    books.lost = []
    run_in_thread(books._compare(LiveGame("13-days", [Seat("us", "", 0, acknowledged)], "t")))
    assert len(books.lost) == lost


def test_wrong_input_is_refused() -> None:
    assert run("endure", "--minutes", "0").code == 2


@pytest.mark.long
def test_half_a_minute_of_it(tmp_path: Path) -> None:
    plot = tmp_path / "memory.svg"
    done = run("endure", "--minutes", "0.5", "--games", "6", "--plot", str(plot), "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["acknowledged"] > 0
    assert plot.exists()
