"""Tables at which two people sit from the beginning."""

from __future__ import annotations

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine import commit_reveal
from brinkmanship.store import schema
from brinkmanship.store.writer import NoRowUpdatedError, Statement
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import USUAL, Terms
from brinkmanship.web.support.time_control import LIVE, Clock
from brinkmanship.web.tables.statuses import RUNNING
from support.bare_services import bare_services
from support.house import House, run


def people_of(house: House) -> list[tuple[str, str]]:
    return [(house.boris.id, "Boris"), (house.anna.id, "Anna")]


def test_a_game_of_a_pair_starts_at_once_with_its_clocks(database: str) -> None:
    async def test(house: House) -> None:
        terms = Terms(Clock(LIVE, 600, 5), "none", False)
        table = await house.services.seating.pair("13-days", people_of(house), terms, options={})
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        for shown in (table, again):
            assert (shown.status, shown.terms) == (RUNNING, terms)
            assert [seat.name for seat in shown.seats] == ["Boris", "Anna"]
            assert shown.to_move
            assert shown.state.clock_ends_at is not None

    run(database, test)


def test_tables_with_one_secret_have_the_same_deal(database: str) -> None:
    async def test(house: House) -> None:
        secret = commit_reveal.new_secret()
        pair = house.services.seating.pair
        one, other = [await pair("13-days", people_of(house), USUAL, secret=secret) for _ in range(2)]
        assert one.match.state.tobytes() == other.match.state.tobytes()
        assert one.commitment == other.commitment == commit_reveal.commitment(secret)

    run(database, test)


def test_a_table_is_written_together_with_the_row_of_its_caller_or_not_at_all(database: str) -> None:
    async def test(house: House) -> None:
        seating = house.services.seating

        async def with_note(table_id: str, about: str) -> None:
            row = {"table_id": about, "person_id": house.anna.id, "text": "round 1"}
            await seating.pair(
                "13-days", people_of(house), USUAL, Statement(insert(schema.notes), row), table_id=table_id
            )

        first, second = new_id(), new_id()
        await with_note(first, first)
        with pytest.raises(IntegrityError):
            await with_note(second, first)
        missing = Statement(
            update(schema.tables).where(schema.tables.c.id == "none").values(result=""), {}, must_change=True
        )
        with pytest.raises(NoRowUpdatedError):
            await seating.pair("13-days", people_of(house), USUAL, missing)
        with house.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(schema.tables)).scalar() == 1
            assert connection.execute(select(schema.notes.c.table_id)).scalars().all() == [first]

    run(database, test)


def test_a_pair_is_two_people_and_a_game_that_exists(database: str) -> None:
    async def test(house: House) -> None:
        pair = house.services.seating.pair
        anna = (house.anna.id, "Anna")
        with pytest.raises(IllegalError, match="different players"):
            await pair("13-days", [anna, anna], USUAL)
        with pytest.raises(IllegalError, match="different players"):
            await pair("13-days", [anna], USUAL)
        with pytest.raises(IllegalError):
            await pair("13-days", people_of(house), USUAL, options={"no_such_option": True})
        with pytest.raises(IllegalError):
            await pair("no-such-game", people_of(house), USUAL)

    run(database, test)
