"""The strategy cards of 13 Minutes as typed memos."""

from __future__ import annotations

from brinkmanship.draw import marks, memo
from brinkmanship.draw.lettering import text
from brinkmanship.draw.memo import HEIGHT, WIDTH
from brinkmanship.draw.style import Theme
from brinkmanship.draw.svg import join, line, rect
from brinkmanship.draw.thirteen_minutes.labels import labels_for
from brinkmanship.draw.thirteen_minutes.pictogram import card_lines
from brinkmanship.games.thirteen_minutes.data import Card
from brinkmanship.games.thirteen_minutes.game import ThirteenMinutes
from brinkmanship.text import Words
from brinkmanship.text.thirteen_minutes import card_text


def card(
    game: ThirteenMinutes, card: str | Card, words: Words, *, history: str = "", standalone: Theme | None = None
) -> str:
    """A card: title, stamp of its side, Command value as cubes, DEFCON type, and its event in words.

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
        memo.title(title),
        memo.cubes(found.cubes, found.side),
        memo.stamp(labels.words.name("side", found.side), found.side),
        line(14, 96, WIDTH - 14, 96, "rule"),
        marks.kind(found.colour, 14, 104, 15),
        text(36, 116.5, f"{labels.letter(found.colour)} · {kind}", 13, f"b {found.colour}", room=WIDTH - 50),
        memo.face(card_lines(game, found), event, 124, history),
    )
    label = f"{title}. {value}; {kind}. {event}"
    return memo.picture(body, f"card {found.side}", label, words, standalone, found.id, history)
