"""Replay, the page of a finished game, journals from elsewhere: what is shown to whom, and how one steps through it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from markupsafe import escape
from starlette.testclient import TestClient

from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.text import LANGUAGES, Words, words_for
from brinkmanship.text.score import score_text
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.pages.shared.results import result_for
from brinkmanship.web.presentation.replay import Replay, ReplaySource
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACTION
from brinkmanship.web.tables.seating import TableSettings
from support.finished_games import EXAMPLE, HTML, play_on, two, upload

replay = import_module("brinkmanship.web.pages.study.replay")  # the package gives its router by that name

GAME = load_game("13-days")
FEW = 12
"""Actions after which the first round is surely not over, however they fall."""


def get(client: TestClient, path: str, headers: dict[str, str] | None = None, status: int = 200) -> str:
    client.cookies.clear()
    answer = client.get(path, headers={**HTML, "cookie": "language=en"} if headers is None else headers)
    assert answer.status_code == status, answer.text
    return answer.text


def example_replay() -> Replay:
    match = journal.play(journal.read(EXAMPLE), GAME)
    return Replay(
        ReplaySource(GAME, partial(Perspective, match), ("", ""), "/t/x"), FULL_INFORMATION, words_for(GAME, "en")
    )


# ---- Steps


def test_the_steps_are_those_of_the_game_and_a_deal_is_one() -> None:
    replayed = example_replay()
    assert replayed.length == len(replayed.entries)
    assert (replayed.stops[0], replayed.stops[-1]) == (0, replayed.length)
    deal = [number for number, entry in enumerate(replayed.entries, 1) if entry.text.startswith("draw ")][:10]
    assert [replayed.stop(number) for number in deal[:-1]] == [deal[-1]] * 9
    step, seen = 0, [0]
    while (after := replayed.after(step)) is not None:
        assert replayed.before(after) == step
        step = after
        seen.append(step)
    assert seen == replayed.stops
    assert [line.number for step in replayed.stops for line in replayed.lines_of(step)] == [
        line.number for line in replayed.lines
    ]


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_step_of_a_finished_game_has_a_page_from_every_side(client: TestClient, game_id: str) -> None:
    table, _ = two(client, game_id)
    play_on(table, 5)
    last = len(table.match.entries)
    for viewer in ("open", *table.game.sides, "public"):
        for step in range(0, last + 1, 7):
            page = get(client, f"/t/{table.id}/replay/{step}?as={viewer}")
            assert 'class="brink board' in page
    assert get(client, f"/t/{table.id}/replay/{last + 1}", status=404)
    assert get(client, f"/t/{table.id}/replay/0?as=china", status=404)
    assert get(client, "/t/nowhere/replay", status=404)


def hands(page: str) -> list[int]:
    """The side of each hand that a page shows."""
    return [int(side) for side in re.findall(r'class="hand side-(\d)"', page)]


def test_open_hands_show_both_and_one_side_only_its_own(client: TestClient) -> None:
    table, _ = two(client)
    play_on(table, 5)
    step = next(n for n, e in enumerate(table.match.entries) if e.text.split()[0] == "first")
    assert hands(get(client, f"/t/{table.id}/replay/{step}?as=open")) == [0, 0, 1, 1]
    assert set(hands(get(client, f"/t/{table.id}/replay/{step}?as=ussr"))) == {1}
    assert hands(get(client, f"/t/{table.id}/replay/{step}?as=public")) == []


def test_a_step_alone_is_a_fragment_of_the_page(client: TestClient) -> None:
    table, _ = two(client)
    play_on(table, 5)
    headers = {**HTML, "x-fragment": "1", "cookie": "language=en"}
    fragment = get(client, f"/t/{table.id}/replay/40?as=us", headers)
    assert fragment.startswith('<div id="step"')
    assert fragment.strip() in get(client, f"/t/{table.id}/replay/40?as=us")


# ---- A running game


def test_in_a_running_game_a_player_sees_his_side_and_others_what_is_public(client: TestClient) -> None:
    table, (anna, boris) = two(client)
    play_on(table, 6, 10)  # in round 1, with cards in both hands whatever was dealt
    for headers, sides in ((anna, {0}), (boris, {1}), (None, set[int]())):
        page = get(client, f"/t/{table.id}/replay", headers)
        assert set(hands(page)) == sides
        get(client, f"/t/{table.id}/replay?as=open", headers, 403)
    get(client, f"/t/{table.id}/replay?as=ussr", anna, 403)
    get(client, f"/t/{table.id}/replay?as=public", anna)


def test_on_a_shared_screen_no_hand_is_shown_while_the_game_goes_on(client: TestClient) -> None:
    app: Any = client.app
    anna, token = app.state.services.users.add_guest("Anna", "en")
    assert client.portal is not None
    table, _ = client.portal.call(
        app.state.services.seating.create, TableSettings("13-days", ["me", "me"]), anna.id, "Anna"
    )
    play_on(table, 6, FEW)
    headers = {**HTML, "cookie": f"session={token}; language=en"}
    page = get(client, f"/t/{table.id}/replay", headers)
    assert hands(page) == []
    assert page.count("Anna</span>") == page.count("same screen</span>") == 1
    get(client, f"/t/{table.id}/replay?as=us", headers, 403)


def test_a_secret_choice_that_waits_is_no_step_for_the_other(client: TestClient) -> None:
    table, (anna, boris) = two(client)
    before = get(client, f"/t/{table.id}/replay", boris)
    table.apply_record(TableRecord(ACTION, 0, table.match.legal(0)[0].action, 0.0))
    assert get(client, f"/t/{table.id}/replay", boris) == before
    assert f"/replay/{len(table.match.entries)}" in get(client, f"/t/{table.id}/replay", anna)
    get(client, f"/t/{table.id}/replay/{len(table.match.entries)}", boris, 404)


def test_after_an_undo_the_replay_is_that_of_the_new_line(client: TestClient) -> None:
    table, people = two(client)
    play_on(table, 6, FEW)
    while not table.match.undo_count(table.to_move[0]):
        play_on(table, 1, 1)
    side = table.to_move[0]
    first = get(client, f"/t/{table.id}/replay", people[side])
    undone = len(table.match.entries)
    table.apply_record(TableRecord("undo", side, 1, 0.0))
    assert f'data-n="{undone}"' in first
    assert f'data-n="{undone - 1}"' in get(client, f"/t/{table.id}/replay", people[side])


# ---- The page of a game, its journal, its picture


def check_score(page: str, table: LiveTable, language: str) -> None:
    """The page has the tables of the score, each with its sums."""
    words = words_for(table.game, language)
    (section,) = re.findall(r'<section class="sheet score".*?</section>', page, re.DOTALL)
    tables = score_text(table.game, table.game.narrator.score(list(table.seen_by(FULL_INFORMATION).seen())), words)
    assert section.count("</table>") == len(tables) > 0
    for each in tables:
        assert "".join(f"<td><b>{points}</b></td>" for points in each.totals) in section
        assert section.count('<th scope="row">') == 1 + len(each.parts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_finished_game(client: TestClient, language: str) -> None:
    table, _ = two(client)
    play_on(table, 5)
    page = get(client, f"/t/{table.id}/finished", {**HTML, "cookie": f"language={language}"})
    assert 'class="brink course"' in page
    check_score(page, table, language)
    ended = get(client, f"/t/{table.id}", {**HTML, "cookie": f"language={language}"})
    check_score(ended, table, language)
    assert f'<p class="why">{escape(result_for(table, (), language).why)}</p>' in ended
    assert page.count('<dl class="agendas">') == int(table.match.state.round_number)
    assert page.count('class="card-name"') > 20  # the cards played
    assert "Anna" in page
    assert f'href="/verify?table={table.id}"' in page
    assert f"/t/{table.id}/picture.png" in re.findall(r'property="og:image" content="([^"]+)"', page)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_rounds_is_told_as_one(client: TestClient, language: str) -> None:
    table, _ = two(client, "13-minutes")
    play_on(table, 5)
    page = get(client, f"/t/{table.id}/finished", {**HTML, "cookie": f"language={language}"})
    assert 'class="brink course"' in page
    assert 'class="agendas"' not in page
    assert Words(language, ("library",)).sentence(Message("finished.scoring")) in page


def test_a_running_game_has_no_such_page(client: TestClient) -> None:
    table, _ = two(client)
    answer = client.get(f"/t/{table.id}/finished", headers=HTML, follow_redirects=False)
    assert answer.headers["location"] == f"/t/{table.id}"


def test_the_journal_is_a_file_and_whole_when_the_game_is_over(client: TestClient) -> None:
    table, (anna, _) = two(client)
    play_on(table, 6, FEW)
    filtered = journal.parse(get(client, f"/t/{table.id}/journal", anna))
    assert filtered.headers["known-to"] == "us"
    assert any(entry.is_hidden for entry in filtered.entries)
    play_on(table, 7)
    answer = client.get(f"/t/{table.id}/journal")
    assert answer.headers["content-disposition"] == f'attachment; filename="13-days-{table.id}.brink"'
    assert journal.play(journal.parse(answer.text), GAME).outcome() == table.match.outcome()
    assert "follows from the secret" in get(client, f"/verify?table={table.id}")


def test_the_picture_shows_what_is_public(client: TestClient) -> None:
    table, (anna, _) = two(client)
    play_on(table, 6, FEW)
    answer = client.get(f"/t/{table.id}/picture.svg", headers=anna)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "unsafe-inline" in answer.headers["content-security-policy"]
    assert answer.text == get(client, f"/t/{table.id}/picture.svg")
    preview = f"/t/{table.id}/picture.png"
    assert client.get(preview, headers=anna).content == client.get(preview).content


def test_deals_of_a_running_game_cannot_be_checked_yet(client: TestClient) -> None:
    table, _ = two(client)
    said = get(client, f"/verify?table=http://testserver/t/{table.id}", status=422)
    assert "still in progress" in said
    assert table.secret.hex() not in said


# ---- Journals from elsewhere


def test_a_journal_can_be_uploaded_and_looked_at(client: TestClient) -> None:
    address = upload(client, EXAMPLE.read_bytes())
    assert 'class="brink course"' in get(client, address)
    assert "every marker up one" in get(client, f"{address}/replay/1")
    assert set(hands(get(client, f"{address}/replay/60?as=us"))) == {0}
    assert get(client, f"{address}/picture.svg").startswith("<svg")
    assert get(client, f"{address}/card/scramble").startswith("<svg")
    get(client, f"{address}/card/nothing", status=404)
    get(client, f"{address}/replay/9999", status=404)
    get(client, "/u/0000000000000000", status=404)


def test_only_so_many_journals_are_remembered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_UPLOADS", 3)
    first, *others = [upload(client, EXAMPLE.read_bytes()) for _ in range(4)]
    client.app.state.services.uploads.clear()  # type: ignore[attr-defined]
    get(client, first, status=404)
    for other in others:
        get(client, other)


def test_an_uploaded_journal_outlives_the_process_that_took_it(client: TestClient) -> None:
    address = upload(client, EXAMPLE.read_bytes())
    shown = get(client, f"{address}/replay/60?as=us")
    client.app.state.services.uploads.clear()  # type: ignore[attr-defined]
    assert get(client, f"{address}/replay/60?as=us") == shown


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda _: "hello\n", "line 1"),
        (lambda text: text.replace("chance deal turkey", "chance deal europe"), "europe"),
        (lambda text: text.replace("game: 13-days", "game: chess"), "chess"),
        (lambda text: text.replace("result: ussr", "result: us"), "by its entries the result is"),
        (lambda text: text.replace("rules: 1", "rules: 99"), "version 99"),
        (lambda text: text + "<script>alert(1)</script>", "there is something after"),
        (lambda text: text.encode() + b"\xff", "UTF-8"),
        (lambda _: "", "is empty"),
    ],
)
def test_a_broken_journal_is_refused_with_line_and_reason(
    client: TestClient, change: Callable[[str], str | bytes], said: str
) -> None:
    page = upload(client, change(EXAMPLE.read_text("utf-8")), 422)
    assert said in page
    assert "<script>alert" not in page


def test_a_journal_that_is_too_large_is_refused(client: TestClient) -> None:
    answer = client.post("/replay/upload", files={"file": ("x.brink", b"x" * 1_000_001)}, headers=HTML)
    assert answer.status_code in (413, 422)


# ---- In a browser


def step_of(page: Any) -> int:
    return int(page.get_attribute("#step", "data-n"))


def test_a_replay_is_stepped_through_by_keys_buttons_and_slider(visit: Callable[..., Any]) -> None:
    page = visit("/replay/upload")
    page.set_input_files("input[type=file]", str(EXAMPLE))
    page.click("main button.primary")
    page.click("main a[href*='/replay']")
    page.wait_for_load_state("load")  # scripts that listen to keys have run
    assert step_of(page) == 0
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#step[data-n='1']")
    page.keyboard.press("End")
    last = int(page.get_attribute("#replay-view", "data-last"))
    page.wait_for_selector(f"#step[data-n='{last}']")
    page.click("#to-before")
    page.wait_for_selector(f"#step:not([data-n='{last}'])")
    middle = next(stop for stop in example_replay().stops if stop > last // 2)
    page.locator("#slider").fill(str(middle))
    page.wait_for_selector(f"#step[data-n='{middle}']")
    page.wait_for_url(f"**/replay/{middle}?as=open")
    assert page.locator("#score-lines li.at").count() >= 1
    page.click("#score-lines a.step-link >> nth=20")
    page.wait_for_selector(f"#step:not([data-n='{middle}'])")
    page.go_back()
    page.wait_for_selector(f"#step[data-n='{middle}']")
    page.click("a[data-as]:has-text('USSR')")
    page.wait_for_url("**as=ussr**")
    page.wait_for_selector(f"#step[data-n='{middle}']")


def test_a_replay_plays_by_itself_until_something_is_pressed_or_it_ends(visit: Callable[..., Any]) -> None:
    page = visit("/replay/upload")
    page.set_input_files("input[type=file]", str(EXAMPLE))
    page.click("main button.primary")
    page.click("main a[href*='/replay']")
    page.wait_for_load_state("load")
    page.select_option("#speed", "fast")
    for stops_it in (
        lambda: page.click("#board"),
        lambda: page.keyboard.press("ArrowLeft"),
        lambda: page.click("#play"),
        lambda: page.evaluate(HIDDEN),
    ):
        begun_at = step_of(page)
        page.click("#play")
        page.wait_for_function("(n) => Number(document.getElementById('step').dataset.n) > n + 1", arg=begun_at)
        assert page.locator("#play").inner_text() == "Pause"
        stops_it()
        assert page.locator("#play").inner_text() == "Play"
    page.reload()
    assert page.input_value("#speed") == "fast"  # it is remembered
    last = example_replay().length
    page.goto(re.sub(r"/replay/\d+", f"/replay/{example_replay().before(last)}", page.url))
    page.locator("#board").press(" ")
    page.wait_for_selector(f"#step[data-n='{last}']")
    page.wait_for_selector("#play:not(.on)")
    page.keyboard.press(" ")  # from the end it plays again
    page.wait_for_selector(f"#step:not([data-n='{last}'])")


HIDDEN = """() => {
  Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  delete document.hidden;
}"""


def test_a_phone_and_a_reader_without_scripts_can_step_too(visit: Callable[..., Any]) -> None:
    page = visit("/replay/upload", viewport={"width": 360, "height": 740}, java_script_enabled=False)
    page.set_input_files("input[type=file]", str(EXAMPLE))
    page.click("main button.primary")
    page.click("main a[href*='/replay']")
    page.click("#to-after")
    page.wait_for_selector("#step[data-n='1']")
    assert page.locator("#board").bounding_box()["width"] > 320
    learner = visit("/learn/13-days/first/3", viewport={"width": 360, "height": 740})
    learner.wait_for_selector(".board.narrow")
    assert learner.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_learner_is_told_what_was_wrong_and_goes_on(visit: Callable[..., Any]) -> None:
    page = visit("/learn/13-days/first/1", locale="de")
    page.click("a.button.primary")
    page.wait_for_load_state("load")
    page.click("#choices button[data-agenda=atlantic]")
    page.click("#do")
    page.wait_for_selector(".verdict:not(.good)")
    page.click("#choices button[data-agenda=italy]")
    page.click("#do")
    page.wait_for_selector(".verdict.good")
    page.click("a.button.primary")
    page.wait_for_url("**/learn/13-days/first/3")
