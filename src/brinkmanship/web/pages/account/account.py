"""The account page: shown name, registration of a guest, password, sessions and tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from msgspec import Meta
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from brinkmanship.store.profiles import public_among
from brinkmanship.web.accounts.account_service import AccountService
from brinkmanship.web.accounts.authentication import (
    COOKIE,
    browser,
    remember,
    remember_device,
)
from brinkmanship.web.accounts.passkeys import site_of
from brinkmanship.web.accounts.password_service import Passwords
from brinkmanship.web.accounts.users import DEVICE_COOKIE, PASSWORD_LENGTH, ClosedAccountError, Person
from brinkmanship.web.moderation.player_reports import APPEAL_LENGTH, handle_of
from brinkmanship.web.pages.account.export import export as export_of
from brinkmanship.web.pages.account.guest_games import bring_games
from brinkmanship.web.pages.account.notices import Address, contacts_of
from brinkmanship.web.pages.shared.forms import signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.services import services_of
from brinkmanship.web.support.display_names import NAME_LENGTH
from brinkmanship.web.support.errors import IllegalError, NotFoundError, RequestError, TooManyError
from brinkmanship.web.support.tokens import digest

router = PageRouter("/account")


def passwords(request: Request) -> Passwords:
    """Return the service that hashes and checks passwords."""
    return services_of(request).passwords


Text = Annotated[str, Meta(max_length=200)]
PIECE_BYTES = 65_536
"""Chunk size of a download in bytes."""


def accounts(request: Request) -> AccountService:
    """Return the account service of this server."""
    return services_of(request).accounts


async def account_page(
    request: Request,
    who: Person | None,
    problem: RequestError | None = None,
    token: str = "",
    done: str = "",
    reported: bool = False,
    codes: Sequence[str] = (),
) -> Response:
    """Return the account page.

    Args:
        request: Request.
        who: User, None for a stranger.
        problem: Error to show.
        token: New API token to show once.
        done: Message key of what has just been done.
        reported: True if a report has just been sent.
        codes: New recovery codes to show once.
    """
    session = request.cookies.get(COOKIE, "")
    public = await asyncio.to_thread(public_among, services_of(request).engine, [who.id]) if who else set()
    signed_in = await asyncio.to_thread(accounts(request).sessions_of, who.id, session) if who else []
    return page(
        request,
        "account/account.html",
        who,
        status=problem.status if problem else 200,
        problem=problem,
        token=token,
        done=done,
        least=PASSWORD_LENGTH[0],
        most=PASSWORD_LENGTH[1],
        name_length=NAME_LENGTH,
        told_by=await contacts_of(request, who),
        standing=await asyncio.to_thread(services_of(request).player_reports.standing, who.id) if who else None,
        appeal_length=APPEAL_LENGTH,
        handle_of=handle_of,
        reported=reported,
        has_passkeys=site_of(services_of(request).settings.public_url) is not None,
        ways=await asyncio.to_thread(services_of(request).passkeys.ways_in, who.id) if who else None,
        codes=codes,
        oidc=services_of(request).oidc,
        linked_at=await asyncio.to_thread(services_of(request).oidc.linked_at, who.id) if who else None,
        guest_games=await asyncio.to_thread(accounts(request).games_of_guest, who),
        sends_mail=services_of(request).settings.sends_mail,
        is_public=bool(public),
        browsers=[each for each in signed_in if not each.is_api_token],
        tokens=[each for each in signed_in if each.is_api_token],
    )


@router.get("")
async def show(request: Request, who: Person | None, reported: bool = False) -> Response:
    """Show the user's account page; with `reported` it says that a report has been sent."""
    return await account_page(request, who, reported=reported)


@router.post("/name")
async def rename(request: Request, who: Person, name: Text) -> Response:
    """Change the user's name; tables that have begun keep the old one."""
    try:
        who = await asyncio.to_thread(services_of(request).users.rename, who, name)
    except RequestError as problem:
        return await account_page(request, who, problem)
    return await account_page(request, who, done="account.done.name")


@router.post("/register", is_open=True)
async def register(request: Request, who: Person | None, login: Text, password: Text) -> Response:
    """Create an account, of a guest or of a stranger, who stays as a guest if it is refused."""
    users = services_of(request).users
    who, token = await somebody(request, who, login)
    session = token or request.cookies.get(COOKIE, "")
    request.cookies[COOKIE] = session
    try:
        who = await passwords(request).do(partial(users.register, who, login, password))
    except TooManyError:
        raise
    except RequestError as problem:
        return signed_in(await account_page(request, who, problem), request, token)
    # Session fixation: an attacker may have planted the guest's session in this browser, so it is replaced.
    session = await asyncio.to_thread(users.renew_session, who.id, session, browser(request))
    request.cookies[COOKIE] = session  # the next page's CSRF tokens belong to the new session
    response = await account_page(request, who, done="account.done.registered")
    remember(response, request, session)
    await remember_device(response, request, who.id)
    return response


@router.post("/sign-in", is_open=True)
async def sign_in(request: Request, who: Person | None, login: Text, password: Text, bring: bool = False) -> Response:
    """Sign in to an account; with `bring` the games of a guest come along."""
    try:
        users = services_of(request).users
        device = await asyncio.to_thread(users.device_in, request.cookies, login)
        checking = partial(users.sign_in, login, password, browser(request))
        me, session = await passwords(request).check(login, checking, device)
    except TooManyError:
        raise
    except ClosedAccountError as closed:
        return await closed_page(request, closed)
    except RequestError as problem:
        return await account_page(request, who, problem)
    await bring_games(request, who, me, bring)
    response = RedirectResponse("/", 303)
    remember(response, request, session)
    await remember_device(response, request, me.id)
    return response


async def closed_page(request: Request, closed: ClosedAccountError) -> Response:
    """Show the owner of a closed account why it is closed."""
    standing = await asyncio.to_thread(services_of(request).player_reports.standing, closed.person_id)
    return page(request, "moderation/closed.html", None, status=closed.status, standing=standing, most=APPEAL_LENGTH)


@router.post("/sign-out")
async def sign_out(request: Request, who: Person | None) -> Response:
    """Sign out; a guest cannot come back. The browser stays known to the account."""
    await asyncio.to_thread(services_of(request).users.close_session, request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE)
    if who is not None:
        await remember_device(response, request, who.id)
    return response


@router.post("/password")
async def change_password(request: Request, who: Person, password: Text, old: Text = "") -> Response:
    """Change the password and sign out all other browsers."""
    session = request.cookies.get(COOKIE, "")
    try:
        changing = partial(accounts(request).change_password, who.id, old, password, session)
        await passwords(request).check(who.login or who.name, changing, _signed_in(request))
    except TooManyError:
        raise
    except RequestError as problem:
        return await account_page(request, who, problem)
    response = await account_page(request, who, done="account.done.password")
    await remember_device(response, request, who.id)
    return response


def _signed_in(request: Request) -> str:
    """Return the device key of a signed-in browser, which is exempt from the limits for unknown devices."""
    return digest(request.cookies.get(COOKIE, ""))


# Sessions and API tokens.


@router.post("/token")
async def make_token(request: Request, who: Person, label: Text = "") -> Response:
    """Create an API token for a program that plays as this user; it is shown once."""
    try:
        token = await asyncio.to_thread(accounts(request).make_token, who.id, one_line(label) or who.name)
    except RequestError as problem:
        return await account_page(request, who, problem)
    return await account_page(request, who, token=token)


def one_line(text: str) -> str:
    """Return a label in one line, without characters that cannot be printed."""
    return " ".join("".join(each for each in text if each.isprintable()).split())


@router.post("/revoke")
async def revoke(request: Request, who: Person, handle: Text) -> Response:
    """Revoke a session or a token."""
    await asyncio.to_thread(accounts(request).revoke, who.id, handle)
    return RedirectResponse("/account#sessions", 303)


@router.post("/sign-out-others")
async def sign_out_others(request: Request, who: Person) -> Response:
    """End all sessions except this one."""
    await asyncio.to_thread(accounts(request).sign_out_others, who.id, request.cookies.get(COOKIE, ""))
    return RedirectResponse("/account#sessions", 303)


# Export and deletion.


@router.post("/export")
async def export(request: Request, who: Person) -> Response:
    """Send the user's stored data as a zip file."""
    parts = services_of(request)
    made = await parts.exports.do(partial(export_of, parts.engine, parts.tables, who.id))
    headers = {"Content-Disposition": 'attachment; filename="brinkmanship.zip"'}
    pieces = iter(partial(made.read, PIECE_BYTES), b"")
    done = BackgroundTask(made.close)
    return StreamingResponse(pieces, media_type="application/zip", headers=headers, background=done)


@router.get("/delete")
async def ask_delete(request: Request, who: Person) -> Response:
    """Ask the user to confirm the deletion, and explain it."""
    return await _deletion(request, who)


async def _deletion(request: Request, who: Person, problem: RequestError | None = None) -> Response:
    return page(
        request,
        "account/delete.html",
        who,
        status=problem.status if problem else 200,
        problem=problem,
        most=PASSWORD_LENGTH[1],
        has_password=await asyncio.to_thread(accounts(request).has_password, who.id),
    )


@router.post("/delete")
async def delete(request: Request, who: Person, password: Text = "", sure: bool = False) -> Response:
    """Delete the account or guest; games stay, without the name."""
    try:
        if not sure:
            raise IllegalError("tick the box to confirm", key="account.refused.sure")
        if await asyncio.to_thread(accounts(request).has_password, who.id):
            checking = partial(accounts(request).checked, who.id, password)
            await passwords(request).check(who.login or "", checking, _signed_in(request))
    except TooManyError:
        raise
    except RequestError as problem:
        return await _deletion(request, who, problem)
    sat = await asyncio.to_thread(accounts(request).leave, who.id)
    services_of(request).tables.changed_outside(sat)
    await services_of(request).seating.end_deserted()
    response = page(request, "account/deleted.html", None)
    response.delete_cookie(COOKIE)
    response.delete_cookie(DEVICE_COOKIE + who.id, path="/account")
    return response


# Account recovery.


@router.get("/recover")
async def ask_recovery(request: Request, who: Person | None) -> Response:
    """Show the form that requests a recovery link."""
    return page(request, "account/recover.html", who, step=_first_step(request), problem=None)


@router.post("/recover", is_open=True)
async def send_recovery(request: Request, who: Person | None, address: Address) -> Response:
    """Request a recovery link; the response does not reveal whether any account has the address."""
    if _first_step(request) == "off":
        raise NotFoundError("this server sends no mail")
    try:
        await asyncio.to_thread(accounts(request).ask_recovery, address, request.cookies)
    except RequestError as problem:
        return page(request, "account/recover.html", who, status=problem.status, step="ask", problem=problem)
    return page(request, "account/recover.html", who, step="asked", problem=None)


def _first_step(request: Request) -> str:
    return "ask" if services_of(request).settings.sends_mail else "off"


@router.get("/recover/{token}")
async def look_at_recovery(request: Request, who: Person | None, token: str) -> Response:
    """Show the form for a new password; GET does not use up the link, since mail scanners follow links too."""
    return await _recovery(request, who, token)


async def _recovery(request: Request, who: Person | None, token: str, problem: RequestError | None = None) -> Response:
    login = await asyncio.to_thread(accounts(request).by_recovery, token)
    status = problem.status if problem else 200
    least, most = PASSWORD_LENGTH
    return page(
        request,
        "account/recover.html",
        who,
        status=status,
        step="set",
        problem=problem,
        login=login,
        least=least,
        most=most,
    )


@router.post("/recover/{token}", is_open=True)
async def recover(request: Request, who: Person | None, token: str, password: Text) -> Response:
    """Set a new password and sign the user in."""
    try:
        recovering = partial(accounts(request).recover, token, password, browser(request))
        person_id, session = await passwords(request).do(recovering)
    except IllegalError as problem:
        return await _recovery(request, who, token, problem)
    response = RedirectResponse("/account", 303)
    remember(response, request, session)
    await remember_device(response, request, person_id)
    return response
