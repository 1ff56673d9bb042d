"""Prestige as a rope between the two player areas, and the effects in force for the rest of the round."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, line
from brinkmanship.games.thirteen_days.drawing.deciding import decides_prestige, ring
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import TAG_ROW, Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition

_ROPE = 42
"""Height of the rope below the top of its box."""


def prestige(labels: Labels, position: DrawnPosition, layout: Layout) -> Markup:
    """Draw the rope, its knot and the leader; below it tags, or the result of the game."""
    box = layout.rope
    most = labels.data.limits.prestige_lead_max
    y = box.y + _ROPE
    left, right = (knot_point(labels, layout, most)[0], knot_point(labels, layout, -most)[0])
    every = max(1, round(most / 5))
    ticks = []
    for value in range(-most, most + 1):
        if value % every == 0 or abs(value) == most:
            x = knot_point(labels, layout, value)[0]
            ticks.append(line(x, y - 6, x, y + 6, "thin"))
            ticks.append(text(x, y + 18, str(abs(value)), max(11.5, layout.least), "mu", "middle"))
    x, _ = knot_point(labels, layout, position.prestige)
    leader = None if position.prestige == 0 else 0 if position.prestige > 0 else 1
    words = labels.lead(position.prestige) if leader is not None else labels.say("even")
    half = width(words, 13.5, "b") / 2
    at = min(max(x, box.x + half), box.right - half)
    knot = icons.cube(leader, x, y, 15, "", "marker-prestige") if leader is not None else _even(x, y)
    return group(
        NOTHING if position.over and layout.wide else _heading(labels, layout),
        line(left, y, right, y, "rope"),
        line(left, y, right, y, "strand"),
        ticks,
        text(left - 14, y + 5, labels.sides[0], 13.5, "b us", "end"),
        text(right + 14, y + 5, labels.sides[1], 13.5, "b ussr"),
        knot,
        ring(decides_prestige(position), x, y, 15),
        text(at, y - 14, words, 13.5, f"b {SIDE_CSS[leader]}" if leader is not None else "b", "middle"),
        _result(labels, position, layout) if position.over else _tags(labels, position, layout),
        css="prestige",
        data_part="prestige",
        role="img",
        data_tell=f"{labels.sentence('prestige')}: {words}\n{labels.sentence('tell.prestige', most=most)}",
        aria_label=f"{labels.sentence('prestige')}: {words}",
    )


def _heading(labels: Labels, layout: Layout) -> Markup:
    box, words = layout.rope, labels.sentence("prestige").upper()
    return text(box.x + box.w / 2, box.y + 10, words, max(11.5, layout.least), "b sp mu", "middle")


def knot_point(labels: Labels, layout: Layout, value: int) -> tuple[float, float]:
    """Return the position of the knot for a value of Prestige; the US pulls to the left."""
    box, most = layout.rope, labels.data.limits.prestige_lead_max
    ends = 14 + max(width(side, 13.5, "b") for side in labels.sides) + (8 if layout.wide else 1)
    half = box.w / 2 - ends
    return box.x + box.w / 2 - max(-most, min(most, value)) * half / most, box.y + _ROPE


def tags_of(labels: Labels, position: DrawnPosition, side: int) -> list[str]:
    """Return the effects in force for a side for the rest of the round."""
    tags = []
    if position.modifier[side]:
        tags.append(labels.say("modifier", delta=labels.words.signed(position.modifier[side])))
    if position.ban[side]:
        tags.append(labels.say("ban"))
    return tags


def tag_rows(labels: Labels, position: DrawnPosition, layout: LayoutName) -> int:
    """Return the rows of tags, or of the result, that a board needs. On a wide one the result is above the rope."""
    if position.over:
        return 1 if layout == "narrow" else 0
    return max(len(tags_of(labels, position, side)) for side in range(2))


def _even(x: float, y: float) -> Markup:
    return join(line(x - 5, y - 8, x - 5, y + 8, "round"), line(x + 5, y - 8, x + 5, y + 8, "round"))


def _tags(labels: Labels, position: DrawnPosition, layout: Layout) -> Markup:
    box, size = layout.rope, max(11.5, layout.least)
    drawn = []
    for side in range(2):
        x, y = (box.x if side == 0 else box.right), box.y + _ROPE + 22
        if layout.wide:  # below both player areas, from their outer edges
            x, y = (layout.desks[0].x if side == 0 else layout.desks[1].right), layout.desks[0].bottom + 2
        for words in tags_of(labels, position, side):
            css = f"b {SIDE_CSS[side]}"
            wide = icons.tag_width(words, css, size)
            drawn.append(icons.tag(x if side == 0 else x - wide, y, words, css, size))
            if layout.wide:
                x += wide + 6 if side == 0 else -wide - 6
            else:
                y += TAG_ROW
    return join(drawn)


def _result(labels: Labels, position: DrawnPosition, layout: Layout) -> Markup:
    box, words = layout.rope, result_words(labels, position)
    css = f"b {SIDE_CSS[position.winner]}" if position.winner in (0, 1) else "b"
    y = box.y + 11 if layout.wide else box.y + _ROPE + 36
    return text(box.x + box.w / 2, y, words, 15, css, "middle", box.w, 13.5) if words else NOTHING


def result_words(labels: Labels, position: DrawnPosition) -> str:
    """Return the result of the game as text."""
    if position.winner not in (0, 1):
        return labels.say("reason.mutual_nuclear_war")
    loser = labels.sides[1 - position.winner]
    reason = labels.say(f"reason.{position.reason}", loser=loser)
    return labels.sentence("won", side=labels.sides[position.winner], reason=reason)
