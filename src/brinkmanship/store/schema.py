"""The tables of the database. Changes go through ``migrations``; a test compares the two.

What happens at a table is a row of `records`, never changed and never deleted: (table, number) is unique, so of two
programs that want to write the same number one fails and nothing is lost. Secrets (session and API tokens,
invitations) are kept only as SHA-256 digests.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

people = Table(
    "people",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("login", String(40), unique=True),  # with an account; None for a guest
    Column("password_hash", String(200)),  # argon2
    Column("language", String(2), nullable=False),
    Column("created_at", Float, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Float, nullable=False),
    Column("is_api_token", Boolean, nullable=False, default=False),
    Column("label", String(40), nullable=False, default=""),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("secret", LargeBinary(32), nullable=False),  # decides chance; revealed when the game is over
    Column("commitment", String(64), nullable=False),  # shown from the start
    Column("is_open", Boolean, nullable=False, default=False),  # anybody may take the free seat
    Column("clock", JSON),  # None, {"kind": "live", "minutes", "increment"} or {"kind": "days", "days"}
    Column("created_at", Float, nullable=False, index=True),
    Column("status", String(8), nullable=False),  # waiting, running, over
    Column("result", String(60), nullable=False, default=""),  # as a journal writes it
    Column("finished_at", Float),
    Column("asked", String(12), nullable=False, default=""),  # sides asked now, for lists: "us,ussr"
    Column("rematch", String(12)),  # the table of the next game
    Index("ix_tables_status_created", "status", "created_at"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("computer", String(40)),  # name of the computer player
    Column("name", String(40), nullable=False, default=""),
    Column("invitation", String(64), unique=True),  # digest of the link that may still take this seat
)

series_games = Table(
    "series_games",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("series", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),  # its first table names a series
    Column("number", Integer, nullable=False),  # of the game in the series, from 0
    Column("swapped", Boolean, nullable=False),  # whether the players have other sides than in the first game
    UniqueConstraint("series", "number"),  # of two programs that begin the next game one fails
)

records = Table(
    "records",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # the kinds of web.service
    Column("actor", Integer, nullable=False),
    Column("value", Integer, nullable=False, default=0),  # the action; of an undo: entries taken back
    Column("at", Float, nullable=False),
)

chats = Table(
    "chats",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("side", Integer),  # None: an onlooker
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)

contacts = Table(
    "contacts",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # email, webhook
    Column("address", String(500), nullable=False, index=True),
    Column("secret", String(64), nullable=False),  # signs webhooks and the links in mails, so kept as it is
    Column("site", String(300), nullable=False),  # how people reach this server
    Column("asked_at", Float, nullable=False),
    Column("confirmed_at", Float),  # None: nothing is sent yet
    Column("present_at", Float, nullable=False),  # when the person was last seen looking
)

notices = Table(
    "notices",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("turn", Integer, nullable=False),  # the last of which the person has been told
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE")),  # None: the confirmation of an address
    Column("turn", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Float, nullable=False, index=True),
)

looks = Table(
    "looks",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("entry", Integer, nullable=False),  # of the game, the last the person has seen
)

notes = Table(
    "notes",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
)

uploads = Table(
    "uploads",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("journal", Text, nullable=False),  # as its text
    Column("at", Float, nullable=False, index=True),
)
