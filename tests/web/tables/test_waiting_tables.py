"""Tables that wait for somebody: withdrawn, expired, limited, listed page by page; their links on every device."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from brinkmanship.store import repository
from brinkmanship.store.database import open_database
from brinkmanship.store.schema import seats, tables
from brinkmanship.web.server import housekeeping
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.tokens import digest
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import CLOSED, RUNNING, WAITING
from support.bare_services import bare_services
from support.databases import KINDS, fresh_database
from support.house import House
from support.loops import run_in_thread
from support.visitors import Visitor, live, registered


def link_of(page: str) -> str:
    found = re.search(r'value="http://testserver(/join/[^"]+)" id="invitation"', page)
    assert found, page
    return found[1]


def test_the_invitation_is_seen_on_every_device_of_its_host_and_by_nobody_else(
    client: TestClient, anna: Visitor, boris: Visitor
) -> None:
    registered(anna, "Anna")
    table = anna.begin("friend")
    link = link_of(anna.get(table))
    phone = Visitor(client)
    assert phone.post("/account/sign-in", login="Anna", password="long enough").status_code == 303
    assert link_of(phone.get(table)) == link
    assert link_of(phone.get(f"{table}/state")) == link
    token = link.rpartition("/")[2]
    boris.begin("computer")
    for other in (boris, Visitor(client)):
        assert token not in other.get(table) + other.get(f"{table}/state") + other.get("/")
    assert boris.post(link, csrf=boris.csrf).status_code == 303
    assert token not in anna.get(table)


def test_a_new_link_ends_the_old_one(anna: Visitor, boris: Visitor) -> None:
    table = anna.begin("friend")
    old = link_of(anna.get(table))
    assert boris.post(f"{table}/invite", csrf=anna.csrf).status_code == 403
    boris.begin("computer")
    assert boris.post(f"{table}/invite", csrf=boris.csrf).status_code == 403
    assert anna.post(f"{table}/invite", csrf=anna.csrf).status_code == 303
    new = link_of(anna.get(table))
    assert new != old
    assert boris.ask("GET", old).status_code == 410
    assert boris.post(old, csrf=boris.csrf).status_code == 403
    assert boris.post(new, csrf=boris.csrf).status_code == 303
    assert anna.post(f"{table}/invite", csrf=anna.csrf).status_code == 422


def test_a_link_from_an_older_program_is_still_good(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = anna.begin("friend")
    link = link_of(anna.get(table))
    old = digest(link.rpartition("/")[2])  # all that such a program has kept
    parts: Any = client.app.state.services  # type: ignore[attr-defined]
    with parts.engine.begin() as connection:
        connection.execute(update(seats).where(seats.c.invitation.is_not(None)).values(invitation=old))
    parts.tables._live.clear()
    assert boris.post(link, name="Boris").status_code == 303


@pytest.mark.parametrize("mode", ["friend", "open"])
def test_a_withdrawn_table_is_closed(client: TestClient, anna: Visitor, boris: Visitor, mode: str) -> None:
    table = anna.begin(mode)
    at = link_of(anna.get(table)) if mode == "friend" else table.replace("/t/", "/join/")
    boris.begin("computer")
    assert boris.post(f"{table}/withdraw", csrf=boris.csrf).status_code == 403
    assert anna.post(f"{table}/withdraw", csrf=anna.csrf).status_code == 303
    for viewer in (anna, boris):
        assert "This table is closed" in viewer.get(table)
        assert table not in viewer.get("/")
    assert boris.ask("GET", at).status_code == 410
    assert boris.post(at, csrf=boris.csrf).status_code == 403
    refused = anna.post(f"{table}/withdraw", csrf=anna.csrf)
    assert refused.status_code == 422
    assert "no longer waiting" in refused.text
    assert anna.ask("GET", f"{table}/finished").status_code in (303, 404)
    assert live(client, table).secret.hex() not in anna.ask("GET", f"{table}/verify").text


def test_a_game_that_has_begun_is_not_withdrawn(anna: Visitor, boris: Visitor) -> None:
    table = anna.begin("open")
    assert boris.post(table.replace("/t/", "/join/"), name="Boris").status_code == 303
    assert anna.post(f"{table}/withdraw", csrf=anna.csrf).status_code == 422


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", ["join", "withdraw"])
def test_of_two_processes_that_join_and_withdraw_one_is_first(kind: str, first: str, tmp_path: Path) -> None:
    async def test() -> None:
        house = House(engine)
        here, there = house.services, bare_services(engine, house.writer)
        table, _ = await here.seating.create(TableSettings("13-days", ["me", "open"]), house.anna.id, "Anna")
        await there.tables.table(table.id)  # from here on it hears nothing more: they have no channel
        if first == "join":
            await here.seating.join(table.id, house.boris.id, "Boris")
            with pytest.raises(IllegalError, match="just joined"):
                await there.seating.withdraw(table.id, house.anna.id)
        else:
            await here.seating.withdraw(table.id, house.anna.id)
            with pytest.raises(ForbiddenError, match="or the table withdrawn"):
                await there.seating.join(table.id, house.boris.id, "Boris")
        expected = RUNNING if first == "join" else CLOSED
        assert there.tables.loader.read(table.id).status == (await here.tables.table(table.id)).status == expected
        assert (await there.tables.table(table.id)).status == expected
        house.writer.close()

    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        run_in_thread(test())
        engine.dispose()


def test_only_so_many_open_tables_of_one_person_wait(anna: Visitor, boris: Visitor) -> None:
    opened = [anna.begin("open") for _ in range(5)]
    more = {"game": "13-days", "mode": "open", "side": 0, "csrf": anna.csrf}
    refused = anna.post("/tables", **more)
    assert refused.status_code == 422
    assert "Withdraw one first" in refused.text
    boris.begin("open")  # another's are counted apart
    anna.begin("friend")  # and a friend may always be invited
    assert anna.post(f"{opened[0]}/withdraw", csrf=anna.csrf).status_code == 303
    anna.begin("open")
    assert anna.post("/tables", **more).status_code == 422
    assert boris.post(opened[1].replace("/t/", "/join/"), csrf=boris.csrf).status_code == 303
    anna.begin("open")  # one that is played does not wait


def test_open_tables_expire_and_leave_nothing_behind(
    client: TestClient, anna: Visitor, boris: Visitor, settings: Settings
) -> None:
    def keep_house() -> None:
        assert client.portal is not None
        client.portal.call(housekeeping.put_away, parts.engine, parts.seating, settings)

    parts: Any = client.app.state.services  # type: ignore[attr-defined]
    old, new, friends, played = anna.begin("open"), anna.begin("open"), anna.begin("friend"), anna.begin("open")
    boris.post(played.replace("/t/", "/join/"), name="Boris")
    with parts.engine.begin() as connection:
        aged = tables.c.id.in_([path.removeprefix("/t/") for path in (old, friends, played)])
        connection.execute(update(tables).where(aged).values(created_at=time.time() - 8 * 24 * 3600))
    keep_house()
    assert [live(client, path).status for path in (old, new, friends, played)] == [CLOSED, WAITING, WAITING, RUNNING]
    assert "This table is closed" in anna.get(old)
    assert old not in anna.get("/")
    with parts.engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.status == CLOSED).values(finished_at=1.0))
    keep_house()
    with parts.engine.connect() as connection:
        left = connection.execute(select(tables.c.id)).scalars().all()
    assert {f"/t/{id}" for id in left} >= {new, friends, played}
    assert f"{old}" not in {f"/t/{id}" for id in left}


def test_open_tables_are_listed_page_by_page(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    parts: Any = client.app.state.services  # type: ignore[attr-defined]
    parts.seating._most_open = 100
    made = [anna.begin("open", game="13-minutes").removeprefix("/t/") for _ in range(2 * repository.PAGE + 3)]
    with parts.engine.begin() as connection:
        connection.execute(update(tables).values(created_at=1.0))  # all in the same moment
    seen: list[str] = []
    path = "/"
    for _ in range(3):
        page = boris.get(path)
        seen += re.findall(r'href="/join/(\w+)"', page)
        more = re.search(r'href="(/\?after=\w+)#open"', page)
        path = more[1] if more else ""
    assert path == ""
    assert sorted(seen) == sorted(made)
    token = client.post("/api/v1/tokens", json={"name": "bot"}).json()["token"]
    headers = {"authorization": f"Bearer {token}"}
    listed: list[str] = []
    while page := client.get(f"/api/v1/tables?after={listed[-1] if listed else ''}", headers=headers).json():
        listed += [each["id"] for each in page]
    assert listed == seen


def test_programs_withdraw_and_invite_too(client: TestClient) -> None:
    def ask(method: str, path: str, token: str, **body: Any) -> Any:
        return client.request(method, f"/api/v1{path}", json=body or None, headers={"authorization": f"Bearer {token}"})

    anna, boris = (client.post("/api/v1/tokens", json={"name": name}).json()["token"] for name in ("Anna", "Boris"))
    made = ask("POST", "/tables", anna, game="13-days", seats=["me", "friend"]).json()
    old = made["invitations"]["ussr"]
    assert ask("GET", f"/tables/{made['id']}", anna).json()["invitations"] == {"ussr": old}
    assert ask("GET", f"/tables/{made['id']}", boris).json()["invitations"] == {}
    new = ask("POST", f"/tables/{made['id']}/invitations", anna).json()["invitations"]["ussr"]
    assert new != old
    assert ask("POST", f"/tables/{made['id']}/withdraw", boris).status_code == 403
    assert ask("POST", f"/tables/{made['id']}/withdraw", anna).json()["status"] == "closed"
    assert ask("POST", f"/tables/{made['id']}/join", boris, invitation=new).status_code == 403
