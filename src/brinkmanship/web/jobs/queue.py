"""Job queue in PostgreSQL: server processes add jobs, and the first free remote worker (`worker`) takes each.

A worker is alive as long as it renews its lease, by the database's time (as in `leases`). Jobs of an expired worker
are reassigned; a late result from it is discarded. The job id names the request, so that two processes requesting the
same, such as two that briefly both hold a table's lease, share one result.
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
"""Lifetime (s) of a worker's lease after its last renewal."""
KEPT_SECONDS = 3600.0
"""Lifetime (s) of a job in the queue."""
MAX_ATTEMPTS = 3
"""Maximum workers a job is given to; if all of them die, it fails."""
FORGOTTEN_SECONDS = 3600.0
"""Time (s) after the end of its lease for which a dead worker is still listed for the operator."""

_PRIORITIES = {"choice": 0, "hint": 1}
"""Priorities of job types that users wait for; lower comes first. All others have the lowest priority."""
_LOWEST = 9


class Job(NamedTuple):
    """A job in the queue."""

    id: str
    """Id; the same request has the same id."""
    kind: str
    """Job type of `process_pool`."""
    payload: bytes


class JobOutcome(NamedTuple):
    """Outcome of a job."""

    answer: bytes | None
    fault: str | None
    """Reason why there is no result; also None while the job is pending."""
    progress: bytes | None = None
    """Last progress report, for job types that send them."""


class WorkerRow(NamedTuple):
    """A worker, as shown to the operator."""

    name: str
    places: int
    done: int
    seconds_left: float
    """Seconds left of its lease; negative if it has expired."""


class Jobs:
    """Job queue of one database. All methods block on the database: call them in threads."""

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
        self._report_progress = update(jobs).where(mine).values(progress=bindparam("so_far"))
        self._is_waiting = is_waiting

    # For server processes.

    def put(self, job: Job) -> None:
        """Add a job to the queue, unless it is already there."""
        row = {
            **job._asdict(),
            "priority": _PRIORITIES.get(job.kind, _LOWEST),
            "made_at": self._now,
            "kept_until": self._now + KEPT_SECONDS,
            "attempts": 0,
        }
        with suppress(IntegrityError), self._engine.begin() as connection:
            connection.execute(insert(jobs).values(row))

    def outcome(self, job_id: str) -> JobOutcome | None:
        """Return the outcome of a job so far; None if it is not, or no longer, in the queue."""
        wanted = select(jobs.c.answer, jobs.c.fault, jobs.c.progress).where(jobs.c.id == job_id)
        with self._engine.connect() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else JobOutcome(*row)

    def remove(self, job_id: str, if_waiting: bool = False) -> bool:
        """Remove a job from the queue; return True if it was there.

        Args:
            job_id: Id of the job.
            if_waiting: Remove it only while it has no result.
        """
        unwanted = delete(jobs).where(jobs.c.id == job_id)
        with self._engine.begin() as connection:
            return connection.execute(unwanted.where(self._is_waiting) if if_waiting else unwanted).rowcount > 0

    def somebody_works(self) -> bool:
        """Return True if any worker is alive."""
        with self._engine.connect() as connection:
            return connection.execute(select(workers.c.name).where(self._lives).limit(1)).first() is not None

    def put_away(self) -> None:
        """Remove expired jobs and long-dead workers."""
        with self._engine.begin() as connection:
            connection.execute(delete(jobs).where(jobs.c.kept_until < self._now))
            connection.execute(delete(workers).where(workers.c.expires_at < self._now - FORGOTTEN_SECONDS))

    def waiting(self) -> int:
        """Return the number of pending jobs without a living worker."""
        lives = select(workers.c.name).where(workers.c.name == jobs.c.worker, self._lives).exists()
        with self._engine.connect() as connection:
            return connection.execute(
                select(func.count()).select_from(jobs).where(self._is_waiting, ~lives)
            ).scalar_one()

    def all_workers(self) -> list[WorkerRow]:
        """Return the workers that are alive or have died recently."""
        columns = (workers.c.name, workers.c.places, workers.c.done, workers.c.expires_at - self._now)
        with self._engine.connect() as connection:
            return [WorkerRow(*row) for row in connection.execute(select(*columns).order_by(workers.c.name))]

    # For workers.

    def renew(self, worker: str, places: int) -> None:
        """Renew a worker's lease."""
        row = {"worker_name": worker, "of": places}
        with self._engine.begin() as connection:
            if connection.execute(self._renew, row).rowcount == 0:
                connection.execute(self._enter, row)

    def leave(self, worker: str) -> None:
        """Remove a worker, which frees its unfinished jobs."""
        with self._engine.begin() as connection:
            connection.execute(delete(workers).where(workers.c.name == worker))

    def take(self, worker: str, most: int, long: bool = False) -> list[Job]:
        """Assign the longest-waiting jobs to a living worker and return them; they are the worker's until it dies.

        Args:
            worker: Name of the worker.
            most: Maximum number of jobs.
            long: Take only long jobs (`process_pool.LONG`) if True, only others if False.
        """
        with self._engine.begin() as connection:
            rows = connection.execute(self._take[long], {"worker_name": worker, "most": most}).all()
        return [Job(row.id, row.kind, row.payload) for row in rows if row.fault is None]

    def report_progress(self, worker: str, job_id: str, progress: bytes) -> None:
        """Store a progress report of a job."""
        with self._engine.begin() as connection:
            connection.execute(self._report_progress, {"job": job_id, "worker_name": worker, "so_far": progress})

    def finish(self, worker: str, job_id: str, outcome: JobOutcome) -> bool:
        """Store the outcome of a job; return True if the job was still assigned to the worker."""
        row = {"job": job_id, "worker_name": worker, "result": outcome.answer, "reason": outcome.fault}
        with self._engine.begin() as connection:
            if connection.execute(self._finish, row).rowcount == 0:
                return False
            connection.execute(update(workers).where(workers.c.name == worker).values(done=workers.c.done + 1))
        return True


def _taking(waits: ColumnElement[bool]) -> ReturningUpdate[Any]:
    """Return the statement that assigns waiting jobs to a worker."""
    next_ones = (
        select(jobs.c.id)
        .where(waits)
        .order_by(jobs.c.priority, jobs.c.made_at)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
        .cte("next_ones")  # a CTE is executed once; a subquery may be executed again, and take more jobs
    )
    is_over = jobs.c.attempts >= MAX_ATTEMPTS
    return (
        update(jobs)
        .where(jobs.c.id.in_(select(next_ones.c.id)))
        .values(
            worker=case((is_over, null()), else_=bindparam("worker_name", type_=String)),
            attempts=jobs.c.attempts + 1,
            fault=case((is_over, literal("every worker that started the job has died")), else_=null()),
        )
        .returning(jobs.c.id, jobs.c.kind, jobs.c.payload, jobs.c.fault)
    )
