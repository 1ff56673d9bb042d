"""Run pieces of work on many machines with Ray (extra ``lab``).

A piece is a function and its arguments and is deterministic, wherever and however often it runs: a cluster gives
bit-identical results to one core. Ray repeats a piece if the machine running it dies. Games are sent as the inputs
they were loaded from, results as they are; a machine with different sources raises an error instead of playing by
different rules.
"""

from __future__ import annotations

import hashlib
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import brinkmanship
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game

Piece = TypeVar("Piece", bound=tuple[Any, ...])
Result = TypeVar("Result")

LOCAL = "local"
"""In place of an address: a temporary cluster of this machine alone."""
AHEAD = 2
"""Pieces submitted per core, so that no core waits for the network."""
TIMEOUT = 5.0
SOURCES = ("engine", "games", "players", "lab", "analysis")
"""Subpackages whose sources determine the result of a piece."""


class ClusterError(LocalizedError):
    """No cluster can be reached, or one of its machines has different sources."""


class Cluster:
    """The machines of a Ray cluster, to be used in a ``with`` statement.

    Args:
        address: of the head, "10.0.0.1:6379", whose cluster this machine has already joined
            (``ray start --address=...``); or `LOCAL`.
        cores: for `LOCAL` only, the number of cores to use; None: all.

    Raises:
        ClusterError: Ray is not installed, or the address cannot be reached.
    """

    def __init__(self, address: str, cores: int | None = None) -> None:
        # Disable usage statistics, and a warning about future behaviour on machines with GPUs.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        records = logging.getLogRecordFactory()
        try:
            import ray
        except ImportError as error:
            raise ClusterError(Message("fault.cluster.no_ray")) from error
        where: dict[str, Any] = {"num_cpus": cores, "include_dashboard": False}
        self._ray: Any = ray
        try:
            if address != LOCAL:
                where = {"address": address}
                _look_for(address)
            self._ray.init(**where, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            why = {"address": address, "why": " ".join(str(error).split())}
            raise ClusterError(Message("fault.cluster.unreachable", why)) from error
        finally:
            logging.setLogRecordFactory(records)  # Ray would tag every line that this program logs
        # Retry without limit when machines die; an exception raised by the piece itself is not retried.
        self._remote = self._ray.remote(max_retries=-1, retry_exceptions=False)(_done_there)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ray.shutdown()

    @property
    def cores(self) -> int:
        """Return the current number of cores: machines come and go."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def in_order(self, work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]]) -> Iterator[Result]:
        """Yield the result of each piece in order; a few pieces are submitted ahead. Stop iterating to stop.

        Args:
            work: a module-level function, deterministic in its arguments.
            pieces: its arguments.

        Raises:
            ClusterError: a machine has different sources.
            Exception: raised by `work`.
        """
        for _, result in self._each(work, pieces, lambda waiting: next(iter(waiting))):
            yield result

    def as_done(self, work: Callable[..., Result], pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Result]]:
        """Yield each piece and its result as soon as it is done; otherwise like `in_order`."""
        yield from self._each(work, pieces, lambda waiting: self._ray.wait(list(waiting))[0][0])

    def _each(
        self, work: Callable[..., Result], pieces: Iterable[Piece], next_of: Callable[[dict[Any, Piece]], Any]
    ) -> Iterator[tuple[Piece, Result]]:
        waiting: dict[Any, Piece] = {}
        coming = iter(pieces)
        try:
            while True:
                room = AHEAD * self.cores - len(waiting)
                for piece in islice(coming, max(room, 0)):
                    waiting[self._remote.remote(work, piece, of_sources())] = piece
                if not waiting:
                    return
                begun = next_of(waiting)
                yield waiting[begun], self._end(begun)
                del waiting[begun]
        finally:
            for begun in waiting:
                self._ray.cancel(begun)

    def _end(self, begun: Any) -> Any:
        from ray.exceptions import RayTaskError

        try:
            return self._ray.get(begun)
        except RayTaskError as error:
            raise (error.cause or error) from None


def _look_for(address: str) -> None:
    """Check that the address accepts connections: Ray itself tries for minutes before it gives up."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise ValueError("HOST:PORT")
    socket.create_connection((host, int(port)), TIMEOUT).close()


def _done_there(work: Callable[..., Any], piece: tuple[Any, ...], sources: str) -> Any:
    if of_sources() != sources:
        raise ClusterError(Message("fault.cluster.other_sources", {"machine": socket.gethostname()}))
    return work(*piece)


@cache
def of_sources() -> str:
    """Return a digest of all sources in this package that determine the result of a piece."""
    digest, home = hashlib.sha256(), Path(brinkmanship.__file__).parent
    for file in sorted(path for room in SOURCES for path in (home / room).rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(str(file.relative_to(home)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def portable(game: Game) -> Game:
    """Return the same ruleset with its data file's content in place of a path that other machines may lack."""
    if game.source is None or isinstance(game.source, DataFile):
        return game
    path = Path(game.source)
    return load_game(game.id, DataFile(path.name, path.read_bytes()), dict(game.options))
