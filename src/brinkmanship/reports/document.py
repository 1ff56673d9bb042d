"""Documents: the parts of a report as data, and the templates that render them as one HTML file.

Texts are escaped; a text that is already HTML is a `Markup`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

PACKAGE = Path(__file__).parents[1]
"""Base folder of the paths of templates, styles and scripts: "reports/report.html"."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content Security Policy of a page without a script."""

_environment = Environment(
    loader=FileSystemLoader(PACKAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


class ReportTable(NamedTuple):
    """A table. The first cell of a row is its heading; all others hold numbers, except for a plot."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    has_plot: bool = False
    """True if the second column holds drawings."""


class Figure(NamedTuple):
    """A drawing with its caption."""

    svg: Markup
    caption: str = ""
    legend: Sequence[str] = ()


class SectionPart(NamedTuple):
    """A part of a section; a document shows its fields in this order, each where it is filled."""

    title: str = ""
    headline: str = ""
    """The finding, in large letters."""
    paragraphs: Sequence[str] = ()
    legend: Sequence[str] = ()
    figure: Figure | None = None
    table: ReportTable | None = None
    items: Sequence[str] = ()
    """Sentences, as a list."""


class Section(NamedTuple):
    """A section with its own heading."""

    title: str
    introduction: str
    """The measure of the section, in one paragraph; may be empty."""
    parts: Sequence[SectionPart]


def document(title: str, language: str, head: Sequence[SectionPart], sections: Sequence[Section]) -> str:
    """Return a report as one HTML file.

    Args:
        title: the heading of the page.
        language: the code of its language.
        head: parts before the first section.
        sections: the sections; one whose parts are all empty is left out.
    """
    shown = [section for section in sections if any(part != SectionPart() for part in section.parts)]
    style = Markup("\n").join(source(f"reports/{name}.css") for name in ("base", "report"))
    return render(
        "reports/report.html", title=title, language=language, policy=POLICY, style=style, head=head, sections=shown
    )


def render(template: str, **context: Any) -> str:
    """Return the text of a rendered template; a page extends `reports/base.html`."""
    return _environment.get_template(template).render(context)


@cache
def source(path: str) -> Markup:
    """Return a style or a script of the package, for embedding in a page."""
    return Markup((PACKAGE / path).read_text("utf-8"))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], has_plot: bool = False) -> ReportTable | None:
    """Return a table, or None if it would have no rows."""
    listed = [*rows]
    return ReportTable(heads, listed, has_plot) if listed else None


def number(language: str, value: float, pattern: str = "0.0") -> str:
    """Return a number in the format of a language, with a true minus."""
    return format_decimal(value, pattern, language).replace("-", "−")
