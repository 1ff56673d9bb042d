"""Mapping of the record fields of Ukrainian Crisis to observation columns; see `research.columns`."""

from __future__ import annotations

from collections.abc import Mapping

from brinkmanship.engine.game import OVER
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, N_RANKS, Box
from brinkmanship.games.ukrainian_crisis.rules.state import (
    GROUP,
    MAX_GROUPS,
    PLACE,
    EventPlace,
    Level,
    Mark,
    Node,
    Place,
    Square,
    Step,
    Task,
    TurnType,
)
from brinkmanship.research.columns import Code, ColumnKind, FieldPart, bits, one_of, side


def codes() -> Mapping[str, Code]:
    """Return the codes of the fields."""
    marks, groups = len(Mark), (PLACE // GROUP - 1).bit_length()
    unit = (
        FieldPart(ColumnKind.ONE_OF, Place.NOWHERE, max(Place) - Place.NOWHERE + 1, marks + groups, 7, "place"),
        FieldPart(ColumnKind.NUMBER, 0, 1, marks, MAX_GROUPS.bit_length(), "group"),
        FieldPart(ColumnKind.BITS, 0, marks, 0, marks, "marks"),
    )
    area = one_of(-1, N_AREAS)
    return {
        "zones_attacked": bits(MAX_ZONES),
        "union": bits(MAX_ZONES),
        "opened": bits(MAX_ZONES),
        "unit": unit,
        "box": one_of(0, max(Box)),
        "event": one_of(0, max(EventPlace)),
        "matrix": one_of(min(Square), N_RANKS),
        "declared": one_of(TurnType.NOT_YET, TurnType.COMBAT),
        "order": area,
        "area": area,
        "turn_type": one_of(TurnType.NOT_YET, TurnType.COMBAT),
        "drawn": bits(2),
        "resolve": side(-1),
        "ally_area": area,
        "ally_countries": bits(N_COUNTRIES),
        "suspended": bits(N_COUNTRIES),
        "step": one_of(0, len(Step) - 1),
        "node": one_of(0, len(Node) - 1),
        "mover": one_of(0, OVER),
        "drawer": side(-1),
        "winner": side(-1),
        "level": one_of(0, len(Level) - 1),
        "stack.task": one_of(0, len(Task) - 1),
        "stack.side": side(-1),
    }
