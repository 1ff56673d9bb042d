"""A campaign on the table: who may begin the next game, what counts, and what each program and page says of it."""

from __future__ import annotations

import asyncio
import html
import random
import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.thirteen_minutes.rules.state import Reason
from brinkmanship.store import repository
from brinkmanship.text import LANGUAGES
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import LIVE, Clock
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import RESIGN
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED, RUNNING
from support.bare_services import bare_services
from support.house import House, run
from support.played_games import make_public
from support.program import Program
from support.visitors import Visitor, live, registered

GAME = "13-minutes"


async def campaign(house: House, seats: tuple[str, str] = ("me", "friend"), **options: OptionValue) -> LiveTable:
    """The first game of a campaign; Anna has the US."""
    plan = TableSettings(GAME, seats, options, series=True)
    table, links = await house.services.seating.create(plan, house.anna.id, "Anna")
    return await house.services.seating.join(table.id, house.boris.id, "Boris", links[1]) if links else table


async def play(house: House, table: LiveTable, seed: int) -> None:
    """Play a game to its end, each side by whoever sits there."""
    choose = random.Random(seed).choice
    while table.status == RUNNING:
        side = choose(table.to_move)
        person = table.seats[side].person_id
        action = choose(table.decisions(side)).action
        await house.services.actions.act(table.id, person, side, table.version(side), action)


async def play_peacefully(house: House, table: LiveTable) -> LiveTable:
    """Play the game, and where a war ended it say that none did: here the points matter."""
    await play(house, table, 7)
    if table.match.state.reason == Reason.NUCLEAR_WAR:
        pytest.skip("this seed has come to end in a war")
    return table


def test_points_go_to_players_and_sides_alternate(database: str) -> None:
    async def test(house: House) -> None:
        first = await play_peacefully(house, await campaign(house, campaign_target=1000))
        us, ussr = first.match.state.score.sum(axis=1).tolist()
        second = await house.services.followups.next_game(first.id, house.boris.id)
        assert [seat.name for seat in second.seats] == ["Boris", "Anna"]
        assert (second.status, second.game.options) == (RUNNING, first.game.options)
        history = await house.services.followups.series(first.id)
        assert (history.series.standing.score, history.games[0].points) == ((us, ussr), (us, ussr))
        assert [seat.name for seat in history.players] == ["Anna", "Boris"]
        await house.services.actions.resign(second.id, house.anna.id, 1)
        again = await house.services.followups.series(first.id)
        assert (again.series.standing.score, again.games[1].points) == ((us, ussr), (0, 0))
        assert again.series.standing.games == 2

    run(database, test)


def test_the_second_who_begins_the_next_game_goes_where_the_first_did(database: str) -> None:
    async def test(house: House) -> None:
        first = await campaign(house)
        await house.services.actions.resign(first.id, house.anna.id, 0)
        other = bare_services(house.engine, house.writer)  # another worker, who hears of nothing
        await other.tables.table(first.id)
        begun = await asyncio.gather(
            house.services.followups.next_game(first.id, house.anna.id),
            other.followups.next_game(first.id, house.boris.id),
        )
        assert begun[0].id == begun[1].id
        assert len((await other.followups.series(first.id)).tables) == 2
        assert (await house.services.followups.next_game(first.id, house.anna.id)).id == begun[0].id

    run(database, test)


def test_a_series_is_the_same_when_it_is_loaded_again(database: str) -> None:
    async def test(house: House) -> None:
        first = await play_peacefully(house, await campaign(house))
        history = await house.services.followups.series(first.id)
        again = await bare_services(house.engine, house.writer).followups.series(first.id)
        assert again.series.standing == history.series.standing

    run(database, test)


def test_where_the_players_agree_on_the_sides_both_have_to_say_the_same(database: str) -> None:
    async def test(house: House) -> None:
        first = await campaign(house, campaign_sides="agree")
        await house.services.actions.resign(first.id, house.boris.id, 1)
        with pytest.raises(IllegalError, match="choose them"):
            await house.services.followups.next_game(first.id, house.anna.id)
        assert (await house.services.followups.next_game(first.id, house.anna.id, swapped=True)).id == first.id
        assert (await house.services.followups.next_game(first.id, house.boris.id, swapped=False)).id == first.id
        second = await house.services.followups.next_game(first.id, house.boris.id, swapped=True)
        assert [seat.name for seat in second.seats] == ["Boris", "Anna"]

    run(database, test)


@pytest.mark.parametrize("seats", [("me", "computer:random"), ("me", "me")], ids=["computer", "one screen"])
def test_nobody_else_has_to_agree_where_one_person_plays(database: str, seats: tuple[str, str]) -> None:
    async def test(house: House) -> None:
        first = await campaign(house, seats, campaign_sides="agree")
        await house.services.actions.resign(first.id, house.anna.id, 0)
        second = await house.services.followups.next_game(first.id, house.anna.id, swapped=True)
        assert (second.id != first.id, second.part and second.part.number) == (True, 1)
        assert second.seats[1].person_id == house.anna.id

    run(database, test)


def test_with_a_clock_the_next_game_begins_when_both_have_asked_for_it(database: str) -> None:
    async def test(house: House) -> None:
        next_game = house.services.followups.next_game
        plan = TableSettings(GAME, ("me", "friend"), terms=Terms(Clock(LIVE, 300)), series=True)
        first, links = await house.services.seating.create(plan, house.anna.id, "Anna")
        await house.services.seating.join(first.id, house.boris.id, "Boris", links[1])
        await house.services.actions.resign(first.id, house.anna.id, 0)
        for _ in range(2):
            assert (await next_game(first.id, house.anna.id)).id == first.id
        assert first.rematch is None
        second = await next_game(first.id, house.boris.id)
        assert ([seat.name for seat in second.seats], second.status) == (["Boris", "Anna"], RUNNING)
        assert (await next_game(first.id, house.anna.id)).id == second.id
        alone, _ = await house.services.seating.create(
            TableSettings(GAME, ("me", "computer:random"), terms=Terms(Clock(LIVE, 300)), series=True),
            house.anna.id,
            "Anna",
        )
        await house.services.actions.resign(alone.id, house.anna.id, 0)
        assert (await next_game(alone.id, house.anna.id)).status == RUNNING

    run(database, test)


def test_the_whole_campaign_may_be_given_up(database: str) -> None:
    async def test(house: House) -> None:
        first = await campaign(house)
        await house.services.actions.resign(first.id, house.anna.id, 0, everything=True)
        standing = (await house.services.followups.series(first.id)).series.standing
        assert (standing.is_over, standing.winners, standing.reason) == (True, (1,), "concession")
        with pytest.raises(IllegalError, match="the campaign is over"):
            await house.services.followups.next_game(first.id, house.boris.id)
        again = await house.services.followups.rematch(first.id, house.boris.id, "Boris")
        assert again.part is not None
        assert (again.part.series, again.part.number) == (again.id, 0)

    run(database, test)


def test_a_game_ended_by_agreement_adds_nothing(database: str) -> None:
    async def test(house: House) -> None:
        first = await campaign(house)
        await house.services.actions.offer_void(first.id, house.anna.id, 0)
        await house.services.actions.answer_offer(first.id, house.boris.id, 1, accept=True)
        history = await house.services.followups.series(first.id)
        assert (history.series.standing.score, history.can_go_on) == ((0, 0), True)

    run(database, test)


def test_what_is_refused(database: str) -> None:
    async def test(house: House) -> None:
        with pytest.raises(IllegalError, match="no campaigns"):
            await house.services.seating.create(
                TableSettings("13-days", ("me", "me"), series=True), house.anna.id, "Anna"
            )
        alone, _ = await house.services.seating.create(TableSettings(GAME, ("me", "me")), house.anna.id, "Anna")
        with pytest.raises(IllegalError, match="does not belong to a campaign"):
            await house.services.actions.resign(alone.id, house.anna.id, 0, everything=True)
        with pytest.raises(IllegalError, match="does not belong to a campaign"):
            await house.services.followups.next_game(alone.id, house.anna.id)
        with pytest.raises(ForbiddenError):
            await house.services.followups.next_game(alone.id, house.boris.id)
        with pytest.raises(NotFoundError):
            await house.services.followups.series(alone.id)
        running = await campaign(house)
        with pytest.raises(IllegalError, match="not over"):
            await house.services.followups.next_game(running.id, house.anna.id)
        await house.services.actions.resign(running.id, house.anna.id, 0)
        with pytest.raises(IllegalError, match="the campaign is not over"):
            await house.services.followups.rematch(running.id, house.anna.id, "Anna")

    run(database, test)


def test_lists_show_a_campaign_once(database: str) -> None:
    async def test(house: House) -> None:
        first = await campaign(house)
        await house.services.actions.resign(first.id, house.anna.id, 0)
        second = await house.services.followups.next_game(first.id, house.anna.id)
        listed = [repository.tables_of(house.engine, house.anna.id, finished) for finished in (False, True)]
        assert [[(table.id, table.series) for table in each] for each in listed] == [[(second.id, first.id)], []]
        assert (first.status, first.rematch) == (FINISHED, second.id)

    run(database, test)


# ---- Pages and programs.


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings)) as client:
        yield client


def test_a_program_plays_a_campaign(client: TestClient) -> None:
    anna, boris = Program(client, "Anna"), Program(client, "Boris")
    assert {game["id"]: game["series"] for game in anna.ask("/games")}[GAME]
    first = anna.ask("/tables", {"game": GAME, "seats": ["me", "friend"], "series": True}, 201)
    boris.ask(f"/tables/{first['id']}/join", {"invitation": first["invitations"]["ussr"]})
    anna.ask(f"/tables/{first['id']}/resign?side=us", {})
    second = boris.ask(f"/tables/{first['id']}/next", {})
    assert (second["series"], second["you"]) == (first["id"], ["us"])
    told = anna.ask(f"/series/{first['id']}")
    assert [game["table"] for game in told["games"]] == [first["id"], second["id"]]
    assert [game["sides"] for game in told["games"]] == [["us", "ussr"], ["ussr", "us"]]
    assert (told["players"], told["score"], told["games"][0]["points"]) == (["Anna", "Boris"], [0, 0], [0, 0])
    assert (told["can_go_on"], told["next_sides"], told["is_over"]) == (False, None, False)
    anna.ask(f"/tables/{second['id']}/resign?side=ussr&everything=true", {})
    ended = anna.ask(f"/series/{first['id']}")
    assert (ended["is_over"], ended["winners"], ended["reason"]) == (True, [1], "concession")
    anna.ask("/series/nothing", status=404)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_campaign_tells_its_games_and_offers_the_next(client: TestClient, language: str) -> None:
    anna = Visitor(client)
    anna.cookies["language"] = language
    form = {"game": GAME, "mode": "same", "side": 0, "name": "Anna", "series": "true"}
    table = anna.post("/tables", **form).headers["location"]
    series = table.replace("/t/", "/series/")
    own = page_words(language)
    running = anna.get(series)
    assert own.sentence(Message("series.running")) in running
    assert f'action="{table}/next"' not in running
    live(client, table).apply_record(TableRecord(RESIGN, 0, 0, 1.0))
    over = anna.get(series)
    assert f'action="{table}/next"' in over
    assert own.sentence(Message("series.next")) in over


def test_home_shows_a_campaign_as_one_thing(client: TestClient) -> None:
    anna = Visitor(client)
    form = {"game": GAME, "mode": "same", "side": 0, "name": "Anna", "series": "true"}
    table = anna.post("/tables", **form).headers["location"]
    assert "· campaign 0–0" in html.unescape(anna.get("/"))
    live(client, table).apply_record(TableRecord(RESIGN, 0, 0, 1.0))
    assert "The next game can start" in anna.get("/")


def test_somebody_else_sees_a_campaign_and_cannot_go_on_with_it(client: TestClient) -> None:
    anna = Visitor(client)
    form = {"game": GAME, "mode": "same", "side": 0, "name": "Anna", "series": "true"}
    table = anna.post("/tables", **form).headers["location"]
    live(client, table).apply_record(TableRecord(RESIGN, 0, 1, 1.0))
    page = Visitor(client).get(table.replace("/t/", "/series/"))
    assert "/next" not in page
    assert re.search(r"Player 2\b", page)


def test_names_link_to_public_profiles(client: TestClient) -> None:
    anna = registered(Visitor(client), "Anna")
    table = anna.begin("friend", game=GAME, series="true")
    series = table.replace("/t/", "/series/")
    assert 'href="/people/' not in Visitor(client).get(series)
    make_public(anna)
    for page in (series, table):
        assert re.search(r'<th scope="col"><a href="/people/\w+">Anna</a></th>', Visitor(client).get(page))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_a_campaign_can_end_is_said(language: str) -> None:
    reasons = ("target", "nuclear", "double_nuclear", "concession")
    said = {page_words(language).text(Message(f"series.reason.{reason}", {"loser": "Anna"})) for reason in reasons}
    assert len(said) == len(reasons)
