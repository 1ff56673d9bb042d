"""Tournaments on a real database: every kind comes to its end, whatever process is stopped wherever it writes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from brinkmanship.store import schema
from brinkmanship.store import tournaments as store
from brinkmanship.tournament.event import CANCELLED, CUP, KNOCKOUT, LEAGUE, OPEN, OVER, RUNNING, SWISS, Kind
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.time_control import Clock
from brinkmanship.web.tournaments.terms import TournamentSettings
from brinkmanship.web.tournaments.ticks import BETWEEN_SEASONS_SECONDS
from support.databases import KINDS, fresh_database
from support.loops import run_in_thread
from support.tournament_hall import AT_ONCE, BY_DAYS, DAY, Hall, kill_now_and_then, pass_time, recount


@pytest.fixture(params=KINDS)
def any_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with fresh_database(request.param, tmp_path) as url:
        yield url


def in_hall(url: str, folder: Path, people: int, test: Callable[[Hall], Awaitable[None]]) -> None:
    async def run() -> None:
        async with Hall(url, folder / "hall", people) as hall:
            await test(hall)

    run_in_thread(run())


def plan(kind: Kind, size: int, clock: Clock = BY_DAYS, **fields: object) -> TournamentSettings:
    days = {"round_days": 30} if clock is BY_DAYS else {}
    if kind == LEAGUE:
        fields["starts_at"] = time_control.now() + DAY
    return TournamentSettings(
        **{"kind": kind, "name": "Spring", "game": "13-days", "clock": clock, "size": size, **days, **fields}
    )  # type: ignore[arg-type]


def check(hall: Hall, tournament_id: str) -> None:
    """The stored standings are those of an independent recount, and nobody was paired twice."""
    record = hall.record(tournament_id)
    assert record.tournament.status == OVER
    final = store.final_standings(hall.engine, tournament_id)
    counted = recount(hall.engine, tournament_id)
    assert {person: points for division in final for person, points in division} == {
        entry.person: counted.get(entry.person, 0.0) for entry in record.event.entries
    }
    in_round = Counter(
        (match.place.division, match.place.round, person) for match in record.event.matches for person in match.people
    )
    assert set(in_round.values()) == {1}
    met = Counter(frozenset(match.people) for match in record.event.matches if match.second is not None)
    assert set(met.values()) == {1}
    with hall.engine.connect() as connection:
        tables = set(connection.execute(select(schema.tables.c.id)).scalars())
        ours = connection.execute(select(schema.tournament_games.c.table_id)).scalars().all()
        told = connection.execute(select(schema.announcements.c.person_id, schema.announcements.c.subject)).all()
    assert sorted(ours) == sorted(tables)  # no table without its game, none twice
    assert len(told) == len(set(told))
    assert {person for person, _ in told} == {person for _, _, person in in_round}, "told that a round begins"


@pytest.mark.parametrize(
    ("kind", "people", "size", "clock"),
    [(CUP, 4, 4, BY_DAYS), (LEAGUE, 9, 5, BY_DAYS), (SWISS, 9, 9, AT_ONCE), (KNOCKOUT, 6, 6, BY_DAYS)],
)
def test_a_tournament_is_played_to_its_end_although_processes_are_stopped_everywhere(
    any_database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Kind,
    people: int,
    size: int,
    clock: Clock,
) -> None:
    async def test(hall: Hall) -> None:
        tournament_id = await hall.entered(plan(kind, size, clock), hall.people)
        killed = kill_now_and_then(monkeypatch, random.Random(7), 0.15)
        pass_time(DAY + 1)
        await hall.play(tournament_id, random.Random(3))
        assert len({moment.split()[1] for moment in killed}) >= 3, killed
        check(hall, tournament_id)

    in_hall(any_database, tmp_path, people, test)


def test_the_best_of_a_season_go_up_in_the_next_one(database: str, tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        first = await hall.entered(plan(LEAGUE, 4), hall.people)
        pass_time(DAY + 1)
        await hall.play(first, random.Random(1))
        record = hall.record(first)
        assert record.following is not None
        second = hall.record(record.following)
        assert (second.tournament.season, second.tournament.status, second.event.entries) == (2, OPEN, ())
        upper, lower = ([person for person, _ in division] for division in store.final_standings(hall.engine, first))
        for person in hall.people:
            await hall.tournaments.enter(record.following, person)
        pass_time(BETWEEN_SEASONS_SECONDS)
        await hall.tick()
        begun = hall.record(record.following).event
        assert {entry.person for entry in begun.roster(0)} == {*upper[:2], *lower[:2]}
        await hall.play(record.following, random.Random(2))
        with hall.engine.connect() as connection:
            seasons = connection.execute(select(schema.tournaments.c.season)).scalars().all()
        assert sorted(seasons) == [1, 2, 3]

    in_hall(database, tmp_path, 8, test)


def test_a_player_who_withdraws_or_deletes_the_account_forfeits(database: str, tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        tournament_id = await hall.entered(plan(KNOCKOUT, 4), hall.people)
        await hall.tick()
        gone = hall.record(tournament_id).event.roster(0)
        await hall.tournaments.withdraw(tournament_id, next(p for p in hall.people if p.id == gone[0].person))
        with hall.engine.begin() as connection:
            is_it = schema.people.c.id == gone[1].person
            connection.execute(schema.people.update().where(is_it).values(left_at=1.0, name=""))
            connection.execute(schema.tournaments.update().values(due_at=1.0))
        await hall.tick()
        record = hall.record(tournament_id)
        (final,) = [match for match in record.event.matches if match.place.round == 2]
        assert set(final.people) == {gone[2].person, gone[3].person}
        with pytest.raises(IllegalError):
            await hall.tournaments.withdraw(tournament_id, next(p for p in hall.people if p.id == gone[0].person))
        await hall.play(tournament_id, random.Random(5))

    in_hall(database, tmp_path, 4, test)


def test_at_the_deadline_the_side_to_move_loses_and_a_second_missed_match_ends_it(
    database: str, tmp_path: Path
) -> None:
    async def test(hall: Hall) -> None:
        tournament_id = await hall.entered(plan(SWISS, 8), hall.people)
        await hall.tick()
        missing = hall.record(tournament_id).event.roster(0)[0].person
        for rounds in (1, 2):
            for game in hall.undecided():
                table = await hall.workers[0].services.tables.fresh(game.table)
                for side in (0, 1):  # all choose their agenda but one; then all wait for the US
                    if game.seats[side] != missing:
                        action = table.decisions(side)[0].action
                        await hall.workers[0].services.actions.act(
                            table.id, game.seats[side], side, table.version(side), action
                        )
                if missing not in game.seats:
                    await hall.resign(game, 0)
            pass_time(30 * DAY + 1)
            await hall.tick()
            entry = hall.record(tournament_id).event.entry(missing)
            assert entry is not None
            assert (entry.withdrawn_at is None) is (rounds == 1)
        assert {game.no_show for match in hall.record(tournament_id).event.matches for game in match.games
                if missing in match.people} <= {0, 1}  # fmt: skip
        await hall.play(tournament_id, random.Random(5))

    in_hall(database, tmp_path, 8, test)


def test_who_is_away_starts_later_and_a_substitute_takes_over(database: str, tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        *players, reserve = hall.people
        tournament_id = await hall.entered(plan(LEAGUE, 6), players)
        await hall.tournaments.enter(tournament_id, reserve, as_substitute=True)
        pass_time(DAY + 1)
        await hall.tick()
        away = players[0]
        before = {match.place: match for match in hall.record(tournament_id).event.matches}
        record = await hall.tournaments.stay_away(tournament_id, away, 10)
        for match in record.event.matches:
            later = 10 * DAY if away.id in match.people else 0.0
            assert match.ends_at is not None
            assert match.ends_at - before[match.place].ends_at == later  # type: ignore[operator]
        with pytest.raises(IllegalError):
            await hall.tournaments.stay_away(tournament_id, away, 10)
        await hall.tournaments.withdraw(tournament_id, players[1])
        await hall.play(tournament_id, random.Random(5))
        final = [person for person, _ in store.final_standings(hall.engine, tournament_id)[0]]
        assert reserve.id in final
        assert players[1].id not in final

    in_hall(database, tmp_path, 7, test)


def test_entries_and_plans_that_are_not_possible_are_refused(database: str, tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        service, (anna, boris, *others) = hall.tournaments, hall.people
        guest = anna._replace(id="x", login=None)
        now = time_control.now()
        with pytest.raises(ForbiddenError):
            await service.create(plan(CUP, 4), guest)
        for wrong in (
            plan(CUP, 5),
            plan(SWISS, 65),
            plan(SWISS, 8, name=" "),
            plan(SWISS, 8, name="x" * 61),
            plan(SWISS, 8, about="x" * 1001),
            plan(SWISS, 8, game="chess"),
            plan(SWISS, 8, options={"no such": 1}),
            plan(SWISS, 8, clock=None),
            plan(SWISS, 8, round_days=2),
            plan(SWISS, 8, starts_at=now - 1),
            plan(LEAGUE, 8, clock=AT_ONCE, round_days=None),
            TournamentSettings("pyramid", "Spring", "13-days", BY_DAYS, 8),
            TournamentSettings(LEAGUE, "Spring", "13-days", BY_DAYS, 8, round_days=30),
        ):
            with pytest.raises(IllegalError):
                await service.create(wrong, anna)
        with pytest.raises(NotFoundError):
            await service.enter("nowhere", anna)
        tournament_id = await hall.entered(plan(CUP, 4, rated=True), [anna, boris])
        with pytest.raises(IllegalError):
            await service.enter(tournament_id, anna)
        with pytest.raises(IllegalError):
            await service.enter(tournament_id, others[0], as_substitute=True)
        await service.withdraw(tournament_id, boris)
        assert len(hall.record(tournament_id).event.entries) == 1
        for person in (boris, *others[:2]):
            await service.enter(tournament_id, person)
        with pytest.raises(IllegalError):
            await service.enter(tournament_id, others[2])
        await hall.tick()
        assert hall.record(tournament_id).tournament.status == RUNNING
        table = await hall.workers[0].services.tables.fresh(hall.undecided()[0].table)
        assert table.terms.rated
        with pytest.raises(IllegalError):
            await service.cancel(tournament_id, anna)
        other = await hall.entered(plan(CUP, 4), [boris])
        with pytest.raises(ForbiddenError):
            await service.cancel(other, boris)
        cancelled = await service.cancel(other, anna)
        assert cancelled.tournament.status == CANCELLED
        await hall.play(tournament_id, random.Random(3))
        with pytest.raises(IllegalError):
            await service.withdraw(tournament_id, anna)

    in_hall(database, tmp_path, 5, test)
