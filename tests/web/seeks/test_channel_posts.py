"""Posts of open seeks to a channel: each seek once, few messages, no names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, update

from brinkmanship.engine.errors import BrinkError
from brinkmanship.store import schema
from brinkmanship.store import seeks as stored
from brinkmanship.store.database import open_database
from brinkmanship.store.seeks import DAYS, OPEN, Seek, Want
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.notifications import webhook
from brinkmanship.web.notifications.webhook import WebhookError
from brinkmanship.web.seeks.channel_posts import (
    MAX_LINES,
    PAUSE_SECONDS,
    UNPAIRED_SECONDS,
    ChannelPosts,
    message_of,
)
from brinkmanship.web.support.settings import Settings, from_environment
from brinkmanship.web.support.time_control import now
from support.loops import run_in_thread

SETTINGS = Settings(seeks_webhook="https://discord.com/api/webhooks/1/abc", public_url="https://brink.example")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'table.sqlite3'}")
    yield engine
    engine.dispose()


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    bodies: list[dict[str, Any]] = []

    async def send(_url: str, body: bytes, *_: object) -> int:
        bodies.append(json.loads(body))
        return 204

    monkeypatch.setattr(webhook, "send", send)
    return bodies


def place(engine: Engine, name: str, seconds_ago: float = UNPAIRED_SECONDS) -> Seek:
    person, _ = UserService(engine).add_guest(name, "en")
    wants = (Want("13-days", 0), Want("13-days", 1))
    at = now() - seconds_ago
    seek = Seek(name.lower(), person.id, name, wants, ("days 3",), DAYS, False, at, at + 1e6, OPEN, None)
    stored.place(engine, seek, at, None, 100, at)
    return seek


def tick(engine: Engine, settings: Settings = SETTINGS) -> None:
    run_in_thread(ChannelPosts(engine, settings).tick())


def test_what_is_open_for_half_a_minute_is_posted_once_without_a_name(
    engine: Engine, posted: list[dict[str, Any]]
) -> None:
    place(engine, "Secretive")
    place(engine, "Fresh", 0.0)
    for _ in range(2):  # two processes
        tick(engine)
    (body,) = posted
    line = "13 Days: The Cuban Missile Crisis, 3 days per decision: https://brink.example/seek/secretive"
    assert body["content"] == body["text"] == f"Looking for an opponent:\n{line}"
    assert body["allowed_mentions"] == {"parse": []}
    assert "Secretive" not in json.dumps(body)


def test_there_is_a_message_a_minute_for_all_that_came_meanwhile(engine: Engine, posted: list[dict[str, Any]]) -> None:
    place(engine, "First")
    tick(engine)
    for number in range(MAX_LINES + 2):
        place(engine, f"Later{number}")
    tick(engine)
    assert len(posted) == 1
    with engine.begin() as connection:
        announced_at = schema.seeks.c.announced_at
        ago = update(schema.seeks).where(announced_at.is_not(None))
        connection.execute(ago.values(announced_at=announced_at - PAUSE_SECONDS))
    tick(engine)
    assert len(posted) == 2
    assert posted[1]["text"].splitlines()[-1] == "and 2 more"
    assert len(posted[1]["text"].splitlines()) == 1 + MAX_LINES + 1


def test_nothing_is_posted_without_a_channel_or_after_a_failure(
    engine: Engine, posted: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    place(engine, "Anna")
    tick(engine, replace(SETTINGS, seeks_webhook=""))
    tick(engine, replace(SETTINGS, public_url=""))
    assert posted == []

    async def fail(*_: object) -> None:
        raise WebhookError("the receiver responded with 500")

    with monkeypatch.context() as patched:
        patched.setattr(webhook, "send", fail)
        tick(engine)
    tick(engine)
    assert posted == []


def test_the_channel_is_an_address() -> None:
    assert from_environment({"BRINK_SEEKS_WEBHOOK": SETTINGS.seeks_webhook}).seeks_webhook == SETTINGS.seeks_webhook
    with pytest.raises(BrinkError):
        from_environment({"BRINK_SEEKS_WEBHOOK": "my channel"})


def test_a_game_that_is_no_longer_installed_breaks_no_message() -> None:
    seek = Seek("a", "b", "", (Want("gone", 0),), ("live 10 5",), "live", True, 0.0, 1.0, OPEN, None)
    assert "rated" in str(message_of([seek], "")["text"])
