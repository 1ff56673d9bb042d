"""Clocks: what runs when, what is shown, and what happens when time runs out."""

from __future__ import annotations

import time

import pytest

from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.services import build_services
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import DAY_SECONDS, Clock, Timer
from brinkmanship.web.tables.live_table import FINISHED, RUNNING
from brinkmanship.web.tables.seating import Plan
from brinkmanship.web.tables.timeouts import Clocks
from patience import until
from web.test_service import House, run
from web.test_service import database as database  # a fixture

LIVE = Clock.from_json({"kind": "live", "minutes": 5, "increment": 10})
DAYS = Clock.from_json({"kind": "days", "days": 3})
BANK = Clock.from_json({"kind": "bank", "days": 10, "hours": 12})


def test_time_runs_for_who_is_asked_and_a_decision_adds_the_increment() -> None:
    assert LIVE is not None
    timer = Timer(LIVE, 2)
    assert timer.seconds_left(0, 1e9) == 300  # nothing runs before the first decision
    timer.record(100.0, actor=0, is_decision=True, asked=[1], in_secret=False)
    assert timer.seconds_left(0, 150.0) == 310
    assert timer.seconds_left(1, 150.0) == 250
    timer.record(160.0, actor=1, is_decision=True, asked=[0], in_secret=False)
    assert timer.left == [310, 250]
    timer.record(170.0, actor=0, is_decision=False, asked=[0], in_secret=False)  # an offer takes time and adds none
    assert timer.left == [300, 250]
    assert timer.out_of_time(470.0) is None
    assert timer.out_of_time(470.5) == 0


def test_by_days_every_decision_sets_the_clock_back() -> None:
    assert DAYS is not None
    timer = Timer(DAYS, 2)
    timer.record(0.0, actor=0, is_decision=True, asked=[1], in_secret=False)
    timer.record(2.5 * DAY_SECONDS, actor=1, is_decision=True, asked=[1], in_secret=False)
    assert timer.seconds_left(1, 2.5 * DAY_SECONDS) == 3 * DAY_SECONDS
    assert timer.out_of_time(5.6 * DAY_SECONDS) == 1


def test_a_bank_of_days_is_for_the_whole_game() -> None:
    assert BANK is not None
    timer = Timer(BANK, 2)
    timer.record(0.0, actor=0, is_decision=True, asked=[1], in_secret=False)
    timer.record(4.0 * DAY_SECONDS, actor=1, is_decision=True, asked=[1], in_secret=False)
    assert timer.seconds_left(1, 4.0 * DAY_SECONDS) == 6.5 * DAY_SECONDS
    assert timer.out_of_time(10.4 * DAY_SECONDS) is None
    assert timer.out_of_time(10.6 * DAY_SECONDS) == 1


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "live"},
        {"kind": "live", "minutes": 0},
        {"kind": "live", "minutes": True},
        {"kind": "days", "days": 31},
        {"kind": "bank", "days": 91},
        {"kind": "bank", "days": 9, "hours": 73},
        {"kind": "hourglass"},
        {"kind": "live", "minutes": 5, "days": 1},
        "5+10",
    ],
)
def test_a_clock_that_cannot_be_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"is a number from|a clock is"):
        Clock.from_json(data)


def test_a_clock_is_the_same_after_json() -> None:
    for clock in (LIVE, DAYS, BANK):
        assert clock is not None
        assert Clock.from_json(clock.as_json()) == clock


def test_the_clocks_do_not_tell_who_has_chosen(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("brinkmanship.web.support.time_control.own", lambda: now[0])
    monkeypatch.setattr(time, "time", lambda: now[0])

    async def test(house: House) -> None:
        plan = Plan("13-days", ["me", "friend"], terms=Terms(LIVE))
        table, links = await house.services.seating.create(plan, house.anna.id, "Anna")
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        await house.act(table, 1, table.decisions(1)[0].action)
        now[0] += 50
        assert table.seconds_left(0, now[0]) == [300, 300]
        await house.act(table, 0, table.decisions(0)[0].action)
        asked = table.asked[0]
        now[0] += 50
        left = table.seconds_left(2, now[0])
        assert left is not None
        assert left[asked] == 260 if asked == 0 else 250
        assert left[1 - asked] > left[asked]

    run(database, test)


def test_a_game_ends_when_time_runs_out(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("brinkmanship.web.support.time_control.own", lambda: now[0])
    monkeypatch.setattr(time, "time", lambda: now[0])

    async def test(house: House) -> None:
        plan = Plan("13-days", ["me", "friend"], terms=Terms(LIVE))
        table, links = await house.services.seating.create(plan, house.anna.id, "Anna")
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        for side in range(2):
            await house.act(table, side, table.decisions(side)[0].action)
        late = table.asked[0]
        now[0] += 400
        assert table.status == RUNNING
        assert table.clock_ends_at is not None
        assert now[0] > table.clock_ends_at
        tasks = Supervisor()
        homes = TableLeases(house.engine, house.writer)
        await Clocks(house.engine, house.writer, homes, house.tables, house.services.records, tasks).look()
        await until(lambda: table.status == FINISHED)
        assert (table.status, table.result) == (FINISHED, f"{table.game.sides[1 - late]} by time")
        again = await build_services(house.engine, house.writer).tables.table(table.id)
        assert again.result == table.result
        assert again.seconds_left(late, now[0]) == table.seconds_left(late, now[0])
        assert (again.seconds_left(late, now[0]) or [])[late] == 0

    run(database, test)
