"""The key of units: the symbol of each type, its name, and the Combat Values of both sides."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.drawing.units import symbol
from brinkmanship.games.ukrainian_crisis.rules.data import UNIT_TYPES, Unit

_STEP = 16.0
_VALUE = 22.0
"""Width of a Combat Value."""


def key(labels: Labels, layout: Layout) -> Markup:
    """Draw the types of unit of the scenario."""
    box = layout.key
    types = [type_ for type_ in UNIT_TYPES if any(unit.type == type_ for unit in labels.data.unit)]
    title = labels.sentence("crisis.cv")
    heads = [icons.cube(side, _middle(box, side), box.y + 12, 11) for side in (0, 1)]
    rows = [_row(labels, type_, box, box.y + 31 + number * _STEP) for number, type_ in enumerate(types)]
    told = ". ".join([title, *(_told(labels, type_) for type_ in types)])
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        text(box.x + 8, box.y + 16, title, LEAST, "b", room=box.w - 20 - 2 * _VALUE),
        heads,
        rows,
        css="unit-key",
        role="img",
        aria_label=told,
    )


def _row(labels: Labels, type_: str, box: Box, y: float) -> Markup:
    values = []
    for side in (0, 1):
        unit = _unit(labels, type_, side)
        at = _middle(box, side)
        values.append(text(at, y, _value(unit), LEAST, f"b {SIDE_CSS[side]}", "middle", _VALUE) if unit else NOTHING)
    name = labels.kind(type_)
    return join(
        symbol(type_, box.x + 8, y - 10), text(box.x + 28, y, name, LEAST, room=box.w - 36 - 2 * _VALUE), values
    )


def _middle(box: Box, side: int) -> float:
    """Return the x of a side's Combat Values."""
    return box.right - 6 - (1.5 - side) * _VALUE


def _unit(labels: Labels, type_: str, side: int) -> Unit | None:
    owner = ("UA", "RU")[side]
    return next((unit for unit in labels.data.unit if (unit.type, unit.side) == (type_, owner)), None)


def _value(unit: Unit) -> str:
    """Return the Combat Value of the full side and, in brackets, that of the neutralised side if it differs."""
    if unit.cv is None:
        return "–"
    return str(unit.cv) if unit.cv == unit.cv_neutralised else f"{unit.cv} ({unit.cv_neutralised})"


def _told(labels: Labels, type_: str) -> str:
    units = [(side, _unit(labels, type_, side)) for side in (0, 1)]
    return f"{labels.kind(type_)}: " + ", ".join(f"{labels.sides[side]} {_value(unit)}" for side, unit in units if unit)
