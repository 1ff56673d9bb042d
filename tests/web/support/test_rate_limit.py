"""How often one may ask: by person and by address, and whose word is taken for the address."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from brinkmanship.web.server.app import create_app
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.rate_limit import address_prefix
from brinkmanship.web.support.settings import SettingError, Settings, from_environment

PROXY = "127.0.0.1"
Served = Callable[..., Callable[..., int]]


@pytest.fixture(autouse=True)
def time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that on a slow machine nobody may ask again meanwhile."""
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))


@pytest.fixture
def served(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Servers with limits; asked for a page, they say the status."""
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.001)
    opened = []

    def serve(**changes: object) -> Callable[..., int]:
        app = create_app(replace(settings, **{"requests_per_minute": 40, **changes}))  # type: ignore[arg-type]
        opened.append(client := TestClient(app, client=(PROXY, 50_000)))
        client.__enter__()
        people = app.state.services.users

        def ask(path: str = "/account", **headers: str) -> int:
            client.cookies.clear()
            return client.get(path, headers={name.replace("_", "-"): v for name, v in headers.items()}).status_code

        ask.guest = lambda: people.add_guest("Anna", "en")[1]  # type: ignore[attr-defined]
        return ask

    yield serve
    for client in opened:
        client.__exit__(None, None, None)


def answers(ask: Callable[..., int], number: int, headers: Callable[[int], dict[str, str]]) -> list[int]:
    return [ask(**headers(n)) for n in range(number)]


@pytest.mark.parametrize(
    "invented",
    [lambda n: {"cookie": f"session=invented-{n}"}, lambda n: {"authorization": f"Bearer invented-{n}"}],
    ids=["cookie", "token"],
)
def test_an_invented_name_buys_no_bucket_of_its_own(served: Served, invented: Callable[[int], dict[str, str]]) -> None:
    assert answers(served(), 14, invented) == [200] * 10 + [429] * 4


def test_who_is_known_is_not_held_back_by_strangers_beside_him(served: Served) -> None:
    ask = served()
    cookie = f"session={ask.guest()}"  # type: ignore[attr-defined]
    assert ask(cookie=cookie) == 200  # now the server knows him
    assert 429 in answers(ask, 12, lambda _: {})
    assert answers(ask, 10, lambda _: {"cookie": cookie}) == [200] * 10
    assert ask(cookie=cookie) == 429  # he has a limit, too


def test_many_guests_of_one_address_share_its_limit(served: Served) -> None:
    ask = served(requests_per_minute_of_address=160)
    cookies = [f"session={ask.guest()}" for _ in range(8)]  # type: ignore[attr-defined]
    statuses = answers(ask, 60, lambda n: {"cookie": cookies[n % 8]})
    assert statuses[:40] == [200] * 40
    assert statuses[45:] == [429] * 15


def test_strangers_behind_a_trusted_proxy_have_limits_of_their_own(served: Served) -> None:
    ask = served(trusted_proxies=(PROXY,))
    one, other = {"x_forwarded_for": "192.0.2.1"}, {"x_forwarded_for": "192.0.2.2"}
    assert answers(ask, 11, lambda _: one) == [200] * 10 + [429]
    assert ask(**other) == 200


def test_what_a_stranger_says_before_the_proxy_is_not_believed(served: Served) -> None:
    ask = served(trusted_proxies=(PROXY,))
    said = answers(ask, 11, lambda n: {"x_forwarded_for": f"198.51.100.{n}, 192.0.2.1"})
    assert said == [200] * 10 + [429]


def test_nobody_is_believed_who_is_no_trusted_proxy(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    for proxies in ((), ("10.0.0.0/8",)):
        ask = served(trusted_proxies=proxies)
        with caplog.at_level(logging.WARNING):
            said = answers(ask, 11, lambda n: {"x_forwarded_for": f"192.0.2.{n}"})
        assert said == [200] * 10 + [429]
    assert caplog.text.count("BRINK_TRUSTED_PROXIES") == 1


def test_a_household_is_one_address_or_one_network_of_ipv6() -> None:
    assert address_prefix("192.0.2.7") == address_prefix("::ffff:192.0.2.7") == "192.0.2.7"
    assert address_prefix("2001:db8:1:2::5") == address_prefix("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert address_prefix("2001:db8:1:3::5") != address_prefix("2001:db8:1:2::5")


def test_trusted_proxies_are_addresses_and_networks() -> None:
    read = from_environment({"BRINK_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8,::1"})
    assert read.trusted_proxies == ("127.0.0.1", "10.0.0.0/8", "::1")
    for wrong in ("*", "localhost", "10.0.0.0/33"):
        with pytest.raises(SettingError, match="BRINK_TRUSTED_PROXIES"):
            from_environment({"BRINK_TRUSTED_PROXIES": wrong})
