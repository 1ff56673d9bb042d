"""The choice of a language, in the header of every page."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts.authentication import LANGUAGE_COOKIE
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import local_path
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import IllegalError

router = PageRouter()


@router.post("/language", is_open=True)
async def choose_language(
    request: Request,
    who: Person | None,
    language: Annotated[str, Meta(max_length=5)],
    back: Annotated[str, Meta(max_length=300)] = "/",
) -> Response:
    """Set the user's language."""
    if language not in LANGUAGES:
        raise IllegalError(f"the languages are {', '.join(LANGUAGES)}", key="refused.form_fields")
    if who is not None:
        await asyncio.to_thread(services_of(request).users.set_language, who, language)
    response = RedirectResponse(local_path(back), 303)
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=365 * 24 * 3600, samesite="lax")
    return response
