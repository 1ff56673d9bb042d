"""The emblem of Ukrainian Crisis: a small picture for the home page, without words."""

from __future__ import annotations

from brinkmanship.drawing.geography import layer
from brinkmanship.drawing.svg import Markup, el, group, join, moved, path, rect


def emblem(ids: str) -> Markup:
    """Draw a newspaper map of 2014: zones hatched, counters with military symbols."""
    east = "M136 20h90v120h-90l-12-36 18-30z"
    columns = "".join(f"M14 {y}h34" for y in range(96, 138, 6)) + "".join(f"M192 {y}h34" for y in range(18, 48, 6))

    def counter(x: float, y: float, side: str, sign: str) -> Markup:
        return moved(x, y, rect(0, 0, 24, 20, f"back {side}", 1.5), rect(5, 6, 14, 9, "bare"), path(sign, "line"))

    infantry, armour = "M5 5h14v10h-14zM5 5l14 10M19 5l-14 10", "M5 5h14v10h-14zM9 8h6a2 2 0 0 1 0 4h-6a2 2 0 0 1 0-4z"
    return join(
        path(columns, "thin"),
        el("clipPath", el("path", d=east), id=f"{ids}e-east"),
        layer("ukraine", "land", "land"),
        group(layer("ukraine", "land", "hatched", fill=f"url(#{ids}e-hatch)"), clip_path=f"url(#{ids}e-east)"),
        counter(84, 50, "us", infantry),
        counter(112, 62, "us", armour),
        counter(164, 58, "ussr", infantry),
        counter(148, 108, "ussr", armour),
    )
