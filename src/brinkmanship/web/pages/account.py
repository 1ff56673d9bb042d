"""Who one is here: the shown name, an account that keeps a guest's games, signing in and out, tokens for programs."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from brinkmanship.web.errors import RequestError
from brinkmanship.web.identity import COOKIE, Protected, Someone, Visitor, remember
from brinkmanship.web.pages.home import check_same_site
from brinkmanship.web.pages.notices import contacts_of
from brinkmanship.web.pages.render import page
from brinkmanship.web.people import NAME_LENGTH, PASSWORD_LENGTH, Person

router = APIRouter(prefix="/account")

Text = Annotated[str, Form(max_length=200)]


async def _page(
    request: Request, who: Person | None, problem: RequestError | None = None, token: str = "", done: str = ""
) -> Response:
    return page(
        request,
        "account.html",
        who,
        status=problem.status if problem else 200,
        problem=problem,
        token=token,
        done=done,
        least=PASSWORD_LENGTH[0],
        most=PASSWORD_LENGTH[1],
        name_length=NAME_LENGTH,
        told_by=await contacts_of(request, who),
    )


@router.get("")
async def show(request: Request, who: Visitor) -> Response:
    """The page of one's own."""
    return await _page(request, who)


@router.post("/name", dependencies=[Protected])
async def rename(request: Request, who: Someone, name: Text) -> Response:
    """Be called something else; games already begun keep the old name."""
    try:
        who = await asyncio.to_thread(request.app.state.people.rename, who, name)
    except RequestError as problem:
        return await _page(request, who, problem)
    return await _page(request, who, done="account.done.name")


@router.post("/register", dependencies=[Protected])
async def register(request: Request, who: Someone, login: Text, password: Text) -> Response:
    """Make an account of a guest."""
    try:
        who = await asyncio.to_thread(request.app.state.people.register, who, login, password)
    except RequestError as problem:
        return await _page(request, who, problem)
    return await _page(request, who, done="account.done.registered")


@router.post("/sign-in")
async def sign_in(request: Request, who: Visitor, login: Text, password: Text) -> Response:
    """Come back to an account."""
    check_same_site(request)
    try:
        _, session = await asyncio.to_thread(request.app.state.people.sign_in, login, password)
    except RequestError as problem:
        return await _page(request, who, problem)
    response = RedirectResponse("/", 303)
    remember(response, request, session)
    return response


@router.post("/sign-out", dependencies=[Protected])
async def sign_out(request: Request) -> Response:
    """Leave; a guest cannot come back."""
    await asyncio.to_thread(request.app.state.people.close_session, request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE)
    return response


@router.post("/token", dependencies=[Protected])
async def make_token(request: Request, who: Someone) -> Response:
    """A token for a program that plays in this person's name; shown once."""
    token = await asyncio.to_thread(request.app.state.people.open_session, who.id, who.name)
    return await _page(request, who, token=token)
