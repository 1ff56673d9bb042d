"""Long-lived tasks: no fault ends one, and none of them touches another."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from brinkmanship.web.support.supervisor import Supervisor
from support.loops import run_in_thread
from support.patience import until

FAULTS = [ValueError("bad"), KeyError("row"), SystemExit(1), asyncio.CancelledError(), StopAsyncIteration()]


def run(test: Callable[[Supervisor], Awaitable[None]]) -> None:
    async def supervised() -> None:
        tasks = Supervisor(first_wait=0.01, longest_wait=0.05)
        try:
            await test(tasks)
        finally:
            await tasks.close()

    run_in_thread(supervised())


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_standing_work_goes_on_after_any_fault(fault: BaseException) -> None:
    async def test(tasks: Supervisor) -> None:
        rounds = 0

        async def work() -> None:
            nonlocal rounds
            rounds += 1
            if rounds % 2:
                raise fault

        tasks.every(0.001, "work", work)
        await until(lambda: rounds >= 6)
        assert tasks.faults() == []

    run(test)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_work_for_a_table_is_tried_until_it_succeeds(fault: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    async def test(tasks: Supervisor) -> None:
        attempts = 0

        async def work() -> None:
            nonlocal attempts
            attempts += 1
            if attempts < 4:
                raise fault

        tasks.start("computer", "abc", work)
        await until(lambda: attempts == 2)
        assert tasks.tables_with_faults == 1
        await until(lambda: attempts == 4 and tasks.tables_with_faults == 0)
        await asyncio.sleep(0.1)
        assert attempts == 4

    with caplog.at_level(logging.ERROR):
        run(test)
    assert [(record.task, record.table) for record in caplog.records] == [("computer", "abc")] * 3  # type: ignore[attr-defined]


def test_a_fault_of_one_table_touches_that_table_alone() -> None:
    async def test(tasks: Supervisor) -> None:
        done = []

        async def bad() -> None:
            raise ValueError

        async def good() -> None:
            done.append(1)

        for number in range(20):
            tasks.start("computer", f"t{number}", bad if number % 2 else good)
        await until(lambda: len(done) == 10 and tasks.tables_with_faults == 10)

    run(test)


def test_who_asks_again_hurries_work_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(tasks: Supervisor) -> None:
        monkeypatch.setattr(tasks, "_longest_wait", 3600.0)
        monkeypatch.setattr(tasks, "_first_wait", 0.01)
        attempts = 0

        async def work() -> None:
            nonlocal attempts
            attempts += 1
            if attempts <= 12:
                tasks._for_tables[("computer", "abc")].failures = 20  # the next wait is long
                raise ValueError

        tasks.start("computer", "abc", work)
        await until(lambda: attempts == 1)
        await asyncio.sleep(0.05)
        assert attempts == 1
        await until(lambda: tasks.start("computer", "abc", work) or attempts == 13)

    run(test)


def test_health_hears_of_standing_work_that_is_late_or_has_ended() -> None:
    async def test(tasks: Supervisor) -> None:
        async def bad() -> None:
            raise ValueError

        async def stuck() -> None:
            await asyncio.Event().wait()

        tasks.every(0.001, "bad", bad, patience=0.05)
        tasks.every(0.001, "stuck", stuck, patience=0.05)
        tasks.every(0.001, "good", lambda: asyncio.sleep(0), patience=3600)
        await until(lambda: len(tasks.faults()) == 2)
        assert [fault.split("'")[1] for fault in tasks.faults()] == ["bad", "stuck"]
        tasks._standing["good"].task.cancel()  # type: ignore[union-attr]
        await until(lambda: "the task 'good' has ended" in tasks.faults())

    run(test)


def test_closing_cancels_and_waits() -> None:
    ended = []

    async def test(tasks: Supervisor) -> None:
        async def work() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(1)

        tasks.every(1, "standing", work)
        tasks.start("computer", "abc", work)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    run(test)
    assert ended == [1, 1]


def test_a_task_that_misses_its_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brinkmanship.web.support.supervisor.ASKED_AGAIN_SECONDS", 0.01)

    async def test(tasks: Supervisor) -> None:
        missed = 0

        async def work() -> None:
            nonlocal missed
            while missed < 3:
                try:
                    await asyncio.sleep(3600)
                except asyncio.CancelledError:
                    missed += 1
            await asyncio.sleep(3600)

        tasks.every(1, "work", work)
        await asyncio.sleep(0)
        await tasks.close()
        assert missed == 3
        tasks.start("computer", "abc", work)  # what is to be begun afterwards is not
        assert len(asyncio.all_tasks()) == 1

    run(test)
