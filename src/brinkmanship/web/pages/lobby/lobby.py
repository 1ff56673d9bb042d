"""The lobby: who looks for an opponent, and open tables, with filters in the address."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal
from urllib.parse import urlencode

from msgspec import Meta, Struct, structs
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kits
from brinkmanship.store import lobby, repository
from brinkmanship.store.lobby import LobbyFilter
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.lists import linked_in, listed_rows
from brinkmanship.web.pages.lobby.seek_words import game_choices
from brinkmanship.web.pages.lobby.seeks import emblems, other_seeks, own_seeks, quick_terms
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.services import services_of

router = PageRouter()

CLOCKS = ("live", "days", "none")
RATED = ("yes", "no")


class Filters(Struct, frozen=True, kw_only=True):
    """Filters of the lobby; "" for all."""

    game: Annotated[str, Meta(max_length=40)] = ""
    side: Literal["", "0", "1"] = ""
    """The user's side, if a game is chosen."""
    clock: Literal["", "live", "days", "none"] = ""
    rated: Literal["", "yes", "no"] = ""
    after: Annotated[str, Meta(max_length=12)] = ""
    """Table after which the list of open tables goes on."""


@router.get("/lobby")
async def show_lobby(request: Request, who: Person | None, filters: Filters) -> Response:
    """Show open seeks and open tables."""
    language = language_of(request, who)
    if filters.game:
        game_by_id(request, filters.game)
    wanted = LobbyFilter(
        filters.game or None,
        int(filters.side) if filters.side and filters.game else None,
        filters.clock or None,
        filters.rated == "yes" if filters.rated else None,
    )
    services = services_of(request)
    only = lobby.conditions(wanted)
    viewer = who.id if who else ""
    listed = await asyncio.to_thread(
        repository.open_tables, services.engine, repository.PAGE + 1, filters.after, only, viewer
    )
    shown, further = listed[: repository.PAGE], listed[repository.PAGE :]
    chosen = {name: value for name, value in structs.asdict(filters).items() if value and name != "after"}
    games, own = game_choices(request, language), page_words(language)
    mine = await own_seeks(request, who, language)
    seeks = await other_seeks(request, who, language, wanted)
    rows = listed_rows(request, shown, who, language)
    return page(
        request,
        "lobby/lobby.html",
        who,
        quick=quick_terms(request, language),
        mine=mine,
        emblems=emblems(list(kits())),
        game_names=[(game.id, game.title) for game in games],
        sides=[(value[-1], name) for game in games if game.id == filters.game for value, name in game.sides],
        filters=filters,
        clocks=[(clock, own.sentence(Message(f"seeks.filter.clock.{clock}"))) for clock in CLOCKS],
        rated=[(value, own.sentence(Message(f"seeks.filter.rated.{value}"))) for value in RATED],
        is_filtered=bool(chosen),
        seeks=seeks,
        tables=rows,
        linked=await linked_in(request, [*seeks, *rows]),
        table_count=await asyncio.to_thread(repository.all_open_count, services.engine),
        newest=f"/lobby?{urlencode(chosen)}#open",
        more=f"/lobby?{urlencode({**chosen, 'after': shown[-1].id})}#open" if further else "",
    )
