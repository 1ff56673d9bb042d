"""Whole pictures: the SVG element around a drawing, which is part of a page or stands alone."""

from __future__ import annotations

from brinkmanship.drawing.style import Theme, embedded
from brinkmanship.drawing.svg import NOTHING, Child, Markup, Value, el, num, rect


def drawing(
    width: float, height: float, *children: Child, standalone: Theme | None, css: str, **attributes: Value
) -> Markup:
    """A picture on whatever lies under it; one that stands alone, in a theme, brings its style and its size."""
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
    """A board or a graph: a picture with patterns to fill with; one that stands alone lies on a ground of its own.

    `label` is what a screen reader says.
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
