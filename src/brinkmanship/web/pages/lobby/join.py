"""Joining a table: an invitation with its terms, and taking the seat."""

from __future__ import annotations

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing.emblem import emblem
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.lists import terms_said
from brinkmanship.web.pages.lobby.options import changed_options
from brinkmanship.web.pages.shared.forms import Name, check_has_account, signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, public_url
from brinkmanship.web.presentation.data_files import kind_of
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name, title_of
from brinkmanship.web.presentation.rating_texts import outlook_said
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import WAITING

router = PageRouter()


@router.get("/join/{table_id}", "/join/{table_id}/{token}")
async def invitation(request: Request, who: Person | None, table_id: str, token: str = "") -> Response:
    """Show an invitation: the host, the game and the terms."""
    table = await services_of(request).tables.fresh(table_id)
    if who is not None and table.seat_of(who.id):
        return RedirectResponse(f"/t/{table.id}", 303)
    seat = _free_seat(table, token)
    if who is not None and await services_of(request).seating.is_apart(table, who.id):
        seat = None
    language = language_of(request, who)
    words, own = game_words(table.game, language), page_words(language)
    game = table.game
    return page(
        request,
        "lobby/join.html",
        who,
        status=200 if seat else 410,
        table=table,
        token=token,
        seat=seat,
        title=title_of(game, own),
        emblem=Markup(emblem(game.id)),
        side_name=words.name("side", game.sides[seat.side]) if seat else "",
        host=", ".join(player_name(other, own) for other in table.seats if other.person_id),
        terms=terms_said(**table.terms.as_row(), own=own),
        outlook=await _outlook(request, who, table, seat, own),
        needs_account=table.terms.rated and (who is None or who.is_guest),
        data_file=game.data_file,
        data_kind=kind_of(game),
        changed=changed_options(game, words),
        game_id=game.id,
        url=f"{public_url(request)}{request.url.path}",
        picture=f"{public_url(request)}/t/{table.id}/picture.png",
    )


async def _outlook(request: Request, who: Person | None, table: LiveTable, seat: Seat | None, own: Words) -> list[str]:
    """Return what a rated game would do to the rating of a user who takes the seat."""
    if seat is None or not table.terms.rated or who is None or who.is_guest:
        return []
    return outlook_said(await services_of(request).ratings.outlook(table, seat.side, who.id), own)


def _free_seat(table: LiveTable, token: str) -> Seat | None:
    for seat in table.seats:
        invited = bool(token) and seat.is_invited(token)
        open_to_all = not token and table.is_open and seat.is_free and seat.invitation is None
        if table.status == WAITING and (invited or open_to_all):
            return seat
    return None


@router.post("/join/{table_id}", "/join/{table_id}/{token}", is_open=True)
async def join(
    request: Request,
    who: Person | None,
    table_id: str,
    token: str = "",
    name: Name = "",
    contributes: bool = False,
) -> Response:
    """Take a seat; `contributes`: the browser will send random bytes for the deal.

    A second click leads to the table.
    """
    services = services_of(request)
    table = await services.tables.fresh(table_id)
    if who is not None and table.seat_of(who.id):
        return RedirectResponse(f"/t/{table.id}", 303)
    if _free_seat(table, token) is None:
        raise ForbiddenError("this seat is taken or the invitation has already been used", key="join.taken")
    if table.terms.rated:
        check_has_account(who)
    me, session = await somebody(request, who, name)
    try:
        table = await services.seating.join(table_id, me.id, me.name, token or None, contributes=contributes)
    except ForbiddenError:
        table = await services.tables.fresh(table_id)
        if not table.seat_of(me.id):
            raise
    else:
        await services.matches.seats_taken(table)
    return signed_in(RedirectResponse(f"/t/{table.id}", 303), request, session)
