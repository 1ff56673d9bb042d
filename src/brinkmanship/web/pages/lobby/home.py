"""The home page: what this is, a board, a game in one click, and the user's games; the way to the next game."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Literal, NamedTuple

from markupsafe import Markup
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing.emblem import emblem
from brinkmanship.drawing.link_preview import link_preview
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import game_class, kits
from brinkmanship.players import levels_for
from brinkmanship.store import repository
from brinkmanship.store.challenges import REASONS
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.challenges import challenge_rows
from brinkmanship.web.pages.lobby.lists import TableEntry, linked_in, listed_rows, own_games
from brinkmanship.web.pages.lobby.opponents import opponent_name
from brinkmanship.web.pages.lobby.seeks import other_seeks, own_seeks, quick_terms
from brinkmanship.web.pages.lobby.showcase import showcase_of
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import preview_of_link
from brinkmanship.web.pages.shared.rendering import books_of, page, public_url
from brinkmanship.web.presentation.clock_forms import clock_in, clock_words
from brinkmanship.web.presentation.level_cookie import player_of
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.presentation.setup_cookie import RANDOM, setup_of
from brinkmanship.web.services import services_of

router = PageRouter()

NONE_WAITS = "/?next=none"
"""Home page with the notice that no game waits."""
TableId = Annotated[str, Meta(max_length=12)]


MAX_SEEKERS = 5
"""Maximum users who look for an opponent that the page lists; the lobby has all."""


class Offer(NamedTuple):
    """A game that can be started here."""

    id: str
    title: str
    pitch: str
    length: str
    """Duration of a game: "20–45 min"."""
    emblem: Markup
    books: list[str]
    """Its reference pages, as named by `books_of`."""
    terms: list[str]
    """Terms of a game started in one click: level, side, clock."""


@router.get("/")
async def home(request: Request, who: Person | None, after: TableId = "", next: Literal["", "none"] = "") -> Response:
    """Show the home page, with open tables after `after`; `next` is the outcome of a request for the next game."""
    language = language_of(request, who)
    running, finished = await own_games(request, who, language)
    waiting, more = await _open_tables(request, who, language, after)
    mine = {row.id for row in running}
    seekers = await other_seeks(request, who, language, limit=MAX_SEEKERS)
    challenged = [each for each in await challenge_rows(request, who, language) if not each.is_mine]
    return page(
        request,
        "lobby/home.html",
        who,
        url=f"{public_url(request)}/",
        picture=f"{public_url(request)}/picture.png",
        offers=[_offer(request, game_by_id(request, game_id), language) for game_id in kits()],
        showcase=await showcase_of(request, language),
        running=running,
        finished=finished,
        challenges=challenged,
        reasons=REASONS,
        seeks=await own_seeks(request, who, language),
        seekers=seekers,
        linked=await linked_in(request, [*running, *finished, *seekers, *waiting])
        | await services_of(request).profile_links.among(each.other_id for each in challenged),
        quick=quick_terms(request, language),
        waiting=[row for row in waiting if row.id not in mine],
        more=more,
        after=after,
        none_waits=next == "none",
    )


@router.get("/picture.png")
async def picture(request: Request, who: Person | None) -> Response:
    """Return the preview of a link to the home page: the games."""
    title = page_words(language_of(request, who)).sentence(Message("home.title"))
    emblems = [emblem(game_id, ids=f"{game_id}-") for game_id in kits()]
    return await preview_of_link(request, partial(link_preview, title, "", emblems))


async def _open_tables(request: Request, who: Person | None, language: str, after: str) -> tuple[list[TableEntry], str]:
    """Return a page of open tables, and the id of its last table if there are older ones, else ""."""
    engine = services_of(request).engine
    viewer = who.id if who else ""
    listed = await asyncio.to_thread(repository.open_tables, engine, repository.PAGE + 1, after, (), viewer)
    shown, further = listed[: repository.PAGE], listed[repository.PAGE :]
    return listed_rows(request, shown, who, language), shown[-1].id if further else ""


def _offer(request: Request, game: Game, language: str) -> Offer:
    words, own = game_words(game, language), page_words(language)
    return Offer(
        game.id,
        title_of(game, own),
        own.sentence_if_any(Message(f"game.{game.id}.pitch")),
        own.sentence_if_any(Message(f"game.{game.id}.length")),
        Markup(emblem(game.id, ids=f"{game.id}-")),
        books_of(game),
        _terms_as_before(request, game, words, own),
    )


def _terms_as_before(request: Request, game: Game, words: Words, own: Words) -> list[str]:
    """Return the level, side and clock of the user's last game in words."""
    setup = setup_of(request, game)
    is_random = setup.side == RANDOM
    side = own.text(Message("home.side.any")) if is_random else words.name("side", game.sides[int(setup.side)])
    player = player_of(request, game)
    opponent = opponent_name(game, player, own)
    if player in levels_for(game):
        opponent = own.sentence(Message("home.level", {"name": opponent}))
    terms = [opponent, side]
    if clock := clock_in(setup.clock):
        key, numbers = clock_words(clock.as_json())
        terms.append(own.sentence(Message(key, numbers)))
    return terms


@router.get("/next")
async def next_game(request: Request, who: Person | None, after: TableId = "") -> Response:
    """Redirect to the table that has waited longest for the user, or to the home page with a notice.

    The table `after`, which the user comes from, is excluded.
    """
    if who is None:
        return RedirectResponse(NONE_WAITS, 303)
    found = await next_table(request, who, after)
    return RedirectResponse(f"/t/{found}" if found else NONE_WAITS, 303)


async def next_table(request: Request, who: Person, after: str) -> str | None:
    """Return the id of the table that has waited longest for a user, except `after`; None if none waits."""
    sides = {game_id: game_class(game_id).sides for game_id in kits()}
    return await asyncio.to_thread(repository.waits_longest, services_of(request).engine, who.id, sides, after)
