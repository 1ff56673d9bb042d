"""Dependency wiring of one server process: its services are built at startup and closed at shutdown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from brinkmanship.store.database import open_database, sqlite_file
from brinkmanship.store.writer import Writer
from brinkmanship.web.accounts.account_service import AccountService
from brinkmanship.web.accounts.contacts import ContactService
from brinkmanship.web.accounts.oidc import OidcService
from brinkmanship.web.accounts.passkeys import PasskeyService
from brinkmanship.web.accounts.password_service import Passwords
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.cluster.leases import TableLeases, process_name
from brinkmanship.web.cluster.postgres_pubsub import PostgresPubSub
from brinkmanship.web.cluster.pubsub import Notification, PubSub
from brinkmanship.web.cluster.unix_pubsub import UnixPubSub
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.moderation.moderation_service import ModerationService
from brinkmanship.web.moderation.player_reports import PlayerReports
from brinkmanship.web.notifications.presence import Presence
from brinkmanship.web.notifications.push import PushKey
from brinkmanship.web.pages.account import export
from brinkmanship.web.presentation.replay import ReplayCache, ReplaySource
from brinkmanship.web.profiles.links import ProfileLinks
from brinkmanship.web.server.health import Health
from brinkmanship.web.server.metrics import Metrics
from brinkmanship.web.server.tracing import Traces
from brinkmanship.web.services import ServerServices, build_services
from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.stream_limits import StreamLimits

READING_THREADS = 1
"""Threads rendering slow pages. More would stall the event loop because of the GIL."""
MAX_READING = 64
MAX_READING_OF_ADDRESS = 8
MAX_PREVIEWS = 16
MAX_PREVIEWS_OF_ADDRESS = 4
"""Maximum previews of links in work or waiting; a chat server asks for a few at once."""
MAX_UPLOADED_SOURCES = 64
"""Maximum uploaded journals cached in memory, ready for viewing."""
MAX_PROOFS = 1_000


@dataclass(frozen=True)
class ServerProcess:
    """One server process: the services for requests, and the infrastructure below them."""

    writer: Writer
    pubsub: PubSub
    leases: TableLeases
    tasks: Supervisor
    outage_monitor: OutageMonitor
    services: ServerServices

    def close(self) -> None:
        """Close everything that holds a thread, a file or a connection, the engine last."""
        self.pubsub.close()
        self.writer.close()
        self.services.passwords.close()
        self.services.reading.close()
        self.services.exports.close()
        self.services.previews.close()
        self.services.engine.dispose()


async def open_process(settings: Settings, metrics: Metrics, traces: Traces | None) -> ServerProcess:
    """Open and migrate the database, join the other processes, and build the services."""
    engine = open_database(settings.database_url)
    if traces is not None:
        traces.watch(engine)
    folder = Path(settings.channel) if settings.channel else None
    turn_file = folder / ".writing" if folder and engine.dialect.name == "sqlite" else None
    writer = Writer(engine, turn_file, metrics.written)
    name = process_name()
    pubsub = pubsub_between(engine, folder, name)
    leases = TableLeases(engine, writer, "" if pubsub.is_alone else name)
    is_first = await leases.enter(pubsub.has_come_up())
    users = UserService(engine, lambda person: pubsub.publish(Notification(person=person)))
    tasks = Supervisor()
    remote_workers = RemoteWorkers(engine, name) if isinstance(pubsub, PostgresPubSub) else None
    job_answered = remote_workers.answered if remote_workers else None
    tables = TableRegistry(engine, pubsub, tasks, users.forget, job_answered)
    outage_monitor = OutageMonitor(engine, writer, is_first, tables.clocks_stood_still)
    authority = build_services(
        engine, writer, tables, settings, pubsub, leases, tasks, outage_monitor, remote_workers, metrics.chosen
    )
    services = ServerServices(
        **vars(authority),  # the fields of the base class
        settings=settings,
        engine=engine,
        users=users,
        accounts=AccountService(engine, users),
        contacts=_contacts(engine, settings),
        passwords=Passwords(),
        profile_links=ProfileLinks(engine),
        presence=Presence(60 * settings.notice_away_minutes),
        push_key=PushKey(engine, settings.push_subject, settings.push_key),
        streams=StreamLimits(settings.streams_of_address, settings.streams_of_person),
        reading=BoundedPool("reading", READING_THREADS, MAX_READING, MAX_READING_OF_ADDRESS),
        exports=BoundedPool("exports", 1, export.MAX_AT_ONCE, 1),
        previews=BoundedPool("previews", 1, MAX_PREVIEWS, MAX_PREVIEWS_OF_ADDRESS),
        replays=ReplayCache(),
        uploads=LruCache[str, ReplaySource](MAX_UPLOADED_SOURCES),
        proofs=LruCache[str, object](MAX_PROOFS),
        health=Health(engine, outage_monitor, tasks, sqlite_file(settings.database_url)),
        player_reports=PlayerReports(engine, users),
        moderation_service=ModerationService(engine, users),
        passkeys=PasskeyService(engine, users),
        oidc=OidcService(engine, users, settings),
    )
    return ServerProcess(writer, pubsub, leases, tasks, outage_monitor, services)


def pubsub_between(engine: Engine, folder: Path | None, name: str) -> PubSub:
    """Return the pub/sub channel of a process to all others on its database; see `pubsub`.

    Args:
        engine: Database engine.
        folder: Folder shared by the workers of one machine; None if there is only one worker.
        name: Name of the process.
    """
    if engine.dialect.name == "postgresql":
        return PostgresPubSub(engine, name)
    return UnixPubSub(folder) if folder else PubSub()


def _contacts(engine: Engine, settings: Settings) -> ContactService:
    return ContactService(
        engine,
        needs_https=not settings.webhooks_to_private,
        ports=None if settings.webhooks_to_private else settings.webhook_ports,
        mails_of_address=settings.mails_of_address,
    )
