"""A new tournament: the form and its submission."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.games.registry import kits
from brinkmanship.tournament.event import CUP, KINDS
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.forms import entered_texts
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, refusal_of
from brinkmanship.web.presentation.clock_forms import clock_choices, clock_in
from brinkmanship.web.presentation.page_words import page_words, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.time_control import LIVE
from brinkmanship.web.tournaments.terms import MAX_ABOUT, MAX_ENTRIES, MAX_NAME, ROUND_DAYS, SIZES, TournamentSettings

router = PageRouter()

Text = Annotated[str, Meta(max_length=40)]
MAX_OFFSET = 24 * 60
"""Maximum difference of a browser's time from UTC (minutes)."""
INITIAL = {
    "kind": CUP,
    "name": "",
    "about": "",
    "game": "",
    "clock": "days 3",
    "size": "8",
    "round_days": "30",
    "start": "full",
    "starts_at": "",
    "rated": "",
}


class NewTournament(Struct, frozen=True, kw_only=True):
    """The form of a new tournament."""

    kind: Text
    name: Annotated[str, Meta(max_length=200)] = ""
    about: Annotated[str, Meta(max_length=4 * MAX_ABOUT)] = ""
    game: Text
    clock: Text = ""
    size: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Ignored for a cup, which has a fixed size."""
    round_days: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Ignored for live games."""
    start: Text = "full"
    """Start once it is "full", or "at" a time."""
    starts_at: Text = ""
    """Time of the start as browsers send it: 2026-11-30T19:30."""
    offset: Annotated[int, Meta(ge=-MAX_OFFSET, le=MAX_OFFSET)] = 0
    """Difference of UTC from the browser's time (minutes)."""
    rated: bool = False


@router.get("/tournaments/new")
async def new_tournament(request: Request, who: Person | None) -> Response:
    """Show the form of a new tournament."""
    return _form(request, who, {})


@router.post("/tournaments")
async def create_tournament(request: Request, who: Person, form: NewTournament) -> Response:
    """Start a tournament and redirect to it; what is refused is shown again with everything that was entered."""
    try:
        new = await services_of(request).tournaments.create(_plan(form), who)
    except (IllegalError, ForbiddenError) as error:
        entered = await entered_texts(request)
        refused = refusal_of(error, language_of(request, who))
        return _form(request, who, entered, refused, error.status)
    return RedirectResponse(f"/tournaments/{new.id}", 303)


def _plan(form: NewTournament) -> TournamentSettings:
    clock = clock_in(form.clock)
    is_live = clock is not None and clock.kind == LIVE
    return TournamentSettings(
        kind=form.kind,
        name=form.name,
        game=form.game,
        clock=clock,
        size=SIZES[CUP][0] if form.kind == CUP else form.size,
        about=form.about,
        rated=form.rated,
        round_days=None if is_live else form.round_days,
        starts_at=_time(form) if form.start == "at" else None,
    )


def _time(form: NewTournament) -> float:
    try:
        local = datetime.strptime(form.starts_at[:16], "%Y-%m-%dT%H:%M").replace(tzinfo=UTC)
        return (local + timedelta(minutes=form.offset)).timestamp()
    except (ValueError, OverflowError) as error:
        raise IllegalError("the start is a date and a time", key="tournament.refused.start") from error


def _form(
    request: Request,
    who: Person | None,
    entered: Mapping[str, str],
    refused: Mapping[str, Any] | None = None,
    status: int = 200,
) -> Response:
    own = page_words(language_of(request, who))
    games = {game_id: title_of(services_of(request).tables.rulesets.get(game_id, {}), own) for game_id in kits()}
    return page(
        request,
        "tournaments/new_tournament.html",
        who,
        status=status,
        can_start=who is not None and not who.is_guest,
        values={**INITIAL, "game": next(iter(games)), **entered},
        refused=refused,
        kinds=KINDS,
        games=games,
        clocks=clock_choices(),
        max_name=MAX_NAME,
        max_about=MAX_ABOUT,
        max_size=MAX_ENTRIES,
        days=ROUND_DAYS,
    )
