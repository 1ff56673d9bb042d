"""Work that takes long is done beside the event loop, in a bounded queue; moves at tables do not wait for it."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from brinkmanship.web.server import wiring
from brinkmanship.web.support import rate_limit
from brinkmanship.web.tables.seating import TableSettings
from support.patience import HANGS_SECONDS

EXAMPLE = Path(__file__).parents[3] / "examples/13-days-playthrough.brink"
LONG = (
    "/t/{over}/finished",
    "/t/{over}/log",
    "/t/{over}/replay/3",
    "/t/{over}/picture.svg",
    "/t/{over}/journal",
    "/verify?table={over}",
    "/t/{running}/log",
    "/t/{running}/replay",
    "/cards/13-days",
    "/rules/13-days",
    "/rulings/13-days",
    "/learn/13-days/first/2",
)


@pytest.fixture
def house(client: TestClient) -> Any:
    """A server with a game that is over, one that goes on, and visitors."""
    app: Any = client.app
    person, _ = app.state.services.users.add_guest("Anna", "en")

    class House:
        over = running = ""

        async def visit(self, work: Any) -> Any:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as visitors:
                parts = app.state.services
                over, _ = await parts.seating.create(TableSettings("13-days", ["me", "me"]), person.id, "Anna")
                await parts.actions.resign(over.id, person.id, 0)
                running, _ = await parts.seating.create(TableSettings("13-days", ["me", "me"]), person.id, "Anna")
                self.over, self.running = over.id, running.id
                return await work(visitors, running)

        def run(self, work: Any) -> Any:
            assert client.portal is not None
            return client.portal.call(self.visit, work)

    house = House()
    house.app, house.person = app, person  # type: ignore[attr-defined]
    return house


def test_a_move_does_not_wait_for_what_takes_long(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = house.app.state.services.reading
    monkeypatch.setattr(pool, "_most_of_address", 2 * len(LONG))
    go_on = threading.Event()

    async def work(visitors: httpx.AsyncClient, running: Any) -> list[int]:
        busy = [asyncio.create_task(pool.do(partial(go_on.wait, HANGS_SECONDS))) for _ in range(wiring.READING_THREADS)]
        await asyncio.sleep(0.01)
        asked = [asyncio.create_task(visitors.get(path.format(**vars(house)))) for path in LONG]
        sent = {"file": ("game.brink", EXAMPLE.read_bytes())}
        asked += [asyncio.create_task(visitors.post(path, files=sent)) for path in ("/replay/upload", "/verify")]
        side = running.to_move[0]
        action = running.match.legal(side)[0].action
        await house.app.state.services.actions.act(running.id, house.person.id, side, running.version(side), action)
        assert (await visitors.get("/static/css/brink.css")).status_code in (200, 404)
        assert (await visitors.get("/account")).status_code == 200
        assert [task.get_coro() for task in asked if task.done()] == []  # all of them wait for the pool
        go_on.set()
        await asyncio.gather(*busy)
        return [answer.status_code for answer in await asyncio.gather(*asked)]

    statuses = house.run(work)
    assert statuses[:-2] == [200] * len(LONG)
    assert statuses[-2] == 303


def test_one_address_has_only_so_much_at_once(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.001)
    go_on = threading.Event()

    async def work(visitors: httpx.AsyncClient, _: Any) -> list[httpx.Response]:
        busy = asyncio.create_task(house.app.state.services.reading.do(partial(go_on.wait, HANGS_SECONDS)))
        asked = [asyncio.create_task(visitors.get(f"/t/{house.over}/finished")) for _ in range(20)]
        while sum(task.done() for task in asked) < 20 - wiring.MAX_READING_OF_ADDRESS:
            await asyncio.sleep(0.01)
        go_on.set()
        await busy
        return list(await asyncio.gather(*asked))

    answers = house.run(work)
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 20 - wiring.MAX_READING_OF_ADDRESS
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)
    assert sum(answer.status_code == 200 for answer in answers) == wiring.MAX_READING_OF_ADDRESS


def test_what_is_made_of_a_finished_game_is_made_once(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from brinkmanship.engine import commit_reveal
    from brinkmanship.web.presentation import replay

    made: list[str] = []
    for module, name in ((replay, "LogView"), (replay, "rounds_of"), (commit_reveal, "verify")):
        original = getattr(module, name)

        def counted(*given: Any, original: Any = original, name: str = name, **more: Any) -> Any:
            made.append(name)
            return original(*given, **more)

        monkeypatch.setattr(module, name, counted)

    async def work(visitors: httpx.AsyncClient, _: Any) -> None:
        for _ in range(3):
            for path in ("/t/{over}/finished", "/t/{over}/replay/1", "/verify?table={over}"):
                assert (await visitors.get(path.format(**vars(house)))).status_code == 200

    house.run(work)
    assert sorted(made) == ["LogView", "rounds_of", "verify"]
