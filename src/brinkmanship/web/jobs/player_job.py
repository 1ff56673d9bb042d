"""Codec for requests to computer players and their results (a choice or hints), for another process or machine.

A request holds the game as the player's side observed it and nothing else (`engine.observation`). Neither is a pickle:
unpickling would let the sender run code in the receiver.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.hint import Hint, Hints, Reply
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.message_json import as_json, message_of
from brinkmanship.engine.observation import Observation, SeenAction
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import load_game
from brinkmanship.players import Budget, Candidate, Choice, Player, load_player
from brinkmanship.web.jobs.request import data_file, data_of
from brinkmanship.web.support.lru_cache import LruCache

MAX_PLAYERS = 64
"""Maximum players cached in a process; there are more rulesets than memory."""

HINT_BUDGET = Budget(nodes=6000)
"""Search budget of a hint, counted in nodes so that repeated requests give the same hint.

In all three games it takes less than a second of CPU time.
"""
ADVISER = "search"
"""Name of the player whose search computes hints."""

_PACKED = 1
"""zlib level; low, because consecutive views of a side are nearly identical."""


class OtherProgramError(BrinkError):
    """The request is from a program with other rules; both sides must run the same version."""


class _Question(msgspec.Struct, array_like=True):
    player: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    data_name: str
    data: bytes | None
    data_sha256: str
    side: int
    actions: list[tuple[int, int]]
    views: list[bytes]
    seed: int | None = None


class _Answer(msgspec.Struct, array_like=True):
    action: int
    candidates: list[tuple[int, float, int]]
    reason: dict[str, Any] | None


class _Reply(msgspec.Struct, array_like=True):
    action: int
    text: dict[str, Any]
    share: float


class _Hint(msgspec.Struct, array_like=True):
    action: int
    win: float
    error: float
    is_best: bool
    war: float | None
    share: float | None
    reason: dict[str, Any] | None
    reply: _Reply | None
    score: float | None = None


class _Hints(msgspec.Struct, array_like=True):
    side: int
    hints: list[_Hint]
    worlds: int
    playouts: int


_read_hints = msgspec.msgpack.Decoder(_Hints).decode
_read_question = msgspec.msgpack.Decoder(_Question).decode
_read_answer = msgspec.msgpack.Decoder(_Answer).decode


class Players:
    """LRU cache of a process's players with their rulesets."""

    def __init__(self) -> None:
        self._kept = LruCache[tuple[object, ...], Player](MAX_PLAYERS)

    def answer(self, question: bytes) -> bytes:
        """Return the encoded choice of the requested player; exceptions of the player propagate.

        Raises:
            OtherProgramError: The request is from another version of the rules.
        """
        player, seen, seed = self._read(question)
        return encode_choice((player if seed is None else player.fresh(seed)).choose(seen))

    def hint(self, question: bytes) -> bytes:
        """Return the encoded hints for the requesting side, to be read by `hints_of`.

        The result is b"" until the rules are compiled, because interpreted playouts take longer than users wait.

        Raises:
            OtherProgramError: The request is from another version of the rules.
            NoHintError: No hint is possible.
        """
        from brinkmanship.players.hints import hints  # it loads the search

        _, seen, _ = self._read(question)
        if INTERPRETED:
            return b""
        return answer_of_hints(hints(seen, HINT_BUDGET))

    def _read(self, question: bytes) -> tuple[Player, Observation, int | None]:
        request = _read_question(zlib.decompress(question))
        options = tuple(sorted(request.options.items()))
        key = (request.player, request.game, request.rules_version, options, request.data_sha256)
        player = self._kept.get(key) or self._kept.keep(key, _player(request))
        game = player.game
        if any(len(view) != game.dtype.itemsize for view in request.views):
            raise OtherProgramError(f"the request is from another version of {game.id}")
        actions = tuple(SeenAction(*each) for each in request.actions)
        return player, Observation(game, request.side, actions, tuple(request.views)), request.seed


def _player(request: _Question) -> Player:
    game = load_game(request.game, data_file(request.data_name, request.data), request.options)
    if (game.version, game.data_sha256) != (request.rules_version, request.data_sha256):
        raise OtherProgramError(f"the request is from other rules of {game.id} than version {game.version} here")
    return load_player(request.player, game)


def encode_request(player: str, seen: Observation, seed: int | None = None) -> bytes:
    """Encode a request to a player, by name, for the choice after an observation.

    With a seed the choice is the same each time, unless the player's budget is a time.
    """
    game = seen.game
    name, data = data_of(game)
    request = _Question(
        player,
        game.id,
        game.version,
        dict(game.options),
        name,
        data,
        game.data_sha256,
        seen.side,
        [(int(each.actor), int(each.action)) for each in seen.actions],
        list(seen.views),
        seed,
    )
    return zlib.compress(msgspec.msgpack.encode(request), _PACKED)


def encode_choice(choice: Choice) -> bytes:
    """Encode a choice."""
    reason = None if choice.reason is None else as_json(choice.reason)
    candidates = [(int(each.action), float(each.value), int(each.danger)) for each in choice.candidates]
    return msgspec.msgpack.encode(_Answer(int(choice.action), candidates, reason))


def decode_choice(answer: bytes) -> Choice:
    """Decode a choice encoded by `encode_choice`.

    Raises:
        msgspec.DecodeError: The bytes are not an encoded choice.
    """
    read = _read_answer(answer)
    candidates = tuple(Candidate(*each) for each in read.candidates)
    return Choice(read.action, candidates, None if read.reason is None else message_of(read.reason))


def answer_of_hints(found: Hints) -> bytes:
    """Encode hints."""
    return msgspec.msgpack.encode(_Hints(found.side, [_hint(one) for one in found.hints], found.worlds, found.playouts))


def _hint(one: Hint) -> _Hint:
    reply = one.reply and _Reply(int(one.reply.action), as_json(one.reply.text), one.reply.share)
    reason = None if one.reason is None else as_json(one.reason)
    return _Hint(int(one.action), one.win, one.error, one.is_best, one.war, one.share, reason, reply, one.score)


def hints_of(answer: bytes) -> Hints:
    """Decode hints encoded by `answer_of_hints`.

    Raises:
        msgspec.DecodeError: The bytes are not encoded hints.
    """

    def hint(one: _Hint) -> Hint:
        reply = one.reply
        answered = None if reply is None else Reply(reply.action, message_of(reply.text), reply.share)
        reason = None if one.reason is None else message_of(one.reason)
        return Hint(one.action, one.win, one.error, one.is_best, one.war, one.share, reason, answered, one.score)

    read = _read_hints(answer)
    return Hints(read.side, tuple(map(hint, read.hints)), read.worlds, read.playouts)
