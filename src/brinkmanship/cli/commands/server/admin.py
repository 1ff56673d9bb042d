"""``brink server admin``: inspect and maintain a server's database, also while the server runs."""

from __future__ import annotations

import json
import time
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from brinkmanship.cli import command, group, server_commands
from brinkmanship.cli.options import AsJson
from brinkmanship.engine.message import Message
from brinkmanship.web.support.settings import from_environment

if TYPE_CHECKING:
    from sqlalchemy import Engine

DAY_SECONDS = 24 * 3600
BAN_REASON = "Closed by the operator of this server."
TIMES = ("created_at", "seen_at", "banned_at", "moved_at", "since", "at", "until", "appealed_at", "last_at")
"""Columns in seconds since 1970."""

COLUMNS = {
    "login": "account",
    "created_at": "since",
    "seen_at": "last seen",
    "banned_at": "banned",
    "moved_at": "last move",
    "home": "server process",
    "why": "overdue",
    "places": "processes",
    "done": "jobs done",
    "seconds_left": "lease ends in (s)",
    "person_id": "resigned",
    "opponent": "against",
    "last_at": "last",
}
"""Headings of columns that differ from the field names."""

OVERDUE = {"computer": "choice of a computer player", "clock": "end of a clock", "dealing": "bytes for the deal"}
"""Descriptions of overdue actions at a table."""

REPORT_COLUMNS = ("id", "name", "category", "text", "reporter", "score", "at")
APPEAL_COLUMNS = ("id", "name", "kind", "reason", "appeal", "appealed_at")

Database = Annotated[str | None, typer.Option()]
Limit = Annotated[int, typer.Option(min=1)]
Who = Annotated[str, typer.Argument(metavar="PERSON")]

admin = group("admin", server_commands)


@command("brink server admin users --search anna", "brink server admin users --json", within=admin)
def users(
    search: Annotated[str, typer.Option()] = "",
    limit: Limit = 50,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """List users."""
    from brinkmanship.store import administration

    with _opened(database) as engine:
        _show(administration.users(engine, search, limit), "users", as_json)


@command("brink server admin ban anna", within=admin)
def ban(
    person: Who,
    reason: Annotated[str, typer.Option()] = BAN_REASON,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Close the account of a user, who is signed out everywhere and reads the reason when signing in."""
    found = _impose(person, "closed", reason, database)
    _say({"person": found}, f"{person} is banned, and signed out everywhere.", as_json)


@command("brink server admin unban anna", within=admin)
def unban(person: Who, database: Database = None, as_json: AsJson = False) -> None:
    """Lift the measures that close the account of a user."""
    from brinkmanship.store import administration, moderation

    now = time.time()
    with _opened(database) as engine, engine.begin() as connection:
        found = administration.person(engine, person)
        for each in moderation.measures_of(connection, found):
            if each.kind == moderation.CLOSED and each.is_active(now):
                moderation.lift(connection, moderation.OPERATOR, each.id, "", now)
        moderation.reopen(connection, found, now)
    _say({"person": found}, f"{person} may sign in again.", as_json)


@command("brink server admin measure anna mute-7 --reason 'Insults in the chat'", within=admin)
def measure(
    person: Who,
    kind: Annotated[str, typer.Argument(metavar="MEASURE")],
    reason: Annotated[str, typer.Option()],
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Impose a measure on a user: warning, mute-1, mute-7, mute-30, unrated-30, rename, closed ..."""
    from brinkmanship.web.moderation.moderation_service import MEASURES

    if kind not in MEASURES:
        raise typer.BadParameter(f"the measures are {', '.join(MEASURES)}", param_hint="MEASURE")
    found = _impose(person, kind, reason, database)
    _say({"person": found, "measure": kind}, f"{person} will read the measure and its reason.", as_json)


@command("brink server admin reports", within=admin)
def reports(database: Database = None, as_json: AsJson = False) -> None:
    """List the open reports, most urgent first."""
    from brinkmanship.store import moderation

    with _opened(database) as engine, engine.connect() as connection:
        _show([_short(row, REPORT_COLUMNS) for row in moderation.open_reports(connection)], "reports", as_json)


@command("brink server admin appeals", within=admin)
def appeals(database: Database = None, as_json: AsJson = False) -> None:
    """List the measures whose appeals wait for a decision."""
    from brinkmanship.store import moderation

    with _opened(database) as engine, engine.connect() as connection:
        _show([_short(row, APPEAL_COLUMNS) for row in moderation.appeals(connection)], "appeals", as_json)


@command("brink server admin moderator anna", "brink server admin moderator anna --remove", within=admin)
def moderator(
    person: Who,
    remove: Annotated[bool, typer.Option("--remove")] = False,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Let a user moderate, or end that."""
    from brinkmanship.store import administration, moderation

    with _opened(database) as engine:
        found = administration.person(engine, person)
        with engine.begin() as connection:
            moderation.set_role(connection, found, not remove, time.time())
        _tell(engine, found)
    said = f"{person} does not moderate any more." if remove else f"{person} moderates: the pages are at /moderation."
    _say({"person": found, "moderator": not remove}, said, as_json)


@command("brink server admin tables --status running", within=admin)
def tables(
    status: Annotated[str, typer.Option()] = "",
    limit: Limit = 50,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """List tables."""
    from brinkmanship.store import administration

    with _opened(database) as engine:
        _show(administration.all_tables(engine, status, limit), "tables", as_json)


@command("brink server admin stuck --minutes 10", within=admin)
def stuck(
    minutes: Annotated[float, typer.Option(min=0)] = 5,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """List tables with an overdue action; exit code 1 if there are any."""
    from brinkmanship.store import administration

    with _opened(database) as engine:
        found = administration.stuck(engine, time.time() - 60 * minutes)
    _show(found, "stuck", as_json)
    if found:
        raise typer.Exit(1)


@command("brink server admin workers", within=admin)
def workers(database: Database = None, as_json: AsJson = False) -> None:
    """List the worker machines for computer players."""
    from brinkmanship.web.jobs.queue import Jobs

    with _opened(database) as engine:
        _show(Jobs(engine).all_workers(), "workers", as_json)


@command(
    "brink server admin tournament k3Jx9abc",
    "brink server admin tournament k3Jx9abc --unlisted",
    within=admin,
)
def tournament(
    tournament_id: Annotated[str, typer.Argument(metavar="ID")],
    listed: Annotated[bool, typer.Option("--listed/--unlisted")] = True,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show a tournament on the public list, or remove it from there; its id is the end of its address."""
    from brinkmanship.store import tournaments
    from brinkmanship.store.administration import AdministrationError

    with _opened(database) as engine:
        if not tournaments.set_listed(engine, tournament_id, listed):
            raise AdministrationError(Message("fault.admin.tournament", {"name": tournament_id}))
    said = f"Tournament {tournament_id} is {'' if listed else 'no longer '}on the public list."
    _say({"tournament": tournament_id, "listed": listed}, said, as_json)


@command("brink server admin backup /var/backups/brink.sqlite3", within=admin)
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Write a copy of the whole database to a file, also while it is in use."""
    from brinkmanship.store import administration

    with _opened(database) as engine:
        administration.back_up(engine, file)
    size = file.stat().st_size
    _say({"file": str(file), "bytes": size}, f"The database is in {file} ({size} bytes).", as_json)


@command("brink server admin prune --guests 365", "brink server admin prune --games 730 --yes", within=admin)
def prune(
    guests: Annotated[int | None, typer.Option(min=1)] = None,
    games: Annotated[int | None, typer.Option(min=1)] = None,
    yes: Annotated[bool, typer.Option("--yes")] = False,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Remove guests and games older than the given ages; without --yes only count them."""
    from brinkmanship.store import administration
    from brinkmanship.web.accounts.account_service import AccountService
    from brinkmanship.web.accounts.users import UserService

    with _opened(database) as engine:
        now = time.time()
        old_guests = administration.idle_guests(engine, now - DAY_SECONDS * guests) if guests else []
        old_games = administration.old_games(engine, now - DAY_SECONDS * games) if games else []
        if yes:
            administration.remove_games(engine, old_games)
            accounts = AccountService(engine, UserService(engine))
            for person in old_guests:
                accounts.leave(person)
    found = {"guests": len(old_guests), "games": len(old_games), "removed": yes}
    counts = f"guests: {len(old_guests)}, games: {len(old_games)}"
    _say(found, f"Removed {counts}" if yes else f"To be removed with --yes: {counts}", as_json)


@command("brink server admin ratings", "brink server admin ratings --rebuild", within=admin)
def ratings(
    rebuild: Annotated[bool, typer.Option("--rebuild")] = False, database: Database = None, as_json: AsJson = False
) -> None:
    """List the side advantages; with --rebuild compute all ratings again from the results."""
    from brinkmanship.store import rating_rebuild
    from brinkmanship.store import ratings as stored

    with _opened(database) as engine:
        if rebuild:
            games = rating_rebuild.rebuild(engine)
            _say({"games": games}, f"All ratings were computed again from {games} games.", as_json)
        else:
            _show(stored.monthly_advantages(engine), "advantages", as_json)


@command("brink server admin collusion --days 90", within=admin)
def collusion(
    days: Annotated[int, typer.Option(min=1)] = 30,
    games: Annotated[int, typer.Option(min=1)] = 3,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """List pairs of whom one resigned rated games early to the other repeatedly."""
    from brinkmanship.store import ratings as stored

    with _opened(database) as engine:
        _show(stored.suspicious_pairs(engine, time.time() - DAY_SECONDS * days, games), "pairs", as_json)


def _impose(person: str, kind: str, reason: str, database: str | None) -> str:
    """Impose a measure as the operator; return the id of the user."""
    from brinkmanship.store import administration, moderation
    from brinkmanship.web.moderation.moderation_service import MEASURES

    name, days = MEASURES[kind]
    now = time.time()
    with _opened(database) as engine:
        found = administration.person(engine, person)
        until = now + DAY_SECONDS * days if days else None
        with engine.begin() as connection:
            moderation.impose(connection, moderation.OPERATOR, found, name, reason, "", until, now)
        _tell(engine, found)
    return found


def _tell(engine: Engine, person_id: str) -> None:
    """Let the server processes read a user again; with SQLite they do so within five minutes."""
    from brinkmanship.web.cluster.postgres_pubsub import NAME, send
    from brinkmanship.web.cluster.pubsub import Notification

    if engine.dialect.name == "postgresql":
        send(engine, NAME, "admin", Notification(person=person_id))


def _short(row: Any, columns: tuple[str, ...]) -> Any:
    """Return some columns of a row."""
    return namedtuple("Row", columns)(*(getattr(row, name) for name in columns))


@contextmanager
def _opened(database: str | None) -> Iterator[Engine]:
    from brinkmanship.store.database import DatabaseError, open_database, sqlite_file

    url = from_environment().database_url if database is None else database
    file = sqlite_file(url)
    if file is not None and not file.exists():  # opening would create it
        raise DatabaseError(Message("fault.database.none", {"file": str(file)}))
    engine = open_database(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _say(found: Mapping[str, object], sentence: str, as_json: bool) -> None:
    print(json.dumps(found) if as_json else sentence)


def _show(rows: Sequence[Any], what: str, as_json: bool) -> None:
    if as_json:
        print(json.dumps({what: [row._asdict() for row in rows]}))
        return
    if not rows:
        print("Nothing found.")
        return
    shown = Table(box=None, pad_edge=False)
    for column in rows[0]._fields:
        shown.add_column(COLUMNS.get(column, column), overflow="fold")
    for row in rows:
        shown.add_row(*(_cell(name, value) for name, value in row._asdict().items()))
    Console(highlight=False, markup=False, soft_wrap=False).print(shown)


def _cell(column: str, value: Any) -> str:
    if value is None:
        return "-"
    if column in TIMES:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(value))
    if column == "why":
        return OVERDUE[value]
    return f"{value:.0f}" if isinstance(value, float) else str(value)
