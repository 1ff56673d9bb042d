"""Fixtures of notices: a mailbox, and a server with its notifier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from brinkmanship.web.notifications import email as outgoing_mail
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.notice_house import SITE, AnyPort, House, Postbox
from support.patience import HANGS_SECONDS
from support.subscribing import receiver

__all__ = ["receiver"]


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    box = Postbox()
    server = AnyPort(box, hostname="127.0.0.1", port=0, ready_timeout=HANGS_SECONDS)
    server.start()
    box.port = server.port
    yield box
    server.stop()


@pytest.fixture
def house(settings: Settings, postbox: Postbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(outgoing_mail, "TIMEOUT_SECONDS", HANGS_SECONDS)
    settings = replace(
        settings,
        smtp_host="127.0.0.1",
        smtp_port=postbox.port,
        smtp_security="none",
        smtp_from="brink@example.org",
        public_url=SITE,
        webhooks_to_private=True,
        push_hosts=("127.0.0.1",),
        notice_after_seconds=0,
    )
    with TestClient(create_app(settings)) as client:
        yield House(client)
