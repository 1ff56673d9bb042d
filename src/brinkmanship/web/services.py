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
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.actions import TableActions
from brinkmanship.web.tables.bot_moves import BotMoves
from brinkmanship.web.tables.chat import Chat
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.followups import Followups
from brinkmanship.web.tables.hints import HintService
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.quotas import TableQuotas
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
    tables: TableRegistry,
    settings: Settings,
    channel: PubSub,
    leases: TableLeases,
    tasks: Supervisor,
    outage_monitor: OutageMonitor | None = None,
    remote_workers: RemoteWorkers | None = None,
    observe_choice: Callable[[str, float], object] = lambda *_: None,
) -> Services:
    """Put the parts together.

    Args:
        channel: to the other processes.
        outage_monitor: None: nobody looks for pauses of the server.
        remote_workers: other machines for computer players, None: there are none.
        observe_choice: see `BotMoves`.
    """
    event_log = EventLog(writer, tables, outage_monitor)
    pace = settings.computer_pace_ms / 1000
    bot_moves = BotMoves(tables, event_log, channel, leases, tasks, pace, observe_choice, remote_workers)
    tables.subscribe(bot_moves)
    actions = TableActions(tables, event_log)
    quotas = TableQuotas(settings.tables_of_person, settings.tables_of_address, settings.open_tables_of_address)
    seating = Seating(engine, writer, tables, actions, settings.open_tables_per_person, quotas)
    jobs = settings.jobs_of_address
    analyses = Analyses(engine, writer, tasks, settings.analysis_playouts, jobs, remote_workers)
    return Services(
        tables=tables,
        event_log=event_log,
        seating=seating,
        actions=actions,
        followups=Followups(engine, tables, event_log, seating),
        chat=Chat(engine, writer, tables, settings.chat_lines_per_minute, settings.onlooker_lines_per_minute),
        bot_moves=bot_moves,
        standing_orders=StandingOrders(writer, tables),
        hints=HintService(tables, event_log, remote_workers),
        analyses=analyses,
        personal_puzzles=PersonalPuzzles(engine, writer, tables, analyses, tasks, remote_workers),
        simulations=Simulations(engine, writer, tasks, settings.simulated_games, jobs, remote_workers),
        boards=Boards(engine, remote_workers),
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
