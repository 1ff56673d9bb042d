"""Small shapes with the same meaning in all games: cubes, kinds, flags, the letter, backs of cards.

The US is square with a light edge, the USSR a diamond with a dark one; military is a chevron, political a column,
world opinion a speech mark.
"""

from __future__ import annotations

from functools import cache, lru_cache

from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import Markup, el, group, join, line, num, path, rect

SIDE_CSS = ("us", "ussr")
"""CSS classes and id parts of the first and the second side, in every game."""

_KINDS = {  # in a square of 14
    "military": "M0 8.2L7 1.8l7 6.4v4.4L7 6.4 0 12.6z",
    "political": "M7 0l7 4v1.6H0V4zM1.2 6.8h2.7v4.6H1.2zM5.65 6.8h2.7v4.6h-2.7zM10.1 6.8h2.7v4.6h-2.7zM0 12.4h14V14H0z",
    "world_opinion": "M1 1h12q1 0 1 1v6.5q0 1-1 1H7.5L3.4 13.4V9.5H1q-1 0-1-1V2q0-1 1-1z",
}


@lru_cache(8192)
def cube_path(side: int, x: float, y: float, size: float) -> str:
    """Return the outline of a cube around a point; a diamond is slightly larger, to look as heavy as a square."""
    if side == 0:
        half = size / 2
        return f"M{num(x - half)} {num(y - half)}h{num(size)}v{num(size)}h{num(-size)}z"
    half = size * 0.64
    step = num(half)
    return f"M{num(x)} {num(y - half)}l{step} {step}l-{step} {step}l-{step}-{step}z"


@lru_cache(2048)
def cube(side: int, x: float, y: float, size: float, css: str = "", id: str | None = None) -> Markup:
    """Draw a cube, or a marker, of a side around a point."""
    return path(cube_path(side, x, y, size), f"c {SIDE_CSS[side]}{' ' + css if css else ''}", id=id)


def slots(side: int, points: list[tuple[float, float]]) -> Markup:
    """Draw free places for cubes of a side as dots."""
    if not points:
        return Markup("")
    return path("".join(f"M{num(x)} {num(y)}h0" for x, y in points), f"free {SIDE_CSS[side]}")


def crossed(x: float, y: float, size: float) -> Markup:
    """Draw a stroke through a cube that is about to leave."""
    half = size * 0.55
    return line(x - half, y + half, x + half, y - half, "gone")


@lru_cache(1024)
def kind(track: str, x: float, y: float, size: float = 14) -> Markup:
    """Draw the shape of a kind of battleground, its top left corner at a point."""
    scale = f" scale({num(size / 14)})" if size != 14 else ""
    return path(_KINDS[track], track, transform=f"translate({num(x)} {num(y)}){scale}")


@lru_cache(1024)
def flag(side: int, x: float, y: float, title: str, *, mine: bool = False, low: bool = False) -> Markup:
    """Draw an agenda flag whose pole stands at a point; with a star if it is the agenda the viewer has chosen.

    A `low` one fits above a line of text.
    """
    pole, half = (9.5, 4.0) if low else (17.0, 4.5)
    cloth = f"h13l-3 {num(half)}l3 {num(half)}h-13z" if side == 0 else f"l14 {num(half)}l-14 {num(half)}z"
    star = path(
        f"M{num(x + 4.6)} {num(y - pole + half - 2.3)}l.9 2h2.1l-1.6 1.4.6 2.1-2-1.2-2 1.2.6-2.1-1.6-1.4h2.1z", "star"
    )
    return group(
        el("title", title),
        line(x, y, x, y - pole, "pole"),
        path(f"M{num(x)} {num(y - pole)}{cloth}", f"cloth {SIDE_CSS[side]}"),
        star if mine else None,
        css="flag mine" if mine else "flag",
    )


def envelope(x: float, y: float, width_: float = 24) -> Markup:
    """Draw a sealed letter, its top left corner at a point."""
    w, h = width_, width_ * 0.66
    return join(
        rect(x, y, w, h, "paperlike", 1),
        path(f"M{num(x)} {num(y + 0.5)}l{num(w / 2)} {num(h * 0.58)}l{num(w / 2)}-{num(h * 0.58)}", "thin"),
    )


def backs(count: int, x: float, y: float, css: str, step: float = 8) -> Markup:
    """Draw `count` cards face down, slightly fanned."""
    return join(rect(x + number * step, y, 10.5, 14, f"back {css}", 1.5) for number in range(count))


def warning(x: float, y: float, *, grave: bool) -> Markup:
    """Draw a triangle with an exclamation mark, filled if the danger is `grave`."""
    sign = text(x + 7, y + 11.9, "!", 13.5, "b on" if grave else "b", "middle")
    return join(path(f"M{num(x + 7)} {num(y)}l7 12.6h-14z", "warn" if grave else "warn off"), sign)


def culprit(x: float, y: float, radius: float) -> Markup:
    """Draw a ring around the marker that decided a finished game."""
    return el("circle", cx=x, cy=y, r=radius, class_="culprit")


def tag(x: float, y: float, content: str, css: str = "", size: float = 11.5) -> Markup:
    """Draw a small label in a frame, its top left corner at a point."""
    return group(rect(x, y, tag_width(content, css, size), 18.5, "tag", 2), text(x + 6, y + 13.8, content, size, css))


def tag_width(content: str, css: str = "", size: float = 11.5) -> float:
    """Return the width of a tag."""
    return width(content, size, css) + 12


def note_lines(side: int, x: float, y: float, size: float) -> Markup:
    """Draw lines of typing on a small shape: the mark of an event."""
    half = size * 0.27
    d = "".join(f"M{num(x - half)} {num(y + dy)}h{num(2 * half if dy < 1.5 else half)}" for dy in (-2.6, 0.2, 3.0))
    return path(d, f"note {SIDE_CSS[side]}")


@cache
def patterns(ids: str) -> Markup:
    """Draw the hatching and the dots that mean danger, to be defined once in a drawing."""
    hatch = path("M-2 2l4-4M0 8l8-8M6 10l4-4", "hatch")
    dots = el("circle", cx=3, cy=3, r=0.9, class_="dots")
    return el(
        "defs",
        el("pattern", hatch, id=f"{ids}hatch", width=8, height=8, patternUnits="userSpaceOnUse"),
        el("pattern", dots, id=f"{ids}dots", width=6, height=6, patternUnits="userSpaceOnUse"),
    )
