"""The server's service container: the authority over all tables of a database, and how its parts are wired.

`tables` holds the tables in memory, `event_log` writes their events; `seating`, `actions`, `followups` and `chat`
handle user actions, `bot_moves` plays the bots, `hints` gives advice, `analyses` reviews finished games,
`personal_puzzles` derives puzzles from them, `simulations` tries changed cards, `boards` variations, `animations` draws
moving replays; `tournaments` pairs people. An action is checked (seat, version, legality), persisted by the writer,
published to the other worker processes (see `pubsub`), and only then shown and acknowledged. Everything runs in one
event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Engine
from starlette.requests import HTTPConnection
from starlette.types import Scope

from brinkmanship.store.writer import Writer
from brinkmanship.web.accounts.account_service import AccountService
from brinkmanship.web.accounts.authentication import SignInServices
from brinkmanship.web.accounts.contacts import ContactService
from brinkmanship.web.accounts.oidc import OidcService
from brinkmanship.web.accounts.passkeys import PasskeyService
from brinkmanship.web.accounts.password_service import Passwords
from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.cluster.pubsub import PubSub
from brinkmanship.web.daily.daily_service import DailyService
from brinkmanship.web.jobs.background import JobQuotas
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.matches.duplicate_service import DuplicateService
from brinkmanship.web.matches.match_service import MatchService
from brinkmanship.web.moderation.moderation_service import ModerationService
from brinkmanship.web.moderation.player_reports import PlayerReports
from brinkmanship.web.notifications.presence import Presence
from brinkmanship.web.notifications.push import PushKey
from brinkmanship.web.presentation.replay import ReplayCache, ReplaySource
from brinkmanship.web.profiles.links import ProfileLinks
from brinkmanship.web.ratings.rating_service import Ratings
from brinkmanship.web.seeks.challenge_service import ChallengeService
from brinkmanship.web.seeks.seek_service import SeekService
from brinkmanship.web.solo.solo_service import SoloService
from brinkmanship.web.studies.analyses import Analyses
from brinkmanship.web.studies.animations import Animations
from brinkmanship.web.studies.boards import Boards
from brinkmanship.web.studies.open_records import OpenRecords
from brinkmanship.web.studies.personal_puzzles import PersonalPuzzles
from brinkmanship.web.studies.simulations import Simulations
from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.actions import TableActions
from brinkmanship.web.tables.bot_moves import BotMoves
from brinkmanship.web.tables.chat import Chat
from brinkmanship.web.tables.comments import CommentService
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.followups import Followups
from brinkmanship.web.tables.hints import HintService
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands_commands import OpenHandsCommands
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.quotas import TableQuotas
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating
from brinkmanship.web.tables.standing_orders import StandingOrders
from brinkmanship.web.tables.stream_limits import StreamLimits
from brinkmanship.web.tournaments.tournament_service import Tournaments


@dataclass(frozen=True)
class Services:
    """Services of the table authority; see the module."""

    tables: TableRegistry
    event_log: EventLog
    seating: Seating
    actions: TableActions
    followups: Followups
    chat: Chat
    comments: CommentService
    open_hands: OpenHandsCommands
    bot_moves: BotMoves
    standing_orders: StandingOrders
    hints: HintService
    analyses: Analyses
    personal_puzzles: PersonalPuzzles
    simulations: Simulations
    boards: Boards
    open_records: OpenRecords
    animations: Animations
    ratings: Ratings
    matches: MatchService
    duplicates: DuplicateService
    daily: DailyService
    solo: SoloService
    seeks: SeekService
    challenges: ChallengeService
    tournaments: Tournaments


class HealthReport(Protocol):
    """Reporter of the server's health."""

    async def report(self) -> dict[str, Any]:
        """Return the response body of `/health`; with empty `reasons` all is well."""
        ...


@dataclass(frozen=True, kw_only=True)
class ServerServices(Services, SignInServices):
    """All services that requests use: the table authority and the server process around it."""

    engine: Engine
    accounts: AccountService
    contacts: ContactService
    passwords: Passwords
    presence: Presence
    profile_links: ProfileLinks
    push_key: PushKey
    streams: StreamLimits
    reading: BoundedPool
    """Threads for slow pages."""
    exports: BoundedPool
    """Threads for exports of a user's stored data."""
    previews: BoundedPool
    """Threads that wait for previews of links to be drawn."""
    replays: ReplayCache
    uploads: LruCache[str, ReplaySource]
    """Uploaded journals cached in memory, ready for viewing."""
    proofs: LruCache[str, object]
    """Proofs of finished tables; see `pages.study.verify`."""
    health: HealthReport
    player_reports: PlayerReports
    moderation_service: ModerationService
    passkeys: PasskeyService
    oidc: OidcService


def build_services(
    engine: Engine,
    writer: Writer,
    tables: TableRegistry,
    settings: Settings,
    pubsub: PubSub,
    leases: TableLeases,
    tasks: Supervisor,
    outage_monitor: OutageMonitor | None = None,
    remote_workers: RemoteWorkers | None = None,
    observe_choice: Callable[[str, float], object] = lambda *_: None,
) -> Services:
    """Create and connect the services.

    Args:
        engine: Database engine.
        writer: Group-commit writer of the tables' events.
        tables: Registry of the tables in memory.
        settings: Settings of the server.
        pubsub: Pub/sub channel to the other worker processes.
        leases: Per-table leases of this process.
        tasks: Supervisor of the background tasks.
        outage_monitor: Monitor of server pauses; None to disable it.
        remote_workers: Client for remote bot workers; None if there are none.
        observe_choice: See `BotMoves`.
    """
    event_log = EventLog(writer, tables, outage_monitor)
    pace = settings.computer_pace_ms / 1000
    bot_moves = BotMoves(tables, event_log, pubsub, leases, tasks, pace, observe_choice, remote_workers)
    tables.subscribe(bot_moves)
    actions = TableActions(tables, event_log)
    quotas = TableQuotas(settings.tables_of_person, settings.tables_of_address, settings.open_tables_of_address)
    seating = Seating(engine, writer, tables, actions, settings.open_tables_per_person, quotas)
    jobs = JobQuotas(settings.jobs_of_address, settings.jobs_of_person)
    analyses = Analyses(engine, writer, tasks, settings.analysis_playouts, jobs, remote_workers)
    chat = Chat(engine, writer, tables, settings.chat_lines_per_minute, settings.onlooker_lines_per_minute)
    matches = MatchService(engine, writer, tables, seating, analyses)
    return Services(
        tables=tables,
        event_log=event_log,
        seating=seating,
        actions=actions,
        followups=Followups(engine, tables, event_log, seating),
        chat=chat,
        comments=CommentService(engine, writer, chat),
        open_hands=OpenHandsCommands(tables, event_log),
        bot_moves=bot_moves,
        standing_orders=StandingOrders(writer, tables),
        hints=HintService(tables, event_log, remote_workers),
        analyses=analyses,
        personal_puzzles=PersonalPuzzles(engine, writer, tables, analyses, tasks, remote_workers),
        simulations=Simulations(engine, writer, tasks, settings.simulated_games, jobs, remote_workers),
        boards=Boards(engine, remote_workers),
        open_records=OpenRecords(engine),
        animations=Animations(engine, writer, tasks, settings.animations, jobs, remote_workers),
        ratings=Ratings(engine),
        matches=matches,
        duplicates=DuplicateService(engine, tables, seating),
        daily=DailyService(engine, writer, tables, seating, event_log, analyses),
        solo=SoloService(engine, writer, tables, seating),
        seeks=SeekService(engine, tables, seating, quotas),
        challenges=ChallengeService(engine, tables, seating, quotas),
        tournaments=Tournaments(engine, tables, seating, event_log),
    )


def services_in(scope: Scope) -> ServerServices:
    """Return the services of the application in an ASGI scope."""
    found: ServerServices = scope["app"].state.services
    return found


def services_of(request: HTTPConnection) -> ServerServices:
    """Return the services of the server that handles a request."""
    return services_in(request.scope)


async def table_at(request: HTTPConnection, table_id: str) -> LiveTable:
    """Return the table with this id.

    Raises:
        NotFoundError: There is no such table.
    """
    return await services_of(request).tables.table(table_id)
