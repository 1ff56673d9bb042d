"""A battleground: the cubes of both sides face each other across a line, so that the lead is visible as length."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import block, text, width
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, num, path, rect
from brinkmanship.drawing.svg import line as stroke
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition


def battleground(labels: Labels, position: DrawnPosition, place: str, layout: Layout, *, can: bool) -> Markup:
    """Draw a battleground with its cubes, its flags, and the benefits of leading there."""
    box, track = layout.place(place), track_of(labels, place)
    opinion = place in layout.opinions
    label = labels.describe_place(position, place, track)
    return group(
        rect(box.x, box.y, box.w, box.h, "panel", 2),
        rect(box.x, box.y, 4, box.h, track),
        flags(labels, position, place, box),
        icons.kind(track, box.x + 12, box.y + 9, 13),
        _name(labels, place, layout, box),
        _gain(labels, place, layout, box) if opinion else NOTHING,
        _cubes(labels, position, place, layout),
        _lead(labels, position, place, layout),
        css="place can" if can else "place",
        id=f"place-{place}",
        data_place=place,
        role="button" if can else "img",
        tabindex=0 if can else None,
        data_tell="\n".join([*labels.tell_place(position, place, track), *_told_flags(labels, position, place)]),
        aria_label=label,
    )


def track_of(labels: Labels, place: str) -> str:
    """Return the kind of a battleground."""
    return next(b.track for b in labels.data.battleground if b.id == place)


def cube_point(labels: Labels, layout: Layout, place: str, side: int, number: int) -> tuple[float, float]:
    """Return the position of a side's cube on a battleground; cubes are numbered from 1 at the line."""
    x, y, _ = _middle(layout, place)
    first, step = _spacing(labels, layout)
    away = first + (number - 1) * step
    return (x - away if side == 0 else x + away), y


def flags(labels: Labels, position: DrawnPosition, spot: str, box: Box) -> Markup:
    """Draw the agenda flags inside the upper right corner of a battleground, the US ones first."""
    found = flags_at(labels, position, spot)
    left = box.right - 2 - 17 * len(found)
    return join(
        icons.flag(side, left + 17 * at, box.y + 10, title, mine=mine, low=True)
        for at, (side, _, title, mine) in enumerate(found)
    )


def _told_flags(labels: Labels, position: DrawnPosition, spot: str) -> list[str]:
    return [title for _, _, title, _ in flags_at(labels, position, spot)]


def flags_at(labels: Labels, position: DrawnPosition, spot: str) -> list[tuple[int, int, str, bool]]:
    """Return the flags on a battleground or track: side, number from 0, text, whether it is the viewer's own agenda."""
    found = []
    for side in range(2):
        number = 0
        for agenda in labels.data.agenda:
            if agenda.flag != spot:
                continue
            mine = position.chosen[side] == agenda.id
            for copy in range(position.flags[side].get(agenda.id, 0)):
                title = labels.say("flag", side=labels.sides[side])
                if mine and copy == 0:
                    title += ": " + labels.say("chosen_agenda")
                found.append((side, number, title, mine and copy == 0))
                number += 1
    return found


def _name(labels: Labels, place: str, layout: Layout, box: Box) -> Markup:
    size = 14.5 if layout.wide else 13
    bonus = _bonus(labels, place)
    right = box.right - 10
    if layout.wide:
        # The bonus is below if it leaves room for the name.
        left, room = box.x + 28, box.w - 32
        return text(left, box.y + 20, labels.place(place), size, "b", room=room, smallest=layout.least)
    chip = text(right, box.y + 18.5, bonus, 11.5, "mu", "end") if bonus else NOTHING
    room = right - box.x - 31 - (width(bonus, 11.5) + 8 if bonus else 0)
    if place in layout.opinions and not layout.wide:
        room = box.w - 31 - 160
    return join(text(box.x + 31, box.y + 19, labels.place(place), size, "b", room=room), chip)


def _bonus(labels: Labels, place: str) -> str:
    """Return the fixed bonus of this battleground's agenda; that of connected ones is on the connections."""
    for agenda in labels.data.agenda:
        if agenda.kind == "battleground" and agenda.battleground == place and not agenda.connected and agenda.bonus:
            return labels.say("agenda_bonus", bonus=labels.words.signed(agenda.bonus))
    return ""


def _gain(labels: Labels, place: str, layout: Layout, box: Box) -> Markup:
    """Draw the leader's bonus in step 5."""
    bonus = next(b.bonus for b in labels.data.battleground if b.id == place)
    if bonus is None:
        return NOTHING
    words = labels.say(f"bonus.{bonus}")
    if layout.wide:
        size = layout.least
        return block(box.x + 12, box.y + 34, words, size, "mu", room=box.w - 20, lines=2, leading=1.1, smallest=size)[0]
    return block(box.x + 12, box.y + 35, words, 11.5, "mu", room=box.w - 182, lines=3, leading=1.2)[0]


def _middle(layout: Layout, place: str) -> tuple[float, float, float]:
    """Return the line between the cubes: its x, the y of the cubes, the y of the text below."""
    box = layout.place(place)
    if place not in layout.opinions:
        return box.x + box.w / 2 + 2, box.y + (35 if layout.wide else 41), box.y + (57 if layout.wide else 67)
    if layout.wide:
        return box.x + box.w / 2 + 2, box.y + 63, box.y + 84
    return box.right - 84, box.y + 27, box.y + 54


def _spacing(labels: Labels, layout: Layout) -> tuple[float, float]:
    """Return the distance from the line to the first cube's middle, and from one cube to the next."""
    first = layout.cube * 0.5 + 4.5
    half = 66 if layout.wide else 75
    most = max(2, labels.data.limits.cubes_per_battleground)
    return first, min(layout.cube * 1.32, (half - first - layout.cube * 0.75) / (most - 1))


def _drawn_cube(labels: Labels, layout: Layout) -> float:
    """Return the size at which the maximum number of cubes fits side by side."""
    return min(layout.cube, _spacing(labels, layout)[1] * 0.8)


def _cubes(labels: Labels, position: DrawnPosition, place: str, layout: Layout) -> Markup:
    x, y, _ = _middle(layout, place)
    most = labels.data.limits.cubes_per_battleground
    size = _drawn_cube(labels, layout)
    reach = min(layout.cube * 0.85, size * 1.05)
    parts = [stroke(x, y - reach, x, y + reach, "line")]
    for side in range(2):
        count = position.cubes[place][side]
        free = [cube_point(labels, layout, place, side, number) for number in range(count + 1, most + 1)]
        parts.append(icons.slots(side, free))
        for number in range(1, count + 1):
            point = cube_point(labels, layout, place, side, number)
            parts.append(icons.cube(side, *point, size, "", f"cube-{SIDE_CSS[side]}-{place}-{number}"))
    return join(parts)


def _lead(labels: Labels, position: DrawnPosition, place: str, layout: Layout) -> Markup:
    """Draw a bracket under the cubes that are ahead, with their number."""
    x, y, below = _middle(layout, place)
    us, ussr = position.cubes[place]
    small = max(12.5, layout.least)
    chip = _chip(labels, place, layout, below, us - ussr) if layout.wide else NOTHING
    if us == ussr:
        tie = text(x, below, labels.say("tie"), max(12, layout.least), "mu", "middle") if us and not chip else NOTHING
        return join(chip, tie)
    side, lead = (0, us - ussr) if us > ussr else (1, ussr - us)
    nearest = cube_point(labels, layout, place, side, min(us, ussr) + 1)[0]
    farthest = cube_point(labels, layout, place, side, max(us, ussr))[0]
    half = _drawn_cube(labels, layout) * 0.5
    left, right = min(nearest, farthest) - half, max(nearest, farthest) + half
    under = y + half + 4
    words = labels.say("lead", side=labels.sides[side], lead=lead)
    wide = width(words, small, "b") / 2
    box = layout.place(place)
    at = min(max((left + right) / 2, box.x + 10 + wide), box.right - 8 - wide)
    if chip:
        at = box.x + 10 + wide if side == 0 else box.right - 7 - wide
    bracket = f"M{num(left)} {num(under - 2)}v2.5h{num(right - left)}v-2.5"
    told = text(at, below, words, small, f"b {SIDE_CSS[side]}", "middle")
    return join(path(bracket, f"lead {SIDE_CSS[side]}"), told, chip)


def _chip(labels: Labels, place: str, layout: Layout, below: float, lead: int) -> Markup:
    """Draw the bonus of the agenda, on the half of the box without the lead."""
    bonus = _bonus(labels, place)
    if not bonus:
        return NOTHING
    box, on_left = layout.place(place), lead <= 0
    x = box.x + 10 if on_left else box.right - 7
    room = box.w / 2 - 12
    return text(x, below, bonus, layout.least, "mu", "start" if on_left else "end", room=room, smallest=layout.least)
