"""Two people who press "Find an opponent" sit at one table; what the page that waits says and does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.browsing import CHOICES, PHONE, Visit, picture, wait_until
from support.serving import Server, for_tests, serving

SOUNDS = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { heard.push(this.frequency.value); return start.call(this, at); };
"""
NOTE_TITLES = """
new MutationObserver(() => noted(`${document.title}, sounds: ${heard.length}`))
    .observe(document.querySelector("title"), { childList: true, characterData: true, subtree: true });
"""

WHICH_CLICKS_SEND = """
(button) => {
  const sends = [];
  addEventListener("submit", (event) => { sends.push(!event.defaultPrevented); event.preventDefault(); });
  button.click();
  button.click();
  dispatchEvent(new Event("pageshow"));  // back on the page
  button.click();
  return sends;
}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database: Path = tmp_path_factory.mktemp("seeks") / "table.sqlite3"
    with serving(replace(for_tests(f"sqlite:///{database}"), heartbeat_seconds=1)) as server:
        yield server


def test_two_people_find_each_other_and_their_pages_go_to_the_table(visit: Visit) -> None:
    anna, boris = visit("/lobby", reduced_motion="reduce"), visit("/lobby", reduced_motion="reduce", **PHONE)
    anna.click("text=Find an opponent")
    anna.wait_for_selector("[data-seek]")
    assert "Keep this page open" in anna.inner_text("[data-seek]")
    picture(anna, "seek-wide")
    boris.click("text=Find an opponent")
    for page in (anna, boris):
        page.wait_for_selector(CHOICES)
    assert anna.url == boris.url
    assert "/t/" in anna.url


def test_the_page_says_so_in_its_title_and_with_a_sound(visit: Visit) -> None:
    anna, boris = visit("/lobby", reduced_motion="reduce"), visit("/lobby", reduced_motion="reduce")
    notes: list[str] = []
    anna.expose_function("noted", lambda note: notes.append(note))
    anna.add_init_script(SOUNDS)
    anna.click("text=Find an opponent")
    anna.wait_for_selector("[data-seek]")
    anna.click("h1")  # lets the page sound in every browser
    anna.evaluate(NOTE_TITLES)
    boris.click("text=Find an opponent")
    anna.wait_for_selector(CHOICES)
    assert notes == ["Opponent found, sounds: 2"]


def test_the_stream_ends_with_the_page(visit: Visit, server: Server) -> None:
    anna = visit("/lobby", reduced_motion="reduce")
    anna.click("text=Find an opponent")
    anna.wait_for_selector("[data-seek]")
    seeks = server.app.state.services.seeks
    wait_until(anna, lambda: seeks._waiting)
    anna.goto("about:blank")
    wait_until(anna, lambda: not seeks._waiting)


def test_a_second_click_does_not_send_a_form_again(visit: Visit) -> None:
    """Every request without a session would make a guest of its own."""
    anna = visit("/lobby", reduced_motion="reduce")
    assert anna.locator("text=Find an opponent").evaluate(WHICH_CLICKS_SEND) == [True, False, True]
