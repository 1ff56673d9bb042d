"""Two transactions of PostgreSQL at the same time, in an order that does not depend on time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from sqlalchemy import Connection, Engine, event, text

from support.patience import HANGS_SECONDS, wait_until

_WAITS = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")


def waits_for_a_lock(engine: Engine) -> bool:
    """Return True if a transaction in this database waits for another one."""
    with engine.connect() as connection:
        return connection.execute(_WAITS).scalar_one() > 0


def overlap(engine: Engine, first: Callable[[], object], second: Callable[[], object]) -> None:
    """Run `first`, and `second` before the first transaction of `first` is committed.

    It is committed when `second` waits for a lock, or has ended. What either raises is raised here.
    """
    is_written, ended = Event(), Event()

    def hold(_: Connection) -> None:
        if not is_written.is_set():
            is_written.set()
            wait_until(lambda: ended.is_set() or waits_for_a_lock(engine))

    def then() -> None:
        try:
            assert is_written.wait(HANGS_SECONDS)
            second()
        finally:
            ended.set()

    event.listen(engine, "commit", hold)
    try:
        with ThreadPoolExecutor(2) as threads:
            for done in [threads.submit(first), threads.submit(then)]:
                done.result()
    finally:
        event.remove(engine, "commit", hold)
