"""Job for another process or machine: compare positions of a finished game, from bytes to bytes.

A finished game is open to everyone, so the worker receives whole states. No pickles: unpickling can run code.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.record import State
from brinkmanship.engine.struct_types import prepare
from brinkmanship.games.registry import load_game
from brinkmanship.web.jobs.player_job import OtherProgramError, data_of

if TYPE_CHECKING:
    from brinkmanship.analysis.compare import Compared

MAX_GAMES = 16
"""Maximum rulesets cached in a process."""


class _Question(msgspec.Struct, array_like=True):
    game: str
    options: dict[str, OptionValue]
    data_name: str
    data: bytes | None
    side: int
    groups: list[list[bytes]]


_read_question = msgspec.msgpack.Decoder(_Question).decode


def question_of(game: Game, side: int, groups: Sequence[Sequence[State]]) -> bytes:
    """Encode a request to rate positions for a side, each relative to the others of its group."""
    states = [[state.tobytes() for state in group] for group in groups]
    request = _Question(game.id, dict(game.options), *data_of(game), side, states)
    return zlib.compress(msgspec.msgpack.encode(request))


def comparison_of(question: bytes) -> bytes:
    """Compare the positions of a request; return the result for `comparison_in`, or b"" until the rules are compiled.

    Raises:
        OtherProgramError: The request is from another version of the rules.
    """
    from brinkmanship.analysis.compare import compared  # it loads the search

    request = _read_question(zlib.decompress(question))
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
    return load_game(game_id, None if data is None else DataFile(name, data), dict(options))


def comparison_in(answer: bytes) -> list[list[Compared]]:
    """Decode the result of `comparison_of`, group by group."""
    from brinkmanship.analysis.compare import Compared

    prepare(Compared)
    return msgspec.msgpack.decode(answer, type=list[list[Compared]])
