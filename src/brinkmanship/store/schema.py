"""The database tables. Schema changes go through ``migrations``; a test compares the two.

The event log of a table is the rows of `records`, which are never changed and never deleted: (table, number) is unique,
so of two programs that write the same number one fails and nothing is lost. Secrets that open an account (session
and API tokens) are stored only as SHA-256 digests. Invitations are stored in plain text, because players see their
table's link on all their devices; and this database reveals all hands anyway.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
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
    Column("banned_at", Float),  # set when an operator banned this account or guest
    Column("left_at", Float),  # when the account was deleted; the row stays without a name, for the games
    Column("role", String(12)),  # "moderator", or None
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
    Column("at", Float, nullable=False),  # last heartbeat of a server
)

processes = Table(
    "processes",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("expires_at", Float, nullable=False),  # end of its lease, by the database's time
)

workers = Table(
    "workers",
    metadata,
    Column("name", String(40), primary_key=True),  # a process that does jobs for others (web.jobs.worker)
    Column("expires_at", Float, nullable=False),  # as in `processes`
    Column("places", Integer, nullable=False),  # jobs it runs at the same time
    Column("done", Integer, nullable=False),  # jobs finished
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(60), primary_key=True),  # type and key of the request, so that identical requests share a job
    Column("kind", String(20), nullable=False),  # job types of web.jobs.process_pool
    Column("payload", LargeBinary, nullable=False),  # all inputs of the job: of a game, only what a seat knows
    Column("priority", Integer, nullable=False),  # lower numbers first
    Column("made_at", Float, nullable=False),  # by the database's time
    Column("kept_until", Float, nullable=False, index=True),  # then it is removed in any state
    Column("worker", String(40)),  # the worker that runs it, while its lease lasts
    Column("attempts", Integer, nullable=False),  # number of times it was started
    Column("answer", LargeBinary),
    Column("fault", Text),  # why it failed
    Column("told", LargeBinary, key="progress"),  # progress, for job types that report it
    Index("ix_jobs_priority_made", "priority", "made_at"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Float, nullable=False),
    Column("is_api_token", Boolean, nullable=False, default=False),
    Column("label", String(40), nullable=False, default=""),  # the owner's name for a token; else the browser
    Column("used_at", Float),  # approximate time of last use
)

data_files = Table(
    "data_files",
    metadata,
    Column("sha256", String(64), primary_key=True),  # of its content, as in journals
    Column("content", LargeBinary, nullable=False),
    Column("at", Float, nullable=False, index=True),  # when a user last chose it
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("data_file", String(60)),  # designer's file name of custom cards or scenario; None: the game's own
    Column("data_sha256", ForeignKey("data_files.sha256"), index=True),
    Column("secret", LargeBinary(32), nullable=False),  # decides chance; revealed when the game is over
    Column("commitment", String(64), nullable=False),  # shown from the start
    Column("is_open", Boolean, nullable=False, default=False),  # anyone may take the free seat
    Column("clock", JSON(none_as_null=True)),  # as in web.support.time_control, or None
    Column("undo", String(4), nullable=False, default="free", server_default="free"),  # take-back rule
    Column("hints", Boolean),  # whether hints are allowed; None: the default for such players
    Column("rated", Boolean, nullable=False, default=False, server_default=false()),  # counts for ratings
    Column("awaits_rating", Boolean, nullable=False, default=False, server_default=false()),  # until its result counted
    Column("clock_ends_at", Float, index=True),  # when the next clock runs out if no side acts; None: no clock runs
    Column("computer_asked_at", Float, index=True),  # since when a bot move is due; None: none is
    Column("created_at", Float, nullable=False, index=True),
    Column("dealt_at", Float),  # since when the clocks run; None before that, and for games older than this column
    Column("status", String(8), nullable=False),  # waiting, dealing, running, over, closed
    Column("result", String(60), nullable=False, default=""),  # as in journals
    Column("finished_at", Float, index=True),
    Column("asked", String(12), nullable=False, default=""),  # sides to act, for lists: "us,ussr"
    Column("rematch", String(12)),  # the table of the next game
    Column("home", String(40)),  # the process holding the table's lease: it plays the bots and enforces the clock
    Column("changes", Integer, nullable=False, default=0, server_default="0"),  # counts changes outside records
    Column("origin", JSON(none_as_null=True)),  # position it continues (Origin)
    Column("address_mark", String(8), index=True),  # mark of the creator's address (web.tables.quotas)
    Column("sealed", Boolean, nullable=False, default=False, server_default=false()),  # others still play this deal
    Index("ix_tables_status_open_created", "status", "is_open", "created_at"),
    Index("ix_tables_awaits_rating", "awaits_rating", "status", "finished_at"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("computer", String(40)),  # name of the computer player
    Column("name", String(40), nullable=False, default=""),
    Column("invitation", String(64), unique=True),  # token of the link that gives this seat
    Column("contributes", Boolean, nullable=False, default=False, server_default=false()),  # bytes to the deal
    Column("pledge", String(64)),  # commits the player to bytes not sent yet, see docs/develop/formats.md
    Column("contribution", LargeBinary(32)),  # the player's bytes
)

orders = Table(
    "orders",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("about", String(60), primary_key=True),  # its subject, such as a card; "" for everything
    Column("text", String(80), nullable=False),  # as in engine.standing_orders
)

series_games = Table(
    "series_games",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("series", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),  # id of its first table
    Column("number", Integer, nullable=False),  # of the game in the series, from 0
    Column("swapped", Boolean, nullable=False),  # whether the players have swapped sides against the first game
    UniqueConstraint("series", "number"),  # of two programs that start the next game, one fails
)

records = Table(
    "records",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # kinds of web.tables.live_table
    Column("actor", Integer, nullable=False),
    Column("value", Integer, nullable=False, default=0),  # the action; of an undo: number of log entries taken back
    Column("at", Float, nullable=False),
)

reasons = Table(
    "reasons",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),  # number of the record of the computer player's action
    Column("entry", Integer, nullable=False),  # index of the action's log entry in the game
    Column("said", JSON, nullable=False),  # message; may reveal hidden information until the end
)

chats = Table(
    "chats",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL"), index=True),  # None: older than this column
    Column("side", Integer),  # None: an observer
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)

comments = Table(
    "comments",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("name", String(40), nullable=False),
    Column("side", Integer),  # None: a spectator
    Column("step", Integer, nullable=False),  # entries of the game before the position
    Column("move", String(80), nullable=False),  # text of the last one: a take-back may replace it
    Column("text", Text, nullable=False),
    Column("marks", JSON, nullable=False),  # arrows on the board: [from, to], or [place, ""] for a ring
    Column("at", Float, nullable=False),
    Index("ix_comments_table_step", "table_id", "step"),
)

commentators = Table(
    "commentators",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),  # number of the record in which the players agreed
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
)

contacts = Table(
    "contacts",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # email, webhook, push
    Column("place", String(16), primary_key=True, server_default=""),  # id of a push subscription; table of a webhook
    Column("address", String(500), nullable=False, index=True),
    Column("secret", String(64), nullable=False),  # signs webhooks and e-mail links, so stored in plain text
    Column("asked_at", Float, nullable=False),
    Column("confirmed_at", Float),  # None: nothing is sent yet
    Column("present_at", Float, nullable=False),  # when the user was last seen looking
    Column("label", String(40), nullable=False, server_default=""),  # browser of a push subscription
    Column("keys", String(120)),  # of a push subscription: "P256DH AUTH"
    Column("session", ForeignKey("sessions.digest", ondelete="CASCADE"), index=True),  # that a push subscription is for
    Column("refused_days", Integer, nullable=False, server_default="0"),  # days on which a push service refused
    Column("refused_at", Float),  # when it last did
)

notices = Table(
    "notices",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("turn", Integer, nullable=False),  # last turn the user was notified of; -1: none
    Column("is_muted", Boolean, nullable=False, server_default=false()),  # the user wants no notices of this table
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("place", String(16), nullable=False, server_default=""),  # with person and kind: the contact
    Column("purpose", String(8), nullable=False, server_default="turn"),  # turn, news, or as in web.accounts.contacts
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE")),  # for a turn
    Column("turn", Integer, nullable=False),
    Column("announcement_id", ForeignKey("announcements.id", ondelete="CASCADE"), index=True),  # for news
    Column("attempts", Integer, nullable=False),
    Column("due_at", Float, nullable=False, index=True),
    Column("made_at", Float, nullable=False, server_default="0"),
)

mails = Table(
    "mails",
    metadata,
    Column("counted", String(64), primary_key=True),  # user id, or digest of an e-mail or network address
    Column("kind", String(8), primary_key=True),  # kinds of web.accounts.contacts that anyone can request
    Column("number", Integer, primary_key=True),  # from 1; of two concurrent requests one fails
    Column("at", Float, nullable=False, index=True),
)

looks = Table(
    "looks",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("entry", Integer, nullable=False),  # index of the last log entry the user has seen
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
    Column("journal", Text, nullable=False),  # its text
    Column("at", Float, nullable=False, index=True),
    Column("address_mark", String(8), index=True),  # mark of the sender's address (web.tables.quotas)
    Column("person_mark", String(8), index=True),  # mark of the sender, if signed in
)

analyses = Table(
    "analyses",
    metadata,
    Column("about", String(30), primary_key=True),  # key of the game (store.analyses)
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), index=True),
    Column("upload_id", ForeignKey("uploads.id", ondelete="CASCADE"), index=True),
    Column("heard_at", Float),  # last lease renewal, by the database's time; None: no process works on it
    Column("told", LargeBinary, key="progress"),  # progress
    Column("report", LargeBinary),
    Column("fault", Text),  # why it failed
)

own_puzzles = Table(
    "own_puzzles",
    metadata,
    Column("about", String(30), primary_key=True),  # key of the game's analysis
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("heard_at", Float),  # these four as in `analyses`
    Column("told", LargeBinary, key="progress"),
    Column("report", LargeBinary),
    Column("fault", Text),
)

simulations = Table(
    "simulations",
    metadata,
    Column("about", String(32), primary_key=True),  # key in web.studies.simulations
    Column("begun_at", Float, nullable=False, index=True),
    Column("heard_at", Float),  # these four as in `analyses`
    Column("told", LargeBinary, key="progress"),
    Column("report", LargeBinary),
    Column("fault", Text),
)

animations = Table(
    "animations",
    metadata,
    Column("about", String(32), primary_key=True),  # key in web.studies.animations
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), index=True),
    Column("upload_id", ForeignKey("uploads.id", ondelete="CASCADE"), index=True),
    Column("begun_at", Float, nullable=False, index=True),
    Column("heard_at", Float),  # these four as in `analyses`
    Column("told", LargeBinary, key="progress"),
    Column("report", LargeBinary),
    Column("fault", Text),
)

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(40), primary_key=True, index=True),
    Column("puzzle", String(12), primary_key=True),  # id in puzzles.puzzle
    Column("box", Integer, nullable=False),  # Leitner box of puzzles.schedule
    Column("due_at", Float),  # when the puzzle is due again; None: never
    Column("is_solved", Boolean, nullable=False),  # result of the last answer that counted
    Column("at_first_sight", Boolean, nullable=False),  # whether the first answer was right
    Column("answered_at", Float, nullable=False),
)

boards = Table(
    "boards",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), index=True),  # the finished game; None: an upload
    Column("upload_id", String(16)),  # the upload of the game
    Column("journal", LargeBinary),  # its text, compressed by zlib, because uploads expire
    Column("game", String(40), nullable=False),
    Column("title", String(60), nullable=False),  # the owner's title; "" if untitled
    Column("lines", JSON, nullable=False),  # as in store.boards
    Column("changes", Integer, nullable=False),  # compare-and-swap: of two concurrent changes one fails
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
)

open_records = Table(  # games played with the physical game, while they are entered
    "open_records",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),  # the owner
    Column("game", String(40), nullable=False),
    Column("title", String(80), nullable=False),  # names of the two sides; "" without names
    Column("journal", LargeBinary, nullable=False),  # compressed by zlib
    Column("steps", Integer, nullable=False),  # number of steps entered
    Column("is_over", Boolean, nullable=False),
    Column("changes", Integer, nullable=False),  # compare-and-swap: of two concurrent changes one fails
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Index("ix_open_records_person_changed", "person_id", "changed_at"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("games", Integer, nullable=False),  # number that counted
    Column("at", Float, nullable=False),  # end of the last of them
    Column("is_listed", Boolean, nullable=False),  # whether these are enough for the leaderboard
    Index("ix_ratings_listed", "game", "is_listed", "rating", "person_id"),
)

rated_games = Table(  # with rating_changes all that ratings follow from: tables may be pruned
    "rated_games",
    metadata,
    Column("table_id", String(12), primary_key=True),
    Column("number", Integer, nullable=False, unique=True),  # from 1, the order in which they were rated
    Column("game", String(40), nullable=False),
    Column("ruleset", String(200), nullable=False),  # as in brinkmanship.rating.profile
    Column("at", Float, nullable=False),  # end of the game
    Column("score", Float, nullable=False),  # of side 0
    Column("advantage", Float, nullable=False),  # of side 0, in points
    Column("weight", Float, nullable=False),
    Index("ix_rated_games_ruleset", "game", "ruleset", "number"),
)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("table_id", ForeignKey("rated_games.table_id"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("number", Integer, nullable=False),  # these three as in rated_games
    Column("game", String(40), nullable=False),
    Column("at", Float, nullable=False),
    Column("person_id", ForeignKey("people.id")),  # None: a computer level
    Column("player", String(40), nullable=False),  # id of the person, or name of the level
    Column("opponent", String(40), nullable=False),  # the same of the other side
    Column("score", Float, nullable=False),
    Column("is_early", Boolean, nullable=False),  # whether this side resigned after a few actions
    Column("counts", Boolean, nullable=False),  # whether it changed the rating
    Column("before", Float, nullable=False),
    Column("deviation_before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("deviation_after", Float, nullable=False),
    Index("ix_rating_changes_person", "person_id", "game", "number"),
    Index("ix_rating_changes_opponent", "person_id", "opponent", "at"),
    Index("ix_rating_changes_early", "is_early", "at"),
)

side_advantages = Table(
    "side_advantages",
    metadata,
    Column("game", String(40), primary_key=True),
    Column("ruleset", String(200), primary_key=True),
    Column("since", Float, primary_key=True),  # start of the month (UTC)
    Column("value", Float, nullable=False),  # of side 0, in points
    Column("games", Integer, nullable=False),  # number from which it was refitted
)

rating_ledger = Table(
    "rating_ledger",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # one row, 1: whoever rates games locks it
    Column("number", Integer, nullable=False),  # of the last rated game
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("simultaneous", Boolean, nullable=False),  # True: both games run at the same time
    Column("ready", Integer, nullable=False, default=0),  # bit per player who has asked for game 2
    Column("created_at", Float, nullable=False),
    Column("finished_at", Float, index=True),  # when the second game ended
)

match_games = Table(
    "match_games",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),  # 0, 1; of two programs that start game 2, one fails
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True),
)

duplicate_rounds = Table(
    "duplicate_rounds",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("organiser", ForeignKey("people.id", ondelete="SET NULL"), index=True),  # None: a tournament
    Column("commitment", String(64), nullable=False),  # to the secret of all its tables
    Column("join_until", Float),  # then tables with free seats are closed; None: no seat was free
    Column("created_at", Float, nullable=False),
    Column("finished_at", Float, index=True),  # when its tables were revealed; None: not all are finished
)

duplicate_tables = Table(
    "duplicate_tables",
    metadata,
    Column("round_id", ForeignKey("duplicate_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True),
)

duplicate_players = Table(
    "duplicate_players",
    metadata,
    Column("round_id", ForeignKey("duplicate_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),  # plays at one table only
)

daily_games = Table(
    "daily_games",
    metadata,
    Column("game", String(40), primary_key=True),
    Column("day", Integer, primary_key=True),  # UTC day as a day count of `datetime.date.toordinal`
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),  # plays a deal only once
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("side", Integer, nullable=False),
    Column("score", Integer),  # 1 won, 0 no winner, -1 lost; None: not finished
    Column("is_abandoned", Boolean, nullable=False, default=False, server_default=false()),  # unfinished at day's end
    Column("luck_adjusted", Float),  # result without luck; None: not analysed yet
    Column("revealed_at", Float),  # when the tables of the day were opened to everyone
    Index("ix_daily_games_person_day", "person_id", "day"),
    Index("ix_daily_games_revealed_day", "revealed_at", "day"),
)

daily_reports = Table(
    "daily_reports",
    metadata,
    Column("game", String(40), primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("report", LargeBinary, nullable=False),  # JSON of web.daily.comparison
)

solo_games = Table(
    "solo_games",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("stage", Integer, primary_key=True),  # from 0
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True),  # the last attempt
    Column("attempts", Integer, nullable=False),
)

public_profiles = Table(
    "public_profiles",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),  # without a row it is private
    Column("since", Float, nullable=False),
)

lessons_done = Table(
    "lessons_done",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("lesson", String(60), primary_key=True),
)

game_results = Table(
    "game_results",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL")),
    Column("computer", String(40)),  # name of the computer player of this side
    Column("opponent_id", String(16)),  # the user of the other side
    Column("opponent_computer", String(40)),
    Column("opponent_key", String(60), nullable=False),  # name of the opponent's seat, case-folded, for searching
    Column("game", String(40), nullable=False),
    Column("is_standard", Boolean, nullable=False),  # played with the game's own cards or scenario
    Column("is_open", Boolean, nullable=False),  # an open table, whose players are listed to everyone
    Column("rated", Boolean, nullable=False),
    Column("pace", String(4), nullable=False),  # live, days, or none: no clock
    Column("score", Integer, nullable=False),  # 1 won, 0 no winner, -1 lost
    Column("ending", String(12), nullable=False),  # kinds of web.profiles.endings
    Column("agenda", String(40)),  # id of the agenda kept first; None for games without agendas
    Column("turns", Integer),  # decisions of both sides; None if the game cannot be read
    Column("seconds", Float),  # from the deal to the end
    Column("luck_adjusted", Float),  # result without luck, 0..1 or beyond, if the game was analysed
    Column("finished_at", Float, nullable=False),
    Index("ix_game_results_person_finished", "person_id", "finished_at", "table_id"),
    Index("ix_game_results_person_opponent", "person_id", "opponent_id", "finished_at"),
    # All that a profile counts, so that its rows are not read.
    Index("ix_game_results_kinds", "person_id", "game", "side", "opponent_computer", "agenda", "score"),
    Index("ix_game_results_game", "game", "side"),
)

results_progress = Table(
    "results_progress",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # one row, 1
    Column("through", Float, nullable=False),  # games that ended before this time are in `game_results`
    Column("leased_until", Float, nullable=False),  # by the database's time: another process is at work until then
)

site_statistics = Table(
    "site_statistics",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # one row, 1
    Column("made_at", Float, nullable=False),  # by the database's time
    Column("report", LargeBinary, nullable=False),  # JSON of web.profiles.statistics
)

seeks = Table(
    "seeks",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("wants", Text, nullable=False),  # acceptable games and sides, as in store.seeks
    Column("clocks", Text, nullable=False),  # acceptable clocks, as in store.seeks
    Column("pace", String(4), nullable=False),  # live, days
    Column("rated", Boolean, nullable=False),
    Column("created_at", Float, nullable=False),  # start of the wait; these times are game times
    Column("expires_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),  # last sign of life of the user's page
    Column("state", String(8), nullable=False),  # states of store.seeks
    Column("live_of", String(16), unique=True),  # the user while a live seek is open: everyone has one at most
    Column("table_id", String(12), index=True),  # the game that was found
    Column("left_at", Float),  # when the user left this game before their first move
    Column("announced_at", Float, index=True),  # when it was posted to the operator's channel
    Column("address_mark", String(8), index=True),  # as of a table
    Index("ix_seeks_state_pace_created", "state", "pace", "created_at"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("from_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("to_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("side", Integer),  # the challenger's; None: random
    Column("clock", String(20), nullable=False),  # as in store.seeks; "": none
    Column("rated", Boolean, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False, index=True),
    Column("state", String(9), nullable=False),  # states of store.challenges
    Column("reason", String(12), nullable=False),  # why it was declined
    Column("answered_at", Float),
    Column("table_id", String(12)),  # the game, once accepted
    Index("ix_challenges_from_state", "from_id", "state"),
    Index("ix_challenges_to_state", "to_id", "state"),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("kind", String(10), nullable=False),  # kinds of brinkmanship.tournament.event
    Column("name", String(60), nullable=False),
    Column("about", Text, nullable=False),  # the organiser's description
    Column("game", String(40), nullable=False),
    Column("options", JSON, nullable=False),
    Column("clock", JSON, nullable=False),  # as in web.support.time_control
    Column("rated", Boolean, nullable=False),
    Column("organiser_id", ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("is_listed", Boolean, nullable=False),
    Column("size", Integer, nullable=False),  # maximum entries; of a league: entries of a division
    Column("round_days", Integer),  # time for a round; None: the clocks alone end the games
    Column("status", String(10), nullable=False),  # statuses of brinkmanship.tournament.event
    Column("created_at", Float, nullable=False),
    Column("starts_at", Float),  # end of entries; None: once it is full
    Column("begun_at", Float),
    Column("finished_at", Float),
    Column("due_at", Float, index=True),  # when something is to be done although nothing changes; None: never
    Column("season", Integer, nullable=False),  # of a league, from 1
    Column("previous", ForeignKey("tournaments.id", ondelete="SET NULL"), unique=True),  # the season before
    Column("changes", Integer, nullable=False),  # compare-and-swap: of two concurrent changes one fails
    Index("ix_tournaments_listed", "is_listed", "status", "created_at"),
)

tournament_entries = Table(
    "tournament_entries",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("entered_at", Float, nullable=False),
    Column("is_substitute", Boolean, nullable=False),
    Column("seed", Integer),  # place in the draw of the division; None before it
    Column("division", Integer, nullable=False),
    Column("replaces", String(16)),  # person whose place a substitute has taken over
    Column("withdrawn_at", Float),
    Column("is_struck", Boolean, nullable=False),  # whether the matches of a withdrawn player do not count
    Column("away_from", Float),
    Column("away_until", Float),
    Column("points", Float),  # these two once the tournament is over
    Column("rank", Integer),
)

tournament_matches = Table(
    "tournament_matches",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("division", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("first_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("second_id", ForeignKey("people.id", ondelete="CASCADE")),  # None: a bye
    Column("starts_at", Float, nullable=False),
    Column("ends_at", Float),
    Column("is_struck", Boolean, nullable=False),  # whether a substitute plays it again
)

tournament_games = Table(
    "tournament_games",
    metadata,
    Column("tournament_id", String(12), primary_key=True),
    Column("division", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("game", Integer, primary_key=True),  # number in the match: of two programs that set it, one fails
    Column("table_id", ForeignKey("tables.id", ondelete="SET NULL"), unique=True),
    Column("first_side", Integer, nullable=False),  # side of the first player of the match
    Column("first_points", Float),
    Column("second_points", Float),
    Column("no_show", Integer),  # player of the match who lost on time without a decision
    Column("decided_at", Float, index=True),  # None: the game goes on
    ForeignKeyConstraint(
        ["tournament_id", "division", "round", "number"],
        [
            "tournament_matches.tournament_id",
            "tournament_matches.division",
            "tournament_matches.round",
            "tournament_matches.number",
        ],
        ondelete="CASCADE",
    ),
)

announcements = Table(
    "announcements",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("purpose", String(20), nullable=False),  # such as "challenge"
    Column("subject", String(80), nullable=False),  # of one purpose and subject a person is told once
    Column("message", JSON, nullable=False),  # as in store.notices
    Column("address", String(300), nullable=False),  # path of the page it is about
    Column("at", Float, nullable=False, index=True),
    UniqueConstraint("person_id", "purpose", "subject"),
)

notice_preferences = Table(
    "notice_preferences",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("quiet_from", Integer),  # minute of the day; None: no quiet hours
    Column("quiet_to", Integer),
    Column("digest_at", Integer),  # minute of the day for one e-mail a day; None: e-mails are sent at once
    Column("time_zone", String(40), nullable=False),  # IANA name
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("secret", LargeBinary, nullable=False),  # all server processes use the same
)

blocks = Table(
    "blocks",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("blocked_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", Float, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("reporter_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),  # who is reported
    Column("table_id", ForeignKey("tables.id", ondelete="SET NULL"), index=True),
    Column("category", String(10), nullable=False),  # categories of store.moderation
    Column("text", Text, nullable=False),
    Column("lines", JSON, nullable=False),  # chat lines as they were: name, reported or not, text, time
    Column("score", Float, nullable=False),  # order in the queue
    Column("state", String(10), nullable=False),  # open, acted, dismissed
    Column("at", Float, nullable=False),
    Column("closed_at", Float),
    Index("ix_reports_state_score", "state", "score"),
    Index("ix_reports_reporter_at", "reporter_id", "at"),
    Index("ix_reports_closed_at", "closed_at"),
)

measures = Table(
    "measures",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(10), nullable=False),  # kinds of store.moderation
    Column("reason", Text, nullable=False),
    Column("line", Text, nullable=False),  # the chat line or name it is about; "" for none
    Column("moderator_id", String(16)),  # None: an operator
    Column("at", Float, nullable=False),
    Column("until", Float),  # None: until it is lifted
    Column("read_at", Float),  # when the person confirmed that they have read it
    Column("lifted_at", Float),
    Column("key", String(32), nullable=False),  # allows the appeal of a person who cannot sign in any more
    Column("appeal", Text),
    Column("appealed_at", Float),
    Column("reply", Text),
    Column("decided_at", Float),
    Column("is_waiting", Boolean, nullable=False, default=False, server_default=false()),  # an appeal to decide
    Index("ix_measures_waiting_appealed", "is_waiting", "appealed_at"),
    Index("ix_measures_at", "at"),
)

moderation_log = Table(
    "moderation_log",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("moderator_id", String(16)),  # None: an operator. No foreign keys: nothing changes a row
    Column("moderator", String(40), nullable=False),  # name at that time
    Column("action", String(12), nullable=False),  # actions of store.moderation
    Column("person_id", String(16), nullable=False, index=True),
    Column("kind", String(10), nullable=False),  # of the measure, or ""
    Column("text", Text, nullable=False),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(1400), primary_key=True),  # credential id, base64url
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("name", String(40), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("used_at", Float),
)

external_accounts = Table(
    "external_accounts",
    metadata,
    Column("issuer", String(200), primary_key=True),  # of a sign-in provider (OpenID Connect)
    Column("subject", String(255), primary_key=True),  # the account's id there
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Float, nullable=False),
    Column("used_at", Float),
)

passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("digest", String(64), primary_key=True),  # of the browser's cookie
    Column("challenge", LargeBinary, nullable=False),
    Column("purpose", String(8), nullable=False),  # register, sign_in
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), index=True),  # None: anyone may sign in
    Column("expires_at", Float, nullable=False, index=True),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
)

CHANGED = {"changes": tables.c.changes + 1}
"""Values for an update of a table's row that changes what the table shows without writing a record."""
