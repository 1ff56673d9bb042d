"""Measure the missing pieces of a report, in this process, in several, or on a cluster."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context

from brinkmanship.engine.game import Game
from brinkmanship.lab.balance.counterfactual import Trial, named
from brinkmanship.lab.balance.measures import KINDS, Found
from brinkmanship.lab.balance.plan import Piece
from brinkmanship.lab.matches.cluster import Cluster, portable
from brinkmanship.players import Player


def measured(game: Game, seed: int, piece: Piece) -> Found:
    """Measure a piece; the result is deterministic."""
    return KINDS[piece.kind](Trial(game, _player(game, piece.player, seed), seed, piece.first, piece.games))


@cache
def _player(game: Game, name: str, seed: int) -> Player:
    return named(name, game, seed)


def run(game: Game, seed: int, pieces: Sequence[Piece], workers: int = 1) -> Iterator[tuple[Piece, Found]]:
    """Measure pieces; yield each as soon as it is done, with several workers in any order. Stop iterating to stop."""
    if workers == 1:
        for piece in pieces:
            yield piece, measured(game, seed, piece)
        return
    # Spawn instead of fork: forking is unsafe with threads, which compiled code and progress bars have.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        futures: dict[Future[Found], Piece] = {pool.submit(measured, game, seed, piece): piece for piece in pieces}
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def run_on(cluster: Cluster, game: Game, seed: int, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, Found]]:
    """Measure pieces on the machines of a cluster; yield each as soon as it is done.

    Raises:
        ClusterError: a machine has different sources.
    """
    ruleset = portable(game)
    for (_, _, piece), found in cluster.as_done(measured, ((ruleset, seed, piece) for piece in pieces)):
        yield piece, found
