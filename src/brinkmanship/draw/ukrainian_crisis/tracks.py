"""The General Track: which Turn it is, of what type the Turns were, and the Prestige of both."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.draw import marks
from brinkmanship.draw.box import Box
from brinkmanship.draw.lettering import text
from brinkmanship.draw.marks import SIDES
from brinkmanship.draw.svg import NOTHING, Markup, el, group, join, line, rect
from brinkmanship.draw.ukrainian_crisis.labels import Labels
from brinkmanship.draw.ukrainian_crisis.layout import Layout
from brinkmanship.draw.ukrainian_crisis.position import Position
from brinkmanship.draw.ukrainian_crisis.record import Play


def general(labels: Labels, position: Position, plays: Sequence[Play], layout: Layout) -> Markup:
    """Turns on the left, Prestige on the right; on a phone one above the other."""
    box = layout.general
    if layout.wide:
        turns, scale = Box(box.x + 10, box.y + 8, 470, 46), Box(box.x + 530, box.y + 10, box.w - 560, 44)
    else:
        turns, scale = Box(box.x + 8, box.y + 6, box.w - 16, 34), Box(box.x + 16, box.y + 46, box.w - 32, 34)
    told = ". ".join([*_said(labels, position), *_prestiges(labels, position)])
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        _turns(labels, position, plays, turns, layout),
        _prestige(labels, position, scale, layout),
        css="general",
        role="img",
        aria_label=told,
    )


def _said(labels: Labels, position: Position) -> list[str]:
    if position.over:
        who = labels.sides[position.winner] if position.winner in (0, 1) else ""
        return [labels.sentence(f"crisis.level.{position.level}", who=who)]
    said = [labels.sentence("crisis.turn", turn=position.turn, turns=position.turns)]
    if position.turn_type >= 0:
        said.append(labels.say(("crisis.strategic", "crisis.combat")[position.turn_type]))
    if position.segments and position.turn_type == 1:
        half = (position.half + 1) // 2
        said.append(labels.say("crisis.segment", n=max(half, 1), of=position.segments))
    return said


def _prestiges(labels: Labels, position: Position) -> list[str]:
    return [labels.say("crisis.prestige_of", side=labels.sides[s], n=position.prestige[s]) for s in (0, 1)]


def _turns(labels: Labels, position: Position, plays: Sequence[Play], box: Box, layout: Layout) -> Markup:
    types = {play.turn: play.result for play in plays if play.kind == "type"}
    size, gap = (26.0, 4.0) if layout.wide else (15.0, 2.0)
    cells = []
    for turn in range(1, position.turns + 1):
        x = box.x + (turn - 1) * (size + gap)
        now = turn == position.turn and not position.over
        fought = types.get(turn)
        if turn == position.turn and position.turn_type >= 0:
            fought = position.turn_type
        css = "turn fought" if fought == 1 else "turn past" if fought == 0 else "turn"
        cells.append(rect(x, box.y + (box.h - size) / 2, size, size, css, 2, id="turn-now" if now else None))
        if now:
            cells.append(rect(x - 2, box.y + (box.h - size) / 2 - 2, size + 4, size + 4, "round", 3))
        number = text(
            x + size / 2, box.y + box.h / 2 + size * 0.18, str(turn), 14 if layout.wide else 10.5,
            "b on" if fought == 1 else "b", "middle", smallest=10,
        )  # fmt: skip
        cells.append(number)
    x = box.x + position.turns * (size + gap) + 8
    said = _said(labels, position)
    css = f"b {SIDES[position.winner]}" if position.over and position.winner in (0, 1) else "b"
    first = text(x, box.y + (17 if layout.wide else 13), said[0], 15 if layout.wide else 13, css, room=box.right - x)
    rest = ", ".join(said[1:])
    below = text(x, box.y + (37 if layout.wide else 29), rest, 12.5 if layout.wide else 12, "mu", room=box.right - x)
    return join(cells, first, below if rest else NOTHING)


def _prestige(labels: Labels, position: Position, box: Box, layout: Layout) -> Markup:
    """A scale from 0 on, as long as it must be: no upper end is stated (R25)."""
    most = max(50, -(-max(position.prestige) // 10) * 10)
    y = box.y + box.h * 0.62

    def x(points: int) -> float:
        return box.x + points * box.w / most

    ticks = [line(x(n), y - 4, x(n), y + 4, "thin") for n in range(0, most + 1, 5)]
    every = 10 if most <= 100 else 20
    numbers = [text(x(n), y + 16, str(n), 11, "mu", "middle") for n in range(0, most + 1, every)]
    ua, ru = position.prestige
    size = 14.0 if layout.wide else 12.0
    close = abs(x(ua) - x(ru)) < 26
    parts = []
    for side, points in enumerate((ua, ru)):
        shift = (-1 if (points, side) == min((ua, 0), (ru, 1)) else 1) * 11 if close else 0
        at = min(max(x(points) + shift, box.x), box.right)
        parts.append(marks.cube(side, x(points), y, size, "", f"marker-{SIDES[side]}-prestige"))
        parts.append(text(at, y - 10, str(points), 15 if layout.wide else 13, f"b {SIDES[side]}", "middle"))
    title = text(box.right, box.y + 4, labels.sentence("prestige"), 11.5, "b sp mu", "end") if layout.wide else NOTHING
    bar = line(box.x, y, box.right, y, "line")
    return join(title, bar, ticks, numbers, el("g", parts, class_="prestige"))
