"""Where the texts of a drawing are, by the width table."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import NamedTuple

from brinkmanship.drawing import lettering

SVG = "{http://www.w3.org/2000/svg}"


class Placed(NamedTuple):
    """A text with its extent, and whether that lies in the drawing and in the panel it belongs to."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    inside: bool

    def covers(self, other: Placed) -> bool:
        """Whether the two overlap by more than a hair."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > 1
            and min(self.bottom, other.bottom) - max(self.top, other.top) > 1
        )


BOXES = {"panel", "memo", "tag", "sunk"}
"""Classes of rectangles that hold the texts beside them."""


def placed(root: ET.Element) -> Iterator[Placed]:
    width, height = (float(n) for n in root.get("viewBox", "").split()[2:])
    yield from _placed(root, 0, 0, [(0, 0, width, height)])


def _placed(node: ET.Element, dx: float, dy: float, boxes: list[tuple[float, ...]]) -> Iterator[Placed]:
    if node.tag in (f"{SVG}defs", f"{SVG}title"):
        return
    move = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", node.get("transform", ""))
    if move:
        dx, dy = dx + float(move[1]), dy + float(move[2])
    own = [r for r in node if r.tag == f"{SVG}rect" and BOXES & set(r.get("class", "").split())]
    if len(own) == 1:
        x, y, w, h = (float(own[0].get(name, "0")) for name in ("x", "y", "width", "height"))
        boxes = [*boxes, (x + dx, y + dy, x + dx + w, y + dy + h)]
    if node.tag == f"{SVG}text":
        size, css = float(node.get("font-size", "0")), node.get("class", "")
        wide = float(node.get("textLength") or lettering.width(node.text or "", size, css))
        at, base = float(node.get("x", "0")) + dx, float(node.get("y", "0")) + dy
        left = at - {"start": 0.0, "middle": wide / 2, "end": wide}[node.get("text-anchor", "start")]
        top, right, bottom = base - 0.72 * size, left + wide, base + 0.2 * size
        inside = all(
            x1 <= left + 0.5 and right <= x2 + 0.5 and y1 <= top + 2 and bottom <= y2 + 2 for x1, y1, x2, y2 in boxes
        )
        yield Placed(node.text or "", left, top, right, bottom, inside)
    for child in node:
        yield from _placed(child, dx, dy, boxes)
