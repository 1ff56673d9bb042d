"""Seeks on a database: paired once by however many processes, withdrawn, expired, and opened again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, insert, select, update

from brinkmanship.store import repository, schema
from brinkmanship.store import seeks as stored
from brinkmanship.store.database import open_database
from brinkmanship.store.lobby import LobbyFilter, conditions
from brinkmanship.store.seeks import CLOSED, OPEN, PAIRED, SETTLED, Seek
from brinkmanship.store.writer import Writer
from brinkmanship.web.accounts.users import Person, UserService
from brinkmanship.web.presentation.clock_forms import clock_in
from brinkmanship.web.presentation.seek_wishes import SeekWish, all_wants, checked_wish
from brinkmanship.web.seeks.chances import chances
from brinkmanship.web.seeks.seek_service import (
    GONE_SECONDS,
    LASTS,
    MAX_BY_DAYS,
    MAX_LEFT,
    REPEAT_SECONDS,
    REST_SECONDS,
    leaver_of,
)
from brinkmanship.web.services import Services
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, TooManyError
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import now
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import RUNNING
from support.bare_services import bare_services
from support.databases import KINDS, fresh_database
from support.loops import run_in_thread

LIVE_WISH = SeekWish(all_wants("13-days"), ("live 10 5",))
DAYS_WISH = SeekWish(all_wants("13-days"), ("days 3",))
OTHER_WISH = SeekWish(all_wants("13-minutes"), ("days 7",))


class Process:
    """One server process on a database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.writer = Writer(engine)
        self.services: Services = bare_services(engine, self.writer)
        self.seeks = self.services.seeks
        self.users = UserService(engine)

    def guest(self, name: str) -> Person:
        return self.users.add_guest(name, "en")[0]


class World:
    """A database with as many processes as are wanted."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.processes: list[Process] = []

    def process(self) -> Process:
        self.processes.append(Process(open_database(self.url)))
        return self.processes[-1]

    def close(self) -> None:
        for process in self.processes:
            process.writer.close()
            process.engine.dispose()


@pytest.fixture(params=KINDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    with fresh_database(request.param, tmp_path) as url:
        world = World(url)
        yield world
        world.close()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Process]:
    world = World(f"sqlite:///{tmp_path / 'table.sqlite3'}")
    yield world.process()
    world.close()


def change(engine: Engine, seek: Seek, **values: Any) -> None:
    with engine.begin() as connection:
        connection.execute(update(schema.seeks).where(schema.seeks.c.id == seek.id).values(**values))


def test_two_sit_at_one_table_that_has_begun(alone: Process) -> None:
    async def test() -> None:
        anna, boris = alone.guest("Anna"), alone.guest("Boris")
        waits = await alone.seeks.place(anna, LIVE_WISH)
        assert waits.state == OPEN
        paired = await alone.seeks.place(boris, LIVE_WISH)
        waits = await alone.seeks.seek(waits.id)
        assert waits.state == paired.state == PAIRED
        assert waits.table_id == paired.table_id
        table = await alone.services.tables.table(paired.table_id or "")
        assert {seat.person_id for seat in table.seats} == {anna.id, boris.id}
        assert {seat.name for seat in table.seats} == {"Anna", "Boris"}
        assert table.status == RUNNING
        assert table.terms.clock is not None

    run_in_thread(test())


def test_racing_processes_pair_no_seek_twice(world: World) -> None:
    first, second = world.process(), world.process()
    people = [first.guest(f"P{number}") for number in range(12)]

    async def place() -> None:
        for process in (first, second):  # nobody is paired before all are there
            await process.seeks._matching.acquire()
        placing = [asyncio.create_task(first.seeks.place(who, DAYS_WISH)) for who in people]
        while len(open_by_days(first.engine)) < len(people):
            await asyncio.sleep(0.01)
        for process in (first, second):
            process.seeks._matching.release()
        await asyncio.gather(*placing, *(second.seeks.pair_up() for _ in range(4)))

    run_in_thread(place())
    by_table = select(func.count()).select_from(schema.seeks).group_by(schema.seeks.c.table_id)
    with first.engine.connect() as connection:
        assert connection.execute(by_table).scalars().all() == [2] * 6
        assert connection.execute(select(func.count()).select_from(schema.tables)).scalar_one() == 6
        seated = connection.execute(select(schema.seats.c.person_id)).scalars().all()
    assert len(seated) == len(set(seated)) == len(people)


def test_the_lobby_filters_open_tables_on_both_databases(world: World) -> None:
    process = world.process()

    async def test() -> None:
        anna = process.guest("Anna")
        for seats, clock in ((["me", "open"], "live 10 5"), (["open", "me"], "bank 10 12"), (["me", "open"], "")):
            plan = TableSettings("13-days", seats, terms=Terms(clock_in(clock)))
            await process.services.seating.create(plan, anna.id, anna.name)

        def found(*wanted: Any) -> int:
            return len(repository.open_tables(process.engine, only=conditions(LobbyFilter(*wanted))))

        assert (found(), found("13-days"), found("13-minutes")) == (3, 3, 0)
        assert (found("13-days", 0), found("13-days", 1)) == (1, 2)
        assert [found(None, None, clock) for clock in ("live", "days", "none")] == [1, 1, 1]
        assert [found(None, None, None, rated) for rated in (True, False)] == [0, 3]
        assert repository.all_open_count(process.engine) == 3

    run_in_thread(test())


def open_by_days(engine: Engine) -> list[Seek]:
    with engine.connect() as connection:
        return stored.open_seeks(connection, stored.DAYS)


def test_a_live_seek_replaces_the_former_one_and_few_wait_by_days(alone: Process) -> None:
    async def test() -> None:
        anna = alone.guest("Anna")
        former = await alone.seeks.place(anna, LIVE_WISH)
        latter = await alone.seeks.place(anna, LIVE_WISH)
        assert (await alone.seeks.seek(former.id)).state == CLOSED
        assert latter.state == OPEN
        for _ in range(MAX_BY_DAYS):
            await alone.seeks.place(anna, DAYS_WISH)
        with pytest.raises(IllegalError):
            await alone.seeks.place(anna, OTHER_WISH)
        assert len(stored.of_person(alone.engine, anna.id)) == MAX_BY_DAYS + 1

    run_in_thread(test())


def test_a_second_click_leads_to_the_game_of_the_first(world: World) -> None:
    process = world.process()

    async def test() -> None:
        seeks = process.seeks
        anna, boris, clara = (process.guest(name) for name in ("Anna", "Boris", "Clara"))
        waits = await seeks.place(boris, LIVE_WISH)
        first = await seeks.place(anna, LIVE_WISH)
        assert first.state == PAIRED
        await seeks.place(clara, LIVE_WISH)
        assert await seeks.place(anna, LIVE_WISH) == first
        assert await seeks.answer(anna, waits.id) == first
        assert (await seeks.place(anna, LIVE_WISH._replace(clocks=("live 20 10",)))).state == OPEN
        with pytest.raises(IllegalError):
            await seeks.answer(clara, waits.id)
        with process.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(schema.tables)).scalar_one() == 1

    run_in_thread(test())


def test_players_who_know_of_a_live_game_find_another_one(alone: Process) -> None:
    async def test() -> None:
        seeks, actions = alone.seeks, alone.services.actions
        anna = alone.guest("Anna")

        async def paired() -> LiveTable:
            await seeks.place(alone.guest("Boris"), LIVE_WISH)
            found = await seeks.place(anna, LIVE_WISH)
            return await alone.services.tables.table(found.table_id or "")

        over = await paired()
        await actions.resign(over.id, anna.id, over.seat_of(anna.id)[0])
        moved = await paired()
        (side,) = moved.seat_of(anna.id)
        await actions.act(moved.id, anna.id, side, moved.version(side), moved.decisions(side)[0].action)
        forgotten = await paired()
        with alone.engine.begin() as connection:
            since = update(schema.tables).where(schema.tables.c.id == forgotten.id)
            connection.execute(since.values(dealt_at=schema.tables.c.dealt_at - REPEAT_SECONDS))
        assert len({over.id, moved.id, forgotten.id, (await paired()).id}) == 4

    run_in_thread(test())


def test_a_live_seek_without_a_page_is_not_paired_and_soon_withdrawn(alone: Process) -> None:
    async def test() -> None:
        anna, boris = alone.guest("Anna"), alone.guest("Boris")
        gone = await alone.seeks.place(anna, LIVE_WISH)
        change(alone.engine, gone, seen_at=gone.created_at - GONE_SECONDS / 2)
        waits = await alone.seeks.place(boris, LIVE_WISH)
        assert waits.state == OPEN
        await alone.seeks.tick()
        assert (await alone.seeks.seek(gone.id)).state == OPEN
        change(alone.engine, gone, seen_at=gone.created_at - GONE_SECONDS - 1)
        await alone.seeks.tick()
        assert (await alone.seeks.seek(gone.id)).state == CLOSED
        assert (await alone.seeks.seek(waits.id)).state == OPEN

    run_in_thread(test())


def test_an_open_page_keeps_a_live_seek_and_hears_of_its_table(alone: Process) -> None:
    async def test() -> None:
        anna, boris = alone.guest("Anna"), alone.guest("Boris")
        waits = await alone.seeks.place(anna, LIVE_WISH)
        with alone.seeks.waiting(waits.id) as page:
            change(alone.engine, waits, seen_at=0.0)
            await alone.seeks.look()
            await alone.seeks.tick()
            found = await alone.seeks.place(boris, LIVE_WISH)
            assert page.changed.is_set()
            assert page.table_id == found.table_id

    run_in_thread(test())


def test_seeks_expire_and_are_withdrawn_only_by_their_user(alone: Process) -> None:
    async def test() -> None:
        anna, boris = alone.guest("Anna"), alone.guest("Boris")
        old = await alone.seeks.place(anna, DAYS_WISH)
        change(alone.engine, old, expires_at=old.created_at - 1)
        await alone.seeks.tick()
        assert (await alone.seeks.seek(old.id)).state == CLOSED
        mine = await alone.seeks.place(anna, DAYS_WISH)
        with pytest.raises(NotFoundError):
            await alone.seeks.withdraw(boris, mine.id)
        assert (await alone.seeks.withdraw(anna, mine.id)).state == CLOSED
        assert mine.expires_at == mine.created_at + LASTS["days"]
        stored.remove_old(alone.engine, mine.created_at + 1)
        with pytest.raises(NotFoundError):
            await alone.seeks.seek(mine.id)

    run_in_thread(test())


async def found_and_left(alone: Process, anna: Person, boris: Person, wish: SeekWish) -> tuple[Seek, Seek]:
    """Let two be paired, and Boris leave before his first move."""
    await alone.seeks.place(anna, wish)
    paired = await alone.seeks.place(boris, wish)
    table = await alone.services.tables.table(paired.table_id or "")
    await alone.services.actions.resign(table.id, boris.id, table.seat_of(boris.id)[0])
    hers = stored.at_table(alone.engine, table.id, anna.id)
    assert hers is not None
    await alone.seeks.settle()
    return await alone.seeks.seek(hers.id), await alone.seeks.seek(paired.id)


def test_leaving_before_the_first_move_opens_the_other_seek_again(alone: Process) -> None:
    async def test() -> None:
        anna, boris = alone.guest("Anna"), alone.guest("Boris")
        hers, his = await found_and_left(alone, anna, boris, DAYS_WISH)
        assert (hers.state, hers.table_id, his.state) == (OPEN, None, SETTLED)
        clara = alone.guest("Clara")
        assert (await alone.seeks.place(clara, DAYS_WISH)).state == PAIRED
        hers, his = await found_and_left(alone, anna, boris, LIVE_WISH)
        assert (hers.state, his.state) == (SETTLED, SETTLED)
        again = await alone.seeks.again(anna, hers.table_id or "")
        assert again.created_at == hers.created_at
        assert (await alone.seeks.again(boris, hers.table_id or "")).state == PAIRED

    run_in_thread(test())


def test_a_game_that_has_begun_leaves_the_seeks_closed(alone: Process) -> None:
    async def test() -> None:
        anna, boris = alone.guest("Anna"), alone.guest("Boris")
        await alone.seeks.place(anna, DAYS_WISH)
        paired = await alone.seeks.place(boris, DAYS_WISH)
        table = await alone.services.tables.table(paired.table_id or "")
        for side in (0, 1):
            person = table.seats[side].person_id or ""
            action = table.decisions(side)[0].action
            await alone.services.actions.act(table.id, person, side, table.version(side), action)
        await alone.services.actions.resign(table.id, boris.id, table.seat_of(boris.id)[0])
        await alone.seeks.settle()
        assert stored.of_person(alone.engine, anna.id) == []
        assert leaver_of(table) is None

    run_in_thread(test())


def test_who_leaves_again_and_again_rests_for_an_hour(alone: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.0)

    async def test() -> None:
        boris = alone.guest("Boris")
        for number in range(MAX_LEFT):
            await found_and_left(alone, alone.guest(f"P{number}"), boris, LIVE_WISH)
        with pytest.raises(TooManyError) as refused:
            await alone.seeks.place(boris, DAYS_WISH)
        assert 0 < refused.value.retry_after <= REST_SECONDS + 1
        with alone.engine.begin() as connection:
            left_at = schema.seeks.c.left_at
            connection.execute(update(schema.seeks).where(left_at.is_not(None)).values(left_at=left_at - REST_SECONDS))
        assert (await alone.seeks.place(boris, DAYS_WISH)).state == OPEN

    run_in_thread(test())


def test_rated_seeks_are_for_accounts_and_lead_to_rated_tables(alone: Process) -> None:
    async def test() -> None:
        guests = alone.guest("Anna"), alone.guest("Boris")
        wish = LIVE_WISH._replace(rated=True)
        with pytest.raises(ForbiddenError):
            await alone.seeks.place(guests[0], wish)
        anna, boris = (alone.users.register(who, who.name, "long enough") for who in guests)
        await alone.seeks.place(anna, wish)
        paired = await alone.seeks.place(boris, wish)
        assert (await alone.services.tables.table(paired.table_id or "")).terms.rated

    run_in_thread(test())


def test_answering_a_seek_finds_its_user_whatever_their_side(alone: Process) -> None:
    async def test() -> None:
        anna, boris = alone.guest("Anna"), alone.guest("Boris")
        us = await alone.seeks.place(anna, DAYS_WISH._replace(wants=all_wants("13-days")[:1]))
        with pytest.raises(IllegalError):
            await alone.seeks.answer(anna, us.id)
        paired = await alone.seeks.answer(boris, us.id)
        table = await alone.services.tables.table(paired.table_id or "")
        assert [seat.person_id for seat in table.seats] == [anna.id, boris.id]

    run_in_thread(test())


def test_wishes_are_of_one_pace_and_of_this_server() -> None:
    both = checked_wish(all_wants("13-days"), ["live 20 10", "live 10 5", "live 10 5"], False)
    assert both.clocks == ("live 10 5", "live 20 10")
    for wants, clocks in (
        ([], ["live 10 5"]),
        ([stored.Want("no-such-game", 0)], ["live 10 5"]),
        ([stored.Want("13-days", 2)], ["live 10 5"]),
        (all_wants("13-days"), []),
        (all_wants("13-days"), ["live 11 5"]),
        (all_wants("13-days"), ["live 10 5", "days 3"]),
    ):
        with pytest.raises(IllegalError):
            checked_wish(wants, clocks, False)


def test_the_chance_of_winning_follows_from_ratings_and_sides(alone: Process) -> None:
    async def test() -> None:
        strong, weak, other = (alone.guest(name) for name in ("Strong", "Weak", "Other"))
        played = {"game": "13-days", "deviation": 50.0, "games": 30, "at": now(), "is_listed": True}
        with alone.engine.begin() as connection:
            for who, rating in ((strong, 1800.0), (weak, 1500.0), (other, 1790.0)):
                connection.execute(insert(schema.ratings).values(person_id=who.id, rating=rating, **played))
        waits = await alone.seeks.place(strong, DAYS_WISH)
        assert (await alone.seeks.place(weak, DAYS_WISH)).state == OPEN
        assert (await alone.seeks.place(other, DAYS_WISH)).state == PAIRED
        assert (await alone.seeks.seek(waits.id)).state == PAIRED
        seeks = [waits, waits._replace(person_id=weak.id)]
        chance = chances(alone.engine, seeks, now())
        as_us, as_ussr = (chance("13-days", side, strong.id, weak.id) for side in (0, 1))
        assert as_us is not None
        assert as_ussr is not None
        assert min(as_us, as_ussr) > 0.75
        assert as_us != as_ussr
        assert chance("13-days", 0, weak.id, strong.id) == pytest.approx(1 - as_ussr)
        assert chance("13-days", 0, weak.id, "guest") is None

    run_in_thread(test())
