"""Shared parts of the cards of all games: typed memos with a stamp, and card backs."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from brinkmanship.drawing import icons
from brinkmanship.drawing.document import drawing
from brinkmanship.drawing.lettering import column, text, width, wrap
from brinkmanship.drawing.pictogram import PictogramLine, lay
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, moved, path, rect
from brinkmanship.text import Words

WIDTH, HEIGHT = 224.0, 344.0
"""Size in drawing units, with the proportions of a playing card of 57 by 88 mm."""
SMALLEST = 11.5
"""Minimum font size of text on a card, in drawing units: 12.8 px where a card is 250 px wide."""
_LARGEST = 15.0
_LEADING = 1.24
_HISTORY = "history"


def back(side: str, words: Words, *, name: str = "", standalone: Theme | None = None) -> str:
    """Draw the back of a card: "us" and "ussr" for hands, "un" for the deck, "agenda" with a flag.

    `name` is its accessible name.
    """
    css = "un" if side == "agenda" else side
    middle = HEIGHT / 2
    if side == "agenda":
        sign = path(f"M94 {middle + 26}v-52M94 {middle - 26}h44l-11 14l11 14h-44z", "pennant")
    else:
        sign = text(WIDTH / 2, middle + 12, "13", 44, "b m white", "middle")
    lines = "".join(f"M16 {y}h{int(WIDTH) - 32}" for y in range(28, int(HEIGHT) - 20, 12))
    body = join(
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, f"cover {css}", 6),
        path(lines, "weave"),
        rect(62, middle - 40, 100, 80, f"cover {css}", 4),
        sign,
    )
    return picture(body, f"card back {side}", name, words, standalone)


def picture(
    body: Markup,
    css: str,
    label: str,
    words: Words,
    standalone: Theme | None,
    card_id: str | None = None,
    history: str = "",
) -> str:
    """Draw a whole card; screen readers read `label`, and the history if it is on the card; without both, nothing."""
    said = f"{label} {history}" if shows_history(body) else label
    return drawing(
        WIDTH,
        HEIGHT,
        body,
        standalone=standalone,
        css=css,
        data_card=card_id,
        role="img" if said else None,
        aria_label=said.replace("\n", " ") or None,
        aria_hidden=None if said else "true",
        lang=words.language,
    )


def title(name: str) -> Markup:
    """Draw the title in typewriter face, on one line or two."""
    room = WIDTH - 28
    size = next((s / 2 for s in range(30, 26, -1) if width(name, s / 2, "b m") <= room), 13.0)
    lines = wrap(name, room, size, "b m")
    first = 34 if len(lines) == 1 else 27
    return column(14, first, lines[:2], size, "b m", room=room, leading=1.15)


def cubes(value: int, owner: str) -> Markup:
    """Draw the Command value as cubes to count; those of a UN card belong to neither side and are round."""
    size, step = 20.0, 26.0
    side = {"us": 0, "ussr": 1}.get(owner)
    if value > 3:
        size, step = 14.0, min(18.0, 96 / value)
    points = [(14 + size / 2 + i * step, 72.0) for i in range(value)]
    if side is None:
        return group([el("circle", cx=x, cy=y, r=size * 0.48, class_="sq un") for x, y in points])
    return group(
        [path(icons.cube_path(side, x, y, size * (1 if side == 0 else 0.9)), f"sq {owner}") for x, y in points]
    )


def stamp(words: str, side: str) -> Markup:
    """Draw the name of the card's side as a tilted stamp."""
    wide = max(52.0, width(words, 15, "b m sp") + 16)
    left = WIDTH - 12 - wide
    return group(
        rect(left, 58, wide, 27, f"stamp {side}", 2),
        text(left + wide / 2 + 0.6, 76.5, words, 15, f"b m sp {side}", "middle"),
        transform=f"rotate(-6 {left + wide / 2:g} 72)",
    )


def face(lines: Sequence[PictogramLine], sentence: str, top: float, history: str = "") -> Markup:
    """Draw the effects of a card from `top` down: its marks, and below them its text as large as it fits.

    The historical text follows in small type if there is room for all of it.
    """
    marks_, high = lay(lines)
    under = top + high + (6.0 if lines else 0.0) + _LARGEST * 0.8
    sentence_drawn, bottom = event(sentence, under, HEIGHT - 12)
    return join(moved(14, top, marks_) if lines else None, sentence_drawn, _small_print(history, bottom + 10))


def event(sentence: str, top: float, bottom: float) -> tuple[Markup, float]:
    """Draw the event as large as it fits, with alternatives indented after bullets; return also its last baseline."""
    size = _LARGEST
    while True:
        lines = _paragraphs(sentence, size)
        last = top + (len(lines) - 1) * size * _LEADING
        if last <= bottom or size <= SMALLEST:
            break
        size -= 0.5
    drawn = group(
        text(14 + indent, top + number * size * _LEADING, words, size) for number, (indent, words) in enumerate(lines)
    )
    return drawn, last


def shows_history(picture: str) -> bool:
    """Return True if the card had room for its historical text."""
    return f'class="{_HISTORY}"' in picture


def _small_print(history: str, top: float) -> Markup:
    lines = wrap(history, WIDTH - 28, SMALLEST) if history else []
    high = len(lines) * SMALLEST * _LEADING
    first = HEIGHT - 10 - high + SMALLEST
    if not lines or first - SMALLEST - 4 < top:
        return NOTHING
    rule = line(14, first - SMALLEST - 4, 60, first - SMALLEST - 4, "rule")
    return group(rule, column(14, first, lines, SMALLEST, "mu", leading=_LEADING), css=_HISTORY)


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
