"""Clocks: what runs when, what is shown, and what happens when time runs out."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import select

from brinkmanship.store import schema
from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import DAY_SECONDS, Clock, Timer
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import DEALING, FINISHED, RUNNING
from brinkmanship.web.tables.timeouts import Clocks
from support.bare_services import bare_services
from support.house import House, run
from support.patience import until

LIVE = Clock.from_json({"kind": "live", "minutes": 5, "increment": 10})
DAYS = Clock.from_json({"kind": "days", "days": 3})
BANK = Clock.from_json({"kind": "bank", "days": 10, "hours": 12})


def test_time_runs_for_who_is_asked_and_a_decision_adds_the_increment() -> None:
    assert LIVE is not None
    timer = Timer(LIVE, 2)
    assert timer.seconds_left(0, 1e9) == 300  # nothing runs before the deal
    timer.record(100.0, actor=0, is_decision=True, to_move=[1], in_secret=False)
    assert timer.seconds_left(0, 150.0) == 310
    assert timer.seconds_left(1, 150.0) == 250
    timer.record(160.0, actor=1, is_decision=True, to_move=[0], in_secret=False)
    assert timer.left == [310, 250]
    timer.record(170.0, actor=0, is_decision=False, to_move=[0], in_secret=False)  # an offer takes time and adds none
    assert timer.left == [300, 250]
    assert timer.out_of_time(470.0) is None
    assert timer.out_of_time(470.5) == 0


def test_by_days_every_decision_sets_the_clock_back() -> None:
    assert DAYS is not None
    timer = Timer(DAYS, 2)
    timer.record(0.0, actor=0, is_decision=True, to_move=[1], in_secret=False)
    timer.record(2.5 * DAY_SECONDS, actor=1, is_decision=True, to_move=[1], in_secret=False)
    assert timer.seconds_left(1, 2.5 * DAY_SECONDS) == 3 * DAY_SECONDS
    assert timer.out_of_time(5.6 * DAY_SECONDS) == 1


def test_a_bank_of_days_is_for_the_whole_game() -> None:
    assert BANK is not None
    timer = Timer(BANK, 2)
    timer.record(0.0, actor=0, is_decision=True, to_move=[1], in_secret=False)
    timer.record(4.0 * DAY_SECONDS, actor=1, is_decision=True, to_move=[1], in_secret=False)
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
    stand_still(monkeypatch, now)

    async def test(house: House) -> None:
        assert LIVE is not None
        table = await seated(house, LIVE, "13-days")
        await house.act(table, 1, table.decisions(1)[0].action)
        now[0] += 50
        assert [table.seconds_left(viewer, now[0]) for viewer in (0, 1, 2)] == [[250, 250], [250, 310], [250, 250]]
        await house.act(table, 0, table.decisions(0)[0].action)
        to_move = table.to_move[0]
        assert table.seconds_left(2, now[0]) == [260, 310]
        now[0] += 50
        left = table.seconds_left(2, now[0])
        assert left is not None
        assert left[to_move] == 210 if to_move == 0 else 260

    run(database, test)


def stand_still(monkeypatch: pytest.MonkeyPatch, now: list[float]) -> None:
    """Let all clocks show `now[0]`."""
    monkeypatch.setattr("brinkmanship.web.support.time_control.own", lambda: now[0])
    monkeypatch.setattr(time, "time", lambda: now[0])


KINDS_OF_CLOCK = pytest.mark.parametrize("clock", [LIVE, DAYS, BANK], ids=["live", "days", "bank"])


@KINDS_OF_CLOCK
@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
@pytest.mark.parametrize("late", [0, 1])
def test_a_side_that_never_makes_its_first_choice_runs_out_of_time(
    database: str, monkeypatch: pytest.MonkeyPatch, clock: Clock, game: str, late: int
) -> None:
    now = [1000.0]
    stand_still(monkeypatch, now)

    async def test(house: House) -> None:
        table = await seated(house, clock, game)
        assert table.state.clock_ends_at == 1000 + clock.start
        if 1 - late in table.to_move:
            await house.act(table, 1 - late, table.decisions(1 - late)[0].action)
        elif late not in table.to_move:
            pytest.skip("the other side alone is asked first")
        assert table.state.clock_ends_at == kept_end(house, table) == 1000 + clock.start
        now[0] += clock.start + 1
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        for each in (table, again):
            assert (each.seconds_left(late, now[0]) or [])[late] == 0
        await looked_at(house, table)
        assert table.result == f"{table.game.sides[1 - late]} by time"

    run(database, test)


@KINDS_OF_CLOCK
@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_only_a_side_that_still_owes_an_answer_loses_time(
    database: str, monkeypatch: pytest.MonkeyPatch, clock: Clock, game: str
) -> None:
    now = [1000.0]
    stand_still(monkeypatch, now)

    async def test(house: House) -> None:
        table = await seated(house, clock, game)
        await house.play(table, 1, lambda table: table.to_move == [0, 1])
        assert table.timer is not None
        before = list(table.timer.left)
        now[0] += 60
        await house.act(table, 0, table.decisions(0)[0].action)
        answered = table.timer.seconds_left(0, now[0])
        now[0] += 60
        assert table.timer.seconds_left(0, now[0]) == answered
        assert table.timer.seconds_left(1, now[0]) == before[1] - 120
        assert (table.seconds_left(0, now[0]) or [])[1] == before[1] - 120  # it is shown as if nobody had answered
        assert (table.seconds_left(1, now[0]) or [])[0] == before[0] - 120
        await house.services.actions.undo(table.id, house.anna.id, 0, table.version(0), whole_turn=False)
        assert table.timer.seconds_left(0, now[0]) == before[0] - 60  # the minute in which it had answered is not lost
        now[0] += 60
        assert table.timer.seconds_left(0, now[0]) == before[0] - 120

    run(database, test)


@KINDS_OF_CLOCK
def test_a_clock_does_not_tell_how_often_a_secret_choice_was_changed(
    database: str, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    now = [1000.0]
    stand_still(monkeypatch, now)

    async def test(house: House) -> None:
        left = []
        for changes in (0, 3):
            table = await seated(house, clock, "13-days")
            now[0] += 60
            for change in range(changes + 1):
                await house.act(table, 0, table.decisions(0)[0].action)
                if change < changes:
                    await house.services.actions.undo(table.id, house.anna.id, 0, table.version(0), whole_turn=False)
            await house.act(table, 1, table.decisions(1)[0].action)
            left.append(table.seconds_left(1, now[0]))
            now[0] = 1000.0
        assert left[0] == left[1]

    run(database, test)


def test_taking_back_again_and_again_wins_no_time() -> None:
    for clock in (LIVE, DAYS, BANK):
        assert clock is not None
        timer = Timer(clock, 2)
        timer.start(0.0, to_move=[0])
        timer.record(100.0, actor=0, is_decision=True, to_move=[0], in_secret=False)
        timer.record(120.0, actor=0, is_decision=True, to_move=[0], in_secret=False)
        gained = timer.left[0] - (clock.start - 120)
        assert timer.left_after_undo(0, 2, 130.0) == clock.start - 130
        timer.record(130.0, actor=0, is_decision=False, to_move=[0], in_secret=False, undone=2)
        assert timer.left[0] == clock.start - 130
        timer.record(130.0, actor=0, is_decision=True, to_move=[0], in_secret=False)
        timer.record(130.0, actor=0, is_decision=True, to_move=[1], in_secret=False)
        assert timer.left[0] == clock.start - 130 + gained + (10 if clock.kind == "days" else 0)


def test_what_time_does_not_allow_is_not_taken_back(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    stand_still(monkeypatch, now)

    async def test(house: House) -> None:
        assert DAYS is not None
        table = await seated(house, DAYS, "13-days")
        await house.play(table, 5, lambda table: table.undo_count(table.to_move[0]) > 0 and not table.match.in_secret)
        side = table.to_move[0]
        assert table.timer is not None
        table.timer._gains[-1] = now[0]  # the step was made in the last moment
        table.timer.left[side] = now[0] - 1
        with pytest.raises(IllegalError, match="time would have run out"):
            await house.services.actions.undo(table.id, house.who(side), side, table.version(side), whole_turn=False)

    run(database, test)


def test_before_the_cards_are_dealt_no_clock_runs(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    stand_still(monkeypatch, now)

    async def test(house: House) -> None:
        plan = TableSettings("13-days", ["me", "friend"], terms=Terms(LIVE), contributes=True)
        table, links = await house.services.seating.create(plan, house.anna.id, "Anna")
        now[0] += 500
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        now[0] += 500
        assert (table.status, table.state.clock_ends_at) == (DEALING, None)
        await house.services.actions.offer_void(table.id, house.anna.id, 0)
        now[0] += 500
        await house.services.seating.contribute(table.id, house.anna.id, 0, contribution=bytes(32))
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        for each in (table, again):
            assert (each.status, each.state.clock_ends_at) == (RUNNING, 2500 + 300)

    run(database, test)


async def seated(house: House, clock: Clock, game: str) -> LiveTable:
    """A table with a clock, of which the cards have just been dealt."""
    plan = TableSettings(game, ["me", "friend"], terms=Terms(clock))
    table, links = await house.services.seating.create(plan, house.anna.id, "Anna")
    return await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])


def kept_end(house: House, table: LiveTable) -> float | None:
    with house.engine.connect() as connection:
        wanted = select(schema.tables.c.clock_ends_at).where(schema.tables.c.id == table.id)
        return connection.execute(wanted).scalar_one()


async def looked_at(house: House, table: LiveTable) -> None:
    """Until the clocks have been looked at and the game has ended."""
    homes = TableLeases(house.engine, house.writer)
    await Clocks(house.engine, house.writer, homes, house.tables, house.services.event_log, Supervisor()).look()
    await until(lambda: table.status == FINISHED)


def test_a_game_ends_when_time_runs_out(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    stand_still(monkeypatch, now)

    async def test(house: House) -> None:
        assert LIVE is not None
        table = await seated(house, LIVE, "13-days")
        for side in range(2):
            await house.act(table, side, table.decisions(side)[0].action)
        late = table.to_move[0]
        now[0] += 400
        assert table.status == RUNNING
        assert table.state.clock_ends_at is not None
        assert now[0] > table.state.clock_ends_at
        tasks = Supervisor()
        homes = TableLeases(house.engine, house.writer)
        await Clocks(house.engine, house.writer, homes, house.tables, house.services.event_log, tasks).look()
        await until(lambda: table.status == FINISHED)
        assert (table.status, table.result) == (FINISHED, f"{table.game.sides[1 - late]} by time")
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert again.result == table.result
        assert again.seconds_left(late, now[0]) == table.seconds_left(late, now[0])
        assert (again.seconds_left(late, now[0]) or [])[late] == 0

    run(database, test)
