"""A puzzle as data, and the games that puzzles come from: typed, immutable, JSON lines in a compressed file.

A file holds a line for each game, with its journal up to the last puzzle in it. What a puzzle shows is what its side
knew there and nothing else: `Posed.seen` is that side's `Perspective`, and no other leaves this package.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import Literal, NamedTuple, get_args

import msgspec

from brinkmanship.analysis.report import Option
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
"""What a puzzle trains: the kind of the decision, or "danger" where the next best answer fails by a war."""
TRAININGS: tuple[Training, ...] = get_args(Training)

FINDERS = ("greedy", "rules")
"""The quick players that are asked whether they find the answer."""


MAX_LINES = 12
"""Of what happened before, where a puzzle is shown."""
MAX_OPTIONS = 6
"""Answers that are told of, besides the one that was given."""


class PuzzleError(LocalizedError):
    """There is no such puzzle, or a file of puzzles cannot be read."""


class Puzzle(msgspec.Struct, frozen=True):
    """One position, with its answer. Chances to win are those of `side`, 0..1, a draw counting half."""

    id: str
    """Of the position as the side sees it: the same whenever the file is made anew."""
    at: int
    """Entries of the game before the decision."""
    side: int
    trains: Training
    answer: str
    """The best action, as journals write it."""
    options: tuple[Option, ...]
    """All legal actions, best first. Those that are far behind were played on less often."""
    gap: float
    """What the answer wins more than the next best, in worlds in which neither was chosen."""
    error: float
    """The standard error of `gap`."""
    worlds: int
    """In which the best were played on to confirm the answer."""
    found_by: tuple[str, ...] = ()
    """The quick players that give the answer."""
    reason: dict[str, object] | None = None
    """Why the answer is good, as `engine.message_json` keeps it, in the catalogue ``players``."""
    reply: dict[str, object] | None = None
    """What the other side likely does then, kept likewise."""

    def told(self, given: str) -> list[Option]:
        """The best answers, and the one that was given, which are told of afterwards."""
        return [one for place, one in enumerate(self.options) if place < MAX_OPTIONS or one.action == given]


class Origin(msgspec.Struct, frozen=True):
    """A game with the puzzles that were found in it."""

    game: str
    number: int
    """Of the game, under the seed."""
    seed: int
    players: tuple[str, ...]
    """Who played which side; empty where people have played."""
    journal: str
    """Up to the last puzzle, or further."""
    puzzles: tuple[Puzzle, ...] = ()


class Posed(NamedTuple):
    """A puzzle with what its side knows."""

    puzzle: Puzzle
    origin: Origin
    seen: Perspective
    """The game up to the decision, through the eyes of the side."""


def read(raw: bytes) -> tuple[Origin, ...]:
    """The games of a file, compressed or not.

    Raises:
        PuzzleError: it is no such file.
    """
    try:
        text = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        return tuple(msgspec.json.decode(line, type=Origin) for line in text.splitlines() if line.strip())
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise PuzzleError(Message("fault.puzzles.unreadable", {"why": str(error)})) from error


def packed(origins: Iterable[Origin]) -> bytes:
    """A compressed file of games; the same for the same games."""
    return gzip.compress(b"".join(msgspec.json.encode(one) + b"\n" for one in origins), 9, mtime=0)


def posed(game: Game, origin: Origin, puzzle: Puzzle) -> Posed:
    """A puzzle as its side sees it.

    Raises:
        JournalError: its game breaks the rules.
    """
    match = _match(game, origin).until(puzzle.at)
    return Posed(puzzle, origin, Perspective(match, puzzle.side))


def opened(game: Game, origin: Origin, puzzle: Puzzle) -> Perspective:
    """The position with all cards open: from it a game is played on, and it is shown to nobody before that is over."""
    return Perspective(_match(game, origin).until(puzzle.at), FULL_INFORMATION)


def done(game: Game, origin: Origin, puzzle: Puzzle) -> str:
    """What the side did in its game; "" where the journal ends before that."""
    entries = _match(game, origin).entries[puzzle.at : puzzle.at + 2]  # two where both answered in secret
    return next((entry.text for entry in entries if entry.actor == puzzle.side), "")


def _match(game: Game, origin: Origin) -> Match:
    return journal.play(journal.parse(origin.journal, f"{origin.game}.jsonl.gz"), game)


class Shelf:
    """The puzzles of one game, in the order in which they are numbered, from 1."""

    def __init__(self, game_id: str, origins: Sequence[Origin]) -> None:
        self.game_id = game_id
        self._all = [(origin, puzzle) for origin in origins for puzzle in origin.puzzles]

    def __len__(self) -> int:
        return len(self._all)

    @property
    def puzzles(self) -> list[Puzzle]:
        """All of them in their order."""
        return [puzzle for _, puzzle in self._all]

    def puzzle(self, number: int) -> Puzzle:
        """A puzzle by its number.

        Raises:
            PuzzleError: there is none.
        """
        return self.at(number)[1]

    def pose(self, game: Game, number: int) -> Posed:
        """A puzzle by its number, as its side sees it.

        Raises:
            PuzzleError: there is none.
        """
        return posed(game, *self.at(number))

    def today(self, day: int) -> int:
        """The number of the puzzle of a day, which is counted from any day: the same for everybody, and none comes
        again before all others have come."""
        return day * _stride(len(self)) % len(self) + 1

    def at(self, number: int) -> tuple[Origin, Puzzle]:
        """A puzzle by its number, with the game in which it was found.

        Raises:
            PuzzleError: there is none.
        """
        if not 1 <= number <= len(self):
            raise PuzzleError(Message("fault.puzzles.number", {"number": str(number), "count": len(self)}))
        return self._all[number - 1]


def _stride(count: int) -> int:
    """A step near the golden section of `count` that meets every number before it comes back."""
    from math import gcd

    step = max(1, round(count * 0.618))
    while gcd(step, count) > 1:
        step += 1
    return step


def _file(game_id: str) -> Traversable | None:
    kit = kits().get(game_id)
    return kit.folder / "puzzles.jsonl.gz" if kit else None


def has_puzzles(game_id: str) -> bool:
    """Whether the package has puzzles of a game."""
    file = _file(game_id)
    return file is not None and file.is_file()


@cache
def shelf_of(game_id: str) -> Shelf:
    """The puzzles that come with the package.

    Raises:
        PuzzleError: there are none of this game.
    """
    file = _file(game_id)
    if file is None or not file.is_file():
        raise PuzzleError(Message("fault.puzzles.none", {"game": game_id}))
    return Shelf(game_id, read(file.read_bytes()))
