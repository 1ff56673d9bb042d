"""Many games by a computer player with somebody's own cards or scenario, as work for another process or machine: from
bytes to bytes. Nothing is read as Python's pickles are."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import Game
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.players.self_play import play
from brinkmanship.web.jobs.player_job import data_of
from brinkmanship.web.support.progress import Teller

SEED = 0
"""Game k is dealt alike with every version of the cards, as far as these allow."""
CHUNK = 64
"""Games played between two looks at how far it is."""


class Simulation(msgspec.Struct, frozen=True):
    """What came of many games."""

    games: int
    results: tuple[tuple[int, str, int], ...]
    """Side that won (`engine.playout.NOBODY`: nobody), reason, games; the most frequent first."""
    decisions: float
    """How many decisions both sides take in a game, on average."""

    def wins(self, side: int) -> int:
        """Games that a side has won."""
        return sum(games for winner, _, games in self.results if winner == side)

    def to_bytes(self) -> bytes:
        """As it is kept."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, kept: bytes) -> Simulation:
        """From how it is kept."""
        return _read_simulation(kept)


class _Question(msgspec.Struct, array_like=True):
    game: str
    data_name: str
    data: bytes | None
    player: str
    games: int


_read_simulation = msgspec.msgpack.Decoder(Simulation).decode
_read_question = msgspec.msgpack.Decoder(_Question).decode


def question_about(game: Game, player: str, games: int) -> bytes:
    """What is asked about a ruleset with its options at their defaults."""
    return msgspec.msgpack.encode(_Question(game.id, *data_of(game), player, games))


def simulated(question: bytes, tell: Callable[[bytes], None]) -> bytes:
    """The `Simulation`, in bytes.

    Args:
        question: from `question_about`.
        tell: is told the `Progress` so far.
    """
    asked = _read_question(question)
    data = None if asked.data is None else DataFile(asked.data_name, asked.data)
    game = load_game(asked.game, data)
    player = load_player(asked.player, game)
    teller, results = Teller(tell), dict[tuple[int, str], int]()
    decisions = done = 0
    teller.progress(0, asked.games)
    for batch in play(game, 0, asked.games, SEED, (player, player), CHUNK):
        for winner, reason in zip(batch.winners.tolist(), batch.reasons.tolist(), strict=True):
            ending = winner, game.reasons[reason]
            results[ending] = results.get(ending, 0) + 1
        decisions += int(batch.decisions.sum())
        done += len(batch.decisions)
        teller.progress(done, asked.games)
    most_first = sorted(results.items(), key=lambda item: (-item[1], item[0]))
    endings = tuple((winner, reason, games) for (winner, reason), games in most_first)
    return Simulation(done, endings, decisions / done).to_bytes()
