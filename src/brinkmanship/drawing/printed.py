"""Parts of a game to print and cut out: cards with their backs, counters, and the rows of a score sheet."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.drawing.svg import Child, Markup, el, num


class PrintedCard(NamedTuple):
    """A card to print, with its back."""

    front: str
    back: str
    copies: int = 1


class Counter(NamedTuple):
    """Equal counters to print and cut out."""

    name: str
    """Heading of their rows."""
    picture: Markup
    copies: int
    width: float = 14.0
    """Width (mm)."""
    height: float = 14.0
    """Height (mm)."""


class ScoreSheet(NamedTuple):
    """Lines that players fill in during a game."""

    columns: tuple[str, ...]
    """Values of each side."""
    shared: tuple[str, ...] = ()
    """Values that both sides share."""
    spans: int = 0
    """Number of rounds or turns (`Narrator.span`), a row each."""
    rows: tuple[str, ...] = ()
    """Further rows."""


def counter_picture(width: float, height: float, *children: Child) -> Markup:
    """Draw the face of a counter, in drawing units."""
    view = f"0 0 {num(width)} {num(height)}"
    return el(
        "svg", *children, xmlns="http://www.w3.org/2000/svg", viewBox=view, class_="brink face", aria_hidden="true"
    )
