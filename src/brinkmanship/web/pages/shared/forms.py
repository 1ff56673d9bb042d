"""Forms: fields that several pages share, same-site checks, and signing in whoever sends one."""

from __future__ import annotations

import asyncio
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.web.accounts.authentication import browser, language_of, protected, remember
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError

Name = Annotated[str, Meta(max_length=60)]


async def somebody(request: Request, who: Person | None, name: str) -> tuple[Person, str]:
    """The person who sends a form, and the token of a new session if he was a stranger until now."""
    if who is not None:
        await protected(request)
        return who, ""
    check_same_site(request)
    users = services_of(request).users
    guest, token = await asyncio.to_thread(users.add_guest, name, language_of(request), browser(request))
    return guest, token


def check_same_site(request: Request) -> None:
    """Refuse a stranger's form that another site has sent.

    Raises:
        ForbiddenError: it says so itself, or its origin is another host.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise ForbiddenError("the form is from another site", said="refused.form")
        return
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise ForbiddenError("the form is from another site", said="refused.form")


def signed_in(response: Response, request: Request, token: str) -> Response:
    """The answer to a form; with the new session of somebody who was a stranger until now."""
    if token:
        remember(response, request, token)
    return response
