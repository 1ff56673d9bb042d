"""Job for another process or machine: compare positions of a finished game, from bytes to bytes.

A finished game is open to everyone, so the worker receives whole states.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import State
from brinkmanship.engine.struct_types import prepare
from brinkmanship.games.registry import load_game
from brinkmanship.web.jobs.player_job import OtherProgramError
from brinkmanship.web.jobs.request import JobRequest, data_file, data_of

if TYPE_CHECKING:
    from brinkmanship.analysis.compare import ComparedPosition

MAX_GAMES = 16
"""Maximum rulesets cached in a process."""


class _Request(JobRequest):
    game: str
    options: dict[str, OptionValue]
    data_name: str
    data: bytes | None
    side: int
    groups: list[list[bytes]]


def encode(game: Game, side: int, groups: Sequence[Sequence[State]]) -> bytes:
    """Encode a request to rate positions for a side, each relative to the others of its group."""
    states = [[state.tobytes() for state in group] for group in groups]
    return _Request(game.id, dict(game.options), *data_of(game), side, states).to_bytes()


def run(payload: bytes) -> bytes:
    """Compare the positions of a request; return the result for `decode`, or b"" until the rules are compiled.

    Raises:
        OtherProgramError: The request is from another version of the rules.
    """
    from brinkmanship.analysis.compare import compared  # it loads the search

    request = _Request.from_bytes(payload)
    if INTERPRETED:
        return b""
    game = _game(request.game, tuple(sorted(request.options.items())), request.data_name, request.data)
    if any(len(state) != game.dtype.itemsize for group in request.groups for state in group):
        raise OtherProgramError(f"the request is from another version of {game.id}")
    found = [
        compared(game, [game.state_from_bytes(state) for state in group], request.side) for group in request.groups
    ]
    return msgspec.msgpack.encode(found)


@lru_cache(MAX_GAMES)
def _game(game_id: str, options: tuple[tuple[str, OptionValue], ...], name: str, data: bytes | None) -> Game:
    return load_game(game_id, data_file(name, data), dict(options))


def decode(answer: bytes) -> list[list[ComparedPosition]]:
    """Decode the result of `run`, group by group."""
    from brinkmanship.analysis.compare import ComparedPosition

    prepare(ComparedPosition)
    return msgspec.msgpack.decode(answer, type=list[list[ComparedPosition]])
