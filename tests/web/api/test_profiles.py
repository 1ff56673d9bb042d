"""Profiles, histories and statistics over the API: the same as on pages, and no more."""

from __future__ import annotations

from typing import Any

from sqlalchemy import update
from starlette.testclient import TestClient

from brinkmanship.store import profiles, schema
from support.played_games import counted, services_of
from support.program import Program


def id_of(client: TestClient, program: Program) -> str:
    """Return the id of a program's user."""
    found = services_of(client).users.by_token(program.token, True)
    assert found is not None
    return str(found.id)


def finished(client: TestClient) -> tuple[list[Program], list[str], str]:
    """Return two programs, their ids, and a table by invitation at which the second one resigned."""
    programs = [Program(client, name) for name in ("Anna", "Boris")]
    made = programs[0].ask("/tables", {"game": "13-days", "seats": ["me", "friend"]}, 201)
    programs[1].ask(f"/tables/{made['id']}/join", {"invitation": made["invitations"]["ussr"]})
    programs[1].ask(f"/tables/{made['id']}/resign?side=ussr", {})
    counted(client)
    return programs, [id_of(client, program) for program in programs], made["id"]


def publish(client: TestClient, person_id: str) -> None:
    """Give a guest an account and a public profile."""
    engine = services_of(client).engine
    with engine.begin() as connection:
        connection.execute(update(schema.people).where(schema.people.c.id == person_id).values(login=person_id))
    profiles.set_public(engine, person_id, True)


def test_a_program_reads_its_own_profile_and_public_ones(client: TestClient) -> None:
    (anna, boris), (hers, _), table = finished(client)
    own = anna.ask(f"/people/{hers}")
    assert own["public"] is False
    assert own["games"][0]["total"] == {"games": 1, "won": 1, "drawn": 0, "lost": 0}
    assert own["games"][0]["sides"] == {"us": own["games"][0]["total"]}
    assert [each["name"] for each in own["opponents"]] == ["Boris"]
    refused = boris.ask(f"/people/{hers}", status=404)
    assert refused["detail"] == boris.ask("/people/nobody", status=404)["detail"]
    boris.ask(f"/people/{hers}/games", status=404)
    publish(client, hers)
    assert boris.ask(f"/people/{hers}")["against_you"] == [{"game": "13-days", "games": 1, "won": 1, "lost": 0}]
    (game,) = boris.ask(f"/people/{hers}/games")["games"]
    assert (game["table"], game["opponent"], game["outcome"], game["side"]) == (table, "Boris", "won", "us")


def test_an_opponent_with_a_private_profile_is_not_named(client: TestClient) -> None:
    _, (hers, his), table = finished(client)
    publish(client, hers)
    stranger = Program(client, "Clara")
    page: dict[str, Any] = stranger.ask(f"/people/{hers}/games")
    assert (page["games"][0]["table"], page["games"][0]["opponent"], page["next"]) == (None, None, None)
    assert stranger.ask(f"/people/{hers}/games?opponent=boris")["games"] == []
    assert stranger.ask(f"/people/{hers}")["opponents"] == []
    publish(client, his)
    (game,) = stranger.ask(f"/people/{hers}/games?opponent=boris")["games"]
    assert (game["table"], game["opponent"], game["opponent_person"]) == (table, "Boris", his)
    assert stranger.ask(f"/people/{hers}")["opponents"][0]["person"] == his


def test_a_filter_that_does_not_exist_is_refused(client: TestClient) -> None:
    anna = Program(client, "Anna")
    hers = id_of(client, anna)
    assert "write it as in 2026-11-22" in anna.ask(f"/people/{hers}/games?since=x", status=400)["detail"]
    anna.ask(f"/people/{hers}/games?ending=boredom", status=400)


def test_statistics_need_no_token(client: TestClient) -> None:
    assert client.get("/api/v1/statistics").json() == []
    for _ in range(5):
        finished(client)
    (found,) = client.get("/api/v1/statistics").json()
    assert (found["game"], found["games"], found["balance"][0]["share"]) == ("13-days", 5, 1.0)
