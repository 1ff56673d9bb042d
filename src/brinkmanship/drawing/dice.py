"""Pictures of dice: faces with pips, and rows of rolled dice, for any game with dice.

A page contains the `faces` once. Every die in a `row` refers to one of them, so that a script can animate it by
changing the reference. If a game does not record the pips, a row shows what is known: hits and misses, or only the sum.
"""

from __future__ import annotations

from functools import cache

from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import Markup, el, group, path, rect
from brinkmanship.engine.message import Dice

SIZE = 28.0
STEP = 33.0
PER_ROW = 10
"""Maximum dice per row; further dice go into the next row."""

SPOTS = {
    1: ((2, 2),),
    2: ((1, 1), (3, 3)),
    3: ((1, 1), (2, 2), (3, 3)),
    4: ((1, 1), (1, 3), (3, 1), (3, 3)),
    5: ((1, 1), (1, 3), (3, 1), (3, 3), (2, 2)),
    6: ((1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)),
}
"""Positions of the pips of each face, in quarters of its edge."""


@cache
def faces() -> Markup:
    """Draw all faces for a page: ``die-1`` to ``die-6``, ``die-hit`` and ``die-miss``."""
    quarter = SIZE / 4
    pips = {
        str(number): [el("circle", cx=x * quarter, cy=y * quarter, r=SIZE / 11, class_="pip") for x, y in spots]
        for number, spots in SPOTS.items()
    }
    burst = path(
        "M14 3l2.6 6.2 6.6-1.6-3.6 5.7 5.4 4-6.7.9.4 6.8-4.7-4.9-4.7 4.9.4-6.8-6.7-.9 5.4-4-3.6-5.7 6.6 1.6z", "pip"
    )
    signs = {"hit": burst, "miss": path("M9 14h10", "dash")}
    body = rect(0.75, 0.75, SIZE - 1.5, SIZE - 1.5, "body", 5)
    symbols = [
        el("symbol", group(body, sign, css=f"die-face {name}"), id=f"die-{name}", viewBox=f"0 0 {SIZE:g} {SIZE:g}")
        for name, sign in (pips | signs).items()
    ]
    return el("svg", symbols, width=0, height=0, class_="outlines", aria_hidden="true")


def row(dice: Dice) -> Markup:
    """Draw dice with their result beside them; without dice if their faces are unknown."""
    if dice.pips:
        names, number = [str(pips) for pips in dice.pips], sum(dice.pips)
    elif dice.hits is not None:
        names, number = ["hit"] * dice.hits + ["miss"] * (dice.thrown - dice.hits), dice.hits
    else:
        number = dice.total or 0
        names = [str(number)] if dice.thrown == 1 else []
    rows = max(1, -(-len(names) // PER_ROW))
    right = min(len(names), PER_ROW) * STEP
    shown = f"= {number}" if names else str(number)
    high = rows * STEP - STEP + SIZE
    wide = right + width(shown, 21, "b") + 6
    drawn = [
        el(
            "use",
            href=f"#die-{name}",
            x=f"{at % PER_ROW * STEP:g}",
            y=f"{at // PER_ROW * STEP:g}",
            width=f"{SIZE:g}",
            height=f"{SIZE:g}",
            class_="a-die",
        )
        for at, name in enumerate(names)
    ]
    return el(
        "svg",
        drawn,
        text(right + 2, high / 2 + 7.5, shown, 21, "b came-to"),
        class_="brink dice",
        viewBox=f"0 0 {wide:g} {high:g}",
        width=f"{wide:g}",
        height=f"{high:g}",
        aria_hidden="true",
    )
