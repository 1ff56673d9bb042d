"""A new duplicate round: the form and its submission."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.games.registry import kits
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.matches.duplicate_service import MAX_TABLES
from brinkmanship.web.pages.lobby.seek_words import game_choices
from brinkmanship.web.pages.shared.forms import entered_texts
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, refusal_of
from brinkmanship.web.presentation.clock_forms import clock_choices, clock_in
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import now

router = PageRouter()

DAY_SECONDS = 24 * 3600.0
MAX_DAYS = 30
"""Maximum days during which seats can be taken."""
INITIAL = {"game": "", "clock": "days 3", "tables": "4", "days": "3"}


class NewRound(Struct, frozen=True, kw_only=True):
    """The form of a new duplicate round."""

    game: Annotated[str, Meta(max_length=40)]
    clock: Annotated[str, Meta(max_length=20)] = ""
    tables: Annotated[int, Meta(ge=0, le=1000)]
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)]
    """Days after which tables with free seats are closed."""


@router.get("/duplicate/new")
async def new_duplicate(request: Request, who: Person | None) -> Response:
    """Show the form of a new duplicate round."""
    return _form(request, who, {})


@router.post("/duplicate")
async def create_duplicate(request: Request, who: Person, form: NewRound) -> Response:
    """Create a duplicate round and redirect to it; what is refused is shown again with everything that was entered."""
    try:
        if who.is_guest:
            raise ForbiddenError("rounds are organised by people with an account", key="duplicate.refused.account")
        if form.game not in kits():
            raise IllegalError(f"there is no game {form.game!r}", key="refused.form_fields")
        terms, join_until = Terms(clock_in(form.clock)), now() + form.days * DAY_SECONDS
        found = await services_of(request).duplicates.open(form.game, form.tables, terms, join_until, who.id)
    except (IllegalError, ForbiddenError) as error:
        entered = await entered_texts(request)
        return _form(request, who, entered, refusal_of(error, language_of(request, who)), error.status)
    return RedirectResponse(f"/duplicate/{found.kept.id}", 303)


def _form(
    request: Request,
    who: Person | None,
    entered: Mapping[str, str],
    refused: Mapping[str, Any] | None = None,
    status: int = 200,
) -> Response:
    games = {game.id: game.title for game in game_choices(request, language_of(request, who))}
    return page(
        request,
        "formats/new_duplicate.html",
        who,
        status=status,
        can_start=who is not None and not who.is_guest,
        values={**INITIAL, "game": next(iter(games)), **entered},
        refused=refused,
        games=games,
        clocks=clock_choices(),
        most=MAX_TABLES,
        most_days=MAX_DAYS,
    )
