"""A small SVG builder: elements as text; everything not built here is escaped.

>>> str(el("text", "Tom & Jerry", x=1.50, class_="name"))
'<text x="1.5" class="name">Tom &amp; Jerry</text>'
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape

Value = str | float | None


class Markup(str):
    """Finished SVG. A plain `str` is text, and is escaped wherever it is inserted."""

    __slots__ = ()


Child = str | Markup | Iterable["Child"] | None

NOTHING = Markup("")


def el(tag: str, /, *children: Child, **attributes: Value) -> Markup:
    """Build an element; ``class_`` means ``class``, ``data_place`` ``data-place``, and None omits an attribute."""
    parts = ["<", tag]
    for name, value in attributes.items():
        if value is not None:
            text = escape(value) if isinstance(value, str) else num(value)
            parts.append(f' {_name(name)}="{text}"')
    inside = "".join(_flat(children)) if children else ""
    parts.append(f">{inside}</{tag}>" if inside else "/>")
    return Markup("".join(parts))


def join(*children: Child) -> Markup:
    """Concatenate elements and texts."""
    return Markup("".join(_flat(children)))


@lru_cache(8192)
def num(value: float) -> str:
    """Format a number with at most two decimals and no trailing zeros."""
    rounded = round(value, 2)
    whole = int(rounded)
    return str(whole) if rounded == whole else repr(rounded)


@lru_cache(1024)
def rect(x: float, y: float, width: float, height: float, css: str, rx: float | None = None, **more: Value) -> Markup:
    """Build a rectangle."""
    return el("rect", x=x, y=y, width=width, height=height, rx=rx, class_=css, **more)


@lru_cache(4096)
def line(x1: float, y1: float, x2: float, y2: float, css: str, **more: Value) -> Markup:
    """Build a straight line, as a path because that is shorter."""
    return el("path", d=f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}", class_=css, **more)


@lru_cache(4096)
def path(d: str, css: str, **more: Value) -> Markup:
    """Build a path."""
    return el("path", d=d, class_=css, **more)


def group(*children: Child, css: str | None = None, **attributes: Value) -> Markup:
    """Build a group; nothing if it has no children."""
    inside = join(*children)
    return el("g", inside, class_=css, **attributes) if inside else NOTHING


def moved(x: float, y: float, *children: Child, **attributes: Value) -> Markup:
    """Build a group with its origin translated to a point."""
    return el("g", *children, transform=f"translate({num(x)} {num(y)})", **attributes)


def _flat(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Markup):
            yield child
        elif isinstance(child, str):
            yield escape(child, quote=False)
        else:
            yield from _flat(child)


@cache
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
