"""Cards as typed memos with a stamp, and their backs."""

from __future__ import annotations

from math import ceil

from brinkmanship.draw import marks
from brinkmanship.draw.lettering import column, text, width, wrap
from brinkmanship.draw.style import Theme, embedded
from brinkmanship.draw.svg import NOTHING, Markup, el, group, join, line, moved, path, rect
from brinkmanship.draw.thirteen_days.labels import labels_for
from brinkmanship.games.thirteen_days.data import Agenda, Card
from brinkmanship.games.thirteen_days.game import ThirteenDays
from brinkmanship.text import Words
from brinkmanship.text.thirteen_days import agenda_text, card_text

WIDTH, HEIGHT = 224.0, 300.0


def card(game: ThirteenDays, card: str | Card, words: Words, *, standalone: Theme | None = None) -> str:
    """A strategy card: title, stamp of its side, Command value as cubes, DEFCON symbol, and its event in words."""
    found = card if isinstance(card, Card) else next(c for c in game.data.card if c.id == card)
    labels = labels_for(words, game.data)
    event = card_text(game.data, found, words)
    title = labels.card(found.id)
    value = labels.say("cubes_title", count=found.cubes)
    icon = f"; {labels.say('icon_title')}" if found.defcon_icon else ""
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "memo", 3),
        rect(0.5, 0.5, WIDTH - 1, 8, f"band {found.side}"),
        _title(title),
        _cubes(found),
        _stamp(labels.words.name("side", found.side), found.side),
        _icon(112, 72) if found.defcon_icon else NOTHING,
        line(14, 96, WIDTH - 14, 96, "rule"),
        _event(event, 116, HEIGHT - 14),
    )
    return _svg(body, f"card {found.side}", f"{title}. {value}{icon}. {event}", words, standalone, found.id)


def agenda(game: ThirteenDays, agenda: str | Agenda, words: Words, *, standalone: Theme | None = None) -> str:
    """An agenda card: what it scores, who gets what."""
    found = agenda if isinstance(agenda, Agenda) else next(a for a in game.data.agenda if a.id == agenda)
    labels = labels_for(words, game.data)
    title = labels.words.name("agenda", found.id)
    event = agenda_text(game.data, found, words)
    place = next((b.track for b in game.data.battleground if b.id == found.flag), found.track)
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "memo", 3),
        text(14, 24, labels.say("secret").upper(), 11.5, "m mu", room=WIDTH - 28),
        moved(0, 16, _title(title)),
        marks.kind(place, 14, 75, 22) if place and found.kind != "letter" else NOTHING,
        marks.envelope(14, 76, 28) if found.kind == "letter" else NOTHING,
        _icon(62, 86) if found.defcon_icon else NOTHING,
        line(14, 110, WIDTH - 14, 110, "rule"),
        _event(event, 130, HEIGHT - 14),
    )
    return _svg(body, "card agenda", f"{title}. {event}", words, standalone, found.id)


def back(side: str, words: Words, *, name: str = "", standalone: Theme | None = None) -> str:
    """The back of a card: "us" and "ussr" for hands, "un" for the deck. `name` is how a screen reader calls it."""
    lines = "".join(f"M16 {y}h{int(WIDTH) - 32}" for y in range(28, int(HEIGHT) - 20, 12))
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, f"cover {side}", 6),
        path(lines, "weave"),
        rect(62, 110, 100, 80, f"cover {side}", 4),
        text(WIDTH / 2, 162, "13", 44, "b m white", "middle"),
    )
    return _svg(body, f"card back {side}", name, words, standalone)


def _svg(body: Markup, css: str, label: str, words: Words, standalone: Theme | None, card_id: str | None = None) -> str:
    return el(
        "svg",
        el("style", Markup(embedded(standalone))) if standalone else NOTHING,
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        width=WIDTH if standalone else None,
        height=HEIGHT if standalone else None,
        class_=f"brink {css}",
        data_card=card_id,
        role="img",
        aria_label=label.replace("\n", " ") or None,
        lang=words.language,
    )


def _title(title: str) -> Markup:
    """Typed, in one line or two."""
    room = WIDTH - 28
    size = next((s / 2 for s in range(30, 26, -1) if width(title, s / 2, "b m") <= room), 13.0)
    lines = wrap(title, room, size, "b m")
    first = 34 if len(lines) == 1 else 27
    return column(14, first, lines[:2], size, "b m", room=room, leading=1.15)


def _cubes(card: Card) -> Markup:
    """The Command value as cubes one can count; those of a UN card belong to nobody, and are round."""
    size, step = 20.0, 26.0
    side = {"us": 0, "ussr": 1}.get(card.side)
    if card.cubes > 3:
        size, step = 14.0, min(18.0, 96 / card.cubes)
    points = [(14 + size / 2 + i * step, 72.0) for i in range(card.cubes)]
    if side is None:
        return group([el("circle", cx=x, cy=y, r=size * 0.48, class_="sq un") for x, y in points])
    return group(
        [path(marks.cube_path(side, x, y, size * (1 if side == 0 else 0.9)), f"sq {card.side}") for x, y in points]
    )


def _stamp(words: str, side: str) -> Markup:
    wide = max(52.0, width(words, 15, "b m sp") + 16)
    left = WIDTH - 12 - wide
    return group(
        rect(left, 58, wide, 27, f"stamp {side}", 2),
        text(left + wide / 2 + 0.6, 76.5, words, 15, f"b m sp {side}", "middle"),
        transform=f"rotate(-6 {left + wide / 2:g} 72)",
    )


def _icon(x: float, y: float) -> Markup:
    """The DEFCON symbol: a small thermometer in a ring."""
    return group(
        el("circle", cx=x, cy=y, r=14, class_="seal"),
        path(f"M{x - 2.5} {y - 9}h5v11.5a4.4 4.4 0 1 1-5 0z", "seal"),
        path(f"M{x - 1} {y - 2}h2v6h-2z", "seal"),
        css="icon",
    )


def _event(event: str, top: float, bottom: float) -> Markup:
    """The event as large as it fits; alternatives hang on their bullets."""
    size = 15.0
    while True:
        lines = _paragraphs(event, size)
        if top + (len(lines) - 1) * size * 1.28 <= bottom or size <= 10:
            break
        size -= 0.5
    return group(
        text(14 + indent, top + number * size * 1.28, words, size) for number, (indent, words) in enumerate(lines)
    )


def _paragraphs(event: str, size: float) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []
    for paragraph in event.split("\n"):
        spaces = len(paragraph) - len(paragraph.lstrip())
        indent = ceil(spaces / 2) * 8.0
        words = paragraph.strip()
        hanging = words.startswith("•")
        extra = width("• ", size) if hanging else 0
        lines = wrap(words.removeprefix("•").lstrip() if hanging else words, WIDTH - 28 - indent - extra, size)
        for number, content in enumerate(lines):
            if hanging and number == 0:
                found.append((indent, f"• {content}"))
            else:
                found.append((indent + extra, content))
    return found
