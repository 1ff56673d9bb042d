"""What lies beside the map: relations as a ladder, the matrix as folders, the desks with the boxes of units."""

from __future__ import annotations

from collections.abc import Collection

from brinkmanship.draw import desk as shared
from brinkmanship.draw import marks
from brinkmanship.draw.box import Box
from brinkmanship.draw.lettering import text, width
from brinkmanship.draw.marks import SIDES
from brinkmanship.draw.svg import NOTHING, Markup, el, group, join, line, path, rect
from brinkmanship.draw.ukrainian_crisis.labels import Labels
from brinkmanship.draw.ukrainian_crisis.layout import Layout
from brinkmanship.draw.ukrainian_crisis.position import MOBILISATION, RESERVE, Position
from brinkmanship.draw.ukrainian_crisis.units import counters, named
from brinkmanship.games.ukrainian_crisis.data import AREAS, BOXES
from brinkmanship.games.ukrainian_crisis.data import SIDES as _SIDES


def relations(labels: Labels, position: Position, layout: Layout, can: Collection[str]) -> Markup:
    """The ladder: Intervention above, Neutrality below; each country with its letters and its Rank."""
    box = layout.relations
    top = box.y + 24
    high = (box.bottom - top - 4) / len(BOXES)
    rows = []
    for number in range(len(BOXES), 0, -1):
        y = top + (len(BOXES) - number) * high
        rows.append(line(box.x + 6, y, box.right - 6, y, "rule"))
        rows.append(_rung(labels, position, number, Box(box.x + 8, y, box.w - 16, high), layout, can))
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        text(box.x + 10, box.y + 17, labels.sentence("crisis.relations").upper(), 11.5, "b sp mu", room=box.w - 20),
        rows,
        css="relations",
    )


def _rung(labels: Labels, position: Position, number: int, box: Box, layout: Layout, can: Collection[str]) -> Markup:
    name = f"{labels.box(number)} · {number}"
    by_rank = sorted(labels.data.country, key=lambda country: -country.rank)
    there = [country for country in by_rank if position.boxes[country.id] == number]
    chip, gap = 38.0, 3.0
    if layout.wide:
        per_row, x0, y0, room = 5, box.x, box.y + 18, box.w
        title = text(box.x, box.y + 14, name, 12, "b" if there else "mu", room=room)
    else:
        per_row, x0, y0, room = 6, box.x + 96, box.y + 4, 92
        title = text(box.x, box.y + 18, name, 12, "b" if there else "mu", room=room)
        chip = 37.0
    step = chip + gap
    rows = -(-len(there) // per_row)
    if rows > 1 or not layout.wide:
        step = min(step, (box.right - x0) / max(len(there), 1))
        per_row = max(len(there), 1)
    drawn = []
    for index, country in enumerate(there):
        x, y = x0 + index % per_row * step, y0 + index // per_row * 22
        drawn.append(_country(labels, country.id, country.rank, number, Box(x, y, step - gap, 19), country.id in can))
    return join(title, drawn)


def _country(labels: Labels, country: str, rank: int, number: int, box: Box, can: bool) -> Markup:
    told = labels.say("crisis.country", country=labels.country(country), rank=rank, box=labels.box(number))
    letters, size = country, 12.5
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 2),
        text(box.x + 4, box.y + 14, letters, size, "b", room=box.w - 14),
        text(box.right - 4, box.y + 14, str(rank), 11.5, "mu", "end"),
        css="country can" if can else "country",
        id=f"marker-{country}-relations",
        data_track=country,
        data_tell=told,
        role="button" if can else "img",
        tabindex=0 if can else None,
        aria_label=told,
    )


def matrix(labels: Labels, position: Position, layout: Layout, can: Collection[str]) -> Markup:
    """Three folders, each with a card of both sides: face down, or turned up."""
    box = layout.matrix
    high = (box.h - 26) / len(AREAS)
    rows = []
    for area in range(len(AREAS)):
        row = Box(box.x + 6, box.y + 24 + area * high, box.w - 12, high - 3)
        rows.append(_folder(labels, position, area, row, can=AREAS[area] in can))
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        text(box.x + 10, box.y + 17, labels.sentence("crisis.matrix").upper(), 11.5, "b sp mu", room=box.w - 20),
        rows,
        css="matrix",
    )


def _folder(labels: Labels, position: Position, area: int, box: Box, *, can: bool) -> Markup:
    name, short = labels.area_of(area), labels.sentence(f"crisis.area.{AREAS[area]}")
    place = f"{position.order.index(area) + 1}. " if area in position.order else ""
    now = position.area == area and position.face_up[area]
    cards = [_card_words(labels, position, side, area) for side in (0, 1)]
    told = f"{name}: " + ", ".join(f"{labels.sides[side]} {words}" for side, words in enumerate(cards))
    room = box.w * 0.4
    wide = (box.w - room - 10) / 2 - 3
    middle = box.y + box.h / 2
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 3),
        rect(box.x, box.y, 3.5, box.h, "inkfill") if now else NOTHING,
        text(box.x + 9, middle + 4.5, f"{place}{short}", 13, "b", room=room - 8),
        [
            _card(labels, position, side, area, Box(box.x + room + 4 + side * (wide + 5), middle - 12, wide, 24))
            for side in (0, 1)
        ],
        css="folder can" if can else "folder",
        data_track=AREAS[area],
        role="button" if can else "img",
        tabindex=0 if can else None,
        aria_label=told,
    )


def _card_words(labels: Labels, position: Position, side: int, area: int) -> str:
    rank = position.matrix[side][area]
    if rank == 0:
        return labels.say("crisis.no_card")
    if rank < 0:
        return labels.say("face_down")
    known = labels.rank(rank)
    return known if position.face_up[area] else f"{known} ({labels.say('face_down')})"


def _card(labels: Labels, position: Position, side: int, area: int, box: Box) -> Markup:
    rank, name = position.matrix[side][area], SIDES[side]
    if rank == 0:
        return rect(box.x, box.y, box.w, box.h, f"slot {name}", 2)
    if rank > 0 and position.face_up[area]:
        return join(
            rect(box.x, box.y, box.w, box.h, f"hollow {name}", 2),
            text(box.x + box.w / 2, box.y + 16.5, labels.rank(rank), 12.5, f"b {name}", "middle", room=box.w - 6),
        )
    lines = "".join(f"M{box.x + 4:g} {box.y + d:g}h{box.w - 8:g}" for d in (6, 12, 18))
    back = join(rect(box.x, box.y, box.w, box.h, f"back {name}", 2))
    if rank < 0:
        return join(back, path(lines, f"note {name}"))
    return join(
        back,
        text(box.x + box.w / 2, box.y + 16.5, f"({labels.rank(rank)})", 11.5, name, "middle", room=box.w - 4),
    )


def desk(labels: Labels, position: Position, side: int, layout: Layout, can: Collection[str]) -> Markup:
    """A side's Prestige, cards, points, and its units in Reserve and Mobilisation."""
    box = layout.desks[side]
    name = SIDES[side]
    x, room = box.x + 12, box.w - 24
    facts = _facts(labels, position, side)
    y = box.y + 42
    lines = []
    for words in facts:
        lines.append(text(x, y, words, 12.5, room=room))
        y += 17
    lines.append(_pack(labels, position, side, x, y - 2, room))
    y += 34
    lines.append(_event(labels, position, side, x, y, room))
    top = box.y + (158 if layout.wide else 152)
    high = (box.bottom - top - 8) / 2
    boxes = []
    for number, (place, id) in enumerate(((RESERVE, "reserve"), (MOBILISATION, "mobilisation"))):
        there = Box(box.x + 8, top + number * high, box.w - 16, high - 5)
        boxes.append(_units(labels, position, side, place, id, there, can))
    told = ". ".join([labels.sides[side], *facts, *_stocks(labels, position, side)])
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        rect(box.x if side == 0 else box.right - 4, box.y, 4, box.h, f"mercury {name}"),
        shared.heading(labels, side, box, you=position.side == side, to_act=position.pending[side]),
        lines,
        boxes,
        css="desk",
        data_desk=_SIDES[side],
        role="group",
        aria_label=told,
    )


def _facts(labels: Labels, position: Position, side: int) -> list[str]:
    facts = [labels.say("crisis.prestige_is", n=position.prestige[side])]
    if position.over:
        facts[0] = labels.say("crisis.vp", n=position.vp[side])
    facts.append(labels.say("crisis.points", n=position.rp[side]))
    if side == 0:
        facts.append(labels.say("crisis.ally_points", n=position.ally_rp))
    else:
        facts.append(labels.say("crisis.combat_turns", n=position.combat_turns))
    return facts


def _stocks(labels: Labels, position: Position, side: int) -> list[str]:
    pack = position.pack[side]
    return [f"{labels.rank(rank)} {count}" for rank, count in enumerate(pack, start=1) if count >= 0]


def _pack(labels: Labels, position: Position, side: int, x: float, y: float, room: float) -> Markup:
    """The Resource Cards that are left, by rank."""
    pack = position.pack[side]
    step = room / len(pack)
    drawn = []
    for number, count in enumerate(pack):
        words = labels.rank(number + 1)
        left = x + number * step
        drawn.append(rect(left, y, step - 3, 27, f"back {SIDES[side]}", 2))
        drawn.append(text(left + (step - 3) / 2, y + 11.5, words, 11, "mu", "middle", room=step - 6))
        shown = str(count) if count >= 0 else "?"
        drawn.append(text(left + (step - 3) / 2, y + 23.5, shown, 12.5, "b", "middle"))
    return join(drawn)


def _event(labels: Labels, position: Position, side: int, x: float, y: float, room: float) -> Markup:
    known = position.held_known[side]
    if not position.held[side]:
        return text(x, y + 11.5, labels.say("crisis.no_event"), 12.5, "mu", room=room)
    words = labels.event(known) if known else labels.say("crisis.event_held")
    return join(
        marks.backs(1, x, y, SIDES[side]), text(x + 17, y + 11.5, words, 12.5, "b" if known else "", room=room - 18)
    )


def _units(
    labels: Labels, position: Position, side: int, place: int, id: str, box: Box, can: Collection[str]
) -> Markup:
    stacks = position.at(place, side)
    asked = position.side if position.side in (0, 1) else -1
    whose = 1 - asked if position.names_enemy_units else asked
    lit = id in can and whose == side
    told = [f"{labels.place(id)}, {labels.sides[side]}", *labels.stacks(stacks)]
    name = labels.place(id)
    total = str(sum(stack.size for stack in stacks))
    return group(
        el("title", "\n".join(told)),
        rect(box.x, box.y, box.w, box.h, "panel", 3),
        text(box.x + 6, box.y + 14, name, 12, "b", room=box.w - 16 - width(total, 12)),
        text(box.right - 6, box.y + 14, total, 12, "mu", "end"),
        counters(
            stacks,
            box.x + 6,
            box.y + 21,
            (box.w - 12, box.h - 24),
            scales=(1.0, 0.9, 0.8, 0.7),
            middle=False,
        ),
        css="place can" if lit else "place",
        id=f"box-{_SIDES[side]}-{id}",
        data_place=id,
        data_units=named(stacks),
        data_tell="\n".join(told),
        role="button",
        tabindex=0,
        aria_label=". ".join(told),
    )
