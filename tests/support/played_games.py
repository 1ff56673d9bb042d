"""Finished games of two visitors, and the counting of their results."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import select
from starlette.testclient import TestClient

from brinkmanship.store.schema import people
from brinkmanship.web.profiles import counting, statistics
from support.visitors import Visitor


def services_of(client: TestClient) -> Any:
    """Return the services of a server."""
    return client.app.state.services  # type: ignore[attr-defined]


def played(anna: Visitor, boris: Visitor, game: str = "13-days") -> str:
    """Return the path of an open table where Anna, as side 0, has won because Boris resigned."""
    table = anna.begin("open", 0, game)
    assert boris.post(table.replace("/t/", "/join/"), name="Boris", csrf=boris.csrf).status_code == 303
    resign(boris, table, 1)
    return table


def played_by_invitation(anna: Visitor, boris: Visitor) -> str:
    """Return the path of a table by invitation where Anna, as side 0, has won because Boris resigned."""
    table = anna.begin("friend")
    link = re.search(r'value="https?://[^"]+?(/join/[^"]+)"', anna.get(table))
    assert link
    assert boris.post(link[1], name="Boris", csrf=boris.csrf).status_code == 303
    resign(boris, table, 1)
    return table


def resign(visitor: Visitor, table: str, side: int) -> None:
    """End a game."""
    assert visitor.post(f"{table}/resign", side=side, sure="true", csrf=visitor.csrf).status_code == 303


def counted(client: TestClient) -> int:
    """Count all finished games and work the statistics out, as the periodic tasks do."""
    services = services_of(client)
    number = counting.count_now(services.engine, services.tables, 50)
    statistics.compute_now(services.engine)
    return number


def id_of(client: TestClient, login: str) -> str:
    """Return the id of the person with an account."""
    with services_of(client).engine.connect() as connection:
        return str(connection.execute(select(people.c.id).where(people.c.login == login.casefold())).scalar_one())


def make_public(visitor: Visitor) -> None:
    """Make a visitor's profile public on their account page."""
    assert visitor.post("/account/profile", public="true", csrf=visitor.csrf).status_code == 303


def table_id(path: str) -> str:
    """Return the id in the path of a table."""
    return path.removeprefix("/t/")
