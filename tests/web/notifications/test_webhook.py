"""Webhooks: where they may go, over TLS, in a time that the receiver cannot stretch; and nobody waits for another's."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trustme
from sqlalchemy import insert
from starlette.testclient import TestClient

from brinkmanship.store.schema import contacts, deliveries, people
from brinkmanship.web.notifications import notifier, webhook
from brinkmanship.web.notifications.notifier import AT_ONCE_TO_ONE, Notifier
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.settings import SettingError, Settings, from_environment
from support.loops import run_in_thread
from support.patience import HANGS_SECONDS, wait_until

NAME = "receiver.example.org"

# Addresses. The ranges are those of IANA's two registries of addresses for special purposes.

NOT_PUBLIC = """
    0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.9 172.31.0.9 192.0.0.1
    192.0.0.9 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1
    198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::10.0.0.1 ::8.8.8.8 ::ffff:10.0.0.1
    ::ffff:127.0.0.1 ::ffff:0:8.8.8.8 64:ff9b::a00:1 64:ff9b::808:808 64:ff9b:1::a00:1 100::1 100:0:0:1::1
    2001::1 2001:0:a00:1::1 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1
    2001:db8::1 2002:a00:1:: 2002:808:808:: 2620:4f:8000::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fd00::1
    fe80::1%eth0 fec0::1 ff02::1 ff0e::1 2606:2800:220:1:0:5efe:a00:1 2606:2800:220:1:200:5efe:a00:1
"""


@pytest.mark.parametrize("address", NOT_PUBLIC.split())
def test_no_webhook_goes_where_the_open_internet_is_not(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not webhook.is_public(address)
    answers = [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", (address, 443))]
    monkeypatch.setattr(webhook.socket, "getaddrinfo", lambda *_, **__: answers)
    with pytest.raises(webhook.WebhookError, match="not public"):
        run_in_thread(webhook.post("https://example.org/", b"{}", "secret", "msg_1"))


METADATA = "169.254.169.254 168.63.129.16 100.100.100.200 192.0.0.192 169.254.42.42 fd00:ec2::254 fd20:ce::254"
"""Where machines of providers ask for their keys: most of them, Azure, Alibaba, Oracle, Scaleway, Amazon, Google."""


@pytest.mark.parametrize("address", METADATA.split())
def test_no_webhook_asks_for_the_keys_of_our_machine(address: str) -> None:
    assert not webhook.is_public(address)
    assert not webhook.is_public(f"::ffff:{address}" if "." in address else address)


@pytest.mark.parametrize("port", [22, 25, 80, 8443, 65_535])
def test_webhooks_go_to_no_odd_port(port: int, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def look(*_: object, **__: object) -> None:
        raise AssertionError("it has been looked for")

    monkeypatch.setattr(webhook.socket, "getaddrinfo", look)
    url = f"https://example.org:{port}/"
    with pytest.raises(webhook.WebhookError, match="to this port"):
        run_in_thread(webhook.post(url, b"{}", "secret", "msg_1"))
    with TestClient(create_app(settings)) as client:
        parts: Any = client.app.state.services  # type: ignore[attr-defined]
        anna, _ = parts.users.add_guest("Anna", "en")
        with pytest.raises(IllegalError, match="to this port"):
            parts.contacts.give_webhook(anna.id, url)
        assert parts.contacts.give_webhook(anna.id, "https://example.org/")
        assert parts.contacts.give_webhook(anna.id, "https://example.org:443/")


def test_an_operator_may_allow_other_ports(settings: Settings) -> None:
    assert from_environment({}).webhook_ports == (443,)
    allowed = from_environment({"BRINK_WEBHOOK_PORTS": "443, 8443"}).webhook_ports
    with TestClient(create_app(replace(settings, webhook_ports=allowed))) as client:
        parts: Any = client.app.state.services  # type: ignore[attr-defined]
        anna, _ = parts.users.add_guest("Anna", "en")
        assert parts.contacts.give_webhook(anna.id, "https://example.org:8443/")
    for wrong in ("0", "65536", "https", "9" * 5000, "-1"):
        with pytest.raises(SettingError):
            from_environment({"BRINK_WEBHOOK_PORTS": wrong})


def test_public_addresses_are_public() -> None:
    public = (
        "93.184.216.34",
        "192.0.1.1",
        "198.20.0.1",
        "2606:2800:220:1::1",
        "2001:4860:4860::8888",
        "::ffff:8.8.8.8",
    )
    assert all(webhook.is_public(address) for address in public)


# Over TLS.

Talk = Callable[[socket.socket, ssl.SSLContext], None]


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[trustme.CA]:
    """Who signs certificates that the server believes."""
    signer = trustme.CA()
    signer.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    webhook._tls.cache_clear()
    yield signer
    monkeypatch.undo()
    webhook._tls.cache_clear()


class Receiver:
    """A server on this machine that talks as it is told, to one caller after the other."""

    def __init__(self, services: trustme.CA, talk: Talk, name: str = NAME) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        services.issue_cert(name).configure_cert(self.context)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.talk = talk
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                caller, _ = self.door.accept()
            except OSError:
                return
            try:
                self.talk(caller, self.context)
            except OSError:
                pass  # the caller has had enough
            finally:
                caller.close()


@pytest.fixture
def receive(services: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Starts a receiver; returns the URL of a webhook there."""
    open_doors = []
    monkeypatch.setattr(webhook, "DEADLINE_SECONDS", HANGS_SECONDS)
    monkeypatch.setattr(
        webhook.socket, "getaddrinfo", lambda host, port, **_: [(0, 0, 0, "", (_address_of(host), port))]
    )

    def start(talk: Talk, name: str = NAME) -> str:
        receiver = Receiver(services, talk, name)
        open_doors.append(receiver.door)
        return f"https://{NAME}:{receiver.port}/turns?key=hush"

    yield start
    for door in open_doors:
        door.close()


def _address_of(host: str) -> str:
    assert host == NAME
    return "127.0.0.1"


def takes_it(caller: socket.socket, context: ssl.SSLContext) -> None:
    with context.wrap_socket(caller, server_side=True) as secure:
        got = b""
        while b"\r\n\r\n{}" not in got:
            got += secure.recv(10_000)
        assert f"host: {NAME}:".encode() in got.lower()
        secure.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
        secure.recv(1)  # until the caller has gone


def until_given_up(caller: socket.socket, drop: bytes = b"") -> None:
    """Be slow until the caller has gone; an `OSError` says so as well."""
    given_up_at = time.monotonic() + HANGS_SECONDS
    caller.settimeout(0.1)
    while time.monotonic() < given_up_at:
        caller.sendall(drop)
        try:
            if not caller.recv(10_000):
                return
        except TimeoutError:
            pass


def no_handshake(caller: socket.socket, context: ssl.SSLContext) -> None:  # noqa: ARG001 - it never uses it
    until_given_up(caller)


def half_a_handshake(caller: socket.socket, context: ssl.SSLContext) -> None:  # noqa: ARG001 - it never uses it
    caller.recv(10_000)
    caller.sendall(b"\x16\x03\x03\x00\x7a")
    until_given_up(caller)


def no_answer(caller: socket.socket, context: ssl.SSLContext) -> None:
    with context.wrap_socket(caller, server_side=True) as secure:
        until_given_up(secure)


def answer_by_drops(caller: socket.socket, context: ssl.SSLContext) -> None:
    with context.wrap_socket(caller, server_side=True) as secure:
        secure.recv(10_000)
        secure.sendall(b"HTTP/1.1 200 OK\r\n")
        until_given_up(secure, b"x-more: drop\r\n")


def endless_promises(caller: socket.socket, context: ssl.SSLContext) -> None:
    with context.wrap_socket(caller, server_side=True) as secure:
        secure.recv(10_000)
        until_given_up(secure, b"HTTP/1.1 100 Continue\r\n\r\n")


def test_a_webhook_is_taken_over_tls(receive: Callable[..., str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "brinkmanship")
    run_in_thread(webhook.post(receive(takes_it), b"{}", "secret", "msg_1", allow_private=True))
    assert "hush" not in caplog.text  # also httpx does not log the address


@pytest.mark.parametrize("talk", [no_handshake, half_a_handshake, no_answer, answer_by_drops, endless_promises])
def test_the_deadline_holds_whatever_a_receiver_is_slow_at(
    receive: Callable[..., str], talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "DEADLINE_SECONDS", 0.5)
    url = receive(talk)
    with pytest.raises(webhook.WebhookError, match="too long"):
        run_in_thread(webhook.post(url, b"{}", "secret", "msg_1", allow_private=True))


def test_the_deadline_holds_for_a_slow_name_too(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()
    monkeypatch.setattr(webhook, "DEADLINE_SECONDS", 0.2)
    monkeypatch.setattr(webhook.socket, "getaddrinfo", lambda *_, **__: let_go.wait(HANGS_SECONDS) and [])
    with pytest.raises(webhook.WebhookError, match="too long"):
        run_in_thread(webhook.post(f"https://{NAME}/", b"{}", "secret", "msg_1"))
    let_go.set()


def test_a_certificate_for_another_name_is_refused(receive: Callable[..., str]) -> None:
    url = receive(takes_it, name="other.example.org")
    with pytest.raises(webhook.WebhookError, match="ConnectError"):
        run_in_thread(webhook.post(url, b"{}", "secret", "msg_1", allow_private=True))


def test_the_connection_goes_to_the_address_that_was_checked(
    receive: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = receive(takes_it)
    asked: list[str] = []

    def rebinding(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(0, 0, 0, "", ("127.0.0.1" if len(asked) == 1 else "127.0.0.99", port))]

    monkeypatch.setattr(webhook.socket, "getaddrinfo", rebinding)
    run_in_thread(webhook.post(url, b"{}", "secret", "msg_1", allow_private=True))
    assert asked == [NAME]


# Many receivers.


def test_slow_receivers_delay_nobody_else(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[str] = []

    async def post(url: str, *_: object) -> None:
        posted.append(url)
        if "slow" in url:
            await asyncio.Event().wait()

    monkeypatch.setattr(webhook, "post", post)
    urls = [f"https://slow.example.org/{number}" for number in range(300)]
    urls += [f"https://slow-{number}.example.org/" for number in range(20)]
    urls += ["https://good.example.org/"]
    with TestClient(create_app(settings)) as client:
        parts: Any = client.app.state.services  # type: ignore[attr-defined]
        with parts.engine.begin() as connection:
            for number, url in enumerate(urls):
                person = f"p{number}"
                connection.execute(insert(people).values(id=person, name="x", language="en", created_at=0.0))
                connection.execute(
                    insert(contacts).values(
                        person_id=person, kind="webhook", address=url, secret="s", asked_at=0, present_at=0
                    )
                )
                connection.execute(
                    insert(deliveries).values(person_id=person, kind="webhook", turn=0, attempts=0, due_at=number)
                )
        bell = Notifier(parts.engine, parts.tables, parts.presence, settings)

        def outgoing(group: list[dict[str, Any]]) -> Any:
            return notifier._WebhookRequest(urls[int(group[0]["person_id"][1:])], b"{}", "s", "msg_1")

        monkeypatch.setattr(bell, "_outgoing", outgoing)
        portal = client.portal
        assert portal is not None
        portal.call(bell.tick)
        wait_until(lambda: urls[-1] in posted)
        assert sum("slow.example.org" in url for url in posted) <= AT_ONCE_TO_ONE
        portal.call(bell.tick)  # nor does a look wait, or begin more for the slow one
        assert sum("slow.example.org" in url for url in posted) <= AT_ONCE_TO_ONE
        portal.call(bell.close)
        assert not bell._under_way
