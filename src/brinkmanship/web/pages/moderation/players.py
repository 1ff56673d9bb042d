"""Blocking and reporting players of a table, and answering measures."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.store.moderation import CATEGORIES
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.moderation.player_reports import APPEAL_LENGTH, REPORT_LENGTH, PlayerReports, handle_of
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.services import services_of, table_at
from brinkmanship.web.support.errors import RequestError, TooManyError

router = PageRouter()

Handle = Annotated[str, Meta(max_length=30)]
Id = Annotated[str, Meta(max_length=32)]
Category = Literal["abuse", "stalling", "cheating", "name", "other"]


def _reports(request: Request) -> PlayerReports:
    return services_of(request).player_reports


@router.get("/t/{table_id}/report")
async def ask_report(request: Request, who: Person, table_id: str) -> Response:
    """Show the people at a table, to block or report them."""
    return await _page(request, who, table_id)


async def _page(request: Request, who: Person, table_id: str, problem: RequestError | None = None) -> Response:
    table = await table_at(request, table_id)
    return page(
        request,
        "moderation/report.html",
        who,
        status=problem.status if problem else 200,
        problem=problem,
        table_id=table.id,
        people=await asyncio.to_thread(_reports(request).people_at, table.id, who.id),
        handle_of=handle_of,
        categories=CATEGORIES,
        most=REPORT_LENGTH,
    )


@router.post("/t/{table_id}/report")
async def report(
    request: Request,
    who: Person,
    table_id: str,
    about: Handle,
    category: Category,
    text: Annotated[str, Meta(max_length=2 * REPORT_LENGTH)] = "",
) -> Response:
    """Send a report. Line breaks count as two characters in forms, so the limit of the field is checked by its page."""
    table = await table_at(request, table_id)
    sending = partial(_reports(request).report, who.id, table.id, about, category, text.strip()[:REPORT_LENGTH])
    try:
        await asyncio.to_thread(sending)
    except TooManyError:
        raise
    except RequestError as problem:
        return await _page(request, who, table_id, problem)
    return RedirectResponse("/account?reported=true#reports", 303)


@router.post("/t/{table_id}/block")
async def block(request: Request, who: Person, table_id: str, about: Handle) -> Response:
    """Block someone at a table."""
    table = await table_at(request, table_id)
    try:
        await asyncio.to_thread(_reports(request).block, who.id, table.id, about)
    except RequestError as problem:
        return await _page(request, who, table_id, problem)
    return RedirectResponse(f"/t/{table.id}/report", 303)


@router.post("/account/unblock")
async def unblock(request: Request, who: Person, about: Handle) -> Response:
    """End a block."""
    await asyncio.to_thread(_reports(request).unblock, who.id, about)
    return RedirectResponse("/account#blocked", 303)


@router.post("/account/measures/read")
async def mark_read(request: Request, who: Person) -> Response:
    """Note that the user has read what the moderators have written."""
    await asyncio.to_thread(_reports(request).mark_read, who.id)
    return RedirectResponse("/account", 303)


@router.post("/account/measures/appeal", is_open=True)
async def appeal(
    request: Request,
    who: Person | None,
    measure: Id,
    key: Id,
    text: Annotated[str, Meta(max_length=2 * APPEAL_LENGTH)] = "",
) -> Response:
    """Answer a measure; the key of the form is the proof, because the owner of a closed account has no session."""
    answering = partial(_reports(request).appeal, measure, key, text[:APPEAL_LENGTH])
    await asyncio.to_thread(answering)
    if who is None:
        return page(request, "moderation/closed.html", None, standing=None, most=APPEAL_LENGTH)
    return RedirectResponse("/account#measures", 303)
