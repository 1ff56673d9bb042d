"""Duplicate rounds: one deal for all tables, and nothing of it leaves a table before the last one is finished."""

from __future__ import annotations

import asyncio
import random
import time

import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.store import duplicates as store
from brinkmanship.store import game_results, schema
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.matches.duplicate_service import DuplicateRound
from brinkmanship.web.pages import routes
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, TooManyError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import USUAL, Terms
from brinkmanship.web.support.time_control import DAYS, Clock
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import CLOSED, FINISHED, RUNNING
from support.bare_services import bare_services
from support.house import House, run
from support.program import Program

TERMS = Terms(Clock(DAYS, 3 * 86400.0, 0))
Pairs = list[list[tuple[str, str]]]


def pairs(house: House, count: int = 2) -> Pairs:
    users = UserService(house.engine)
    people = [users.add_guest(f"Guest {number}", "en")[0] for number in range(2 * count)]
    return [[(one.id, one.name), (other.id, other.name)] for one, other in zip(people[::2], people[1::2], strict=True)]


async def begun(house: House, count: int = 2) -> DuplicateRound:
    return await house.services.duplicates.create("13-days", pairs(house, count), TERMS)


async def resign(house: House, table: LiveTable, side: int = 0) -> None:
    person = table.seats[side].person_id
    assert person
    await house.services.actions.resign(table.id, person, side)


def test_all_tables_have_the_same_deal_and_start_at_once(database: str) -> None:
    async def test(house: House) -> None:
        found = await begun(house, 3)
        first, *others = found.tables
        for other in others:
            assert other.match.state.tobytes() == first.match.state.tobytes()
            assert other.commitment == first.commitment == found.kept.commitment
        again = await bare_services(house.engine, house.writer).tables.table(first.id)
        for table in (*found.tables, again):
            assert (table.status, table.sealed, table.round) == (RUNNING, True, found.kept.id)

    run(database, test)


def test_the_tables_are_revealed_when_the_last_one_is_finished(database: str) -> None:
    async def test(house: House) -> None:
        service = house.services.duplicates
        found = await begun(house)
        first, second = found.tables
        await house.play_by_seat(first, 1)
        await service.tick()
        found = await service.round(found.kept.id)
        assert (found.is_over, found.results, found.unfinished, first.is_revealed) == (False, None, 1, False)
        assert commit_reveal.SECRET_HEADER not in first.journal(0).headers
        with pytest.raises(ForbiddenError):
            first.journal(FULL_INFORMATION)
        await resign(house, second)
        await asyncio.gather(service.tick(), service.tick())
        found = await service.round(found.kept.id)
        assert found.is_over
        assert found.results is not None
        assert len(found.results) == 2
        for table in (first, await bare_services(house.engine, house.writer).tables.table(first.id)):
            assert table.is_revealed
            assert commit_reveal.verify(table.journal(0), table.game) > 0
        assert store.due(house.engine, time_control.now()) == []

    run(database, test)


def test_games_of_a_round_are_counted_for_profiles_once_it_is_over(database: str) -> None:
    async def test(house: House) -> None:
        service = house.services.duplicates
        found = await begun(house)
        first, second = found.tables
        await resign(house, first)
        assert game_results.uncounted(house.engine, ["13-days"], 9) == []
        with house.engine.begin() as connection:  # as if the counting had gone on with later games
            later = {"id": 1, "through": time.time() + 86400, "leased_until": 0.0}
            connection.execute(schema.results_progress.insert().values(later))
        await resign(house, second)
        await service.tick()
        counted = game_results.uncounted(house.engine, ["13-days"], 9)
        assert {each.table_id for each in counted} == {first.id, second.id}

    run(database, test)


def test_a_round_is_created_once_and_with_all_its_tables_or_not_at_all(database: str) -> None:
    async def test(house: House) -> None:
        service, round_id, people = house.services.duplicates, new_id(), pairs(house)
        first = await service.create("13-days", people, TERMS, round_id=round_id)
        again = await service.create("13-days", people, TERMS, round_id=round_id)
        assert again.kept == first.kept
        refused: list[tuple[Pairs, Terms]] = [([*people, people[0]], TERMS), (people, USUAL), ([], TERMS)]
        for wanted, terms in refused:
            with pytest.raises(IllegalError):
                await service.create("13-days", wanted, terms)
        with house.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(schema.tables)).scalar() == 2
        with pytest.raises(NotFoundError):
            await service.round("nothing")

    run(database, test)


def test_seats_are_given_away_by_links_one_to_each_person(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        service, seating = house.services.duplicates, house.services.seating
        until = time_control.now() + 3600
        found = await service.open("13-days", 3, TERMS, until, house.anna.id)
        one, other, empty = found.tables
        links = [found.invitations(table, house.anna.id) for table in found.tables]
        assert found.invitations(one, house.boris.id) == {}
        await seating.join(one.id, house.boris.id, "Boris", links[0][0], contributes=True)
        assert not one.seats[0].contributes
        for table, link in ((one, links[0][1]), (other, links[1][0])):
            with pytest.raises(ForbiddenError):
                await seating.join(table.id, house.boris.id, "Boris", link)
        for table, link, (person, name) in zip(
            (one, other, other),
            (links[0][1], *links[1].values()),
            [(house.anna.id, "Anna"), *pairs(house)[0]],
            strict=True,
        ):
            await seating.join(table.id, person, name, link)
        assert one.match.state.tobytes() == other.match.state.tobytes()
        for table in (one, other):
            await resign(house, table)
        await service.tick()
        assert not (await service.round(found.kept.id)).is_over
        monkeypatch.setattr(time_control, "now", lambda: until + 1)
        await service.tick()
        found = await service.round(found.kept.id)
        assert found.is_over
        assert [table.id for table in found.tables] == [one.id, other.id]
        assert (await house.tables.fresh(empty.id)).status == CLOSED

    run(database, test)


def test_a_round_that_nobody_joined_ends_without_results(database: str) -> None:
    async def test(house: House) -> None:
        service = house.services.duplicates
        found = await service.open("13-days", 2, TERMS, time_control.now() - 1, house.anna.id)
        await service.tick()
        found = await service.round(found.kept.id)
        assert (found.is_over, found.results, found.averages) == (True, [], None)

    run(database, test)


def test_one_person_organises_a_few_rounds_at_once(database: str) -> None:
    async def test(house: House) -> None:
        for _ in range(3):
            await house.services.duplicates.open("13-days", 2, TERMS, time_control.now() + 60, house.anna.id)
        with pytest.raises(TooManyError):
            await house.services.duplicates.open("13-days", 2, TERMS, time_control.now() + 60, house.anna.id)

    run(database, test)


class Round:
    """A round of two tables on a server, the first of which is over."""

    def __init__(self, client: TestClient) -> None:
        self.anna, self.boris, self.clara, self.dora, self.eve = (
            Program(client, name) for name in ("Anna", "Boris", "Clara", "Dora", "Eve")
        )
        made = self.eve.ask("/duplicates", {"game": "13-days", "tables": 2, "clock": {"kind": "days", "days": 3}}, 201)
        self.id = made["id"]
        self.first, self.second = (table["table"] for table in made["tables"])
        for table, programs in zip(made["tables"], ((self.anna, self.boris), (self.clara, self.dora)), strict=True):
            for program, token in zip(programs, table["invitations"].values(), strict=True):
                program.ask(f"/tables/{table['table']}/join", {"invitation": token})
        play(self.anna, self.boris, self.first)


def play(anna: Program, boris: Program, table: str) -> None:
    choose = random.Random(1).choice
    while True:
        for program in (anna, boris):
            shown = program.ask(f"/tables/{table}")
            if shown["status"] == "over":
                return
            if shown["legal"]:
                action = {"side": shown["you"][0], "version": shown["version"], "action": choose(shown["legal"])}
                program.ask(f"/tables/{table}/actions", action)


@pytest.fixture
def played(client: TestClient) -> Round:
    client.app.state.services.analyses.playouts = 8  # type: ignore[attr-defined]
    return Round(client)


SHOWS = (
    "",
    "/state",
    "/news",
    "/heartbeat",
    "/chat",
    "/log",
    "/journal",
    "/replay",
    "/replay/3",
    "/replay/3?as=open",
    "/finished",
    "/analysis",
    "/analysis.html",
    "/picture.png",
    "/embed",
    "/replay.webp",
    "/replay.png?side=open",
    "/branches/3",
    "/play-on/3",
    "/discards",
)
"""Addresses of a table that show something of its game."""
API = ("", "/journal", "/warnings", "/reasons", "/analysis", "/stream", "/orders?side=us")


def test_nobody_but_its_players_sees_a_table_before_the_round_is_over(client: TestClient, played: Round) -> None:
    users = client.app.state.services.users  # type: ignore[attr-defined]
    session = users.open_session(
        played.clara.ask(f"/tables/{played.second}") and users.by_token(played.clara.token, True).id
    )
    every = [route for route in routes if "{table_id}" in route.path and not route.path.startswith("/puzzles")]
    assert len(every) > 40
    for cookies in ({}, {"session": session}):
        client.cookies.clear()
        client.cookies.update(cookies)
        for shows in SHOWS:
            assert client.get(f"/t/{played.first}{shows}", follow_redirects=False).status_code == 403, shows
        for route in every:
            parts = dict.fromkeys(route.param_convertors, "1") | {"table_id": played.first}
            for method in route.methods or ():
                answer = client.request(method, route.path.format(**parts), follow_redirects=False)
                assert answer.status_code >= 400, (method, route.path)
    for path in API:
        for program in (played.eve, played.clara):
            program.ask(f"/tables/{played.first}{path}", status=403)
    played.eve.ask(f"/tables/{played.first}/boards", {"line": 0, "at": 3, "chance": "same", "action": None}, 403)
    assert played.clara.ask(f"/tables/{played.second}")["sealed"]
    assert client.get(f"/t/{played.second}").status_code == 200


def test_after_the_game_a_player_knows_no_more_than_their_own_side(client: TestClient, played: Round) -> None:
    table: LiveTable = client.app.state.services.tables._live[played.first]  # type: ignore[attr-defined]
    assert (table.status, table.sealed) == (FINISHED, True)
    shown = played.anna.ask(f"/tables/{played.first}")
    assert (shown["status"], shown["sealed"], shown["duplicate"]) == ("over", True, played.id)
    journal = played.anna.ask(f"/tables/{played.first}/journal")
    assert "known-to" in journal
    assert "draw ?" in journal
    assert table.secret.hex() not in journal
    played.anna.ask(f"/tables/{played.first}/analysis", status=422)
    played.anna.ask(f"/tables/{played.first}/analysis", {}, 422)
    assert played.anna.ask(f"/tables/{played.first}/reasons") == []
    played.anna.ask(
        f"/tables/{played.first}/play_on", {"step": 3, "side": "us", "against": "me", "same_chance": True}, 422
    )
    told = played.anna.ask(f"/duplicates/{played.id}")
    assert (told["is_over"], told["unfinished"], told["averages"]) == (False, 1, None)
    assert all(each["result"] == "" and each["points"] is None for each in told["tables"])
    assert all(each["invitations"] == {} for each in told["tables"])


def test_pages_show_a_player_their_own_side_after_the_game(client: TestClient, played: Round) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    table: LiveTable = services.tables._live[played.first]
    client.cookies.set("session", services.users.open_session(table.seats[0].person_id))
    paths = [*(path for path in SHOWS if path != "/news"), "/replay/3?as=us"]  # a stream would not end
    shown = {path: client.get(f"/t/{played.first}{path}", follow_redirects=False) for path in paths}
    assert all(answer.status_code < 500 for answer in shown.values())
    assert all(table.secret.hex() not in answer.text for answer in shown.values())
    refused = {path for path, answer in shown.items() if answer.status_code >= 400}
    never_shared = {"/embed", "/replay.webp", "/replay.png?side=open"}
    assert refused == {"/replay/3?as=open", "/branches/3", "/play-on/3", "/analysis.html", *never_shared}
    assert {path for path, answer in shown.items() if answer.status_code == 303} == {"/finished", "/analysis"}
    verified = client.get(f"/verify?table={played.first}")
    assert (verified.status_code, table.secret.hex() in verified.text) == (422, False)
    assert f'href="/duplicate/{played.id}"' in shown[""].text


def test_after_the_round_everything_is_open(client: TestClient, played: Round) -> None:
    played.clara.ask(f"/tables/{played.second}/resign?side=us", {})
    assert client.portal is not None
    services = client.app.state.services  # type: ignore[attr-defined]
    client.portal.call(services.duplicates.tick)
    told = played.eve.ask(f"/duplicates/{played.id}")
    assert (told["is_over"], sum(told["averages"])) == (True, 1.0)
    assert all(sum(each["matchpoints"]) == 1.0 for each in told["tables"])
    secret = services.tables._live[played.first].secret.hex()
    assert secret in played.eve.ask(f"/tables/{played.first}/journal")
    client.cookies.clear()
    assert secret in client.get(f"/verify?table={played.first}").text
    assert client.get(f"/duplicate/{played.id}").status_code == 200
    assert client.get("/duplicate/nothing").status_code == 404


def test_a_waiting_table_is_open_to_others_until_the_cards_are_dealt(database: str) -> None:
    async def test(house: House) -> None:
        found = await house.services.duplicates.open("13-days", 2, TERMS, time_control.now() + 60, house.anna.id)
        table = found.tables[0]
        assert table.is_open_to(None)
        for side, person in enumerate((house.anna, house.boris)):
            await house.services.seating.join(table.id, person.id, person.name, table.seats[side].invitation)
        assert [table.is_open_to(who) for who in (None, "somebody", house.anna.id)] == [False, False, True]

    run(database, test)
