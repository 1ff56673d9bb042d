"""What one reads beside the game: rules, cards, rulings, fair deals, and the guided first game."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from brinkmanship.drawing import drawing_of
from brinkmanship.drawing.pictogram import keys_of
from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.lessons import FIRST, Lesson, LessonStep, course_of, has_lesson, lesson_of
from brinkmanship.players import usual_opponent
from brinkmanship.text import LANGUAGES, agendas_of, cards_of, words_for
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.markdown import html
from brinkmanship.web.support.settings import Settings

HTML = {"accept": "text/html"}
GAME = load_game("13-days")
MINUTES = load_game("13-minutes")
COURSE = lesson_of(GAME, FIRST)
in_every_language = pytest.mark.parametrize("language", LANGUAGES)
for_every_game = pytest.mark.parametrize("game_id", BUILT_IN)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = tmp_path_factory.mktemp("library") / "table.sqlite3"
    with TestClient(create_app(Settings(database=f"sqlite:///{database}", requests_per_minute=10**6))) as client:
        yield client


def read(client: TestClient, path: str, language: str = "en", status: int = 200) -> str:
    answer = client.get(path, headers={**HTML, "cookie": f"language={language}"})
    assert answer.status_code == status, answer.text
    return answer.text


def words_of(page: str) -> str:
    """The text of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


# ---- The library


@for_every_game
@in_every_language
def test_the_library_leads_to_everything_there_is_to_read(client: TestClient, language: str, game_id: str) -> None:
    page = read(client, "/library", language)
    of_game = [f"/{shelf}/{game_id}" for shelf in ("rules", "cards", "rulings", "learn")]
    for path in (*of_game, "/verify", "/replay/upload"):
        assert f'href="{path}"' in page
        assert client.get(path, headers=HTML).status_code == 200
    assert f'lang="{language}"' in page


MISSING = [
    "/rules/chess",
    "/cards/chess",
    "/rulings/x",
    "/learn/chess",
    "/learn/13-days/first/99",
    "/learn/13-days/second",
]


@pytest.mark.parametrize("path", MISSING)
def test_what_is_not_there_is_said_to_be_missing(client: TestClient, path: str) -> None:
    assert client.get(path, headers=HTML).status_code == 404


@for_every_game
@in_every_language
def test_no_page_has_inline_script_or_style(client: TestClient, language: str, game_id: str) -> None:
    of_game = [
        f"/rules/{game_id}",
        f"/cards/{game_id}",
        f"/rulings/{game_id}",
        f"/learn/{game_id}",
        f"/learn/{game_id}/first/3",
    ]
    for path in ("/library", *of_game, "/verify"):
        page = read(client, path, language)
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page), path


# ---- Rules, cards and rulings


@pytest.mark.parametrize(("game_id", "pictures"), [("13-days", 3), ("13-minutes", 4)])
@in_every_language
def test_the_rules_have_a_table_of_contents_and_pictures_made_by_the_engine(
    client: TestClient, language: str, game_id: str, pictures: int
) -> None:
    page = read(client, f"/rules/{game_id}", language)
    assert "{" not in words_of(page)
    for anchor in re.findall(r'<li class="level-\d"><a href="#([a-z-]+)"', page):
        assert page.count(f'id="{anchor}"') == 1, anchor
    assert len(re.findall(r'<figure class="illustration (\w+)"><svg', page)) == pictures
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@for_every_game
def test_a_phone_gets_narrow_pictures(client: TestClient, game_id: str) -> None:
    pages = [
        client.get(f"/rules/{game_id}", headers={**HTML, "cookie": f"layout={layout}"}).text
        for layout in ("narrow", "wide")
    ]
    narrow, wide = (max(map(float, re.findall(r'viewBox="\S+ \S+ (\S+)', page))) for page in pages)
    assert narrow <= 360 < wide


def test_markdown_shows_markup_instead_of_obeying_it() -> None:
    assert "<script>" not in html("<script>alert(1)</script> **b**")
    assert "javascript:" not in html("[x](javascript:alert(1))").replace("[x](javascript:alert(1))", "")


def test_tables_have_row_headings_and_no_empty_headings() -> None:
    table = html("| | US |\n|---|---|\n| Cubes | 3 |\n")
    assert '<th scope="row">Cubes</th>' in table
    assert "<th></th>" not in table
    assert "<thead>" not in html("| | |\n|---|---|\n| a | b |\n")


@for_every_game
@in_every_language
def test_all_cards_are_shown_and_can_be_filtered_by_side(client: TestClient, language: str, game_id: str) -> None:
    game = load_game(game_id)
    cards = cards_of(game, words_for(game, language))
    page = read(client, f"/cards/{game_id}", language)
    assert all(f'<li id="{card.id}"' in page for card in cards)
    own, other = game.sides
    ours = read(client, f"/cards/{game_id}?side={own}", language)
    assert re.findall(rf'<li id="(\w+)" class="{own}"', ours) == [card.id for card in cards if card.side == own]
    assert f'class="{other}"' not in ours
    assert client.get(f"/cards/{game_id}?side=china", headers=HTML).status_code == 404


@in_every_language
def test_what_is_known_of_each_printed_card_is_marked(client: TestClient, language: str) -> None:
    page = words_of(read(client, "/cards/13-minutes", language))
    words = words_for(MINUTES, language)
    said = {mark: words.sentence(Message(f"status.{mark}")) for mark in ("known", "reconstructed")}
    for mark, name in said.items():
        cards = [card for card in cards_of(MINUTES, words) if mark in card.status.values()]
        assert cards
        assert page.count(f"{name}:") == len(cards)
    assert words.sentence(Message("status.about")) in page


@in_every_language
def test_what_printed_sources_tell_differently_is_marked(client: TestClient, language: str) -> None:
    words = words_for(GAME, language)
    found = read(client, "/cards/13-days", language)
    assert found.count('class="marks"') == 1
    card = re.search(r'<li id="moscow_is_our_brain".*?class="mark disputed".*?</li>', found, re.DOTALL)
    assert card
    assert words.sentence(Message("status.disputed.why")) in unescape(found)


@for_every_game
@in_every_language
def test_the_page_explains_the_marks_on_the_cards(client: TestClient, language: str, game_id: str) -> None:
    game = load_game(game_id)
    words = words_for(game, language)
    drawing = drawing_of(game)
    things = [("card", card.id) for card in cards_of(game, words)]
    things += [("agenda", agenda.id) for agenda in agendas_of(game, words)]
    marks = keys_of(line for kind, id in things for line in drawing.pictogram(game, kind, id))
    page = words_of(read(client, f"/cards/{game_id}", language))
    assert all(mark.text in page for mark in drawing.explain(game, words, marks))


@in_every_language
def test_every_ruling_has_an_anchor_and_its_options(client: TestClient, language: str) -> None:
    page = read(client, "/rulings/13-days", language)
    assert [int(n) for n in re.findall(r'id="R(\d+)"', page)] == list(range(1, 56))
    assert page.count('class="option"') == len(GAME.option_values())


# ---- Fair deals


def fair_record() -> journal.Journal:
    secret = commit_reveal.new_secret()
    match, choose = Match(GAME), dealer(3)
    commit_reveal.advance(match, secret)
    while not match.is_over:
        side = min(match.pending)
        legal = match.legal(side)
        match.push(legal[choose(len(legal))].action, side=side)
        commit_reveal.advance(match, secret)
    headers = {
        commit_reveal.COMMITMENT_HEADER: commit_reveal.commitment(secret),
        commit_reveal.SECRET_HEADER: secret.hex(),
    }
    return journal.of_match(match, headers)


def check(client: TestClient, text: str, status: int) -> str:
    answer = client.post("/verify", files={"file": ("game.brink", text)}, headers=HTML)
    assert answer.status_code == status, answer.text
    return words_of(answer.text)


def test_a_journal_with_fair_deals_is_confirmed(client: TestClient) -> None:
    record = fair_record()
    said = check(client, record.text(), 200)
    assert f"All {commit_reveal.verify(record, GAME)} deals were fair" in said
    assert record.headers[commit_reveal.SECRET_HEADER] in said


def test_a_wrong_secret_a_swapped_card_and_nonsense_are_refused(client: TestClient) -> None:
    text = fair_record().text()
    secret = re.search(r"deal-secret: (\w+)", text)
    assert secret
    assert "cannot be confirmed" in check(client, text.replace(secret[1], "00" * 32), 422)
    lines = text.split("\n")
    first, second = _two_deals(lines)
    lines[first], lines[second] = (
        lines[first].split("deal")[0] + "deal" + lines[second].split("deal")[1],
        lines[second].split("deal")[0] + "deal" + lines[first].split("deal")[1],
    )
    assert "cannot be confirmed" in check(client, "\n".join(lines), 422)
    assert "line 1" in check(client, "hello\n", 422)
    assert client.get("/verify?table=nowhere", headers=HTML).status_code == 404


def _two_deals(lines: list[str]) -> tuple[int, int]:
    """Two agendas dealt to one side that differ: swapped, the game stays as it was, only its deals do not."""
    deals = [number for number, line in enumerate(lines) if " deal " in line][:3]
    return next((a, b) for a in deals for b in deals if a < b and lines[a].split()[-1] != lines[b].split()[-1])


# ---- The guided first game


def test_every_game_here_has_a_guided_first_game() -> None:
    assert all(has_lesson(game_id) for game_id in BUILT_IN)
    assert not has_lesson("chess")


def test_every_idea_of_the_game_has_its_lesson() -> None:
    ideas = "board agenda command trigger event defcon opponent letter television alliances limits war aftermath end"
    assert [lesson.name for lesson in COURSE.steps] == ideas.split()


def test_the_guided_game_is_played_by_the_rules_and_won() -> None:
    outcome = COURSE.seen.outcome()
    assert outcome is not None
    assert outcome.winner == COURSE.side


@for_every_game
@in_every_language
def test_a_learner_can_go_through_the_guided_game_to_its_end(client: TestClient, language: str, game_id: str) -> None:
    walk(client, game_id, FIRST, language)


@for_every_game
def test_a_learner_can_go_through_each_short_lesson_to_its_end(client: TestClient, game_id: str) -> None:
    for number, lesson_id in enumerate(course_of(game_id)[1:]):
        walk(client, game_id, lesson_id, LANGUAGES[number % len(LANGUAGES)])


def walk(client: TestClient, game_id: str, lesson_id: str, language: str) -> None:
    """Give every answer of a lesson with its control, and see what comes of it."""
    lesson = lesson_of(load_game(game_id), lesson_id)
    steps = lesson.steps
    for number, step in enumerate(steps, 1):
        address = f"/learn/{game_id}/{lesson_id}/{number}"
        page = read(client, address, language)
        assert 'class="brink board' in page
        onwards = f'class="button primary" href="/learn/{game_id}/{lesson_id}/{number + 1}"'
        assert (onwards in page) == (not step.answers and number < len(steps))
        for answer, query in zip(step.answers, answers_on(page, lesson, step), strict=True):
            action = lesson.seen.game.parse_action(answer.text, lesson.side)
            assert client.get(f"{address}/preview?action={action}").status_code == 200
            told = read(client, f"{address}?{query}", language)
            verdict = "verdict good" if answer.is_right else 'class="verdict"'
            assert verdict in told, (lesson_id, step.name, answer.text)
            assert (onwards in told) == (answer.is_right and number < len(steps))
            assert ('id="choices"' in told) == (not answer.is_right)


def answers_on(page: str, lesson: Lesson, step: LessonStep) -> Iterator[str]:
    """Yield what the form of a step sends for each answer: an action, or the answers of several questions."""
    game = lesson.seen.game
    for answer in step.answers:
        action = game.parse_action(answer.text, lesson.side)
        parts = [part.id for _, part in game.action_parts(action).steps]
        if parts:
            assert all(f'name="step-{at}" value="{id}"' in page for at, id in enumerate(parts, 1))
            yield "&".join(f"step-{at}={id}" for at, id in enumerate(parts, 1)) + "&go=1"
        else:
            assert f'<button name="action" value="{action}"' in page, answer.text
            yield f"action={action}"


def test_from_the_head_of_a_lesson_one_skips_to_its_question_and_then_to_the_first_answer(client: TestClient) -> None:
    """Few presses of Tab: the board, the steps and the pages of the game do not lie between, only names in the text."""
    for game_id in BUILT_IN:
        for lesson_id in course_of(game_id):
            number = next(n for n, step in enumerate(lesson_of(load_game(game_id), lesson_id).steps, 1) if step.answers)
            page = read(client, f"/learn/{game_id}/{lesson_id}/{number}")
            assert page.index('href="#lesson"') < page.index("<header")
            between = page[page.index('id="lesson" tabindex="-1"') : page.index('id="dock"')]
            closed = re.sub(r"<details.*?</details>", "<summary", between, flags=re.DOTALL)
            closed = re.sub(r"<a [^>]*data-names[^>]*>", "", closed)
            assert re.findall(r"<(?:a|button|input|select|summary)\b|tabindex=.0", closed) in ([], ["<summary"])


def test_what_a_payment_can_hope_for_is_told_after_the_answer(client: TestClient) -> None:
    address = "/learn/ukrainian-crisis/payment/3"
    asked, told = read(client, address), read(client, f"{address}?answer=rp+3")
    assert 'aria-label="6 RP">6 RP</button>' in asked
    assert "RP: " not in asked
    assert re.search("3 RP: [^<]+</p>", told)
    assert "6 RP: " not in told


def test_lessons_that_are_done_are_ticked_off_and_the_next_one_is_proposed(client: TestClient) -> None:
    client.cookies.clear()
    first, second, third = course_of("13-days")[:3]
    assert f'href="/learn/13-days/{first}">Next' in read(client, "/learn/13-days").replace(
        ' class="button primary"', ""
    )
    for lesson_id in (first, second):
        steps = lesson_of(GAME, lesson_id).steps
        last = f"/learn/13-days/{lesson_id}/{len(steps)}"
        if steps[-1].answers:
            wrong, right = (
                next(one for one in steps[-1].answers if one.is_right is wanted) for wanted in (False, True)
            )
            client.get(f"{last}?answer={quote(wrong.text)}", headers=HTML)
            assert lesson_id not in client.cookies["lessons"]
            last += f"?answer={quote(right.text)}"
        client.get(last, headers=HTML)
    assert client.cookies["lessons"].strip('"') == f"13-days:{first}.{second}"
    page = client.get("/learn/13-days", headers=HTML).text
    assert page.count("done-with") == 2
    assert f'class="button primary" href="/learn/13-days/{third}"' in page
    assert 'class="first-game"' not in page
    client.cookies["lessons"] = f"13-days:{'.'.join(course_of('13-days'))}"
    assert 'class="first-game"' in client.get("/learn/13-days", headers=HTML).text
    client.cookies["lessons"] = "chess:x|13-days:nonsense|../..:first"
    assert "done-with" not in client.get("/learn/13-days", headers=HTML).text
    client.cookies.clear()


def test_a_lesson_takes_no_answer_that_it_does_not_offer(client: TestClient) -> None:
    address, action = "/learn/13-days/first/3", GAME.parse_action("place 1 berlin", 0)
    for path in (f"{address}?action={action}", f"{address}/preview?action={action}"):
        assert client.get(path, headers=HTML).status_code == 422


@for_every_game
def test_a_course_ends_with_three_lines_and_a_first_game_at_the_level_for_it(client: TestClient, game_id: str) -> None:
    client.cookies.clear()
    steps = lesson_of(load_game(game_id), FIRST).steps
    page = read(client, f"/learn/{game_id}/first/{len(steps)}")
    form = page[page.index('class="first-game"') : page.index("</form>", page.index('class="first-game"'))]
    assert form.count("<li>") == 3
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)) | {"mode": "computer"}
    assert sent["player"] == usual_opponent(load_game(game_id))
    begun = client.post("/tables", data=sent | {"name": "Ada"}, headers=HTML, follow_redirects=False)
    assert begun.headers["location"].startswith("/t/")
    assert 'class="first-game"' not in read(client, f"/learn/{game_id}/first/{len(steps) - 1}")
    client.cookies.clear()


def test_a_lesson_is_played_on_from_as_its_side_and_the_table_leads_back(client: TestClient) -> None:
    address = "/learn/13-days/flags/2"
    begun = client.post(f"{address}/play-on", data={"name": "Ada"}, headers=HTML, follow_redirects=False)
    assert begun.status_code == 303
    table = client.get(begun.headers["location"], headers=HTML).text
    place = lesson_of(GAME, "flags").steps[1].place
    assert f'href="{address}/replay/{place}"' in table
    back = client.get(f"{address}/replay/{place}", headers=HTML, follow_redirects=False)
    assert back.headers["location"] == address
    client.cookies.clear()


def test_what_the_lessons_say_of_the_position_is_true() -> None:
    places = {lesson.name: COURSE.seen.view(lesson.place) for lesson in COURSE.steps}

    def of(name: str) -> dict:  # type: ignore[type-arg]
        return GAME.public_state(GAME.view_of(places[name], OBSERVER))

    assert of("command")["defcon"]["us"]["political"] == 3
    assert of("defcon")["defcon"]["ussr"]["military"] == 4
    assert of("letter")["letter"] == "us"
    assert (of("letter")["influence"]["us"]["united_nations"], of("letter")["influence"]["ussr"]["united_nations"]) == (
        2,
        3,
    )
    for place in ("television", "united_nations", "alliances"):
        shown = of("television")["influence"]
        assert shown["us"][place] > shown["ussr"][place]
    assert [of("television")["defcon"]["us"][track] for track in ("political", "world_opinion")] == [3, 3]
    limits = of("limits")["influence"]
    assert (limits["us"]["united_nations"], limits["ussr"]["united_nations"]) == (4, 5)
    assert sum(limits["us"].values()) == 16
    assert all(4 <= step <= 6 for step in of("war")["defcon"]["us"].values())
    assert of("end")["prestige"] > 0


def test_cards_without_a_side_have_a_place_on_the_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [card._replace(side="", side_name="") for card in cards_of(GAME, words_for(GAME, "en"))]
    monkeypatch.setattr(sys.modules["brinkmanship.web.pages.library.library"], "cards_of", lambda *_: cards)
    _forget_cards()
    try:
        page = read(client, "/cards/13-days")
        assert page.count('id="quarantine"') == 1
        assert 'href="/cards/13-days?side="' not in page
    finally:
        monkeypatch.undo()
        _forget_cards()


def _forget_cards() -> None:
    sys.modules["brinkmanship.web.pages.library.library"]._cards.cache_clear()


# ---- What is behind the cards


@in_every_language
def test_cards_and_agendas_tell_what_is_behind_them_until_a_reader_turns_it_off(
    client: TestClient, language: str
) -> None:
    words = words_for(GAME, language)
    told = [record.history for record in (*cards_of(GAME, words), *agendas_of(GAME, words))]
    page = unescape(read(client, "/cards/13-days", language))
    assert all(history in page for history in told)  # below the card, or on it and so in its name
    try:
        answer = client.post("/cards/history", data={"shown": "off", "back": "/cards/13-days?side=us"}, headers=HTML)
        assert answer.url.query == b"side=us"
        page = client.get("/cards/13-days", headers={**HTML, "accept-language": language}).text
        assert 'class="history"' not in page
        assert 'value="on"' in page
        answer = client.post("/cards/history", data={"shown": "on", "back": "/cards/13-days"}, headers=HTML)
        assert answer.text.count('class="history"') == len(told)
    finally:
        client.cookies.delete("history")


def test_a_choice_about_history_that_there_is_not_is_refused(client: TestClient) -> None:
    assert client.post("/cards/history", data={"shown": "perhaps"}, headers=HTML).status_code == 400


@for_every_game
@in_every_language
def test_the_crisis_is_told_day_by_day_and_leads_to_the_cards(client: TestClient, language: str, game_id: str) -> None:
    game = load_game(game_id)
    words = words_for(game, language)
    dated = [record for record in (*cards_of(game, words), *agendas_of(game, words)) if record.day]
    cards, page = (read(client, path, language) for path in (f"/cards/{game_id}", f"/cards/{game_id}/days"))
    assert f'href="/cards/{game_id}/days"' in cards
    anchors = re.findall(rf'href="/cards/{game_id}#([\w-]+)"', page)
    assert all(f'<li id="{anchor}"' in cards for anchor in anchors)
    days = {card.id: card.day for card in cards_of(game, words)}
    days |= {f"agenda-{agenda.id}": agenda.day for agenda in agendas_of(game, words)}
    told = [days[anchor] for anchor in anchors]
    assert len(told) == len(dated)
    assert told == sorted(told)
    assert all(record.history in words_of(page) for record in dated)
