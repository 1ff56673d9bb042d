"""Pages and API of the deal of the day."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine.match import Match
from brinkmanship.puzzles.spaced_repetition import DAY
from brinkmanship.store import daily
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACTION, RESIGN
from support.program import Program
from support.visitors import Visitor, live, registered

GAME = "13-days"
pytestmark = pytest.mark.usefixtures("one_day")


class Days:
    """A server whose computers never move, and whose day can be changed."""

    def __init__(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        app: Any = client.app
        self.client, self.services = client, app.state.services
        self._monkeypatch = monkeypatch
        self.start = time_control.now()
        monkeypatch.setattr(self.services.bot_moves, "play", lambda _: None)
        self.at(0)

    def at(self, days: int) -> None:
        self._monkeypatch.setattr(time_control, "now", lambda: self.start + days * DAY)

    @property
    def today(self) -> str:
        return date.fromordinal(self.services.daily.today()).isoformat()

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        assert self.client.portal is not None
        return self.client.portal.call(work, *given)

    def tick(self) -> None:
        self.do(self.services.daily.tick)

    def begin(self, visitor: Visitor) -> LiveTable:
        answer = visitor.post(f"/daily/{GAME}", **({"csrf": visitor.csrf} if "session" in visitor.cookies else {}))
        assert answer.status_code == 303, answer.text
        return live(self.client, str(answer.headers["location"]))

    def record(self, table: LiveTable, kind: str, side: int, value: int = 0) -> None:
        self.do(self.services.event_log.do, table, lambda: TableRecord(kind, side, value, time.time()))

    def win(self, table: LiveTable) -> None:
        loser = next(seat.side for seat in table.seats if seat.computer)
        self.record(table, RESIGN, loser)


@pytest.fixture
def days(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(client, monkeypatch)


def choose(days: Days, table: LiveTable, take: Callable[[Match, int], int]) -> None:
    """Both sides keep an agenda: the player the one that `take` names, the computer the first."""
    for seat in table.seats:
        action = table.match.legal(seat.side)[0].action if seat.computer else take(table.match, seat.side)
        days.record(table, ACTION, seat.side, action)


def test_today_shows_the_way_into_the_game_and_afterwards_its_results(days: Days) -> None:
    anna, boris, stranger = Visitor(days.client), Visitor(days.client), Visitor(days.client)
    assert f'action="/daily/{GAME}"' in stranger.get("/daily")
    table = days.begin(anna)
    assert f'href="/t/{table.id}"' in anna.get("/daily")
    page = anna.get(f"/t/{table.id}")
    assert f'href="/daily/{GAME}/{days.today}"' in page
    assert 'id="hint"' not in page
    others = days.begin(boris)
    days.win(table)
    days.tick()
    assert "Played 1 day in a row. Won 1 day in a row." in anna.get("/daily")
    path = f"/daily/{GAME}/{days.today}"
    mine, theirs, none = (each.get(path) for each in (anna, boris, stranger))
    assert "<td>Won</td>" in mine
    assert f'href="/t/{table.id}/finished"' in mine
    assert others.id not in mine
    for page in (theirs, none):
        assert "as soon as your own game is over" in page
        assert table.id not in page
        assert "<td>Won</td>" not in page
    assert f'href="{path}"' in anna.get(f"/t/{table.id}")


def test_a_page_of_yesterday_does_not_begin_the_deal_of_today(days: Days) -> None:
    anna = Visitor(days.client)
    (of_page,) = set(re.findall(r'name="today" value="(.*?)"', anna.get("/daily")))
    assert of_page == days.today
    days.at(1)
    sent = anna.post(f"/daily/{GAME}", today=of_page)
    assert (sent.status_code, sent.headers["location"]) == (303, "/daily")
    assert f'action="/daily/{GAME}"' in anna.get("/daily")
    assert anna.post(f"/daily/{GAME}", today="tomorrow").status_code == 404
    assert anna.post(f"/daily/{GAME}", today=days.today).headers["location"].startswith("/t/")


def test_nobody_looks_at_a_game_of_another_player_on_the_same_day(days: Days) -> None:
    anna, boris = Visitor(days.client), Visitor(days.client)
    table = days.begin(anna)
    days.begin(boris)
    days.win(table)
    days.tick()
    for path in ("", "/state", "/finished", "/replay", "/analysis", "/analysis.html", "/journal", "/analysis/progress"):
        assert boris.ask("GET", f"/t/{table.id}{path}").status_code in (403, 404), path
    # Their own player sees what their side knows, and no analysis of the hidden cards.
    for path in ("/analysis.html", "/analysis/progress"):
        assert anna.ask("GET", f"/t/{table.id}{path}").status_code == 403, path
    assert anna.ask("GET", f"/t/{table.id}/analysis").headers["location"] == f"/t/{table.id}"
    assert anna.post(f"/t/{table.id}/analysis", csrf=anna.csrf).status_code == 422
    assert anna.ask("GET", f"/t/{table.id}/replay/1?as=open").status_code == 403


def test_the_next_day_everything_is_open_with_the_decisions_on_which_players_differed(days: Days) -> None:
    visitors = [Visitor(days.client) for _ in range(3)]
    tables = [days.begin(visitor) for visitor in visitors]
    for number, table in enumerate(tables):
        choose(days, table, lambda match, side, place=-(number // 2): match.legal(side)[place].action)  # type: ignore[misc]
        days.win(table)
    path = f"/daily/{GAME}/{days.today}"
    days.at(1)
    days.tick()
    stranger = Visitor(days.client)
    for language, said in {"en": "2 players", "ru": "2 игрока", "de": "2 Spieler", "pl": "2 graczy"}.items():
        stranger.cookies["language"] = language
        assert f"<b>{said}</b>" in stranger.get(path)
    stranger.cookies["language"] = "en"
    page = stranger.get(path)
    assert all(f'href="/t/{table.id}/finished"' in page for table in tables)
    assert page.count("Anonymous player</th>") == 3
    position = page[page.index('href="/t/') :]
    assert "/replay/" in position[position.index("decisions") :]
    for table in tables:
        assert stranger.ask("GET", f"/t/{table.id}/replay/1?as=open").status_code == 200
    assert "Lost" not in page


def test_a_program_reads_the_same(days: Days) -> None:
    program, anna = Program(days.client, "Reader"), Visitor(days.client)
    table = days.begin(anna)
    days.win(table)
    days.tick()
    by_game = {each["game"]: each for each in program.ask("/daily") if each["date"] == days.today}
    assert (by_game[GAME]["players"], by_game[GAME]["results"], by_game[GAME]["table"]) == (1, None, None)
    today = days.today
    days.at(1)
    days.tick()
    (deal,) = [each for each in program.ask("/daily") if (each["game"], each["date"]) == (GAME, today)]
    assert deal["is_over"]
    assert deal["results"] == [
        {
            "place": None,
            "player": "",
            "is_you": False,
            "is_guest": True,
            "score": 1,
            "is_abandoned": False,
            "score_without_luck": None,
            "table": table.id,
        }
    ]


def test_players_with_a_public_profile_are_named(days: Days, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = Visitor(days.client)
    table = days.begin(anna)
    person = next(seat.person_id for seat in table.seats if seat.person_id)
    days.win(table)
    days.tick()
    monkeypatch.setattr("brinkmanship.web.daily.daily_service.public_among", lambda *_: {person})
    days.do(days.services.event_log._writer.write, daily.luck_statement(table.id, (0.25, 0.25)))
    page = anna.get(f"/daily/{GAME}/{days.today}")
    assert f'href="/people/{person}"' in page
    assert "<td>25%</td>" in page


def test_only_accounts_are_ranked_and_guests_are_listed_after_them(days: Days) -> None:
    guest, anna = Visitor(days.client), Visitor(days.client)
    tables = [days.begin(guest), days.begin(anna)]
    registered(anna, "anna")
    for table in tables:
        days.win(table)
    days.tick()
    for table, adjusted in zip(tables, (0.9, 0.4), strict=True):
        days.do(days.services.event_log._writer.write, daily.luck_statement(table.id, (adjusted, adjusted)))
    path = f"/daily/{GAME}/{days.today}"
    page = guest.get(path)
    ranked, apart = page.split("Guests, not ranked")
    assert "<td>1</td>" in ranked
    assert "<td>40%</td>" in ranked
    assert "<td>–</td>" in apart
    assert "<td>90%</td>" in apart
    assert "Only players with an account are ranked." in apart
    # A guest who signs up is ranked with the game that they have played.
    registered(guest, "boris")
    page = anna.get(path)
    assert "Guests, not ranked" not in page
    assert page.index("<td>90%</td>") < page.index("<td>2</td>") < page.index("<td>40%</td>")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        pytest.param(f"/daily/{GAME}/yesterday", "There is no deal for this day", id="no-date"),
        pytest.param(f"/daily/{GAME}/9999-12-31", "There is no deal for this day", id="future"),
        pytest.param("/daily/chess/2026-01-01", "no deal of the day", id="no-game"),
    ],
)
def test_wrong_addresses_are_refused_in_words(client: TestClient, path: str, said: str) -> None:
    answer = Visitor(client).ask("GET", path)
    assert answer.status_code == 404
    assert said in answer.text


def test_a_form_for_an_unknown_game_makes_no_guest(client: TestClient) -> None:
    visitor = Visitor(client)
    assert visitor.post("/daily/chess").status_code == 404
    assert "session" not in visitor.cookies
