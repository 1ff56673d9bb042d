"""Sign-in with an external provider: begin, come back, link and unlink."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.web.accounts.authentication import COOKIE as SESSION_COOKIE
from brinkmanship.web.accounts.authentication import browser, language_of, remember
from brinkmanship.web.accounts.oidc import ATTEMPT_SECONDS, COOKIE, PATH, OidcService
from brinkmanship.web.accounts.users import ClosedAccountError, Person
from brinkmanship.web.pages.account.account import Text, account_page, accounts, closed_page, passwords
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError, RequestError, TooManyError, UnavailableError

router = PageRouter(PATH)

Code = Annotated[str, Meta(max_length=4000)]
State = Annotated[str, Meta(max_length=200)]


def _oidc(request: Request) -> OidcService:
    return services_of(request).oidc


@router.get("")
async def begin(request: Request, who: Person | None, bring: bool = False) -> Response:
    """Begin to sign in: redirect to the provider."""
    # Not a form: the content security policy keeps forms from being redirected to other sites.
    address, cookie = await _oidc(request).begin(who, bring)
    return _with_attempt(request, RedirectResponse(address, 303), cookie)


@router.get("/callback")
async def come_back(
    request: Request, who: Person | None, code: Code = "", state: State = "", error: State = ""
) -> Response:
    """Finish signing in when the provider sends the user back."""
    oidc, session = _oidc(request), request.cookies.get(SESSION_COOKIE, "")
    try:
        if error:
            raise ForbiddenError("the provider has not confirmed the sign-in", key="oidc.refused.denied")
        identity, attempt = await oidc.finish(request.cookies.get(COOKIE, ""), state, code, who)
        signing = partial(oidc.sign_in, identity, who, session, language_of(request, who), browser(request))
        person_id, token = await asyncio.to_thread(signing)
    except ClosedAccountError as closed:
        return await closed_page(request, closed)
    except UnavailableError:
        raise
    except RequestError as problem:
        return _ended(await account_page(request, who, problem))
    if who is not None and who.is_guest and attempt.bring and person_id != who.id:
        moved = await asyncio.to_thread(services_of(request).accounts.bring, who.id, person_id)
        services_of(request).tables.changed_outside(moved)
    response = _ended(RedirectResponse("/" if token else "/account#oidc", 303))
    if token:
        remember(response, request, token)
    return response


@router.post("/link")
async def link(request: Request, who: Person, password: Text = "") -> Response:
    """Begin to link the provider to an account: check the password, then show the way there."""
    try:
        if await asyncio.to_thread(accounts(request).has_password, who.id):
            checking = partial(accounts(request).checked, who.id, password)
            await passwords(request).check(who.login or "", checking)
    except TooManyError:
        raise
    except RequestError as problem:
        return await account_page(request, who, problem)
    address, cookie = await _oidc(request).begin(who, False)
    return _with_attempt(
        request, page(request, "account/oidc_link.html", who, address=address, oidc=_oidc(request)), cookie
    )


@router.post("/unlink")
async def unlink(request: Request, who: Person) -> Response:
    """Remove the link to the provider, but never the last way to sign in."""
    try:
        await asyncio.to_thread(_oidc(request).unlink, who.id)
    except RequestError as problem:
        return await account_page(request, who, problem)
    return RedirectResponse("/account#oidc", 303)


def _with_attempt(request: Request, response: Response, cookie: str) -> Response:
    response.headers["Cache-Control"] = "no-store"
    is_secure = services_of(request).settings.secure_cookies
    # Lax: the cookie has to come with the redirect from the provider's site.
    response.set_cookie(
        COOKIE, cookie, max_age=ATTEMPT_SECONDS, path=PATH, httponly=True, samesite="lax", secure=is_secure
    )
    return response


def _ended(response: Response) -> Response:
    response.delete_cookie(COOKIE, path=PATH)
    return response
