"""Pages of tournaments: start, enter, follow and leave one; calendar and feed."""

from __future__ import annotations

import re
import time
from xml.etree import ElementTree

import icalendar
import pytest
from sqlalchemy import insert, update
from starlette.testclient import TestClient

from brinkmanship.games.registry import load_game
from brinkmanship.store import schema
from brinkmanship.store import tournaments as store
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.tournaments.calendar import Date, calendar_text
from brinkmanship.web.pages.tournaments.points import number_text, points_text
from brinkmanship.web.support.time_control import Clock
from brinkmanship.web.tournaments.terms import TournamentSettings, checked
from support.played_games import id_of, make_public
from support.program import Program
from support.visitors import Visitor, registered

FORM = {"kind": "cup", "name": "Cup of friends", "game": "13-days", "clock": "days 3", "round_days": "30", "size": "4"}


def start(anna: Visitor, **fields: object) -> str:
    answer = anna.post("/tournaments", csrf=anna.csrf, **{**FORM, **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def enter(client: TestClient, address: str, *names: str) -> list[Visitor]:
    visitors = [Visitor(client) for _ in names]
    for visitor, name in zip(visitors, names, strict=True):
        answer = visitor.post(f"{address}/enter", name=name)
        assert answer.status_code == 303, answer.text
    return visitors


def tick(client: TestClient) -> None:
    client.portal.call(client.app.state.services.tournaments.tick)  # type: ignore[union-attr, attr-defined]


def test_friends_play_a_cup_by_its_link(anna: Visitor, client: TestClient) -> None:
    registered(anna, "Anna")
    address = start(anna, about="First prize:\na cake; <b>really</b>")
    page = anna.get(address)
    assert "a cake; &lt;b&gt;really" in page
    assert f"/tournaments/{address[-8:]}" in page
    assert "Open for entries" in page
    assert address not in Visitor(client).get("/tournaments")  # by its link only
    assert address in anna.get("/tournaments")
    anna.post(f"{address}/enter", csrf=anna.csrf)
    boris, *others = enter(client, address, "Boris", "Clara", "Dora")
    tick(client)
    page = boris.get(address)
    tables = re.findall(r'<a class="button primary" href="(/t/\w+)">', page)
    assert len(tables) == 6
    assert "Round 3" in page
    for table in tables:
        assert 'id="choices"' in boris.get(table) or "Waiting" in boris.get(table)
    stranger = Visitor(client).get(address)
    assert "Standings" in stranger
    assert "Your games" not in stranger
    for visitor in (boris, *others):
        for table in re.findall(r'<a class="button primary" href="(/t/\w+)">', visitor.get(address)):
            for side in (0, 1):
                visitor.post(f"{table}/resign", side=side, sure="true", csrf=visitor.csrf)
    tick(client)
    page = anna.get(address)
    assert "Finished" in page
    assert "Winner: Anna" in page
    assert '<tr class="me"><td>1</td>' in page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["league", "swiss", "knockout"])
def test_every_kind_is_shown_in_every_language(anna: Visitor, client: TestClient, kind: str, language: str) -> None:
    registered(anna, "Anna")
    soon = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() + 3600))
    address = start(anna, kind=kind, start="at", starts_at=soon, size=4)
    enter(client, address, "Boris", "Clara", "Dora")
    if kind == "league":
        assert anna.post(f"{address}/enter", substitute="true", csrf=anna.csrf).status_code == 303
    anna.cookies["language"] = language
    assert "tournament." not in re.sub(r'(href|src)="[^"]*"', "", anna.get(address))
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        connection.execute(update(schema.tournaments).values(starts_at=1.0, due_at=1.0))
    tick(client)
    for path in ("/tournaments", "/tournaments/new", address):
        page = anna.get(path)
        assert f'<html lang="{language}"' in page
        assert "tournament." not in re.sub(r'(href|src|name)="[^"]*"', "", page)
    assert page.count('href="/t/') >= 2


def test_what_is_refused_is_shown_again_with_the_reason(anna: Visitor, client: TestClient) -> None:
    assert "create an account" in anna.get("/tournaments/new")
    anna.begin("computer")
    refused = anna.post("/tournaments", csrf=anna.csrf, **FORM)
    assert refused.status_code == 403
    registered(anna, "Anna")
    for fields, said in (
        ({"name": " "}, "a name of 1 to 60"),
        ({"kind": "swiss", "size": 65}, "4 to 64 players"),
        ({"clock": ""}, "needs a clock"),
        ({"clock": "live 10 5", "kind": "league"}, "played over several days"),
        ({"round_days": 1}, "3 to 120 days"),
        ({"start": "at", "starts_at": "tomorrow"}, "next 90 days"),
        ({"start": "at", "starts_at": "2020-01-01T10:00"}, "next 90 days"),
    ):
        answer = anna.post("/tournaments", csrf=anna.csrf, **{**FORM, "about": "kept", **fields})
        assert answer.status_code == 422, fields
        assert said in answer.text
        assert "kept</textarea>" in answer.text
    assert anna.post("/tournaments", csrf=anna.csrf, **{**FORM, "game": "chess"}).status_code == 422
    for path in ("", "/enter", "/calendar.ics", "/feed"):
        asked = anna.post if path == "/enter" else anna.ask
        answer = (
            asked("/tournaments/nowhere/enter", name="X")
            if path == "/enter"
            else anna.ask("GET", f"/tournaments/nowhere{path}")
        )
        assert answer.status_code == 404
    rated = start(anna, rated="true")
    assert "create an account" in Visitor(client).get(rated)
    assert Visitor(client).post(f"{rated}/enter", name="Boris").status_code == 403


def test_players_leave_stay_away_and_organisers_cancel(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    registered(anna, "Anna")
    address = start(anna)
    boris.post(f"{address}/enter", name="Boris")
    assert boris.post(f"{address}/cancel", csrf=boris.csrf).status_code == 403
    assert boris.post(f"{address}/withdraw", csrf="wrong").status_code == 403
    assert boris.post(f"{address}/withdraw", csrf=boris.csrf).status_code == 303
    assert "No one has entered yet" in boris.get(address)
    boris.post(f"{address}/enter", csrf=boris.csrf)
    enter(client, address, "Clara", "Dora", "Emil")
    tick(client)
    assert "Announce absence" in boris.get(address)
    assert boris.post(f"{address}/absence", days=15, csrf=boris.csrf).status_code == 422
    assert boris.post(f"{address}/absence", days=7, csrf=boris.csrf).status_code == 303
    page = boris.get(address)
    assert "You are away until" in page
    assert "Announce absence" not in page
    boris.post(f"{address}/withdraw", csrf=boris.csrf)
    tick(client)
    assert "You have withdrawn" in boris.get(address)
    other = start(anna)
    assert anna.post(f"{other}/cancel", csrf=anna.csrf).status_code == 303
    assert "Cancelled" in anna.get(other)


def test_an_operator_lists_a_tournament(anna: Visitor, client: TestClient) -> None:
    registered(anna, "Anna")
    address = start(anna)
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    assert "noindex" in anna.get(address)
    assert store.set_listed(engine, address.rpartition("/")[2], True)
    assert not store.set_listed(engine, "nowhere", True)
    assert address in Visitor(client).get("/tournaments")
    assert "noindex" not in anna.get(address)


def test_calendar_and_feed_can_be_read(anna: Visitor, client: TestClient) -> None:
    registered(anna, "Anna")
    soon = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() + 3600))
    address = start(anna, kind="knockout", name="Kubek; Łódź, \\ und " + "ä" * 40, start="at", starts_at=soon)
    enter(client, address, "Boris", "Clara", "Dora", "Emil")
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        connection.execute(update(schema.tournaments).values(starts_at=1.0, due_at=1.0))
    tick(client)
    answer = anna.ask("GET", f"{address}/calendar.ics")
    assert answer.headers["content-type"].startswith("text/calendar")
    assert max(map(len, answer.content.split(b"\r\n"))) <= 75
    read = icalendar.Calendar.from_ical(answer.content)
    events = list(read.walk("VEVENT"))
    assert len(events) == 2
    assert str(events[1]["SUMMARY"]) == f"Kubek; Łódź, \\ und {'ä' * 40}: deadline of round 1"
    assert str(events[0]["URL"]).endswith(address)
    feed = ElementTree.fromstring(anna.ask("GET", f"{address}/feed").content)
    atom = "{http://www.w3.org/2005/Atom}"
    titles = [entry.findtext(f"{atom}title") for entry in feed.iter(f"{atom}entry")]
    assert [title.rpartition(" ")[2] for title in titles if title] == ["started", "open"]
    assert feed.findtext(f"{atom}updated")
    assert "hand" not in anna.ask("GET", f"{address}/feed").text


def test_changed_rules_are_shown(anna: Visitor, client: TestClient) -> None:
    registered(anna, "Anna")
    game = load_game("13-days")
    name, values = next((name, values) for name, values in game.option_values().items() if len(values) > 1)
    changed = next(value for value in values if value != game.default_options[name])
    person = store.read(client.app.state.services.engine, start(anna).rpartition("/")[2])  # type: ignore[attr-defined]
    assert person is not None
    plan = TournamentSettings(
        "cup", "Cup", "13-days", Clock("days", 86_400.0), 4, options={name: changed}, round_days=30
    )
    new = checked(plan, str(person.tournament.organiser_id), time.time())
    store.create(client.app.state.services.engine, new, 1e12)  # type: ignore[attr-defined]
    assert "Rule options: " in Visitor(client).get(f"/tournaments/{new.id}")


def test_lines_of_a_calendar_are_folded_between_characters() -> None:
    text = calendar_text("ж" * 80, "https://example.org/tournaments/a", 0.0, [Date("a", 1.5e9, "a\nb")])
    assert max(map(len, text.split(b"\r\n"))) <= 75
    read = icalendar.Calendar.from_ical(text)
    assert str(read["X-WR-CALNAME"]) == "ж" * 80
    (event,) = read.walk("VEVENT")
    assert event["DTSTART"].dt.isoformat() == "2017-07-14T02:40:00+00:00"
    assert str(event["SUMMARY"]) == "a\nb"


@pytest.mark.parametrize(("points", "text"), [(0.0, "0"), (0.5, "½"), (2.5, "2½"), (12.0, "12")])
def test_halves_are_written_as_fractions(points: float, text: str) -> None:
    assert points_text(points) == text
    assert number_text(3.75, "de") == "3,75"


def test_programs_use_tournaments(anna: Visitor, client: TestClient) -> None:
    registered(anna, "Anna")
    address = start(anna)
    tournament_id = address.rpartition("/")[2]
    programs = [Program(client, f"Program {number}") for number in range(4)]
    refused = programs[0].ask("/tournaments", {**API, "name": "Mine"}, 403)
    assert "account" in refused["detail"]
    for program in programs:
        seen = program.ask(f"/tournaments/{tournament_id}/enter", {}, 200)
    assert (seen["status"], len(seen["players"])) == ("open", 4)
    assert programs[0].ask("/tournaments?mine=true")[0]["id"] == tournament_id
    assert programs[0].ask("/tournaments") == []
    programs[0].ask(f"/tournaments/{tournament_id}/enter", {}, 422)
    tick(client)
    seen = programs[0].ask(f"/tournaments/{tournament_id}")
    mine = [
        game["table"]
        for match in seen["matches"]
        for game in match["games"]
        if programs[0].token and "Program 0" in (match["first"], match["second"])
    ]
    assert len(mine) == 6
    (division,) = programs[0].ask(f"/tournaments/{tournament_id}/standings")
    assert [line["rank"] for line in division] == [1, 2, 3, 4]
    gone = programs[0].ask(f"/tournaments/{tournament_id}/withdraw", {})
    assert gone["status"] == "running"
    tick(client)
    (division,) = programs[1].ask(f"/tournaments/{tournament_id}/standings")
    assert division[-1]["name"] == "Program 0"
    assert division[-1]["withdrawn"]


API = {
    "kind": "swiss",
    "name": "Evening",
    "game": "13-days",
    "clock": {"kind": "live", "minutes": 10, "increment": 5},
    "size": 8,
}


def test_names_are_links_to_public_profiles_and_ratings_seed_the_draw(anna: Visitor, client: TestClient) -> None:
    registered(anna, "Anna")
    address = start(anna)
    anna.post(f"{address}/enter", csrf=anna.csrf)
    boris, *_ = enter(client, address, "Boris", "Clara", "Dora")
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    [his] = [entry.person for entry in store.read(engine, address[-8:]).event.entries if entry.entered_at][1:2]  # type: ignore[union-attr]
    with engine.begin() as connection:
        rating = {"person_id": his, "game": "13-days", "rating": 1400.0, "deviation": 80.0, "games": 5, "at": 1.0}
        connection.execute(insert(schema.ratings).values(**rating, is_listed=False))
    assert "/people/" not in boris.get(address)
    make_public(anna)
    hers = id_of(client, "Anna")
    assert set(re.findall(r'href="/people/(\w+)"', boris.get(address))) == {hers}
    tick(client)
    record = store.read(engine, address[-8:])
    assert record is not None
    assert record.event.roster(0)[0].person == his
    assert set(re.findall(r'href="/people/(\w+)"', boris.get(address))) == {hers}
