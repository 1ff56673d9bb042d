"""Simulations of custom cards or scenarios: a computer player plays thousands of games against itself.

They show designers the effect of their changes. Anyone may request one; it is computed in the `background` and stored.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from sqlalchemy import Engine

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import kit_of, load_game
from brinkmanship.lab.balance.versions import of_kind, of_player
from brinkmanship.players import load_player, players_for
from brinkmanship.store import schema
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.writer import Writer
from brinkmanship.web.jobs import simulation_job
from brinkmanship.web.jobs.background import BackgroundJobs, JobQuotas
from brinkmanship.web.jobs.process_pool import SIMULATION
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.jobs.simulation_job import Simulation
from brinkmanship.web.support.supervisor import Supervisor

PLAYERS = ("rules", "greedy")
"""Players for simulations, best first: fast, and not trained for particular cards."""
ANYBODY = "random"
"""Player for games that have none of these."""


class OfData(NamedTuple):
    """Subject of a simulation: a ruleset with a data file, and a player."""

    game_id: str
    data_sha256: str
    player: str
    games: int
    version: str
    """Version of the player and the rules; results of other versions do not apply."""

    @property
    def about(self) -> str:
        """Name of the simulation, unique among all simulations."""
        return hashlib.sha256(repr(tuple(self)).encode()).hexdigest()[:32]

    @property
    def columns(self) -> dict[str, object]:
        """Additional values to store with it, by column."""
        return {"begun_at": time.time()}


class Simulations(BackgroundJobs[Simulation]):
    """Service that simulates rulesets.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tasks: Supervisor of the background tasks.
        games: Games per simulation; 0 disables simulations.
        quotas: Maximum numbers of simulations per address and user.
        remote_workers: Client for remote workers; None if there are none.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tasks: Supervisor,
        games: int,
        quotas: JobQuotas,
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        kept = JobStore(engine, schema.simulations)
        too_many = "workshop.refused.many"
        super().__init__(SIMULATION, kept, Simulation.from_bytes, too_many, writer, tasks, quotas, remote_workers)
        self.games = games

    def of_game(self, game: Game, player: str) -> tuple[OfData, Callable[[], bytes]]:
        """Return the subject of a ruleset's simulation by a player, and the function that encodes its request.

        The first call may read files: call it in a thread.
        """
        games = self.games
        subject = OfData(game.id, game.data_sha256, player, games, _version(game.id, player))
        return subject, lambda: simulation_job.encode(game, player, games)


def simulators_for(game: Game) -> list[str]:
    """Return the players that can simulate a game, best first."""
    return [player for player in PLAYERS if player in players_for(game)] or [ANYBODY]


@cache
def _version(game_id: str, player: str) -> str:
    if player == ANYBODY:
        return of_player(load_player(player, load_game(game_id)), player)
    return of_kind(kit_of(game_id), player)
