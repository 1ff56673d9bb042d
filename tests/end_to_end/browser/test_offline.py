"""Without a connection: rules that were read open again, other pages say why not, and nothing of a user is kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from support.browsing import form_of, start_game, wait_until
from support.serving import Server

ALL_KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys())
      kept[new URL(request.url).pathname] = await (await caches.match(request)).text();
  return kept;
}"""
IS_KEPT = "async (path) => Boolean(await caches.match(path))"
RECORD = """() => {
  globalThis.shown = [];
  registration.showNotification = async (title, { body, tag, data }) => { shown.push([title, body, tag, data]); };
}"""
"""Keeps what the worker shows: on a busy machine Chromium forgets some notifications that no desktop shows."""


@pytest.fixture
def page(chromium: Any, server: Server) -> Iterator[Any]:
    context = chromium.new_context(locale="de-DE", service_workers="allow")
    page = context.new_page()
    page.goto(server.url)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller")
    yield page
    context.close()


def test_what_was_read_opens_without_a_connection_and_nothing_personal_is_kept(page: Any, server: Server) -> None:
    form = form_of(page, "13-days")
    form.locator("input[name=name]").fill("Wernhild")
    start_game(form, "computer")
    page.wait_for_selector("#state")
    table = page.url
    for path in ("/rules/13-days", "/learn/13-days/first/2"):
        page.goto(server.url + path)
        wait_until(page, partial(page.evaluate, IS_KEPT, path))
    assert "Wernhild" in page.content()
    kept = page.evaluate(ALL_KEPT)
    assert {path for path in kept if not path.startswith("/static/")} == {
        "/offline",
        "/rules/13-days",
        "/learn/13-days/first/2",
    }
    assert not any(
        "Wernhild" in text or 'name="csrf" content=""' not in text
        for path, text in kept.items()
        if not path.startswith("/static/")
    )
    page.context.set_offline(True)
    page.goto(server.url + "/rules/13-days")
    assert page.locator("h1").first.inner_text()
    assert page.evaluate("document.documentElement.lang") == "de"
    assert "Wernhild" not in page.content()
    for nowhere in (table, server.url, server.url + "/rules/13-minutes"):
        page.goto(nowhere)
        assert page.locator("h1").inner_text() == "Keine Verbindung"


def test_a_push_message_shows_a_notification(page: Any, server: Server) -> None:
    (worker,) = page.context.service_workers
    worker.evaluate(RECORD)
    session = page.context.new_cdp_session(page)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    wait_until(page, lambda: registrations)
    data = '{"title": "Your turn", "body": "In 13 Days.", "path": "/t/abc", "tag": "abc"}'
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": server.url, "registrationId": registrations[0], "data": data},
    )
    wait_until(page, lambda: worker.evaluate("shown.length"))
    assert worker.evaluate("shown") == [["Your turn", "In 13 Days.", "abc", "/t/abc"]]
