"""A server whose notifier ticks when it is told to, a mailbox, and players who are asked."""

from __future__ import annotations

import http.server
import json
import os
import re
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import select, update
from starlette.testclient import TestClient

from brinkmanship.store.schema import contacts, deliveries, records, tables
from brinkmanship.web.notifications.notifier import Notifier
from brinkmanship.web.notifications.push import encoded, public_bytes
from brinkmanship.web.notifications.turn import turn_of
from brinkmanship.web.services import ServerServices
from support.visitors import Visitor, invited, live

SITE = "https://brink.example.org/table"
"""How people reach the server, which is not how the tests call it."""


class Postbox:
    """An SMTP server that keeps what it takes; while it is `closed` it takes nothing."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        """The mails as they came over the line."""
        self.closed = False
        self.port = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802, ARG002 - aiosmtpd's name
        if self.closed:
            return "451 come back later"
        self.raw.append(envelope.content)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))  # type: ignore[arg-type]
        return "250 OK"


class AnyPort(Controller):
    """A controller on any free port."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class Receiver(http.server.ThreadingHTTPServer):
    """A server that keeps what is posted to it: a webhook, or a push service."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answer = 204
        super().__init__(("127.0.0.1", 0), Posted)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Posted(http.server.BaseHTTPRequestHandler):
    """A request to a `Receiver`."""

    server: Receiver

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), content))
        self.send_response(self.server.answer)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""


class Browser:
    """A browser that takes push messages, and reads them with another library than ours."""

    def __init__(self, push_service: Receiver, name: str = "1") -> None:
        self.push_service = push_service
        self.endpoint = f"{push_service.url}/{name}"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)

        self.keys = {"p256dh": encoded(public_bytes(self._key)), "auth": encoded(self._secret)}

    def subscribe(self, visitor: Visitor) -> Any:
        return visitor.post("/notices/push", endpoint=self.endpoint, csrf=visitor.csrf, **self.keys)

    def read(self) -> list[dict[str, str]]:
        """What has come from the server so far."""
        return [
            json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm"))
            for _, body in self.push_service.got
        ]


class House:
    """A server with its notifier, which ticks when it is told to."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.app: Any = client.app
        services: ServerServices = self.app.state.services
        self.engine = services.engine
        self.ahead = 0.0
        """By how much (s) the notifier's clock is ahead."""
        self.notifier = Notifier(services.engine, services.tables, services.presence, services.settings, self.now)

    def now(self) -> float:
        return time.time() + self.ahead

    def tick(self) -> None:
        assert self.client.portal is not None
        self.client.portal.call(self.notifier.tick)
        self.client.portal.call(self.notifier.settle)

    def later(self, seconds: float = 1000) -> None:
        """All that happened, happened so long ago; all that waits is due so much earlier."""
        with self.engine.begin() as connection:
            connection.execute(update(records).values(at=records.c.at - seconds))
            connection.execute(update(tables).values(dealt_at=tables.c.dealt_at - seconds))
            connection.execute(update(contacts).values(present_at=contacts.c.present_at - 2 * seconds))
            connection.execute(update(deliveries).values(due_at=deliveries.c.due_at - 10 * seconds))
        self.notifier._turns.clear()

    def waiting(self) -> int:
        with self.engine.connect() as connection:
            return len(connection.execute(select(deliveries)).all())


def body(mail: EmailMessage) -> str:
    return mail.get_content()


def link(mail: EmailMessage, purpose: str) -> str:
    found = re.search(rf"{SITE}(/notices/{purpose}/\S+)", body(mail))
    assert found
    return found[1]


def confirmed(house: House, postbox: Postbox, visitor: Visitor) -> None:
    """The visitor has given an address and confirmed it."""
    assert visitor.post("/notices/email", address="boris@example.org", csrf=visitor.csrf).status_code == 303
    house.tick()
    assert visitor.post(link(postbox.mails.pop(), "confirm")).status_code == 200


def two(house: House) -> tuple[Visitor, Visitor, str]:
    anna, boris = Visitor(house.client), Visitor(house.client)
    return anna, boris, invited(anna, boris)


def act(house: House, visitor: Visitor, table: str, side: int) -> None:
    game = live(house.client, table)
    sent = {"side": side, "version": game.version(side), "action": game.match.legal(side)[0].action}
    assert visitor.post(f"{table}/act", csrf=visitor.csrf, **sent).status_code == 303


def until_asked(house: House, people: tuple[Visitor, Visitor], table: str, side: int) -> None:
    """Play until, after something the other did, one side alone is asked."""
    game = live(house.client, table)
    while not (game.to_move == [side] and turn_of(game, side) is not None):
        mover = game.to_move[0]
        act(house, people[mover], table, mover)
