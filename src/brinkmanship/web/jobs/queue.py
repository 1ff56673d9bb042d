"""The queue of work for other machines, in PostgreSQL: who has something to be worked out puts it there, and one of the
workers (`worker`) takes it, whoever is free first.

A worker lives as long as it says so, by the database's time (as `leases`). What one had taken that lives no more is
taken by another; should it come back, its answer is no longer wanted. A job has the name of what is asked, so that two
who ask the same, as two homes of a table may for a moment, wait for one answer.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Engine,
    String,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    null,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.dml import ReturningUpdate

from brinkmanship.store.database import time_of
from brinkmanship.store.schema import jobs, workers
from brinkmanship.web.jobs.process_pool import LONG

LEASE_SECONDS = 5.0
"""How long a worker counts as alive after its last sign of life."""
KEPT_SECONDS = 3600.0
"""How long a job is kept that nobody has asked about."""
MAX_ATTEMPTS = 3
"""A job that has outlived so many workers is given to no other one."""
FORGOTTEN_SECONDS = 3600.0
"""So long after its last sign of life a worker is forgotten; until then an operator sees that it is gone."""

_PRIORITIES = {"choice": 0, "hint": 1}
"""Of the kinds: people wait for a computer player's choice, and for a hint. Anything else can wait longer."""
_LOWEST = 9


class Job(NamedTuple):
    """Something to be worked out."""

    id: str
    """What is asked: the same question has the same one."""
    kind: str
    """One of those of `process_pool`."""
    payload: bytes


class Outcome(NamedTuple):
    """What has become of a job."""

    answer: bytes | None
    fault: str | None
    """Why there is no answer; None too where it is still waited for."""
    told: bytes | None = None
    """How far it is, where that kind of work tells."""


class WorkerRow(NamedTuple):
    """A worker, as an operator sees it."""

    name: str
    places: int
    done: int
    seconds_left: float
    """Of its lease; below 0: it lives no more."""


class Jobs:
    """The queue of one database. All of it waits for the database: to be called in threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        now = time_of(engine)
        self._now = now
        self._lives = workers.c.expires_at > now
        is_this = workers.c.name == bindparam("worker_name")
        lease = {"expires_at": now + LEASE_SECONDS}
        self._renew = update(workers).where(is_this).values(lease)
        self._enter = insert(workers).values(name=bindparam("worker_name"), places=bindparam("of"), done=0, **lease)
        is_waiting = jobs.c.answer.is_(None) & jobs.c.fault.is_(None)
        is_free = ~select(workers.c.name).where(workers.c.name == jobs.c.worker, self._lives).exists()
        is_long = jobs.c.kind.in_(sorted(LONG))
        self._take = {
            long: _taking(is_waiting & is_free & of_them) for long, of_them in ((True, is_long), (False, ~is_long))
        }
        mine = (jobs.c.id == bindparam("job")) & (jobs.c.worker == bindparam("worker_name")) & is_waiting
        self._finish = update(jobs).where(mine).values(answer=bindparam("result"), fault=bindparam("reason"))
        self._tell = update(jobs).where(mine).values(told=bindparam("so_far"))
        self._is_waiting = is_waiting

    # For those who ask.

    def put(self, job: Job) -> None:
        """Put a job into the queue, unless the same is asked already."""
        row = {
            **job._asdict(),
            "priority": _PRIORITIES.get(job.kind, _LOWEST),
            "made_at": self._now,
            "kept_until": self._now + KEPT_SECONDS,
            "attempts": 0,
        }
        with suppress(IntegrityError), self._engine.begin() as connection:
            connection.execute(insert(jobs).values(row))

    def outcome(self, job_id: str) -> Outcome | None:
        """What has become of a job so far; None: it is not there (any more)."""
        wanted = select(jobs.c.answer, jobs.c.fault, jobs.c.told).where(jobs.c.id == job_id)
        with self._engine.connect() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else Outcome(*row)

    def remove(self, job_id: str, if_waiting: bool = False) -> bool:
        """Take a job from the queue; whether it was there.

        Args:
            if_waiting: only while there is no answer.
        """
        unwanted = delete(jobs).where(jobs.c.id == job_id)
        with self._engine.begin() as connection:
            return connection.execute(unwanted.where(self._is_waiting) if if_waiting else unwanted).rowcount > 0

    def somebody_works(self) -> bool:
        """Whether a worker lives."""
        with self._engine.connect() as connection:
            return connection.execute(select(workers.c.name).where(self._lives).limit(1)).first() is not None

    def put_away(self) -> None:
        """Remove what nobody has asked about for long, and the workers that have died."""
        with self._engine.begin() as connection:
            connection.execute(delete(jobs).where(jobs.c.kept_until < self._now))
            connection.execute(delete(workers).where(workers.c.expires_at < self._now - FORGOTTEN_SECONDS))

    def waiting(self) -> int:
        """How many jobs nobody has begun yet, or whose worker has died."""
        lives = select(workers.c.name).where(workers.c.name == jobs.c.worker, self._lives).exists()
        with self._engine.connect() as connection:
            return connection.execute(
                select(func.count()).select_from(jobs).where(self._is_waiting, ~lives)
            ).scalar_one()

    def all_workers(self) -> list[WorkerRow]:
        """The workers that live, or have died lately."""
        columns = (workers.c.name, workers.c.places, workers.c.done, workers.c.expires_at - self._now)
        with self._engine.connect() as connection:
            return [WorkerRow(*row) for row in connection.execute(select(*columns).order_by(workers.c.name))]

    # For workers.

    def renew(self, worker: str, places: int) -> None:
        """Say that a worker lives."""
        row = {"worker_name": worker, "of": places}
        with self._engine.begin() as connection:
            if connection.execute(self._renew, row).rowcount == 0:
                connection.execute(self._enter, row)

    def leave(self, worker: str) -> None:
        """Say that a worker lives no more: what it has not done is free."""
        with self._engine.begin() as connection:
            connection.execute(delete(workers).where(workers.c.name == worker))

    def take(self, worker: str, most: int, long: bool = False) -> list[Job]:
        """Jobs for a worker that lives, those that have waited longest; they are its own until it dies.

        Args:
            long: those that take long (`process_pool.LONG`), otherwise none of them.
        """
        with self._engine.begin() as connection:
            rows = connection.execute(self._take[long], {"worker_name": worker, "most": most}).all()
        return [Job(row.id, row.kind, row.payload) for row in rows if row.fault is None]

    def tell(self, worker: str, job_id: str, told: bytes) -> None:
        """Keep how far a job is."""
        with self._engine.begin() as connection:
            connection.execute(self._tell, {"job": job_id, "worker_name": worker, "so_far": told})

    def finish(self, worker: str, job_id: str, outcome: Outcome) -> bool:
        """Keep what has come of a job; whether it was still the worker's to do."""
        row = {"job": job_id, "worker_name": worker, "result": outcome.answer, "reason": outcome.fault}
        with self._engine.begin() as connection:
            if connection.execute(self._finish, row).rowcount == 0:
                return False
            connection.execute(update(workers).where(workers.c.name == worker).values(done=workers.c.done + 1))
        return True


def _taking(waits: ColumnElement[bool]) -> ReturningUpdate[Any]:
    """What takes jobs for a worker, of those that wait."""
    next_ones = (
        select(jobs.c.id)
        .where(waits)
        .order_by(jobs.c.priority, jobs.c.made_at)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
        .cte("next_ones")  # which is carried out once; a subquery may be carried out again, and take more
    )
    is_over = jobs.c.attempts >= MAX_ATTEMPTS
    return (
        update(jobs)
        .where(jobs.c.id.in_(select(next_ones.c.id)))
        .values(
            worker=case((is_over, null()), else_=bindparam("worker_name", type_=String)),
            attempts=jobs.c.attempts + 1,
            fault=case((is_over, literal("every worker that began it has died")), else_=null()),
        )
        .returning(jobs.c.id, jobs.c.kind, jobs.c.payload, jobs.c.fault)
    )
