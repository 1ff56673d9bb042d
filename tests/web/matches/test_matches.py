"""Matches of two games: each side once, on different deals, one score."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from brinkmanship.engine.journal import ending_of
from brinkmanship.store import matches as store
from brinkmanship.store import schema
from brinkmanship.store.analyses import AnalysisSubject
from brinkmanship.web.matches.match_history import MatchHistory, score_without_luck
from brinkmanship.web.matches.match_service import BREAK_SECONDS
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.table_terms import USUAL, Terms
from brinkmanship.web.support.time_control import DAYS, LIVE, Clock
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED, RUNNING
from support.bare_services import bare_services
from support.house import House, run

LIVE_TERMS = Terms(Clock(LIVE, 1800, 20))
FRIEND = TableSettings("13-days", ["me", "friend"])


async def created(house: House, terms: Terms = USUAL, simultaneous: bool = False) -> MatchHistory:
    people = [(house.anna.id, "Anna"), (house.boris.id, "Boris")]
    return await house.services.matches.create("13-days", people, terms, simultaneous=simultaneous)


async def resign(house: House, table: LiveTable, name: str) -> None:
    (seat,) = [seat for seat in table.seats if seat.name == name]
    assert seat.person_id
    await house.services.actions.resign(table.id, seat.person_id, seat.side)


def test_each_player_has_each_side_once_on_different_deals(database: str) -> None:
    async def test(house: House) -> None:
        match = await created(house)
        assert [seat.name for seat in match.players] == ["Anna", "Boris"]
        assert (len(match.games), match.first.status) == (1, RUNNING)
        await resign(house, match.first, "Boris")
        match = await house.services.matches.match(match.id)
        first, second = [game.table for game in match.games]
        assert [seat.name for seat in second.seats] == ["Boris", "Anna"]
        assert second.status == RUNNING
        assert first.commitment != second.commitment
        assert first.rematch == second.id
        assert (match.score, match.is_over) == ((1.0, 0.0), False)
        await resign(house, second, "Boris")
        match = await house.services.matches.match(match.id)
        assert (match.score, match.is_over) == ((2.0, 0.0), True)
        assert match.kept.finished_at is not None

    run(database, test)


def test_both_games_of_a_simultaneous_match_run_from_the_start(database: str) -> None:
    async def test(house: House) -> None:
        match = await created(house, Terms(Clock(DAYS, 3 * 86400.0, 0)), simultaneous=True)
        assert [game.table.status for game in match.games] == [RUNNING, RUNNING]
        for game in match.games:
            await resign(house, game.table, "Anna" if game.number else "Boris")
        match = await house.services.matches.match(match.id)
        assert (match.score, match.is_over) == ((1.0, 1.0), True)

    run(database, test)


def test_with_live_clocks_the_second_game_waits_for_both_players_or_the_end_of_the_break(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(house: House) -> None:
        service = house.services.matches
        ready, late = await created(house, LIVE_TERMS), await created(house, LIVE_TERMS)
        with pytest.raises(IllegalError, match="not over"):
            await service.begin_second(ready.id, house.anna.id)
        for match in (ready, late):
            await resign(house, match.first, "Boris")
        waiting = await service.begin_second(ready.id, house.anna.id)
        assert (len(waiting.games), waiting.is_ready(0), waiting.is_ready(1)) == (1, True, False)
        with pytest.raises(ForbiddenError):
            await service.begin_second(ready.id, "somebody")
        begun = await service.begin_second(ready.id, house.boris.id)
        assert begun.games[1].table.status == RUNNING
        assert (await service.begin_second(ready.id, house.boris.id)).games[1].table is begun.games[1].table
        assert len((await service.match(late.id)).games) == 1
        now = time_control.now()
        monkeypatch.setattr(time_control, "now", lambda: now + BREAK_SECONDS + 1)
        await service.tick()
        kept = store.match(house.engine, late.id)
        assert kept is not None
        assert [game.status for game in kept.games] == [FINISHED, RUNNING]

    run(database, test)


def test_of_many_processes_exactly_one_begins_the_second_game(database: str) -> None:
    async def test(house: House) -> None:
        match = await created(house)
        await resign(house, match.first, "Boris")
        servers = [bare_services(house.engine, house.writer).matches for _ in range(4)]
        await asyncio.gather(*(server.tick() for server in servers), *(server.match(match.id) for server in servers))
        with house.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(schema.tables)).scalar() == 2
        shown = [await server.match(match.id) for server in servers]
        assert len({one.games[1].table.id for one in shown}) == 1
        assert store.due(house.engine) == []

    run(database, test)


def test_a_match_with_a_friend_begins_when_the_friend_sits_down(database: str) -> None:
    async def test(house: House) -> None:
        service, seating = house.services.matches, house.services.seating
        table, tokens = await service.open(FRIEND, True, house.anna.id, "Anna")
        assert (await service.of_table(table)).is_waiting  # type: ignore[union-attr]
        await seating.join(table.id, house.boris.id, "Boris", tokens[1])
        await service.tick()
        match = await service.of_table(table)
        assert match is not None
        assert [[seat.name for seat in game.table.seats] for game in match.games] == [
            ["Anna", "Boris"],
            ["Boris", "Anna"],
        ]
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert again.match_place == table.match_place

    run(database, test)


def test_a_withdrawn_match_is_gone(database: str) -> None:
    async def test(house: House) -> None:
        service = house.services.matches
        table, _ = await service.open(TableSettings("13-days", ["open", "me"]), False, house.anna.id, "Anna")
        assert table.match_place
        await house.services.seating.withdraw(table.id, house.anna.id)
        await service.tick()
        assert await service.of_table(table) is None
        with pytest.raises(NotFoundError):
            await service.match(table.match_place.match)

    run(database, test)


def test_a_match_needs_two_people_and_is_no_campaign(database: str) -> None:
    async def test(house: House) -> None:
        opened = house.services.matches.open
        for seats in (["me", "me"], ["me", "computer:random"]):
            with pytest.raises(IllegalError, match="two users"):
                await opened(TableSettings("13-days", seats), False, house.anna.id, "Anna")
        with pytest.raises(IllegalError, match="campaign"):
            await opened(TableSettings("13-minutes", ["me", "friend"], series=True), False, house.anna.id, "Anna")

    run(database, test)


def test_there_is_no_rematch_before_the_match_is_over(database: str) -> None:
    async def test(house: House) -> None:
        followups, service = house.services.followups, house.services.matches
        match = await created(house, LIVE_TERMS)
        await resign(house, match.first, "Anna")
        with pytest.raises(IllegalError, match="match is not over"):
            await followups.rematch(match.first.id, house.anna.id, "Anna")
        for person in (house.anna, house.boris):
            match = await service.begin_second(match.id, person.id)
        second = match.games[1].table
        assert await followups.rematch(match.first.id, house.anna.id, "Anna") is second
        await resign(house, second, "Anna")
        await service.tick()
        following = await followups.rematch(second.id, house.anna.id, "Anna")
        assert following.match_place is not None
        assert following.match_place.number == 0

    run(database, test)


@pytest.mark.parametrize("simultaneous", [False, True], ids=["in-turn", "together"])
def test_the_rematch_of_a_match_is_one_new_match_like_it(database: str, simultaneous: bool) -> None:
    async def test(house: House) -> None:
        followups, service = house.services.followups, house.services.matches
        match = await created(house, simultaneous=simultaneous)
        for number in (0, 1):
            match = await service.match(match.id)
            await resign(house, match.games[number].table, "Anna")
        await service.tick()
        tables = [game.table for game in (await service.match(match.id)).games]
        asked = [await followups.rematch(table.id, house.anna.id, "Anna") for table in tables]
        assert asked[0] is asked[1]  # whichever game's page the button is on
        assert [await followups.asked_for(table) for table in tables] == asked
        accepted = await followups.rematch(tables[0].id, house.boris.id, "Boris")
        await service.seats_taken(accepted)
        assert accepted.match_place is not None
        new = await service.match(accepted.match_place.match)
        assert new.id != match.id
        assert new.kept.simultaneous == simultaneous
        assert [game.table.status for game in new.games] == [RUNNING] * (2 if simultaneous else 1)
        assert new.first is accepted

    run(database, test)


def test_the_games_of_a_deleted_account_are_resigned_one_after_the_other(database: str) -> None:
    async def test(house: House) -> None:
        match = await created(house)
        with house.engine.begin() as connection:
            boris = schema.people.c.id == house.boris.id
            connection.execute(schema.people.update().where(boris).values(name="", left_at=1.0))
            connection.execute(schema.seats.update().where(schema.seats.c.name == "Boris").values(name=""))
        house.tables.changed_outside([match.first.id])
        for _ in range(2):
            await house.services.seating.end_deserted()
            await house.services.matches.tick()
        match = await house.services.matches.match(match.id)
        assert (match.is_over, match.score) == (True, (2.0, 0.0))

    run(database, test)


def test_the_score_counts_points_by_player(database: str) -> None:
    async def test(house: House) -> None:
        match = await created(house)
        for seed in (1, 2):
            table = match.games[-1].table
            await house.play_by_seat(table, seed)
            match = await house.services.matches.match(match.id)
        expected = [0.0, 0.0]
        for game in match.games:
            winner = ending_of(game.table.game, game.table.result).winner
            for player in (0, 1):
                expected[player] += 0.5 if winner is None else float(game.sides[player] == winner)
        assert match.score == tuple(expected)
        assert score_without_luck(match, [None, None]) is None

    run(database, test)


def test_the_games_of_a_finished_match_are_analysed_in_the_background(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(house: House) -> None:
        asked: list[str] = []

        async def begin(subject: AnalysisSubject, _: object) -> None:
            asked.append(str(subject.table_id))

        analyses = house.services.analyses
        monkeypatch.setattr(analyses, "playouts", 8)
        monkeypatch.setattr(analyses, "begin", begin)
        match = await created(house)
        for _ in range(2):
            await house.services.matches.tick()
            assert asked == []
            await resign(house, match.games[-1].table, "Boris")
            match = await house.services.matches.match(match.id)
        await house.services.matches.tick()
        assert sorted(asked) == sorted(game.table.id for game in match.games)

    run(database, test)
