"""Sharing a finished game: animated replays, and a step in a frame of another site."""

from __future__ import annotations

import html
import re
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from brinkmanship.store import schema
from brinkmanship.text import LANGUAGES
from brinkmanship.web.jobs import animation_job, background
from brinkmanship.web.jobs.process_pool import ANIMATION, JobFailedError
from brinkmanship.web.pages.study import sharing
from brinkmanship.web.server.request_guard import SECURITY_HEADERS
from brinkmanship.web.studies import animations
from brinkmanship.web.support.client_limits import ClientCounter
from support.finished_games import EXAMPLE, finished, play_on, two, upload
from support.patience import wait_until
from support.visitors import Visitor, live

FILE = b"RIFF....WEBP"


class Drawn:
    """Takes requests for animations in place of the process beside the server."""

    def __init__(self) -> None:
        self.questions: list[Any] = []
        self.answer: Future[bytes] = Future()

    def submit(self, kind: str, question: Callable[[], bytes], _: Callable[[bytes], None]) -> Future[bytes]:
        assert kind == ANIMATION
        self.questions.append(msgspec.msgpack.decode(zlib.decompress(question())))
        return self.answer


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drawn]:
    here = Drawn()
    monkeypatch.setattr(background, "background_pool", lambda: here)
    yield here
    if not here.answer.done():
        here.answer.set_result(FILE)


@pytest.fixture
def game(client: TestClient) -> str:
    return upload(client, EXAMPLE.read_bytes())


def count(client: TestClient) -> int:
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    with engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(schema.animations)).scalar_one())


def fields_of(page: str) -> dict[str, str]:
    """Return the fields of the form that has an animation drawn."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page))


def draw(visitor: Visitor, path: str) -> None:
    """Have the animation of an address drawn, as the button of its page does."""
    none = visitor.ask("GET", path)
    assert none.status_code == 404
    assert visitor.post(f"{path.rpartition('/')[0]}/animation", **fields_of(none.text)).status_code == 303
    assert visitor.ask("GET", path).status_code == 202


# ---- Animated replays


def test_a_form_has_it_drawn_and_its_address_gives_the_file(anna: Visitor, game: str, drawn: Drawn) -> None:
    path = f"{game}/replay.webp?from=3&to=9&side=ussr&lang=de"
    none = anna.ask("GET", path)
    assert none.status_code == 404
    assert "has not been drawn" in none.text
    assert drawn.questions == []
    begun = anna.post(f"{game}/animation", **fields_of(none.text))
    assert (begun.status_code, begun.headers["location"]) == (303, path)
    waiting = anna.ask("GET", path)
    assert waiting.status_code == 202
    assert waiting.headers["retry-after"]
    assert 'data-stage="at_work"' in waiting.text
    under_way = html.unescape(re.findall(r'data-under-way="([^"]+)"', waiting.text)[0])
    assert 'data-stage="at_work"' in anna.get(under_way)
    anna.ask("GET", path)
    wait_until(lambda: drawn.questions)
    (_, _, _, span) = drawn.questions[0]
    assert span[:5] == [1, 3, 9, "de", "webp"]
    assert "USA" in span[5]
    drawn.answer.set_result(FILE)
    wait_until(lambda: anna.ask("GET", path).status_code == 200)
    file = anna.ask("GET", path)
    assert (file.content, file.headers["content-type"]) == (FILE, "image/webp")
    assert 'data-stage="done"' in anna.get(under_way)
    assert len(drawn.questions) == 1


def test_what_the_address_leaves_out_is_the_whole_game_with_all_cards_open(
    anna: Visitor, game: str, drawn: Drawn
) -> None:
    draw(anna, f"{game}/replay.png")
    wait_until(lambda: drawn.questions)
    span = drawn.questions[0][3]
    assert span[1:5] == [0, 162, "en", "png"]
    assert anna.ask("GET", f"{game}/replay.png?from=0&to=162&side=open&lang=en").status_code == 202
    assert len(drawn.questions) == 1


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("from=9&to=3", "has no such steps"),
        ("to=163", "has no such steps"),
        ("side=china", "no such view"),
        ("from=x", ""),
        ("lang=fr", ""),
    ],
    ids=["backwards", "after_the_end", "side", "number", "language"],
)
def test_wrong_requests_are_refused_and_draw_nothing(
    anna: Visitor, client: TestClient, game: str, drawn: Drawn, query: str, said: str
) -> None:
    answer = anna.ask("GET", f"{game}/replay.webp?{query}")
    assert answer.status_code in (400, 409, 422)
    assert said in answer.text
    assert anna.ask("GET", f"{game}/replay.gif").status_code >= 400
    assert count(client) == 0
    assert drawn.questions == []


def test_a_failure_is_told_and_can_be_tried_again(anna: Visitor, game: str, drawn: Drawn) -> None:
    draw(anna, f"{game}/replay.webp")
    drawn.answer.set_exception(JobFailedError("no picture"))
    wait_until(lambda: anna.ask("GET", f"{game}/replay.webp").status_code == 503)
    failed = anna.ask("GET", f"{game}/replay.webp")
    assert "could not be drawn" in failed.text
    drawn.answer = Future()
    again = anna.post(f"{game}/animation", **fields_of(failed.text))
    assert (again.status_code, again.headers["location"]) == (303, f"{game}/replay.webp?lang=en")
    assert anna.ask("GET", f"{game}/replay.webp").status_code == 202
    drawn.answer.set_result(FILE)
    wait_until(lambda: anna.ask("GET", f"{game}/replay.webp").status_code == 200)


@pytest.mark.usefixtures("drawn")
def test_running_and_sealed_games_are_neither_drawn_nor_embedded(client: TestClient, anna: Visitor) -> None:
    table, _ = two(client)
    play_on(table, 5, 12)
    paths = [f"/t/{table.id}/{what}" for what in ("replay.webp", "animation/progress?format=webp", "embed")]
    for path in paths:
        answer = anna.ask("GET", path)
        assert answer.status_code == 403
        assert "Only finished games" in answer.text
    assert anna.post(f"/t/{table.id}/animation", format="webp").status_code == 403
    play_on(table, 5)
    table.sealed = True
    for path in paths:
        assert anna.ask("GET", path).status_code == 403
    assert count(client) == 0
    table.sealed = False
    assert anna.ask("GET", paths[2]).status_code == 200


def test_a_player_sees_their_own_finished_game_as_a_stranger_does(client: TestClient, drawn: Drawn) -> None:
    table, anna = finished(client)
    draw(anna, f"/t/{table.id}/replay.webp")
    wait_until(lambda: drawn.questions)
    assert Visitor(client).ask("GET", f"/t/{table.id}/replay.webp").status_code == 202
    assert len(drawn.questions) == 1
    assert "Anna" in drawn.questions[0][3][5]


@pytest.mark.usefixtures("drawn")
def test_the_server_may_draw_none(anna: Visitor, client: TestClient, game: str) -> None:
    assert f'action="{game}/animation"' in anna.get(f"{game}/replay")
    client.app.state.services.animations.kept = 0  # type: ignore[attr-defined]
    answer = anna.ask("GET", f"{game}/replay.webp")
    assert answer.status_code == 404
    assert "does not make animations" in answer.text
    assert f'action="{game}/animation"' not in anna.get(f"{game}/replay")


@pytest.mark.usefixtures("drawn")
def test_an_address_may_not_ask_for_many_at_once(anna: Visitor, game: str, client: TestClient) -> None:
    client.app.state.services.animations._clients = ClientCounter(2, 0)  # type: ignore[attr-defined]
    statuses = [anna.post(f"{game}/animation", format="webp", to=last).status_code for last in (5, 6, 7)]
    assert statuses == [303, 303, 429]


@pytest.mark.usefixtures("drawn")
def test_old_ones_and_those_beyond_the_limit_are_removed(anna: Visitor, client: TestClient, game: str) -> None:
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    for last in (5, 6, 7):
        draw(anna, f"{game}/replay.webp?to={last}")
    with engine.begin() as connection:
        for at, about in enumerate(connection.execute(select(schema.animations.c.about)).scalars().all()):
            connection.execute(
                update(schema.animations).where(schema.animations.c.about == about).values(begun_at=float(at))
            )
    animations.remove_old(engine, 0.5, 5)
    assert count(client) == 2
    animations.remove_old(engine, 0.0, 1)
    assert count(client) == 1


def test_the_job_draws_the_span_of_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    span = animation_job.AnimationSpan(0, 60, 63, "pl", "webp", "13 Days", "")
    question = zlib.compress(msgspec.msgpack.encode((EXAMPLE.read_text("utf-8"), "", None, span)))
    told: list[bytes] = []
    assert animation_job.run(question, told.append)[8:12] == b"WEBP"
    assert told
    monkeypatch.setattr(animation_job, "MAX_BYTES", 100)
    with pytest.raises(animation_job.TooLongError):
        animation_job.run(question, told.append)


# ---- A step in a frame of another site


def test_only_the_embedded_page_may_be_framed_by_other_sites(anna: Visitor, game: str) -> None:
    shown = anna.ask("GET", f"{game}/embed?at=40&as=us&lang=ru")
    policy = shown.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "script-src" not in policy
    assert "<script" not in shown.text
    assert "<form" not in shown.text
    assert 'lang="ru"' in shown.text
    assert "США" in shown.text
    for path in (f"{game}/replay/40", f"{game}/replay.webp?from=9&to=3", f"{game}/embed?at=999", "/"):
        answer = anna.ask("GET", path)
        assert answer.headers["content-security-policy"] == SECURITY_HEADERS["Content-Security-Policy"], path


def test_an_embedded_page_steps_through_the_game_and_opens_the_replay(anna: Visitor, game: str) -> None:
    page = anna.get(f"{game}/embed?at=40&as=ussr")
    following = html.unescape(re.findall(r'href="([^"]+)" rel="next"', page)[0])
    assert following.startswith(f"{game}/embed?at=41&as=ussr")
    assert re.search(rf'href="http://[^"]+{game}/replay/40\?as=ussr" target="_blank"', page)
    assert 'rel="next"' not in anna.get(f"{game}/embed")
    assert anna.ask("GET", f"{game}/embed?as=china").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_share_box_of_a_finished_game_has_link_code_and_picture(anna: Visitor, game: str, language: str) -> None:
    anna.cookies["language"] = language
    page = anna.get(f"{game}/replay/40?as=us")
    code = html.unescape(re.findall(r"value='([^']+)' id=\"share-embed\"", page)[0])
    address = html.unescape(re.findall(r'src="http://[^/]+([^"]+)"', code)[0])
    assert address == f"{game}/embed?at=40&as=us&lang={language}"
    assert f'lang="{language}"' in anna.get(address)
    assert re.search(rf'value="http://[^"]+{game}/replay/40\?as=us" id="share-link"', page)
    assert f'action="{game}/animation"' in page


# ---- oEmbed


def oembed_of(visitor: Visitor, page: str) -> dict[str, Any]:
    """Return what the address that a page names says."""
    link = html.unescape(re.findall(r'type="application/json\+oembed" href="http://[^/]+([^"]+)"', page)[0])
    answer = visitor.ask("GET", link)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def frame_of(told: dict[str, Any]) -> str:
    return html.unescape(re.findall(r'src="http://[^/]+([^"]+)"', told["html"])[0])


def test_programs_learn_how_to_embed_a_step_of_a_replay(anna: Visitor, game: str) -> None:
    told = oembed_of(anna, anna.get(f"{game}/replay/40?as=us"))
    assert (told["version"], told["type"], told["width"], told["height"]) == ("1.0", "rich", 720, 460)
    assert told["title"].startswith("13 Days")
    frame = frame_of(told)
    assert frame == f"{game}/embed?at=40&as=us"
    assert anna.ask("GET", frame).status_code == 200
    link = f"/oembed?url=http://testserver{game}&maxwidth=300&maxheight=1000"
    small = anna.ask("GET", link).json()
    assert (small["width"], small["height"]) == (300, 460)
    assert frame_of(small) == f"{game}/embed"


def test_a_finished_table_is_embedded_and_a_running_or_sealed_one_is_not(client: TestClient) -> None:
    table, anna = finished(client)
    path = f"/t/{table.id}"
    assert frame_of(oembed_of(anna, anna.get(path))) == f"{path}/embed"
    table.sealed = True
    assert "json+oembed" not in anna.get(path)
    assert anna.ask("GET", f"/oembed?url=http://testserver{path}").status_code == 403
    running = anna.begin("same")
    for page in (running, f"{running}/replay"):
        assert "json+oembed" not in anna.get(page)
        assert anna.ask("GET", f"/oembed?url=http://testserver{page}").status_code == 403


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("url=http://elsewhere.example/t/1", 404),
        ("url=http://testserver/rules/13-days", 404),
        ("url=http://testserver/t/none", 404),
        ("url=http://testserver/b/none/0/1", 404),
        ("url=http://testserver{game}/replay/1?as=china", 404),
        ("url=http://testserver{game}&format=xml", 400),
        ("url=http://testserver{game}&maxwidth=0", 400),
        ("", 400),
    ],
)
def test_other_addresses_are_not_embedded(anna: Visitor, game: str, query: str, status: int) -> None:
    assert anna.ask("GET", f"/oembed?{query.format(game=game)}").status_code == status


def test_a_running_game_has_no_share_box(anna: Visitor, client: TestClient) -> None:
    path = anna.begin("same")
    assert live(client, path).result == ""
    assert 'id="share"' not in anna.get(f"{path}/replay")


def test_the_frame_is_as_large_as_the_code_says(anna: Visitor, game: str) -> None:
    size = f"width=&#34;{sharing.FRAME_WIDTH}&#34; height=&#34;{sharing.FRAME_HEIGHT}&#34;"
    assert size.replace("&#34;", '"') in html.unescape(anna.get(f"{game}/replay/3"))
