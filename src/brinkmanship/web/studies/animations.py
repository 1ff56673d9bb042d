"""Animated replays of finished games: requested by anyone who may see the game, drawn in the `background`, stored."""

from __future__ import annotations

import hashlib
import time
from typing import NamedTuple

import msgspec
from sqlalchemy import Engine, select

from brinkmanship.store import schema
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.writer import Writer
from brinkmanship.web.jobs.animation_job import AnimationSpan
from brinkmanship.web.jobs.background import BackgroundJobs, JobQuotas
from brinkmanship.web.jobs.process_pool import ANIMATION
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support.supervisor import Supervisor

VERSION = 1
"""Version of the pictures; raise it when they change, and stored ones no longer apply."""


class OfGame(NamedTuple):
    """Subject of an animation: a span of a table's or an uploaded game."""

    address: str
    """Address prefix of the game: "/t/<id>" or "/u/<id>"."""
    entries: int
    """Number of entries; it differs if a game ended again after its last step was taken back."""
    span: AnimationSpan

    @property
    def about(self) -> str:
        """Name of the animation: a digest of all that its file depends on."""
        key = self.address.encode(), b"%d %d " % (self.entries, VERSION), msgspec.msgpack.encode(self.span)
        return hashlib.sha256(b" ".join(key)).hexdigest()[:32]

    @property
    def columns(self) -> dict[str, object]:
        """Additional values to store with it, by column."""
        kind, game_id = self.address[1:].split("/")
        return {"table_id" if kind == "t" else "upload_id": game_id, "begun_at": time.time()}


class Animations(BackgroundJobs[bytes]):
    """Service that animates replays.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tasks: Supervisor of the background tasks.
        kept: Maximum stored animations; 0 disables animations.
        quotas: Maximum numbers of animations per address and user.
        remote_workers: Client for remote workers; None if there are none.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tasks: Supervisor,
        kept: int,
        quotas: JobQuotas,
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        store = JobStore(engine, schema.animations)
        too_many = "sharing.refused.many"
        super().__init__(ANIMATION, store, bytes, too_many, writer, tasks, quotas, remote_workers)
        self.kept = kept


def remove_old(engine: Engine, before: float, most: int) -> None:
    """Remove the animations that were requested before a time, and the oldest beyond `most`."""
    at = schema.animations.c.begun_at
    with engine.begin() as connection:
        one_too_many = connection.execute(select(at).order_by(at.desc()).offset(most).limit(1)).scalar()
        is_old = at < before if one_too_many is None else (at < before) | (at <= one_too_many)
        connection.execute(schema.animations.delete().where(is_old))
