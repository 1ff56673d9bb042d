"""Drawing of a battleground: a card on the table with the cubes on it."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import block, text, width
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, rect
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels
from brinkmanship.games.thirteen_minutes.drawing.layout import LEAST, Layout
from brinkmanship.games.thirteen_minutes.drawing.position import Battleground, DrawnPosition

_CUBES = (10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0)
"""Sizes of a cube; the largest at which all cubes of a side fit is used."""


def battleground(labels: Labels, position: DrawnPosition, ground: Battleground, layout: Layout, *, can: bool) -> Markup:
    """Draw a battleground at its place, highlighted if it can be chosen."""
    box = layout.place(position, ground)
    from_hand = f"held-card-{ground.id} hand-{SIDE_CSS[position.player]}" if position.player is not None else None
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 3),
        _in_play(box) if position.in_play == ground.id else NOTHING,
        _controller(ground, box),
        face(labels, ground, box, wide=layout.wide),
        cubes(ground, box, wide=layout.wide),
        css="place can" if can else "place",
        id=f"place-{ground.id}",
        data_place=ground.id,
        data_from=from_hand if position.in_play == ground.id else None,
        role="button" if can else "img",
        tabindex=0 if can else None,
        data_tell="\n".join(labels.tell_place(ground)),
        aria_label=labels.describe_place(ground),
    )


def face(labels: Labels, ground: Battleground, box: Box, *, wide: bool) -> Markup:
    """Draw the printed face: the DEFCON type as shape, colour and letter, and the name."""
    if ground.is_cuba:
        return (_wide_cuba if wide else _narrow_cuba)(labels, ground, box)
    assert ground.colour is not None  # only Cuba lies face down
    name = labels.place(ground)
    if wide:
        return join(
            icons.kind(ground.colour, box.x + 6, box.y + 4, 13.2)
            if _is_crowded(ground)
            else _corner(labels, ground.colour, box.x + 6, box.y + 4, 13.2),
            block(box.x + 6, box.y + 32, name, 13.5, "b", room=box.w - 11, lines=2, leading=1.08, smallest=LEAST)[0],
        )
    return join(
        icons.kind(ground.colour, box.x + 4, box.y + 4, 10),
        text(box.x + 9, box.y + 26, labels.letter(ground.colour), 11, f"b {ground.colour}", "middle"),
        block(box.x + 18, box.y + 13, name, 11.5, "b", room=box.w - 22, lines=2, leading=1.15, smallest=10)[0],
    )


def _corner(labels: Labels, colour: str, x: float, y: float, size: float) -> Markup:
    letter = text(x + size + 5, y + size * 0.86, labels.letter(colour), size, f"b {colour}")
    return join(icons.kind(colour, x, y, size), letter)


def _wide_cuba(labels: Labels, ground: Battleground, box: Box) -> Markup:
    # Face down, the back is drawn beside both lines; the card type stands below the name, which may be long.
    x, name = box.x + (34 if ground.colour is None else 8), labels.place(ground)
    printed = labels.card(ground.card) if ground.card else labels.say("prestige_worth", n=labels.data.scoring.cuba)
    return join(
        _cuba_back(Box(box.x + 6, box.y + 5, 21, box.h - 10)) if ground.colour is None else NOTHING,
        icons.kind(ground.colour, box.x + 9, box.y + 20, 14) if ground.colour is not None else NOTHING,
        text(x, box.y + 15, name, 14.5, "b"),
        text(box.right - 7, box.y + 15, printed, LEAST, "mu", "end", room=box.right - 12 - x - width(name, 14.5, "b")),
    )


def _narrow_cuba(labels: Labels, ground: Battleground, box: Box) -> Markup:
    worth = labels.say("prestige_worth", n=labels.data.scoring.cuba)
    printed = worth if ground.card is None else labels.card(ground.card)
    return join(
        _cuba_back(Box(box.x + 4, box.y + 5, 17, 23)) if ground.colour is None else NOTHING,
        icons.kind(ground.colour, box.x + 4, box.y + 4, 12) if ground.colour is not None else NOTHING,
        text(box.x + 10, box.y + 30, labels.letter(ground.colour), 11, f"b {ground.colour}", "middle")
        if ground.colour is not None
        else NOTHING,
        text(box.x + 26, box.y + 15, labels.place(ground), 13, "b", room=box.w - 30),
        text(box.x + 26, box.y + 29, printed, 11, "mu", room=box.w - 34),
    )


def _cuba_back(box: Box) -> Markup:
    """Draw the back of a card."""
    return join(
        rect(box.x, box.y, box.w, box.h, "cover un", 3),
        text(box.x + box.w / 2, box.y + box.h * 0.68, "?", box.h * 0.5, "b m white", "middle"),
    )


def _in_play(box: Box) -> Markup:
    return el("rect", x=box.x - 2.5, y=box.y - 2.5, width=box.w + 5, height=box.h + 5, rx=5, class_="line")


def _controller(ground: Battleground, box: Box) -> Markup:
    """Draw a bar on the edge of the controlling side: left for the US, right for the USSR."""
    side = ground.controller
    if side is None:
        return NOTHING
    return rect(box.x if side == 0 else box.right - 3.5, box.y + 2, 3.5, box.h - 4, f"mercury {SIDE_CSS[side]}")


def cubes(ground: Battleground, box: Box, *, wide: bool) -> Markup:
    """Draw the cubes of both sides facing each other across a line, each side's with its count."""
    middle, area, _ = _halves(ground, box, wide)
    parts: list[Markup] = []
    if any(ground.cubes):
        parts.append(line(middle, area.y, middle, area.bottom, "rule"))
    for side in range(2):
        count, size = ground.cubes[side], cube_size(ground, box, side, wide=wide)
        for number in range(1, count + 1):
            x, y = cube_point(ground, box, side, number, size, wide=wide)
            parts.append(icons.cube(side, x, y, size, "", f"cube-{SIDE_CSS[side]}-{ground.id}-{number}"))
        if count:
            parts.append(_count(ground, box, side, wide))
    return join(parts)


def cube_size(ground: Battleground, box: Box, side: int, *, wide: bool, more: int = 0) -> float:
    """Return the size of a side's cubes on a battleground, counting `more` cubes that would be added."""
    _, _, room = _halves(ground, box, wide)
    count = ground.cubes[side] + more
    return next((size for size in _CUBES if _columns(room, size) * _rows(room, size) >= count), _CUBES[-1])


def cube_point(
    ground: Battleground, box: Box, side: int, number: int, size: float, *, wide: bool
) -> tuple[float, float]:
    """Return the position of a side's cube by its number, from 1: from the line outwards, row by row."""
    middle, _, room = _halves(ground, box, wide)
    row, column = divmod(number - 1, _columns(room, size))
    away = 4 + size / 2 + column * _step(size)
    return (middle - away if side == 0 else middle + away), room.y + size / 2 + 1 + row * _step(size)


def _halves(ground: Battleground, box: Box, wide: bool) -> tuple[float, Box, Box]:
    """Return the x of the line between the sides, the box of all cubes, and that of one side (its x has no meaning)."""
    if ground.is_cuba and wide:
        area = Box(box.x + 32, box.y + 18, box.w - 38, box.h - 19)
        number = 16.0
    elif wide:
        area = Box(box.x + 5, box.bottom - 27, box.w - 10, 24)
        number = 0.0 if _is_crowded(ground) else 10.0
    else:
        area = Box(box.x + 3, box.bottom - 25, box.w - 6, 22)
        number = 13.0
    half = area.w / 2 - 4 - number
    return area.x + area.w / 2, area, Box(0, area.y, half, area.h)


def _count(ground: Battleground, box: Box, side: int, wide: bool) -> Markup:
    _, area, _ = _halves(ground, box, wide)
    css = f"b {SIDE_CSS[side]}" if ground.controller == side else SIDE_CSS[side]
    count = str(ground.cubes[side])
    if wide and not ground.is_cuba and _is_crowded(ground):  # beside the letter, the US first
        right = box.right - (8 if side == 1 else 28)
        return text(right, box.y + 15.5, count, 13.5, css, "end")
    edge = area.x + 2 if side == 0 else area.right - 2
    y = area.y + (13.5 if ground.is_cuba and wide else 17 if wide else 14)
    return text(edge, y, count, 13.5 if wide else 11.5, css, "start" if side == 0 else "end")


def _is_crowded(ground: Battleground) -> bool:
    """Return True if the cubes need the space of their counts."""
    return max(ground.cubes) > 6


def _step(size: float) -> float:
    return size * 1.34


def _columns(room: Box, size: float) -> int:
    return max(1, int((room.w + size * 0.34) / _step(size)))


def _rows(room: Box, size: float) -> int:
    return max(1, int((room.h + size * 0.34) / _step(size)))
