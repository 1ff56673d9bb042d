"""Two people with accounts: a seek, a rated game, the ratings after it, and a notice while the site is closed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.browsing import PHONE, Person, live, picture
from support.notice_house import Browser, Receiver
from support.patience import wait_until
from support.serving import Server, for_tests, serving
from support.subscribing import receiver, subscription

__all__ = ["receiver"]


@pytest.fixture
def server(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in (
        "brinkmanship.web.server.schedule.NOTICE_INTERVAL",
        "brinkmanship.web.seeks.seek_service.MATCH_SECONDS",
    ):
        monkeypatch.setattr(name, 0.1)
    database = tmp_path / "table.sqlite3"
    database.write_bytes(migrated.read_bytes())
    settings = replace(
        for_tests(f"sqlite:///{database}"),
        push_contact="mailto:ops@example.org",
        push_hosts=("127.0.0.1",),
        webhooks_to_private=True,
        notice_after_seconds=0,
    )
    with serving(settings) as server:
        yield server


def person(chromium: Any, server: Server, name: str, **options: Any) -> Person:
    """Somebody who has just created an account in their browser."""
    context = chromium.new_context(locale="en-GB", reduced_motion="reduce", **options)
    new = Person(context, server, name)
    page = new.look("/account")
    form = page.locator("form[action='/account/register']")
    form.locator("[name=login]").fill(name)
    form.locator("[name=password]").fill("a long password of theirs")
    form.locator("button").click()
    page.wait_for_selector("form[action='/account/sign-out']")
    return new


def seek_by_days(page: Any) -> None:
    """Look for a rated game of 13 Days by days with the form."""
    page.goto(page.url.split("/account")[0] + "/seek")
    page.locator("label:has(input[name=pace][value=days])").click()
    for clock in page.locator("input[name=clock][value^='days']").all():
        clock.check(force=True)
    page.locator("input[name=rated]").check()
    page.click(".seek-form button.primary")


def test_two_people_find_each_other_and_play_for_their_ratings(
    chromium: Any, server: Server, receiver: Receiver
) -> None:
    phone = Browser(receiver)
    anna = person(chromium, server, "Anna", service_workers="allow", **PHONE)
    boris = person(chromium, server, "Boris")
    anna.context.grant_permissions(["notifications"], origin=server.url)
    anna.context.add_init_script(subscription(phone))

    # Anna lets the server notify her, looks for a game by days, and closes the site.
    page = anna.look("/account")
    page.click("[data-notify]")
    page.wait_for_selector("[data-notify]:disabled")
    seek_by_days(page)
    page.wait_for_selector("form[action$=withdraw]")
    page.close()

    # Boris finds her in the lobby.
    page = boris.look("/lobby")
    page.click(".tables li:has-text('Anna') .row")
    page.click("form[action$=answer] button")
    page.wait_for_selector("#state:not([data-dealing])")
    table, where = live(server, page), page.url.removeprefix(server.url)
    wait_until(lambda: bool(receiver.got))
    [told] = phone.read()
    assert told["path"] == where
    assert "Boris" in told["body"]

    # Anna comes back from her notice; both move, and Boris resigns.
    anna.page = anna.context.new_page()
    anna.look(told["path"])
    for side, one in enumerate((anna, boris) if table.seats[0].name == "Anna" else (boris, anna)):
        action = table.match.legal(side)[0].action
        one.post(f"{where}/act", side=side, version=table.version(side), action=action)
    mine = next(seat.side for seat in table.seats if seat.name == "Boris")
    boris.post(f"{where}/resign", side=mine, sure="true")

    # How much depends on who has which side, which is drawn: one side of the game is stronger.
    for one in (anna, boris):
        one.page.wait_for_selector(".result .deciding")
        changes = one.page.locator(".result .deciding").inner_text()
        [(won, gain)] = re.findall(r"\(Anna\): 1500 → (\d+) \(\+(\d+)\)", changes)
        [(lost, loss)] = re.findall(r"\(Boris\): 1500 → (\d+) \(−(\d+)\)", changes)
        assert int(won) - 1500 == int(gain) == int(loss) == 1500 - int(lost)
        assert 20 < int(gain) < 80
        picture(one.page, f"rated-{one.name.lower()}")
        rating = won if one is anna else lost
        assert f"Your rating: {rating}" in one.look("/ratings/13-days").locator("main").inner_text()
    for one in (anna, boris):
        one.context.close()
