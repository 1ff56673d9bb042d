"""Options of a board picture: layout, record, highlights, ghosts, theme."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.style import Theme
from brinkmanship.engine.record import State

P = TypeVar("P")


@dataclass(frozen=True, kw_only=True)
class BoardRequest(Generic[P]):
    """Options for drawing a board. `P` is an entry of its record, such as a play."""

    layout: LayoutName = "wide"
    plays: Sequence[P] = ()
    """The record so far."""
    highlights: Collection[str] = ()
    """Ids of the places that can be clicked."""
    ghosts: State | None = None
    """View after an action, drawn as the changes it would make; None for the position alone."""
    standalone: Theme | None = None
    """Theme of a standalone picture, with its own style and background; None in a page with `style.stylesheet`."""
    ids: str = ""
    """Prefix of every id in the picture, for a page that holds several."""
    coast: str = ""
    """Address of the coastlines (`Drawing.coast_file`); empty to include them in the picture itself."""


PLAIN: BoardRequest[Any] = BoardRequest()
"""The wide board of a page, with nothing beside the position."""
