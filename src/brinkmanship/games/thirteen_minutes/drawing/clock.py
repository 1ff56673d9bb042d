"""The clock: ten plays to midnight, each marked with the side that played."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import NamedTuple

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import block, text
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, num, path, rect
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels
from brinkmanship.games.thirteen_minutes.drawing.layout import LEAST, Layout
from brinkmanship.games.thirteen_minutes.drawing.position import DrawnPosition
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS, Node, State


class Play(NamedTuple):
    """A card played in a turn; `href` is the link of its mark."""

    side: int
    card: str
    area: int
    href: str = ""


def play_of(game: ThirteenMinutes, before: State, action: int, href: str = "") -> Play | None:
    """Return the play that an action makes, or None if the action is not a play."""
    if int(before.node) != Node.PLAY or not Action.PLAY <= action < Action.USE_EVENT:
        return None
    card, area = divmod(action - Action.PLAY, N_AREAS)
    return Play(int(before.mover), game.data.card[card].id, area, href)


def strip(labels: Labels, position: DrawnPosition, plays: Sequence[Play], box: Box) -> Markup:
    """Draw the plays to midnight in one row, each marked with the side that played."""
    turns = labels.data.limits.turns
    step, y = box.w / turns, box.y + box.h / 2
    drawn = []
    for number in range(turns):
        x = box.x + (number + 0.5) * step
        now = number == position.turn and position.first is not None and not position.over
        drawn.append(rect(x - step / 2, box.y + 0.5, step, box.h - 1, "panel" if number <= position.turn else "sunk"))
        if now:
            drawn.append(el("circle", cx=x, cy=y, r=step * 0.4, class_="line"))
        if number < len(plays):
            drawn.append(icons.cube(plays[number].side, x, y, step * 0.55))
        else:
            drawn.append(el("circle", cx=x, cy=y, r=2.2, class_="inkfill" if now else "dot"))
    return join(drawn)


class _Dial(NamedTuple):
    """Quarter of a clock face: the centre is its lower right corner, midnight is at the top."""

    x: float
    y: float
    r: float

    def point(self, part: float, r: float) -> tuple[float, float]:
        """Return the point at distance `r`, a fraction of the way from the first play (0) to midnight (1)."""
        angle = pi + part * pi / 2
        return self.x + r * cos(angle), self.y + r * sin(angle)


def clock(labels: Labels, position: DrawnPosition, plays: Sequence[Play], layout: Layout) -> Markup:
    """Draw the dial, the number of plays left, the side that began and the draw pile; at the end the result."""
    box = layout.clock
    r = box.h - 24
    dial = _Dial(box.x + r + 16, box.bottom - 8, r)
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        _face(labels, position, plays, dial),
        _words(labels, position, dial, layout),
        css="clock-face",
        role="group",
        data_tell=_summary(labels, position).replace(". ", "\n") if layout.wide else None,
        aria_label=_summary(labels, position),
    )


def _summary(labels: Labels, position: DrawnPosition) -> str:
    if position.over:
        return result_words(labels, position)
    return f"{heading(labels, position)}. {labels.say('to_midnight', n=_left(labels, position))}"


def _face(labels: Labels, position: DrawnPosition, plays: Sequence[Play], dial: _Dial) -> Markup:
    turns = labels.data.limits.turns
    start, end = dial.point(0, dial.r + 9), dial.point(1, dial.r + 9)
    arc = f"M{num(start[0])} {num(start[1])}A{num(dial.r + 9)} {num(dial.r + 9)} 0 0 1 {num(end[0])} {num(end[1])}"
    near = 1 - 2.5 / turns
    x, y = dial.point(near, dial.r - 12)
    danger = path(
        f"M{num(dial.x)} {num(dial.y)}L{num(x)} {num(y)}"
        f"A{num(dial.r - 12)} {num(dial.r - 12)} 0 0 1 {num(dial.x)} {num(dial.y - dial.r + 12)}z",
        "danger-1",
    )
    ticks = [line(*dial.point(n / turns, dial.r + 5), *dial.point(n / turns, dial.r + 9), "thin") for n in range(turns)]
    minute = dial.point(_time(labels, position), dial.r - 14)
    hour = dial.point(0.62 + 0.38 * _time(labels, position), dial.r * 0.45)
    return join(
        danger,
        path(arc, "line"),
        ticks,
        line(*dial.point(1, dial.r - 12), *dial.point(1, dial.r + 9), "round"),
        [_mark(labels, position, plays, number, dial) for number in range(turns)],
        line(dial.x, dial.y, *hour, "rope"),
        line(dial.x, dial.y, *minute, "round", id="minute-hand"),
        el("circle", cx=dial.x, cy=dial.y, r=4.5, class_="inkfill"),
    )


def _time(labels: Labels, position: DrawnPosition) -> float:
    """Return the position of the hand, from 0 to 1 (midnight)."""
    return 1.0 if position.is_scored or position.over else position.turn / labels.data.limits.turns


def _mark(labels: Labels, position: DrawnPosition, plays: Sequence[Play], number: int, dial: _Dial) -> Markup:
    x, y = dial.point((number + 0.5) / labels.data.limits.turns, dial.r - 3)
    size = 13.0 if dial.r > 90 else 8.5
    now = number == position.turn and position.first is not None and not position.over
    ring = el("circle", cx=x, cy=y, r=size * 0.86, class_="line", id="now") if now else NOTHING
    if number >= len(plays):
        return join(ring, el("circle", cx=x, cy=y, r=2.2, class_="dot" if not now else "inkfill"))
    play = plays[number]
    title = labels.say(
        "play_number",
        number=number + 1,
        side=labels.sides[play.side],
        card=labels.card(play.card),
        area=labels.area_name(play.area),
    )
    inner = group(
        el("title", title),
        path(icons.cube_path(play.side, x, y, size), f"c {SIDE_CSS[play.side]}"),
        css="play",
        data_play=number,
        role="img",
        aria_label=title,
    )
    return join(ring, el("a", inner, href=play.href, class_="can") if play.href else inner)


def _left(labels: Labels, position: DrawnPosition) -> int:
    return labels.data.limits.turns - position.turn


def heading(labels: Labels, position: DrawnPosition) -> str:
    """Return the heading of the current phase: the bids, a turn, or midnight."""
    turns = labels.data.limits.turns
    if position.over or position.turn >= turns:
        return labels.sentence("midnight")
    if position.is_bidding:
        return labels.sentence("bidding")
    if position.first is None:
        return labels.sentence("before_first")
    return labels.sentence("play_of", play=position.turn + 1, plays=turns)


_REASONS = {"prestige": "reason.more_prestige"}
"""Message keys that differ from those of 13 Days."""


def result_words(labels: Labels, position: DrawnPosition) -> str:
    """Return the result of the game in words."""
    if position.winner in (0, 1):
        loser = labels.sides[1 - position.winner]
        reason = labels.say(_REASONS.get(position.reason, f"reason.{position.reason}"), loser=loser)
        return labels.sentence("won", side=labels.sides[position.winner], reason=reason)
    return labels.sentence(f"reason.{position.reason}")


def _words(labels: Labels, position: DrawnPosition, dial: _Dial, layout: Layout) -> Markup:
    box = layout.clock
    left = dial.x + 18
    room = box.right - 10 - left
    y = box.y + (19 if layout.wide else 20)
    size, small = (15.5, LEAST) if layout.wide else (14.0, 12.5)
    if position.over:
        css = f"b {SIDE_CSS[position.winner]}" if position.winner in (0, 1) else "b"
        said, lines = block(left, y, result_words(labels, position), size, css, room=room, lines=3)
        y += lines * size * 1.25
    else:
        said = text(left, y, heading(labels, position), size, "b", room=room)
        y += size * 1.3
        if position.turn < labels.data.limits.turns:
            words = labels.say("to_midnight", n=_left(labels, position))
            said = join(said, text(left, y, words, small, "mu", room=room))
            y += 17
        if position.first is not None and layout.wide:
            said = join(
                said, text(left, y, labels.say("began", side=labels.sides[position.first]), small, "mu", room=room)
            )
    return join(said, _pile(labels, position, left, box.bottom - 29, room, small))


def _pile(labels: Labels, position: DrawnPosition, x: float, y: float, room: float, size: float) -> Markup:
    """Draw the draw pile."""
    layers = min(4, (position.pile + 1) // 2)
    sheets = [rect(x + i * 2.2, y - i * 1.6 + 5, 15, 20, "back", 1.5) for i in range(layers)]
    words = f"{labels.sentence('deck')}: {position.pile}"
    return group(
        sheets if layers else rect(x, y + 5, 15, 20, "slot rule", 2),
        text(x + 28, y + 20, words, size, room=room - 30),
        css="pile",
        id="pile",
        data_pile="deck",
        role="img",
        aria_label=words,
    )
