"""Signing in while many do it at once, and after many wrong passwords."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from brinkmanship.web.accounts import password_service
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.rate_limit import BackOff, asking
from patience import HANGS_SECONDS

from .loops import run_in_thread
from .visitors import Visitor

PARALLEL = 60


@pytest.fixture(autouse=True)
def quick_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.001)


def test_the_first_page_does_not_wait_for_sixty_who_sign_in(client: TestClient, monkeypatch: Any) -> None:
    app: Any = client.app
    go_on = threading.Event()
    at_work: list[str] = []

    def verify(*_: str) -> None:  # takes as long as the test likes
        at_work.append(threading.current_thread().name)
        go_on.wait(HANGS_SECONDS)

    monkeypatch.setattr(app.state.people._hasher.__class__, "verify", verify)

    async def visit() -> tuple[int, Counter[int]]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver") as visitors:
            data = {"login": "anna", "password": "a long guess"}
            asked = [asyncio.create_task(visitors.post("/account/sign-in", data=data)) for _ in range(PARALLEL)]
            while sum(task.done() for task in asked) < PARALLEL - password_service.MAX_OF_ADDRESS:
                await asyncio.sleep(0.01)
            home = await visitors.get("/")
            assert not all(task.done() for task in asked)
            go_on.set()
            return home.status_code, Counter([task.status_code for task in await asyncio.gather(*asked)])

    assert client.portal is not None
    home, statuses = client.portal.call(visit)
    assert home == 200
    assert statuses == {429: PARALLEL - password_service.MAX_OF_ADDRESS, 403: password_service.MAX_OF_ADDRESS}
    assert len(set(at_work)) == password_service.THREADS


def test_who_guesses_has_to_wait_and_the_right_password_comes_through_later(anna: Visitor, monkeypatch: Any) -> None:
    now = [1000.0]
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: now[0]))
    anna.begin("computer")
    anna.post("/account/register", login="Anna", password="long enough", csrf=anna.csrf)
    people = anna.client.app.state.people  # type: ignore[attr-defined]
    monkeypatch.setattr(people, "_hasher", _Quick())
    for _ in range(password_service.WRONG_OF_LOGIN):
        assert anna.post("/account/sign-in", login="ANNA", password="a wrong one").status_code == 403
    refused = anna.post("/account/sign-in", login="anna", password="long enough")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= password_service.LONGEST_WAIT_SECONDS
    now[0] += int(refused.headers["retry-after"])
    assert anna.post("/account/sign-in", login="anna", password="long enough").status_code == 303


class _Quick:
    def verify(self, _: str, password: str) -> bool:
        from argon2.exceptions import VerifyMismatchError

        if password != "long enough":
            raise VerifyMismatchError
        return True


def test_an_address_that_guesses_at_many_accounts_has_to_wait(anna: Visitor, monkeypatch: Any) -> None:
    monkeypatch.setattr(anna.client.app.state.people, "_hasher", _Quick())  # type: ignore[attr-defined]
    monkeypatch.setattr(anna.client.app.state.people, "_nobody", "", raising=False)  # type: ignore[attr-defined]
    for number in range(password_service.WRONG_OF_ADDRESS):
        assert anna.post("/account/sign-in", login=f"anna{number}", password="a wrong one").status_code == 403
    assert anna.post("/account/sign-in", login="somebody else", password="a wrong one").status_code == 429


def test_the_wait_doubles_up_to_its_bound_and_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: now[0]))
    waits = BackOff(free=2, most_seconds=6)
    seen = []
    for _ in range(5):
        waits.failed("anna")
        seen.append(waits.seconds_left("anna"))
    assert seen == [0, 1, 2, 4, 6]
    assert waits.seconds_left("boris") == 0
    now[0] += rate_limit.FORGOTTEN_SECONDS + 7
    waits.failed("anna")
    assert waits.seconds_left("anna") == 0


def test_addresses_take_turns_in_a_pool_and_its_queue_is_bounded() -> None:
    async def run() -> tuple[list[str], int]:
        pool = BoundedPool("test", threads=1, most=12, most_of_address=4)
        done: list[str] = []
        begin = threading.Event()

        async def ask(address: str, work: Callable[[], None]) -> None:
            asking.set(address)
            await pool.do(work)

        def work(address: str) -> None:
            begin.wait(HANGS_SECONDS)
            done.append(address)

        greedy = [asyncio.create_task(ask("greedy", partial(work, "greedy"))) for _ in range(10)]
        await asyncio.sleep(0.01)
        others = [asyncio.create_task(ask(name, partial(work, name))) for name in ("anna", "boris")]
        await asyncio.sleep(0.01)
        begin.set()
        came_of_it = await asyncio.gather(*greedy, *others, return_exceptions=True)
        assert pool._addresses == {}
        assert pool._jobs == 0
        pool.close()
        return done, sum(isinstance(each, TooManyError) for each in came_of_it)

    done, refused = run_in_thread(run())
    assert refused == 6
    assert sorted(done[:4]) == ["anna", "boris", "greedy", "greedy"]  # nobody waits for all of one address
    assert done.count("greedy") == 4
