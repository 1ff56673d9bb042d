"""The Event Cards and the Resource Cards of Ukrainian Crisis, drawn as typed memos."""

from __future__ import annotations

from brinkmanship.drawing import card_frame
from brinkmanship.drawing.card_frame import HEIGHT, WIDTH
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.phrases import capital
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import Markup, join, line, path, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.pictogram import pictogram
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS, EventCard
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.words.cards import event_text
from brinkmanship.text import Words

_SUITS = {"S": "♠", "C": "♣", "H": "♥", "D": "♦"}


def card(game: UkrainianCrisis, card: str, words: Words, *, history: str = "", standalone: Theme | None = None) -> str:
    """Draw a card: an Event Card by its id, or a Resource Card by its rank ("small", "7").

    Raises:
        StopIteration: there is no card with this id.
    """
    labels = labels_for(words, game)
    if card in game.ranks:
        return _resource(game, labels, card, words, standalone)
    found = next(event for event in EVENTS if event.id == card)
    sentence = event_text(game, found.id, words)
    kind = labels.say("crisis.immediate" if found.immediate else "crisis.to_keep")
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "memo", 3),
        rect(0.5, 0.5, WIDTH - 1, 8, "band un"),
        card_frame.title(found.title),
        text(14, 80, playing_card(found), 19, "b un"),
        text(WIDTH - 14, 80, kind, 13, "b mu", "end", room=WIDTH - 90),
        line(14, 96, WIDTH - 14, 96, "rule"),
        card_frame.face(pictogram(game, "card", found.id), sentence, 102, history),
    )
    title = found.title if found.title[-1] in "!?…" else f"{found.title}."
    return card_frame.picture(
        body, "card un", f"{title} {capital(kind)}. {sentence}", words, standalone, found.id, history
    )


def playing_card(event: EventCard) -> str:
    """Return the ordinary playing card that stands for an Event Card: "J♠"."""
    return event.card[:-1] + _SUITS[event.card[-1]]


def _resource(game: UkrainianCrisis, labels: Labels, rank: str, words: Words, standalone: Theme | None) -> str:
    """Draw a Resource Card with its row of the Results Table."""
    name, resources = labels.card(rank), game.data.resources
    rows = {"small": resources.small, "medium": resources.medium}
    row = " ".join(map(str, rows[rank])) if rank in rows else "2–12" if rank == "maximum" else rank
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "memo", 3),
        rect(0.5, 0.5, WIDTH - 1, 8, "band un"),
        card_frame.title(name),
        text(WIDTH / 2, 150, row, 26, "b m", "middle", room=WIDTH - 28),
        text(WIDTH / 2, 186, labels.say("crisis.resource_card"), 14, "mu", "middle", room=WIDTH - 28),
    )
    return card_frame.picture(body, "card un", f"{name}: {row}", words, standalone, rank)


def back(side: str, words: Words, *, name: str = "", standalone: Theme | None = None) -> str:
    """Draw the back of a card: "ua" and "ru" for Resource Cards, anything else for the Event Cards."""
    css = {"ua": "us", "ru": "ussr"}.get(side, "un")
    lines = "".join(f"M16 {y}h{int(WIDTH) - 32}" for y in range(28, int(HEIGHT) - 20, 12))
    letters = "2014"
    body: Markup = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, f"cover {css}", 6),
        path(lines, "weave"),
        rect(52, HEIGHT / 2 - 40, 120, 80, f"cover {css}", 4),
        text(WIDTH / 2, HEIGHT / 2 + 12, letters, 36, "b m white", "middle"),
    )
    return card_frame.picture(body, f"card back {css}", name, words, standalone)
