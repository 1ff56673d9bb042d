"""A push service, and a browser whose maker gives out subscriptions at it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from brinkmanship.web.notifications import webhook
from support.notice_house import Browser, Receiver
from support.patience import HANGS_SECONDS


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A push service, or whom a webhook tells."""
    monkeypatch.setattr(webhook, "DEADLINE_SECONDS", HANGS_SECONDS)
    server = Receiver()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def subscription(browser: Browser) -> str:
    """Return a script in which the browser's maker gives out a subscription at our push service."""
    given = json.dumps({"endpoint": browser.endpoint, "keys": browser.keys})
    return f"""
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async (options) => {{
        window.asked = [options.userVisibleOnly, options.applicationServerKey.length];
        return {{ toJSON: () => ({given}) }};
      }};"""
