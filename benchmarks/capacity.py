"""Throughput and latency of one server against the number of live games. ``python -m benchmarks capacity``."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import log10
from typing import NamedTuple

from benchmarks.load import Load, measure

GAMES = (50, 100, 200, 500, 1000, 2000, 5000)
SECONDS_BETWEEN_DECISIONS = 2.0
FILES_PER_GAME = 4
"""Open files of the players for each game: the connections of two programs, and two streams."""
SPARE_FILES = 200


class Point(NamedTuple):
    """One number of live games: times in milliseconds, memory in MiB, cores as a fraction of one."""

    games: int
    per_second: float
    p50: float
    p99: float
    errors: int
    cores: float
    memory: float


def capacity(counts: Sequence[int], seconds: float, tell: Callable[[str], None]) -> Iterator[Point]:
    """Measure a new server for each number of games, each with a decision every two seconds and two streams.

    It ends early at a number for which the system allows too few open files, or where the server drops connections.

    Args:
        counts: numbers of live games.
        seconds: duration of each measurement.
        tell: receives a line for each number.
    """
    for games in counts:
        try:
            allow_files(games * FILES_PER_GAME + SPARE_FILES)
            found = measure(Load(games, SECONDS_BETWEEN_DECISIONS, seconds))
        except (ValueError, OSError) as error:  # no files, or connections reset: more games would fare no better
            tell(f"{games} games are too many for this machine: {error}")
            return
        point = Point(games, found.per_second, found.p50, found.p99, found.errors, found.cores, found.memory)
        tell(row(point))
        yield point


def allow_files(wanted: int) -> None:
    """Raise the limit of open files of this process and its children; only root can raise it above the hard limit.

    Raises:
        ValueError: the system allows fewer files.
    """
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(wanted, most)))


def row(point: Point) -> str:
    """Return one line of the table."""
    asked = point.games / SECONDS_BETWEEN_DECISIONS
    return (
        f"| {point.games} | {asked:.0f} | {point.per_second:.0f} | {point.p50:.1f} | {point.p99:.1f} "
        f"| {100 * point.cores:.0f}% | {point.memory:.0f} |"
    )


def table(points: Sequence[Point]) -> str:
    """Return the measurements as a Markdown table."""
    head = "| live games | decisions a second, asked | made | 50% within (ms) | 99% within (ms) | of one core | MiB |"
    return "\n".join([head, "|" + "---|" * 7, *map(row, points)])


WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 56, 28, 40
THROUGHPUT, LATENCY = "#1d4f8c", "#a3341f"


def plot(points: Sequence[Point], title: str) -> str:
    """Draw decisions a second (solid, left) and 99% of the times (dashed, right) as SVG; all scales are logarithmic."""
    if len(points) < 2:
        raise ValueError("a plot needs two numbers of games")
    games = _Scale.over([point.games for point in points], LEFT, WIDTH - RIGHT)
    made = _Scale.over([point.per_second for point in points], HEIGHT - BOTTOM, TOP)
    late = _Scale.over([point.p99 for point in points], HEIGHT - BOTTOM, TOP)
    marks = [_text(games.at(point.games), HEIGHT - 20, str(point.games), "middle") for point in points]
    marks += [_text(LEFT - 8, made.at(mark) + 4, f"{mark:g}", "end", THROUGHPUT) for mark in made.marks()]
    marks += [_text(WIDTH - RIGHT + 8, late.at(mark) + 4, f"{mark:g}", "start", LATENCY) for mark in late.marks()]
    marks += [
        _text(LEFT - 48, 14, "decisions a second (solid)", "start", THROUGHPUT),
        _text(WIDTH - 8, 14, "99% within, ms (dashed)", "end", LATENCY),
        _text(WIDTH / 2, HEIGHT - 4, "live games", "middle"),
    ]
    lines = [
        _line([(games.at(one.games), made.at(one.per_second)) for one in points], THROUGHPUT, ""),
        _line([(games.at(one.games), late.at(one.p99)) for one in points], LATENCY, ' stroke-dasharray="6 4"'),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><title>{escape(title)}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f"{''.join(marks)}{''.join(lines)}</svg>\n"
    )


class _Scale(NamedTuple):
    """A logarithmic scale from values to coordinates."""

    least: float
    most: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> _Scale:
        return cls(min(values) / 1.1, max(values) * 1.1, start, end)

    def at(self, value: float) -> float:
        share = (log10(value) - log10(self.least)) / (log10(self.most) - log10(self.least))
        return self.start + share * (self.end - self.start)

    def marks(self) -> list[float]:
        """Return the round numbers within the scale: 1, 2 and 5 times powers of ten."""
        round_numbers = [digit * 10.0**power for power in range(-2, 6) for digit in (1, 2, 5)]
        return [number for number in round_numbers if self.least <= number <= self.most]


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def _line(points: Sequence[tuple[float, float]], colour: str, dashes: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def as_json(points: Sequence[Point]) -> str:
    """Return the measurements as JSON."""
    return json.dumps({"points": [point._asdict() for point in points]})
