"""The curve of a game as SVG: a side's win probability after every step, with marks for luck and costly decisions."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

from brinkmanship.analysis.report import Analysis
from brinkmanship.drawing.graph import steps
from brinkmanship.drawing.svg import num

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 260, 44, 12, 12, 24
"""Size of the drawing and its margins, in its units."""
MIN_LUCK = 0.03
"""Minimum luck of a chance event with its own sign."""
LARGEST = 9
"""Height that is added to a sign for luck of a half and more."""


class Stop(NamedTuple):
    """A point of the curve."""

    first: int
    last: int
    """Entries before and after the step."""
    win: float
    """Win probability of side 0."""


def curve_svg(found: Analysis, side: int, title: str) -> str:
    """Draw the curve as SVG for one side; `title` is the text of its label."""
    length = max(1, found.steps[-1].last if found.steps else 1)
    scale = (WIDTH - LEFT - RIGHT) / length

    def x(count: int) -> float:
        return LEFT + count * scale

    def y(win: float) -> float:
        return TOP + (1.0 - (win if side == 0 else 1.0 - win)) * (HEIGHT - TOP - BOTTOM)

    grid = "".join(
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{num(y(part))}" y2="{num(y(part))}"/>'
        f'<text x="{LEFT - 6}" y="{num(y(part) + 4)}" text-anchor="end">{round(100 * abs(part - side))}</text>'
        for part in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    points = [(x(found.steps[0].first if found.steps else 0), y(found.initial))]
    points += [(x(step.last), y(step.after)) for step in found.steps]
    signs = []
    for step in found.steps:
        luck = step.luck if side == 0 else -step.luck
        if abs(luck) >= MIN_LUCK:
            signs.append(_arrow(x(step.last), y(step.after), luck))
    marked = {(one.first, one.side): one for one in found.judgements if one.mark is not None}
    for (first, who), one in marked.items():
        kind = "own" if who == side else "other"
        size = {"doubtful": 4, "mistake": 5.5, "blunder": 7}[one.mark or "doubtful"]
        signs.append(f'<circle class="{kind}" cx="{num(x(first))}" cy="{num(y(found.win(first)))}" r="{size}"/>')
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}" data-left="{LEFT}" '
        f'data-scale="{scale:.5f}">{grid}<path class="line" d="{steps(points)}"/>{"".join(signs)}'
        f'<line class="now" x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/></svg>'
    )


def _arrow(x: float, y: float, luck: float) -> str:
    """Draw a triangle, up for good luck and down for bad, with its height by the amount."""
    height = 4 + LARGEST * min(1.0, 2 * abs(luck))
    kind, sign = ("lucky", -1) if luck > 0 else ("unlucky", 1)
    return (
        f'<path class="{kind}" d="M{num(x - height / 2)} {num(y + sign * 4)}h{num(height)}'
        f'l{num(-height / 2)} {num(sign * height)}z"/>'
    )
