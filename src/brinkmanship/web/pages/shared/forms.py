"""Forms: fields that several pages share, and signing in whoever sends one."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.web.accounts.authentication import browser, language_of, protected, remember
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.services import services_of

Name = Annotated[str, Meta(max_length=60)]
Number = Annotated[int, Meta(ge=0, le=100_000)]
"""A number of an action, an entry or a step."""


async def somebody(request: Request, who: Person | None, name: str) -> tuple[Person, str]:
    """The person who sends a form, and the token of a new session if he was a stranger until now."""
    if who is not None:
        await protected(request)
        return who, ""
    users = services_of(request).users
    guest, token = await asyncio.to_thread(users.add_guest, name, language_of(request), browser(request))
    return guest, token


def signed_in(response: Response, request: Request, token: str) -> Response:
    """The answer to a form; with the new session of somebody who was a stranger until now."""
    if token:
        remember(response, request, token)
    return response
