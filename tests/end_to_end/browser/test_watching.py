"""Spectators with open hands: the page follows the game, and draws what the commentator marks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands import MINUTES
from brinkmanship.web.tables.seating import TableSettings
from support.patience import HANGS_SECONDS
from support.serving import Server


def test_a_spectator_follows_and_sees_arrows(server: Server, visit: Callable[..., Any]) -> None:
    state, services = server.app.state, server.app.state.services
    people = [services.users.add_guest(name, "en") for name in ("Anna", "Boris", "Clara")]
    (anna, _), (boris, _), (clara, _) = people

    def call(doing: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(doing, server.loop).result(HANGS_SECONDS)

    async def shown_table() -> LiveTable:
        table, tokens = await services.seating.create(TableSettings("13-days", ["me", "friend"]), anna.id, "Anna")
        await services.seating.join(table.id, boris.id, "Boris", tokens[1])
        await services.open_hands.propose(table.id, anna.id, 0, MINUTES)
        await services.open_hands.answer(table.id, boris.id, 1, MINUTES, True)
        await services.open_hands.propose_commentator(table.id, anna.id, 0)
        await services.open_hands.propose_commentator(table.id, boris.id, 1)
        found: LiveTable = table
        return found

    table = call(shown_table())
    table.state.entry_times = [0.0] + [1e12] * (table.length - 1)
    state.services = replace(services, settings=replace(services.settings, heartbeat_seconds=1))
    try:
        page = visit(f"/t/{table.id}/watch")
        assert page.get_attribute("#slider", "max") == "1"
        call(services.comments.write(table, clara, 1, "Look there", (("italy", "turkey"), ("berlin", "")), last=1))
        page.locator("#board .marks .arrow-drawn").wait_for(state="attached")
        assert page.locator("#board .marks circle").count() == 1
        assert "Italy → Turkey" in page.locator("#comments").inner_text()
        table.state.entry_times = [0.0] * table.length
        page.locator(f"#slider[max='{table.length}']").wait_for()
        assert page.locator("#to-after").get_attribute("aria-disabled") == "false"
        page.keyboard.press("End")
        page.locator(f"#step[data-n='{table.length}']").wait_for()
        page.locator("#board .marks").wait_for(state="detached")
        call(services.actions.resign(table.id, anna.id, 0))
        page.wait_for_url(f"**/t/{table.id}/replay")
    finally:
        state.services = services


def test_an_overlay_is_transparent_and_follows(server: Server, visit: Callable[..., Any]) -> None:
    services = server.app.state.services
    anna, _ = services.users.add_guest("Anna", "en")

    async def new_table() -> LiveTable:
        table, _ = await services.seating.create(TableSettings("13-days", ["me", "me"]), anna.id, "Anna")
        found: LiveTable = table
        return found

    def call(doing: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(doing, server.loop).result(HANGS_SECONDS)

    table = call(new_table())
    page = visit(f"/t/{table.id}/overlay?size=150", color_scheme="dark")
    stamp = page.get_attribute(".parts", "data-stamp")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "normal"
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 42
    for side in (0, 1):
        action = table.match.legal(side)[0].action
        call(services.actions.act(table.id, anna.id, side, table.version(side), action))
    page.wait_for_function("stamp => document.querySelector('.parts').dataset.stamp !== stamp", arg=stamp)
