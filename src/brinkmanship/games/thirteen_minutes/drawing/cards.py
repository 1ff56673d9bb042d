"""The strategy cards of 13 Minutes, drawn as typed memos."""

from __future__ import annotations

from brinkmanship.drawing import card_frame, icons
from brinkmanship.drawing.card_frame import HEIGHT, WIDTH
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import join, line, rect
from brinkmanship.games.thirteen_minutes.drawing.labels import labels_for
from brinkmanship.games.thirteen_minutes.drawing.pictogram import card_lines
from brinkmanship.games.thirteen_minutes.rules.data import Card
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.words.cards import card_text
from brinkmanship.text import Words


def card(
    game: ThirteenMinutes, card: str | Card, words: Words, *, history: str = "", standalone: Theme | None = None
) -> str:
    """Draw a card: title, stamp of its side, Command value as cubes, DEFCON type, and its event in words.

    Raises:
        StopIteration: there is no card with this id.
    """
    found = card if isinstance(card, Card) else next(c for c in game.data.card if c.id == card)
    labels = labels_for(words, game.data)
    event = card_text(game.data, found, words)
    title, kind = labels.card(found.id), labels.kind(found.colour)
    value = labels.say("cubes_title", count=found.cubes)
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "memo", 3),
        rect(0.5, 0.5, WIDTH - 1, 8, f"band {found.side}"),
        card_frame.title(title),
        card_frame.cubes(found.cubes, found.side),
        card_frame.stamp(labels.words.name("side", found.side), found.side),
        line(14, 96, WIDTH - 14, 96, "rule"),
        icons.kind(found.colour, 14, 104, 15),
        text(36, 116.5, f"{labels.letter(found.colour)} · {kind}", 13, f"b {found.colour}", room=WIDTH - 50),
        card_frame.face(card_lines(game, found), event, 124, history),
    )
    label = f"{title}. {value}; {kind}. {event}"
    return card_frame.picture(body, f"card {found.side}", label, words, standalone, found.id, history)
