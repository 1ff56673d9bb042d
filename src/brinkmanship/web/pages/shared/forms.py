"""Forms: shared fields, and the session of the user who submits one."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.message import Message
from brinkmanship.web.accounts.authentication import browser, language_of, protected, remember
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError

Name = Annotated[str, Meta(max_length=60)]
Number = Annotated[int, Meta(ge=0, le=100_000)]
"""Number of an action, an entry or a step."""


async def somebody(request: Request, who: Person | None, name: str) -> tuple[Person, str]:
    """Return the user who submits a form, and the token of a new session if they were a stranger.

    A stranger without a name is called "Guest", in their language.
    """
    if who is not None:
        await protected(request)
        return who, ""
    users, language = services_of(request).users, language_of(request)
    known_as = name.strip() or page_words(language).sentence(Message("home.guest"))
    guest, token = await asyncio.to_thread(users.add_guest, known_as, language, browser(request))
    return guest, token


async def entered_texts(request: Request) -> dict[str, str]:
    """Return the texts of a submitted form by field, without uploaded files: shown again when the form is refused."""
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


def check_has_account(who: Person | None) -> None:
    """Check that a user has an account, before a stranger becomes a guest.

    Raises:
        ForbiddenError: They have none.
    """
    if who is None or who.is_guest:
        raise ForbiddenError("rated games are for people with an account", key="rated.refused.account")


def signed_in(response: Response, request: Request, token: str) -> Response:
    """Return the response, with the new session cookie if there is a token."""
    if token:
        remember(response, request, token)
    return response
