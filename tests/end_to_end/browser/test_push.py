"""A player allows notifications, closes the site, and is told through a push service that the opponent has come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.browsing import form_of, start_game
from support.notice_house import Browser, Receiver
from support.patience import wait_until
from support.serving import Server, for_tests, serving
from support.subscribing import receiver, subscription

__all__ = ["receiver"]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("brinkmanship.web.server.schedule.NOTICE_INTERVAL", 0.1)
    settings = replace(
        for_tests(f"sqlite:///{tmp_path / 'table.sqlite3'}"),
        push_contact="mailto:ops@example.org",
        push_hosts=("127.0.0.1",),
        webhooks_to_private=True,
        notice_after_seconds=0,
    )
    with serving(settings) as server:
        yield server


def test_a_player_is_told_while_the_site_is_closed(chromium: Any, server: Server, receiver: Receiver) -> None:
    browser = Browser(receiver)
    contexts = [chromium.new_context(locale="en-GB", service_workers="allow") for _ in range(2)]
    page = contexts[0].new_page()
    page.context.grant_permissions(["notifications"], origin=server.url)
    page.add_init_script(subscription(browser))
    page.goto(server.url)
    form = form_of(page, "13-days")
    form.locator("input[name=name]").fill("Anna")
    start_game(form, "friend")
    page.wait_for_selector("#state")
    table, link = page.url, page.input_value("#invitation")
    page.goto(server.url + "/account")
    page.click("[data-notify]")
    page.wait_for_selector("[data-notify]:disabled")
    assert page.evaluate("window.asked") == [True, 65]
    assert "This device gets notifications" in page.inner_text("[data-notify]")
    page.close()
    other = contexts[1].new_page()
    other.goto(link)
    other.fill("input[name=name]", "Boris")
    other.click("button.primary")
    other.wait_for_selector("#state")
    wait_until(lambda: bool(receiver.got))
    [told] = browser.read()
    assert told["title"] == "Your turn"
    assert "Boris" in told["body"]
    assert table.endswith(told["path"])
    for context in contexts:
        context.close()
