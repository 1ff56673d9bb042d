"""Simulations: a computer player plays thousands of games against itself with somebody's own cards or scenario, so that
its designer sees what they do. Asked for by anybody, worked out in the `background`, kept."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from sqlalchemy import Engine

from brinkmanship.engine.game import Game
from brinkmanship.lab.balance.versions import of_player
from brinkmanship.players import load_player, players_for
from brinkmanship.store import schema
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.writer import Writer
from brinkmanship.web.jobs.background import BackgroundJobs
from brinkmanship.web.jobs.process_pool import SIMULATION
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.jobs.simulation_job import Simulation, question_about
from brinkmanship.web.support.supervisor import Supervisor

PLAYERS = ("rules", "greedy")
"""Whoever may play, the better one first: they are quick, and need not be trained for other cards."""
ANYBODY = "random"
"""Who plays where a game has none of them."""


class OfData(NamedTuple):
    """The simulation of a ruleset with a data file, by one player."""

    game_id: str
    data_sha256: str
    player: str
    games: int
    version: str
    """Of the player and the rules: what others have played tells nothing of these."""

    @property
    def about(self) -> str:
        """Its name among all simulations."""
        return hashlib.sha256(repr(tuple(self)).encode()).hexdigest()[:32]

    @property
    def columns(self) -> dict[str, object]:
        """What is kept with it, by column."""
        return {"begun_at": time.time()}


class Simulations(BackgroundJobs[Simulation]):
    """Has rulesets simulated.

    Args:
        games: in each simulation; 0: nothing is simulated here.
        most_of_address: maximum simulations of one address, under way or waiting; 0: no limit.
        remote_workers: other machines for it, None: there are none.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tasks: Supervisor,
        games: int,
        most_of_address: int,
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        kept = JobStore(engine, schema.simulations)
        too_many = "workshop.refused.many"
        super().__init__(
            SIMULATION, kept, Simulation.from_bytes, too_many, writer, tasks, remote_workers, most_of_address
        )
        self.games = games

    def of_game(self, game: Game, player: str) -> tuple[OfData, Callable[[], bytes]]:
        """What names the simulation of a ruleset by a player, and makes what is asked about it. Its first call may read
        files: to be called in a thread."""
        games = self.games
        subject = OfData(game.id, game.data_sha256, player, games, _version(game.id, player))
        return subject, lambda: question_about(game, player, games)


def simulators_for(game: Game) -> list[str]:
    """The players that may simulate a game, the better one first."""
    return [player for player in PLAYERS if player in players_for(game)] or [ANYBODY]


@cache
def _version(game_id: str, player: str) -> str:
    from brinkmanship.games.registry import load_game

    return of_player(load_player(player, load_game(game_id)), player)
