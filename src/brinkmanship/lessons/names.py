"""Names in the texts of lessons that light up what they name on the page.

A text marks a name like a link: ``[Italy](place:italy)``. The target is an attribute of the drawings and its value,
here ``data-place="italy"``; ``*`` stands for every value, and spaces separate several targets. The target ``card:id``
is a card in the hand, or the battleground that it has become.
"""

from __future__ import annotations

import re
from typing import NamedTuple

EVERY = "*"
"""The id in a target that stands for every value."""
_MARK = re.compile(r"\[([^\[\]]+)\]\(([a-z]+:[\w*]+(?: [a-z]+:[\w*]+)*)\)")


class Piece(NamedTuple):
    """A part of a text: a name with its targets, or the text between names."""

    text: str
    targets: tuple[str, ...] = ()

    @property
    def card(self) -> str:
        """The id of the card it names; "" if it names something else."""
        kind, _, id = self.targets[0].partition(":") if self.targets else ("", "", "")
        return id if kind == "card" else ""


def mark(name: str, *targets: str) -> str:
    """Return a name marked with its targets."""
    return f"[{name}]({' '.join(targets)})"


def pieces_of(text: str) -> list[Piece]:
    """Return a text in pieces."""
    pieces, end = [], 0
    for found in _MARK.finditer(text):
        pieces.append(Piece(text[end : found.start()]))
        pieces.append(Piece(found[1], tuple(found[2].split())))
        end = found.end()
    pieces.append(Piece(text[end:]))
    return [piece for piece in pieces if piece.text]
