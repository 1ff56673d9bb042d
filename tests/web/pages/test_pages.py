"""The pages, as a browser without scripts asks for them: what they show and what they refuse."""

from __future__ import annotations

import ast
import gzip
import html
import random
import re
import time
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.drawing import drawing_of, style
from brinkmanship.drawing.pictogram import keys_of, strip
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import BUILT_IN
from brinkmanship.players import levels
from brinkmanship.reports.document import source
from brinkmanship.text import LANGUAGES, cards_of, words_for
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.pages.shared.rendering import asset, local_path
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.server.static_files import STATIC
from brinkmanship.web.support.time_control import DAY_SECONDS
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import TIMEOUT
from brinkmanship.web.tables.statuses import FINISHED, RUNNING, WAITING
from support.visitors import Visitor, form, invited, live

# ---- beginning


@pytest.mark.parametrize("language", LANGUAGES)
def test_home_speaks_every_language(anna: Visitor, language: str) -> None:
    anna.cookies["language"] = language
    assert f'<html lang="{language}"' in anna.get("/")
    assert f'<html lang="{language}"' in anna.get("/account")


@pytest.mark.parametrize("game", BUILT_IN)
def test_what_there_is_to_read_stands_beside_each_game(anna: Visitor, game: str) -> None:
    links = re.findall(rf'<a href="(/\w+/{game})">', anna.get("/"))
    assert links == [f"/{book}/{game}" for book in ("learn", "puzzles", "rules", "cards", "rulings")]
    assert all(anna.ask("GET", link).status_code in (200, 303) for link in links)


def test_a_stranger_plays_the_computer_at_once(anna: Visitor) -> None:
    page = anna.get(anna.begin("computer"))
    assert "Anna" in page
    assert 'id="choices"' in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_framework_refuses_is_said_in_the_readers_language(anna: Visitor, language: str) -> None:
    anna.cookies["language"] = language
    for path, status, key in (("/nowhere", 404, "address"), ("/tables", 405, "method")):
        answer = anna.ask("GET", path)
        assert answer.status_code == status
        assert page_words(language).sentence(Message(f"refused.{key}")) in unescape(answer.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_plays_while_nothing_is_compiled_reads_that_the_computer_thinks_less(
    anna: Visitor, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.cookies["language"] = language
    path = anna.begin("computer", player="level:6")
    assert 'id="thinks-less"' not in anna.get(path)
    monkeypatch.setattr(levels, "is_interpreting", lambda: True)
    assert page_words(language).text(Message("table.thinks_less")) in anna.get(path)
    assert 'id="thinks-less"' not in anna.get(anna.begin("computer", player="level:1"))


@pytest.mark.parametrize(("language", "name"), [("en", "Guest"), ("ru", "Гость"), ("de", "Gast"), ("pl", "Gość")])
def test_who_gives_no_name_is_called_a_guest(anna: Visitor, client: TestClient, language: str, name: str) -> None:
    anna.cookies["language"] = language
    answer = anna.post("/tables", game="13-days", mode="same", name="  ")
    assert {seat.name for seat in live(client, answer.headers["location"]).seats} == {name}


@pytest.mark.parametrize("headers", [{"sec_fetch_site": "cross-site"}, {"origin": "http://elsewhere.example"}])
def test_another_site_cannot_begin_a_game_for_a_stranger(anna: Visitor, headers: dict[str, str]) -> None:
    data = {"game": "13-days", "mode": "computer", "name": "Anna"}
    assert anna.ask("POST", "/tables", data, **headers).status_code == 403


def test_a_form_without_the_token_of_the_session_is_refused(anna: Visitor) -> None:
    table = anna.begin("computer")
    assert anna.post("/tables", game="13-days", mode="computer").status_code == 403
    assert anna.post(f"{table}/chat", text="hello").status_code == 403
    assert anna.post(f"{table}/act", **(form(anna.get(table)) | {"csrf": "0"})).status_code == 403


def test_options_of_the_rules_are_chosen_and_told(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = anna.begin("open", **{"option.moscow_filter": "has_no_cubes"})
    assert live(client, table).game.options["moscow_filter"] == "has_no_cubes"
    assert "Cubes go to battlegrounds where the USSR has no cubes." in boris.get(f"/join/{table.removeprefix('/t/')}")


def test_a_preset_and_a_number_are_chosen_on_the_form(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    page = anna.get("/new/13-minutes")
    assert '<option value="en2017"' in page
    assert re.search(r'<input type="number" name="option.campaign_target" min="1" max="1000"', page)
    fields = {"option.preset": "en2017", "option.tiebreak": "own_sphere", "option.bid_tie_cap": "7"}
    path = anna.begin("friend", 0, "13-minutes", **fields)
    options = live(client, path).game.options
    assert (options["tiebreak"], options["bid_tie_cap"], options["campaign_target"]) == ("none", 7, 13)
    link = re.search(r'value="http://testserver(/join/[^"]+)"', anna.get(path))
    assert link
    assert "After 7 ties, a fair coin decides who wins the bid" in boris.get(link[1])
    refused = {"option.bid_tie_cap": "1001"}, {"option.campaign_target": "many"}, {"option.preset": "fr2020"}
    for wrong in refused:
        answer = anna.post("/tables", game="13-minutes", mode="same", csrf=anna.csrf, **wrong)
        assert answer.status_code == 422, wrong


def test_a_bid_is_a_row_of_numbers_each_its_own_key(anna: Visitor) -> None:
    page = anna.get(anna.begin("same", 0, "13-minutes") + "?seat=0")
    row = page[page.index('<div class="numbers"') :]
    keys = re.findall(r'data-kind="bid" data-key="(\d+)"[^>]*>(\d+)<', row[: row.index("</div>")])
    assert [int(number) for _, number in keys] == list(range(14))
    assert all(key == number for key, number in keys)


def test_an_invitation_serves_once(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = anna.begin("friend")
    link = re.search(r'value="http://testserver(/join/[^"]+)"', anna.get(table))
    assert link
    assert "Anna" in boris.get(link[1])
    assert "invites" in boris.get(link[1])
    assert boris.post(link[1], name="Boris").headers["location"] == table
    late = Visitor(client)
    assert late.ask("GET", link[1]).status_code == 410
    assert late.post(link[1], name="Late").status_code == 403
    assert link[1] not in boris.get(table) + anna.get(table)


def test_a_second_click_on_an_invitation_leads_to_the_table(
    anna: Visitor, boris: Visitor, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    boris.begin("same")  # with a session
    table = anna.begin("open")
    link = table.replace("/t/", "/join/")
    seating = client.app.state.services.seating  # type: ignore[attr-defined]
    join = seating.join

    async def join_twice(*given: Any, **more: Any) -> Any:
        """Join as two requests do that have both seen the free seat."""
        await join(*given, **more)
        return await join(*given, **more)

    with monkeypatch.context() as patch:
        patch.setattr(seating, "join", join_twice)
        assert boris.post(link, csrf=boris.csrf).headers["location"] == table
    assert boris.post(link, csrf=boris.csrf).headers["location"] == table
    assert Visitor(client).post(link, name="Late").status_code == 403


def test_running_games_are_listed_with_whose_turn_it_is(anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    assert re.search(rf'(?s)class="mine">(?:(?!</li>).)*<a class="row" href="{table}"', anna.get("/"))
    assert table not in Visitor(anna.client).get("/")


@pytest.mark.parametrize(
    ("back", "to"),
    [("/t/x?seat=1", "/t/x?seat=1"), ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\evil.example", "/")],
)
def test_the_language_form_goes_back_only_to_this_server(anna: Visitor, back: str, to: str) -> None:
    assert local_path(back) == to
    assert anna.post("/language", language="pl", back=back).headers["location"] == to
    assert anna.cookies["language"] == "pl"


def test_a_guest_becomes_an_account_and_comes_back(anna: Visitor, boris: Visitor) -> None:
    table = anna.begin("computer")
    done = anna.post("/account/register", login="Anna", password="long enough", csrf=anna.csrf)
    assert done.status_code == 200
    assert boris.post("/account/sign-in", login="anna", password="wrong one").status_code == 403
    assert boris.post("/account/sign-in", login="anna", password="long enough").status_code == 303
    assert 'id="choices"' in boris.get(table)
    assert "Shown only once" in boris.post("/account/token", csrf=boris.csrf).text
    assert boris.post("/account/sign-out", csrf=boris.csrf).status_code == 303


# ---- playing


def test_what_is_refused_is_said_beside_the_prompt_and_changes_nothing(
    anna: Visitor, boris: Visitor, client: TestClient
) -> None:
    table = invited(anna, boris)
    fields = form(anna.get(table))
    for wrong, status, words in (
        ({"version": "999"}, 409, "has changed in the meantime"),
        ({"action": "99999"}, 422, "not available now"),
        ({"side": "1"}, 403, "Only the players at this table"),
    ):
        answer = anna.post(f"{table}/act", **(fields | wrong))
        assert answer.status_code == status
        assert words in answer.text
        assert answer.text.index(words) < answer.text.index('id="choices"')
        assert 'role="alert"' in anna.ask("POST", f"{table}/act", fields | wrong, x_fragment="1").text
    assert live(client, table).records == []
    assert Visitor(client).post(f"{table}/act", **fields).status_code == 403


def test_a_step_is_taken_back_until_something_is_revealed(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = invited(anna, boris)
    page = anna.get(table)
    assert 'id="undo"' not in page
    assert anna.post(f"{table}/act", **form(page)).status_code == 303
    page = anna.get(table)
    assert 'id="undo"' in page
    version = live(client, table).version(0)
    assert anna.post(f"{table}/undo", side=0, version=version, csrf=anna.csrf).status_code == 303
    assert anna.post(f"{table}/act", **form(anna.get(table))).status_code == 303
    assert boris.post(f"{table}/act", **form(boris.get(table))).status_code == 303
    # Now the cards have been dealt: nobody takes his agenda back.
    for visitor, side in ((anna, 0), (boris, 1)):
        assert 'id="undo"' not in visitor.get(table)
        version = live(client, table).version(side)
        refused = visitor.post(f"{table}/undo", side=side, version=version, csrf=visitor.csrf)
        assert refused.status_code == 422


def test_a_game_is_given_up_or_ended_by_agreement(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = invited(anna, boris)
    assert anna.post(f"{table}/resign", side=0, csrf=anna.csrf).status_code == 422
    assert anna.post(f"{table}/offer", side=0, csrf=anna.csrf).status_code == 303
    assert "offers a draw" in boris.get(table)
    assert boris.post(f"{table}/answer", side=1, accept="false", csrf=boris.csrf).status_code == 303
    assert anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf).status_code == 303
    page = boris.get(table)
    assert "You won" in page
    assert "The US resigned" in page
    assert "offers a draw" not in page
    assert f"{table}/replay" in page
    assert f"{table}/journal" in page
    assert "to move" not in boris.get(f"{table}/picture.svg")  # where the game was left one side was still asked
    again = boris.post(f"{table}/rematch", csrf=boris.csrf).headers["location"]
    assert live(client, again).seat_of(live(client, table).seats[1].person_id) == [0]
    assert "Join the game" not in boris.get(again)
    for path in (table, again, "/"):
        assert "Boris wants a rematch" in anna.get(path)
    assert f'action="{table}/rematch"' in anna.get(again)
    for path in (again, "/"):
        assert "Waiting for Anna to accept the rematch" in boris.get(path)
    assert f'href="{again}"' in boris.get(table)
    assert live(client, again).status == WAITING
    assert anna.post(f"{table}/rematch", csrf=anna.csrf).headers["location"] == again
    assert live(client, again).status == RUNNING
    assert "wants a rematch" not in anna.get("/")


def test_chat_is_for_all_and_a_note_for_oneself(anna: Visitor, boris: Visitor) -> None:
    table = invited(anna, boris)
    assert anna.post(f"{table}/chat", text="<b>hello</b>", csrf=anna.csrf).status_code == 303
    assert anna.post(f"{table}/note", text="my secret plan", csrf=anna.csrf).status_code == 303
    assert "&lt;b&gt;hello" in boris.get(table)
    assert "my secret plan" in anna.get(table)
    assert "my secret plan" not in boris.get(table)


def test_a_shared_screen_shows_one_hand_or_none(anna: Visitor, client: TestClient) -> None:
    path = anna.begin("same")
    table = live(client, path)
    names = {
        card.id: name for card in table.game.data.card if (name := words_for(table.game, "en").name("card", card.id))
    }  # type: ignore[attr-defined]
    choose = random.Random(3).choice
    seen = 0
    for _ in range(60):
        side = table.to_move[0]
        cover = anna.get(path)
        mine, other = ([c for c, name in names.items() if name and c in hand(table, s)] for s in (side, 1 - side))
        assert 'id="uncover"' in cover
        assert 'id="choices"' not in cover
        page = anna.get(f"{path}?seat={side}")
        public = anna.get(f"{path}/log") + "".join(known(table))
        for card in other:
            assert f'"{card}"' not in page or card in public
        for card in mine + other:
            assert f'data-card="{card}"' not in cover or card in public
        for card in mine:
            assert f'id="held-card-{card}"' in page
            seen += 1
        assert 'id="choices"' not in anna.get(f"{path}?seat={1 - side}") or 1 - side in table.to_move
        fields = form(page)
        fields["action"] = str(choose(table.match.legal(side)).action)
        assert anna.post(f"{path}/act", **fields).status_code == 303
        if table.status != RUNNING:
            break
    assert seen > 20


def hand(table: LiveTable, side: int) -> list[str]:
    state = table.game.known_state(table.view(side), side)
    return list(state["cards"]["hand"])


def known(table: LiveTable) -> list[str]:
    """Ids of all cards in public piles."""
    state = table.game.known_state(table.view(OBSERVER), OBSERVER)
    return [card for cards in state["cards"].values() for card in cards]


# ---- form


def test_the_stylesheet_of_the_drawings_is_up_to_date() -> None:
    written = (STATIC / "css/draw.css").read_text("utf-8")
    assert written == style.stylesheet(), "write it again: python tools/stylesheet.py"


@pytest.mark.parametrize("path", ["css/explained.css", "css/report.css", "js/report.js"])
def test_pages_and_stand_alone_reports_have_the_same_styles_and_script(anna: Visitor, path: str) -> None:
    assert anna.get(asset(path)) == source(f"analysis/static/{path}")


def test_a_page_obeys_its_own_policy(anna: Visitor) -> None:
    for path in ("/", "/account", anna.begin("computer")):
        page = anna.get(path)
        assert " style=" not in page
        assert "<style" not in page
        assert not re.search(r"<script(?![^>]*src=)", page)
        assert not re.search(r"\son\w+=", page)


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_running_game_weighs_less_than_300_kilobytes(anna: Visitor, game: str) -> None:
    """As it comes over the line: packed, but for fonts, which are packed already."""

    def weight(address: str) -> int:
        answer = anna.ask("GET", address, accept_encoding="gzip")
        is_packed = answer.headers.get("content-encoding") == "gzip"
        return len(gzip.compress(answer.content, 5) if is_packed else answer.content)

    path = anna.begin("computer", game=game)
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', anna.get(path))
    fonts = (STATIC / "fonts").glob("*-latin.woff2")
    total = sum(map(weight, [path, *addresses])) + sum(font.stat().st_size for font in fonts)
    assert 100_000 < total < 300_000
    assert weight(f"{path}/state") < 25_000


def test_cards_before_a_player_show_what_they_do_in_marks(anna: Visitor, client: TestClient) -> None:
    path = anna.begin("computer")
    game, seen = live(client, path).game, anna.get(path)
    held = re.findall(r'<li id="held-(agenda|card)-(\w+)"', seen)
    assert held
    assert all(strip(drawing_of(game).pictogram(game, kind, id)) in seen for kind, id in held)


def test_a_card_is_seen_with_its_history_and_what_its_marks_mean(anna: Visitor, client: TestClient) -> None:
    path = anna.begin("computer")
    game = live(client, path).game
    words = words_for(game, "en")
    drawing = drawing_of(game)
    card = cards_of(game, words)[0]
    assert anna.get(f"{path}/card/{card.id}").startswith("<svg")
    seen = unescape(anna.get(f"{path}/card/{card.id}", x_fragment="1"))
    assert drawing.card(game, card.id, words, history=card.history) in seen
    assert card.history in seen
    legend = drawing.explain(game, words, keys_of(drawing.pictogram(game, "card", card.id)))
    assert legend
    assert all(f"<dd>{mark.text}</dd>" in seen for mark in legend)
    assert anna.get(path).count('action="/cards/history"') == 1
    answer = anna.post("/cards/history", shown="off", back=path)
    assert answer.headers["location"] == path
    assert 'name="shown" value="on"' in anna.get(path)
    assert card.history not in unescape(anna.get(f"{path}/card/{card.id}", x_fragment="1"))
    assert anna.ask("GET", f"{path}/card/nothing").status_code == 404


def test_the_board_in_words_is_there_in_every_mode_and_the_choice_is_remembered(anna: Visitor) -> None:
    path = anna.begin("computer")
    assert 'class="board-text text-off"' in anna.get(path)
    for mode in ("beside", "instead", "off"):
        answer = anna.post("/board-text", mode=mode, back=path)
        assert answer.headers["location"] == path
        assert f'class="board-text text-{mode}"' in anna.get(path)
        assert f'class="board-text text-{mode}"' in anna.get("/puzzles/13-days/1")
        assert f'class="board-text text-{mode}"' in anna.get(f"{path}/replay/3")
    assert anna.ask("POST", "/board-text", data={"mode": "aloud"}).status_code == 400


def test_a_table_shows_its_clocks_and_refuses_ones_that_cannot_be(anna: Visitor) -> None:
    page = anna.get(anna.begin("same", clock="live 20 10"))
    left = [float(seconds) for seconds in re.findall(r'data-clock="([\d.]+)"', page)]
    assert len(left) == 2
    assert all(seconds <= 1200 for seconds in left)
    days = re.findall(r'data-clock="([\d.]+)"', anna.get(anna.begin("computer", clock="days 3")))
    assert all(float(seconds) <= 259_200 for seconds in days)
    assert days
    assert "data-clock" not in anna.get(anna.begin("computer"))
    own = {"clock": "own", "clock.kind": "bank", "clock.bank.days": "21", "clock.bank.hours": "0"}
    for days_in_all, wish in ((10, {"clock": "bank 10 12"}), (21, own)):
        left = [float(one) for one in re.findall(r'data-clock="([\d.]+)"', anna.get(anna.begin("computer", **wish)))]
        assert left
        # Clocks run from the deal; the page may come any time later on a busy machine.
        assert all(days_in_all - 1 < seconds / DAY_SECONDS <= days_in_all for seconds in left)
    for clock in ("live 20", "live x y", "days 400", "sand", "days 1 2", "bank 10", "own"):
        answer = anna.post("/tables", game="13-days", mode="same", csrf=anna.csrf, clock=clock)
        assert answer.status_code == 422, clock


def test_who_is_invited_reads_the_terms_before_he_sits_down(anna: Visitor, boris: Visitor) -> None:
    wanted = {"clock": "bank 30 24", "undo": "none"}
    anna.begin("open", **wanted)
    link = re.search(r'value="https?://[^"]+?(/join/[^"]+)"', anna.get(anna.begin("friend", **wanted)))
    assert link
    terms = "30 days in total + 24 h per decision · No take-backs"
    assert f"Free: USSR · {terms}" in boris.get("/")
    assert terms in boris.get(link[1])


def test_at_a_table_where_nothing_is_taken_back_nobody_can(anna: Visitor, client: TestClient) -> None:
    for undo, alone in (("free", 1), ("ask", 0), ("none", 0)):
        table = anna.begin("same", undo=undo)
        anna.post(f"{table}/act", **form(anna.get(table + "?seat=0")))
        seen = live(client, table)
        assert seen.undo_count(0) == alone, undo
        if not alone:
            sent = anna.post(f"{table}/undo", side=0, version=seen.version(0), csrf=anna.csrf)
            assert sent.status_code == 422
            assert "you cannot take anything back on your own" in sent.text
    answer = anna.post("/tables", game="13-days", mode="same", csrf=anna.csrf, undo="perhaps")
    assert answer.status_code == 400


def test_taking_back_is_asked_and_answered_at_the_table(anna: Visitor, boris: Visitor, client: TestClient) -> None:
    table = invited(anna, boris)
    for visitor in (anna, boris):
        assert visitor.post(f"{table}/act", **form(visitor.get(table))).status_code == 303
    page = anna.get(table)
    keep = re.search(r'<select name="keep"><option value="(\d+)"', page)
    assert keep
    version = live(client, table).version(0)
    sent = anna.post(f"{table}/ask-back", side=0, version=version, keep=keep[1], csrf=anna.csrf)
    assert sent.status_code == 303
    assert "is waiting for an answer" in anna.get(table)
    assert "asks to go back to before" in boris.get(table)
    assert "asks to go back to before" not in Visitor(client).get(table)
    shown = re.search(r'<input type="hidden" name="keep" value="(\d+)"', boris.get(table))
    assert shown
    assert shown[1] == keep[1]
    allowed = boris.post(f"{table}/answer-back", side=1, keep=shown[1], accept="true", csrf=boris.csrf)
    assert allowed.status_code == 303
    assert live(client, table).match.pending >= {0}


END_BY = {
    "resigning": lambda services, table: services.actions.resign(table.id, table.seats[1].person_id, 1),
    "the clock": lambda services, table: services.event_log.do(table, lambda: TableRecord(TIMEOUT, 1, 0, time.time())),
}
"""Ways in which side 1 loses a game that its rules have not ended."""


@pytest.mark.parametrize("how", END_BY)
def test_no_offer_or_request_outlives_the_game(how: str, anna: Visitor, boris: Visitor, client: TestClient) -> None:
    address = invited(anna, boris)
    for visitor in (anna, boris):
        assert visitor.post(f"{address}/act", **form(visitor.get(address))).status_code == 303
    keep = re.search(r'<select name="keep"><option value="(\d+)"', boris.get(address))
    assert keep
    table = live(client, address)
    question = {"side": 1, "version": table.version(1), "keep": keep[1]}
    assert boris.post(f"{address}/ask-back", **question, csrf=boris.csrf).status_code == 303
    assert boris.post(f"{address}/offer", side=1, csrf=boris.csrf).status_code == 303
    page = anna.get(address)
    assert "offers a draw" in page
    assert "asks to go back to before" in page

    assert client.portal
    client.portal.call(END_BY[how], client.app.state.services, table)  # type: ignore[attr-defined]
    for is_read_again in (False, True):
        if is_read_again:
            client.app.state.services.tables._live.clear()  # type: ignore[attr-defined]
        for visitor in (anna, boris):
            page = visitor.get(address)
            assert 'class="offer-answer"' not in page
            assert "is waiting for an answer" not in page
        ended = live(client, address)
        assert (ended.status, ended.state.offer, ended.state.back) == (FINISHED, None, None)
    for path in ("answer", "answer-back"):
        refused = anna.post(f"{address}/{path}", side=0, keep=keep[1], accept="true", csrf=anna.csrf)
        assert refused.status_code == 422
        assert "This game is already over." in refused.text


FOR_PROGRAMS = {
    "api/table_routes.py",
    "api/match_routes.py",
    "api/people_routes.py",
    "api/seek_routes.py",
    "api/study_routes.py",
    "api/table_view.py",
    "api/terms.py",
    "support/errors.py",
}
"""Modules whose refusals only programs read, and the one that defines refusals."""


def test_what_is_refused_is_said_in_the_reader_s_language() -> None:
    """Every refusal that a person can meet has words in the catalogues; only programs read English."""
    own = page_words("en")
    web = STATIC.parent
    sources = [path for path in web.rglob("*.py") if path.relative_to(web).as_posix() not in FOR_PROGRAMS]
    for path in sources:
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("IllegalError", "ForbiddenError"):
                keys = [each.value for each in call.keywords if each.arg == "key"]
                assert keys, f"{path.name}:{call.lineno} is said in English only"
                if isinstance(keys[0], ast.Constant):
                    assert own.sentence(Message(keys[0].value))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_reaches_the_reader_in_his_words(anna: Visitor, language: str) -> None:
    anna.post("/language", language=language, csrf=anna.csrf)
    answer = anna.post("/tables", game="13-days", mode="same", csrf=anna.csrf, clock="sand")
    assert page_words(language).sentence(Message("refused.clock")) in html.unescape(answer.text)
    assert "there is no clock" not in answer.text


def test_pages_are_packed_but_not_for_another_site(anna: Visitor) -> None:
    table = anna.begin("computer")
    for asked_by, is_packed in (("same-origin", True), ("none", True), ("cross-site", False), ("same-site", False)):
        answer = anna.ask("GET", table, accept_encoding="gzip", sec_fetch_site=asked_by)
        assert (answer.headers.get("content-encoding") == "gzip") == is_packed, asked_by
        assert 'id="board"' in answer.text
