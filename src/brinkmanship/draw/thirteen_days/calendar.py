"""The calendar: every card played is half a day, from Tuesday 16 to Sunday 28 October 1962."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from brinkmanship.draw import marks
from brinkmanship.draw.box import Box
from brinkmanship.draw.lettering import text, width
from brinkmanship.draw.svg import NOTHING, Markup, el, group, join, line, path, rect
from brinkmanship.draw.thirteen_days.labels import Labels
from brinkmanship.draw.thirteen_days.layout import Layout
from brinkmanship.draw.thirteen_days.position import SIDES, Position
from brinkmanship.games.events.frame import AS_COMMAND, AS_EVENT
from brinkmanship.games.thirteen_days.actions import N_MODES, PLAY, TRIGGER
from brinkmanship.games.thirteen_days.game import ThirteenDays
from brinkmanship.games.thirteen_days.state import N_PLAY, State

_BY_AFTERMATH = ("prestige", "personal_letter")

Mode = Literal["event", "command", "letter"]


class Play(NamedTuple):
    """A card played on a turn; `href` is where its mark leads."""

    round_number: int
    side: int
    card: str
    mode: Mode
    href: str = ""


def play_of(game: ThirteenDays, before: State, action: int, href: str = "") -> Play | None:
    """The play that this action is, if it is one: a card of a turn, not one taken by Intelligence Reports."""
    if int(before.node) != N_PLAY or not PLAY <= action < TRIGGER:
        return None
    card, mode = divmod(action - PLAY, N_MODES)
    name: Mode = "event" if mode == AS_EVENT else "command" if mode == AS_COMMAND else "letter"
    return Play(int(before.round_number), int(before.mover), game.data.card[card].id, name, href)


class _Half(NamedTuple):
    """A half-day of the calendar: where its mark stands, and what is to be drawn there."""

    number: int
    x: float
    y: float
    size: float
    play: Play | None
    past: bool
    now: bool


def calendar(labels: Labels, position: Position, plays: Sequence[Play], layout: Layout) -> Markup:
    """The strip of days with the mark of every play so far."""
    draw = _wide if layout.wide else _narrow
    return group(draw(labels, position, plays, layout.calendar), css="calendar")


def _wide(labels: Labels, position: Position, plays: Sequence[Play], box: Box) -> Markup:
    limits = labels.data.limits
    per_round = limits.turns_per_round
    days = limits.rounds * per_round
    step = box.w / (days + 1)
    top = box.y + 18
    cells, bars = [], []
    for day in range(days + 1):
        x = box.x + day * step
        reached, now = _reached(labels, position, day)
        cells.append(rect(x, top, step, box.bottom - top, "panel" if reached else "sunk"))
        name = labels.day(day)
        if width(name, 12.5, "b") < step - 6:
            cells.append(text(x + 8, top + 15, name, 12.5, "b" if now else "" if reached else "mu"))
    rows = [(box.x, top + 36)] * limits.rounds
    halves = _halves(labels, position, plays, rows, step / 2, 17, days_in_row=days)
    for number in range(limits.rounds + 1):
        x = box.x + number * per_round * step
        if number:
            bars.append(line(x, box.y + 2, x, box.bottom + 2, "round"))
        css = "b" if _is_current(labels, position, number) else "mu"
        bars.append(text(x + (6 if number else 1), box.y + 12, _heading(labels, position, number), 12.5, css))
    return join(
        cells,
        [_mark(labels, half) for half in halves],
        bars,
        _last_day(labels, position, box.right - step / 2, top + 36),
    )


def _narrow(labels: Labels, position: Position, plays: Sequence[Play], box: Box) -> Markup:
    limits = labels.data.limits
    per_round, top = limits.turns_per_round, box.y + 18
    high = (box.h - 18) / (limits.rounds + 1)
    step = box.w / per_round
    size = min(12.0, high * 0.45)
    current = next((n for n in range(limits.rounds) if _is_current(labels, position, n)), limits.rounds)
    parts = [text(box.x + 1, box.y + 11, _heading(labels, position, current), 12.5, "b")]
    rows = []
    for number in range(limits.rounds):
        y = top + number * high
        rows.append((box.x, y + high / 2))
        for column in range(per_round):
            day = number * per_round + column
            reached, now = _reached(labels, position, day)
            x = box.x + column * step
            parts.append(rect(x, y, step, high, "panel" if reached else "sunk"))
            css = "b" if now else "" if reached else "mu"
            parts.append(text(x + 4, y + high / 2 + 4, labels.day(day), 11, css, room=step - 46, smallest=11))
    label = 40 if step > 70 else 4
    halves = _halves(labels, position, plays, rows, (step - label) / 2, size, label, per_round, step)
    parts.extend(_mark(labels, half) for half in halves)
    y = top + limits.rounds * high
    day = limits.rounds * per_round
    reached, now = _reached(labels, position, day)
    parts.append(rect(box.x, y, box.w, high, "panel" if reached else "sunk"))
    parts.append(text(box.x + 4, y + high / 2 + 4, labels.day(day), 11, "b" if now else "mu"))
    parts.append(text(box.x + 50, y + high / 2 + 4, labels.sentence("aftermath"), 11, "b" if now else "mu"))
    return join(parts)


def _halves(
    labels: Labels,
    position: Position,
    plays: Sequence[Play],
    rows: Sequence[tuple[float, float]],
    step: float,
    size: float,
    label: float = 0,
    days_in_row: int = 0,
    day_width: float = 0,
) -> list[_Half]:
    """All half-days; each row of days starts at a point, and a day keeps `label` free at its left."""
    limits = labels.data.limits
    per_round = 2 * limits.turns_per_round
    found = []
    for number in range(limits.rounds):
        done = [play for play in plays if play.round_number == number + 1]
        started = position.round_number == number + 1 and not position.over
        turn = len(done) - 1 if position.card_in_play and done else position.turn
        for part in range(per_round):
            index = number * per_round + part
            day, half = divmod(index, 2)
            x0, y = rows[number]
            column = day % days_in_row
            x = x0 + column * (day_width or 2 * step) + label + (half + 0.5) * step
            play = done[part] if part < len(done) else None
            past = position.round_number > number + 1 or (position.round_number == number + 1 and part < position.turn)
            found.append(_Half(index, x, y, min(size, step * 0.75), play, past, started and part == turn))
    return found


def _mark(labels: Labels, half: _Half) -> Markup:
    number, x, y, size, play, past, now = half
    ring = el("circle", cx=x, cy=y, r=size * 0.86, class_="line", id="now") if now else NOTHING
    if play is None:
        return join(ring, el("circle", cx=x, cy=y, r=3.5 if now else 2, class_="inkfill" if now or past else "dot"))
    side, card = play.side, next(card for card in labels.data.card if card.id == play.card)
    title = labels.say(
        "play",
        day=labels.day(number // 2, long=True),
        side=labels.sides[side],
        card=labels.card(play.card),
        mode=labels.say(f"mode.{play.mode}"),
    )
    shape = marks.cube_path(side, x, y, size)
    if play.mode == "event":
        inner = join(path(shape, f"hollow {SIDES[side]}"), marks.note_lines(side, x, y, size))
    else:
        value = text(x, y + size * 0.27, str(card.cubes), size * 0.74, "b white", "middle")
        inner = join(path(shape, f"c {SIDES[side]}"), value)
    if play.mode == "letter":
        inner = join(inner, marks.envelope(x + size * 0.25, y - size * 0.85, 10))
    mark = group(el("title", title), inner, css="play", data_play=number, aria_label=title, role="img")
    return join(ring, el("a", mark, href=play.href, class_="can") if play.href else mark)


def _heading(labels: Labels, position: Position, number: int) -> str:
    limits = labels.data.limits
    if number >= limits.rounds:
        return labels.sentence("aftermath")
    heading = labels.sentence("round", round=number + 1)
    if _is_current(labels, position, number) and not position.over:
        plays = 2 * limits.turns_per_round
        heading += " · " + labels.say("play_of", play=min(position.turn + 1, plays), plays=plays)
    return heading


def _is_current(labels: Labels, position: Position, number: int) -> bool:
    return number == (labels.data.limits.rounds if _is_aftermath(labels, position) else position.round_number - 1)


def _is_aftermath(labels: Labels, position: Position) -> bool:
    """Whether the rounds are over; a nuclear war may end the game before that."""
    return position.reason in _BY_AFTERMATH or position.round_number > labels.data.limits.rounds


def _reached(labels: Labels, position: Position, day: int) -> tuple[bool, bool]:
    """Whether the crisis has come to this day, and whether this is the day."""
    per_round = labels.data.limits.turns_per_round
    last = labels.data.limits.rounds * per_round
    today = min((position.round_number - 1) * per_round + min(position.turn // 2, per_round - 1), last)
    if _is_aftermath(labels, position):
        today = last
    return day <= today, day == today


def _last_day(labels: Labels, position: Position, x: float, y: float) -> Markup:
    """The winner's mark on the thirteenth day."""
    if not position.over or not _is_aftermath(labels, position) or position.winner not in (0, 1):
        return NOTHING
    return marks.cube(position.winner, x, y, 18)
