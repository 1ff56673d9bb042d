"""Versions of rules and players used in a measurement, as short digests of their sources."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.cache import cache_folder
from brinkmanship.engine.jit.source_fingerprint import PACKAGE, dependencies_of
from brinkmanship.games.registry import Kit, kit_for
from brinkmanship.players import Player

SHOWN = 12
"""Length of a digest in hexadecimal digits."""


def of_rules(game: Game) -> str:
    """Return a digest of all sources of a game's rules."""
    return _digest(type(game).__module__)


def of_player(player: Player, name: str) -> str:
    """Return a digest of all sources of a player of this name, including the rules."""
    kit = kit_for(player.game)
    kind = re.split("[~:]", name)[0]
    judge = {**kit.baselines, **kit.players}.get(kind)  # for a level with noise: the player that evaluates for it
    module = [kit.name_of(f"players.{judge.partition('.')[0]}")] if judge else []
    return _digest(type(player).__module__, *module)


def of_kind(kit: Kit, kind: str) -> str:
    """Return the same for one of a game's own players, without loading it: that takes a second, uncompiled a minute."""
    return _digest(kit.name_of(f"players.{kit.players[kind].partition('.')[0]}"))


@cache
def _digest(*modules: str) -> str:
    kept = cache_folder(modules[0]).parent / "sources.json"
    return hashlib.sha256(b"".join(_sources(dependencies_of(sorted(set(modules)), kept)))).hexdigest()[:SHOWN]


def _sources(names: Iterable[str]) -> Iterable[bytes]:
    for name in names:
        spec = find_spec(name) if name.partition(".")[0] == PACKAGE else None
        if spec is not None and spec.origin is not None:
            yield Path(spec.origin).read_bytes()
