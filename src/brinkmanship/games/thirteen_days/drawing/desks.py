"""The player areas of the two sides: supply, hand, letter, side to act."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing import player_area as shared
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, rect
from brinkmanship.games.thirteen_days.drawing.deciding import decides_letter, ring
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition


def desk(labels: Labels, position: DrawnPosition, side: int, layout: Layout, *, can: bool) -> Markup:
    """Draw a side's player area; `can` highlights its letter."""
    box = layout.desks[side]
    edge = rect(box.x if side == 0 else box.right - 4, box.y, 4, box.h, f"mercury {SIDE_CSS[side]}")
    summary = labels.say(
        "aria.desk",
        side=labels.sides[side],
        supply=position.supply[side],
        hand=position.hand[side],
        letter=labels.say("aria.letter") if position.letter == side else "",
    )
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        edge,
        shared.heading(
            labels,
            side,
            box,
            you=position.side == side and not (layout.wide and position.letter == side),
            to_act=position.pending[side],
        ),
        (_wide if layout.wide else _narrow)(labels, position, side, box, can),
        css="desk",
        data_desk=SIDE_CSS[side],
        role="group",
        data_tell=summary,
        aria_label=summary,
    )


def _wide(labels: Labels, position: DrawnPosition, side: int, box: Box, can: bool) -> Markup:
    left, total = position.supply[side], labels.data.limits.cubes_per_side
    mark_width = 48 + width(labels.say("to_act"), 13.5, "b")
    return join(
        shared.supply(side, left, total, Box(box.x + 14, box.y + 44, 150, 0), rows=1),
        text(box.x + 172, box.y + 48, str(left), 14.5, "b"),
        shared.hand(labels, side, position.hand[side], box.x + 198, box.y + 36, box.w - 198 - 12),
        _letter(labels, position, side, box.right - (mark_width if position.pending[side] else 14), box.y + 7, can),
    )


def _narrow(labels: Labels, position: DrawnPosition, side: int, box: Box, can: bool) -> Markup:
    left, total = position.supply[side], labels.data.limits.cubes_per_side
    return join(
        shared.supply(side, left, total, Box(box.x + 14, box.y + 38, box.w - 48, 0), rows=2),
        text(box.right - 10, box.y + 49, str(left), 14, "b", "end"),
        shared.hand(labels, side, position.hand[side], box.x + 14, box.y + 65),
        _letter(labels, position, side, box.right - 12, box.y + 87, can),
    )


def _letter(labels: Labels, position: DrawnPosition, side: int, right: float, y: float, can: bool) -> Markup:
    if position.letter != side:
        return NOTHING
    words = labels.sentence("letter")
    wide = width(words, 13.5)
    return group(
        rect(right - wide - 36, y - 3, wide + 40, 22, "glass", 3) if can else NOTHING,
        icons.envelope(right - wide - 30, y),
        ring(decides_letter(position), right - wide - 18, y + 8, 17),
        text(right, y + 12.5, words, 13.5, "", "end"),
        css="letter can" if can else "letter",
        id="marker-letter",
        data_letter=SIDE_CSS[side],
        role="button" if can else None,
        tabindex=0 if can else None,
        data_tell=f"{words}\n{labels.say('tell.letter')}",
        aria_label=words if can else None,
    )
