"""Finding an opponent over the HTTP API."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.program import Program
from support.visitors import Visitor, registered

ANY = {"games": [{"game": "13-days"}], "clocks": ["days 3"]}


@pytest.fixture
def programs(client: TestClient) -> tuple[Program, Program]:
    return Program(client, "Anna"), Program(client, "Boris")


def test_two_programs_find_each_other(programs: tuple[Program, Program]) -> None:
    anna, boris = programs
    mine = anna.ask("/seeks", ANY, 201)
    assert (mine["is_open"], mine["table"], mine["mine"]) == (True, None, True)
    assert mine["games"] == [{"game": "13-days", "sides": ["us", "ussr"]}]
    assert [one["id"] for one in boris.ask("/seeks")] == [mine["id"]]
    assert anna.ask("/seeks") == []
    assert [one["id"] for one in anna.ask("/seeks?mine=true")] == [mine["id"]]
    boris.ask(f"/seeks/{mine['id']}", status=404)
    found = boris.ask(f"/seeks/{mine['id']}/answer", {}, 201)
    assert anna.ask(f"/seeks/{mine['id']}")["table"] == found["table"]
    assert anna.ask(f"/tables/{found['table']}")["status"] == "running"
    assert boris.ask("/seeks") == []


def test_a_seek_is_withdrawn(programs: tuple[Program, Program]) -> None:
    anna, boris = programs
    mine = anna.ask("/seeks", ANY, 201)
    boris.ask(f"/seeks/{mine['id']}/withdraw", {}, 404)
    assert not anna.ask(f"/seeks/{mine['id']}/withdraw", {})["is_open"]
    boris.ask(f"/seeks/{mine['id']}/answer", {}, 422)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"games": []}, 400),
        ({"games": [{"game": "chess"}]}, 404),
        ({"games": [{"game": "13-days", "sides": ["russia"]}]}, 422),
        ({"clocks": []}, 400),
        ({"clocks": ["live 11 5"]}, 422),
        ({"clocks": ["live 10 5", "days 3"]}, 422),
        ({"rated": True}, 403),
        ({"colour": "white"}, 400),
    ],
)
def test_a_wrong_seek_is_refused(programs: tuple[Program, Program], change: dict[str, Any], status: int) -> None:
    programs[0].ask("/seeks", {**ANY, **change}, status)


def test_challenges(client: TestClient, programs: tuple[Program, Program]) -> None:
    guest = programs[0]
    guest.ask("/challenges", {"to": "boris", "game": "13-days"}, 403)
    anna, boris = (
        with_account(client, program, name) for program, name in zip(programs, ("Anna", "Boris"), strict=True)
    )
    asked = {"to": "boris", "game": "13-days", "side": "us", "clock": "days 3"}
    for wrong, status in (
        ({"to": "nobody"}, 422),
        ({"game": "chess"}, 404),
        ({"side": "russia"}, 422),
        ({"clock": "soon"}, 422),
    ):
        anna.ask("/challenges", {**asked, **wrong}, status)
    declined = anna.ask("/challenges", asked, 201)
    boris.ask(f"/challenges/{declined['id']}/decline", {"reason": "whatever"}, 400)
    assert boris.ask(f"/challenges/{declined['id']}/decline", {"reason": "clock"}) == []
    withdrawn = anna.ask("/challenges", asked, 201)
    boris.ask(f"/challenges/{withdrawn['id']}/withdraw", {}, 404)
    anna.ask(f"/challenges/{withdrawn['id']}/withdraw", {})
    accepted = anna.ask("/challenges", asked, 201)
    assert [(one["id"], one["mine"]) for one in boris.ask("/challenges")] == [(accepted["id"], False)]
    anna.ask(f"/challenges/{accepted['id']}/accept", {}, 404)
    table = boris.ask(f"/challenges/{accepted['id']}/accept", {}, 201)
    assert table["you"] == ["ussr"]
    assert table["status"] == "running"
    assert [one["declined"] for one in anna.ask("/challenges")] == ["clock"]


def with_account(client: TestClient, program: Program, name: str) -> Program:
    visitor = registered(Visitor(client), name)
    made = visitor.post("/account/token", label="program", csrf=visitor.csrf)
    found = re.search(r'value="([^"]+)" id="token"', made.text)
    assert found
    program.token = found[1]
    return program
