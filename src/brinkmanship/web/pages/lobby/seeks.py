"""Finding an opponent: the form of a seek, the page that waits, and the answer to another user's seek."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing.emblem import emblem
from brinkmanship.engine.message import Message
from brinkmanship.store.lobby import LobbyFilter, accepts
from brinkmanship.store.seeks import OPEN, Seek
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.lists import TableEntry
from brinkmanship.web.pages.lobby.seek_words import (
    PACES,
    clock_groups,
    game_choices,
    games_said,
    seek_row,
    terms_of_seek,
)
from brinkmanship.web.pages.shared.forms import Name, signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, refusal_of
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.presentation.seek_cookie import last_wish, remember_wish, want_in
from brinkmanship.web.presentation.seek_wishes import PACE_OF_KIND, SeekWish, answer_to, checked_wish
from brinkmanship.web.seeks.seek_stream import SeekStream
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import IllegalError, RequestError

router = PageRouter()

NO_FILTER = LobbyFilter()

Chosen = Annotated[list[Annotated[str, Meta(max_length=50)]], Meta(max_length=50)]


class SeekForm(Struct, frozen=True, kw_only=True):
    """The form of a seek."""

    want: Chosen = []
    """Acceptable games and own sides: "13-days:0"."""
    pace: Literal["live", "days"] = "live"
    clock: Chosen = []
    """Acceptable clocks; those of the other pace are ignored."""
    rated: bool = False
    name: Name = ""
    """Name of a new guest."""


@router.get("/seek")
async def seek_form(request: Request, who: Person | None) -> Response:
    """Show the choices for a seek, with those of the user's last one."""
    return _form_page(request, who, last_wish(request))


@router.post("/seek", is_open=True)
async def place_seek(request: Request, who: Person | None, form: SeekForm) -> Response:
    """Place a seek; a stranger becomes a guest. A refused form is shown again as it was filled in."""
    clocks = tuple(clock for clock in form.clock if PACE_OF_KIND.get(clock.split(" ")[0]) == form.pace)
    try:
        wish = checked_wish([want_in(want) for want in form.want], clocks, form.rated)
        return await _placed(request, who, wish, form.name)
    except IllegalError as error:
        entered = {"wants": form.want, "clocks": form.clock, "pace": form.pace, "rated": form.rated, "name": form.name}
        return _form_page(request, who, last_wish(request), error=error, entered=entered)


@router.post("/seek/quick", is_open=True)
async def quick_pairing(request: Request, who: Person | None, name: Name = "") -> Response:
    """Place a seek with the choices of the user's last one."""
    return await _placed(request, who, last_wish(request), name)


async def _placed(request: Request, who: Person | None, wish: SeekWish, name: str) -> Response:
    me, token = await somebody(request, who, name)
    response = _to(await services_of(request).seeks.place(me, wish))
    remember_wish(response, wish)
    return signed_in(response, request, token)


def _to(seek: Seek) -> RedirectResponse:
    """Return the way to the table that was found, or to the page that waits."""
    return RedirectResponse(f"/t/{seek.table_id}" if seek.table_id else f"/seek/{seek.id}", 303)


@router.get("/seek/{seek_id}")
async def show_seek(request: Request, who: Person | None, seek_id: str) -> Response:
    """Show the page that waits, or to other users the invitation to play; redirect to a table that was found."""
    seeks = services_of(request).seeks
    seek = await seeks.seek(seek_id)
    language = language_of(request, who)
    own = page_words(language)
    is_mine = who is not None and seek.person_id == who.id
    if is_mine and who is not None:
        seek = await seeks.own(who, seek_id)
        if seek.table_id:
            return _to(seek)
    wish = answer_to(seek)
    return page(
        request,
        "lobby/seek.html",
        who,
        seek=seek,
        is_mine=is_mine,
        is_open=seek.state == OPEN,
        games=games_said(request, seek.wants if is_mine else wish.wants, language),
        terms=terms_of_seek(seek.clocks, seek.rated, own),
    )


@router.get("/seek/{seek_id}/stream")
async def seek_stream(request: Request, who: Person, seek_id: str) -> Response:
    """Return the event stream of the page that waits."""
    await services_of(request).seeks.own(who, seek_id)
    return SeekStream(services_of(request), seek_id, who.id)


@router.post("/seek/{seek_id}/withdraw")
async def withdraw_seek(request: Request, who: Person, seek_id: str) -> Response:
    """Withdraw a seek; if an opponent has just been found, go to the table."""
    seek = await services_of(request).seeks.withdraw(who, seek_id)
    return _to(seek) if seek.table_id else RedirectResponse("/lobby", 303)


@router.post("/seek/{seek_id}/answer", is_open=True)
async def answer_seek(request: Request, who: Person | None, seek_id: str, name: Name = "") -> Response:
    """Place a seek that fits another user's."""
    me, token = await somebody(request, who, name)
    return signed_in(_to(await services_of(request).seeks.answer(me, seek_id)), request, token)


@router.post("/t/{table_id}/seek")
async def seek_again(request: Request, who: Person, table_id: str) -> Response:
    """Place a seek like the one that led to a table."""
    return _to(await services_of(request).seeks.again(who, table_id))


def _form_page(
    request: Request,
    who: Person | None,
    wish: SeekWish,
    error: RequestError | None = None,
    entered: dict[str, Any] | None = None,
) -> Response:
    language = language_of(request, who)
    initial = {
        "wants": [f"{game}:{side}" for game, side in wish.wants],
        "clocks": wish.clocks,
        "pace": wish.pace,
        "rated": wish.rated,
        "name": "",
    }
    return page(
        request,
        "lobby/seek_form.html",
        who,
        status=error.status if error else 200,
        refused=refusal_of(error, language) if error else None,
        games=game_choices(request, language),
        paces=PACES,
        clocks=clock_groups(page_words(language)),
        values=entered or initial,
    )


async def own_seeks(request: Request, who: Person | None, language: str) -> list[TableEntry]:
    """Return the list rows of a user's open seeks; none for a stranger."""
    if who is None:
        return []
    found = await services_of(request).seeks.of_person(who)
    return [seek_row(request, seek, language, is_own=True) for seek in found]


async def other_seeks(
    request: Request, who: Person | None, language: str, wanted: LobbyFilter = NO_FILTER, limit: int | None = None
) -> list[TableEntry]:
    """Return the list rows of other users' open seeks that fit the filters, the longest waiting first."""
    listed = await services_of(request).seeks.listed(who.id if who else None)
    found = [seek for seek in listed if accepts(wanted, seek)]
    return [seek_row(request, seek, language, is_own=False) for seek in found[:limit]]


def quick_terms(request: Request, language: str) -> str:
    """Return the choices of the user's last seek in words."""
    wish = last_wish(request)
    own = page_words(language)
    clocks = [own.sentence(Message(f"seeks.pace.{wish.pace}"))] if len(wish.clocks) > 1 else []
    terms = terms_of_seek(wish.clocks if len(wish.clocks) == 1 else (), wish.rated, own)
    return " · ".join([*games_said(request, wish.wants, language), *clocks, *terms])


def emblems(game_ids: Sequence[str]) -> list[Markup]:
    """Return the emblems of games, for the icons of lists."""
    return [Markup(emblem(game_id, ids=f"{game_id}-")) for game_id in game_ids]
