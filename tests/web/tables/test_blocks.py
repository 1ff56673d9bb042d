"""Blocks: people apart find no way to the same new table, and the blocked one finds out nothing."""

from __future__ import annotations

import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.store import moderation
from support.visitors import Visitor, invited


def id_of(visitor: Visitor) -> str:
    """The id of a visitor with a session."""
    app: Any = visitor.client.app
    return str(app.state.services.users.by_token(visitor.cookies["session"]).id)


def block(blocker: Visitor, blocked: Visitor) -> None:
    """As the page does it."""
    app: Any = blocker.client.app
    with app.state.services.engine.begin() as connection:
        moderation.block(connection, id_of(blocker), id_of(blocked), time.time())


def over(table: str, anna: Visitor) -> None:
    """Anna resigns."""
    assert anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf).status_code == 303


@pytest.mark.parametrize("is_blocker", [True, False])
def test_neither_finds_or_joins_an_open_table_of_the_other(anna: Visitor, boris: Visitor, is_blocker: bool) -> None:
    boris.begin("computer")
    table = anna.begin("open").removeprefix("/t/")
    assert f"/join/{table}" in boris.get("/")
    block(*((anna, boris) if is_blocker else (boris, anna)))
    assert f"/join/{table}" not in boris.get("/")
    assert boris.ask("GET", f"/join/{table}").status_code == 410
    refused = boris.post(f"/join/{table}", csrf=boris.csrf)
    carla = Visitor(anna.client)
    assert carla.post(f"/join/{table}", name="Carla").status_code == 303
    taken = boris.post(f"/join/{table}", csrf=boris.csrf)
    assert (refused.status_code, refused.text) == (taken.status_code, taken.text)  # as at a table that is full


def test_programs_are_refused_and_shown_the_same(client: TestClient, anna: Visitor) -> None:
    app: Any = client.app
    table = anna.begin("open").removeprefix("/t/")
    made = client.post("/api/v1/tokens", json={"name": "Boris"}).json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    with app.state.services.engine.begin() as connection:
        moderation.block(connection, id_of(anna), made["person"], time.time())
    assert client.get("/api/v1/tables?mine=false", headers=headers).json() == []
    refused = client.post(f"/api/v1/tables/{table}/join", json={}, headers=headers)
    assert Visitor(client).post(f"/join/{table}", name="Carla").status_code == 303
    taken = client.post(f"/api/v1/tables/{table}/join", json={}, headers=headers)
    assert refused.status_code == taken.status_code == 403
    assert refused.json() == taken.json()


def test_lines_of_the_blocked_are_hidden_for_the_blocker_alone(anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    block(anna, boris)
    boris.post(f"{table}/chat", text="A rude word", csrf=boris.csrf)
    assert "A rude word" not in anna.get(table)
    chat = anna.get(f"{table}/chat")
    assert "A rude word" not in chat
    assert 'data-said="1"' in chat  # the page has seen all there is, and does not ask again and again
    assert "A rude word" in boris.get(table)
    assert "A rude word" in Visitor(anna.client).get(table)


def test_a_blocked_player_waits_for_a_rematch_that_the_other_never_sees(anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    over(table, anna)
    block(anna, boris)
    asked = boris.post(f"{table}/rematch", csrf=boris.csrf)
    assert asked.status_code == 303
    assert "Waiting for Anna to accept the rematch" in boris.get(asked.headers["location"])
    assert "wants a rematch" not in anna.get(table) + anna.get("/")
    refused = anna.post(f"{table}/rematch", csrf=anna.csrf)
    assert refused.status_code == 422
    assert "You have blocked this player." in refused.text


def test_a_rematch_asked_for_before_the_block_looks_withdrawn(anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    over(table, anna)
    asked = anna.post(f"{table}/rematch", csrf=anna.csrf).headers["location"]
    assert "Anna wants a rematch" in boris.get(table)
    block(anna, boris)
    assert "wants a rematch" not in boris.get(table) + boris.get("/")
    own = boris.post(f"{table}/rematch", csrf=boris.csrf).headers["location"]
    assert own != asked
    assert "Waiting for Anna to accept the rematch" in boris.get(own)
