"""Cards and scenarios of somebody's own: sent with the form of a new table, played with, shown to both sides."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import DataFileError
from brinkmanship.games.thirteen_days.rules.loading import load
from brinkmanship.store import repository
from brinkmanship.web.presentation.data_files import MAX_BYTES, own_files
from brinkmanship.web.server.error_responses import error_response
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED
from support.visitors import Visitor, form, live

HOSTILE = "\"><b onload='x'>Anna</b>"


def changed(game: str = "13-days", name: str = "cards.toml", **replaced: str) -> bytes:
    """The file of a game with some words replaced by others."""
    text = own_files(game)[name].decode()
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new, 1)
    return text.encode()


def with_other_cubes(cubes: int = 4) -> bytes:
    """The cards of 13 Days where the first card of strength 1 has another one."""
    text = own_files("13-days")["cards.toml"].decode()
    return re.sub(r"^cubes = 1$", f"cubes = {cubes}", text, count=1, flags=re.MULTILINE).encode()


def sent(who: Visitor, content: bytes, game: str = "13-days", name: str = "mine.toml", **fields: object) -> Any:
    return who.send(
        "/tables",
        {"data": (name, content)},
        **{"game": game, "mode": "same", "side": 0, "name": "Anna", "csrf": who.csrf, **fields},
    )


def set_with(who: Visitor, client: TestClient, content: bytes, **fields: object) -> LiveTable:
    answer = sent(who, content, **fields)
    assert answer.status_code == 303, answer.text
    return live(client, answer.headers["location"])


def test_a_table_is_played_with_the_cards_that_were_sent(anna: Visitor, client: TestClient) -> None:
    table = set_with(anna, client, with_other_cubes())
    card = next(card for card in table.game.data.card if card.cubes == 4)  # type: ignore[attr-defined]
    anna.post(f"/t/{table.id}/act", **form(anna.get(f"/t/{table.id}?seat=0")))
    assert table.length
    again = client.app.state.services.tables.loader.read(table.id)  # type: ignore[attr-defined]
    assert (again.game.data_sha256, again.match.entries) == (table.game.data_sha256, table.match.entries)
    page = anna.get(f"/t/{table.id}/data")
    assert f'<th scope="row">card · {card.id} · cubes</th><td>1</td><td>4</td>' in page
    assert page.count("<tr>") == 2  # with the head of the table
    assert f'id="{card.id}"' in anna.get(f"/t/{table.id}/cards")
    assert anna.get(f"/t/{table.id}/data/file").encode() == with_other_cubes()


def test_who_sits_down_is_told_before_what_is_different(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = set_with(anna, client, with_other_cubes(), mode="open")
    assert "Custom cards (mine.toml)" in boris.get("/")
    page = boris.get(f"/join/{table.id}")
    assert "This table uses custom cards: mine.toml." in page
    assert f'href="/t/{table.id}/data"' in page
    assert f'href="/t/{table.id}/data"' in boris.get(f"/t/{table.id}")


def test_the_journal_names_the_cards_and_is_replayed_with_them(
    anna: Visitor, boris: Visitor, client: TestClient
) -> None:
    table = set_with(anna, client, with_other_cubes())
    anna.post(f"/t/{table.id}/resign", csrf=anna.csrf, side=0, sure="true")
    assert table.status == FINISHED
    journal = anna.get(f"/t/{table.id}/journal")
    assert f"cards: mine.toml sha256:{table.game.data_sha256}\n" in journal
    assert boris.send("/replay/upload", {"file": ("game.brink", journal.encode())}).status_code == 303
    next_one = anna.post(f"/t/{table.id}/rematch", csrf=anna.csrf).headers["location"]
    assert live(client, next_one).game.data_sha256 == table.game.data_sha256


def test_a_journal_from_elsewhere_brings_its_cards(anna: Visitor, client: TestClient) -> None:
    table = set_with(anna, client, with_other_cubes())
    journal = table.journal(0).text().encode().replace(b"known-to: us\n", b"")
    elsewhere = journal.replace(table.game.data_sha256.encode(), b"0" * 64)
    answer = anna.send("/replay/upload", {"file": ("game.brink", elsewhere)})
    assert (answer.status_code, "choose that file as well" in answer.text) == (422, True)


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"schema = 1\ngame = ", 2, "not valid TOML"),
        (changed(**{"rounds = 3": "rounds = 30"}), None, "must be a whole number from 1 to 9, not 30"),
        (changed("13-minutes"), None, "must be &#34;13-days&#34;"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(
    anna: Visitor, content: bytes, line: int | None, said: str
) -> None:
    answer = sent(anna, content)
    assert answer.status_code == 422
    assert "The file mine.toml cannot be used" in answer.text
    assert said in answer.text
    assert re.search(rf"in line {line or ''}", answer.text)
    assert "<pre" in answer.text


def test_what_is_wrong_with_a_file_is_said_in_the_language_of_who_sent_it(anna: Visitor) -> None:
    anna.cookies["language"] = "de"
    answer = sent(anna, changed(**{"rounds = 3": "rounds = 30"}))
    assert answer.status_code == 422
    assert (
        '<p lang="de" class="detail">limits.rounds: muss eine ganze Zahl von 1 bis 9 sein, nicht 30</p>' in answer.text
    )


def test_programs_are_told_what_is_wrong_with_a_file_in_the_language_they_ask_for() -> None:
    with pytest.raises(DataFileError) as caught:
        load(DataFile("mine.toml", changed(**{"rounds = 3": "rounds = 30"})))
    error = IllegalError(str(caught.value))
    error.__cause__ = caught.value
    scope = {"type": "http", "method": "POST", "path": "/api/v1/tables", "query_string": b""}
    asked = Request({**scope, "server": ("here", 80), "scheme": "http", "headers": [(b"accept-language", b"pl, en")]})
    answer = error_response(asked, error)
    detail = json.loads(answer.body)["detail"]
    assert re.fullmatch(r"mine\.toml:\d+: limits\.rounds: ma tu być liczba całkowita od 1 do 9, a nie 30", detail)
    assert answer.headers["content-language"] == "pl"


def test_a_file_may_not_be_larger_than_any_that_is_of_use(anna: Visitor) -> None:
    answer = sent(anna, b"#" * (MAX_BYTES + 1))
    assert answer.status_code == 413
    assert "200 kB" in answer.text


@pytest.mark.parametrize(("game", "name"), [("13-days", "cards.toml"), ("13-minutes", "cards.toml")])
def test_names_in_a_file_are_text_and_nothing_else(anna: Visitor, client: TestClient, game: str, name: str) -> None:
    text = own_files(game)[name].decode()
    hostile = re.sub(r'\ben = "[^"]*"', lambda _: f"en = '''{HOSTILE}'''", text)
    table = set_with(anna, client, hostile.encode(), game=game, name=f"a{HOSTILE}.toml")
    card = table.game.data.card[0].id  # type: ignore[attr-defined]
    anna.post(f"/t/{table.id}/act", **form(anna.get(f"/t/{table.id}?seat=0")))
    pages = ["", "?seat=0", "?seat=1", "/data", "/cards", "/replay", "/picture.svg", f"/card/{card}"]
    for page in [f"/t/{table.id}{path}" for path in pages]:
        assert "<b onload" not in anna.get(page), page


def test_names_of_a_scenario_are_text_and_nothing_else(anna: Visitor, client: TestClient) -> None:
    text = own_files("ukrainian-crisis")["scenario.toml"].decode()
    hostile = re.sub(r'\ben = "[^"]*"', lambda _: f"en = '''{HOSTILE}'''", text)
    table = set_with(anna, client, hostile.encode(), game="ukrainian-crisis")
    for path in ("", "?seat=0", "/data", "/cards", "/replay", "/picture.svg"):
        assert "<b onload" not in anna.get(f"/t/{table.id}{path}"), path


def test_a_file_that_no_table_is_played_with_is_put_away(anna: Visitor, client: TestClient) -> None:
    table = set_with(anna, client, with_other_cubes())
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    repository.keep_data_file(engine, "f" * 64, b"", 0.0)
    repository.remove_data_files(engine, time.time() + 1)
    with engine.connect() as connection:
        assert repository.data_file(connection, table.game.data_sha256, "mine.toml")
        assert repository.data_file(connection, "f" * 64, "mine.toml") is None


def test_a_scenario_is_chosen_with_another_number_than_its_own(anna: Visitor, client: TestClient) -> None:
    options = {"option.scenario": "balanced", "option.prestige_ru": 32}
    path = anna.begin("same", 0, "ukrainian-crisis", **options)
    game = live(client, path).game
    assert (game.options["scenario"], game.options["prestige_ru"]) == ("balanced", 32)
    usual = live(client, anna.begin("same", 0, "ukrainian-crisis", **{"option.scenario": "balanced"})).game
    assert usual.options["prestige_ru"] == 26


def test_a_program_sets_a_table_with_cards_of_its_own(client: TestClient) -> None:
    token = client.post("/api/v1/tokens", json={"name": "Anna"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    body: dict[str, Any] = {"game": "13-days", "seats": ["me", "me"]}
    data = {"name": "C:\\decks\\mine.toml", "text": with_other_cubes().decode()}
    answer = client.post("/api/v1/tables", json=body | {"data": data}, headers=headers)
    assert answer.status_code == 201, answer.text
    table = live(client, f"/t/{answer.json()['id']}")
    assert answer.json()["data"] == {"name": "mine.toml", "sha256": table.game.data_sha256}
    assert client.get(f"/t/{table.id}/data/file").content == with_other_cubes()
    assert client.post("/api/v1/tables", json=body, headers=headers).json()["data"] is None
    for text, status in ((with_other_cubes(99).decode(), 422), ("x" * (MAX_BYTES + 1), 400), ("ä" * MAX_BYTES, 413)):
        refused = client.post("/api/v1/tables", json=body | {"data": {"name": "x.toml", "text": text}}, headers=headers)
        assert refused.status_code == status, refused.text
