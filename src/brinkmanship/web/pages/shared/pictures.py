"""Boards and cards on a page. The map outlines are embedded once per page; all boards refer to them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from html import escape
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.drawing import BoardRequest, LayoutName, drawing_of
from brinkmanship.drawing.card_frame import shows_history
from brinkmanship.drawing.overview import Overview
from brinkmanship.drawing.pictogram import LegendEntry, keys_of
from brinkmanship.drawing.style import Theme
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.text import AgendaText, CardText, Words, agendas_of, cards_of
from brinkmanship.web.jobs.process_pool import PICTURE, process_pool
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.support.lru_cache import LruCache

HERE = "here"
"""Placeholder for the address of outlines that are embedded in the page."""
MAX_PREVIEWS = 128
"""Maximum cached previews of links; one takes about a hundred kilobytes."""
_previews: LruCache[str, bytes] = LruCache(MAX_PREVIEWS)


@lru_cache(16)
def outlines(game: Game) -> Markup:
    """Return the outlines that the boards of a page refer to; empty for games without."""
    return Markup(drawing_of(game).coast_file())


def board(
    game: Game,
    view: State,
    side: int,
    words: Words,
    layout: LayoutName,
    *,
    plays: Sequence[object] = (),
    highlights: Collection[str] = (),
    ghosts: State | None = None,
) -> Markup:
    """Return the board for a page that embeds the `outlines`; see `Drawing.board`."""
    request = BoardRequest(layout=layout, plays=plays, highlights=highlights, ghosts=ghosts, coast=HERE)
    return at_home(drawing_of(game).board(game, view, side, words, request))


def overview(
    game: Game,
    view: State,
    side: int,
    words: Words,
    layout: LayoutName,
    *,
    plays: Sequence[object] = (),
    highlights: Collection[str] = (),
    ghosts: State | None = None,
) -> Overview | None:
    """Return the lines and lists for a small screen; None on a wide one, and if the board shows everything."""
    if layout != "narrow":
        return None
    request = BoardRequest(layout=layout, plays=plays, highlights=highlights, ghosts=ghosts)
    found = drawing_of(game).overview(game, view, side, words, request)
    return found if found.tabs else None


def changed_between(game: Game, before: State, after: State, side: int, words: Words) -> frozenset[str]:
    """Return the things of the board that differ between two views of a side, by `Row.mark`."""
    found = overview(game, before, side, words, "narrow", ghosts=after)
    rows = [row for tab in found.tabs for part in tab.parts for row in part.rows] if found else []
    return frozenset(row.mark for row in rows if row.changed)


def marked(drawn: Markup, changed: Collection[str], label: str) -> Markup:
    """Return a board whose changed things have the class `recent`, and say so in their texts.

    It finds them by the attributes that each thing of a board has, so that no drawing needs to know of it.
    """
    if not changed:
        return drawn
    head, *groups = str(drawn).split("<g ")
    return Markup("<g ".join([head, *(_marked_group(group, changed, escape(label)) for group in groups)]))


def _marked_group(group: str, changed: Collection[str], label: str) -> str:
    """Return a group, from its attributes on, marked if it is one of the changed things."""
    attributes, end, rest = group.partition(">")
    thing = _value(attributes, "data-place") or _value(attributes, "data-track")
    whose = _value(attributes, "data-whose")
    if (f"{thing}:{whose}" if whose else thing) not in changed or "aria-hidden" in attributes:
        return group
    attributes = attributes.replace('class="', 'class="recent ', 1)
    for name, joint in (("data-tell", "\n"), ("aria-label", ". ")):
        if text := _value(attributes, name):
            attributes = attributes.replace(f'{name}="{text}"', f'{name}="{text}{joint}{label}"', 1)
    return f"{attributes}{end}{rest}"


def _value(attributes: str, name: str) -> str:
    """Return the value of an attribute, or "" if there is none."""
    return attributes.partition(f'{name}="')[2].partition('"')[0]


def at_home(drawn: str) -> Markup:
    """Return a picture drawn with the outlines `HERE`, with references into the page."""
    return Markup(drawn.replace(f'"{HERE}#', '"#'))


async def preview_of_link(request: Request, draw: Callable[[], str]) -> Response:
    """Return the preview of a link as PNG, drawn by another process; `draw` returns it as SVG (see `link_preview`).

    Raises:
        TooManyError: too many previews are requested at once.
    """
    made = await services_of(request).previews.do(partial(_png, draw))
    return Response(made, media_type="image/png")


def _png(draw: Callable[[], str]) -> bytes:
    drawn = draw().encode()
    content = hashlib.sha256(drawn).hexdigest()
    return _previews.get(content) or _previews.keep(content, process_pool().submit(PICTURE, drawn).result())


HISTORY_COOKIE = "history"
"""Cookie for historical texts: "off" hides them; any other value shows them."""


def tells_history(request: Request) -> bool:
    """Return True if this browser shows historical texts."""
    return request.cookies.get(HISTORY_COOKIE) != "off"


class CardView(NamedTuple):
    """A card in the large view, with all its texts."""

    picture: Markup
    history: str
    """Historical text, if enabled and too long for the card."""
    legend: tuple[LegendEntry, ...]
    """Meaning of its pictograms."""


@lru_cache(1000)
def card_view(game: Game, kind: str, id: str, words: Words, tells: bool) -> CardView:
    """Return a card or an agenda, with its history if enabled, and its pictograms explained.

    Raises:
        NotFoundError: the game has no such card or agenda.
    """
    drawing = drawing_of(game)
    texts: Sequence[CardText | AgendaText] = agendas_of(game, words) if kind == "agenda" else cards_of(game, words)
    history = next((text.history for text in texts if text.id == id), "") if tells else ""
    picture = card_picture(game, kind, id, words, history=history)
    try:
        marks = keys_of(drawing.pictogram(game, kind, id))
    except (StopIteration, KeyError):
        marks = keys_of(())  # not a real card, e.g. a card used only for bidding
    return CardView(
        picture, "" if shows_history(picture) else history, tuple(drawing.explain(game, words, list(marks)))
    )


@lru_cache(2000)
def card_picture(game: Game, kind: str, id: str, words: Words, alone: bool = False, *, history: str = "") -> Markup:
    """Return the picture of a card or an agenda.

    Args:
        game: the ruleset.
        kind: "card" or "agenda".
        id: its id.
        words: texts of the ruleset.
        alone: True for a standalone file with its own colours.
        history: historical text, drawn if there is room.

    Raises:
        NotFoundError: the game has no such card or agenda.
    """
    drawing = drawing_of(game)
    draw = {"card": drawing.card, "agenda": drawing.agenda}.get(kind)
    if draw is None:
        raise NotFoundError(f"there is no {kind} in {game.title}")
    theme: Theme | None = "auto" if alone else None
    try:
        return Markup(draw(game, id, words, history=history, standalone=theme))
    except (StopIteration, KeyError, BrinkError) as error:
        raise NotFoundError(f"there is no {kind} {id}") from error
