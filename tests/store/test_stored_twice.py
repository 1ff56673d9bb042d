"""Two requests that store the same thing for a user at once: it is there once, and none of them fails."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert, select, update

from brinkmanship.store import repository, schema
from brinkmanship.store.database import open_database
from brinkmanship.web.accounts.contacts import ContactService
from support.databases import KINDS, fresh_database
from support.house import House, run
from support.overlapping import overlap, waits_for_a_lock
from support.patience import until


@contextmanager
def with_anna(kind: str, folder: Path) -> Iterator[Engine]:
    """A database with one user, her session and a table."""
    with fresh_database(kind, folder) as url:
        engine = open_database(url)
        with engine.begin() as connection:
            anna = {"id": "anna", "name": "Anna", "language": "en", "created_at": 0.0}
            connection.execute(insert(schema.people).values(anna))
            session = {"digest": "session", "person_id": "anna", "created_at": 0.0}
            connection.execute(insert(schema.sessions).values(session))
            table = {"id": "t", "game": "13-days", "rules_version": 1, "options": {}, "secret": b"", "commitment": ""}
            connection.execute(insert(schema.tables).values(**table, created_at=0.0, status="running"))
        yield engine
        engine.dispose()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with with_anna("postgresql", tmp_path) as engine:
        yield engine


@pytest.mark.parametrize("kind", KINDS)
def test_a_note_replaces_the_one_before(kind: str, tmp_path: Path) -> None:
    with with_anna(kind, tmp_path) as engine:
        for text in ("first", "second"):
            repository.write_note(engine, "t", "anna", text)
        assert repository.note_of(engine, "t", "anna") == "second"


def test_two_first_notes(engine: Engine) -> None:
    overlap(
        engine,
        lambda: repository.write_note(engine, "t", "anna", "first"),
        lambda: repository.write_note(engine, "t", "anna", "second"),
    )
    assert repository.note_of(engine, "t", "anna") == "second"


def test_two_webhooks(engine: Engine) -> None:
    contacts = ContactService(engine)
    overlap(
        engine,
        lambda: contacts.give_webhook("anna", "https://example.org/first"),
        lambda: contacts.give_webhook("anna", "https://example.org/second"),
    )
    assert [contact.address for contact in contacts.of("anna")] == ["https://example.org/second"]


def test_one_browser_twice(engine: Engine) -> None:
    contacts = ContactService(engine)
    overlap(
        engine,
        lambda: contacts.give_browser("anna", "session", "https://push.example.org/1", "keys", "first"),
        lambda: contacts.give_browser("anna", "session", "https://push.example.org/1", "keys", "second"),
    )
    assert [contact.label for contact in contacts.of("anna")] == ["second"]


def test_one_standing_order_in_two_processes(tmp_path: Path) -> None:
    async def give(house: House) -> None:
        table = await house.table()
        order = table.game.orders(0)[0]
        with house.engine.connect() as connection:  # the other process
            here = schema.tables.c.id == table.id
            connection.execute(update(schema.tables).where(here).values(**schema.CHANGED))
            row = {"table_id": table.id, "side": 0, "about": order.about, "text": order.text}
            connection.execute(insert(schema.orders).values(row))
            giving = asyncio.create_task(house.services.standing_orders.give(table.id, house.anna.id, 0, order.text))
            await until(lambda: giving.done() or waits_for_a_lock(house.engine))
            connection.commit()
        await giving
        with house.engine.connect() as connection:
            assert connection.execute(select(schema.orders.c.text)).scalars().all() == [order.text]

    with fresh_database("postgresql", tmp_path) as url:
        run(url, give)
