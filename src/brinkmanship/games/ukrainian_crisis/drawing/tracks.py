"""The General Track: the current Turn, the types of the Turns, and the Prestige of both sides."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import block, text
from brinkmanship.drawing.phrases import capital
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, rect
from brinkmanship.games.ukrainian_crisis.drawing.dice_record import Play
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition


def general(labels: Labels, position: DrawnPosition, plays: Sequence[Play], layout: Layout) -> Markup:
    """Draw the Turns and, on phones, the Prestige below (the desks of the wide table show it in figures)."""
    box = layout.general
    told = ". ".join([*map(capital, said_of(labels, position)), *_prestiges(labels, position)])
    if layout.wide:
        drawn = _cartouche(labels, position, plays, box)
    else:
        turns, scale = Box(box.x + 8, box.y + 6, box.w - 16, 34), Box(box.x + 16, box.y + 46, box.w - 32, 34)
        drawn = join(_turns(labels, position, plays, turns), _prestige(position, scale))
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        drawn,
        css="general",
        role="img",
        aria_label=told,
        data_tell=told.replace(". ", "\n") if layout.wide else None,
    )


def _cartouche(labels: Labels, position: DrawnPosition, plays: Sequence[Play], box: Box) -> Markup:
    """Draw a corner of the map with the current Turn, the Turns in a row, and the segment of a Combat Turn."""
    said, room = [*map(capital, said_of(labels, position))], box.w - 16
    if position.over:
        css = f"b {SIDE_CSS[position.winner]}" if position.winner in (0, 1) else "b"
        return block(box.x + 8, box.y + 16, said[0], 14.5, css, room=room, lines=2, smallest=LEAST)[0]
    first, rest = ". ".join(said[:2]), said[2:]
    step = (box.w - 12) / position.turns
    size = min(step - 3, 20.0)
    return join(
        text(box.x + 8, box.y + 15, first, 13.5, "b", room=room, smallest=LEAST),
        _cells(position, plays, Box(box.x + 7.5, box.y + 21, step, size)),
        [text(box.x + 8, box.y + 55, words, LEAST, "mu", room=room, smallest=LEAST) for words in rest],
    )


def said_of(labels: Labels, position: DrawnPosition) -> list[str]:
    """Return the current Turn and its type, or the result of the game."""
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


def _prestiges(labels: Labels, position: DrawnPosition) -> list[str]:
    return [labels.say("crisis.prestige_of", side=labels.sides[s], n=position.prestige[s]) for s in (0, 1)]


def _cells(position: DrawnPosition, plays: Sequence[Play], row: Box) -> Markup:
    """Draw the Turns in a row, Combat Turns filled, this one framed; `row` has the step and the size of a cell."""
    types = {play.turn: play.result for play in plays if play.kind == "type"}
    size, cells = row.h, list[Markup]()
    for turn in range(1, position.turns + 1):
        x = row.x + (turn - 1) * row.w
        now = turn == position.turn and not position.over
        fought = types.get(turn)
        if turn == position.turn and position.turn_type >= 0:
            fought = position.turn_type
        css = "turn fought" if fought == 1 else "turn past" if fought == 0 else "turn"
        cells.append(rect(x, row.y, size, size, css, 2, id="turn-now" if now else None))
        if now:
            cells.append(rect(x - 1.5, row.y - 1.5, size + 3, size + 3, "round", 3))
        middle, base = x + size / 2, row.y + size / 2
        numeral = max(size * 0.68, 10)
        css = "b on" if fought == 1 else "b"
        cells.append(text(middle, base + numeral * 0.36, str(turn), numeral, css, "middle", smallest=10))
    return join(cells)


def _turns(labels: Labels, position: DrawnPosition, plays: Sequence[Play], box: Box) -> Markup:
    size, gap = 15.0, 2.0
    x = box.x + position.turns * (size + gap) + 8
    said = said_of(labels, position)
    css = f"b {SIDE_CSS[position.winner]}" if position.over and position.winner in (0, 1) else "b"
    first = text(x, box.y + 13, said[0], 13, css, room=box.right - x)
    rest = capital(", ".join(said[1:]))
    below = text(x, box.y + 29, rest, 12, "mu", room=box.right - x)
    cells = _cells(position, plays, Box(box.x, box.y + (box.h - size) / 2, size + gap, size))
    return join(cells, first, below if rest else NOTHING)


def _prestige(position: DrawnPosition, box: Box) -> Markup:
    """Draw the Prestige on a scale from 0, as long as needed: no upper end is stated (R25)."""
    most = max(50, -(-max(position.prestige) // 10) * 10)
    y = box.y + box.h * 0.62

    def x(points: int) -> float:
        return box.x + points * box.w / most

    ticks = [line(x(n), y - 4, x(n), y + 4, "thin") for n in range(0, most + 1, 5)]
    every = 10 if most <= 100 else 20
    numbers = [text(x(n), y + 16, str(n), 11, "mu", "middle") for n in range(0, most + 1, every)]
    ua, ru = position.prestige
    close = abs(x(ua) - x(ru)) < 26
    parts = []
    for side, points in enumerate((ua, ru)):
        shift = (-1 if (points, side) == min((ua, 0), (ru, 1)) else 1) * 11 if close else 0
        at = min(max(x(points) + shift, box.x), box.right)
        parts.append(icons.cube(side, x(points), y, 12, "", f"marker-{SIDE_CSS[side]}-prestige"))
        parts.append(text(at, y - 10, str(points), 13, f"b {SIDE_CSS[side]}", "middle"))
    bar = line(box.x, y, box.right, y, "line")
    return join(bar, ticks, numbers, el("g", parts, class_="prestige"))
