"""The three areas of the table, and how near the cards in each sphere are to triggering nuclear war.

A row of a sphere has three marked places, of which the third means war. One card before it the cell is dotted, with
the third card it is hatched, like the DEFCON areas in 13 Days.
"""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, line, rect
from brinkmanship.games.thirteen_minutes.drawing.deciding import decide_spheres, to_war
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels
from brinkmanship.games.thirteen_minutes.drawing.layout import LEAST, MARGIN, Layout, row_of
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, DrawnPosition
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS, CUBA_ID


def area(labels: Labels, position: DrawnPosition, number: int, layout: Layout, ids: str, *, can: bool) -> Markup:
    """Draw an area with its heading and, in a sphere, a tally for each DEFCON type."""
    box, side = layout.areas[number], SPHERES.get(number)
    id = labels.data.area[number].id
    tallies = [labels.tally(position, number, colour) for colour in COLOURS] if side is not None else []
    names = [labels.place(ground) for ground in position.lying(number)]
    return group(
        rect(box.x, box.y, box.w, box.h, f"wash {SIDE_CSS[side]}" if side is not None else "sunk", 4),
        heading(labels, position, number, layout),
        [_cell(labels, position, number, colour, layout, ids) for colour in COLOURS],
        rect(box.x, box.y, box.w, box.h, "glass", 4),
        css="area can" if can else "area",
        data_area=id,
        role="button" if can else "group",
        tabindex=0 if can else None,
        aria_label=". ".join([f"{labels.area_name(number)}: {labels.words.join(names) if names else 0}", *tallies]),
    )


def heading(labels: Labels, position: DrawnPosition, number: int, layout: Layout) -> Markup:
    """Return the name of an area, placed beside Cuba where Cuba lies in it."""
    box, side = layout.areas[number], SPHERES.get(number)
    css = f"b {SIDE_CSS[side]}" if side is not None else "b"
    if not layout.wide:
        return text(box.x + box.w / 2, box.y + 17, labels.short_area(number), 13.5, css, "middle", room=box.w - 8)
    lying = labels.say("lying", n=len(position.lying(number)))
    if row_of(position, number, CUBA_ID):  # Cuba lies beside the heading
        room = box.w - layout.cuba[0] - 20
        short = labels.short_area(number)
        return join(
            text(box.x + 8, box.y + 18, short[:1].upper() + short[1:], 14.5, css, room=room),
            text(box.x + 8, box.y + 34, lying, LEAST, "mu", room=room),
        )
    name = labels.area_name(number)
    name = name[:1].upper() + name[1:]
    return join(
        text(box.x + 8, box.y + 25, name, 15, css, room=box.w - 32 - width(lying, LEAST)),
        text(box.right - 10, box.y + 25, lying, LEAST, "mu", "end"),
        rect(box.right - 17 - width(lying, LEAST), box.y + 10, width(lying, LEAST) + 14, 22, "culprit", 4)
        if side is not None and decide_spheres(position)
        else NOTHING,
    )


def _cell(labels: Labels, position: DrawnPosition, number: int, colour: str, layout: Layout, ids: str) -> Markup:
    cell = layout.cell(number, colour)
    edge = line(cell.x + 6, cell.y, cell.right - 6, cell.y, "rule")
    if number not in SPHERES:
        return edge
    some, war = position.colours(number)[colour], labels.data.scoring.war_cards
    danger = "hatch" if some >= war else "dots" if some == war - 1 else ""
    ground = rect(cell.x + 1, cell.y + 1, cell.w - 2, cell.h - 2, "", fill=f"url(#{ids}{danger})", opacity=0.5)
    return join(
        ground if danger else NOTHING,
        edge,
        _free_places(labels, position, number, colour, layout, ids) if layout.wide else NOTHING,
        (_wide_tally if layout.wide else _tally)(labels, position, number, colour, layout),
        rect(cell.x + 2, cell.y + 2, cell.w - 4, cell.h - 4, "culprit", 4)
        if to_war(labels, position, number, colour)
        else NOTHING,
    )


def _free_places(labels: Labels, position: DrawnPosition, number: int, colour: str, layout: Layout, ids: str) -> Markup:
    """Draw the free places up to the one that means war; Cuba, turned up, lies elsewhere but takes a place too."""
    lying, war = len(row_of(position, number, colour)), labels.data.scoring.war_cards
    elsewhere = position.colours(number)[colour] - lying
    parts = []
    for place in range(lying, war - elsewhere):
        box = layout.slot(number, colour, place)
        if place == war - elsewhere - 1:  # emphasised only if the next card would lie there
            opacity = 0.6 if place == lying else 0.22
            parts.append(rect(box.x, box.y, box.w, box.h, "", 3, fill=f"url(#{ids}hatch)", opacity=opacity))
        side = SIDE_CSS[SPHERES[number]]
        parts.append(rect(box.x, box.y, box.w, box.h, f"slot {side}", 3))
    return join(parts)


def _wide_tally(labels: Labels, position: DrawnPosition, number: int, colour: str, layout: Layout) -> Markup:
    """Draw the tally at the outer edge of a row: the type's shape, its count and limit, and a warning near war."""
    cell, side = layout.cell(number, colour), SPHERES[number]
    some, war = position.colours(number)[colour], labels.data.scoring.war_cards
    near = some >= war - 1
    middle = cell.x + MARGIN / 2 if side == 0 else cell.right - MARGIN / 2
    y = cell.y + (13 if near else 23)
    return group(
        rect(middle - MARGIN / 2 + 1, cell.y + 2, MARGIN - 2, cell.h - 4, "reach"),
        icons.kind(colour, middle - 8, y, 16),
        text(middle, y + 32, f"{some}/{war}", 14, "b halo" if near else "mu", "middle"),
        icons.warning(middle - 7, y + 40, grave=some >= war) if near else NOTHING,
        css="tally",
        data_tell=f"{labels.tally(position, number, colour)}\n{labels.say('tally_why', war=war)}",
    )


def _tally(labels: Labels, position: DrawnPosition, number: int, colour: str, layout: Layout) -> Markup:
    cell, side = layout.cell(number, colour), SPHERES[number]
    some, war = position.colours(number)[colour], labels.data.scoring.war_cards
    near = some >= war - 1
    css = "b halo" if near else "mu"
    y = cell.y + 14.5
    words = str(some) if some >= war else labels.say("of", some=some, war=war)
    wide = width(words, 12, css)
    x = cell.x + 10
    sign = icons.warning(x + 22 + wide, y - 11.5, grave=some >= war) if near else NOTHING
    return group(
        join(icons.kind(colour, x, y - 10.5, 12), text(x + 18, y, words, 12, css), sign),
        css=f"tally {SIDE_CSS[side]}",
    )
