"""The calendar: each played card is half a day, from Tuesday 16 to Sunday 28 October 1962."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, path, rect
from brinkmanship.games.cuban.frame import Mode
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition
from brinkmanship.games.thirteen_days.rules.action_numbers import N_MODES, Action
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import Node, State

_BY_AFTERMATH = ("prestige", "personal_letter")

PlayedAs = Literal["event", "command", "letter"]


class Play(NamedTuple):
    """A card played on a turn; `href` is the address its mark links to."""

    round_number: int
    side: int
    card: str
    mode: PlayedAs
    href: str = ""


def play_of(game: ThirteenDays, before: State, action: int, href: str = "") -> Play | None:
    """Return the play that this action is, or None: a card of a turn, not one taken by Intelligence Reports."""
    if int(before.node) != Node.PLAY or not Action.PLAY <= action < Action.TRIGGER:
        return None
    card, mode = divmod(action - Action.PLAY, N_MODES)
    name: PlayedAs = "event" if mode == Mode.EVENT else "command" if mode == Mode.COMMAND else "letter"
    return Play(int(before.round_number), int(before.mover), game.data.card[card].id, name, href)


class _Half(NamedTuple):
    """A half-day of the calendar: the position of its mark and its contents."""

    number: int
    x: float
    y: float
    size: float
    play: Play | None
    past: bool
    now: bool


def calendar(labels: Labels, position: DrawnPosition, plays: Sequence[Play], layout: Layout) -> Markup:
    """Draw the strip of days with the mark of every play so far."""
    draw = _wide if layout.wide else _narrow
    return group(draw(labels, position, plays, layout.calendar), css="calendar")


def heading(labels: Labels, position: DrawnPosition) -> str:
    """Return the day and the turn of the round; at the end, the aftermath."""
    limits = labels.data.limits
    if _is_aftermath(labels, position):
        return labels.sentence("aftermath")
    plays = 2 * limits.turns_per_round
    turn = labels.say("play_of", play=min(position.turn + 1, plays), plays=plays)
    return f"{labels.day(_now(labels, position) // 2)} · {turn}"


def this_round(labels: Labels, position: DrawnPosition, plays: Sequence[Play], box: Box) -> Markup:
    """Draw the half-days of the round in progress, or of the last one, in one row."""
    limits = labels.data.limits
    per_round = 2 * limits.turns_per_round
    step = box.w / per_round
    first = (min(position.round_number, limits.rounds) - 1) * per_round
    rows = [(box.x, box.y + box.h / 2)] * limits.rounds
    halves = _halves(labels, position, plays, rows, step, min(step, box.h) * 0.8, days_in_row=limits.turns_per_round)
    now = _now(labels, position)
    cells = [
        rect(box.x + n * step, box.y + 0.5, step, box.h - 1, "panel" if first + n <= now else "sunk")
        for n in range(per_round)
    ]
    drawn = join(cells, [_mark(labels, half) for half in halves[first : first + per_round]])
    return Markup(drawn.replace(' id="now"', ""))


def _now(labels: Labels, position: DrawnPosition) -> int:
    """Return the current half-day, counted from 0."""
    per_round = 2 * labels.data.limits.turns_per_round
    return (position.round_number - 1) * per_round + min(position.turn, per_round - 1)


def _wide(labels: Labels, position: DrawnPosition, plays: Sequence[Play], box: Box) -> Markup:
    limits = labels.data.limits
    per_round = limits.turns_per_round
    days = limits.rounds * per_round
    step = box.w / (days + 1)
    top = box.y + 17
    cells, bars = [], []
    for day in range(days + 1):
        x = box.x + day * step
        reached, now = _reached(labels, position, day)
        cells.append(rect(x, top, step, box.bottom - top, "panel" if reached else "sunk"))
        name = labels.day(day)
        if width(name, 13.5, "b") < step - 6:
            cells.append(text(x + 6, top + 14, name, 13.5, "b" if now else "" if reached else "mu"))
    rows = [(box.x, top + 29)] * limits.rounds
    halves = _halves(labels, position, plays, rows, step / 2, 18.5, days_in_row=days)
    for number in range(limits.rounds + 1):
        x = box.x + number * per_round * step
        if number:
            bars.append(line(x, box.y + 2, x, box.bottom + 2, "round"))
        css = "b" if _is_current(labels, position, number) else "mu"
        room = (per_round if number < limits.rounds else 1) * step - 8
        bars.append(
            text(
                x + (6 if number else 1), box.y + 12, _heading(labels, position, number), 13.5, css, "start", room, 13.5
            )
        )
    return join(
        cells,
        [_mark(labels, half) for half in halves],
        bars,
        _last_day(labels, position, box.right - step / 2, top + 29),
    )


def _narrow(labels: Labels, position: DrawnPosition, plays: Sequence[Play], box: Box) -> Markup:
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
    position: DrawnPosition,
    plays: Sequence[Play],
    rows: Sequence[tuple[float, float]],
    step: float,
    size: float,
    label: float = 0,
    days_in_row: int = 0,
    day_width: float = 0,
) -> list[_Half]:
    """Return all half-days; each row of days starts at a point, and a day keeps `label` free at its left."""
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
    ring = el("circle", cx=x, cy=y, r=size * (0.76 if play else 0.6), class_="line", id="now") if now else NOTHING
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
    shape = icons.cube_path(side, x, y, size)
    if play.mode == "event":
        inner = join(path(shape, f"hollow {SIDE_CSS[side]}"), icons.note_lines(side, x, y, size))
    else:
        value = text(x, y + size * 0.27, str(card.cubes), size * 0.74, "b white", "middle")
        inner = join(path(shape, f"c {SIDE_CSS[side]}"), value)
    if play.mode == "letter":
        inner = join(inner, icons.envelope(x + size * 0.25, y + size * 0.15, 10))
    mark = group(inner, css="play", data_play=number, data_tell=title, aria_label=title, role="img")
    return join(ring, el("a", mark, href=play.href, class_="can") if play.href else mark)


def _heading(labels: Labels, position: DrawnPosition, number: int) -> str:
    limits = labels.data.limits
    if number >= limits.rounds:
        return labels.sentence("aftermath")
    heading = labels.sentence("round", round=number + 1)
    if _is_current(labels, position, number) and not position.over:
        plays = 2 * limits.turns_per_round
        heading += " · " + labels.say("play_of", play=min(position.turn + 1, plays), plays=plays)
    return heading


def _is_current(labels: Labels, position: DrawnPosition, number: int) -> bool:
    return number == (labels.data.limits.rounds if _is_aftermath(labels, position) else position.round_number - 1)


def _is_aftermath(labels: Labels, position: DrawnPosition) -> bool:
    """Return True if the rounds are over; a nuclear war may end the game before that."""
    return position.reason in _BY_AFTERMATH or position.round_number > labels.data.limits.rounds


def _reached(labels: Labels, position: DrawnPosition, day: int) -> tuple[bool, bool]:
    """Return whether the game has reached this day, and whether it is the current day."""
    per_round = labels.data.limits.turns_per_round
    last = labels.data.limits.rounds * per_round
    today = min((position.round_number - 1) * per_round + min(position.turn // 2, per_round - 1), last)
    if _is_aftermath(labels, position):
        today = last
    return day <= today, day == today


def _last_day(labels: Labels, position: DrawnPosition, x: float, y: float) -> Markup:
    """Draw the winner's mark on the thirteenth day."""
    if not position.over or not _is_aftermath(labels, position) or position.winner not in (0, 1):
        return NOTHING
    return icons.cube(position.winner, x, y, 18)
