"""`brink server admin`: what an operator is told and can do, on both kinds of database."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Engine, func, select, update
from starlette.testclient import TestClient

from brinkmanship.cli.commands.server.admin import COLUMNS
from brinkmanship.store import administration, moderation, schema, tournaments
from brinkmanship.store.administration import StuckRow, TableRow, UserRow
from brinkmanship.store.database import open_database
from brinkmanship.store.ratings import Pair
from brinkmanship.web.jobs.queue import Jobs, WorkerRow
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.time_control import Clock
from brinkmanship.web.tournaments.terms import TournamentSettings, checked
from support.cli_runner import run
from support.databases import KINDS, fresh_database

DAY = 24 * 3600


class Site(NamedTuple):
    """A database: Anna has an account and plays, Boris is a guest and plays, Carla is a guest who sits nowhere."""

    url: str
    engine: Engine
    client: TestClient
    tokens: dict[str, str]
    table: str


@pytest.fixture(params=KINDS)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    with fresh_database(request.param, tmp_path) as url, TestClient(create_app(Settings(database=url))) as client:
        tokens = {
            name: client.post("/api/v1/tokens", json={"name": name}).json()["token"]
            for name in ("Anna", "Boris", "Carla")
        }
        app: Any = client.app
        people = app.state.services.users
        people.register(people.by_token(tokens["Anna"], True), "Anna", "a long password")
        body = {"game": "13-days", "seats": ["me", "friend"]}
        made = client.post("/api/v1/tables", json=body, headers=bearer(tokens["Anna"])).json()
        (invitation,) = made["invitations"].values()
        joining = f"/api/v1/tables/{made['id']}/join"
        client.post(joining, json={"invitation": invitation}, headers=bearer(tokens["Boris"]))
        engine = open_database(url)
        yield Site(url, engine, client, tokens, made["id"])
        engine.dispose()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def admin(site: Site, *arguments: str) -> Any:
    result = run("server", "admin", *arguments, "--database", site.url, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_people_are_listed_and_found(site: Site) -> None:
    everybody = admin(site, "users")["users"]
    assert {(row["name"], row["login"], row["playing"]) for row in everybody} == {
        ("Anna", "anna", 1),
        ("Boris", None, 1),
        ("Carla", None, 0),
    }
    assert [row["name"] for row in admin(site, "users", "--search", "NN")["users"]] == ["Anna"]
    assert admin(site, "users", "--search", "%")["users"] == []
    assert len(admin(site, "users", "--limit", "2")["users"]) == 2
    shown = run("server", "admin", "users", "--search", "anna", "--database", site.url).out
    assert shown.split()[:4] == ["id", "name", "account", "since"]
    assert "Anna" in shown


def test_who_is_banned_comes_in_no_more(site: Site) -> None:
    app: Any = site.client.app
    banned = admin(site, "ban", "anna")
    app.state.services.users.forget(banned["person"])  # as a notice says, or time
    path = f"/api/v1/tables/{site.table}"
    assert site.client.get(f"{path}?side=us", headers=bearer(site.tokens["Anna"])).status_code in (401, 403)
    with pytest.raises(Exception, match="closed"):
        app.state.services.users.sign_in("anna", "a long password")
    admin(site, "unban", "anna")
    person, _ = app.state.services.users.sign_in("anna", "a long password")
    assert person.name == "Anna"
    refused = run("server", "admin", "ban", "nobody", "--database", site.url)
    assert (refused.code, "nobody" in refused.err) == (2, True)


def test_tables_are_listed_and_what_is_overdue_is_found(site: Site) -> None:
    (row,) = admin(site, "tables", "--status", "running")["tables"]
    assert (row["id"], row["game"], row["seats"]) == (site.table, "13-days", "Anna, Boris")
    assert admin(site, "tables", "--status", "over")["tables"] == []
    assert admin(site, "stuck")["stuck"] == []
    long_ago = time.time() - 1000
    with site.engine.begin() as connection:
        connection.execute(update(schema.tables).values(clock_ends_at=long_ago, status="dealing", created_at=long_ago))
    (found,) = administration.stuck(site.engine, long_ago + 1)
    assert (found.id, found.why) == (site.table, "dealing")
    result = run("server", "admin", "stuck", "--minutes", "10", "--database", site.url)
    assert result.code == 1
    assert site.table in result.out


def test_a_tournament_is_listed_and_taken_off_the_list(site: Site) -> None:
    anna = administration.person(site.engine, "anna")
    new = checked(TournamentSettings("cup", "Cup", "13-days", Clock("days", 86_400.0), 4, round_days=30), anna, 0.0)
    tournaments.create(site.engine, new, 1e12)
    assert admin(site, "tournament", new.id) == {"tournament": new.id, "listed": True}
    assert [each.tournament.id for each in tournaments.listed(site.engine, "open", 9)] == [new.id]
    assert not admin(site, "tournament", new.id, "--unlisted")["listed"]
    assert tournaments.listed(site.engine, "open", 9) == []
    refused = run("server", "admin", "tournament", "nowhere", "--database", site.url)
    assert (refused.code, "nowhere" in refused.err) == (2, True)


def test_machines_for_computers_are_listed(site: Site) -> None:
    assert admin(site, "workers")["workers"] == []
    Jobs(site.engine).renew("far-away", 3)
    (row,) = admin(site, "workers")["workers"]
    assert (row["name"], row["places"], row["done"]) == ("far-away", 3, 0)


def test_a_backup_holds_everything_and_overwrites_nothing(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    if site.url.startswith("postgresql") and shutil.which("pg_dump") is None:
        refused = run("server", "admin", "backup", str(file), "--database", site.url)
        assert (refused.code, "pg_dump" in refused.err) == (2, True)
        assert list(tmp_path.glob("backup*")) == []
        return
    assert admin(site, "backup", str(file))["bytes"] == file.stat().st_size > 0
    assert file.stat().st_mode & 0o777 == 0o600  # it holds the secrets of running games
    if site.url.startswith("sqlite"):
        copy = open_database(f"sqlite:///{file}")
        with copy.connect() as connection:
            assert connection.execute(select(func.count()).select_from(schema.people)).scalar_one() == 3
        copy.dispose()
    again = run("server", "admin", "backup", str(file), "--database", site.url)
    assert (again.code, "already" in again.err) == (2, True)


def test_only_what_is_old_and_wanted_by_nobody_is_pruned(site: Site) -> None:
    with site.engine.begin() as connection:
        connection.execute(update(schema.people).values(created_at=1))
        connection.execute(update(schema.sessions).values(used_at=1))
    assert admin(site, "prune", "--guests", "30", "--games", "30") == {"guests": 1, "games": 0, "removed": False}
    assert len(admin(site, "users")["users"]) == 3
    assert admin(site, "prune", "--guests", "30", "--yes") == {"guests": 1, "games": 0, "removed": True}
    assert {row["name"] for row in admin(site, "users")["users"]} == {"Anna", "Boris"}
    with site.engine.begin() as connection:
        connection.execute(update(schema.tables).values(status="over", finished_at=time.time() - 31 * DAY))
    assert admin(site, "prune", "--games", "32")["games"] == 0
    assert admin(site, "prune", "--games", "30", "--yes")["games"] == 1
    with site.engine.connect() as connection:
        for table in (schema.tables, schema.seats, schema.records):
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0


def test_a_campaign_goes_as_a_whole(site: Site) -> None:
    with site.engine.begin() as connection:
        row = connection.execute(select(schema.tables)).mappings().one()
        over = {"status": "over", "finished_at": 100.0}
        connection.execute(update(schema.tables).values(over))
        connection.execute(schema.tables.insert().values({**row, **over, "id": "second", "finished_at": 200.0}))
        for number, table in enumerate((site.table, "second")):
            part = {"table_id": table, "series": site.table, "number": number, "swapped": False}
            connection.execute(schema.series_games.insert().values(part))
    assert administration.old_games(site.engine, 150.0) == []
    assert set(administration.old_games(site.engine, 250.0)) == {site.table, "second"}


def test_columns_have_headings_for_people() -> None:
    columns = {field for row in (UserRow, TableRow, StuckRow, WorkerRow, Pair) for field in row._fields}
    assert set(COLUMNS) <= columns
    assert not any("_" in COLUMNS.get(column, column) for column in columns)


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    file = tmp_path / "none.sqlite3"
    refused = run("server", "admin", "users", "--database", f"sqlite:///{file}")
    assert (refused.code, "there is no database" in refused.err) == (2, True)
    assert not file.exists()


def test_ratings_are_computed_again_and_collusion_is_listed(site: Site) -> None:
    rebuilt = run("server", "admin", "ratings", "--rebuild", "--database", site.url)
    assert (rebuilt.code, rebuilt.out) == (0, "All ratings were computed again from 0 games.\n")
    listed = run("server", "admin", "ratings", "--json", "--database", site.url)
    assert json.loads(listed.out) == {"advantages": []}
    assert run("server", "admin", "collusion", "--database", site.url).out == "Nothing found.\n"


def test_an_operator_names_moderators_and_sees_reports_and_appeals(site: Site) -> None:
    app: Any = site.client.app
    people = {row["name"]: row["id"] for row in admin(site, "users")["users"]}
    with site.engine.begin() as connection:
        moderation.add_report(connection, people["Boris"], people["Anna"], site.table, "abuse", "Rude", time.time())
    (row,) = admin(site, "reports")["reports"]
    assert (row["name"], row["reporter"], row["category"], row["score"]) == ("Anna", "Boris", "abuse", 20)
    admin(site, "measure", "anna", "mute-7", "--reason", "Insults")
    assert admin(site, "reports")["reports"] == []
    with site.engine.begin() as connection:
        (found,) = moderation.measures_of(connection, people["Anna"])
        moderation.add_appeal(connection, found.id, found.key, "I did not", time.time())
    assert [row["appeal"] for row in admin(site, "appeals")["appeals"]] == ["I did not"]
    admin(site, "moderator", "anna")
    app.state.services.users.forget(people["Anna"])
    person, _ = app.state.services.users.sign_in("anna", "a long password")
    assert app.state.services.users.by_token(app.state.services.users.open_session(person.id)).is_moderator
    admin(site, "moderator", "anna", "--remove")
    with site.engine.connect() as connection:
        actions = [(entry.moderator, entry.action) for entry in moderation.log_entries(connection)]
    assert actions == [("operator", "removed"), ("operator", "appointed"), ("operator", "imposed")]
    assert run("server", "admin", "measure", "anna", "exile", "--reason", "x", "--database", site.url).code == 2
