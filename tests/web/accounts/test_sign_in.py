"""Signing in while many do it at once, and after many wrong passwords."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from sqlalchemy import insert
from starlette.testclient import TestClient

from brinkmanship.store.schema import contacts
from brinkmanship.web.accounts import password_service as sign_in
from brinkmanship.web.accounts.account_service import RECOVERY_SECONDS
from brinkmanship.web.accounts.users import csrf_token
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.rate_limit import BackOff, client_address
from support.loops import run_in_thread
from support.patience import HANGS_SECONDS
from support.visitors import Visitor

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

    monkeypatch.setattr(app.state.services.users._hasher.__class__, "verify", verify)

    async def visit() -> tuple[int, Counter[int]]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver") as visitors:
            data = {"login": "anna", "password": "a long guess"}
            asked = [asyncio.create_task(visitors.post("/account/sign-in", data=data)) for _ in range(PARALLEL)]
            while sum(task.done() for task in asked) < PARALLEL - sign_in.MAX_OF_ADDRESS:
                await asyncio.sleep(0.01)
            home = await visitors.get("/")
            assert not all(task.done() for task in asked)
            go_on.set()
            return home.status_code, Counter([task.status_code for task in await asyncio.gather(*asked)])

    assert client.portal is not None
    home, statuses = client.portal.call(visit)
    assert home == 200
    assert statuses == {429: PARALLEL - sign_in.MAX_OF_ADDRESS, 403: sign_in.MAX_OF_ADDRESS}
    assert len(set(at_work)) == sign_in.THREADS


def test_who_guesses_has_to_wait_and_the_right_password_comes_through_later(anna: Visitor, monkeypatch: Any) -> None:
    now = [1000.0]
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: now[0]))
    anna.begin("computer")
    anna.post("/account/register", login="Anna", password="long enough", csrf=anna.csrf)
    people = anna.client.app.state.services.users  # type: ignore[attr-defined]
    monkeypatch.setattr(people, "_hasher", _Quick())
    for _ in range(sign_in.WRONG_OF_LOGIN):
        assert anna.post("/account/sign-in", login="ANNA", password="a wrong one").status_code == 403
    refused = anna.post("/account/sign-in", login="anna", password="long enough")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= sign_in.MAX_WAIT
    now[0] += int(refused.headers["retry-after"])
    assert anna.post("/account/sign-in", login="anna", password="long enough").status_code == 303


class _Quick:
    def verify(self, _: str, password: str) -> bool:
        from argon2.exceptions import VerifyMismatchError

        if password != "long enough":
            raise VerifyMismatchError
        return True


def test_an_address_that_guesses_at_many_accounts_has_to_wait(anna: Visitor, monkeypatch: Any) -> None:
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    monkeypatch.setattr(anna.client.app.state.services.users, "_hasher", _Quick())  # type: ignore[attr-defined]
    monkeypatch.setattr(anna.client.app.state.services.users, "_nobody", "", raising=False)  # type: ignore[attr-defined]
    for number in range(sign_in.WRONG_OF_ADDRESS):
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
            client_address.set(address)
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


# ---- A browser that was signed in before, and strangers who guess.


@pytest.fixture
def owner(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Owner]:
    """An account on a server where no time passes by itself and hashes cost nothing."""
    now = [1000.0]
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with TestClient(create_app(replace(settings, trusted_proxies=("testclient",)))) as client:
        owner = Owner(client, now)
        monkeypatch.setattr(client.app.state.services.users, "_hasher", _Quick())  # type: ignore[attr-defined]
        yield owner


class Owner:
    """Anna, who has registered in her browser, and whoever asks from elsewhere."""

    def __init__(self, client: TestClient, now: list[float]) -> None:
        self.client, self.now = client, now
        self.here = Visitor(client)
        self.here.begin("computer")
        answer = self.here.post("/account/register", login="Anna", password="long enough", csrf=self.here.csrf)
        assert answer.status_code == 200
        self.here.post("/account/sign-out", csrf=self.here.csrf)
        assert self.here.get("/account").count('action="/account/sign-in"') == 1

    def sign_in(self, address: str, password: str = "long enough", browser: Visitor | None = None) -> int:
        """Try from an address; without a browser from a new one."""
        status: int = self._try(address, password, browser or Visitor(self.client)).status_code
        return status

    def _try(self, address: str, password: str, browser: Visitor) -> httpx.Response:
        fields = {"login": "anna", "password": password}
        answer: httpx.Response = browser.ask("POST", "/account/sign-in", fields, x_forwarded_for=address)
        return answer

    def guess(self, address: str, times: int) -> None:
        """Wrong passwords of a stranger, as many as are looked at; he waits for as long as he has to."""
        for _ in range(times):
            while (answer := self._try(address, "a wrong one", Visitor(self.client))).status_code == 429:
                self.now[0] += int(answer.headers["retry-after"])


def test_strangers_at_three_addresses_keep_no_owner_out(owner: Owner) -> None:
    for round in range(sign_in.WRONG_OF_ALL):
        owner.guess(f"192.0.2.{round % 3}", 1)
    assert owner.sign_in("192.0.2.0") == 429  # an address of theirs
    assert owner.sign_in("198.51.100.1") == 429  # a new browser, just after they have guessed
    assert owner.sign_in("192.0.2.0", browser=owner.here) == 303  # her own, wherever it is


def test_a_few_strangers_do_not_hold_a_new_browser_either(owner: Owner) -> None:
    for number in range(3):
        owner.guess(f"192.0.2.{number}", sign_in.WRONG_OF_LOGIN)
    assert owner.sign_in("198.51.100.1") == 303


def test_the_brake_on_all_strangers_lets_one_through_after_some_seconds(owner: Owner) -> None:
    for number in range(3 * sign_in.WRONG_OF_ALL):
        owner.guess(f"192.0.{number % 100}.1", 1)
    owner.now[0] += sign_in.BRAKE_SECONDS
    assert owner.sign_in("198.51.100.1") == 303


def test_many_addresses_guess_no_faster_than_the_brake_allows(owner: Owner) -> None:
    for number in range(sign_in.WRONG_OF_ALL + 5):
        owner.guess(f"192.0.{number}.1", 1)
    looked_at = [owner.sign_in(f"198.51.{number}.1", "a wrong one") for number in range(20)]
    assert looked_at == [429] * 20


def test_a_known_browser_waits_for_its_own_mistakes(owner: Owner) -> None:
    for _ in range(sign_in.WRONG_OF_LOGIN):
        assert owner.sign_in("192.0.2.1", "a wrong one", owner.here) == 403
    assert owner.sign_in("192.0.2.2", browser=owner.here) == 429  # also where it is elsewhere
    assert owner.sign_in("192.0.2.1") == 303


@pytest.mark.parametrize("forged", ["", "x", "x.y", ".", "é.é", "x." + "0" * 64])
def test_no_browser_makes_itself_known(owner: Owner, forged: str) -> None:
    for number in range(sign_in.WRONG_OF_ALL + 1):
        owner.guess(f"192.0.{number}.1", 1)
    (name,) = [name for name in owner.here.cookies if name.startswith("device-")]
    stranger = Visitor(owner.client)
    stranger.cookies[name] = quote(forged)
    assert owner.sign_in("198.51.100.1", browser=stranger) == 429


def test_another_password_makes_known_browsers_unknown(client: TestClient) -> None:
    people = client.app.state.services.users  # type: ignore[attr-defined]
    anna, session = people.add_guest("Anna", "en")
    assert people.device_cookie(anna.id) is None  # a guest has nothing to sign in to
    people.register(anna, "Anna", "long enough")
    cookies = dict([people.device_cookie(anna.id)])
    assert people.device_in(cookies, "ANNA")
    assert not people.device_in(cookies, "boris")
    client.app.state.services.accounts.change_password(anna.id, "long enough", "longer still", session)  # type: ignore[attr-defined]
    assert not people.device_in(cookies, "anna")


def test_who_is_signed_in_changes_the_password_while_strangers_guess(owner: Owner) -> None:
    assert owner.sign_in("192.0.2.1", browser=owner.here) == 303
    for number in range(sign_in.WRONG_OF_ALL + 1):
        owner.guess(f"192.0.{number}.1", 1)
    fields = {"old": "a wrong one", "password": "longer still", "csrf": owner.here.csrf}
    assert owner.here.post("/account/password", **fields).status_code == 403


def test_registering_renews_the_session(anna: Visitor) -> None:
    anna.begin("computer")
    before = dict(anna.cookies)
    answer = anna.post("/account/register", login="Anna", password="long enough", csrf=anna.csrf)
    assert answer.status_code == 200
    assert anna.cookies["session"] != before["session"]
    assert csrf_token(anna.cookies["session"]) in answer.text  # the page that says so has forms that work
    assert csrf_token(before["session"]) not in answer.text
    known, fixed = anna.client.app.state.services.users.by_token, before["session"]  # type: ignore[attr-defined]
    assert known(fixed) is None
    assert known(anna.cookies["session"]).login == "anna"


# ---- The way back in.


def test_strangers_do_not_lock_recovery(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    app: Any = client.app
    people, accounts, now = app.state.services.users, app.state.services.accounts, [1_000_000.0]
    anna, _ = people.add_guest("Anna", "en")
    people.register(anna, "Anna", "long enough")
    cookies, mailbox = dict([people.device_cookie(anna.id)]), "anna@example.org"
    confirmed = {"kind": "email", "address": mailbox, "secret": "s", "asked_at": 0, "present_at": 0, "confirmed_at": 1}
    with app.state.services.engine.begin() as connection:
        connection.execute(insert(contacts).values(person_id=anna.id, **confirmed))
    monkeypatch.setattr("brinkmanship.web.accounts.account_service.time", SimpleNamespace(time=lambda: now[0]))

    def ask(address: str, cookies: dict[str, str] | None = None) -> bool:
        client_address.set(address)
        try:
            accounts.ask_recovery(mailbox, cookies)
        except TooManyError:
            return False
        finally:
            client_address.set("")
        return True

    assert [ask("192.0.2.1") for _ in range(4)] == [True, True, True, False]
    assert ask("198.51.100.1", cookies)  # a browser in which she was signed in
    assert not ask("198.51.100.1")  # three links that are still good are in the mailbox
    now[0] += RECOVERY_SECONDS + 1
    assert not ask("192.0.2.1")  # for a day
    assert ask("198.51.100.1")
    assert [ask("198.51.100.9", cookies) for _ in range(3)] == [True, True, False]  # nor is she flooded by her own
    assert [ask("203.0.113.1") for _ in range(2)] == [True, True]
    assert not ask("203.0.113.2", {f"device-{anna.id}": "x.y"})  # whoever only says so is a stranger
