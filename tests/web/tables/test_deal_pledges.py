"""Nothing is dealt before it is fixed by all who take part; and what came of it can be checked."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, select, text
from starlette.testclient import TestClient

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.registry import load_game
from brinkmanship.store import schema
from brinkmanship.store.database import MIGRATIONS
from brinkmanship.web.notifications.turn import turn_of
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.tables import deal_pledges
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import DEALING, FINISHED, RUNNING, WAITING
from support.bare_services import bare_services
from support.databases import KINDS, fresh_database
from support.house import House, run
from support.patience import HANGS_SECONDS
from support.visitors import Visitor, invited

FRIEND = TableSettings("13-days", ["me", "friend"], contributes=True)
ANNAS = b"\x01" * 32
BORISS = b"\x02" * 32


@pytest.fixture(params=KINDS)
def any_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with fresh_database(request.param, tmp_path) as url:
        yield url


def pledge_of(table: LiveTable, side: int, contribution: bytes) -> str:
    return commit_reveal.pledge(table.commitment, table.game.sides[side], contribution)


async def seated(house: House, contributes: bool = True) -> LiveTable:
    """Anna has set a table and pledged; Boris has sat down."""
    table, links = await house.services.seating.create(FRIEND, house.anna.id, "Anna")
    await house.services.seating.contribute(table.id, house.anna.id, 0, pledge=pledge_of(table, 0, ANNAS))
    return await house.services.seating.join(table.id, house.boris.id, "Boris", links[1], contributes=contributes)


def test_who_waits_for_an_opponent_sees_no_card(client: TestClient, anna: Visitor) -> None:
    for mode in ("friend", "open"):
        table = anna.begin(mode, 0)
        page = anna.get(table)
        assert not re.search(r'id="held-|data-card=|data-agenda=', page)
        record = journal.parse(anna.get(f"{table}/journal"))
        assert record.entries == []
        found: LiveTable = client.app.state.services.tables._live[table.removeprefix("/t/")]  # type: ignore[attr-defined]
        assert found.match.entries == []
        assert found.state.chance_key is None


def test_a_program_that_waits_for_an_opponent_sees_no_card(client: TestClient) -> None:
    token = client.post("/api/v1/tokens", json={"name": "Bot"}).json()["token"]
    bot = {"authorization": f"Bearer {token}"}
    made = client.post("/api/v1/tables", json={"game": "13-days", "seats": ["me", "friend"]}, headers=bot).json()
    view = client.get(f"/api/v1/tables/{made['id']}", headers=bot).json()
    assert view["status"] == WAITING
    assert not any(view["state"]["cards"].values())
    assert (view["legal"], view["asked"], view["owed"]) == ([], [], {})


def test_the_cards_follow_from_the_secret_and_the_bytes_of_both(database: str) -> None:
    async def test(house: House) -> None:
        table = await seated(house)
        assert table.status == DEALING
        assert [deal_pledges.owed(table, side) for side in (0, 1)] == ["", deal_pledges.BYTES]
        await house.services.seating.contribute(table.id, house.boris.id, 1, contribution=BORISS)
        assert (table.status, table.match.entries) == (DEALING, [])
        await house.services.seating.contribute(table.id, house.anna.id, 0, contribution=ANNAS)
        assert table.status == RUNNING
        assert table.state.chance_key == commit_reveal.chance_key(table.secret, {"us": ANNAS, "ussr": BORISS})
        running = table.journal(OBSERVER)
        assert "drawn" not in running.text()
        assert running.headers["deal-bytes.us"] == ANNAS.hex()
        await house.play(table, 3)
        record = journal.parse(table.journal(OBSERVER).text())
        assert commit_reveal.verify(record, table.game) >= 16
        assert commit_reveal.shares(record, table.game)["ussr"] == commit_reveal.Share(
            pledge_of(table, 1, BORISS), BORISS
        )
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert again.match.entries == table.match.entries

    run(database, test)


def test_nobody_sends_bytes_before_all_others_are_bound_or_other_bytes_than_he_pledged(database: str) -> None:
    async def test(house: House) -> None:
        parts = house.services
        table, links = await parts.seating.create(FRIEND, house.anna.id, "Anna")
        assert deal_pledges.owed(table, 0) == deal_pledges.PLEDGE
        with pytest.raises(IllegalError, match="once all others have pledged"):
            await parts.seating.contribute(table.id, house.anna.id, 0, contribution=ANNAS)
        await parts.seating.join(table.id, house.boris.id, "Boris", links[1], contributes=True)
        # Boris is quicker: neither is bound yet, so neither may send bytes.
        assert [deal_pledges.owed(table, side) for side in (0, 1)] == [deal_pledges.PLEDGE] * 2
        for who, side in ((house.anna, 0), (house.boris, 1)):
            with pytest.raises(IllegalError, match="once all others have pledged"):
                await parts.seating.contribute(table.id, who.id, side, contribution=ANNAS)
        assert table.seating == "dealing 2"  # which pages watch, to know what is theirs to send now
        await parts.seating.contribute(table.id, house.boris.id, 1, pledge=pledge_of(table, 1, BORISS))
        assert table.seating == "dealing 2 pledged"
        with pytest.raises(IllegalError, match="nothing to pledge"):
            await parts.seating.contribute(table.id, house.boris.id, 1, pledge="0" * 64)
        with pytest.raises(ForbiddenError):
            await parts.seating.contribute(table.id, house.boris.id, 0, contribution=ANNAS)
        await parts.seating.contribute(table.id, house.anna.id, 0, contribution=ANNAS)
        with pytest.raises(IllegalError, match="do not match the pledge"):
            await parts.seating.contribute(table.id, house.boris.id, 1, contribution=ANNAS)
        await parts.seating.contribute(table.id, house.boris.id, 1, contribution=BORISS)
        assert table.status == RUNNING
        with pytest.raises(IllegalError, match="already been dealt"):
            await parts.seating.contribute(table.id, house.boris.id, 1)

    run(database, test)


def test_the_same_pledge_and_the_same_bytes_may_come_twice(database: str) -> None:
    async def test(house: House) -> None:
        table, contribute = await seated(house), house.services.seating.contribute
        for _ in range(2):
            await contribute(table.id, house.boris.id, 1, pledge=pledge_of(table, 1, BORISS))
        for person, side, added in ((house.anna, 0, ANNAS), (house.boris, 1, BORISS), (house.anna, 0, ANNAS)):
            await contribute(table.id, person.id, side, contribution=added)
        assert table.status == RUNNING
        with pytest.raises(IllegalError, match="already been dealt"):
            await contribute(table.id, house.boris.id, 1, contribution=ANNAS)

    run(database, test)


def test_who_goes_back_on_his_pledge_is_left_out_and_the_other_makes_new_bytes(any_database: str) -> None:
    async def test(house: House) -> None:
        table = await seated(house)
        await house.services.seating.contribute(table.id, house.boris.id, 1, contribution=BORISS)
        await house.services.seating.contribute(table.id, house.anna.id, 0)
        assert table.status == DEALING
        assert table.seats[1].pledge is None
        assert deal_pledges.owed(table, 1) == deal_pledges.BYTES
        await house.services.seating.contribute(table.id, house.boris.id, 1, contribution=b"\x03" * 32)
        assert table.state.chance_key == commit_reveal.chance_key(table.secret, {"us": None, "ussr": b"\x03" * 32})
        shares = commit_reveal.shares(table.journal(OBSERVER), table.game)
        assert shares["us"] == commit_reveal.Share(pledge_of(table, 0, ANNAS), None)

    run(any_database, test)


def test_who_has_not_pledged_can_do_without_and_changes_nothing_for_the_other(database: str) -> None:
    async def test(house: House) -> None:
        table = await seated(house)
        await house.services.seating.contribute(table.id, house.boris.id, 1)
        assert deal_pledges.owed(table, 0) == deal_pledges.BYTES
        await house.services.seating.contribute(table.id, house.anna.id, 0, contribution=ANNAS)
        assert table.state.chance_key == commit_reveal.chance_key(table.secret, {"us": ANNAS, "ussr": None})

    run(database, test)


@pytest.mark.parametrize("seats", [["me", "computer:random"], ["computer:random", "me"], ["me", "me"]])
def test_against_a_computer_and_at_one_screen_one_persons_bytes_are_enough(database: str, seats: list[str]) -> None:
    async def test(house: House) -> None:
        table, _ = await house.services.seating.create(
            TableSettings("13-minutes", seats, contributes=True), house.anna.id, "Anna"
        )
        assert (table.status, table.match.entries) == (DEALING, [])
        for side in table.seat_of(house.anna.id):
            assert deal_pledges.owed(table, side) == deal_pledges.BYTES
            await house.services.seating.contribute(table.id, house.anna.id, side, contribution=ANNAS)
        assert table.status == RUNNING
        assert table.state.chance_key != table.secret

    run(database, test)


def test_a_game_may_be_given_up_before_it_is_dealt(database: str) -> None:
    async def test(house: House) -> None:
        table = await seated(house)
        await house.services.actions.resign(table.id, house.boris.id, 1)
        assert (table.status, table.result, table.match.entries) == (FINISHED, "us by resignation", [])
        assert commit_reveal.verify(table.journal(OBSERVER), table.game) == 0
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert (again.status, again.result, again.match.entries) == (FINISHED, "us by resignation", [])

    run(database, test)


def test_who_took_part_takes_part_in_the_rematch_and_in_the_next_game_of_a_series(database: str) -> None:
    async def test(house: House) -> None:
        table, links = await house.services.seating.create(
            TableSettings("13-minutes", ["me", "friend"], series=True, contributes=True), house.anna.id, "Anna"
        )
        await house.services.seating.contribute(table.id, house.anna.id, 0, pledge=pledge_of(table, 0, ANNAS))
        await house.services.seating.join(table.id, house.boris.id, "Boris", links[1], contributes=True)
        await house.services.seating.contribute(table.id, house.boris.id, 1, contribution=BORISS)
        await house.services.seating.contribute(table.id, house.anna.id, 0, contribution=ANNAS)
        await house.services.actions.resign(table.id, house.boris.id, 1)
        second = await house.services.followups.next_game(table.id, house.boris.id)
        assert second.id != table.id
        assert second.secret != table.secret
        assert [deal_pledges.owed(second, side) for side in (0, 1)] == [deal_pledges.PLEDGE] * 2
        await house.services.actions.resign(
            second.id, house.boris.id, second.seat_of(house.boris.id)[0], everything=True
        )
        third = await house.services.followups.rematch(second.id, house.anna.id, "Anna")
        await house.services.followups.rematch(second.id, house.boris.id, "Boris")
        assert [seat.is_awaited for seat in third.seats] == [True, True]

    run(database, test)


def test_it_is_the_turn_of_who_has_to_come_so_that_the_cards_are_dealt(database: str) -> None:
    async def test(house: House) -> None:
        table = await seated(house)
        assert [turn_of(table, side) for side in (0, 1)] == [None, 0]
        await house.services.seating.contribute(table.id, house.boris.id, 1, contribution=BORISS)
        assert [turn_of(table, side) for side in (0, 1)] == [0, None]

    run(database, test)


def test_two_processes_that_put_in_the_last_bytes_at_once_begin_the_game(any_database: str) -> None:
    async def test(house: House) -> None:
        table = await seated(house)
        await house.services.seating.contribute(table.id, house.boris.id, 1, pledge=pledge_of(table, 1, BORISS))
        other = bare_services(house.engine, house.writer)
        await other.tables.table(table.id)
        # Neither hears of the other, as when both write in the same moment.
        await house.services.seating.contribute(table.id, house.anna.id, 0, contribution=ANNAS)
        await other.seating.contribute(table.id, house.boris.id, 1, contribution=BORISS)
        with house.engine.connect() as connection:
            row = connection.execute(select(schema.tables.c.status, schema.tables.c.asked)).one()
        dealt = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert row == (RUNNING, dealt.state.asked_names)
        assert row.asked
        assert dealt.status == RUNNING

    run(any_database, test)


def test_one_sits_down_while_another_process_stores_a_pledge(any_database: str) -> None:
    async def test(house: House) -> None:
        table, links = await house.services.seating.create(FRIEND, house.anna.id, "Anna")
        other = bare_services(house.engine, house.writer)
        await other.tables.table(table.id)
        # The other process does not hear of the pledge.
        await house.services.seating.contribute(table.id, house.anna.id, 0, pledge=pledge_of(table, 0, ANNAS))
        joined = await other.seating.join(table.id, house.boris.id, "Boris", links[1], contributes=True)
        assert (joined.status, joined.seats[0].pledge) == (DEALING, pledge_of(table, 0, ANNAS))

    run(any_database, test)


def test_a_game_from_before_there_were_contributions_goes_on_and_is_verified_as_it_was(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    secret = bytes(range(32))
    engine = create_engine(url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0006")
        connection.exec_driver_sql("INSERT INTO people VALUES ('anna', 'Anna', NULL, NULL, 'en', 1.0)")
        row = {
            "id": "old",
            "game": "13-minutes",
            "rules_version": load_game("13-minutes").version,
            "options": "{}",
            "secret": secret,
            "commitment": commit_reveal.commitment(secret),
            "is_open": False,
            "created_at": 1.0,
            "status": RUNNING,
            "result": "",
            "asked": "",
        }
        names = ", ".join(row)  # as they were then: the columns of today's schema are not all there yet
        connection.execute(text(f"INSERT INTO tables ({names}) VALUES (:{', :'.join(row)})"), row)
        for side in (0, 1):
            connection.exec_driver_sql(f"INSERT INTO seats VALUES ('old', {side}, 'anna', NULL, 'Anna', NULL)")
    engine.dispose()

    async def test(house: House) -> None:
        table = await house.tables.table("old")
        assert (table.status, table.state.chance_key) == (RUNNING, secret)
        house.anna = house.boris = house.anna._replace(id="anna")
        await house.play(table, 1)
        record = journal.parse(table.journal(OBSERVER).text())
        assert commit_reveal.VERSION_HEADER not in record.headers
        assert commit_reveal.verify(record, table.game) == 13

    run(url, test)


def test_the_page_of_the_proof_tells_who_added_what(anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    anna.post(f"{table}/resign", csrf=anna.csrf, side=0, sure="true")
    said = anna.get(f"/verify?table={table}")
    assert "No player added random bytes" in said
    second = anna.begin("computer", 0, contributes="true")
    assert "data-dealing" in anna.get(second)
    answer = anna.post(f"{second}/deal", csrf=anna.csrf, side=0, contribution="ab" * 32)
    assert answer.status_code == 303
    assert "data-dealing" not in anna.get(second)
    anna.post(f"{second}/resign", csrf=anna.csrf, side=0, sure="true")
    said = anna.get(f"/verify?table={second}")
    assert "ab" * 32 in said
    assert "This side added nothing" in said
    assert anna.post(f"{second}/deal", csrf=anna.csrf, side=0, contribution="AB" * 32).status_code == 400


def test_a_program_adds_bytes_over_the_api(client: TestClient) -> None:
    bots = [
        {"authorization": f"Bearer {client.post('/api/v1/tokens', json={'name': 'Bot'}).json()['token']}"} for _ in "12"
    ]

    def ask(bot: int, path: str, **body: object) -> dict[str, object]:
        answer = client.post(f"/api/v1/tables{path}", json=body, headers=bots[bot])
        assert answer.is_success, answer.text
        found: dict[str, object] = answer.json()
        return found

    made = ask(0, "", game="13-minutes", seats=["me", "open"], contributes=True)
    table, commitment = made["id"], str(made["commitment"])
    assert made["owed"] == {"us": "pledge"}
    ask(0, f"/{table}/deal", side="us", pledge=commit_reveal.pledge(commitment, "us", ANNAS))
    joined = ask(1, f"/{table}/join", contributes=True)
    assert joined["pledges"] == {"us": commit_reveal.pledge(commitment, "us", ANNAS)}
    assert joined["owed"] == {"ussr": "bytes"}
    ask(1, f"/{table}/deal", side="ussr", contribution=BORISS.hex())
    begun = ask(0, f"/{table}/deal", side="us", contribution=ANNAS.hex())
    assert (begun["status"], begun["owed"]) == (RUNNING, {})


# ---- In a browser


def test_a_browser_adds_its_bytes_by_itself_and_knows_them_again(visit, server) -> None:  # type: ignore[no-untyped-def]
    from support.browsing import begin, table_of

    anna = visit(reduced_motion="reduce")
    begin(anna, "friend", 0, game="13-minutes")
    table = table_of(server, anna.get_attribute("#state", "data-table"))
    anna.wait_for_selector("#deal", state="detached")  # pledged, and so bound before anybody else comes
    boris = visit(anna.input_value("#invitation").removeprefix(server.url), reduced_motion="reduce")
    boris.fill("input[name=name]", "Boris")
    boris.click("button.primary")
    for page in (anna, boris):
        page.wait_for_selector("#choices")
    kept = [
        json.loads(page.evaluate("Object.values({...localStorage}).find((text) => text.includes('bytes'))"))
        for page in (anna, boris)
    ]
    assert [one["bytes"] for one in kept] == [seat.contribution.hex() for seat in table.seats]
    assert [one["others"] for one in kept] == [{"ussr": table.seats[1].pledge}, {"us": table.seats[0].pledge}]
    ended = server.app.state.services.actions.resign(table.id, table.seats[0].person_id, 0)
    asyncio.run_coroutine_threadsafe(ended, server.loop).result(HANGS_SECONDS)
    for page, verdict in ((anna, "kept"), (boris, "kept"), (visit(), "unknown")):
        page.goto(f"{server.url}/verify?table={table.id}")
        page.wait_for_selector(f"[data-verdict={verdict}]:not([hidden])")
    # A server that puts other bytes in their place is found out, however well the rest fits.
    boris.evaluate(
        """for (const [key, text] of Object.entries({...localStorage}))
             localStorage.setItem(key, text.replace(/"bytes":"../, '"bytes":"zz'));"""
    )
    boris.reload()
    boris.wait_for_selector("[data-verdict=broken]:not([hidden])")


def test_at_one_screen_a_browser_adds_bytes_for_both_sides(visit, server) -> None:  # type: ignore[no-untyped-def]
    from support.browsing import begin, table_of

    page = visit(reduced_motion="reduce")
    begin(page, "same", 0, game="13-minutes")
    table = table_of(server, page.get_attribute("#state", "data-table"))
    assert len({seat.contribution for seat in table.seats} - {None}) == 2
    ended = server.app.state.services.actions.resign(table.id, table.seats[0].person_id, 0)
    asyncio.run_coroutine_threadsafe(ended, server.loop).result(HANGS_SECONDS)
    page.goto(f"{server.url}/verify?table={table.id}")
    page.wait_for_selector("[data-verdict=kept]:not([hidden])")


def test_bytes_in_another_browser_can_be_done_without(visit, server) -> None:  # type: ignore[no-untyped-def]
    from support.browsing import begin, table_of

    anna = visit(reduced_motion="reduce")
    begin(anna, "friend", 0, game="13-minutes")
    table = table_of(server, anna.get_attribute("#state", "data-table"))
    anna.wait_for_selector("#deal", state="detached")
    anna.evaluate("localStorage.clear()")
    boris = visit(anna.input_value("#invitation").removeprefix(server.url), reduced_motion="reduce")
    boris.fill("input[name=name]", "Boris")
    boris.click("button.primary")
    anna.wait_for_selector("#state[data-dealing]")
    # By script: the page may be drawn again, with its details closed, at any moment until both have come.
    anna.evaluate("document.querySelector(\"form[action$='/deal']\").requestSubmit()")
    for page in (anna, boris):
        page.wait_for_selector("#choices")
    assert table.seats[0].contribution is None
    assert table.seats[1].contribution is not None
