"""Two people at the services of a server, without a network."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

from sqlalchemy import Engine

from brinkmanship.store.database import open_database
from brinkmanship.store.writer import Writer
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import RUNNING
from support.bare_services import bare_services
from support.loops import run_in_thread

INVITED = TableSettings("13-days", ["me", "friend"])


class House:
    """A service with two people at it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.writer = Writer(engine)
        self.services = bare_services(engine, self.writer)
        self.tables = self.services.tables
        people = UserService(engine)
        self.anna, _ = people.add_guest("Anna", "en")
        self.boris, _ = people.add_guest("Boris", "ru")

    async def table(self, game: str = INVITED.game) -> LiveTable:
        plan = replace(INVITED, game=game)
        table, links = await self.services.seating.create(plan, self.anna.id, "Anna")
        return await self.services.seating.join(table.id, self.boris.id, "Boris", links[1])

    def who(self, side: int) -> str:
        return (self.anna.id, self.boris.id)[side]

    async def act(self, table: LiveTable, side: int, action: int | str) -> None:
        await self.services.actions.act(table.id, self.who(side), side, table.version(side), action)

    async def play(self, table: LiveTable, seed: int, stop: Callable[[LiveTable], bool] = lambda _: False) -> None:
        choose = random.Random(seed).choice
        while table.status == RUNNING and not stop(table):
            side = choose(table.to_move)
            await self.act(table, side, choose(table.decisions(side)).action)

    async def play_by_seat(self, table: LiveTable, seed: int) -> None:
        """Play to the end, each side by the person in its seat."""
        choose = random.Random(seed).choice
        while table.status == RUNNING:
            side = choose(table.to_move)
            action = choose(table.decisions(side)).action
            await self.services.actions.act(table.id, table.seats[side].person_id, side, table.version(side), action)


def run(database: str, test: Callable[[House], Awaitable[None]]) -> None:
    engine = open_database(database)
    house = House(engine)
    try:
        run_in_thread(test(house))
    finally:
        house.writer.close()
        engine.dispose()
