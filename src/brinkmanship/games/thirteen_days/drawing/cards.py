"""Cards as typed memos: strategy cards and agendas."""

from __future__ import annotations

from brinkmanship.drawing import card_frame, icons
from brinkmanship.drawing.card_frame import HEIGHT, WIDTH
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, moved, path, rect
from brinkmanship.games.thirteen_days.drawing.labels import labels_for
from brinkmanship.games.thirteen_days.drawing.pictogram import agenda_lines, card_lines
from brinkmanship.games.thirteen_days.rules.data import Agenda, Card
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.words.cards import agenda_text, card_text
from brinkmanship.text import Words


def card(
    game: ThirteenDays, card: str | Card, words: Words, *, history: str = "", standalone: Theme | None = None
) -> str:
    """Draw a strategy card: title, stamp of its side, Command value as cubes, DEFCON symbol, and its event text."""
    found = card if isinstance(card, Card) else next(c for c in game.data.card if c.id == card)
    labels = labels_for(words, game.data)
    event = card_text(game.data, found, words)
    title = labels.card(found.id)
    value = labels.say("cubes_title", count=found.cubes)
    icon = f"; {labels.say('icon_title')}" if found.defcon_icon else ""
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "memo", 3),
        rect(0.5, 0.5, WIDTH - 1, 8, f"band {found.side}"),
        card_frame.title(title),
        card_frame.cubes(found.cubes, found.side),
        card_frame.stamp(labels.words.name("side", found.side), found.side),
        _icon(112, 72) if found.defcon_icon else NOTHING,
        line(14, 96, WIDTH - 14, 96, "rule"),
        card_frame.face(card_lines(game.data, found), event, 101, history),
    )
    return card_frame.picture(
        body, f"card {found.side}", f"{title}. {value}{icon}. {event}", words, standalone, found.id, history
    )


def agenda(
    game: ThirteenDays, agenda: str | Agenda, words: Words, *, history: str = "", standalone: Theme | None = None
) -> str:
    """Draw an agenda card: the scored places or track, and the Prestige for each result."""
    found = agenda if isinstance(agenda, Agenda) else next(a for a in game.data.agenda if a.id == agenda)
    labels = labels_for(words, game.data)
    title = labels.words.name("agenda", found.id)
    event = agenda_text(game.data, found, words)
    place = next((b.track for b in game.data.battleground if b.id == found.flag), found.track)
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "memo", 3),
        text(14, 24, labels.say("secret").upper(), 13, "m mu", room=WIDTH - 28),
        moved(0, 16, card_frame.title(title)),
        icons.kind(place, 14, 75, 22) if place and found.kind != "letter" else NOTHING,
        icons.envelope(14, 76, 28) if found.kind == "letter" else NOTHING,
        _icon(62, 86) if found.defcon_icon else NOTHING,
        line(14, 110, WIDTH - 14, 110, "rule"),
        card_frame.face(agenda_lines(game.data, found), event, 115, history),
    )
    return card_frame.picture(body, "card agenda", f"{title}. {event}", words, standalone, found.id, history)


def _icon(x: float, y: float) -> Markup:
    """Draw the DEFCON symbol: a small thermometer in a ring."""
    return group(
        el("circle", cx=x, cy=y, r=14, class_="seal"),
        path(f"M{x - 2.5} {y - 9}h5v11.5a4.4 4.4 0 1 1-5 0z", "seal"),
        path(f"M{x - 1} {y - 2}h2v6h-2z", "seal"),
        css="icon",
    )
