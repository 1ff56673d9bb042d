"""The International Relations Track as a ladder: a rung for each box, with the countries in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.phrases import capital
from brinkmanship.drawing.svg import Markup, group, join, line, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.drawing.panel import panel
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition
from brinkmanship.games.ukrainian_crisis.rules.data import BOXES, Country


def relations(labels: Labels, position: DrawnPosition, layout: Layout, can: Collection[str]) -> Markup:
    """Draw the ladder: Intervention above, Neutrality below; each country with its letters and its Rank."""
    box = layout.relations
    rungs = [_countries(labels, position, number) for number in range(len(BOXES), 0, -1)]
    top = box.y + 22
    spare = box.bottom - top - sum(_high(there, layout) for there in rungs)
    rows, y = [], top
    for number, there in zip(range(len(BOXES), 0, -1), rungs, strict=True):
        high = _high(there, layout) + spare / len(BOXES)
        rows.append(line(box.x + 6, y, box.right - 6, y, "rule"))
        rows.append(_rung(labels, number, there, Box(box.x + 8, y, box.w - 16, high), layout, can))
        y += high
    return panel(labels.sentence("crisis.relations"), box, layout, rows, css="relations")


_IN_ROW = 5
"""Countries side by side on a rung of the wide table."""


def _countries(labels: Labels, position: DrawnPosition, box: int) -> list[Country]:
    """Return the countries in a box of the relations track, the highest Rank first."""
    there = [country for country in labels.data.country if position.boxes[country.id] == box]
    return sorted(there, key=lambda country: -country.rank)


def _high(there: Sequence[Country], layout: Layout) -> float:
    """Return the minimum height of a rung."""
    return 17 + -(-len(there) // _IN_ROW) * 21 if layout.wide else 29


def _rung(
    labels: Labels, number: int, there: Sequence[Country], box: Box, layout: Layout, can: Collection[str]
) -> Markup:
    name, css = f"{capital(labels.box(number))} · {number}", "b" if there else "mu"
    if layout.wide:
        per_row, step, x0, y0 = _IN_ROW, box.w / _IN_ROW, box.x, box.y + 18
        title = text(box.x, box.y + 14, name, LEAST, css, room=box.w)
    else:
        per_row, x0, y0 = max(len(there), 1), box.x + 96, box.y + 4
        step = min(40.0, (box.right - x0) / per_row)
        title = text(box.x, box.y + 18, name, 12, css, room=92)
    drawn = []
    for index, country in enumerate(there):
        x, y = x0 + index % per_row * step, y0 + index // per_row * 21
        drawn.append(_country(labels, country, number, Box(x, y, step - 3, 19), country.id in can))
    return join(title, drawn)


def _country(labels: Labels, country: Country, number: int, box: Box, can: bool) -> Markup:
    told = labels.say("crisis.country", country=labels.country(country.id), rank=country.rank, box=labels.box(number))
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 2),
        text(box.x + 4, box.y + 14, country.id, LEAST, "b", room=box.w - 14),
        text(box.right - 4, box.y + 14, str(country.rank), LEAST, "mu", "end"),
        css="country can" if can else "country",
        id=f"marker-{country.id}-relations",
        data_track=country.id,
        data_tell=told,
        role="button" if can else "img",
        tabindex=0 if can else None,
        aria_label=told,
    )
