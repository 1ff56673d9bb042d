"""What one reads beside the game: the rules, all cards, the rulings."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from markupsafe import Markup

from brinkmanship.draw import drawing_of
from brinkmanship.draw.emblems import emblem
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games import GAMES
from brinkmanship.store import repository
from brinkmanship.text import MissingTextError, RuleSection, Words, agendas_of, cards_of, rules_of, rulings_of
from brinkmanship.web.errors import NotFoundError
from brinkmanship.web.identity import Visitor, language_of, service
from brinkmanship.web.lessons import has_lesson
from brinkmanship.web.markdown import html
from brinkmanship.web.pages.home import listed_row
from brinkmanship.web.pages.pictures import HERE, at_home, outlines
from brinkmanship.web.pages.render import books_of, game_words, layout_of, page, page_words, title_of

router = APIRouter()

MARKS = ("known", "reconstructed")
"""How sure a field of a printed card is."""

_PICTURE = re.compile(r"^\{picture:(\w+)\}\n*", re.MULTILINE)


class Shelf(NamedTuple):
    """A game with all there is to read about it."""

    id: str
    title: str
    emblem: Markup
    books: list[str]


class Part(NamedTuple):
    """A section of the rules as it is shown."""

    id: str
    level: int
    title: str
    body: Markup


class Pictured(NamedTuple):
    """A card or an agenda with its picture."""

    id: str
    name: str
    side: str
    copies: int
    picture: Markup
    history: str = ""
    known: tuple[str, ...] = ()
    """What of the printed card stands in a source; empty where all does."""
    reconstructed: tuple[str, ...] = ()
    """What of it does not."""


def game_by_id(request: Request, game_id: str) -> Game:
    """The ruleset with all options at their defaults.

    Raises:
        NotFoundError: there is no such game.
    """
    if game_id not in GAMES:
        raise NotFoundError(f"there is no game {game_id}; the games are {', '.join(GAMES)}")
    return service(request).ruleset(game_id, {})


@router.get("/library")
async def library(request: Request, who: Visitor) -> Response:
    """Everything there is to read."""
    own = page_words(language_of(request, who))
    games = [game_by_id(request, game_id) for game_id in GAMES]
    shelves = [
        Shelf(game.id, title_of(game, own), Markup(emblem(game.id, ids=f"{game.id}-")), books_of(game))
        for game in games
    ]
    finished = await asyncio.to_thread(repository.finished_tables, request.app.state.engine)
    rows = [listed_row(request, table, who, own.language) for table in finished]
    return page(request, "library.html", who, shelves=shelves, finished=rows)


@router.get("/rules/{game_id}")
async def rules(request: Request, who: Visitor, game_id: str) -> Response:
    """The rules as we implement them."""
    game, language = game_by_id(request, game_id), language_of(request, who)
    parts = _rules(game, game_words(game, language), layout_of(request))
    return _reading(request, who, "rules.html", game, parts=parts, outlines=outlines(game))


@lru_cache(64)
def _rules(game: Game, words: Words, layout: str) -> list[Part]:
    parts = []
    for section in rules_of(game, words.language):
        pictures = [_illustration(game, name, words, layout) for name in _PICTURE.findall(section.text)]
        parts.append(Part(section.id, section.level, section.title, _body(section, pictures)))
    return parts


def _illustration(game: Game, name: str, words: Words, layout: str) -> Markup:
    """A picture of the rules with its caption, if it has one; nothing where there is a place but no picture yet."""
    try:
        picture = at_home(drawing_of(game).illustration(game, name, words, layout, HERE))
    except KeyError:
        return Markup("")
    with suppress(MissingTextError):
        picture += Markup("<figcaption>{}</figcaption>").format(words.sentence(Message(f"picture.{name}")))
    return picture


def _body(section: RuleSection, pictures: list[Markup]) -> Markup:
    """The text of a section; between its pieces the pictures, each where the text has a place for it."""
    pieces = [html(piece) for piece in _PICTURE.split(section.text)[::2]]
    body = pieces[0]
    for name, picture, piece in zip(_PICTURE.findall(section.text), pictures, pieces[1:], strict=True):
        if picture:
            body += Markup('<figure class="illustration {}">{}</figure>').format(name, picture)
        body += piece
    return body


@router.get("/cards/{game_id}")
async def cards(
    request: Request, who: Visitor, game_id: str, side: Annotated[str | None, Query(max_length=12)] = None
) -> Response:
    """Every card, or those of one side, and the agendas; made to be printed as well."""
    game = game_by_id(request, game_id)
    words = game_words(game, language_of(request, who))
    drawn, agendas = _cards(game, words)
    others = dict.fromkeys(card.side for card in drawn if card.side not in game.sides)
    sides = {id: words.name("side", id) for id in (*game.sides, *others)}
    if side is not None and side not in sides:
        raise NotFoundError(f"there are no cards of {side}; there are cards of {', '.join(sides)}")
    shown = [card for card in drawn if side in (None, card.side)]
    return _reading(
        request,
        who,
        "cards.html",
        game,
        cards=shown,
        count=len(shown),
        agendas=agendas,
        sides=sides,
        side=side,
        marks=_about_marks(shown, words),
    )


@lru_cache(64)
def _cards(game: Game, words: Words) -> tuple[list[Pictured], list[Pictured]]:
    drawing = drawing_of(game)
    cards = [
        Pictured(
            card.id,
            card.name,
            card.side,
            1,
            Markup(drawing.card(game, card.id, words)),
            card.history,
            *(_fields(card.status, mark, words) for mark in MARKS),
        )
        for card in cards_of(game, words)
    ]
    agendas = [
        Pictured(agenda.id, agenda.name, "", agenda.copies, Markup(drawing.agenda(game, agenda.id, words)))
        for agenda in agendas_of(game, words)
    ]
    return cards, agendas


def _fields(status: Mapping[str, str], mark: str, words: Words) -> tuple[str, ...]:
    return tuple(words.text(Message(f"field.{name}")) for name, found in status.items() if found == mark)


def _about_marks(cards: list[Pictured], words: Words) -> dict[str, str]:
    """What the marks on the cards mean, where cards have any."""
    if not any(card.known or card.reconstructed for card in cards):
        return {}
    return {key: words.sentence(Message(f"status.{key}")) for key in ("about", *MARKS, *(f"{m}.why" for m in MARKS))}


@router.get("/rulings/{game_id}")
async def rulings(request: Request, who: Visitor, game_id: str) -> Response:
    """How the points are decided that the printed rules leave open, and which of them are options."""
    game = game_by_id(request, game_id)
    found = rulings_of(game, game_words(game, language_of(request, who)))
    topics: dict[str, list[Any]] = {}
    for ruling in found:
        topics.setdefault(ruling.topic, []).append(ruling)
    return _reading(request, who, "rulings.html", game, topics=topics)


def _reading(request: Request, who: Visitor, template: str, game: Game, **context: Any) -> Response:
    title = title_of(game, page_words(language_of(request, who)))
    return page(
        request,
        template,
        who,
        game_id=game.id,
        title=title,
        layout=layout_of(request),
        lesson=has_lesson(game.id),
        **context,
    )
