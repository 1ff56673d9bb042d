"""The tables of the database. Changes go through ``migrations``; a test compares the two.

What happens at a table is a row of `records`, never changed and never deleted: (table, number) is unique, so of two
programs that want to write the same number one fails and nothing is lost. Secrets that open an
account (session and API tokens) are kept only as SHA-256 digests. Invitations are kept as they are, for who sits at a
table sees its link on all devices; and from this database one could read all hands anyhow.
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
    false,
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
    Column("banned_at", Float),  # an operator lets nobody in with this account or as this guest
    Column("left_at", Float),  # when the account was deleted; the row stays without a name, for the games
)

recoveries = Table(
    "recoveries",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires_at", Float, nullable=False),
)

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # one row, 1
    Column("at", Float, nullable=False),  # when a server last said that it lives
)

processes = Table(
    "processes",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("expires_at", Float, nullable=False),  # until when it lives unless it says so again, by the database's time
)

workers = Table(
    "workers",
    metadata,
    Column("name", String(40), primary_key=True),  # a process that does the jobs of others (web.jobs.worker)
    Column("expires_at", Float, nullable=False),  # as of `processes`
    Column("places", Integer, nullable=False),  # jobs that it does at the same time
    Column("done", Integer, nullable=False),  # jobs that it has done
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(60), primary_key=True),  # what is asked; so nothing is asked twice
    Column("kind", String(20), nullable=False),  # those of web.jobs.process_pool
    Column("payload", LargeBinary, nullable=False),  # all that there is to know for it: of a game, what a seat knows
    Column("priority", Integer, nullable=False),  # those with a smaller number first
    Column("made_at", Float, nullable=False),  # by the database's time
    Column("kept_until", Float, nullable=False, index=True),  # then it is removed, whatever has become of it
    Column("worker", String(40)),  # that does it, while that one lives
    Column("attempts", Integer, nullable=False),  # how often it was begun
    Column("answer", LargeBinary),
    Column("fault", Text),  # why there is no answer
    Column("told", LargeBinary),  # how far it is, of a kind that tells
    Index("ix_jobs_priority_made", "priority", "made_at"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Float, nullable=False),
    Column("is_api_token", Boolean, nullable=False, default=False),
    Column("label", String(40), nullable=False, default=""),  # of a token what its owner calls it, else the browser
    Column("used_at", Float),  # about when it was last used
)

data_files = Table(
    "data_files",
    metadata,
    Column("sha256", String(64), primary_key=True),  # of its content, as journals name it
    Column("content", LargeBinary, nullable=False),
    Column("at", Float, nullable=False, index=True),  # when somebody last chose it
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("data_file", String(60)),  # what a designer called his cards or scenario; None: the game's own
    Column("data_sha256", ForeignKey("data_files.sha256"), index=True),
    Column("secret", LargeBinary(32), nullable=False),  # decides chance; revealed when the game is over
    Column("commitment", String(64), nullable=False),  # shown from the start
    Column("is_open", Boolean, nullable=False, default=False),  # anybody may take the free seat
    Column("clock", JSON(none_as_null=True)),  # as web.clock gives it, None without
    Column("undo", String(4), nullable=False, default="free", server_default="free"),  # taking back
    Column("hints", Boolean),  # whether they may be taken; None: as is usual where such players sit
    Column("clock_ends_at", Float, index=True),  # when the next clock runs out if nobody acts; None while none runs
    Column("computer_asked_at", Float, index=True),  # since when a computer is asked, None while none is
    Column("created_at", Float, nullable=False, index=True),
    Column(
        "dealt_at", Float
    ),  # since when the clocks run; None before, and of games begun before there was this column
    Column("status", String(8), nullable=False),  # waiting, dealing, running, over, closed
    Column("result", String(60), nullable=False, default=""),  # as a journal writes it
    Column("finished_at", Float),
    Column("asked", String(12), nullable=False, default=""),  # sides asked now, for lists: "us,ussr"
    Column("rematch", String(12)),  # the table of the next game
    Column("home", String(40)),  # the process that plays its computers and watches its clock, while that one lives
    Column("changes", Integer, nullable=False, default=0, server_default="0"),  # in what no record and no line says
    Column("origin", JSON(none_as_null=True)),  # what was given of another game (web.table.Origin); None: nothing
    Column("address_mark", String(8), index=True),  # mark of the asking address (web.tables.quotas)
    Index("ix_tables_status_open_created", "status", "is_open", "created_at"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("computer", String(40)),  # name of the computer player
    Column("name", String(40), nullable=False, default=""),
    Column("invitation", String(64), unique=True),  # token of the link that may still take this seat
    Column("contributes", Boolean, nullable=False, default=False, server_default=false()),  # bytes to the deal
    Column("pledge", String(64)),  # what binds the player to bytes not sent yet, see docs/develop/fair.md
    Column("contribution", LargeBinary(32)),  # the bytes
)

orders = Table(
    "orders",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("about", String(60), primary_key=True),  # what it is about; "" for everything
    Column("text", String(80), nullable=False),  # as engine.orders writes it
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
    Column("kind", String(10), nullable=False),  # the kinds of web.table
    Column("actor", Integer, nullable=False),
    Column("value", Integer, nullable=False, default=0),  # the action; of an undo: entries taken back
    Column("at", Float, nullable=False),
)

reasons = Table(
    "reasons",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),  # of the record of a computer player's action
    Column("entry", Integer, nullable=False),  # of the game, that the action became
    Column("said", JSON, nullable=False),  # why, a message; it may tell of hidden things, so for nobody before the end
)

chats = Table(
    "chats",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL"), index=True),  # None: said before this was kept
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
    Column("purpose", String(8), nullable=False, server_default="turn"),  # turn, or what turns.contacts names
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE")),  # of a turn
    Column("turn", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Float, nullable=False, index=True),
)

mails = Table(
    "mails",
    metadata,
    Column("counted", String(64), primary_key=True),  # digest of the address it went to, or the person who asked
    Column("kind", String(8), primary_key=True),  # those of turns.contacts that anybody may ask for
    Column("number", Integer, primary_key=True),  # from 1; of two who ask at once one fails
    Column("at", Float, nullable=False, index=True),
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
    Column("address_mark", String(8), index=True),  # mark of the sending address (web.tables.quotas)
)

analyses = Table(
    "analyses",
    metadata,
    Column("about", String(30), primary_key=True),  # as store.analyses names the game
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), index=True),
    Column("upload_id", ForeignKey("uploads.id", ondelete="CASCADE"), index=True),
    Column("heard_at", Float),  # when a process last said that it works on it, by the database's time; None: none does
    Column("told", LargeBinary),  # how far it is
    Column("report", LargeBinary),
    Column("fault", Text),  # why there is none
)

own_puzzles = Table(
    "own_puzzles",
    metadata,
    Column("about", String(30), primary_key=True),  # as the analysis of the game is called
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("heard_at", Float),  # these four as of `analyses`
    Column("told", LargeBinary),
    Column("report", LargeBinary),
    Column("fault", Text),
)

simulations = Table(
    "simulations",
    metadata,
    Column("about", String(32), primary_key=True),  # as web.simulating names them
    Column("begun_at", Float, nullable=False, index=True),
    Column("heard_at", Float),  # these four as of `analyses`
    Column("told", LargeBinary),
    Column("report", LargeBinary),
    Column("fault", Text),
)

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(40), primary_key=True, index=True),
    Column("puzzle", String(12), primary_key=True),  # as puzzles.puzzle names it
    Column("box", Integer, nullable=False),  # of puzzles.schedule
    Column("due_at", Float),  # when it comes again; None: never
    Column("is_solved", Boolean, nullable=False),  # the last answer that counted
    Column("at_first_sight", Boolean, nullable=False),  # the first answer
    Column("answered_at", Float, nullable=False),
)

boards = Table(
    "boards",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), index=True),  # the finished game; None: an upload
    Column("upload_id", String(16)),  # where the journal was looked at
    Column("journal", LargeBinary),  # as its text, packed by zlib: uploads are kept for a while only
    Column("game", String(40), nullable=False),
    Column("title", String(60), nullable=False),  # as its owner calls it; "" before
    Column("lines", JSON, nullable=False),  # as store.boards has them
    Column("changes", Integer, nullable=False),  # of two that change it at once one fails
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
)

CHANGED = {"changes": tables.c.changes + 1}
"""Values for an update of a table's row that changes what the table shows without writing a record."""
