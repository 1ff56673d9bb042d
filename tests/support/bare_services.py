"""Services without a server around them: no quotas, no pace, no background tasks."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine

from brinkmanship.store.writer import Writer
from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.cluster.pubsub import PubSub
from brinkmanship.web.services import Services, build_services
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.registry import TableRegistry

UNLIMITED = Settings(
    open_tables_of_address=0,
    tables_of_person=0,
    tables_of_address=0,
    chat_lines_per_minute=0,
    onlooker_lines_per_minute=0,
    computer_pace_ms=0,
    analysis_playouts=0,
    simulated_games=0,
)


def bare_services(
    engine: Engine,
    writer: Writer,
    settings: Settings = UNLIMITED,
    pubsub: PubSub | None = None,
    leases: TableLeases | None = None,
    tasks: Supervisor | None = None,
    forget_person: Callable[[str | None], object] = lambda _: None,
) -> Services:
    pubsub = pubsub or PubSub()
    leases = leases or TableLeases(engine, writer)
    tasks = tasks or Supervisor()
    tables = TableRegistry(engine, pubsub, tasks, forget_person)
    return build_services(engine, writer, tables, settings, pubsub, leases, tasks)
