"""The quick lane answers as the API's own routes do, and hands on whatever is not in order."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from brinkmanship.web import quick


class Table:
    """A table with two programs at it."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.headers = []
        for name in ("Anna", "Boris"):
            token = client.post("/api/v1/tokens", json={"name": name}).json()["token"]
            self.headers.append({"Authorization": f"Bearer {token}"})
        body = {"game": "13-days", "seats": ["me", "friend"]}
        made = client.post("/api/v1/tables", json=body, headers=self.headers[0]).json()
        self.path = f"/api/v1/tables/{made['id']}"
        join = {"invitation": made["invitations"]["ussr"]}
        client.post(f"{self.path}/join", json=join, headers=self.headers[1])

    def look(self, side: int) -> Any:
        return self.client.get(self.path, headers=self.headers[side]).json()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Closes the quick lane."""

    async def nothing(*_: object) -> None:
        return None

    return lambda: monkeypatch.setattr(quick, "_answer", nothing)


def test_both_lanes_show_the_same(client: TestClient, slow: Any) -> None:
    table = Table(client)
    for side in (0, 1, 0):
        view = table.look(side)
        if view["legal"]:
            body = {"side": view["as_side"], "version": view["version"], "action": view["legal"][0]}
            assert client.post(f"{table.path}/actions", json=body, headers=table.headers[side]).status_code == 200
    quick_views = [table.look(side) for side in (0, 1)]
    slow()
    assert [table.look(side) for side in (0, 1)] == quick_views


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"version": 99}, 409),
        ({"version": -1}, 400),
        ({"version": "1"}, 400),
        ({"action": "place 5 nowhere"}, 422),
        ({"action": ""}, 400),
        ({"action": "x" * 81}, 400),
        ({"side": "un"}, 422),
        ({"side": "ussr"}, 403),
        ({"more": 1}, 400),
    ],
)
def test_what_is_not_in_order_is_refused_as_without_the_lane(
    client: TestClient, slow: Any, changed: dict[str, object], status: int
) -> None:
    table = Table(client)
    before = table.look(0)
    body = {"side": "us", "version": before["version"], "action": before["legal"][0]} | changed
    through = client.post(f"{table.path}/actions", json=body, headers=table.headers[0])
    assert table.look(0) == before
    slow()
    around = client.post(f"{table.path}/actions", json=body, headers=table.headers[0])
    assert through.status_code == around.status_code == status
    assert through.json() == around.json()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"side":"us"}'])
def test_a_mangled_body_is_refused(client: TestClient, content: bytes) -> None:
    table = Table(client)
    before = table.look(0)
    answer = client.post(f"{table.path}/actions", content=content, headers=table.headers[0])
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert table.look(0) == before


def test_without_a_token_nothing_is_answered(client: TestClient) -> None:
    table = Table(client)
    assert client.get(table.path).status_code == 401
    assert client.get(table.path, headers={"Authorization": "Bearer nonsense"}).status_code == 401


def test_security_headers_stand_on_quick_answers_too(client: TestClient) -> None:
    table = Table(client)
    answer = client.get(table.path, headers=table.headers[0])
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
