"""The authority over all tables of a database: its parts, and how they hold together.

`tables` has what is in memory, `records` writes what happens; `seating`, `acting`, `campaigns` and `chat` say what
people may do, `computers` play, `hinting` advises, `analysing` looks back, `own_puzzles` asks again, `simulating` tries
changed cards and `branching` other lines. An action is checked (seat, version, legality), made safe by the writer, told
to the other worker processes (see `channel`), and only then shown and acknowledged. All runs in one event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine
from starlette.requests import HTTPConnection

from brinkmanship.store.writer import Writer
from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.cluster.pubsub import PubSub
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.studies.analyses import Analysing
from brinkmanship.web.studies.boards import Branching
from brinkmanship.web.studies.personal_puzzles import OwnPuzzles
from brinkmanship.web.studies.simulations import Simulating
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.actions import TableActions
from brinkmanship.web.tables.bot_moves import BotMoves
from brinkmanship.web.tables.chat import Chat
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.followups import Campaigns
from brinkmanship.web.tables.hints import Hinting
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating
from brinkmanship.web.tables.standing_orders import Ordering


@dataclass(frozen=True)
class Services:
    """The parts; see the module."""

    tables: TableRegistry
    records: EventLog
    seating: Seating
    acting: TableActions
    campaigns: Campaigns
    chat: Chat
    computers: BotMoves
    ordering: Ordering
    hinting: Hinting
    analysing: Analysing
    own_puzzles: OwnPuzzles
    simulating: Simulating
    branching: Branching


def build_services(
    engine: Engine,
    writer: Writer,
    channel: PubSub | None = None,
    homes: TableLeases | None = None,
    forget_person: Callable[[str], None] = lambda _: None,
    most_open: int = 5,
    tasks: Supervisor | None = None,
    heartbeat: OutageMonitor | None = None,
    thinkers: RemoteWorkers | None = None,
) -> Services:
    """The parts, put together.

    Args:
        channel: to the other processes, None: there are none.
        homes: None: all tables are at home here.
        forget_person: called with the id of a person about whom another worker process has changed something.
        most_open: open tables of one person that may wait at once.
        heartbeat: None: pauses of the server are not looked for.
        thinkers: other machines for computer players, None: there are none.
    """
    channel = channel or PubSub()
    homes = homes or TableLeases(engine, writer)
    tasks = tasks or Supervisor()
    tables = TableRegistry(engine, channel, tasks, forget_person)
    records = EventLog(writer, tables, heartbeat)
    computers = BotMoves(tables, records, channel, homes, tasks, thinkers)
    tables.wake_computer, tables.play_computer = computers.wake, computers.called
    if thinkers:
        tables.job_answered = thinkers.answered
    if heartbeat:
        heartbeat.when_paused = tables.clocks_stood_still
    acting = TableActions(tables, records)
    seating = Seating(engine, writer, tables, acting, most_open)
    campaigns = Campaigns(engine, tables, records, seating)
    analysing = Analysing(engine, writer, tasks, thinkers)
    return Services(
        tables,
        records,
        seating,
        acting,
        campaigns,
        Chat(engine, writer, tables),
        computers,
        Ordering(writer, tables),
        Hinting(tables, records, thinkers),
        analysing,
        OwnPuzzles(engine, writer, tables, analysing, tasks, thinkers),
        Simulating(engine, writer, tasks, thinkers),
        Branching(engine, thinkers),
    )


def services(request: HTTPConnection) -> Services:
    """The authority of the server a request came to."""
    found: Services = request.app.state.services
    return found


async def table_at(request: HTTPConnection, table_id: str) -> LiveTable:
    """The table a request is about.

    Raises:
        NotFoundError: there is no such table.
    """
    return await services(request).tables.table(table_id)
