"""The card matrix as three folders, each with a card of each side."""

from __future__ import annotations

from collections.abc import Collection

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, path, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.drawing.panel import panel
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS


def matrix(labels: Labels, position: DrawnPosition, layout: Layout, can: Collection[str]) -> Markup:
    """Draw three folders, each with a card of each side: face down, or turned up."""
    box = layout.matrix
    high = (box.h - 26) / len(AREAS)
    rows = []
    for area in range(len(AREAS)):
        row = Box(box.x + 6, box.y + 24 + area * high, box.w - 12, high - 3)
        rows.append(_folder(labels, position, area, row, can=AREAS[area] in can))
    return panel(labels.sentence("crisis.matrix"), box, layout, rows, css="matrix")


def _folder(labels: Labels, position: DrawnPosition, area: int, box: Box, *, can: bool) -> Markup:
    name, short = labels.area_of(area), labels.say(f"crisis.short.{AREAS[area]}")
    place = f"{position.order.index(area) + 1}. " if area in position.order else ""
    now = position.area == area and position.face_up[area]
    cards = [card_words(labels, position, side, area) for side in (0, 1)]
    told = f"{name}: " + ", ".join(f"{labels.sides[side]} {words}" for side, words in enumerate(cards))
    wide = 50.0
    room = box.w - 2 * (wide + 4) - 6
    middle = box.y + box.h / 2
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 3),
        rect(box.x, box.y, 3.5, box.h, "inkfill") if now else NOTHING,
        text(box.x + 9, middle + 4.5, f"{place}{short}", LEAST, "b", room=room - 8),
        [
            _card(labels, position, side, area, Box(box.x + room + 6 + side * (wide + 3), middle - 10.5, wide, 21))
            for side in (0, 1)
        ],
        css="folder can" if can else "folder",
        data_track=AREAS[area],
        role="button" if can else "img",
        tabindex=0 if can else None,
        aria_label=told,
    )


def card_words(labels: Labels, position: DrawnPosition, side: int, area: int) -> str:
    """Return a side's card in an area of the matrix, in words."""
    rank = position.matrix[side][area]
    if rank == 0:
        return labels.say("crisis.no_card")
    if rank < 0:
        return labels.say("face_down")
    known = labels.rank(rank)
    return known if position.face_up[area] else f"{known} ({labels.say('face_down')})"


def _card(labels: Labels, position: DrawnPosition, side: int, area: int, box: Box) -> Markup:
    rank, name = position.matrix[side][area], SIDE_CSS[side]
    if rank == 0:
        return rect(box.x, box.y, box.w, box.h, f"slot {name}", 2)
    if rank > 0 and position.face_up[area]:
        return join(
            rect(box.x, box.y, box.w, box.h, f"hollow {name}", 2),
            text(box.x + box.w / 2, box.y + 15, labels.short_rank(rank), LEAST, f"b {name}", "middle", room=box.w - 6),
        )
    lines = "".join(f"M{box.x + 4:g} {box.y + d:g}h{box.w - 8:g}" for d in (5.5, 10.5, 15.5))
    back = join(rect(box.x, box.y, box.w, box.h, f"back {name}", 2))
    if rank < 0:
        return join(back, path(lines, f"note {name}"))
    return join(
        back,
        text(box.x + box.w / 2, box.y + 15, labels.short_rank(rank), LEAST, name, "middle", room=box.w - 4),
    )
