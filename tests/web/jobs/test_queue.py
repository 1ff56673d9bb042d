"""The queue of work for other machines: each job is done by one of them, and none is lost with the one that had it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, func, select, update

from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.players import Choice
from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.jobs.player_job import encode_choice
from brinkmanship.web.jobs.process_pool import JobFailedError
from brinkmanship.web.jobs.queue import MAX_ATTEMPTS, Job, JobOutcome, Jobs
from brinkmanship.web.jobs.remote import RemoteWorkers
from support.databases import fresh_database
from support.loops import run_in_thread
from support.patience import HANGS_SECONDS, until

DONE = JobOutcome(b"done", None)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setattr(
        "brinkmanship.web.jobs.queue.LEASE_SECONDS", 1e6
    )  # none ends by itself, however slow this machine is
    with fresh_database("postgresql", tmp_path) as url:
        engine = open_database(url)
        yield engine
        engine.dispose()


def end_lease(engine: Engine, worker: str) -> None:
    with engine.begin() as connection:
        connection.execute(update(schema.workers).where(schema.workers.c.name == worker).values(expires_at=1))


def test_every_job_is_done_by_one_worker_in_the_order_they_were_asked(engine: Engine) -> None:
    jobs = Jobs(engine)
    for number in range(4):
        jobs.put(Job(f"other.{number}", "other", b""))
    jobs.put(Job("choice.1", "choice", b"what"))
    jobs.put(Job("choice.1", "choice", b"what"))  # the same is asked
    for name in ("one", "two"):
        jobs.renew(name, places=2)
    assert jobs.waiting() == 5
    assert set(jobs.take("one", 2)) == {Job("choice.1", "choice", b"what"), Job("other.0", "other", b"")}
    with engine.begin() as connection:  # another one is just taking
        connection.execute(select(schema.jobs).where(schema.jobs.c.id == "other.1").with_for_update())
        assert {job.id for job in jobs.take("two", 2)} == {"other.2", "other.3"}
    assert [job.id for job in jobs.take("two", 2)] == ["other.1"]
    assert jobs.waiting() == 0
    assert not jobs.finish("two", "choice.1", DONE)
    assert jobs.outcome("choice.1") == JobOutcome(None, None)
    assert jobs.finish("one", "choice.1", DONE)
    assert not jobs.finish("one", "choice.1", JobOutcome(b"otherwise", None))
    assert jobs.outcome("choice.1") == DONE
    assert [(row.name, row.places, row.done) for row in jobs.all_workers()] == [("one", 2, 1), ("two", 2, 0)]
    assert not jobs.remove("choice.1", if_waiting=True)
    assert jobs.remove("choice.1")
    assert jobs.outcome("choice.1") is None


def test_what_a_dead_worker_had_begun_another_one_does_and_a_ghost_does_nothing(engine: Engine) -> None:
    jobs = Jobs(engine)
    assert not jobs.somebody_works()
    for name in ("dead", "left", "living"):
        jobs.renew(name, 1)
    assert jobs.somebody_works()
    for name in ("dead", "left"):
        jobs.put(Job(name, "choice", b""))
        assert [job.id for job in jobs.take(name, 1)] == [name]
    assert jobs.take("living", 2) == []
    end_lease(engine, "dead")
    jobs.leave("left")
    assert {job.id for job in jobs.take("living", 2)} == {"dead", "left"}
    assert not jobs.finish("dead", "dead", DONE)
    jobs.renew("dead", 1)  # it was stopped, and goes on
    assert not jobs.finish("dead", "dead", DONE)
    assert jobs.finish("living", "dead", DONE)


def test_what_takes_long_is_taken_by_itself_and_tells_how_far_it_is(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.renew("one", places=2)
    jobs.put(Job("analysis.1", "analysis", b""))
    jobs.put(Job("hint.1", "hint", b""))
    assert [job.id for job in jobs.take("one", 2)] == ["hint.1"]
    assert [job.id for job in jobs.take("one", 1, long=True)] == ["analysis.1"]
    jobs.report_progress("two", "analysis.1", b"nothing of mine")
    assert jobs.outcome("analysis.1") == JobOutcome(None, None)
    jobs.report_progress("one", "analysis.1", b"half of it")
    assert jobs.outcome("analysis.1") == JobOutcome(None, None, b"half of it")

    async def test() -> bytes | None:
        told: list[bytes] = []

        def tell(so_far: bytes) -> None:
            told.append(so_far)
            jobs.finish("one", "analysis.1", DONE)

        answer = await RemoteWorkers(engine, "here").run("analysis", "1", lambda: b"", tell)
        assert told == [b"half of it"]
        return answer

    assert run_in_thread(test()) == b"done"


def test_who_comes_too_late_for_a_result_that_another_process_has_removed_gets_it_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Jobs(engine)
    jobs.renew("worker", 1)
    first, second = (RemoteWorkers(engine, name) for name in ("first", "second"))
    outcome, waits, is_removed = second._jobs.outcome, threading.Event(), threading.Event()

    def late_outcome(job_id: str) -> JobOutcome | None:
        waits.set()
        is_removed.wait(HANGS_SECONDS)
        return outcome(job_id)

    monkeypatch.setattr(second._jobs, "outcome", late_outcome)

    def finish_one() -> bool:
        return any(jobs.finish("worker", job.id, DONE) for job in jobs.take("worker", 1))

    async def test() -> list[bytes | None]:
        asking = [asyncio.create_task(each.run("comparison", "1", lambda: b"what")) for each in (first, second)]
        await until(waits.is_set)
        await until(finish_one)
        await asking[0]
        is_removed.set()
        await until(lambda: asking[1].done() or finish_one())
        return await asyncio.gather(*asking)

    assert run_in_thread(asyncio.wait_for(test(), HANGS_SECONDS)) == [b"done", b"done"]


def test_a_job_that_outlives_worker_after_worker_is_given_up(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put(Job("deadly", "choice", b""))
    for number in range(MAX_ATTEMPTS):
        jobs.renew(str(number), 1)
        assert [job.id for job in jobs.take(str(number), 1)] == ["deadly"]
        end_lease(engine, str(number))
    jobs.renew("careful", 1)
    assert jobs.take("careful", 1) == []
    assert jobs.outcome("deadly") == JobOutcome(None, "every worker that started the job has died")


def test_what_nobody_asks_about_is_put_away(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.renew("dead", 1)
    jobs.renew("living", 1)
    end_lease(engine, "dead")
    for name in ("old", "new"):
        jobs.put(Job(name, "choice", b""))
    with engine.begin() as connection:
        connection.execute(update(schema.jobs).where(schema.jobs.c.id == "old").values(kept_until=1))
    jobs.put_away()
    assert (jobs.outcome("old"), jobs.outcome("new")) == (None, JobOutcome(None, None))
    assert [row.name for row in jobs.all_workers()] == ["living"]


def seen_game() -> Observation:
    match = Match(load_game("13-minutes"))
    match.advance(dealer(1))
    return Observation.of(match, 0)


def test_who_asks_gets_the_answer_or_is_told_why_there_is_none_or_that_nobody_is_left(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Jobs(engine)
    monkeypatch.setattr("brinkmanship.web.jobs.remote.POLL_INTERVAL", 0.05)

    def number_of_jobs() -> int:
        with engine.connect() as connection:
            return connection.execute(select(func.count()).select_from(schema.jobs)).scalar_one()

    async def asked() -> None:
        assert await RemoteWorkers(engine, "server").choice("t.1.0", "random", seen_game) is None
        jobs.renew("worker", 1)
        remote_workers = RemoteWorkers(engine, "server")  # which has not looked yet
        for outcome in (JobOutcome(encode_choice(Choice(7)), None), JobOutcome(None, "no idea")):
            asking = asyncio.create_task(remote_workers.choice("t.1.0", "random", seen_game))
            await until(number_of_jobs)
            assert [job.id for job in jobs.take("worker", 1)] == ["choice.t.1.0"]
            jobs.finish("worker", "choice.t.1.0", outcome)
            if outcome.fault:
                with pytest.raises(JobFailedError, match="no idea"):
                    await asking
            else:
                assert await asking == Choice(7)
            assert number_of_jobs() == 0
        asking = asyncio.create_task(remote_workers.choice("t.2.0", "random", seen_game))
        await until(number_of_jobs)
        jobs.take("worker", 1)
        end_lease(engine, "worker")
        assert await asking is None
        assert number_of_jobs() == 0
        assert not remote_workers._waiting

    run_in_thread(asyncio.wait_for(asked(), HANGS_SECONDS))
