"""Lists and shared links: why a game ended, the ruling behind an option, the public picture of a position."""

from __future__ import annotations

import html
import random
import re

import pytest
from sqlalchemy import select, text, update
from starlette.testclient import TestClient

from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.store import repository, schema
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.tables.statuses import RUNNING
from support.visitors import Visitor, invited, live


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_way_a_game_can_end_is_said(game_id: str, language: str) -> None:
    game = load_game(game_id)
    words, own = game_words(game, language), page_words(language)
    reasons = [*game.reasons[1:], "resignation", "agreement", "time"]
    said = {reason: result_text(game, f"{game.sides[0]} by {reason}", words, own) for reason in reasons}
    assert all(re.search(r"\(.+\)$", text) for text in said.values()), said
    assert len(set(said.values())) == len(reasons)


def test_lists_of_finished_games_say_why_they_ended(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    friends = invited(anna, boris)
    anna.post(f"{friends}/resign", side=0, sure="true", csrf=anna.csrf)
    opened = anna.begin("open", 0)
    boris.post(opened.replace("/t/", "/join/"), csrf=boris.csrf)
    choose = random.Random(3).choice
    table = live(client, opened)
    tokens = (anna.csrf, boris.csrf)
    while table.status == RUNNING:
        side = choose(table.to_move)
        action = choose(table.match.legal(side)).action
        sent = {"side": side, "version": table.version(side), "action": action, "csrf": tokens[side]}
        assert (anna, boris)[side].post(f"{opened}/act", **sent).status_code == 303
    expected = html.escape(result_text(table.game, table.result, game_words(table.game, "en"), page_words("en")))
    assert "(" in expected
    home = anna.get("/")
    assert "USSR won (the US resigned)" in home
    assert expected in home
    stranger = Visitor(client).get("/library")
    assert expected in stranger
    assert f'href="{opened}/finished"' in stranger
    assert friends not in stranger  # what friends played by invitation is listed to nobody else


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_option_leads_to_its_ruling(anna: Visitor, game_id: str) -> None:
    links = re.findall(rf'href="/rulings/{game_id}#([A-Z]\d+)"', anna.get(f"/new/{game_id}"))
    rulings = anna.get(f"/rulings/{game_id}")
    assert len(links) == len(load_game(game_id).option_values())
    for number in links:
        assert f'id="{number}"' in rulings


def test_a_shared_table_shows_the_public_position_only(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = invited(anna, boris)
    anna.post(f"{table}/act", side=0, version=0, action=live(client, table).match.legal(0)[0].action, csrf=anna.csrf)
    shared = [re.findall(r'<meta property="og:.*', viewer.get(table)) for viewer in (anna, boris, Visitor(client))]
    assert shared[0] == shared[1] == shared[2]
    picture = re.findall(r'property="og:image" content="[^"]*?(/t/[^"]+)"', "\n".join(shared[0]))[0]
    assert anna.get(picture) == Visitor(client).get(picture)
    running = re.findall(r'property="og:image" content="[^"]*?(/t/[^"]+)"', anna.get(f"{table}/replay"))[0]
    assert anna.get(running) == Visitor(client).get(running)


@pytest.mark.usefixtures("one_day")
def test_who_has_answered_a_secret_question_has_no_turn_and_nobody_else_sees_it(
    anna: Visitor, boris: Visitor, client: TestClient
) -> None:
    table = live(client, invited(anna, boris))
    assert table.match.pending == {0, 1}
    assert all("Your turn" in player.get("/") for player in (anna, boris))
    before = boris.get("/")
    anna.post(f"/t/{table.id}/act", side=0, version=0, action=table.decisions(0)[0].action, csrf=anna.csrf)
    assert table.match.pending == {1}
    assert "Your turn" not in anna.get("/")
    assert "other side’s turn" in anna.get("/")
    assert boris.get("/") == before
    boris.post(f"/t/{table.id}/act", side=1, version=0, action=table.decisions(1)[0].action, csrf=boris.csrf)
    assert ["Your turn" in player.get("/") for player in (anna, boris)] == [side in table.to_move for side in (0, 1)]


WRONG = [
    {"game": "no-such-game"},
    {"options": ["no options"]},
    {"clock": "no clock"},
    {"asked": "somebody"},
    {"result": "nonsense by whatever"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: next(iter(wrong)))
def test_a_table_that_cannot_be_read_takes_no_page_from_anybody(
    wrong: dict[str, object], anna: Visitor, boris: Visitor, client: TestClient
) -> None:
    good, bad, over = (anna.begin("open", 0) for _ in range(3))
    boris.post(over.replace("/t/", "/join/"), name="Boris")
    anna.post(f"{over}/resign", side=0, sure="true", csrf=anna.csrf)
    running = anna.begin("same", 0)
    tables = schema.tables
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        for table in (bad, over, running):
            connection.execute(update(tables).where(tables.c.id == table.removeprefix("/t/")).values(**wrong))
        raw = "UPDATE tables SET created_at = 'long ago', asked = x'00ff' WHERE id = :id"
        if "game" in wrong and connection.dialect.name == "sqlite":
            connection.execute(text(raw), {"id": bad.removeprefix("/t/")})
    client.app.state.services.tables._live.clear()  # type: ignore[attr-defined]
    for visitor in (anna, boris, Visitor(client)):
        for page in ("/", "/library", "/notices/turns"):
            visitor.get(page)
    assert f"/join/{good.removeprefix('/t/')}" in Visitor(client).get("/")
    token = client.post("/api/v1/tokens", json={"name": "P"}).json()["token"]
    for query in ("", "?mine=true"):
        answer = client.get(f"/api/v1/tables{query}", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        assert query or good.removeprefix("/t/") in {table["id"] for table in answer.json()}


def test_what_is_left_out_of_a_list_hides_nothing_behind_it(anna: Visitor, client: TestClient) -> None:
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    tables = schema.tables
    path = anna.begin("open", 0)
    with engine.begin() as connection:
        row = dict(connection.execute(select(tables)).mappings().one())
        for number in range(30):
            bad = {"id": f"bad{number}", "created_at": row["created_at"] + 1, "commitment": str(number)}
            connection.execute(tables.insert().values(**{**row, **bad, "asked": b"\xff"}))
    assert [table.id for table in repository.open_tables(engine)] == [path.removeprefix("/t/")]


SAID = {
    "en": "This game was started under version 999 of the rules",
    "ru": "Эта партия начата по версии 999 правил",
    "de": "Diese Partie wurde nach Version 999 der Regeln begonnen",
    "pl": "Tę partię rozpoczęto według wersji 999 zasad",
}


def test_a_table_begun_by_other_rules_is_refused_with_a_page(
    anna: Visitor, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = anna.begin("same", 0)
    table = live(client, path)
    parts = client.app.state.services  # type: ignore[attr-defined]
    with parts.engine.begin() as connection:
        connection.execute(update(schema.tables).values(rules_version=999))
    parts.tables._live.clear()
    for language in LANGUAGES:
        anna.cookies["language"] = language
        page = anna.ask("GET", path)
        assert page.status_code == 410
        assert SAID[language] in html.unescape(page.text)
        anna.get("/")
    token = client.post("/api/v1/tokens", json={"name": "P"}).json()["token"]
    answer = client.get(f"/api/v1{path.replace('/t/', '/tables/')}", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["title"]) == (410, "other rules")
    monkeypatch.setattr(type(table.game), "also_plays", frozenset({999}))
    assert anna.ask("GET", path).status_code == 200  # the game says that nothing goes differently
