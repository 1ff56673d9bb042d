"""Taking one's data along, and leaving: what a file of one's own holds, and what of a person is left behind."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

import pytest
from sqlalchemy import select, text
from starlette.testclient import TestClient

from brinkmanship.engine import journal
from brinkmanship.store.schema import metadata
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.account import export
from brinkmanship.web.tables.statuses import CLOSED, FINISHED, RUNNING
from support.visitors import Visitor, live, registered, signed_in


def services_of(client: TestClient) -> Any:
    return client.app.state.services  # type: ignore[attr-defined]


def played(anna: Visitor, boris: Visitor) -> str:
    """A game that Anna plays with the US and Boris with the USSR."""
    table = anna.begin("open")
    assert boris.post(table.replace("/t/", "/join/"), name="Boris", csrf=boris.csrf).status_code == 303
    return table


def exported(visitor: Visitor, csrf: str = "") -> zipfile.ZipFile:
    answer = visitor.post("/account/export", csrf=csrf or visitor.csrf)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(answer.content))


def everything(client: TestClient) -> str:
    """All text in the database."""
    with services_of(client).engine.connect() as connection:
        return "\n".join(str(connection.execute(select(table)).all()) for table in metadata.sorted_tables)


def deletes(visitor: Visitor, **fields: object) -> Any:
    return visitor.post("/account/delete", csrf=visitor.csrf, **fields)


def test_one_takes_all_ones_data_along_and_nothing_of_the_other(
    client: TestClient, anna: Visitor, boris: Visitor
) -> None:
    registered(anna, "Anna")
    running, over = played(anna, boris), played(anna, boris)
    boris.post(f"{over}/resign", side=1, sure="true", csrf=boris.csrf)
    board = anna.post(f"{over}/branches/0", chance="fresh", csrf=anna.csrf).headers["location"]
    alone = anna.begin("same")
    anna.post(f"{running}/chat", text="from Anna", csrf=anna.csrf)
    boris.post(f"{running}/chat", text="from Boris", csrf=boris.csrf)
    anna.post(f"{running}/note", text="her plan", csrf=anna.csrf)
    boris.post(f"{running}/note", text="his plan", csrf=boris.csrf)
    with exported(anna) as file:
        data = json.loads(file.read("data.json"))
        texts = {name: file.read(name).decode() for name in file.namelist()}
    ids = {path.removeprefix("/t/") for path in (running, over, alone)}
    assert data["person"]["login"] == "anna"
    assert ids <= {table["id"] for table in data["tables"]}
    assert [each["text"] for each in data["said"]] == ["from Anna"]
    assert [each["text"] for each in data["notes"]] == ["her plan"]
    assert [f"/b/{each['id']}" for each in data["boards"]] == [board.rpartition("/1/")[0]]
    everything_hers = "".join(texts.values())
    assert "from Boris" not in everything_hers
    assert "his plan" not in everything_hers
    assert "argon2" not in everything_hers
    for table in data["tables"]:
        found = journal.parse(texts[table["journal"]], table["id"])
        secret = live(client, f"/t/{table['id']}").secret.hex()
        assert (secret in texts[table["journal"]]) == (table["status"] == FINISHED)
        assert found.game_id == table["game"]
    hidden = live(client, running).journal(0).text()  # type: ignore[attr-defined]
    assert texts[f"games/{running.removeprefix('/t/')}.brink"] == hidden


def test_a_game_that_cannot_be_read_keeps_nobody_from_the_others(client: TestClient, anna: Visitor) -> None:
    good, bad = (anna.begin("computer").removeprefix("/t/") for _ in range(2))
    csrf = anna.csrf
    with services_of(client).engine.begin() as connection:
        connection.execute(text("UPDATE tables SET game = 'no-such-game' WHERE id = :id"), {"id": bad})
    with exported(anna, csrf) as file:
        assert f"games/{good}.brink" in file.namelist()
        assert f"games/{bad}.brink" not in file.namelist()


def test_large_data_are_sent_piece_by_piece(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "IN_MEMORY", 100)
    table = anna.begin("computer")
    anna.post(f"{table}/note", text="".join(random.Random(1).choices("абвгдежз", k=4000)), csrf=anna.csrf)
    with exported(anna) as file:
        assert file.testzip() is None


def test_deleting_is_asked_twice(client: TestClient, anna: Visitor) -> None:
    registered(anna, "Anna")
    assert "This cannot be undone" in anna.get("/account/delete")
    assert deletes(anna, password="long enough").status_code == 422
    assert deletes(anna, password="not this one", sure="true").status_code == 403
    assert signed_in(client, "Anna")
    assert anna.post("/account/delete", sure="true", password="long enough").status_code == 403  # from another site


def test_nothing_is_left_of_who_has_gone_but_the_games(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    registered(boris, "Boris Unique")
    phone = signed_in(client, "Boris Unique")
    running, over = played(anna, boris), played(anna, boris)
    anna.post(f"{over}/resign", side=0, sure="true", csrf=anna.csrf)
    waiting = boris.begin("open")
    for path in (running, over):
        boris.post(f"{path}/chat", text="a word of his", csrf=boris.csrf)
        boris.post(f"{path}/note", text="a thought of his", csrf=boris.csrf)
    boards = [
        one.post(f"{over}/branches/0", chance="fresh", csrf=one.csrf).headers["location"] for one in (anna, boris)
    ]
    boris.post("/notices/webhook", address="https://boris.example.org/hook", csrf=boris.csrf)
    anna.post(f"{running}/chat", text="a word of hers", csrf=anna.csrf)
    gone = deletes(boris, password="long enough", sure="true")
    assert gone.status_code == 200
    assert "Your account has been deleted" in gone.text
    kept = everything(client)
    for trace in ("Boris", "boris", "a word of his", "a thought of his"):
        assert trace not in kept
    assert "a word of hers" in kept
    assert [anna.ask("GET", path).status_code for path in boards] == [200, 404]
    assert (live(client, running).status, live(client, running).result) == (FINISHED, "us by resignation")
    assert live(client, waiting).status == CLOSED
    assert "Sign out" not in phone.get("/account")
    assert Visitor(client).post("/account/sign-in", login="Boris Unique", password="long enough").status_code == 403
    somebody = {"en": "somebody", "ru": "кто-то", "de": "jemand", "pl": "ktoś"}
    for language in LANGUAGES:
        anna.cookies["language"] = language
        for path in (running, over, f"{over}/replay", f"{over}/finished", "/"):
            page = anna.get(path)
            assert somebody[language] in page.lower(), (language, path)
            assert "Boris" not in page
    assert "ussr: somebody" in anna.get(f"{over}/journal")
    anna.cookies["language"] = "en"
    refused = anna.post(f"{over}/rematch", csrf=anna.csrf)
    assert refused.status_code == 422
    fresh = Visitor(client)
    registered(fresh, "Boris Unique")  # the name is free again


def test_a_guest_is_deleted_too_and_his_seat_is_nobodys(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    opened = anna.begin("open")
    boris.post(opened.replace("/t/", "/join/"), name="Boris")
    assert deletes(boris, sure="true").status_code == 200
    assert live(client, opened).status == FINISHED
    carl = Visitor(client)
    assert carl.post(opened.replace("/t/", "/join/"), name="Carl").status_code == 403


def test_what_a_crash_has_left_of_a_leaving_is_ended_later(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = played(anna, boris)
    parts = services_of(client)
    person = live(client, table).seats[1].person_id
    parts.accounts.leave(person)  # and here the server died
    assert live(client, table).status == RUNNING
    assert client.portal is not None
    client.portal.call(parts.seating.end_deserted)
    assert live(client, table).status == FINISHED
    client.portal.call(parts.seating.end_deserted)  # a second time changes nothing
    assert live(client, table).result == "us by resignation"
