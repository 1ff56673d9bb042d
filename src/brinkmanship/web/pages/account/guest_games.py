"""Games of a guest who signs in to an account: they come along if the guest wants it."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from brinkmanship.web.accounts.authentication import protected
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.services import services_of


async def bring_games(request: Request, guest: Person | None, account: Person, is_wanted: bool) -> None:
    """Move the games of a guest to the account to which they have just signed in.

    Raises:
        ForbiddenError: The form was not sent by the guest's session.
    """
    if not is_wanted or guest is None or not guest.is_guest:
        return
    await protected(request)
    moved = await asyncio.to_thread(services_of(request).accounts.bring, guest.id, account.id)
    services_of(request).tables.changed_outside(moved)
