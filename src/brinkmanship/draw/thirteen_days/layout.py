"""Where things stand: a wide table for screens and pictures, a narrow one for phones.

Drawing units are CSS pixels at the drawing's own width: the wide table is meant for 900 pixels and more, the narrow
one for 340 to 700.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from brinkmanship.draw.box import Box

Name = Literal["wide", "narrow"]


@dataclass(frozen=True)
class Layout:
    """Rectangles of the parts of the board, in its own coordinates."""

    name: Name
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
    """Where the thermometers begin, below the top of `defcon`."""
    bars_height: float
    piles: Box
    cube: float
    """Size of a cube on a battleground."""

    @property
    def wide(self) -> bool:
        """Whether this is the table for screens."""
        return self.name == "wide"

    def place(self, place: str) -> Box:
        """Where a battleground is."""
        return self.places.get(place) or self.opinions[place]


TAG_ROW = 20
"""Height of a row of tags (what is in force this round) below the rope."""


@cache
def layout_of(name: Name, tag_rows: int = 0) -> Layout:
    """The layout of that name; the narrow one makes room for rows of tags."""
    return _wide() if name == "wide" else _narrow(tag_rows)


def _wide() -> Layout:
    atlas = Box(16, 180, 868, 384)
    w, h = 216, 76
    spots = {
        "cuba_political": (16, 164),
        "cuba_military": (16, 298),
        "atlantic": (304, 200),
        "berlin": (560, 46),
        "italy": (412, 298),
        "turkey": (640, 298),
    }
    opinion = Box(16, 564, 868, 124)
    return Layout(
        name="wide",
        width=1280,
        height=700,
        calendar=Box(16, 8, 1248, 70),
        desks=(Box(16, 88, 312, 82), Box(952, 88, 312, 82)),
        rope=Box(344, 88, 592, 82),
        atlas=atlas,
        places={place: Box(atlas.x + x, atlas.y + y, w, h) for place, (x, y) in spots.items()},
        opinion=opinion,
        opinions={p: Box(opinion.x + 14 + i * 284, opinion.y + 26, 272, 88) for i, p in enumerate(_OPINIONS)},
        defcon=Box(900, 180, 364, 440),
        bars_from=84,
        bars_height=272,
        piles=Box(900, 630, 364, 58),
        cube=14,
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
    )


_OPINIONS = ("television", "united_nations", "alliances")
"""In the order in which they are scored (step 5)."""
