"""Throughput against the number of games: the table and the plot."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from benchmarks.capacity import Point, plot, table

POINTS = [
    Point(50, 25.0, 1.5, 4.0, 0, 0.05, 280),
    Point(500, 250.0, 1.6, 5.4, 0, 0.3, 290),
    Point(5000, 2000.0, 90.0, 400.0, 0, 1.0, 600),
]


def test_the_plot_has_a_line_for_throughput_and_one_for_latency() -> None:
    drawn = ET.fromstring(plot(POINTS, "50 & more"))
    lines = [line.attrib["points"].split() for line in drawn.iter() if line.tag.endswith("polyline")]
    assert [len(line) for line in lines] == [3, 3]
    throughput, latency = ([float(point.partition(",")[2]) for point in line] for line in lines)
    assert throughput == sorted(throughput, reverse=True)
    assert latency == sorted(latency, reverse=True)
    said = [text.text for text in drawn.iter() if text.tag.endswith("text")]
    assert {"50", "500", "5000"} <= set(said)


def test_a_plot_of_one_number_is_refused() -> None:
    with pytest.raises(ValueError, match="two numbers"):
        plot(POINTS[:1], "")


def test_the_table_has_a_row_for_each_number() -> None:
    assert table(POINTS).splitlines()[2:] == [
        "| 50 | 25 | 25 | 1.5 | 4.0 | 5% | 280 |",
        "| 500 | 250 | 250 | 1.6 | 5.4 | 30% | 290 |",
        "| 5000 | 2500 | 2000 | 90.0 | 400.0 | 100% | 600 |",
    ]
