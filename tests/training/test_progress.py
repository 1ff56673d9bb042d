"""The charts of a training run show the values of its log."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from brinkmanship.training.progress import MARKS, page

ENDINGS = {"prestige": 0.5, "nuclear": 0.2, "tiebreak": 0.15, "draw": 0.1, "double_nuclear": 0.05}


def line(iteration: int, phase: str, decisions: int, entropy: float, **more: Any) -> dict[str, Any]:
    learning = {"entropy": entropy, "value_error": 0.4, "log_likelihood": -1.25, "from_old": 0.0024, "clipped": 0.007}
    return {
        "iteration": iteration,
        "phase": phase,
        "decisions": decisions,
        "score_of_us": 0.5,
        "endings": ENDINGS,
        **learning,
        **more,
    }


LOG = [
    line(1, "imitation", 0, 1.3),
    line(2, "league", 1000, 1.2, score_against_named_as_us=0.25),
    line(3, "league", 2000, 0.8, score_against_named_as_us=0.75, score_against_named_as_ussr=0.375),
]


def charts(html: str) -> dict[str, ElementTree.Element]:
    """Return the plots of a page by their titles; each has to be well-formed."""
    plots = map(ElementTree.fromstring, re.findall(r'<svg class="plot".*?</svg>', html, re.DOTALL))
    return {str(plot.findtext("title")).removesuffix(", over the decisions"): plot for plot in plots}


def points(plot: ElementTree.Element, line: int = 0) -> list[tuple[float, float]]:
    drawn = plot.findall("polyline")[line].get("points", "").split()
    return [(float(x), float(y)) for x, y in (point.split(",") for point in drawn)]


def cells(html: str) -> dict[str, list[str]]:
    rows = re.findall(r"<tr><th scope=row>(.*?)</th>(.*?)</tr>", html, re.DOTALL)
    return {head: re.findall(r"<td[^>]*>(.*?)</td>", rest) for head, rest in rows}


def test_the_table_has_the_values_of_the_log() -> None:
    html = page("13 Minutes", ("us", "ussr"), LOG, 500, "rules")
    assert "Decisions: 2,500, 500 of them imitated. Iterations: 3." in html
    found = cells(html)
    assert found["Entropy"] == ["1.3", "0.8"]
    assert found["Log-likelihood"] == ["−1.25", "−1.25"]
    assert found["Divergence"] == ["0.0024", "0.0024"]
    assert found["Against itself, as us"] == ["50.0%", "50.0%"]
    assert found["Against rules, as us"] == ["25.0%", "75.0%"]
    assert found["Against rules, as ussr"] == ["37.5%", "37.5%"]
    assert not any(head.startswith("Against older") for head in found)
    assert found["Frequent endings, nuclear"] == ["20.0%", "20.0%"]
    assert found["Rarer endings, double nuclear"] == ["5.0%", "5.0%"]


def test_the_lines_are_as_high_as_the_values_of_the_log() -> None:
    plots = charts(page("13 Minutes", ("us", "ussr"), LOG, 500, "rules"))
    places = np.array(points(plots["Entropy"]))
    assert np.diff(places[:, 0]) == pytest.approx([(places[-1, 0] - places[0, 0]) / 2] * 2, abs=0.2)  # 500, 1500, 2500
    falls = np.diff(places[:, 1])
    assert falls[0] > 0
    assert falls[1] / falls[0] == pytest.approx(4, rel=0.02)  # SVG counts downwards
    assert len(plots["Frequent endings"].findall("polyline")) == 4
    assert len(points(plots["Against rules"], 1)) == 1


def test_a_long_log_is_drawn_as_means() -> None:
    log = [line(1 + number, "league", 1000 * (1 + number), number % 2) for number in range(4 * MARKS)]
    html = page("13 Minutes", ("us", "ussr"), log, 500, None)
    assert "A mark is the mean of up to 4 iterations" in html
    assert len(points(charts(html)["Entropy"])) == MARKS
    assert cells(html)["Entropy"] == ["0.5", "0.5"]


def test_the_last_mark_is_a_mean_of_as_many_iterations() -> None:
    log = [line(1 + number, "league", 1000 * (1 + number), number % 2) for number in range(4 * MARKS + 1)]
    html = page("13 Minutes", ("us", "ussr"), log, 500, None)
    first, last = map(float, cells(html)["Entropy"])
    assert first == pytest.approx(0.5, abs=0.1)
    assert last == pytest.approx(0.5, abs=0.1)  # alone, the last iteration would be 0
