"""Boards and cards on a page: the outlines of the land stand once in the page, and every board points to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from brinkmanship.drawing import BoardRequest, LayoutName, drawing_of
from brinkmanship.drawing.card_frame import shows_history
from brinkmanship.drawing.overview import Overview
from brinkmanship.drawing.pictogram import Explained, keys_of
from brinkmanship.drawing.style import Theme
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.text import AgendaText, CardText, Words, agendas_of, cards_of
from brinkmanship.web.support.errors import NotFoundError

HERE = "here"
"""Stands for the address of the outlines, which are in the page itself."""


@lru_cache(16)
def outlines(game: Game) -> Markup:
    """What the boards of a page point to; empty for games without."""
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
    """The board for a page that holds the `outlines`; see `Drawing.board`."""
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
    """The lines and lists of a small screen; None on a wide one, and where the game's board is all there is."""
    if layout != "narrow":
        return None
    request = BoardRequest(layout=layout, plays=plays, highlights=highlights, ghosts=ghosts)
    found = drawing_of(game).overview(game, view, side, words, request)
    return found if found.tabs else None


def at_home(drawn: str) -> Markup:
    """A picture that was drawn with the outlines `HERE`."""
    return Markup(drawn.replace(f'"{HERE}#', '"#'))


HISTORY_COOKIE = "history"
"""Whether the historical texts are shown: "off", else they are."""


def tells_history(request: Request) -> bool:
    """Whether this browser wants to read what is behind the cards."""
    return request.cookies.get(HISTORY_COOKIE) != "off"


class CardView(NamedTuple):
    """A card as one looks at it: large, with all there is to say of it."""

    picture: Markup
    history: str
    """What is behind it, if it is told and the card had no room for it."""
    legend: tuple[Explained, ...]
    """What its marks mean."""


@lru_cache(1000)
def card_view(game: Game, kind: str, id: str, words: Words, tells: bool) -> CardView:
    """A card or an agenda with its history, if the reader wants it, and its marks explained.

    Raises:
        NotFoundError: the game has no such thing.
    """
    drawing = drawing_of(game)
    texts: Sequence[CardText | AgendaText] = agendas_of(game, words) if kind == "agenda" else cards_of(game, words)
    history = next((text.history for text in texts if text.id == id), "") if tells else ""
    picture = card_picture(game, kind, id, words, history=history)
    try:
        marks = keys_of(drawing.pictogram(game, kind, id))
    except (StopIteration, KeyError):
        marks = keys_of(())  # what is no card of its own, as a card one only bids with
    return CardView(
        picture, "" if shows_history(picture) else history, tuple(drawing.explain(game, words, list(marks)))
    )


@lru_cache(2000)
def card_picture(game: Game, kind: str, id: str, words: Words, alone: bool = False, *, history: str = "") -> Markup:
    """A card or an agenda; `alone` for a file of its own, which brings its colours; with `history` where there is room.

    Raises:
        NotFoundError: the game has no such thing.
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
