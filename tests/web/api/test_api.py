"""The HTTP API: a whole game over it, and everything it refuses."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.games.registry import load_game
from brinkmanship.web.server.app import create_app
from brinkmanship.web.server.request_guard import MAX_BYTES, SECURITY_HEADERS
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.settings import Settings
from support.program import Program


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(database=f"sqlite:///{tmp_path / 'table.sqlite3'}", requests_per_minute=10**7))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def two_at_a_table(client: TestClient) -> tuple[list[Program], str]:
    programs = [Program(client, name) for name in ("Anna", "Boris")]
    made = programs[0].ask("/tables", {"game": "13-days", "seats": ["me", "friend"]}, 201)
    programs[1].ask(f"/tables/{made['id']}/join", {"invitation": made["invitations"]["ussr"]})
    return programs, made["id"]


def test_a_whole_game_between_two_programs(client: TestClient) -> None:
    programs, table = two_at_a_table(client)
    dice = random.Random(5)
    view: dict[str, Any] = {"status": "running"}
    warned = 0
    while view["status"] != "over":
        side = dice.randrange(2)
        view = programs[side].ask(f"/tables/{table}")
        if view["legal"]:
            found = programs[side].ask(f"/tables/{table}/warnings")
            assert found["version"] == view["version"]
            assert set(found["warnings"]) <= set(view["legal"])
            warned += len(found["warnings"])
            body = {"side": view["you"][0], "version": view["version"], "action": dice.choice(view["legal"])}
            view = programs[side].ask(f"/tables/{table}/actions", body)
    assert warned
    record = journal.parse(programs[0].ask(f"/tables/{table}/journal"))
    assert record.result == view["result"]
    assert commit_reveal.verify(record, load_game("13-days")) > 0


def test_a_program_sees_its_own_hand_and_no_other(client: TestClient) -> None:
    programs, table = two_at_a_table(client)
    for program, side in zip(programs, ("us", "ussr"), strict=True):
        view = program.ask(f"/tables/{table}")
        body = {"side": side, "version": view["version"], "action": view["legal"][0]}
        program.ask(f"/tables/{table}/actions", body)
    hands = [set(program.ask(f"/tables/{table}")["state"]["cards"]["hand"]) for program in programs]
    assert len(hands[0]) == len(hands[1]) == 5
    assert not hands[0] & hands[1]
    onlooker = Program(client, "Carl").ask(f"/tables/{table}?side=us")
    assert onlooker["as_side"] == "public"
    assert "hand" not in onlooker["state"]["cards"]
    assert onlooker["legal"] == []


def test_who_does_what_is_not_legal_is_told_what_is(client: TestClient) -> None:
    (program, _), table = two_at_a_table(client)
    view = program.ask(f"/tables/{table}")
    texts = load_game("13-days").action_texts.values()
    other = next(text for text in texts if text.startswith("place "))  # type: ignore[union-attr]
    legal = f"'{other}' is not legal for us here; legal: {', '.join(view['legal'][:8])}"
    for action, said in ((other, legal), ("castle", "'castle' is not an action of 13 Days")):
        body = {"side": "us", "version": view["version"], "action": action}
        assert said in program.ask(f"/tables/{table}/actions", body, 422)["detail"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/tables/nowhere", None, 404),
        ("GET", "/tables/../people", None, 404),
        ("POST", "/tables", {"game": "chess", "seats": ["me", "open"]}, 404),
        ("POST", "/tables", {"game": "13-days", "seats": ["me", "open", "open"]}, 400),
        ("POST", "/tables", {"game": "13-days", "seats": ["me", "open"], "secret": "00"}, 400),
        ("POST", "/tables", {"game": "13-days", "seats": ["me", "open"], "options": {"brink_floor": [7]}}, 400),
        ("POST", "/tables", {"game": "13-days", "seats": ["me", "open"], "options": {"brink_floor": 7}}, 422),
        ("POST", "/tables", {"game": "13-days", "seats": ["me", "nobody"]}, 422),
        ("POST", "/tables", ["me"], 400),
        ("POST", "/tokens", {"name": "\u200b"}, 422),
    ],
)
def test_what_is_wrong_with_a_request_is_said(
    client: TestClient, method: str, path: str, body: object, status: int
) -> None:
    headers = {"Authorization": f"Bearer {Program(client, 'Anna').token}"}
    answer = client.request(method, f"/api/v1{path}", json=body, headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("application/problem+json")


def test_ranges_and_presets_of_a_game_are_told_and_can_be_chosen(client: TestClient) -> None:
    games = {game["id"]: game for game in client.get("/api/v1/games").json()}
    minutes = games["13-minutes"]
    assert minutes["option_ranges"]["campaign_target"] == [1, 1000]
    assert minutes["presets"]["en2017"] == {"tiebreak": "none"}
    assert games["13-days"]["option_ranges"] == games["13-days"]["presets"] == {}
    anna = Program(client, "Anna")
    options = {"preset": "en2017", "bid_tie_cap": 3}
    made = anna.ask("/tables", {"game": "13-minutes", "seats": ["me", "me"], "options": options}, 201)
    told = anna.ask(f"/tables/{made['id']}")["options"]
    assert (told["tiebreak"], told["bid_tie_cap"]) == ("none", 3)
    body = {"game": "13-minutes", "seats": ["me", "me"], "options": {"bid_tie_cap": 1001}}
    headers = {"Authorization": f"Bearer {anna.token}"}
    assert client.post("/api/v1/tables", json=body, headers=headers).status_code == 422


def test_without_a_token_nothing_is_told(client: TestClient) -> None:
    for token in ("", "Bearer", "Bearer wrong", "Basic YTpi"):
        assert client.get("/api/v1/tables", headers={"Authorization": token}).status_code == 401


def test_a_session_cookie_is_no_api_token(client: TestClient) -> None:
    _, session = client.app.state.services.users.add_guest("Anna", "en")  # type: ignore[attr-defined]
    assert client.get("/api/v1/tables", headers={"Authorization": f"Bearer {session}"}).status_code == 401


def test_too_large_and_too_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    app = create_app(Settings(database=f"sqlite:///{tmp_path / 'table.sqlite3'}", requests_per_minute=40))
    with TestClient(app) as client:
        assert client.post("/api/v1/tokens", content=b"x" * (MAX_BYTES + 1)).status_code == 413
        answers = [client.get("/api/v1/games").status_code for _ in range(12)]
        assert answers[0] == 200
        assert answers[-1] == 429


def test_every_answer_has_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/v1/games", "/nowhere", "/static/js/app.js", "/health"):
        answer = client.get(path)
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers[name] == value, (path, name)


def test_standing_orders_are_given_and_revoked_by_their_side_alone(client: TestClient) -> None:
    (anna, boris), table = two_at_a_table(client)
    path = f"/tables/{table}/orders"
    orders = anna.ask(path)
    assert orders["given"] == []
    assert {"decline", "trigger excomm"} <= set(orders["offered"])
    order = {"side": "us", "order": "decline"}
    assert anna.ask(path, order)["given"] == ["decline"]
    assert anna.ask(path, {"side": "us", "order": "trigger excomm"})["given"] == ["decline", "trigger excomm"]
    assert boris.ask(path)["given"] == []
    boris.ask(f"{path}?side=us", status=403)
    boris.ask(path, order, 403)
    Program(client, "Clara").ask(path, status=403)
    anna.ask(path, {"side": "us", "order": "win"}, 422)
    assert anna.ask(f"{path}/revoke", order)["given"] == ["trigger excomm"]
