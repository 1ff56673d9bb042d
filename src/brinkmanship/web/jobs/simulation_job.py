"""Job for another process or machine: simulate many games with custom cards or scenarios, from bytes to bytes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.players.self_play import play
from brinkmanship.web.jobs.request import JobRequest, data_file, data_of
from brinkmanship.web.support.progress import ProgressReporter

SEED = 0
"""Fixed seed: game k gets the same deal with every version of the cards, as far as the cards allow."""
CHUNK = 64
"""Games simulated between two progress reports."""


class Simulation(msgspec.Struct, frozen=True):
    """Result of many simulated games."""

    games: int
    results: tuple[tuple[int, str, int], ...]
    """Winning side (`engine.playout.NOBODY` for a draw), reason and number of games; most frequent first."""
    decisions: float
    """Average number of decisions of both sides per game."""

    def wins(self, side: int) -> int:
        """Return the number of games won by a side."""
        return sum(games for winner, _, games in self.results if winner == side)

    def to_bytes(self) -> bytes:
        """Encode the result for storage."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, kept: bytes) -> Simulation:
        """Decode a stored result."""
        return _read_simulation(kept)


class _Request(JobRequest):
    game: str
    data_name: str
    data: bytes | None
    player: str
    games: int


_read_simulation = msgspec.msgpack.Decoder(Simulation).decode


def encode(game: Game, player: str, games: int) -> bytes:
    """Encode a request to simulate games of a ruleset with default options."""
    return _Request(game.id, *data_of(game), player, games).to_bytes()


def run(payload: bytes, report_progress: Callable[[bytes], None]) -> bytes:
    """Simulate the games of a request and return the encoded `Simulation`.

    Args:
        payload: Request from `encode`.
        report_progress: Callback for `Progress` reports.
    """
    request = _Request.from_bytes(payload)
    game = load_game(request.game, data_file(request.data_name, request.data))
    player = load_player(request.player, game)
    reporter, results = ProgressReporter(report_progress), dict[tuple[int, str], int]()
    decisions = done = 0
    reporter.progress(0, request.games)
    for batch in play(game, 0, request.games, SEED, (player, player), CHUNK):
        for winner, reason in zip(batch.winners.tolist(), batch.reasons.tolist(), strict=True):
            ending = winner, game.reasons[reason]
            results[ending] = results.get(ending, 0) + 1
        decisions += int(batch.decisions.sum())
        done += len(batch.decisions)
        reporter.progress(done, request.games)
    most_first = sorted(results.items(), key=lambda item: (-item[1], item[0]))
    endings = tuple((winner, reason, games) for (winner, reason), games in most_first)
    return Simulation(done, endings, decisions / done).to_bytes()
