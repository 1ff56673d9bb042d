"""What lies beside the map: relations as a ladder, the matrix as folders, the desks with the boxes of units."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from brinkmanship.drawing import icons
from brinkmanship.drawing import player_area as shared
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.phrases import capital
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, path, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition
from brinkmanship.games.ukrainian_crisis.drawing.units import counters, named
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS, BOXES, SIDES, Country
from brinkmanship.games.ukrainian_crisis.rules.state import Place


def relations(labels: Labels, position: DrawnPosition, layout: Layout, can: Collection[str]) -> Markup:
    """The ladder: Intervention above, Neutrality below; each country with its letters and its Rank."""
    box = layout.relations
    rungs = [_countries(labels, position, number) for number in range(len(BOXES), 0, -1)]
    top = box.y + 22
    spare = box.bottom - top - sum(_high(there, layout) for there in rungs)
    rows, y = [], top
    for number, there in zip(range(len(BOXES), 0, -1), rungs, strict=True):
        high = _high(there, layout) + spare / len(BOXES)
        rows.append(line(box.x + 6, y, box.right - 6, y, "rule"))
        rows.append(_rung(labels, number, there, Box(box.x + 8, y, box.w - 16, high), layout, can))
        y += high
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        _title(labels.sentence("crisis.relations"), box, layout),
        rows,
        css="relations",
    )


def _title(words: str, box: Box, layout: Layout) -> Markup:
    """The heading of a panel."""
    size = LEAST if layout.wide else 11.5
    return text(box.x + 10, box.y + 16.5, words.upper(), size, "b sp mu", room=box.w - 20, smallest=size)


_IN_ROW = 5
"""Countries side by side on a rung of the wide table."""


def _countries(labels: Labels, position: DrawnPosition, box: int) -> list[Country]:
    """The countries in a box of the relations track, the highest Rank first."""
    there = [country for country in labels.data.country if position.boxes[country.id] == box]
    return sorted(there, key=lambda country: -country.rank)


def _high(there: Sequence[Country], layout: Layout) -> float:
    """The least height of a rung."""
    return 17 + -(-len(there) // _IN_ROW) * 21 if layout.wide else 29


def _rung(
    labels: Labels, number: int, there: Sequence[Country], box: Box, layout: Layout, can: Collection[str]
) -> Markup:
    name, css = f"{capital(labels.box(number))} · {number}", "b" if there else "mu"
    if layout.wide:
        per_row, step, x0, y0 = _IN_ROW, box.w / _IN_ROW, box.x, box.y + 18
        title = text(box.x, box.y + 14, name, LEAST, css, room=box.w)
    else:
        per_row, x0, y0 = max(len(there), 1), box.x + 96, box.y + 4
        step = min(40.0, (box.right - x0) / per_row)
        title = text(box.x, box.y + 18, name, 12, css, room=92)
    drawn = []
    for index, country in enumerate(there):
        x, y = x0 + index % per_row * step, y0 + index // per_row * 21
        drawn.append(_country(labels, country, number, Box(x, y, step - 3, 19), country.id in can))
    return join(title, drawn)


def _country(labels: Labels, country: Country, number: int, box: Box, can: bool) -> Markup:
    told = labels.say("crisis.country", country=labels.country(country.id), rank=country.rank, box=labels.box(number))
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 2),
        text(box.x + 4, box.y + 14, country.id, LEAST, "b", room=box.w - 14),
        text(box.right - 4, box.y + 14, str(country.rank), LEAST, "mu", "end"),
        css="country can" if can else "country",
        id=f"marker-{country.id}-relations",
        data_track=country.id,
        data_tell=told,
        role="button" if can else "img",
        tabindex=0 if can else None,
        aria_label=told,
    )


def matrix(labels: Labels, position: DrawnPosition, layout: Layout, can: Collection[str]) -> Markup:
    """Three folders, each with a card of both sides: face down, or turned up."""
    box = layout.matrix
    high = (box.h - 26) / len(AREAS)
    rows = []
    for area in range(len(AREAS)):
        row = Box(box.x + 6, box.y + 24 + area * high, box.w - 12, high - 3)
        rows.append(_folder(labels, position, area, row, can=AREAS[area] in can))
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        _title(labels.sentence("crisis.matrix"), box, layout),
        rows,
        css="matrix",
    )


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
    """A side's card in an area of the matrix, in words."""
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


def desk(labels: Labels, position: DrawnPosition, side: int, layout: Layout, can: Collection[str]) -> Markup:
    """A side's Prestige, cards, points, and its units in Reserve and Mobilisation."""
    box = layout.desks[side]
    name = SIDE_CSS[side]
    x, room = box.x + 12, box.w - 24
    facts = facts_of(labels, position, side)
    if layout.wide:
        lines, y, top = [_figures(labels, position, side, x, box.y + 26, room)], box.y + 78, box.y + 133
    else:
        lines = [text(x, box.y + 42 + number * 17, words, 12.5, room=room) for number, words in enumerate(facts)]
        y, top = box.y + 40 + len(facts) * 17, box.y + 169
    lines.append(_pack(labels, position, side, x, y, room))
    lines.append(_event(labels, position, side, x, y + 36, room))
    high = (box.bottom - top - 4) / 2
    boxes = []
    for number, (place, id) in enumerate(((Place.RESERVE, "reserve"), (Place.MOBILISATION, "mobilisation"))):
        there = Box(box.x + 6, top + number * high, box.w - 12, high - 4)
        boxes.append(_units(labels, position, side, place, id, there, layout, can))
    told = ". ".join([labels.sides[side], *facts, *stocks(labels, position, side)])
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        rect(box.x if side == 0 else box.right - 4, box.y, 4, box.h, f"mercury {name}"),
        shared.heading(labels, side, box, you=position.side == side, to_act=position.pending[side]),
        lines,
        boxes,
        css="desk",
        data_desk=SIDES[side],
        role="group",
        aria_label=told,
    )


def _figures(labels: Labels, position: DrawnPosition, side: int, x: float, y: float, room: float) -> Markup:
    """Prestige, Victory Points with their parts, and Resource Points with those of allies, as three figures."""
    score, step = position.scores[side], room / 3
    parts = f"{score.prestige} + {score.zones}"
    allies = labels.say("crisis.short.allies", n=position.ally_rp) if side == 0 and position.ally_rp else ""
    figures = (
        (labels.sentence("crisis.prestige"), position.prestige[side], ""),
        (labels.say("crisis.short.vp"), score.total, parts),
        (labels.say("crisis.short.rp"), position.rp[side], allies),
    )
    drawn = []
    for number, (name, value, below) in enumerate(figures):
        at = x + number * step
        drawn.append(text(at, y + 13, name, LEAST, "mu", room=step - 4))
        drawn.append(text(at, y + 31, str(value), 18, f"b {SIDE_CSS[side]}"))
        drawn.append(text(at, y + 46, below, LEAST, "mu", room=step - 4) if below else NOTHING)
    return group(drawn, css="figures")


def facts_of(labels: Labels, position: DrawnPosition, side: int) -> list[str]:
    """A side's Prestige, Victory Points and Resource Points."""
    score = position.scores[side]
    halved = "crisis.score.halved" if position.combat_turns else "crisis.score.whole"
    facts = [
        labels.say("crisis.prestige_is", n=position.prestige[side]),
        labels.say(halved, n=score.total, prestige=score.prestige, zones=score.zones),
    ]
    facts.append(labels.say("crisis.points", n=position.rp[side]))
    if side == 0:
        facts.append(labels.say("crisis.ally_points", n=position.ally_rp))
    else:
        facts.append(labels.say("crisis.combat_turns", n=position.combat_turns))
    return facts


def stocks(labels: Labels, position: DrawnPosition, side: int) -> list[str]:
    """The Resource Cards a side has left, by rank."""
    pack = position.pack[side]
    return [f"{labels.rank(rank)} {count}" for rank, count in enumerate(pack, start=1) if count >= 0]


def _pack(labels: Labels, position: DrawnPosition, side: int, x: float, y: float, room: float) -> Markup:
    """The Resource Cards that are left, by rank."""
    pack = position.pack[side]
    step = room / len(pack)
    drawn = []
    for number, count in enumerate(pack):
        words = labels.short_rank(number + 1)
        left = x + number * step
        drawn.append(rect(left, y, step - 3, 30, f"back {SIDE_CSS[side]}", 2))
        drawn.append(text(left + (step - 3) / 2, y + 12, words, LEAST, "mu", "middle", room=step - 6))
        shown = str(count) if count >= 0 else "?"
        drawn.append(text(left + (step - 3) / 2, y + 26, shown, LEAST, "b", "middle"))
    return join(drawn)


def _event(labels: Labels, position: DrawnPosition, side: int, x: float, y: float, room: float) -> Markup:
    known = position.held_known[side]
    if not position.held[side]:
        return text(x, y + 11.5, labels.say("crisis.no_event"), LEAST, "mu", room=room)
    words = labels.event(known) if known else labels.say("crisis.event_held")
    return join(
        icons.backs(1, x, y, SIDE_CSS[side]), text(x + 17, y + 11.5, words, LEAST, "b" if known else "", room=room - 18)
    )


def _units(
    labels: Labels,
    position: DrawnPosition,
    side: int,
    place: int,
    id: str,
    box: Box,
    layout: Layout,
    can: Collection[str],
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
        text(box.x + 6, box.y + 14, name, LEAST, "b", room=box.w - 16 - width(total, LEAST)),
        text(box.right - 6, box.y + 14, total, LEAST, "mu", "end"),
        counters(
            stacks,
            box.x + 6,
            box.y + 18.5,
            (box.w - 12, box.h - 19),
            scales=(1.0,) if layout.wide else (1.0, 0.9, 0.8, 0.7),
            middle=False,
        ),
        css="place can" if lit else "place",
        id=f"box-{SIDES[side]}-{id}",
        data_place=id,
        data_units=named(stacks),
        data_tell="\n".join(told),
        role="button",
        tabindex=0,
        aria_label=". ".join(told),
    )
