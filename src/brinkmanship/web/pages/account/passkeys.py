"""Passkeys: the two requests of a ceremony, the list of keys, and recovery codes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.web.accounts.authentication import COOKIE, browser, remember
from brinkmanship.web.accounts.passkeys import CEREMONY_SECONDS, PasskeyService, Site, site_of
from brinkmanship.web.accounts.passkeys import COOKIE as CEREMONY_COOKIE
from brinkmanship.web.accounts.users import ClosedAccountError, Person
from brinkmanship.web.pages.account.account import Text, account_page, accounts, closed_page, one_line, passwords
from brinkmanship.web.pages.account.guest_games import bring_games
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError, RequestError, TooManyError

router = PageRouter("/account/passkeys")

Credential = Annotated[str, Meta(max_length=20_000)]


def _site(request: Request) -> Site:
    site = site_of(services_of(request).settings.public_url)
    if site is None:
        raise NotFoundError("this server has no passkeys: they need a public URL with a host name")
    return site


def _passkeys(request: Request) -> PasskeyService:
    return services_of(request).passkeys


def _session(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _cookie(request: Request) -> str:
    return request.cookies.get(CEREMONY_COOKIE, "")


@router.post("/options")
async def options_to_register(request: Request, who: Person) -> Response:
    """Begin to add a passkey: return the options for the browser."""
    making = partial(_passkeys(request).options_to_register, _site(request), who, _session(request))
    return _options(request, *await asyncio.to_thread(making))


@router.post("/sign-in/options", is_open=True)
async def options_to_sign_in(request: Request) -> Response:
    """Begin to sign in with a passkey: return the options for the browser."""
    making = partial(_passkeys(request).options_to_sign_in, _site(request), _session(request))
    return _options(request, *await asyncio.to_thread(making))


def _options(request: Request, options: str, cookie: str) -> Response:
    response = Response(options, media_type="application/json", headers={"Cache-Control": "no-store"})
    is_secure = services_of(request).settings.secure_cookies
    response.set_cookie(
        CEREMONY_COOKIE,
        cookie,
        max_age=CEREMONY_SECONDS,
        path="/account/passkeys",
        httponly=True,
        samesite="strict",
        secure=is_secure,
    )
    return response


@router.post("")
async def add(
    request: Request, who: Person, credential: Credential, name: Text = "", login: Text = "", password: Text = ""
) -> Response:
    """Add a passkey to an account, or turn a guest into an account with one."""
    site, session = _site(request), _session(request)
    try:
        if who.is_guest:
            return await _register(request, who, site, credential, login)
        if await asyncio.to_thread(accounts(request).has_password, who.id):
            checking = partial(accounts(request).checked, who.id, password)
            await passwords(request).check(who.login or "", checking)
        adding = partial(_passkeys(request).add, site, who, session, _cookie(request), credential, one_line(name))
        await asyncio.to_thread(adding)
    except TooManyError:
        raise
    except RequestError as problem:
        return await account_page(request, who, problem)
    return RedirectResponse("/account#passkeys", 303)


async def _register(request: Request, who: Person, site: Site, credential: str, login: str) -> Response:
    users, session = services_of(request).users, _session(request)
    registering = partial(
        _passkeys(request).register, site, who, session, _cookie(request), credential, login or who.name
    )
    codes = await asyncio.to_thread(registering)
    # Session fixation: see the registration with a password.
    session = await asyncio.to_thread(users.renew_session, who.id, session, browser(request))
    request.cookies[COOKIE] = session
    me = await asyncio.to_thread(users.person, who.id)
    response = await account_page(request, me, done="account.done.registered", codes=codes)
    remember(response, request, session)
    return response


@router.post("/sign-in", is_open=True)
async def sign_in(request: Request, who: Person | None, credential: Credential, bring: bool = False) -> Response:
    """Sign in with a passkey."""
    signing = partial(
        _passkeys(request).sign_in, _site(request), _session(request), _cookie(request), credential, browser(request)
    )
    try:
        me, session = await asyncio.to_thread(signing)
    except ClosedAccountError as closed:
        return await closed_page(request, closed)
    except RequestError as problem:
        return await account_page(request, who, problem)
    await bring_games(request, who, me, bring)
    response = RedirectResponse("/", 303)
    remember(response, request, session)
    return response


@router.post("/remove")
async def remove(request: Request, who: Person, handle: Text) -> Response:
    """Remove a passkey, but never the last way to sign in."""
    try:
        await asyncio.to_thread(_passkeys(request).remove, who.id, handle)
    except RequestError as problem:
        return await account_page(request, who, problem)
    return RedirectResponse("/account#passkeys", 303)


@router.post("/codes")
async def new_codes(request: Request, who: Person) -> Response:
    """Replace the recovery codes; the new ones are shown once."""
    if who.is_guest:
        raise NotFoundError("guests have no recovery codes")
    codes = await asyncio.to_thread(_passkeys(request).new_codes, who.id)
    return await account_page(request, who, codes=codes)


@router.post("/code", is_open=True)
async def use_code(request: Request, who: Person | None, login: Text, code: Text, bring: bool = False) -> Response:
    """Sign in with a recovery code."""
    signing = partial(_passkeys(request).use_code, login, code, browser(request))
    try:
        me, session = await passwords(request).check(login, signing)
    except TooManyError:
        raise
    except ClosedAccountError as closed:
        return await closed_page(request, closed)
    except RequestError as problem:
        return await account_page(request, who, problem)
    await bring_games(request, who, me, bring)
    response = RedirectResponse("/account#passkeys", 303)
    remember(response, request, session)
    return response
