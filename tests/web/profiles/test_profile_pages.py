"""Profiles of people: what they show, to whom, and that a private profile is as if the person did not exist."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import event, update
from starlette.testclient import TestClient

from brinkmanship.engine.message import Message
from brinkmanship.lessons import course_of
from brinkmanship.store import profiles, schema
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.people import profile
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.profiles.ratings import PersonRating, RatingPoint
from brinkmanship.web.support.rate_limit import client_address
from support.played_games import counted, id_of, make_public, played, played_by_invitation, services_of, table_id
from support.visitors import Visitor, registered

NOBODY = "noSuchId"


def status(visitor: Visitor, path: str) -> int:
    """Return the status of a page."""
    return int(visitor.ask("GET", path).status_code)


@pytest.fixture
def two(client: TestClient, anna: Visitor, boris: Visitor) -> tuple[str, str]:
    """Return the ids of Anna and Boris, who have accounts."""
    registered(anna, "Anna")
    registered(boris, "Boris")
    return id_of(client, "Anna"), id_of(client, "Boris")


def test_a_profile_is_private_until_its_owner_makes_it_public(
    client: TestClient, anna: Visitor, two: tuple[str, str]
) -> None:
    path, stranger = f"/people/{two[0]}", Visitor(client)
    assert status(stranger, path) == status(stranger, f"{path}/games") == 404
    assert "only you can see it" in anna.get(path)
    make_public(anna)
    assert "Anna" in stranger.get(path)
    assert "Make it private" in anna.get("/account")
    assert anna.post("/account/profile", public="false", csrf=anna.csrf).status_code == 303
    assert status(stranger, path) == status(stranger, f"{path}/games") == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_nobody_says_so_in_every_language(client: TestClient, language: str) -> None:
    page = client.get(f"/people/{NOBODY}", headers={"Accept": "text/html", "Accept-Language": language})
    assert page.status_code == 404
    assert page_words(language).text(Message("refused.address")) in page.text


def test_a_private_profile_answers_as_a_person_who_does_not_exist(
    client: TestClient, boris: Visitor, two: tuple[str, str]
) -> None:
    asked: list[str] = []
    engine = services_of(client).engine

    def note(*given: Any) -> None:
        if client_address.get():  # periodic tasks of the server ask without a visitor
            asked.append(given[2])

    event.listen(engine, "before_cursor_execute", note)
    boris.get("/account")  # from then on the server knows the session
    for visitor in (boris, Visitor(client)):
        for path in ("/people/{}", "/people/{}/games?opponent=b"):
            answers = []
            for person_id in (two[0], NOBODY):
                asked.clear()
                answer = visitor.ask("GET", path.format(person_id))
                answers.append((answer.status_code, re.sub('people/[^"]+', "", answer.text), list(asked)))
            assert answers[0] == answers[1]
            assert answers[0][0] == 404


def test_a_guest_sees_their_own_page_and_cannot_make_it_public(client: TestClient, anna: Visitor) -> None:
    anna.begin("computer")
    path = re.findall(r'href="(/people/\w+)"', anna.get("/account"))[0]
    assert "only you can see it" in anna.get(path)
    answer = anna.post("/account/profile", public="true", csrf=anna.csrf)
    assert answer.status_code == 403
    assert "Create an account first" in answer.text
    assert status(Visitor(client), path) == 404


def test_a_profile_tells_results_by_side_and_opponent(
    client: TestClient, anna: Visitor, boris: Visitor, two: tuple[str, str]
) -> None:
    played(anna, boris)
    played(anna, boris)
    counted(client)
    make_public(anna)
    page = Visitor(client).get(f"/people/{two[0]}")
    rows = re.findall(
        r'<th scope="row">(.*?)</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(.*?)<', page
    )
    told = {re.sub("<.*?>", "", row[0]): row[1:] for row in rows}
    assert told == dict.fromkeys(("All games", "US", "Against people"), ("2", "2", "0", "0", "100%"))
    assert "2 games, 0 won by you, 2 lost" in boris.get(f"/people/{two[0]}")


def test_opponents_are_named_as_far_as_they_are_public(
    client: TestClient, anna: Visitor, boris: Visitor, two: tuple[str, str]
) -> None:
    opened, invited = played(anna, boris), played_by_invitation(anna, boris)
    counted(client)
    make_public(anna)
    stranger, path = Visitor(client), f"/people/{two[0]}"
    for page in (stranger.get(path), stranger.get(f"{path}/games")):
        assert f"{opened}/finished" in page
        assert page.count("Boris") == 1  # of the open table
        assert "Private player" in page
        assert invited not in page
        assert f"/people/{two[1]}" not in page
    assert "Private player" not in anna.get(path)
    assert "Private player" not in boris.get(path)  # Boris played there
    assert "Private player" in stranger.get(f"{path}/games")
    assert invited not in stranger.get(f"{path}/games?opponent=Bor")  # the filter is no oracle
    assert "Private player" not in stranger.get(f"{path}/games?opponent=Bor")
    make_public(boris)
    for page in (stranger.get(path), stranger.get(f"{path}/games?opponent=bOR")):
        assert f'<a href="/people/{two[1]}">Boris</a>' in page
        assert f"{invited}/finished" in page


def test_a_profile_shows_rating_luck_agendas_puzzles_and_lessons(
    client: TestClient, anna: Visitor, boris: Visitor, two: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(anna, boris)
    counted(client)
    engine = services_of(client).engine
    with engine.begin() as connection:
        connection.execute(update(schema.game_results).values(agenda="cuba_m", luck_adjusted=0.25))
        answer = {"puzzle": "1", "box": 1, "is_solved": True, "at_first_sight": True, "answered_at": 1.0}
        connection.execute(schema.puzzle_answers.insert().values(person_id=two[0], game="13-days", **answer))
    profiles.keep_lesson(engine, two[0], "13-days", course_of("13-days")[0])
    profiles.keep_lesson(engine, two[0], "13-days", course_of("13-days")[0])
    points = [RatingPoint(1e9 + 1e6 * number, 1500 + 10 * number, 100 - number) for number in range(40)]
    monkeypatch.setattr(profile, "ratings_of", lambda *_: [PersonRating("13-days", 1890.2, 61.3, 40, points)])
    page = anna.get(f"/people/{two[0]}")
    assert "Rating 1890 ± 61" in page
    assert 'aria-label="Rating over time: between 1500 and 1890, most recently 1890"' in page
    assert "In 1 analysed game: a score of 100%; without luck, 25%." in page
    assert "By the agenda of the first round" in page
    assert "1 puzzle solved" in page
    assert re.search(r"Lessons completed: 1 of \d", page)


def test_a_lesson_done_is_kept_for_the_profile(client: TestClient, anna: Visitor, two: tuple[str, str]) -> None:
    anna.get("/learn/13-days/first/14")
    assert profiles.lessons_of(services_of(client).engine, two[0]) == {"13-days": {"first"}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_profiles_speak_every_language(
    client: TestClient, anna: Visitor, boris: Visitor, two: tuple[str, str], language: str
) -> None:
    empty = anna.get(f"/people/{two[0]}", accept_language=language)
    played(anna, boris)
    counted(client)
    make_public(anna)
    boris.cookies["language"] = language
    page = boris.get(f"/people/{two[0]}")
    assert f'<html lang="{language}"' in page
    for shown in (empty, page, boris.get(f"/people/{two[0]}/games")):
        assert "profile." not in re.sub(r"profile\.css", "", shown)


def test_the_history_is_filtered_and_paged(
    client: TestClient, anna: Visitor, boris: Visitor, two: tuple[str, str]
) -> None:
    tables = [table_id(played(anna, boris)) for _ in range(3)]
    tables += [table_id(played(anna, boris, "13-minutes"))]
    counted(client)

    def shown(query: str, visitor: Visitor = anna) -> list[str]:
        return re.findall(r"/t/(\w+)/finished", visitor.get(f"/people/{two[0]}/games{query}"))

    with services_of(client).engine.begin() as connection:
        for number, table in enumerate(tables):
            at = 1_700_000_000.0 + 86_400 * number  # 14 November 2023 and the days after it
            is_it = schema.game_results.c.table_id == table
            connection.execute(update(schema.game_results).where(is_it).values(finished_at=at))
    assert shown("") == tables[::-1]
    assert shown("?game=13-days&side=&result=won&opponent=bo&since=&until=&rated=&ending=") == tables[2::-1]
    assert shown("?side=us") == tables[::-1]
    assert shown("?side=ussr") == shown("?side=ua") == shown("?side=ua&game=13-days") == []
    assert shown("?ending=resignation&against=people&rated=no") == tables[::-1]
    for nothing in (
        "?result=lost",
        "?opponent=x",
        "?ending=war",
        "?against=computer",
        "?rated=yes",
        "?game=ukrainian-crisis",
    ):
        assert shown(nothing) == []
        assert "No games match" in anna.get(f"/people/{two[0]}/games{nothing}")
    assert shown("?since=2023-11-15&until=2023-11-16") == tables[2:0:-1]
    assert shown(f"?after={tables[2]}") == tables[1::-1]
    assert shown("?after=unknown") == []


def test_pages_of_the_history_follow_each_other(
    client: TestClient, anna: Visitor, boris: Visitor, two: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [table_id(played(anna, boris)) for _ in range(5)]
    counted(client)
    with services_of(client).engine.begin() as connection:  # all at the same moment
        connection.execute(update(schema.game_results).values(finished_at=5.0))
    monkeypatch.setattr(profiles, "PAGE", 2)
    path, found = f"/people/{two[0]}/games?game=13-days", []
    for _ in range(3):
        page = anna.get(path)
        found += re.findall(r"/t/(\w+)/finished", page)
        older = re.search(r'href="(\?[^"]+)">Older', page)
        path = f"/people/{two[0]}/games{older[1].replace('&amp;', '&')}" if older else ""
    assert path == ""
    assert found == sorted(tables, reverse=True)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("game=chess", "the games are 13-days"),
        ("side=north", "the sides are us"),
        ("since=yesterday", "write it as in 2026-11-22"),
        ("until=0001-01-01", "choose a day after 1970"),
        ("result=maybe", "result"),
        ("ending=boredom", "ending"),
        (f"opponent={'a' * 31}", "30"),
    ],
)
def test_a_filter_that_does_not_exist_is_told_what_does(
    anna: Visitor, two: tuple[str, str], query: str, said: str
) -> None:
    answer = anna.ask("GET", f"/people/{two[0]}/games?{query}")
    assert answer.status_code == 400
    assert said in answer.text


def test_who_deletes_their_account_leaves_nothing_on_profiles(
    client: TestClient, anna: Visitor, boris: Visitor, two: tuple[str, str]
) -> None:
    played(anna, boris)
    counted(client)
    make_public(anna)
    make_public(boris)
    assert boris.post("/account/delete", sure="true", password="long enough", csrf=boris.csrf).status_code == 200
    stranger = Visitor(client)
    assert status(stranger, f"/people/{two[1]}") == 404
    page = stranger.get(f"/people/{two[0]}")
    assert "Boris" not in page
    assert "somebody" in page.lower() or "someone" in page.lower()
    everything: Any = []
    with services_of(client).engine.connect() as connection:
        for table in (schema.game_results, schema.public_profiles, schema.lessons_done):
            everything += connection.execute(table.select()).all()
    assert "boris" not in str(everything).lower()


def test_banned_people_have_no_public_profile(client: TestClient, anna: Visitor, two: tuple[str, str]) -> None:
    make_public(anna)
    with services_of(client).engine.begin() as connection:
        connection.execute(update(schema.people).where(schema.people.c.id == two[0]).values(banned_at=1.0))
    assert status(Visitor(client), f"/people/{two[0]}") == 404
