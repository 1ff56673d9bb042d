"""The authority over all tables of a database: its parts, and how they hold together.

`tables` holds the tables in memory, `event_log` writes what happens; `seating`, `actions`, `followups` and `chat` say
what people may do, `bot_moves` plays for computers, `hints` advises, `analyses` looks back, `personal_puzzles` asks
again, `simulations` tries changed cards and `boards` other lines. An action is checked (seat, version, legality), made
safe by the writer, told to the other worker processes (see `pubsub`), and only then shown and acknowledged. Everything
runs in one event loop.
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
from brinkmanship.web.studies.analyses import Analyses
from brinkmanship.web.studies.boards import Boards
from brinkmanship.web.studies.personal_puzzles import PersonalPuzzles
from brinkmanship.web.studies.simulations import Simulations
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.actions import TableActions
from brinkmanship.web.tables.bot_moves import BotMoves
from brinkmanship.web.tables.chat import Chat
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.followups import Followups
from brinkmanship.web.tables.hints import HintService
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating
from brinkmanship.web.tables.standing_orders import StandingOrders


@dataclass(frozen=True)
class Services:
    """The parts; see the module."""

    tables: TableRegistry
    event_log: EventLog
    seating: Seating
    actions: TableActions
    followups: Followups
    chat: Chat
    bot_moves: BotMoves
    standing_orders: StandingOrders
    hints: HintService
    analyses: Analyses
    personal_puzzles: PersonalPuzzles
    simulations: Simulations
    boards: Boards


def build_services(
    engine: Engine,
    writer: Writer,
    channel: PubSub | None = None,
    leases: TableLeases | None = None,
    forget_person: Callable[[str], None] = lambda _: None,
    most_open: int = 5,
    tasks: Supervisor | None = None,
    outage_monitor: OutageMonitor | None = None,
    remote_workers: RemoteWorkers | None = None,
) -> Services:
    """The parts, put together.

    Args:
        channel: to the other processes, None: there are none.
        leases: None: all tables are at home here.
        forget_person: called with the id of a person about whom another worker process has changed something.
        most_open: open tables of one person that may wait at once.
        outage_monitor: None: pauses of the server are not looked for.
        remote_workers: other machines for computer players, None: there are none.
    """
    channel = channel or PubSub()
    leases = leases or TableLeases(engine, writer)
    tasks = tasks or Supervisor()
    tables = TableRegistry(engine, channel, tasks, forget_person)
    event_log = EventLog(writer, tables, outage_monitor)
    bot_moves = BotMoves(tables, event_log, channel, leases, tasks, remote_workers)
    tables.wake_computer, tables.play_computer = bot_moves.wake, bot_moves.called
    if remote_workers:
        tables.job_answered = remote_workers.answered
    if outage_monitor:
        outage_monitor.when_paused = tables.clocks_stood_still
    actions = TableActions(tables, event_log)
    seating = Seating(engine, writer, tables, actions, most_open)
    followups = Followups(engine, tables, event_log, seating)
    analyses = Analyses(engine, writer, tasks, remote_workers)
    return Services(
        tables,
        event_log,
        seating,
        actions,
        followups,
        Chat(engine, writer, tables),
        bot_moves,
        StandingOrders(writer, tables),
        HintService(tables, event_log, remote_workers),
        analyses,
        PersonalPuzzles(engine, writer, tables, analyses, tasks, remote_workers),
        Simulations(engine, writer, tasks, remote_workers),
        Boards(engine, remote_workers),
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
