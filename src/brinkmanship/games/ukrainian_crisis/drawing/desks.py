"""A side's desk: Prestige, points and cards, and the boxes of units in Reserve and Mobilisation."""

from __future__ import annotations

from collections.abc import Collection

from brinkmanship.drawing import icons
from brinkmanship.drawing import player_area as shared
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition
from brinkmanship.games.ukrainian_crisis.drawing.units import counters, named
from brinkmanship.games.ukrainian_crisis.rules.data import SIDES
from brinkmanship.games.ukrainian_crisis.rules.state import Place


def desk(labels: Labels, position: DrawnPosition, side: int, layout: Layout, can: Collection[str]) -> Markup:
    """Draw a side's Prestige, cards, points, and its units in Reserve and Mobilisation."""
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
    """Draw Prestige, Victory Points with their parts, and Resource Points with those of allies, as three figures."""
    score, step = position.scores[side], room / 3
    parts = f"{score.prestige} + {score.zones}"
    allies = labels.say("crisis.short.allies", n=position.ally_rp) if side == 0 and position.ally_rp else ""
    figures = (
        (labels.sentence("crisis.prestige"), position.prestige[side], ""),
        (labels.say("crisis.short.vp"), score.total, parts),
        (labels.say("crisis.short.rp"), position.rp[side], allies),
    )
    drawn = []
    if position.over:  # the Victory Points decide, and no Prestige left ends the game early
        drawn = [
            rect(x + number * step - 7, y + 0.5, step - 4, 49, "culprit", 4)
            for number in ((0, 1) if position.prestige[side] == 0 else (1,))
        ]
    for number, (name, value, below) in enumerate(figures):
        at = x + number * step
        drawn.append(text(at, y + 13, name, LEAST, "mu", room=step - 4))
        drawn.append(text(at, y + 31, str(value), 18, f"b {SIDE_CSS[side]}"))
        drawn.append(text(at, y + 46, below, LEAST, "mu", room=step - 4) if below else NOTHING)
    return group(drawn, css="figures")


def facts_of(labels: Labels, position: DrawnPosition, side: int) -> list[str]:
    """Return a side's Prestige, Victory Points and Resource Points."""
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
    """Return the Resource Cards a side has left, by rank."""
    pack = position.pack[side]
    return [f"{labels.rank(rank)} {count}" for rank, count in enumerate(pack, start=1) if count >= 0]


def _pack(labels: Labels, position: DrawnPosition, side: int, x: float, y: float, room: float) -> Markup:
    """Draw the Resource Cards that are left, by rank."""
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
    mover = position.side if position.side in (0, 1) else -1
    whose = 1 - mover if position.names_enemy_units else mover
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
        data_whose=SIDE_CSS[side],
        data_units=named(stacks),
        data_tell="\n".join(told),
        role="button",
        tabindex=0,
        aria_label=". ".join(told),
    )
