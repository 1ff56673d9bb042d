"""Reference pages of a game: rules, cards, rulings."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache, partial
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple

from babel.dates import format_date
from markupsafe import Markup
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing import LayoutName, drawing_of
from brinkmanship.drawing.card_frame import shows_history
from brinkmanship.drawing.emblem import emblem
from brinkmanship.drawing.pictogram import LegendEntry, keys_of
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kits
from brinkmanship.lessons import has_lesson
from brinkmanship.store import repository
from brinkmanship.text import MissingTextError, RuleSection, Words, agendas_of, cards_of, rules_of, rulings_of
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.lists import linked_in, listed_rows
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import HERE, HISTORY_COOKIE, at_home, outlines, tells_history
from brinkmanship.web.pages.shared.rendering import books_of, layout_of, local_path, page, run_in_pool
from brinkmanship.web.presentation.data_files import has_workshop
from brinkmanship.web.presentation.moments import date_locale
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.support.markdown import html

router = PageRouter()

MARKS = ("known", "reconstructed", "disputed")
"""Certainty levels of a field of a printed card."""
_PICTURE = re.compile(r"^\{picture:(\w+)\}\n*", re.MULTILINE)


class GameBooks(NamedTuple):
    """A game with its reference pages."""

    id: str
    title: str
    emblem: Markup
    books: list[str]
    has_workshop: bool
    """True if its cards or scenario can be edited in the browser."""


class RulesSection(NamedTuple):
    """A section of the rules for display."""

    id: str
    level: int
    title: str
    body: Markup


class CardPicture(NamedTuple):
    """A card or an agenda with its picture."""

    id: str
    name: str
    side: str
    copies: int
    picture: Markup
    history: str = ""
    """Historical text, if enabled and too long for the card."""
    known: tuple[str, ...] = ()
    """Fields of the printed card found in a source; empty if all are."""
    reconstructed: tuple[str, ...] = ()
    """Fields not found in a source."""
    disputed: tuple[str, ...] = ()
    """Fields on which printed sources disagree."""


class DatedEvent(NamedTuple):
    """A dated event of a card or an agenda."""

    day: date
    anchor: str
    """Anchor on the page of cards."""
    name: str
    history: str


def _with_book(request: Request, game_id: str, book: str) -> Game:
    """Return the ruleset of a game that has such a reference page.

    Raises:
        NotFoundError: there is no such game, or it has no such page.
    """
    game = game_by_id(request, game_id)
    if book not in books_of(game):
        raise NotFoundError(f"{game_id} has no page of {book}")
    return game


@router.get("/library")
async def library(request: Request, who: Person | None) -> Response:
    """Show all reference pages and finished games."""
    own = page_words(language_of(request, who))
    games = [game_by_id(request, game_id) for game_id in kits()]
    shelves = [
        GameBooks(
            game.id,
            title_of(game, own),
            Markup(emblem(game.id, ids=f"{game.id}-")),
            books_of(game),
            has_workshop(game.id),
        )
        for game in games
    ]
    finished = await asyncio.to_thread(repository.finished_tables, services_of(request).engine)
    rows = listed_rows(request, finished, who, own.language)
    linked = await linked_in(request, rows)
    return page(request, "library/library.html", who, shelves=shelves, finished=rows, linked=linked)


@router.get("/rules/{game_id}")
async def rules(request: Request, who: Person | None, game_id: str) -> Response:
    """Show the rules as implemented here."""
    return await run_in_pool(request, partial(_rules_page, request, who, _with_book(request, game_id, "rules")))


def _rules_page(request: Request, who: Person | None, game: Game) -> Response:
    parts = rules_in_parts(game, game_words(game, language_of(request, who)), layout_of(request))
    return reading(request, who, "library/rules.html", game, parts=parts, outlines=outlines(game))


@lru_cache(64)
def rules_in_parts(game: Game, words: Words, layout: LayoutName) -> list[RulesSection]:
    """Return the rules of a ruleset in sections, for display."""
    parts = []
    for section in rules_of(game, words.language):
        pictures = [_illustration(game, name, words, layout) for name in _PICTURE.findall(section.text)]
        parts.append(RulesSection(section.id, section.level, section.title, _body(section, pictures)))
    return parts


@lru_cache(256)
def rule_in_words(game: Game, words: Words, section_id: str) -> RulesSection | None:
    """Return a section of the rules without its pictures, or None."""
    for section in rules_of(game, words.language) if section_id else ():
        if section.id == section_id:
            return RulesSection(section.id, section.level, section.title, html(_PICTURE.sub("", section.text)))
    return None


def _illustration(game: Game, name: str, words: Words, layout: LayoutName) -> Markup:
    """Return a picture of the rules with its caption if any; empty if a placeholder has no picture yet."""
    try:
        picture = at_home(drawing_of(game).illustration(game, name, words, layout, HERE))
    except KeyError:
        return Markup("")
    with suppress(MissingTextError):
        picture += Markup("<figcaption>{}</figcaption>").format(words.sentence(Message(f"picture.{name}")))
    return picture


def _body(section: RuleSection, pictures: list[Markup]) -> Markup:
    """Return the text of a section with its pictures at their placeholders."""
    pieces = [html(piece) for piece in _PICTURE.split(section.text)[::2]]
    body = pieces[0]
    for name, picture, piece in zip(_PICTURE.findall(section.text), pictures, pieces[1:], strict=True):
        if picture:
            body += Markup('<figure class="illustration {}">{}</figure>').format(name, picture)
        body += piece
    return body


@router.get("/cards/{game_id}")
async def cards(
    request: Request, who: Person | None, game_id: str, side: Annotated[str, Meta(max_length=12)] | None = None
) -> Response:
    """Show every card, or those of one side, and the agendas; also designed for print."""
    game = _with_book(request, game_id, "cards")
    return await run_in_pool(request, partial(cards_page, request, who, game, side, f"/cards/{game_id}"))


def cards_page(request: Request, who: Person | None, game: Game, side: str | None, address: str) -> Response:
    """Return the page of a ruleset's cards.

    Args:
        request: the request.
        who: the user.
        game: the ruleset.
        side: show only cards of this side; None for all.
        address: address of the page.
    """
    words = game_words(game, language_of(request, who))
    tells = tells_history(request)
    drawn, agendas = _cards(game, words, tells)
    others = dict.fromkeys(card.side for card in drawn if card.side and card.side not in game.sides)
    sides = {id: words.name("side", id) for id in (*game.sides, *others)}
    if side is not None and side not in sides:
        raise NotFoundError(f"there are no cards of {side}; there are cards of {', '.join(sides)}")
    shown = [card for card in drawn if side in (None, card.side)]
    return reading(
        request,
        who,
        "library/cards.html",
        game,
        cards=shown,
        count=len(shown),
        agendas=agendas,
        sides=sides,
        side=side,
        marks=_about_marks(shown, words),
        legend=_legend(game, words),
        address=address,
        dated=bool(_dated_events(game, words)) and not game.data_file,
        has_history=any(card.history for card in cards_of(game, words)),
        tells=tells,
    )


@router.get("/cards/{game_id}/days")
async def days(request: Request, who: Person | None, game_id: str) -> Response:
    """Show the crisis day by day, from the texts of its cards."""
    return await run_in_pool(request, partial(_days_page, request, who, game_by_id(request, game_id)))


def _days_page(request: Request, who: Person | None, game: Game) -> Response:
    words = game_words(game, language_of(request, who))
    told = _dated_events(game, words)
    if not told:
        raise NotFoundError(f"no card of {game.id} has a date")
    locale = date_locale(words.language)
    days = {format_date(day, "long", locale): list(entries) for day, entries in groupby(told, lambda entry: entry.day)}
    return reading(request, who, "library/timeline.html", game, days=days)


@lru_cache(64)
def _dated_events(game: Game, words: Words) -> list[DatedEvent]:
    """Return the dated events of cards and agendas in chronological order."""
    told = [
        *(DatedEvent(card.day, card.id, card.name, card.history) for card in cards_of(game, words) if card.day),
        *(DatedEvent(one.day, f"agenda-{one.id}", one.name, one.history) for one in agendas_of(game, words) if one.day),
    ]
    return sorted(told, key=lambda entry: entry.day)


@router.post("/cards/history", is_open=True)
async def choose_history(
    shown: Literal["on", "off"],
    back: Annotated[str, Meta(max_length=300)] = "/library",
) -> Response:
    """Show or hide historical texts below the cards; the browser remembers the choice."""
    response = RedirectResponse(local_path(back), 303)
    response.set_cookie(HISTORY_COOKIE, shown, max_age=365 * 24 * 3600, samesite="lax")
    return response


@lru_cache(64)
def _cards(game: Game, words: Words, tells: bool) -> tuple[list[CardPicture], list[CardPicture]]:
    drawing = drawing_of(game)
    cards, agendas = [], []
    for card in cards_of(game, words):
        picture = drawing.card(game, card.id, words, history=card.history if tells else "")
        below = "" if shows_history(picture) or not tells else card.history
        marks = (_fields(card.status, mark, words) for mark in MARKS)
        cards.append(CardPicture(card.id, card.name, card.side, 1, Markup(picture), below, *marks))
    for agenda in agendas_of(game, words):
        picture = drawing.agenda(game, agenda.id, words, history=agenda.history if tells else "")
        below = "" if shows_history(picture) or not tells else agenda.history
        agendas.append(CardPicture(agenda.id, agenda.name, "", agenda.copies, Markup(picture), below))
    return cards, agendas


def _fields(status: Mapping[str, str], mark: str, words: Words) -> tuple[str, ...]:
    return tuple(words.text(Message(f"field.{name}")) for name, found in status.items() if found == mark)


def _about_marks(cards: list[CardPicture], words: Words) -> dict[str, str]:
    """Return the explanations of the certainty marks found on the cards."""
    found = [mark for mark in MARKS if any(getattr(card, mark) for card in cards)]
    keys = (*found, *(f"{mark}.why" for mark in found), *(["about"] if "reconstructed" in found else []))
    return {key: words.sentence(Message(f"status.{key}")) for key in keys}


@lru_cache(64)
def _legend(game: Game, words: Words) -> Sequence[LegendEntry]:
    """Return the legend of the pictograms of all cards and agendas."""
    drawing = drawing_of(game)
    cards = [line for card in cards_of(game, words) for line in drawing.pictogram(game, "card", card.id)]
    agendas = [line for agenda in agendas_of(game, words) for line in drawing.pictogram(game, "agenda", agenda.id)]
    return drawing.explain(game, words, keys_of([*cards, *agendas]))


@router.get("/rulings/{game_id}")
async def rulings(request: Request, who: Person | None, game_id: str) -> Response:
    """Show how points that the printed rules leave open are decided, and which of them are options."""
    return await run_in_pool(request, partial(_rulings_page, request, who, _with_book(request, game_id, "rulings")))


def _rulings_page(request: Request, who: Person | None, game: Game) -> Response:
    found = rulings_of(game, game_words(game, language_of(request, who)))
    topics: dict[str, list[Any]] = {}
    for ruling in found:
        topics.setdefault(ruling.topic, []).append(ruling)
    return reading(request, who, "library/rulings.html", game, topics=topics)


def reading(
    request: Request, who: Person | None, template: str, game: Game, *, status: int = 200, **context: Any
) -> Response:
    """Render a reference page of a game, with links to the other ones."""
    title = title_of(game, page_words(language_of(request, who)))
    return page(
        request,
        template,
        who,
        status=status,
        game_id=game.id,
        title=title,
        layout=layout_of(request),
        lesson=has_lesson(game.id),
        workshop=has_workshop(game.id),
        **context,
    )
