"""Counters of units: the plain symbols of military maps in a frame of their side, with the number of units.

Ukraine's frame is upright with a light edge, Russia's has pointed ends and a dark one; a neutralised unit is hollow and
its number stands in brackets, as on the printed counters. The strokes below its symbol are its Combat Value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import Markup, group, join, num, path
from brinkmanship.games.ukrainian_crisis.drawing.position import Stack

HIGH = 18.0
"""Height of a counter at its full size; it is as wide as its number needs."""
_SYMBOL = 18.5
_WIDE_SCALES = (1.0,)
_NARROW_SCALES = (0.78,)

_SYMBOLS = {  # in a frame of 14 by 10
    "ground": "M0 0h14v10h-14zM0 0l14 10M14 0l-14 10",
    "airborne": "M0 0h14v10h-14zM0 0l14 10M14 0l-14 10M3.5 10q1.75-3 3.5 0q1.75-3 3.5 0",
    "naval": "M0 0h14v10h-14zM7 1.6v6.6M5 3.2h4M3.2 5.6q.6 2.8 3.8 2.8q3.2 0 3.8-2.8",
    "militia": "M0 0h14v10h-14zM0 10l7-10l7 10",
    "special": "M0 0h14v10h-14zM7 1.4l1 2.4l2.6.2l-2 1.7l.7 2.6l-2.3-1.4l-2.3 1.4l.7-2.6l-2-1.7l2.6-.2z",
    "several": "M0 0h14v10h-14zM2.5 3.3h9M2.5 6.7h9",
}


def outline(type_: str) -> str:
    """Return the outline of the symbol of a type of unit, "several" for more than one, in a frame of 14 by 10."""
    return _SYMBOLS[type_]


def total(side: int, stacks: Sequence[Stack]) -> Stack:
    """Return all stacks as one counter."""
    types = {stack.type for stack in stacks}
    return Stack(
        unit="",
        side=side,
        type=types.pop() if len(types) == 1 else "several",
        kind="",
        neutralised=all(stack.neutralised for stack in stacks),
        size=sum(stack.size for stack in stacks),
        cv=0,
    )


def counters(
    stacks: Sequence[Stack],
    x: float,
    y: float,
    room: tuple[float, float],
    *,
    scales: Sequence[float],
    middle: bool = True,
) -> Markup:
    """Draw counters in rows, centred at `x` or starting there; a side's units as one counter if room is short."""
    for scale in scales:
        rows = _rows(stacks, room[0], scale)
        if len(rows) * (HIGH + 2) * scale <= room[1] + 2:
            break
    else:
        sides = [[stack for stack in stacks if stack.side == side] for side in (0, 1)]
        scale = scales[-1]
        rows = _rows([total(side, own) for side, own in enumerate(sides) if own], room[0], scale)
    drawn = []
    for number, row in enumerate(rows):
        left = x - _long(row, scale) / 2 if middle else x
        for stack in row:
            drawn.append(counter(stack, left, y + number * (HIGH + 2) * scale, scale))
            left += (_wide(stack) + 2) * scale
    return join(drawn)


def standing(stacks: Sequence[Stack], x: float, y: float, room: tuple[float, float], *, wide: bool) -> Markup:
    """Draw counters in a zone of the map, in the room below its name."""
    if wide:
        return counters(stacks, x, y + 5, room, scales=_WIDE_SCALES)
    return counters(stacks, x, y + 3, (max(room[0], 36), max(room[1], HIGH)), scales=_NARROW_SCALES)


def listed(stacks: Sequence[Stack], coming: Sequence[Stack], room: float) -> tuple[Markup, float]:
    """Draw counters in as many rows as needed, new ones as ghosts; return them with their total height."""
    rows = [row for row in [*_rows(stacks, room, 1), *([list(coming)] if coming else [])] if row]
    drawn = []
    for number, row in enumerate(rows):
        left, css = 1.0, "g" if coming and number == len(rows) - 1 else None
        for stack in row:
            drawn.append(group(counter(stack, left, 1 + number * (HIGH + 3)), css=css))
            left += _wide(stack) + 2
    return join(drawn), len(rows) * (HIGH + 3)


def _rows(stacks: Sequence[Stack], room: float, scale: float) -> list[list[Stack]]:
    """Return the rows, one set for each side if both are there and this needs no more rows."""
    rows: list[list[Stack]] = [[]]
    for stack in stacks:
        if rows[-1] and _long([*rows[-1], stack], scale) > room:
            rows.append([])
        rows[-1].append(stack)
    return rows


def _long(row: Sequence[Stack], scale: float) -> float:
    return (sum(_wide(stack) + 2 for stack in row) - 2) * scale


def _wide(stack: Stack) -> float:
    return _SYMBOL + width(_number(stack), 13, "b") + (6.5 if stack.side == 0 else 12.5)


def _number(stack: Stack) -> str:
    return f"({stack.size})" if stack.neutralised else str(stack.size)


@lru_cache(4096)
def counter(stack: Stack, x: float, y: float, scale: float = 1.0) -> Markup:
    """Draw one counter, its top left corner at a point."""
    wide = _wide(stack)
    w = num(wide - (0 if stack.side == 0 else 8))
    if stack.side == 0:
        frame = f"M0 0h{w}v{num(HIGH)}h-{w}z"
    else:
        half = num(HIGH / 2)
        frame = f"M4 0h{w}l4 {half}l-4 {half}h-{w}l-4-{half}z"
    css = f"hollow {SIDE_CSS[stack.side]}" if stack.neutralised else f"c {SIDE_CSS[stack.side]}"
    ink = f"sign {SIDE_CSS[stack.side]}" if stack.neutralised else "sign on"
    body = join(
        path(frame, css),
        path(_SYMBOLS[stack.type] + _strokes(stack.cv), ink, transform=f"translate({4.5 if stack.side == 0 else 6} 3)"),
        text(
            wide - (3 if stack.side == 0 else 6.7),
            13.6,
            _number(stack),
            13,
            f"b {SIDE_CSS[stack.side]}" if stack.neutralised else "b white",
            "end",
        ),
    )
    shape = f"translate({num(x)} {num(y)})" + (f" scale({num(scale)})" if scale != 1 else "")
    return group(body, css="counter", transform=shape, data_unit=stack.name or None)


def _strokes(cv: int) -> str:
    """Return a stroke for each point of Combat Value, below the symbol and as wide as that."""
    step = min(3.6, 14 / max(cv, 1))
    return "".join(f"M{num(7 - cv * step / 2 + point * step + 0.6)} 12.6h{num(step - 1.2)}" for point in range(cv))


def symbol(type_: str, x: float, y: float) -> Markup:
    """Draw the symbol of a type of unit without a counter, its top left corner at a point."""
    return path(_SYMBOLS[type_], "sign ink", transform=f"translate({num(x)} {num(y)})")


def named(stacks: Sequence[Stack]) -> str | None:
    """Return the units in a place, for the page's animation of moving units: "ru_ground:3,ru_ground neutralised:1"."""
    return ",".join(f"{stack.name}:{stack.size}" for stack in stacks) or None
