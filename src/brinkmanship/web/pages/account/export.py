"""Export of a user's stored data: messages and notes as JSON, games as journals.

A thread builds the file, on disk if it is large; for a running game it contains only what the user may know.
"""

from __future__ import annotations

import json
import logging
import zipfile
from datetime import UTC, datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from sqlalchemy import Connection, Engine, Table, select

from brinkmanship.engine.game import OBSERVER
from brinkmanship.store.schema import (
    announcements,
    blocks,
    boards,
    challenges,
    chats,
    comments,
    contacts,
    external_accounts,
    game_results,
    lessons_done,
    looks,
    measures,
    notes,
    notice_preferences,
    passkeys,
    people,
    public_profiles,
    puzzle_answers,
    rating_changes,
    reports,
    seats,
    seeks,
    sessions,
    tables,
    tournament_entries,
)
from brinkmanship.web.tables.registry import TableRegistry

log = logging.getLogger("brinkmanship.web")

IN_MEMORY = 1_000_000
"""Maximum size in bytes of a file kept in memory; larger ones are on disk."""
MAX_AT_ONCE = 4
"""Maximum exports being built or queued."""
FORMAT = 1
"""Version of the export format."""
RESULT = ("table_id", "side", "game", "score", "ending", "rated", "agenda", "turns", "finished_at")
"""Columns of a finished game's result."""


def export(engine: Engine, live: TableRegistry, person_id: str) -> IO[bytes]:
    """Return a zip file with `data.json` and a journal per game, positioned at its beginning; call in a thread."""
    with engine.connect() as connection:
        data = _data(connection, person_id)
    made: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed after sending
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for table in data["tables"]:
            name = f"games/{table['id']}.brink"
            try:
                text = _journal(live, table["id"], person_id)
            except Exception:  # an unreadable game must not prevent the export of the others
                log.exception("a game could not be exported", extra={"table": table["id"]})
                continue
            file.writestr(name, text)
            table["journal"] = name
        file.writestr("data.json", json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    made.seek(0)
    return made


def _journal(live: TableRegistry, table_id: str, person_id: str) -> str:
    table = live.loader.read(table_id)
    mine = table.seat_of(person_id)
    # A user who plays both sides on one screen sees neither hand here before the end.
    return table.journal(mine[0] if len(mine) == 1 else OBSERVER).text()


def _data(connection: Connection, person_id: str) -> dict[str, Any]:
    def rows(table: Table, *columns: str) -> list[dict[str, Any]]:
        wanted = select(*(table.c[name] for name in columns)).where(table.c.person_id == person_id)
        return [_readable(dict(row)) for row in connection.execute(wanted).mappings()]

    about = select(people.c.id, people.c.name, people.c.login, people.c.language, people.c.created_at)
    person = connection.execute(about.where(people.c.id == person_id)).mappings().one()
    sent = select(reports.c.category, reports.c.text, reports.c.state, reports.c.at).where(
        reports.c.reporter_id == person_id
    )
    played = (
        select(tables.c.id, tables.c.game, tables.c.status, tables.c.result, tables.c.created_at, tables.c.finished_at)
        .where(tables.c.id.in_(select(seats.c.table_id).where(seats.c.person_id == person_id)))
        .order_by(tables.c.created_at)
    )
    columns = (challenges.c[name] for name in ("game", "side", "clock", "rated", "created_at", "state", "table_id"))
    is_mine = (challenges.c.from_id == person_id).label("is_mine")
    takes_part = (challenges.c.from_id == person_id) | (challenges.c.to_id == person_id)
    challenged = select(is_mine, *columns).where(takes_part).order_by(challenges.c.created_at)
    changes = (rating_changes.c[name] for name in ("table_id", "game", "at", "score", "before", "after"))
    rated = select(*changes).where(rating_changes.c.person_id == person_id).order_by(rating_changes.c.number)
    return {
        "format": FORMAT,
        "person": _readable(dict(person)),
        "sessions": rows(sessions, "label", "is_api_token", "created_at", "used_at"),
        "contacts": rows(contacts, "kind", "address", "label", "asked_at", "confirmed_at", "present_at"),
        "notice_preferences": rows(notice_preferences, "quiet_from", "quiet_to", "digest_at", "time_zone"),
        "announcements": rows(announcements, "purpose", "message", "address", "at"),
        "said": rows(chats, "table_id", "at", "text"),
        "comments": rows(comments, "table_id", "step", "at", "text"),
        "notes": rows(notes, "table_id", "text"),
        "looks": rows(looks, "table_id", "entry"),
        "puzzles": rows(puzzle_answers, "game", "puzzle", "is_solved", "at_first_sight", "answered_at", "due_at"),
        "public_profile": rows(public_profiles, "since"),
        "lessons": rows(lessons_done, "game", "lesson"),
        "results": rows(game_results, *RESULT),
        "boards": rows(boards, "id", "table_id", "upload_id", "game", "title", "lines", "created_at", "changed_at"),
        "blocks": rows(blocks, "at"),
        "reports": [_readable(dict(row)) for row in connection.execute(sent).mappings()],
        "measures": rows(measures, "kind", "reason", "line", "at", "until", "lifted_at", "appeal", "reply"),
        "passkeys": rows(passkeys, "name", "created_at", "used_at"),
        "external_accounts": rows(external_accounts, "issuer", "subject", "created_at", "used_at"),
        "ratings": [
            dict(row) | {"at": datetime.fromtimestamp(row["at"], UTC).isoformat(timespec="seconds")}
            for row in connection.execute(rated).mappings()
        ],
        "seeks": rows(seeks, "wants", "clocks", "rated", "created_at", "expires_at", "state", "table_id"),
        "challenges": [_readable(dict(row)) for row in connection.execute(challenged).mappings()],
        "tournaments": rows(tournament_entries, "tournament_id", "entered_at", "withdrawn_at", "points", "rank"),
        "tables": [_readable(dict(row)) for row in connection.execute(played).mappings()],
    }


def _readable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its times as text: "2026-11-22T01:02:03+00:00"."""
    return {
        name: datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds") if isinstance(value, float) else value
        for name, value in row.items()
    }
