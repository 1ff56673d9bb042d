"""Puzzles and the games they come from as immutable, typed data: JSON lines in a compressed file.

A file holds a line for each game, with its journal up to its last puzzle. A puzzle shows only the knowledge of its
side:
`PosedPuzzle.seen` is that side's `Perspective`, the only one that leaves this package.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import Literal, NamedTuple, get_args

import msgspec

from brinkmanship.analysis.report import ComparedOption
from brinkmanship.engine import journal
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import kits

Training = Literal[
    "agenda", "cards", "event", "cubes", "first", "payments", "units", "attacks", "war", "danger", "other"
]
"""The training topic of a puzzle: the kind of the decision, or "danger" if the next best choice fails by a war."""
TRAININGS: tuple[Training, ...] = get_args(Training)

FINDERS = ("greedy", "rules")
"""The quick players that rate the difficulty."""


MAX_LINES = 12
"""Maximum log lines shown with a puzzle."""
MAX_OPTIONS = 6
"""Maximum choices in the solution, in addition to the user's."""


class PuzzleError(LocalizedError):
    """There is no such puzzle, or a file of puzzles cannot be read."""


class Puzzle(msgspec.Struct, frozen=True):
    """One position with its solution. Win probabilities are those of `side`, 0..1, a draw counting half."""

    id: str
    """Hash of the position as the side sees it: the same whenever the file is generated again."""
    at: int
    """Entries of the game before the decision."""
    side: int
    trains: Training
    answer: str
    """The best action, as in journals."""
    options: tuple[ComparedOption, ...]
    """All legal actions, best first. Those that are far behind were simulated less often."""
    gap: float
    """Lead of the solution over the next best choice, in deals that were not used to choose either."""
    error: float
    """The standard error of `gap`."""
    worlds: int
    """Sampled deals that confirmed the solution."""
    found_by: tuple[str, ...] = ()
    """The quick players that make this choice."""
    reason: dict[str, object] | None = None
    """Why the solution is good, as JSON of `engine.message_json`, in the catalogue ``players``."""
    reply: dict[str, object] | None = None
    """The likely reply of the other side, in the same format."""

    def told(self, given: str) -> list[ComparedOption]:
        """Return the best choices, and the user's, for the solution."""
        return [one for place, one in enumerate(self.options) if place < MAX_OPTIONS or one.action == given]


class Origin(msgspec.Struct, frozen=True):
    """A game with the puzzles found in it."""

    game: str
    number: int
    """Number of the game, under the seed."""
    seed: int
    players: tuple[str, ...]
    """The players of both sides; empty for games between people."""
    journal: str
    """The journal, at least up to the last puzzle."""
    puzzles: tuple[Puzzle, ...] = ()
    checked: int | None = None
    """The seed of the deals in which the puzzles passed a second test; None before it."""


_read = msgspec.json.Decoder(Origin).decode


class PosedPuzzle(NamedTuple):
    """A puzzle with the knowledge of its side."""

    puzzle: Puzzle
    origin: Origin
    seen: Perspective
    """The game up to the decision, from the perspective of the side."""


def read(raw: bytes) -> tuple[Origin, ...]:
    """Return the games of a file, compressed or not.

    Raises:
        PuzzleError: it is not such a file.
    """
    try:
        text = gzip.decompress(raw) if is_packed(raw) else raw
        return tuple(_read(line) for line in text.splitlines() if line.strip())
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise PuzzleError(Message("fault.puzzles.unreadable", {"why": str(error)})) from error


def is_packed(raw: bytes) -> bool:
    """Return True for a compressed file."""
    return raw[:2] == b"\x1f\x8b"


def packed(origins: Iterable[Origin]) -> bytes:
    """Return a compressed file of games; the same for the same games."""
    return gzip.compress(b"".join(msgspec.json.encode(one) + b"\n" for one in origins), 9, mtime=0)


def posed(game: Game, origin: Origin, puzzle: Puzzle) -> PosedPuzzle:
    """Return a puzzle as its side sees it.

    Raises:
        JournalError: its game breaks the rules.
    """
    match = _match(game, origin).until(puzzle.at)
    return PosedPuzzle(puzzle, origin, Perspective(match, puzzle.side))


def opened(game: Game, origin: Origin, puzzle: Puzzle) -> Perspective:
    """Return the position with all cards open, to continue the game from it; never show it before that game is over."""
    return Perspective(_match(game, origin).until(puzzle.at), FULL_INFORMATION)


def done(game: Game, origin: Origin, puzzle: Puzzle) -> str:
    """Return the side's action in the original game; "" if the journal ends before it."""
    entries = _match(game, origin).entries[puzzle.at : puzzle.at + 2]  # two in a simultaneous choice
    return next((entry.text for entry in entries if entry.actor == puzzle.side), "")


def _match(game: Game, origin: Origin) -> Match:
    return journal.play(journal.parse(origin.journal, f"{origin.game}.jsonl.gz"), game)


class PuzzleCollection:
    """The puzzles of one game, numbered from 1 in their order."""

    def __init__(self, game_id: str, origins: Sequence[Origin]) -> None:
        self.game_id = game_id
        self._all = [(origin, puzzle) for origin in origins for puzzle in origin.puzzles]

    def __len__(self) -> int:
        return len(self._all)

    @property
    def puzzles(self) -> list[Puzzle]:
        """All puzzles in order."""
        return [puzzle for _, puzzle in self._all]

    def puzzle(self, number: int) -> Puzzle:
        """Return a puzzle by its number.

        Raises:
            PuzzleError: there is no such puzzle.
        """
        return self.at(number)[1]

    def pose(self, game: Game, number: int) -> PosedPuzzle:
        """Return a puzzle by its number, as its side sees it.

        Raises:
            PuzzleError: there is no such puzzle.
        """
        return posed(game, *self.at(number))

    def today(self, day: int) -> int:
        """Return the number of the puzzle of a day, given as a day count; all others come before it is repeated."""
        return day * _stride(len(self)) % len(self) + 1

    def at(self, number: int) -> tuple[Origin, Puzzle]:
        """Return a puzzle by its number, with the game in which it was found.

        Raises:
            PuzzleError: there is no such puzzle.
        """
        if not 1 <= number <= len(self):
            raise PuzzleError(Message("fault.puzzles.number", {"number": str(number), "count": len(self)}))
        return self._all[number - 1]


def _stride(count: int) -> int:
    """Return a step near the golden section of `count` and coprime to it, which visits every number."""
    from math import gcd

    step = max(1, round(count * 0.618))
    while gcd(step, count) > 1:
        step += 1
    return step


def _file(game_id: str) -> Traversable | None:
    kit = kits().get(game_id)
    return kit.folder / "puzzles.jsonl.gz" if kit else None


def has_puzzles(game_id: str) -> bool:
    """Return True if the package has puzzles of a game."""
    file = _file(game_id)
    return file is not None and file.is_file()


@cache
def collection_of(game_id: str) -> PuzzleCollection:
    """Return the puzzles of a game that come with the package.

    Raises:
        PuzzleError: the game has none.
    """
    file = _file(game_id)
    if file is None or not file.is_file():
        raise PuzzleError(Message("fault.puzzles.none", {"game": game_id}))
    return PuzzleCollection(game_id, read(file.read_bytes()))
