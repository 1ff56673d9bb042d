"""The ladder of a game as a picture: each player at its strength, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from brinkmanship.lab.matches.ladder import LadderPlace

WIDTH, ROW, TOP, LEFT, RIGHT = 640, 30, 28, 150, 50
"""Units of the drawing: total width, row height, and the space above, for the names, and on the right."""
STEPS = (25, 50, 100, 200, 500, 1000)
"""Elo points between two lines of the scale."""
MAX_LINES = 9


def ladder_svg(title: str, places: Sequence[LadderPlace]) -> str:
    """Return the ladder as a standalone SVG picture, best first, that follows the viewer's colour scheme."""
    low = min(place.elo - place.margin for place in places)
    high = max(place.elo + place.margin for place in places)
    step = next((each for each in STEPS if (high - low) / each <= MAX_LINES - 1), STEPS[-1])
    first, last = step * int(low // step), step * -int(-high // step)
    scale = (WIDTH - LEFT - RIGHT) / max(last - first, step)
    height = TOP + ROW * len(places) + 26

    def x(elo: float) -> str:
        return f"{LEFT + (elo - first) * scale:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        "<style>text{font:13px sans-serif;fill:#222}line{stroke:#222}.scale{stroke:#bbb}.bar{stroke-width:2}"
        "@media (prefers-color-scheme:dark){text,circle{fill:#ddd}line{stroke:#ddd}.scale{stroke:#555}}</style>",
        f'<text x="{LEFT}" y="16">{escape(title)}</text>',
    ]
    for elo in range(first, last + 1, step):
        parts.append(f'<line class="scale" x1="{x(elo)}" x2="{x(elo)}" y1="{TOP}" y2="{height - 22}"/>')
        parts.append(f'<text x="{x(elo)}" y="{height - 6}" text-anchor="middle">{elo}</text>')
    for number, place in enumerate(places):
        y = TOP + ROW * (number + 0.5)
        ends = x(place.elo - place.margin), x(place.elo + place.margin)
        parts.append(f'<text x="{LEFT - 12}" y="{y + 4:g}" text-anchor="end">{escape(place.name)}</text>')
        parts.append(f'<line class="bar" x1="{ends[0]}" x2="{ends[1]}" y1="{y:g}" y2="{y:g}"/>')
        parts.append(f'<circle cx="{x(place.elo)}" cy="{y:g}" r="5"/>')
    return "\n".join([*parts, "</svg>\n"])
