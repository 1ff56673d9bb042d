"""Lists of tournaments: a user's own, those open for entries, running and finished ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.message import Message
from brinkmanship.store.tournaments import ListedTournament, Tournament
from brinkmanship.text import Words
from brinkmanship.tournament.event import LEAGUE, OPEN, OVER, RUNNING
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, public_url
from brinkmanship.web.presentation.clock_forms import clock_words
from brinkmanship.web.presentation.page_words import page_words, title_of
from brinkmanship.web.services import services_of

router = PageRouter()


class TournamentRow(NamedTuple):
    """A tournament in a list."""

    id: str
    name: str
    terms: list[str]
    """Kind, game and clock."""
    state: str
    people: str
    at: float
    """Time of the start, or of its creation if it starts once it is full."""


@router.get("/tournaments")
async def show_tournaments(request: Request, who: Person | None) -> Response:
    """Show the listed tournaments and those of the user."""
    service, language = services_of(request).tournaments, language_of(request, who)
    own = page_words(language)
    mine = await service.of_person(who.id) if who else []
    lists = {"mine": mine} if mine else {}
    lists |= {status: await service.listed(status) for status in (OPEN, RUNNING, OVER)}
    return page(
        request,
        "tournaments/tournaments.html",
        who,
        url=f"{public_url(request)}/tournaments",
        lists={name: _rows(request, listed, own) for name, listed in lists.items()},
        can_start=who is not None and not who.is_guest,
    )


def _rows(request: Request, listed: Iterable[ListedTournament], own: Words) -> list[TournamentRow]:
    return [
        TournamentRow(
            each.tournament.id,
            name_of(each.tournament, own),
            terms_of(request, each.tournament, own),
            own.sentence(Message(f"tournament.status.{each.tournament.status}")),
            _people(each, own),
            each.tournament.starts_at or each.tournament.created_at,
        )
        for each in listed
    ]


def _people(each: ListedTournament, own: Words) -> str:
    if each.tournament.status == OPEN and each.tournament.kind != LEAGUE:
        return own.text(Message("tournament.of", {"n": each.tournament.size, "now": each.entries}))
    return own.text(Message("tournament.people", {"n": each.entries}))


def name_of(tournament: Tournament, own: Words) -> str:
    """Return the name of a tournament, with the season of a league."""
    if tournament.kind != LEAGUE:
        return tournament.name
    return own.text(Message("tournament.season", {"name": tournament.name, "number": tournament.season}))


def terms_of(request: Request, tournament: Tournament, own: Words) -> list[str]:
    """Return kind, game and clock of a tournament in words."""
    game = services_of(request).tables.rulesets.get(tournament.game, {})
    key, numbers = clock_words(tournament.clock)
    terms = [
        own.sentence(Message(f"tournament.kind.{tournament.kind}")),
        title_of(game, own),
        own.sentence(Message(key, numbers)),
    ]
    return terms + ([own.text(Message("tournament.rated"))] if tournament.rated else [])
