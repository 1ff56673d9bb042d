"""Several servers on one PostgreSQL database: scaling, and the latency of a move between servers.

``python -m benchmarks machines 2 --database postgresql://...``. Everything runs on this computer: a Linux control group
limits each server to a share of a core, so that the servers do not compete with one another, with the database, or with
the players' program.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.load import Load, Machine, Measured, measure_on, server
from brinkmanship.engine.errors import BrinkError
from brinkmanship.lab.diagnostics.speed import SpeedFigure, at_least, at_most

SHARE = 0.25
"""Fraction of a core for each server: on two cores, two servers leave most of the capacity to database and players."""
PERIOD_MICROSECONDS = 10_000
"""Period of the CPU quota: short, so that a throttled server waits only for some milliseconds."""
ROUNDS = 3
"""Number of alternating measurements of one server and of several: the speed of the machine varies over time."""
GAMES_OF_A_SERVER = 48
"""Games for each server: with fewer games in each process, each commit stores fewer and costs more per game."""
WARMING = Load(games=16, seconds_between_decisions=0.0, seconds=5.0)
"""Load before each measurement, to exclude one-time costs of a new process."""
SATURATED = Load(games=GAMES_OF_A_SERVER, seconds_between_decisions=0.0, seconds=15.0)
PACED = Load(games=100, seconds_between_decisions=2.0, seconds=30.0, hears=True)
MANY = Load(games=1000, seconds_between_decisions=2.0, seconds=30.0, hears=True)
FIRST_PORT = 8970


class MachinesError(BrinkError):
    """Several servers cannot be measured here."""


def several_machines(count: int, database: str | None) -> Iterator[SpeedFigure]:
    """Compare `count` servers with one.

    Args:
        count: number of servers, at least two.
        database: the URL of a PostgreSQL database, whose tables grow.

    Raises:
        MachinesError: it is not PostgreSQL, or processes cannot be limited to a share of a core here.
    """
    if database is None or not database.startswith("postgresql"):
        raise MachinesError("several servers need PostgreSQL: give --database postgresql://USER@HOST/NAME")
    alone, together = [], []
    for _ in range(ROUNDS):
        alone.append(_saturated(1, database))
        together.append(_saturated(count, database))
    for name, runs in (("one_machine", alone), ("machines", together)):
        yield SpeedFigure(f"{name}.decisions", median(run.per_second for run in runs), "per_second")
        each = median(1000 * run.cores / run.per_second for run in runs)
        yield SpeedFigure(f"{name}.of_one_core_each", each, "ms")
        yield at_most(f"{name}.errors", sum(run.errors for run in runs), "", 0)
    gains = [several.per_second / one.per_second for one, several in zip(alone, together, strict=True)]
    yield SpeedFigure("machines.least_against_one", min(gains), "times")
    yield at_least("machines.against_one", median(gains), "times", 0.85 * count)
    with _servers(count, database, SHARE) as machines:
        measure_on(WARMING, *machines)
        paced = measure_on(PACED, *machines)
    yield from _seen("machines", PACED, paced)
    with _servers(count, database, None) as machines:
        many = measure_on(MANY, *machines)
    yield from _seen("many_games", MANY, many)
    yield SpeedFigure("many_games.of_one_core", 100 * many.cores, "percent")
    yield SpeedFigure("many_games.memory", many.memory, "MiB")


def _saturated(count: int, database: str) -> Measured:
    """Measure the capacity of `count` saturated servers."""
    with _servers(count, database, SHARE) as machines:
        measure_on(WARMING, *machines)
        return measure_on(SATURATED._replace(games=count * GAMES_OF_A_SERVER), *machines)


def _seen(name: str, load: Load, measured: Measured) -> Iterator[SpeedFigure]:
    """Yield the times until an action is acknowledged by its server, and published by the other one."""
    half, almost_all = np.percentile(measured.heard or (float("inf"),), (50, 99))
    yield SpeedFigure(f"{name}.games_at_once", load.games, "")
    yield SpeedFigure(f"{name}.half_within", measured.p50, "ms")
    yield SpeedFigure(f"{name}.within_99", measured.p99, "ms")
    yield SpeedFigure(f"{name}.seen_half_within", float(half), "ms")
    yield at_most(f"{name}.seen_within_99", float(almost_all), "ms", 50)
    yield at_most(f"{name}.unseen", measured.unheard, "", 0)
    yield at_most(f"{name}.errors", measured.errors, "", 0)
    yield at_most(f"{name}.stuck_games", measured.stuck, "", 0)


@contextmanager
def _servers(count: int, database: str, share: float | None) -> Iterator[list[Machine]]:
    """Run `count` servers, each limited to a share of a core (None: unlimited)."""
    with ExitStack() as stack:
        machines = []
        for number in range(count):
            port = FIRST_PORT + number
            process = stack.enter_context(server(port, database))
            if share is not None:
                stack.enter_context(_held(process, share))
            machines.append(Machine(port, process))
        yield machines


@contextmanager
def _held(process: int, share: float) -> Iterator[None]:
    """Limit a process, and those that it starts from now on, to a share of a core; remove the limit at the end."""
    quota = int(share * PERIOD_MICROSECONDS)
    first = Path("/sys/fs/cgroup/cpu")  # version 1 of control groups; otherwise version 2
    home = first / _own_group() if first.is_dir() else Path("/sys/fs/cgroup")
    group = home / f"brink-bench-{process}"
    try:
        if first.is_dir():
            group.mkdir()
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (home / "cgroup.subtree_control").write_text("+cpu")
            group.mkdir()
            (group / "cpu.max").write_text(f"{quota} {PERIOD_MICROSECONDS}")
        (group / "cgroup.procs").write_text(str(process))
    except OSError as error:
        with suppress(OSError):
            group.rmdir()
        raise MachinesError(
            f"servers cannot be limited to a share of a core: {error}; this needs Linux and root"
        ) from error
    try:
        yield
    finally:
        for each in (group / "cgroup.procs").read_text().split():
            (home / "cgroup.procs").write_text(each)
        os.rmdir(group)


def _own_group() -> str:
    """Return the processor control group of this program; "" if it has none."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "cpu" in controllers.split(","):
            return path.lstrip("/")
    return ""
