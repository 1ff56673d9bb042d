"""Which tables may be rated, and who may sit down at them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from brinkmanship.store import moderation
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.time_control import LIVE, Clock
from brinkmanship.web.tables.rating_conditions import rated_terms
from brinkmanship.web.tables.statuses import RUNNING
from support.bare_services import bare_services
from support.house import INVITED, House, run

RATED = replace(INVITED, terms=rated_terms(Clock(LIVE, 1800.0, 20.0)))


def register(house: House, *people: Any) -> None:
    for person in people:
        UserService(house.engine).register(person, person.name, "a long password")


def test_two_people_with_accounts_play_a_rated_game(database: str) -> None:
    async def test(house: House) -> None:
        register(house, house.anna, house.boris)
        table, links = await house.services.seating.create(RATED, house.anna.id, "Anna")
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert (again.status, again.terms.rated, again.allows_hints) == (RUNNING, True, False)

    run(database, test)


def test_a_guest_neither_creates_nor_joins_a_rated_table(database: str) -> None:
    async def test(house: House) -> None:
        with pytest.raises(ForbiddenError, match="account"):
            await house.services.seating.create(RATED, house.anna.id, "Anna")
        register(house, house.anna)
        table, links = await house.services.seating.create(RATED, house.anna.id, "Anna")
        with pytest.raises(ForbiddenError, match="account"):
            await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        assert table.seats[1].is_free

    run(database, test)


def test_a_rematch_refused_by_a_measure_says_so(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        register(house, house.anna, house.boris)
        table, links = await house.services.seating.create(RATED, house.anna.id, "Anna")
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        await house.services.actions.resign(table.id, house.boris.id, 1)
        rematch = house.services.followups.rematch
        with monkeypatch.context() as patch:
            patch.setattr(moderation, "may_play_rated", lambda *_: False)
            with pytest.raises(ForbiddenError, match="a measure keeps you from rated games"):
                await rematch(table.id, house.anna.id, "Anna")
        asked = await rematch(table.id, house.anna.id, "Anna")
        with monkeypatch.context() as patch:
            patch.setattr(moderation, "may_play_rated", lambda *_: False)
            with pytest.raises(ForbiddenError, match="a measure keeps you from rated games"):
                await rematch(table.id, house.boris.id, "Boris")
        assert (await rematch(table.id, house.boris.id, "Boris")).id == asked.id

    run(database, test)


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"terms": RATED.terms._replace(hints=None)}, "hints"),
        ({"terms": RATED.terms._replace(undo="free")}, "take-back"),
        ({"terms": rated_terms(None)}, "clock"),
        ({"options": {"letter_declared": "with_command"}}, "standard rules"),
        ({"seats": ["me", "me"]}, "themselves"),
        ({"seats": ["me", "computer:greedy"]}, "levels"),
        ({"game": "13-minutes", "series": True}, "campaign"),
    ],
)
def test_a_game_that_others_could_not_be_compared_with_is_not_rated(
    database: str, changes: dict[str, Any], match: str
) -> None:
    async def test(house: House) -> None:
        register(house, house.anna)
        with pytest.raises(IllegalError, match=match):
            await house.services.seating.create(replace(RATED, **changes), house.anna.id, "Anna")

    run(database, test)


def test_a_level_and_the_balanced_scenario_are_rated(database: str) -> None:
    async def test(house: House) -> None:
        register(house, house.anna)
        against = replace(RATED, seats=["computer:level:2", "me"])
        assert (await house.services.seating.create(against, house.anna.id, "Anna"))[0].terms.rated
        balanced = replace(RATED, game="ukrainian-crisis", options={"scenario": "balanced"})
        assert (await house.services.seating.create(balanced, house.anna.id, "Anna"))[0].terms.rated

    run(database, test)


def test_a_measure_keeps_a_person_from_rated_tables(database: str) -> None:
    async def test(house: House) -> None:
        register(house, house.anna, house.boris)
        table, links = await house.services.seating.create(RATED, house.anna.id, "Anna")
        with house.engine.begin() as connection:
            moderation.impose(connection, moderation.OPERATOR, house.boris.id, moderation.UNRATED, "Why", "", None, 1.0)
        with pytest.raises(ForbiddenError, match="measure"):
            await house.services.seating.join(table.id, house.boris.id, "Boris", links[1])
        with pytest.raises(ForbiddenError, match="measure"):
            await house.services.seating.create(RATED, house.boris.id, "Boris")
        await house.services.seating.create(INVITED, house.boris.id, "Boris")

    run(database, test)
