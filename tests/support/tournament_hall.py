"""Tournaments on a real database, carried on by two server processes of which either may be stopped anywhere."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Engine, select, update

from brinkmanship.store import schema
from brinkmanship.store import tournaments as store
from brinkmanship.store.database import open_database
from brinkmanship.store.writer import Writer
from brinkmanship.tournament.event import OVER
from brinkmanship.web.accounts.users import Person, UserService
from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.cluster.postgres_pubsub import PostgresPubSub
from brinkmanship.web.cluster.unix_pubsub import UnixPubSub
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.support.time_control import DAYS, LIVE, Clock
from brinkmanship.web.tables.seating import Seating
from brinkmanship.web.tournaments.terms import TournamentSettings
from support.bare_services import bare_services

DAY = 24 * 3600.0
BY_DAYS = Clock(DAYS, 3 * DAY)
AT_ONCE = Clock(LIVE, 600.0, 5.0)
WRITES = ("note_results", "withdraw", "begin", "add_matches", "substitute", "finish", "wait_until", "cancel")
"""Functions of `store.tournaments` by which ticks write."""


class KilledError(Exception):
    """The server process was stopped here."""


class Worker:
    """One of two server processes on a database, both in this one."""

    def __init__(self, url: str, folder: Path, name: str) -> None:
        self.engine = open_database(url)
        self.writer = Writer(self.engine)
        is_postgresql = self.engine.dialect.name == "postgresql"
        self.pubsub = PostgresPubSub(self.engine, name) if is_postgresql else UnixPubSub(folder, name)
        self.tasks = Supervisor(0.05)
        self.services = bare_services(
            self.engine,
            self.writer,
            pubsub=self.pubsub,
            leases=TableLeases(self.engine, self.writer, name),
            tasks=self.tasks,
        )
        self.tournaments = self.services.tournaments

    async def close(self) -> None:
        await self.tasks.close()
        self.pubsub.close()
        self.writer.close()
        self.engine.dispose()


class Undecided(NamedTuple):
    """A game of a tournament that is being played."""

    table: str
    seats: tuple[str, str]
    """Person of each side."""


class Hall:
    """Two workers and the people who play."""

    def __init__(self, url: str, folder: Path, people: int) -> None:
        folder.mkdir(exist_ok=True)
        self.workers = [Worker(url, folder, name) for name in ("one", "two")]
        self.engine: Engine = self.workers[0].engine
        self.people = accounts(self.engine, people)
        self.organiser = self.people[0]

    async def __aenter__(self) -> Hall:
        for worker in self.workers:
            worker.pubsub.listen(worker.services.tables.apply_notifications)
        return self

    async def __aexit__(self, *_: object) -> None:
        for worker in self.workers:
            await worker.close()

    @property
    def tournaments(self):  # type: ignore[no-untyped-def]
        return self.workers[0].tournaments

    async def entered(self, plan: TournamentSettings, people: Iterable[Person]) -> str:
        """A tournament that these people have entered."""
        new = await self.tournaments.create(plan, self.organiser)
        for person in people:
            await self.tournaments.enter(new.id, person)
        return str(new.id)

    async def tick(self, workers: int = 2) -> None:
        await asyncio.gather(*(worker.tournaments.tick() for worker in self.workers[:workers]))

    def record(self, tournament_id: str) -> store.Record:
        found = store.read(self.engine, tournament_id)
        assert found is not None
        return found

    def undecided(self) -> list[Undecided]:
        """The games that are being played, by table."""
        wanted = (
            select(schema.seats.c.table_id, schema.seats.c.person_id)
            .join(schema.tables, schema.tables.c.id == schema.seats.c.table_id)
            .where(schema.tables.c.status == "running")
            .order_by(schema.seats.c.table_id, schema.seats.c.side)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(wanted).all()
        return [
            Undecided(one.table_id, (one.person_id, other.person_id))
            for one, other in zip(rows[::2], rows[1::2], strict=True)
        ]

    async def resign(self, game: Undecided, side: int) -> None:
        with suppress(IllegalError):  # a tick may have ended the game
            await self.workers[side].services.actions.resign(game.table, game.seats[side], side)

    async def play(self, tournament_id: str, dice: random.Random, between: Callable[[], Any] | None = None) -> None:
        """Play a tournament to its end: of every game one side resigns."""
        for _ in range(400):
            await self.tick()
            if self.record(tournament_id).tournament.status == OVER:
                return
            if between is not None:
                await between()
            games = self.undecided()
            for game in dice.sample(games, (len(games) + 1) // 2):
                await self.resign(game, dice.randrange(2))
            if not games:
                pass_time(3600.0)
        raise AssertionError("the tournament does not end")


def accounts(engine: Engine, number: int) -> list[Person]:
    users = UserService(engine)
    found = []
    for index in range(number):
        guest, _ = users.add_guest(f"Player {index}", "en")
        with engine.begin() as connection:
            is_it = schema.people.c.id == guest.id
            connection.execute(update(schema.people).where(is_it).values(login=f"player {index}"))
        found.append(guest._replace(login=f"player {index}"))
    return found


def pass_time(seconds: float) -> None:
    time_control.go_ahead(time_control.now() - time_control.own() + seconds)


def kill_now_and_then(monkeypatch: pytest.MonkeyPatch, dice: random.Random, share: float) -> list[str]:
    """Let processes be stopped before or after each kind of write; what happened is noted in the list."""
    killed: list[str] = []

    def maybe(moment: str) -> None:
        if dice.random() < share:
            killed.append(moment)
            raise KilledError(moment)

    def stopped(name: str, write: Callable[..., Any]) -> Callable[..., Any]:
        def around(*given: Any) -> Any:
            maybe(f"before {name}")
            result = write(*given)
            maybe(f"after {name}")
            return result

        return around

    for name in WRITES:
        monkeypatch.setattr(store, name, stopped(name, getattr(store, name)))
    pair = Seating.pair

    async def pair_or_die(self: Seating, *given: Any, **named: Any) -> Any:
        maybe("before pair")
        table = await pair(self, *given, **named)
        maybe("after pair")
        return table

    monkeypatch.setattr(Seating, "pair", pair_or_die)
    return killed


def recount(engine: Engine, tournament_id: str) -> dict[str, float]:
    """The points of a tournament in which nobody left, from the tables and byes alone."""
    games, matches = schema.tournament_games, schema.tournament_matches
    points: dict[str, float] = {}
    with engine.connect() as connection:
        kind = connection.execute(
            select(schema.tournaments.c.kind).where(schema.tournaments.c.id == tournament_id)
        ).scalar_one()
        rows = connection.execute(
            select(schema.tables.c.id, schema.tables.c.result)
            .join(games, games.c.table_id == schema.tables.c.id)
            .where(games.c.tournament_id == tournament_id)
        ).all()
        for row in rows:
            seats = connection.execute(
                select(schema.seats.c.person_id).where(schema.seats.c.table_id == row.id).order_by(schema.seats.c.side)
            ).scalars()
            for person, side in zip(seats, ("us", "ussr"), strict=True):
                points[person] = points.get(person, 0.0) + (row.result.split(" by ")[0] == side)
        if kind == "swiss":
            rested = select(matches.c.first_id).where(
                matches.c.tournament_id == tournament_id, matches.c.second_id.is_(None)
            )
            for person in connection.execute(rested).scalars():
                points[person] = points.get(person, 0.0) + 2
    return points
