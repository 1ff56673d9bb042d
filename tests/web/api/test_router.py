"""The lane of the API: what it reads, what it refuses, and the document about it."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.web.api.schemas import MAX_VERSION


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
def test_what_is_not_in_order_is_refused_and_changes_nothing(
    client: TestClient, changed: dict[str, object], status: int
) -> None:
    table = Table(client)
    before = table.look(0)
    body = {"side": "us", "version": before["version"], "action": before["legal"][0]} | changed
    answer = client.post(f"{table.path}/actions", json=body, headers=table.headers[0])
    assert answer.status_code == status
    assert answer.json()["status"] == status
    assert table.look(0) == before


def test_a_query_is_read_by_its_form(client: TestClient) -> None:
    table = Table(client)
    for query, status in (("side=ussr", 200), ("side=nobody", 422), ("side=" + "x" * 13, 400), ("other=1", 200)):
        assert client.get(f"{table.path}?{query}", headers=table.headers[1]).status_code == status, query
    assert client.get(f"{table.path}?side=us", headers=table.headers[1]).json()["as_side"] == "public"
    assert client.post(f"{table.path}/resign", headers=table.headers[0]).status_code == 400  # whose game?
    listed = "/api/v1/tables?mine="
    assert client.get(listed + "true", headers=table.headers[0]).json()[0]["seats"] == ["Anna", "Boris"]
    assert client.get(listed + "perhaps", headers=table.headers[0]).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/", 404),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v1/tables/", 404),
        ("GET", "/api/v1/tables/a/b/c", 404),
        ("GET", "/api/v1/tables/no-id", 404),
        ("DELETE", "/api/v1/tables", 405),
        ("GET", "/api/v1/tables/abc/actions", 405),
        ("POST", "/api/openapi.json", 404),
    ],
)
def test_an_address_that_is_none_says_so(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert status != 405 or answer.headers["allow"]


def test_the_document_tells_of_every_route_and_what_it_takes_and_answers(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    act = document["paths"]["/api/v1/tables/{table_id}/actions"]["post"]
    body = act["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    assert document["components"]["schemas"][body]["properties"]["version"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": MAX_VERSION,
    }
    answer = act["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    view = Table(client).look(0)
    assert view.keys() == document["components"]["schemas"][answer]["properties"].keys()
    look = document["paths"]["/api/v1/tables/{table_id}"]["get"]
    assert [each["name"] for each in look["parameters"]] == ["table_id", "side", "at_least"]
    assert look["security"]
    assert "security" not in document["paths"]["/api/v1/games"]["get"]


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


def test_security_headers_stand_on_its_answers(client: TestClient) -> None:
    table = Table(client)
    answer = client.get(table.path, headers=table.headers[0])
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
