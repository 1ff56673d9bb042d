"""The page of a training run, in English: charts of its log over the decisions, and a table of the same values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from brinkmanship.reports import plots
from brinkmanship.reports.document import Figure, Section, SectionPart, document, number, table

LANGUAGE = "en"
MARKS = 40
"""Maximum marks of a line, about: more would touch each other."""
LINES = 4
"""Maximum lines of a chart, as there are that many signs and colours."""
SHARE, PLAIN = "0.0%", "0.####"
"""Formats of the values of a chart."""
LEARNING = (
    ("entropy", "Entropy", "Mean entropy of the policy (nats); 0: it always plays the same.", PLAIN),
    ("value_error", "Value error", "Mean squared error of the value: predicted and actual utility.", PLAIN),
    ("log_likelihood", "Log-likelihood", "Mean log-probability of the actions that were played (nats).", PLAIN),
    ("from_old", "Divergence", "Mean Kullback-Leibler divergence from the policy that played (nats).", PLAIN),
    ("clipped", "Clipped", "Share of decisions whose probability changed too much to be rewarded further.", SHARE),
)
"""Key in the log, title, meaning and format of each measure of the steps of the optimiser."""

LogLine = Mapping[str, Any]
"""Measurements of an iteration."""


class _Stretch(NamedTuple):
    """Successive iterations that share a mark."""

    at: int
    """Number of decisions at the end, with those imitated."""
    lines: Sequence[LogLine]


class _Chart(NamedTuple):
    """Lines of one measure."""

    title: str
    meaning: str
    pattern: str
    lines: Mapping[str, Sequence[plots.Interval | None]]
    """Mean of each stretch and standard deviation between its iterations, None without a value, by label."""
    top: float = 0.0
    """Upper end of the scale, unless values are higher."""


def page(title: str, sides: Sequence[str], log: Sequence[LogLine], batch: int, rival: str | None) -> str:
    """Return the page as HTML.

    Args:
        title: name of the game.
        sides: names of its sides.
        log: measurements of each iteration, from the first.
        batch: decisions of an iteration that imitates.
        rival: name of the player to beat, or of the partner.
    """
    stretches = [*_stretches(log, batch)]
    imitated = batch * sum(line["phase"] == "imitation" for line in log)
    sections = [
        _section(name, charts, stretches, imitated)
        for name, charts in (
            ("Score", _scores(sides, stretches, rival)),
            ("Endings of games", _endings(stretches)),
            ("Learning", _learning(stretches)),
        )
    ]
    done = _count(stretches[-1].at if stretches else 0)
    if imitated:
        done += f", {_count(imitated)} of them imitated"
    head = [f"Decisions: {done}. Iterations: {_count(len(log))}."]
    if imitated:
        head.append("Left of the vertical line the games are those of the player that is imitated.")
    size = max((len(stretch.lines) for stretch in stretches), default=1)
    if size > 1:
        head.append(f"A mark is the mean of up to {size} iterations, with the standard deviation between them.")
    return document(f"Training of {title}", LANGUAGE, [SectionPart(paragraphs=head)], sections)


def _stretches(log: Sequence[LogLine], batch: int) -> Iterator[_Stretch]:
    """Yield about `MARKS` stretches: none has iterations of two phases, and those of a phase are about equally long."""
    size = max(1, ceil(len(log) / MARKS))
    imitated = 0
    for phase, each in groupby(log, lambda line: str(line["phase"])):
        lines = [*each]
        parts = ceil(len(lines) / size)
        for part in range(parts):
            own = lines[part * len(lines) // parts : (part + 1) * len(lines) // parts]
            if phase == "imitation":
                imitated += batch * len(own)
            yield _Stretch(imitated + own[-1]["decisions"], own)


def _mean(values: Sequence[float]) -> plots.Interval | None:
    return (float(np.mean(values)), float(np.std(values))) if values else None


def _measured(stretches: Sequence[_Stretch], key: str) -> list[plots.Interval | None]:
    """Return the mean and deviation of a number of the log in each stretch."""
    return [_mean([line[key] for line in stretch.lines if key in line]) for stretch in stretches]


def _scores(sides: Sequence[str], stretches: Sequence[_Stretch], rival: str | None) -> list[_Chart]:
    meaning = "Share of games won; a draw counts half."
    itself = {"": _measured(stretches, f"score_of_{sides[0]}")}
    charts = [_Chart(f"Against itself, as {sides[0]}", meaning, SHARE, itself, 1.0)]
    for name, title in (("older", "Against older versions"), ("named", f"Against {rival}")):
        lines = {f"as {side}": _measured(stretches, f"score_against_{name}_as_{side}") for side in sides}
        charts.append(_Chart(title, meaning, SHARE, lines, 1.0))
    return charts


def _endings(stretches: Sequence[_Stretch]) -> list[_Chart]:
    """Return charts of how games ended, the most frequent reasons first."""
    found = {
        reason: [_mean([line["endings"].get(reason, 0.0) for line in stretch.lines]) for stretch in stretches]
        for reason in dict.fromkeys(
            reason for stretch in stretches for line in stretch.lines for reason in line["endings"]
        )
    }
    reasons = sorted(found, key=lambda reason: -sum(each[0] for each in found[reason] if each))
    return [
        _Chart(
            "Frequent endings" if not start else "Rarer endings",
            "Share of games.",
            SHARE,
            {reason.replace("_", " "): found[reason] for reason in reasons[start : start + LINES]},
        )
        for start in range(0, len(reasons), LINES)
    ]


def _learning(stretches: Sequence[_Stretch]) -> list[_Chart]:
    return [
        _Chart(title, meaning, pattern, {"": _measured(stretches, key)}) for key, title, meaning, pattern in LEARNING
    ]


def _section(title: str, charts: Sequence[_Chart], stretches: Sequence[_Stretch], imitated: int) -> Section:
    ends = [stretch.at for stretch in stretches]
    shown = [chart for chart in charts if any(each for line in chart.lines.values() for each in line)]
    parts = [SectionPart(chart.title, figure=_figure(chart, ends, imitated)) for chart in shown]
    rows = [
        (
            ", ".join(filter(None, (chart.title, label))),
            *(number(LANGUAGE, each[0], chart.pattern) for each in (known[0], known[-1])),
        )
        for chart in shown
        for label, line in chart.lines.items()
        if (known := [each for each in line if each])
    ]
    return Section(title, "", [*parts, SectionPart(table=table(("", "First mark", "Last mark"), rows))])


def _figure(chart: _Chart, ends: Sequence[int], imitated: int) -> Figure:
    known = [each for line in chart.lines.values() for each in line if each]
    low = min(0.0, *(mean for mean, _ in known))
    high = max(chart.top, *(mean + deviation for mean, deviation in known))
    unit, name = (1_000_000, "millions") if ends[-1] >= 1_000_000 else (1_000, "thousands")
    axes = plots.Axes((0, ends[-1] / unit), (low, high), f"{chart.title}, over the decisions")
    for level in plots.steps(low, high):
        axes.level(level, number(LANGUAGE, level, "0.##%" if chart.pattern == SHARE else PLAIN))
    for decisions in plots.steps(0, ends[-1] / unit, 10):
        axes.below(decisions, number(LANGUAGE, decisions, "0.##"))
    if imitated:
        axes.straight((imitated / unit, low), (imitated / unit, high), "zero")
    for mark, line in enumerate(chart.lines.values()):
        axes.line(mark, {end / unit: each for end, each in zip(ends, line, strict=True) if each})
    legend = [Markup("{} {}").format(plots.mark(mark), label) for mark, label in enumerate(chart.lines) if label]
    return Figure(axes.svg(), f"{chart.meaning} Horizontal: {name} of decisions.", legend)


def _count(value: int) -> str:
    return number(LANGUAGE, value, "#,##0")
