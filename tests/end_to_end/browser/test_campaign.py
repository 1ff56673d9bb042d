"""A campaign of 13 Minutes in real browsers, from the home page to its winner.

The bids, the way to the next game and the result are clicked; the decisions between them go straight to the server.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from brinkmanship.engine import commit_reveal
from brinkmanship.games.thirteen_minutes.rules.state import Reason
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import RUNNING
from support.browsing import CHOICES, PHONE, Visit, act, begin, form_of, live, picture
from support.patience import HANGS_SECONDS
from support.serving import Server

WAR = (Reason.NUCLEAR_WAR, Reason.DOUBLE_WAR)


def peaceful_end(table: LiveTable) -> list[tuple[int, int]]:
    """Decisions from here to an end without war: side and action."""
    for seed in range(200):
        choose = random.Random(seed).choice
        match, taken = table.match.copy(), []
        while not match.is_over:
            side = choose(sorted(match.pending))
            taken.append((side, choose(match.legal(side)).action))
            match.push(taken[-1][1], side=side)
            commit_reveal.advance(match, table.state.chance_key or b"")
        if match.state.reason not in WAR:
            return taken
    raise ValueError("no random game from here ends in peace")


def play_out(server: Server, table: LiveTable) -> None:
    """Take the decisions for those who sit there."""
    for side, action in peaceful_end(table):
        acting = server.app.state.services.actions.act(
            table.id, table.seats[side].person_id, side, table.version(side), action
        )
        asyncio.run_coroutine_threadsafe(acting, server.loop).result(HANGS_SECONDS)


def bid(page: Any, cubes: int) -> None:
    """Bid in the browser."""
    page.wait_for_selector(CHOICES)
    act(page, cubes)


def points(page: Any) -> list[str]:
    """The total of each player, as the page shows it."""
    return [str(text) for text in page.locator("section.series tfoot td b").all_inner_texts()]


@pytest.mark.parametrize(
    ("language", "scheme"),
    [pytest.param("de-DE", "dark", marks=pytest.mark.long), ("ru-RU", "light")],
    ids=["de", "ru"],
)
def test_two_people_play_a_campaign_to_its_end(visit: Visit, server: Server, language: str, scheme: str) -> None:
    look = {"locale": language, "color_scheme": scheme, "reduced_motion": "reduce"}
    anna = visit(**look)
    form_of(anna, "13-minutes").locator("input[name=series]").check()
    begin(anna, "friend", 0, game="13-minutes")
    boris = visit(anna.input_value("#invitation").removeprefix(server.url), **look, **PHONE)
    boris.fill("input[name=name]", "Boris")
    boris.click("button.primary")
    pages, name = (anna, boris), f"campaign-{language[:2]}"
    games = 0
    while True:
        sides = ("Anna", "Boris") if games % 2 == 0 else ("Boris", "Anna")
        for page in pages:
            page.wait_for_selector(CHOICES)
        table = live(server, anna)
        assert tuple(seat.name for seat in table.seats) == sides
        assert anna.inner_text(".of-series").endswith(f" {games + 1}")
        picture(anna, f"{name}-{games}-bid")
        bid(anna, 1)
        bid(boris, 0)
        play_out(server, table)
        games += 1
        for page in pages:
            page.wait_for_selector(".ending")
        assert points(anna) == points(boris)
        picture(anna, f"{name}-{games}-end")
        picture(boris, f"{name}-{games}-end-phone")
        if not anna.locator(".next-game button").count():
            break
        first, second = pages if games % 2 else pages[::-1]
        first.click(".next-game button")
        first.wait_for_selector("#state[data-dealing]")  # the cards are dealt when the other browser has come, too
        second.wait_for_selector(".ending a.primary")
        picture(second, f"{name}-{games}-invited")
        second.click(".ending a.primary")
        for page in pages:
            page.wait_for_selector(CHOICES)
        assert live(server, first) is live(server, second)
    assert games > 1
    assert max(int(total) for total in points(anna)) >= 13
    for page, device in ((anna, "wide"), (boris, "phone")):
        if device == "phone":
            page.click("#tab-story")
        page.click("#series-title a")
        page.wait_for_selector("h1")
        assert page.locator("tbody tr").count() == games
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        picture(page, f"{name}-page-{device}")
    assert table.status != RUNNING


def test_a_campaign_against_the_computer_begins_with_a_tick(visit: Visit, server: Server) -> None:
    page = visit(reduced_motion="reduce")
    form_of(page, "13-minutes").locator("input[name=series]").check()
    begin(page, "computer", 0, game="13-minutes")
    first = live(server, page)
    assert "0–0 · Game 1" in page.inner_text(".of-series")
    for number in range(6):
        page.wait_for_selector(CHOICES)
        act(page, number)
    page.click("#give-up-box summary")
    page.check("#give-up-box input[name=sure]")
    page.click("#give-up-box form[action$=resign] button")
    page.wait_for_selector(".ending")
    assert points(page) == ["0", "0"]
    page.click(".next-game button")
    page.wait_for_selector(CHOICES)
    second = live(server, page)
    assert [seat.computer for seat in second.seats] == ["random", None]
    assert second.part is not None
    assert second.part.series == first.id
    picture(page, "campaign-computer")
