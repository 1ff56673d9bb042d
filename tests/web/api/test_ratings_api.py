"""Ratings over the HTTP API: a rated table, what it would change, what it has changed, the leaderboard."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from brinkmanship.store import rating_ledger
from brinkmanship.store.schema import people, public_profiles


def program(client: TestClient, name: str, has_account: bool = True) -> dict[str, str]:
    """The headers of a program's requests."""
    token = client.post("/api/v1/tokens", json={"name": name}).json()["token"]
    app: Any = client.app
    users = app.state.services.users
    if has_account:
        users.register(users.by_token(token, True), name, "a long password")
    return {"Authorization": f"Bearer {token}"}


def test_programs_play_a_rated_game(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_ledger, "LISTED_GAMES", 1)
    anna, boris = program(client, "Anna"), program(client, "Boris")
    body = {"game": "13-days", "seats": ["me", "open"], "rated": True, "clock": {"kind": "days", "days": 3}}
    table = client.post("/api/v1/tables", json=body, headers=anna).json()
    assert (table["rated"], table["undo"], table["hints"]) == (True, "none", False)
    path = f"/api/v1/tables/{table['id']}"
    hosts, joins = (client.get(f"{path}/rating", headers=who).json()["outlook"] for who in (anna, boris))
    assert (hosts["side"], hosts["even"], joins["side"], joins["even"]) == ("us", True, "ussr", False)
    assert joins["win_chance"] == pytest.approx(0.53, abs=0.01)
    client.post(f"{path}/join", json={}, headers=boris)
    for side, who in (("us", anna), ("ussr", boris)):
        view = client.get(path, params={"side": side}, headers=who).json()
        action = {"side": side, "version": view["version"], "action": view["legal"][0]}
        assert client.post(f"{path}/actions", json=action, headers=who).status_code == 200
    assert client.post(f"{path}/resign", params={"side": "us"}, headers=anna).status_code == 200
    first, second = client.get(f"{path}/rating", headers=anna).json()["changes"]
    assert first["after"] - first["before"] == pytest.approx(-joins["win"])
    assert second["after"] - second["before"] == pytest.approx(joins["win"])
    (mine,) = client.get("/api/v1/ratings", headers=boris).json()
    assert (mine["game"], mine["games"], mine["provisional"]) == ("13-days", 1, True)
    params = {"game": "13-days"}
    assert client.get("/api/v1/leaderboard", params=params, headers=anna).json() == [], "their profiles are private"
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        for person in connection.execute(select(people.c.id)).scalars().all():
            connection.execute(public_profiles.insert().values(person_id=person, since=1.0))
    board = client.get("/api/v1/leaderboard", params=params, headers=anna).json()
    assert [(row["rank"], row["name"]) for row in board] == [(1, "Boris"), (2, "Anna")]
    again = {"game": "13-days", "after": board[0]["person"]}
    assert client.get("/api/v1/leaderboard", params=again, headers=anna).json() == board[1:]


def test_what_cannot_be_rated_is_refused(client: TestClient) -> None:
    anna, guest = program(client, "Anna"), program(client, "Guest", has_account=False)
    body = {"game": "13-days", "seats": ["me", "open"], "rated": True, "clock": {"kind": "days", "days": 3}}
    assert client.post("/api/v1/tables", json=body, headers=guest).status_code == 403
    refused = client.post("/api/v1/tables", json=body | {"hints": True}, headers=anna)
    assert (refused.status_code, "no hints" in refused.text) == (422, True)
    assert client.post("/api/v1/tables", json=body | {"clock": None}, headers=anna).status_code == 422
    table = client.post("/api/v1/tables", json=body, headers=anna).json()["id"]
    assert client.get(f"/api/v1/tables/{table}/rating", headers=guest).json() == {"outlook": None, "changes": []}
    assert client.post(f"/api/v1/tables/{table}/join", json={}, headers=guest).status_code == 403
    assert client.get("/api/v1/leaderboard", params={"game": "chess"}, headers=anna).status_code == 404
