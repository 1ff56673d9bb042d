"""Turn notices: giving an address, and the pages behind the links in mails."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from brinkmanship.engine.message import Message
from brinkmanship.store import repository
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.contacts import CONFIRM, EMAIL, KINDS, STOP, Contact, ContactService
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.notifications.turn import sentence_of, turn_of
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import local_path, page
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.services import services_of, table_at
from brinkmanship.web.support.errors import NotFoundError

router = PageRouter("/notices")

Address = Annotated[str, Meta(max_length=500)]
Back = Annotated[str, Meta(max_length=300)]


class ToldBy(NamedTuple):
    """How a person is told of his turn, for the forms."""

    email: Contact | None
    webhook: Contact | None
    has_mail: bool
    """Whether this server sends mails."""


async def contacts_of(request: Request, who: Person | None) -> ToldBy | None:
    """What the forms need to know; None for a stranger."""
    if who is None:
        return None
    found = await asyncio.to_thread(_contacts(request).of, who.id)
    return ToldBy(found.get("email"), found.get("webhook"), services_of(request).settings.sends_mail)


def _contacts(request: Request) -> ContactService:
    return services_of(request).contacts


@router.get("/turns")
async def turns(request: Request, who: Person | None) -> Response:
    """The tables that wait for this person, for notifications of the browser: each with the turn it is about."""
    if who is None:
        return JSONResponse([])
    language = language_of(request, who)
    own = page_words(language)
    listed = await asyncio.to_thread(repository.tables_of, services_of(request).engine, who.id, False)
    found: list[dict[str, str | int]] = []
    for row in listed:
        if not row.asked and not any(seat.is_awaited for seat in row.seats):
            continue
        with repository.leaving_out(row.id):
            table = await table_at(request, row.id)
            for side in table.seat_of(who.id):
                if (turn := turn_of(table, side)) is not None:
                    title, text = own.sentence(Message("home.your_turn")), sentence_of(table, side, language)
                    found.append({"table": table.id, "turn": turn, "title": title, "text": text})
    return JSONResponse(found)


@router.post("/email")
async def give_email(request: Request, who: Person, address: Address, back: Back = "/account") -> Response:
    """Be told by e-mail, once the address is confirmed."""
    if not services_of(request).settings.sends_mail:
        raise NotFoundError("this server sends no mail")
    await asyncio.to_thread(_contacts(request).give_email, who.id, address)
    return RedirectResponse(f"{local_path(back)}#notices", 303)


@router.post("/webhook")
async def give_webhook(request: Request, who: Person, address: Address) -> Response:
    """Be told by a webhook; its secret is shown this once."""
    secret = await asyncio.to_thread(_contacts(request).give_webhook, who.id, address)
    return page(request, "notice.html", who, step="webhook", contact=None, secret=secret)


@router.post("/forget/{kind}")
async def forget(request: Request, who: Person, kind: str, back: Back = "/account") -> Response:
    """Be told no longer."""
    if kind not in KINDS:
        raise NotFoundError(f"one is told by {' or '.join(KINDS)}")
    await asyncio.to_thread(_contacts(request).stop, who.id, kind)
    return RedirectResponse(f"{local_path(back)}#notices", 303)


# Behind the links in mails. They change nothing by themselves: programs that look at mails follow links, too.


@router.get("/{purpose}/{kind}/{person_id}/{token}")
async def ask(request: Request, who: Person | None, purpose: str, kind: str, person_id: str, token: str) -> Response:
    """Whether to confirm, or to stop."""
    contact = await _by_link(request, purpose, kind, person_id, token)
    return page(request, "notice.html", who, step=purpose, contact=contact, secret="")


@router.post("/{purpose}/{kind}/{person_id}/{token}", is_open=True)
async def do(request: Request, who: Person | None, purpose: str, kind: str, person_id: str, token: str) -> Response:
    """Confirm or stop; the link is the proof, so mail programs may do it by themselves (RFC 8058)."""
    contact = await _by_link(request, purpose, kind, person_id, token)
    if purpose == CONFIRM:
        await asyncio.to_thread(_contacts(request).confirm, contact)
    else:
        await asyncio.to_thread(_contacts(request).stop, contact.person_id, contact.kind)
    return page(request, "notice.html", who, step=f"{purpose}.done", contact=contact, secret="")


async def _by_link(request: Request, purpose: str, kind: str, person_id: str, token: str) -> Contact:
    if purpose not in (CONFIRM, STOP) or kind != EMAIL:
        raise NotFoundError("there is no such link", said="refused.link")
    found: Any = await asyncio.to_thread(_contacts(request).by_link, purpose, kind, person_id, token)
    return found  # type: ignore[no-any-return]
