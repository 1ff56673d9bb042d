"""Whole pictures: the SVG element around a drawing that is part of a page or standalone."""

from __future__ import annotations

from brinkmanship.drawing.style import Theme, embedded
from brinkmanship.drawing.svg import NOTHING, Child, Markup, Value, el, num, rect


def drawing(
    width: float, height: float, *children: Child, standalone: Theme | None, css: str, **attributes: Value
) -> Markup:
    """Draw a picture with a transparent background; with a theme it is standalone and has its own style and size."""
    return el(
        "svg",
        el("style", Markup(embedded(standalone))) if standalone else NOTHING,
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {num(width)} {num(height)}",
        width=width if standalone else None,
        height=height if standalone else None,
        class_=f"brink {css}",
        **attributes,
    )


def sheet(
    width: float,
    height: float,
    patterns: Markup,
    *children: Child,
    standalone: Theme | None,
    css: str,
    role: str,
    label: str,
    language: str,
) -> Markup:
    """Draw a board or a graph with fill patterns; a standalone one has its own background.

    `label` is the accessible name for screen readers.
    """
    return drawing(
        width,
        height,
        patterns,
        rect(0, 0, width, height, "page") if standalone else NOTHING,
        *children,
        standalone=standalone,
        css=css,
        role=role,
        aria_label=label,
        lang=language,
    )
