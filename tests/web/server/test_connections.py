"""Connections that are held open to harm: half-sent requests, answers that nobody takes, streams without number."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any
from urllib.request import urlopen

import pytest
import uvicorn

from brinkmanship.web.server import connections
from brinkmanship.web.server.app import create_app
from brinkmanship.web.server.connections import ConnectionLimits, limits_of_server, protocol
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.client_limits import Client
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.settings import Settings, from_environment
from brinkmanship.web.tables.stream_limits import StreamLimits
from support.loops import run_in_thread
from support.patience import HANGS_SECONDS, until, wait_until

HALF = b"POST /account/sign-in HTTP/1.1\r\nHost: x\r\nContent-Le"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
HALF_A_BODY = b"POST /account/sign-in HTTP/1.1\r\nHost: x\r\n" + FORM + b"Content-Length: 100\r\n\r\nlogin="


@pytest.fixture
def serve(settings: Settings) -> Iterator[Callable[[int], int]]:
    """Starts a server that lets an address have so many connections; gives its port."""
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def start(most_of_address: int) -> int:
        app = create_app(replace(settings, streams_of_person=2))
        config = uvicorn.Config(
            app,
            port=0,
            http=protocol(limits_of_server(most_of_address)),
            ws="none",
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((server, thread))
        wait_until(lambda: server.started or not thread.is_alive())
        return int(server.servers[0].sockets[0].getsockname()[1])

    yield start
    for server, thread in running:
        server.should_exit = True
        thread.join(HANGS_SECONDS)


def half_sent(port: int, text: bytes, address: str = "127.0.0.1") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), HANGS_SECONDS, source_address=(address, 0))
    connection.sendall(text)
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed it; waits for that."""
    connection.settimeout(HANGS_SECONDS)
    try:
        return connection.recv(1000) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


@pytest.mark.parametrize("text", [b"", HALF, HALF_A_BODY, b"\r\n\r\n"], ids=["nothing", "head", "body", "blank"])
def test_a_request_that_does_not_come_is_not_waited_for(
    serve: Callable[[int], int], monkeypatch: pytest.MonkeyPatch, text: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    assert is_closed(half_sent(serve(100), text))


def test_nor_the_second_one_of_a_connection(serve: Callable[[int], int], monkeypatch: pytest.MonkeyPatch) -> None:
    connection = half_sent(serve(100), b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
    connection.settimeout(HANGS_SECONDS)
    assert b" 404 " in connection.recv(100_000)
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    connection.sendall(HALF)
    with suppress(ConnectionError):
        while chunk := connection.recv(100_000):
            assert b"HTTP/1.1" not in chunk


def test_endless_first_lines_are_not_read(serve: Callable[[int], int]) -> None:
    connection = half_sent(serve(100), b"GET / HTTP/1.1\r\nHost: x\r\n")
    line = b"x-more: " + b"x" * 8000 + b"\r\n"
    with pytest.raises(ConnectionError):
        connection.sendall(10_000 * line)


@pytest.fixture
def many_files() -> Iterator[None]:
    """Raise the limit of open sockets to the highest that the system allows; many systems begin with a lower one."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
def test_a_thousand_half_sent_requests_lock_nobody_out(serve: Callable[[int], int]) -> None:
    port = serve(100)
    held = []
    for _ in range(1000):
        with suppress(ConnectionError):  # turned away before it could send
            held.append(half_sent(port, HALF))
    other = half_sent(port, b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "127.0.0.2")
    assert b" 404 " in other.recv(100)
    for connection in held:
        connection.close()

    def is_welcome() -> bool:
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health", timeout=HANGS_SECONDS) as answer:
            return bool(answer.status == 200)
        return False

    wait_until(is_welcome)  # the address itself, again


def test_an_answer_that_is_not_taken_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TAKING_SECONDS", 0.05)

    class Transport(asyncio.Transport):
        aborted = False

        def get_extra_info(self, name: str, default: Any = None) -> Any:
            return ("192.0.2.1", 1) if name == "peername" else default

        def abort(self) -> None:
            self.aborted = True

    async def run() -> list[bool]:
        async def app(scope: Any, receive: Any, send: Any) -> None: ...

        http = protocol(limits_of_server(10))
        config = uvicorn.Config(app, http=http)
        config.load()
        state = uvicorn.server.ServerState()
        made = [http(config=config, server_state=state, app_state={}) for _ in range(2)]
        transports = [Transport(), Transport()]
        for each, transport in zip(made, transports, strict=True):
            each.connection_made(transport)
            each.pause_writing()
        made[1].resume_writing()
        await until(lambda: transports[0].aborted)
        await asyncio.sleep(2 * connections.TAKING_SECONDS)
        return [transport.aborted for transport in transports]

    assert run_in_thread(run()) == [True, False]


def test_a_server_that_ends_answers_what_was_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LAST_CALL_SECONDS", 0.001)

    class Transport(asyncio.Transport):
        def __init__(self) -> None:
            super().__init__()
            self.written = b""
            self.closed = False

        def get_extra_info(self, name: str, default: Any = None) -> Any:
            return ("192.0.2.1", 1) if name == "peername" else default

        def write(self, data: Any) -> None:
            self.written += bytes(data)

        def is_closing(self) -> bool:
            return self.closed

        def close(self) -> None:
            self.closed = True

        def resume_reading(self) -> None: ...

    async def run() -> None:
        async def app(_: Any, __: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        limits = limits_of_server(10)
        http = protocol(limits)
        config = uvicorn.Config(app, http=http)
        config.load()
        state = uvicorn.server.ServerState()

        def connected() -> tuple[Any, Transport]:
            made, transport = http(config=config, server_state=state, app_state={}), Transport()
            made.connection_made(transport)
            return made, transport

        silent, asking, between = connected(), connected(), connected()
        request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        between[0].data_received(request)
        await until(lambda: between[1].written)
        assert not between[1].closed
        limits.is_ending = True
        late = connected()  # it waited in the queue
        for made, _ in (silent, asking, between):
            made.shutdown()
        for made, transport in (asking, between, late):
            assert not transport.closed
            transport.written = b""
            made.data_received(request)
        for _, transport in (asking, between, late):
            await until(lambda transport=transport: transport.closed)
            assert transport.written.startswith(b"HTTP/1.1 204")
        await until(lambda: silent[1].closed)
        assert silent[1].written == b""

    run_in_thread(run())


def test_connections_are_counted_by_address_and_in_all() -> None:
    limits = ConnectionLimits(most=5, most_of_address=2, proxies=frozenset(("10.0.0.1",)))
    assert [limits.admit("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [limits.admit("10.0.0.1") for _ in range(4)] == [True, True, True, False]
    limits.leave("192.0.2.1")
    assert limits.admit("192.0.2.2")
    for host in ("192.0.2.1", "192.0.2.2", *3 * ["10.0.0.1"]):
        limits.leave(host)
    assert limits._open == {}


@contextmanager
def opened(limits: StreamLimits, client: Client) -> Iterator[None]:
    """A stream that a client has open."""
    address = rate_limit.client_address.set(client.address)
    person_id = rate_limit.client_person.set(client.person_id)
    try:
        with limits.one_more():
            yield
    finally:
        rate_limit.client_address.reset(address)
        rate_limit.client_person.reset(person_id)


def test_streams_are_counted_by_address_and_by_person() -> None:
    limits = StreamLimits(most_of_address=3, most_of_person=2)
    anna, away, boris, stranger = Client("1", "anna"), Client("2", "anna"), Client("1", "boris"), Client("1")
    with opened(limits, anna), opened(limits, anna):
        with pytest.raises(TooManyError), opened(limits, away):
            pass
        with opened(limits, stranger), pytest.raises(TooManyError), opened(limits, boris):
            pass
        with opened(limits, boris):
            assert limits.number == 3
    assert limits.number == 0
    with opened(limits, anna), opened(limits, away):
        assert limits.number == 2


def test_one_stream_too_many_is_refused(client: Any) -> None:
    """The limits are those of the address for strangers, and of the user for a program with a token."""
    made = client.post("/api/v1/tokens", json={"name": "Anna"}).json()
    headers = {"authorization": f"Bearer {made['token']}"}
    body = {"game": "13-days", "seats": ["me", "me"]}
    table = client.post("/api/v1/tables", json=body, headers=headers).json()["id"]
    of_stranger, of_program = Client(address="testclient"), Client("elsewhere", made["person"])
    for path, other, sent in (
        (f"/t/{table}/news", of_stranger, {}),
        (f"/api/v1/tables/{table}/stream", of_program, headers),
    ):
        streams = StreamLimits(1, 1)
        client.app.state.services = replace(client.app.state.services, streams=streams)
        with opened(streams, other):
            answer = client.get(path, headers=sent)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0


def test_limits_of_connections_are_settings() -> None:
    read = from_environment({"BRINK_CONNECTIONS_OF_ADDRESS": "7", "BRINK_STREAMS_OF_PERSON": "3"})
    assert (read.connections_of_address, read.streams_of_person, read.streams_of_address) == (7, 3, 256)
