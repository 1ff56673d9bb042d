"""Games of a guest who signs in to an account."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, select
from starlette.testclient import TestClient

from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.accounts.account_service import AccountService
from brinkmanship.web.accounts.users import UserService
from support.databases import KINDS, fresh_database
from support.visitors import Visitor, invited, registered


def test_games_come_along_if_the_guest_wants_it(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    account, carla = registered(Visitor(client), "Anna"), Visitor(client)
    table = invited(anna, boris)
    anna.post(f"{table}/note", text="My plan", csrf=anna.csrf)
    anna.post(f"{table}/chat", text="Good luck!", csrf=anna.csrf)
    assert "Move 1 game of the guest Anna to the account" in anna.get("/account")
    fields = {"login": "Anna", "password": "long enough"}
    stays = boris.post("/account/sign-in", **fields)
    assert (stays.status_code, "My plan" in boris.get(table)) == (303, False)
    assert anna.post("/account/sign-in", **fields, bring="true", csrf=anna.csrf).status_code == 303
    assert "My plan" in account.get(table)
    assert table.removeprefix("/t/") in account.get("/")
    assert 'id="choices"' in account.get(table)  # it plays on
    assert "My plan" not in carla.get(table)


def test_games_come_along_only_by_a_form_of_the_guest(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    registered(Visitor(client), "Mallory")
    table = invited(anna, boris)
    forged = anna.post("/account/sign-in", login="Mallory", password="long enough", bring="true")
    assert forged.status_code == 403
    assert 'id="choices"' in anna.get(table)


def test_no_one_sits_at_both_sides_because_of_it(client: TestClient, boris: Visitor) -> None:
    account = registered(Visitor(client), "Anna")
    table = invited(account, boris)
    other = boris.begin("computer")
    boris.post("/account/sign-in", login="Anna", password="long enough", bring="true", csrf=boris.csrf)
    app: Any = client.app
    with app.state.services.engine.connect() as connection:
        people = select(schema.seats.c.person_id).where(schema.seats.c.table_id == table.removeprefix("/t/"))
        assert len(set(connection.execute(people).scalars())) == 2
    assert 'id="choices"' in account.get(other)


@pytest.mark.parametrize("kind", KINDS)
def test_everything_moves_once_and_nothing_is_overwritten(kind: str, tmp_path: Any) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        users = UserService(engine)
        (guest, _), (mine, _), (third, _) = (users.add_guest(name, "en") for name in ("G", "A", "T"))
        account = users.register(mine, "A", "long enough")
        puzzle = {"game": "13-days", "box": 0, "is_solved": True, "at_first_sight": True, "answered_at": 1.0}
        with engine.begin() as connection:
            for owner, name in ((guest, "x"), (guest, "y"), (account, "y")):
                row = {**puzzle, "person_id": owner.id, "puzzle": name}
                connection.execute(insert(schema.puzzle_answers).values(row))
            for one, other in ((guest, third), (third, guest), (account, third), (guest, account)):
                connection.execute(insert(schema.blocks).values(person_id=one.id, blocked_id=other.id, at=1.0))
        service = AccountService(engine, users)
        for _ in range(2):
            assert service.bring(guest.id, account.id) == []
        assert service.bring(account.id, guest.id) == []  # only a guest's games move
        with engine.connect() as connection:
            answered = connection.execute(select(schema.puzzle_answers.c.person_id, schema.puzzle_answers.c.puzzle))
            assert set(map(tuple, answered)) == {(account.id, "x"), (account.id, "y"), (guest.id, "y")}
            blocks = set(map(tuple, connection.execute(select(schema.blocks.c.person_id, schema.blocks.c.blocked_id))))
        assert {(account.id, third.id), (third.id, account.id)} <= blocks
        assert (account.id, account.id) not in blocks
        engine.dispose()
