"""Watching with open hands, the commentator, comments after the game, the overlay, and the annotated record."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine.message import Message
from brinkmanship.store import comments, moderation
from brinkmanship.text import LANGUAGES
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.support import time_control
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands import ROUND, OpenView
from support.finished_games import EXAMPLE, finished, play_on, upload
from support.visitors import Visitor, invited, live

LATER = time_control.now() + 1e6


@pytest.fixture
def clara(client: TestClient) -> Visitor:
    """A spectator with a session of her own."""
    visitor = Visitor(client)
    visitor.begin("computer")
    return visitor


@pytest.fixture
def shown_table(anna: Visitor, boris: Visitor) -> LiveTable:
    """A running game that spectators see openly, all of it so far."""
    path = invited(anna, boris)
    assert anna.post(f"{path}/watch/propose", side=0, delay="minutes", sure="true", csrf=anna.csrf).status_code == 303
    agreed = boris.post(f"{path}/watch/answer", side=1, delay="minutes", accept="true", csrf=boris.csrf)
    assert agreed.status_code == 303
    table = live(anna.client, path)
    play_on(table, 1, 2)  # both choose their agenda, and the cards are dealt
    table.state.entry_times = [0.0] * table.length
    return table


def said(key: str, language: str = "en", **arguments: Any) -> str:
    return page_words(language).sentence(Message(key, arguments))


def test_the_players_agree_at_the_table(anna: Visitor, boris: Visitor, clara: Visitor) -> None:
    path = invited(anna, boris)
    watch = f"{path}/watch"
    assert clara.ask("GET", watch).status_code == 422
    assert f'action="{watch}/propose"' in anna.get(path)
    assert f'action="{watch}/propose"' not in clara.get(path)
    unsure = anna.post(f"{watch}/propose", side=0, delay="minutes", csrf=anna.csrf)
    assert said("account.refused.sure") in unsure.text
    assert (
        said("watch.refused.delay")
        in anna.post(f"{watch}/propose", side=0, delay="x", sure="true", csrf=anna.csrf).text
    )
    anna.post(f"{watch}/propose", side=0, delay="round", sure="true", csrf=anna.csrf)
    assert said("watch.asked.round") in boris.get(path)
    assert said("watch.warning") in boris.get(path)
    assert said("watch.waiting.round") in anna.get(path)
    assert clara.ask("GET", watch).status_code == 422
    assert '<input type="hidden" name="delay" value="round">' in boris.get(path)
    stale = boris.post(f"{watch}/answer", side=1, delay="minutes", accept="true", csrf=boris.csrf)
    assert stale.status_code == 409
    boris.post(f"{watch}/answer", side=1, delay="round", accept="true", csrf=boris.csrf)
    for player in (anna, boris):
        assert said("watch.delay.round") in player.get(path)
        refused = player.ask("GET", watch)
        assert refused.status_code == 403
        assert said("watch.refused.player") in refused.text
    assert said("watch.link") in clara.get(path)
    assert said("watch.delay.round") in clara.get(watch)
    boris.post(f"{watch}/withdraw", side=1, csrf=boris.csrf)
    assert clara.ask("GET", watch).status_code == 422


def test_against_a_computer_ones_own_consent_is_enough(anna: Visitor, clara: Visitor) -> None:
    path = anna.begin("computer")
    assert said("watch.propose.alone") in anna.get(path)
    anna.post(f"{path}/watch/propose", side=0, delay="round", sure="true", csrf=anna.csrf)
    assert live(anna.client, path).state.open_view == OpenView(ROUND)
    assert clara.ask("GET", f"{path}/watch").status_code == 200


def test_spectators_see_both_hands_and_choose_whose(clara: Visitor, shown_table: LiveTable) -> None:
    path = f"/t/{shown_table.id}/watch"
    page = clara.get(path)
    assert page.count('class="hand side-') > 1
    for side in range(2):
        page = clara.get(f"{path}?as={shown_table.game.sides[side]}")
        assert f'class="hand side-{side}"' in page
        assert f'class="hand side-{1 - side}"' not in page
    assert 'class="hand side-' not in clara.get(f"{path}?as=public")
    assert clara.ask("GET", f"{path}?as=china").status_code == 404
    assert clara.ask("GET", f"{path}/replay/{shown_table.length + 1}").status_code == 404
    assert clara.ask("GET", f"{path}/now").json() == {"last": shown_table.length, "notes": 0, "over": False}


def test_nothing_younger_than_the_delay_has_an_address(clara: Visitor, shown_table: LiveTable) -> None:
    shown_table.state.entry_times[9:] = [LATER] * (shown_table.length - 9)
    path = f"/t/{shown_table.id}/watch"
    assert clara.ask("GET", f"{path}/now").json()["last"] == 9
    assert clara.ask("GET", f"{path}/replay/10").status_code == 404
    assert clara.ask("GET", f"{path}/replay?n=10").status_code == 404
    assert 'max="9"' in clara.get(path)


def test_when_the_game_is_over_the_replay_shows_all(clara: Visitor, shown_table: LiveTable) -> None:
    play_on(shown_table, 3)
    for path in ("watch", "watch/replay/3"):
        answer = clara.ask("GET", f"/t/{shown_table.id}/{path}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{shown_table.id}/replay")
    assert clara.ask("GET", f"/t/{shown_table.id}/watch/now").json()["over"] is True


# ---- The commentator


def invitation(anna: Visitor, boris: Visitor, table: LiveTable) -> str:
    path = f"/t/{table.id}"
    anna.post(f"{path}/watch/commentator", side=0, invite="true", csrf=anna.csrf)
    assert "/commentator/" not in anna.get(path)
    assert said("watch.commentator.asked") in boris.get(path)
    boris.post(f"{path}/watch/commentator", side=1, invite="true", csrf=boris.csrf)
    found = re.search(rf'value="https?://[^"]+?({path}/commentator/\w+)"', anna.get(path))
    assert found
    return found[1]


def test_a_commentator_whom_both_accept_writes_for_spectators(
    anna: Visitor, boris: Visitor, clara: Visitor, shown_table: LiveTable
) -> None:
    path, watch = f"/t/{shown_table.id}", f"/t/{shown_table.id}/watch"
    link = invitation(anna, boris, shown_table)
    assert link not in clara.get(path)
    token = link.rpartition("/")[2]
    note = {"step": 5, "text": "What a *draw*", "from": "italy", "to": "turkey"}
    assert clara.post(f"{path}/comments", **note, csrf=clara.csrf).status_code == 403
    assert anna.post(f"{path}/commentator", token=token, csrf=anna.csrf).status_code == 403
    assert clara.post(f"{path}/commentator", token="0" * 32, csrf=clara.csrf).status_code == 403
    assert said("watch.commentator.accept") in clara.get(link)
    assert clara.post(f"{path}/commentator", token=token, csrf=clara.csrf).status_code == 303
    second = Visitor(anna.client)
    second.begin("computer")
    assert second.post(f"{path}/commentator", token=token, csrf=second.csrf).status_code == 403

    assert said("watch.commentator.you") in clara.get(watch)
    assert clara.post(f"{path}/comments", **note, csrf=clara.csrf).status_code == 303
    for wrong in ({"step": shown_table.length + 1}, {"from": "mars"}, {"from": "", "to": "italy"}):
        assert clara.post(f"{path}/comments", **{**note, **wrong}, csrf=clara.csrf).status_code == 422
    page = second.get(f"{watch}/replay/5")
    assert "What a *draw*" in page
    assert "Italy → Turkey" in page
    assert 'name="from"' not in page
    assert clara.ask("GET", f"{watch}/now").json()["notes"] > 0

    shown_table.state.entry_times[4:] = [LATER] * (shown_table.length - 4)
    assert "What a" not in second.get(watch)
    assert clara.ask("GET", f"{watch}/now").json()["notes"] == 0
    assert clara.post(f"{path}/comments", **note, csrf=clara.csrf).status_code == 422

    boris.post(f"{path}/watch/commentator", side=1, invite="false", csrf=boris.csrf)
    assert clara.post(f"{path}/comments", **{**note, "step": 2}, csrf=clara.csrf).status_code == 403
    assert clara.ask("GET", link).status_code == 403


# ---- Comments after the game


def test_comments_are_bound_to_moves_and_follow_the_rules_of_the_chat(client: TestClient, clara: Visitor) -> None:
    table, anna = finished(client)
    path, engine = f"/t/{table.id}", client.app.state.services.engine  # type: ignore[attr-defined]
    stranger = Visitor(client)
    assert 'action="' + path + '/comments"' not in stranger.get(f"{path}/replay/20")
    assert clara.post(f"{path}/comments", step=20, text="<b>Why</b>?", csrf=clara.csrf).status_code == 303
    assert anna.post(f"{path}/comments", step=20, text="Because", csrf=anna.csrf).status_code == 303
    page = stranger.get(f"{path}/replay/20")
    assert "&lt;b&gt;Why&lt;/b&gt;?" in page
    assert page.index("Why") < page.index("Because")
    assert "Why" not in stranger.get(f"{path}/replay/60")
    for fields, status in (({"step": 99_999, "text": "x"}, 422), ({"step": 1, "text": " "}, 422), ({"step": 1}, 422)):
        assert clara.post(f"{path}/comments", **fields, csrf=clara.csrf).status_code == status
    assert clara.post(f"{path}/comments", step=1, text="x" * 2001, csrf=clara.csrf).status_code == 400

    anna_id = str(table.seats[0].person_id)
    handles = {one.name: one.handle for one in at_table(engine, table.id, anna_id)}
    name = next(name for name, handle in handles.items() if handle.startswith("note-"))
    assert anna.post(f"{path}/block", about=handles[name], csrf=anna.csrf).status_code == 303
    assert "Why" not in anna.get(f"{path}/replay/20")
    assert "Why" in stranger.get(f"{path}/replay/20")
    with engine.begin() as connection:
        moderation.impose(connection, moderation.OPERATOR, anna_id, "mute", "Insults", "A rude word", None, 1.0)
    assert anna.post(f"{path}/comments", step=20, text="Again", csrf=anna.csrf).status_code == 403


def at_table(engine: Any, table_id: str, viewer_id: str) -> list[moderation.PersonAtTable]:
    with engine.connect() as connection:
        return moderation.people_at(connection, table_id, viewer_id)


def test_a_running_game_has_no_comments_by_its_players(anna: Visitor, boris: Visitor) -> None:
    path = invited(anna, boris)
    refused = anna.post(f"{path}/comments", step=0, text="Hello", csrf=anna.csrf)
    assert refused.status_code == 403
    assert said("comments.refused.running") in refused.text


def test_a_game_has_a_limited_number_of_comments(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comments, "MAX_COMMENTS", 1)
    table, anna = finished(client)
    statuses = [
        anna.post(f"/t/{table.id}/comments", step=3, text=text, csrf=anna.csrf).status_code for text in ("one", "two")
    ]
    assert statuses == [303, 429]


# ---- The overlay


def test_an_overlay_has_the_public_game_and_open_hands_only_with_consent(
    anna: Visitor, clara: Visitor, shown_table: LiveTable
) -> None:
    path = f"/t/{shown_table.id}/overlay"
    page = anna.get(path)
    assert not re.search(r"<(form|button|nav|a)\b", page)
    assert 'class="hand side-' not in page
    assert page == clara.get(path)  # whoever asks
    assert 'class="hand side-' in clara.get(f"{path}?as=open")
    stamp = re.findall(r'data-stamp="([^"]+)"', page)[0]
    assert clara.ask("GET", f"{path}?seen={stamp}").status_code == 204
    assert 'lang="de"' in clara.get(f"{path}?lang=de")
    assert "board-box" not in clara.get(f"{path}?board=no")
    for wrong in ("size=9", "board=maybe", "size=x"):
        assert clara.ask("GET", f"{path}?{wrong}").status_code == 400
    shown_table.state.open_view = OpenView()
    assert clara.ask("GET", f"{path}?as=open").status_code == 422
    assert clara.ask("GET", path).status_code == 200


def test_an_overlay_of_open_hands_keeps_the_delay(clara: Visitor, shown_table: LiveTable) -> None:
    path = f"/t/{shown_table.id}/overlay?as=open"
    shown_table.state.entry_times[3:] = [LATER] * (shown_table.length - 3)
    assert 'data-stamp="3-' in clara.get(path)
    play_on(shown_table, 3)
    assert clara.ask("GET", path).status_code == 200


# ---- The annotated record


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_annotated_record_is_markdown_in_every_language(client: TestClient, language: str) -> None:
    table, anna = finished(client)
    anna.post(f"/t/{table.id}/comments", step=20, text="*Why* [here](http://x)?", csrf=anna.csrf)
    answer = anna.ask("GET", f"/t/{table.id}/annotated.md?lang={language}")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert f"## {said('annotated.round', language, number=1)}" in answer.text
    assert r"> **Anna:** \*Why\* \[here\](http:\//x)?" in answer.text
    assert f"## {said('annotated.result', language)}" in answer.text


def test_there_is_no_annotated_record_of_a_running_game(anna: Visitor, boris: Visitor) -> None:
    assert anna.ask("GET", f"{invited(anna, boris)}/annotated.md").status_code == 403


def test_an_uploaded_game_has_an_annotated_record_with_its_comments(client: TestClient, anna: Visitor) -> None:
    text = anna.get(upload(client, EXAMPLE.read_bytes()) + "/annotated.md")
    assert text.startswith("# 13 Days: ")
    assert "\n  > " in text


def test_rated_games_offer_nothing(anna: Visitor, boris: Visitor) -> None:
    path = invited(anna, boris)
    live(anna.client, path).terms = Terms(rated=True)
    assert "/watch/propose" not in anna.get(path)
