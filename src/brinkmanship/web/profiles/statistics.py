"""Statistics of the site: how finished games of each kind ended and how long they took, with their numbers.

A periodic task works them out from `game_results` and stores them as one row, so that the page reads only that. A
figure needs `MIN_GAMES` games: fewer could tell who played them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Literal

import msgspec
from sqlalchemy import Engine

from brinkmanship.lab.matches.summary import wilson
from brinkmanship.store import game_results
from brinkmanship.store.game_results import Group, Length
from brinkmanship.web.profiles.endings import CONCEDED, ENDINGS, EndingKind

INTERVAL = 300.0
"""Interval (s) at which each process looks whether the statistics are due."""
MAX_AGE = 3600.0
"""Age (s) at which the statistics are worked out again."""
MIN_GAMES = 5
MAX_BARS = 16
"""Maximum bars of a histogram."""

Kind = Literal["all", "rated", "unrated"]


class Balance(msgspec.Struct, frozen=True):
    """Results of the first side in games between two people."""

    kind: Kind
    games: int
    no_winner: int
    share: float
    """Share of wins of the first side, a draw counting half."""
    low: float
    high: float
    """95 % interval of `share`."""


class LevelResult(msgspec.Struct, frozen=True):
    """Results of people against a computer player, by the side that the people played."""

    player: str
    side: int
    games: int
    share: float
    """Share of wins of the people, a draw counting half."""
    low: float
    high: float


class EndingCount(msgspec.Struct, frozen=True):
    """Number of games that ended in one way."""

    ending: EndingKind
    games: int


class Histogram(msgspec.Struct, frozen=True):
    """Distribution of the decisions of both sides in a game."""

    games: int
    median: float
    first: int
    """Decisions at which the first bar begins."""
    width: int
    """Decisions that a bar covers."""
    bars: tuple[int, ...]


class Duration(msgspec.Struct, frozen=True):
    """Duration of the games with one kind of clock."""

    pace: str
    games: int
    median_seconds: float


class GameStatistics(msgspec.Struct, frozen=True):
    """Statistics of one game; figures of fewer than `MIN_GAMES` games are left out."""

    game: str
    games: int
    balance: tuple[Balance, ...] = ()
    levels: tuple[LevelResult, ...] = ()
    endings: tuple[EndingCount, ...] = ()
    length: Histogram | None = None
    durations: tuple[Duration, ...] = ()


_read = msgspec.json.Decoder(tuple[GameStatistics, ...]).decode


async def compute(engine: Engine) -> None:
    """Work the statistics out if they are due; call it every `INTERVAL`."""
    if await asyncio.to_thread(game_results.statistics_due, engine, MAX_AGE):
        await asyncio.to_thread(compute_now, engine)


def compute_now(engine: Engine) -> None:
    """Work the statistics out and store them; blocking."""
    found = statistics_of(game_results.groups(engine), game_results.lengths(engine, CONCEDED))
    game_results.keep_statistics(engine, msgspec.json.encode(found))


def stored(engine: Engine) -> tuple[GameStatistics, ...]:
    """Return the stored statistics of all games; empty if there are none yet; blocking."""
    report = game_results.statistics(engine)
    return () if report is None else _read(report)


def statistics_of(groups: Sequence[Group], lengths: Sequence[Length]) -> tuple[GameStatistics, ...]:
    """Return the statistics of each game with enough games, in the order of their ids."""
    found = []
    for game_id in sorted({group.game for group in groups}):
        own = [group for group in groups if group.game == game_id]
        number = _games(own)
        if number >= MIN_GAMES:
            long = [length for length in lengths if length.game == game_id]
            found.append(
                GameStatistics(
                    game_id,
                    number,
                    tuple(_balances(own)),
                    tuple(_levels(own)),
                    tuple(_endings(own)),
                    _histogram([length.turns for length in long if length.turns is not None]),
                    tuple(_durations(long)),
                )
            )
    return tuple(found)


def _games(groups: Iterable[Group]) -> int:
    return sum(group.games for group in groups)


def _points(groups: Iterable[Group], side: int = 0) -> float:
    """Return the points of a side in groups, which are counted from side 0."""
    return sum(group.games * (1 + (group.score if side == 0 else -group.score)) / 2 for group in groups)


def _balances(groups: Sequence[Group]) -> Iterable[Balance]:
    people = [group for group in groups if group.computer is None and group.opponent_computer is None]
    kinds: dict[Kind, list[Group]] = {
        "all": people,
        "rated": [group for group in people if group.rated],
        "unrated": [group for group in people if not group.rated],
    }
    for kind, of_kind in kinds.items():
        games = _games(of_kind)
        is_all_again = kind != "all" and games == _games(people)
        if games >= MIN_GAMES and not is_all_again:
            points = _points(of_kind)
            no_winner = _games(group for group in of_kind if group.score == 0)
            yield Balance(kind, games, no_winner, points / games, *wilson(points, games))


def _levels(groups: Sequence[Group]) -> Iterable[LevelResult]:
    players = {player for group in groups for player in (group.computer, group.opponent_computer) if player}
    for player in sorted(players):
        as_side = (
            [group for group in groups if group.opponent_computer == player and group.computer is None],
            [group for group in groups if group.computer == player and group.opponent_computer is None],
        )
        for side, of_side in enumerate(as_side):
            games = _games(of_side)
            if games >= MIN_GAMES:
                points = _points(of_side, side)
                yield LevelResult(player, side, games, points / games, *wilson(points, games))


def _endings(groups: Sequence[Group]) -> Iterable[EndingCount]:
    for ending in ENDINGS:
        games = _games(group for group in groups if group.ending == ending)
        if games:
            yield EndingCount(ending, games)


def _histogram(turns: Sequence[int]) -> Histogram | None:
    if len(turns) < MIN_GAMES:
        return None
    low, high = min(turns), max(turns)
    width = next(each for each in _widths() if high // each - low // each < MAX_BARS)
    first = low // width
    counts = Counter(number // width - first for number in turns)
    bars = tuple(counts[place] for place in range(high // width - first + 1))
    return Histogram(len(turns), float(median(turns)), first * width, width, bars)


def _widths() -> Iterable[int]:
    """Yield round widths of bars: 1, 2, 5, 10, 20 ..."""
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10


def _durations(lengths: Sequence[Length]) -> Iterable[Duration]:
    for pace in ("live", "days", "none"):
        seconds = [length.seconds for length in lengths if length.pace == pace and length.seconds is not None]
        if len(seconds) >= MIN_GAMES:
            yield Duration(pace, len(seconds), median(seconds))
