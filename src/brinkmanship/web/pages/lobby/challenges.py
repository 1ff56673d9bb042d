"""Challenges: those to and from a user, and the form of a new one."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.store.challenges import REASONS
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.seek_words import ChallengeRow, challenge_row, clock_groups, game_choices
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, refusal_of
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.seeks.challenge_service import Proposal
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, RequestError

router = PageRouter("/challenges")

To = Annotated[str, Meta(max_length=60)]
"""Id or login name of the challenged user."""
Play = Annotated[str, Meta(max_length=50)]
"""Game and own side: "13-days:0", or "13-days:" for a random side."""
Clock = Annotated[str, Meta(max_length=20)]


@router.get("")
async def show_challenges(request: Request, who: Person | None, to: To = "") -> Response:
    """Show the user's challenges, and the form of a new one."""
    return await _page(request, who, {"to": to})


@router.post("")
async def challenge(
    request: Request, who: Person, to: To = "", play: Play = "", clock: Clock = "", rated: bool = False
) -> Response:
    """Challenge a user. A refused form is shown again as it was filled in."""
    game, _, side = play.partition(":")
    entered = {"to": to, "play": play, "clock": clock, "rated": rated}
    try:
        if side not in ("", "0", "1"):
            raise IllegalError("a side is chosen as GAME:0, GAME:1 or GAME:", key="seeks.refused.games")
        proposal = Proposal(game, int(side) if side else None, clock, rated)
        await services_of(request).challenges.challenge(who, to, proposal)
    except (IllegalError, ForbiddenError) as error:
        return await _page(request, who, entered, error)
    return RedirectResponse("/challenges", 303)


@router.post("/{challenge_id}/accept")
async def accept_challenge(request: Request, who: Person, challenge_id: str) -> Response:
    """Accept a challenge and go to the table."""
    table = await services_of(request).challenges.accept(who, challenge_id)
    return RedirectResponse(f"/t/{table.id}", 303)


@router.post("/{challenge_id}/decline")
async def decline_challenge(
    request: Request, who: Person, challenge_id: str, reason: Annotated[str, Meta(max_length=12)]
) -> Response:
    """Decline a challenge for one of the offered reasons."""
    await services_of(request).challenges.decline(who, challenge_id, reason)
    return RedirectResponse("/challenges", 303)


@router.post("/{challenge_id}/withdraw")
async def withdraw_challenge(request: Request, who: Person, challenge_id: str) -> Response:
    """Withdraw a challenge of the user."""
    await services_of(request).challenges.withdraw(who, challenge_id)
    return RedirectResponse("/challenges", 303)


async def challenge_rows(request: Request, who: Person | None, language: str) -> list[ChallengeRow]:
    """Return the challenges of a user, newest first; none for a stranger."""
    if who is None:
        return []
    found = await services_of(request).challenges.of(who)
    return [challenge_row(request, each, who.id, language) for each in found]


async def _page(
    request: Request, who: Person | None, entered: dict[str, Any], error: RequestError | None = None
) -> Response:
    language, services = language_of(request, who), services_of(request)
    other = await services.challenges.challenged(entered["to"]) if entered["to"] else None
    rows = await challenge_rows(request, who, language)
    return page(
        request,
        "lobby/challenges.html",
        who,
        status=error.status if error else 200,
        refused=refusal_of(error, language) if error else None,
        challenges=rows,
        linked=await services.profile_links.among([*(row.other_id for row in rows), *(other or ())[:1]]),
        reasons=REASONS,
        games=game_choices(request, language),
        clocks=clock_groups(page_words(language)),
        other=other,
        values={"to": "", "play": "", "clock": "", "rated": False, **entered},
    )
