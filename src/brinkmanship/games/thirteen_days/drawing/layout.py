"""Layouts of the board: a wide one for screens and pictures, a narrow one for phones.

Drawing units are CSS pixels at the drawing's own width: the wide board is meant for 880 pixels and more, so that
its smallest text is 12.5 pixels there; the narrow one for 340 to 700.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.layout import LayoutName


@dataclass(frozen=True)
class Layout:
    """Rectangles of the parts of the board, in its own coordinates."""

    name: LayoutName
    width: float
    height: float
    calendar: Box
    desks: tuple[Box, Box]
    rope: Box
    atlas: Box
    places: Mapping[str, Box]
    opinion: Box
    opinions: Mapping[str, Box]
    defcon: Box
    bars_from: float
    """Start of the thermometers, below the top of `defcon`."""
    bars_height: float
    piles: Box
    cube: float
    """Size of a cube on a battleground."""
    least: float
    """Size of the smallest text."""

    @property
    def wide(self) -> bool:
        """True for the layout for screens."""
        return self.name == "wide"

    def place(self, place: str) -> Box:
        """Return the box of a battleground."""
        return self.places.get(place) or self.opinions[place]


TAG_ROW = 20
"""Height of a row of tags (effects in force this round) below the rope."""


@cache
def layout_of(name: LayoutName, tag_rows: int = 0) -> Layout:
    """Return the layout of that name, with room for rows of tags."""
    return _wide(min(tag_rows, 1)) if name == "wide" else _narrow(tag_rows)


def _wide(tag_rows: int) -> Layout:
    down = 21 * tag_rows
    atlas = Box(6, 134 + down, 640, 174)
    w, h = 140, 62
    spots = {
        "cuba_political": (56, 18),
        "cuba_military": (56, 110),
        "atlantic": (222, 46),
        "berlin": (498, 6),
        "italy": (346, 110),
        "turkey": (498, 110),
    }
    opinion = Box(6, atlas.bottom, 640, 98)
    return Layout(
        name="wide",
        width=960,
        height=412 + down,
        calendar=Box(6, 3, 948, 60),
        desks=(Box(6, 68, 300, 61), Box(654, 68, 300, 61)),
        rope=Box(312, 68, 336, 61),
        atlas=atlas,
        places={place: Box(atlas.x + x, atlas.y + y, w, h) for place, (x, y) in spots.items()},
        opinion=opinion,
        opinions={p: Box(opinion.x + 6 + i * 211, opinion.y + 5, 206, 88) for i, p in enumerate(_OPINIONS)},
        defcon=Box(654, atlas.y, 300, 232),
        bars_from=68,
        bars_height=100,
        piles=Box(654, atlas.y + 236, 300, 36),
        cube=14,
        least=13.5,
    )


def _narrow(tag_rows: int) -> Layout:
    left, wide, gap = 8.0, 344.0, 8.0
    calendar = Box(left, 4, wide, 138)
    desks_y = calendar.bottom + gap
    rope = Box(left, desks_y + 112 + gap, wide, 62 + tag_rows * TAG_ROW)
    defcon = Box(left, rope.bottom + gap, wide, 314)
    atlas = Box(left, defcon.bottom + gap, wide, 326)
    opinion = Box(left, atlas.bottom, wide, 298)
    piles = Box(left, opinion.bottom + gap, wide, 54)
    w, h = 156, 74
    columns = ((28, ("cuba_political", "cuba_military", "atlantic")), (190, ("berlin", "italy", "turkey")))
    return Layout(
        name="narrow",
        width=360,
        height=piles.bottom + gap,
        calendar=calendar,
        desks=(Box(left, desks_y, 168, 112), Box(184, desks_y, 168, 112)),
        rope=rope,
        defcon=defcon,
        bars_from=74,
        bars_height=168,
        atlas=atlas,
        places={
            place: Box(x, atlas.y + 28 + row * (h + 24), w, h)
            for x, column in columns
            for row, place in enumerate(column)
        },
        opinion=opinion,
        opinions={p: Box(16, opinion.y + 46 + row * 86, 328, 68) for row, p in enumerate(_OPINIONS)},
        piles=piles,
        cube=11,
        least=11,
    )


_OPINIONS = ("television", "united_nations", "alliances")
"""The battlegrounds in scoring order (step 5)."""
