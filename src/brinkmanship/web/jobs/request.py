"""Requests of jobs as bytes, for another process or machine: what all kinds of jobs have in common.

No pickles: unpickling would let the sender run code in the receiver.
"""

from __future__ import annotations

import zlib
from typing import Self

import msgspec

from brinkmanship.engine.data_file import MAX_BYTES, DataFile
from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import Journal, parse, play
from brinkmanship.engine.match import Match
from brinkmanship.engine.struct_types import prepare
from brinkmanship.games.registry import load_game


class JobRequest(msgspec.Struct, array_like=True):
    """A request; a kind of job has a subclass with its arguments."""

    def to_bytes(self) -> bytes:
        """Encode the request."""
        return zlib.compress(msgspec.msgpack.encode(self))

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """Decode a request of this kind.

        Raises:
            msgspec.DecodeError: The bytes are another request.
        """
        prepare(cls)
        return msgspec.msgpack.decode(zlib.decompress(payload), type=cls)


class FinishedGameRequest(JobRequest):
    """A request about a finished game, which is open to everyone: the journal with all cards open."""

    journal: str
    data_name: str
    data: bytes | None

    def replayed(self) -> tuple[Journal, Match]:
        """Return the journal and the game at its end."""
        record = parse(self.journal)
        game = load_game(record.game_id, data_file(self.data_name, self.data), record.options)
        return record, play(record, game)


def data_of(game: Game) -> tuple[str, bytes | None]:
    """Return the name and content of a ruleset's data file; "" and None for the game's own."""
    if game.source is None:
        return "", None
    if isinstance(game.source, DataFile):
        return game.source
    with open(game.source, "rb") as file:
        return str(game.source), file.read(MAX_BYTES)


def data_file(name: str, content: bytes | None) -> DataFile | None:
    """Return the data file of a request, the inverse of `data_of`; None for the game's own."""
    return None if content is None else DataFile(name, content)
