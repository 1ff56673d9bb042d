"""Benchmark figures as lines for the screen, in English, for ``brink bench`` and ``python -m benchmarks``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext

from rich.console import Console

from brinkmanship.lab.diagnostics.speed import SpeedFigure

UNITS = {
    "games_per_second": "games/s",
    "decisions_per_second": "decisions/s",
    "steps_per_second": "steps/s",
    "per_second": "per second",
    "KiB_each": "KiB each",
    "percent": "%",
}
"""Display names of units where they differ."""


def shown(measuring: Iterable[SpeedFigure], is_quiet: bool) -> Iterator[SpeedFigure]:
    """Yield figures as they are measured, and print each unless `is_quiet`."""
    progress = Console(stderr=True)
    with progress.status("measuring ...") if progress.is_terminal else nullcontext():
        for figure in measuring:
            if not is_quiet:
                print(line(figure), flush=True)
            yield figure


def line(figure: SpeedFigure) -> str:
    """Return a figure with its unit, and "yes" or "NO" for its goal."""
    name = figure.name.replace(".", ": ").replace("_", " ")
    unit = UNITS.get(figure.unit, figure.unit)
    line = f"{name:<44} {figure.value:>14{',.0f' if figure.value >= 100 else ',.2f'}} {unit:<13}"
    bound, goal = ("at most", figure.most) if figure.least is None else ("at least", figure.least)
    return line.rstrip() if goal is None else f"{line} {bound} {goal:,}: {'yes' if figure.reached else 'NO'}"


def as_data(figures: Iterable[SpeedFigure]) -> list[dict[str, object]]:
    """Return figures for JSON."""
    return [{**figure._asdict(), "reached": figure.reached} for figure in figures]
