"""Turn notifications: contact addresses, and the pages behind links in e-mails."""

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
    """The user's notification channels, for the forms."""

    email: Contact | None
    webhook: Contact | None
    has_mail: bool
    """True if this server sends e-mails."""


async def contacts_of(request: Request, who: Person | None) -> ToldBy | None:
    """Return the notification channels for the forms, None for a stranger."""
    if who is None:
        return None
    found = await asyncio.to_thread(_contacts(request).of, who.id)
    return ToldBy(found.get("email"), found.get("webhook"), services_of(request).settings.sends_mail)


def _contacts(request: Request) -> ContactService:
    return services_of(request).contacts


@router.get("/turns")
async def turns(request: Request, who: Person | None) -> Response:
    """Return the tables that wait for this user, each with its turn, for browser notifications."""
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
    """Request notifications by e-mail; they begin once the address is confirmed."""
    if not services_of(request).settings.sends_mail:
        raise NotFoundError("this server sends no mail")
    await asyncio.to_thread(_contacts(request).give_email, who.id, address)
    return RedirectResponse(f"{local_path(back)}#notices", 303)


@router.post("/webhook")
async def give_webhook(request: Request, who: Person, address: Address) -> Response:
    """Request notifications by webhook; its secret is shown once."""
    secret = await asyncio.to_thread(_contacts(request).give_webhook, who.id, address)
    return page(request, "account/notification.html", who, step="webhook", contact=None, secret=secret)


@router.post("/forget/{kind}")
async def forget(request: Request, who: Person, kind: str, back: Back = "/account") -> Response:
    """Stop notifications on a channel."""
    if kind not in KINDS:
        raise NotFoundError(f"there is no channel {kind!r}; the channels are {' and '.join(KINDS)}")
    await asyncio.to_thread(_contacts(request).stop, who.id, kind)
    return RedirectResponse(f"{local_path(back)}#notices", 303)


# Pages behind links in e-mails. GET changes nothing, since mail scanners follow links too.


@router.get("/{purpose}/{kind}/{person_id}/{token}")
async def ask(request: Request, who: Person | None, purpose: str, kind: str, person_id: str, token: str) -> Response:
    """Ask the user to confirm, or to stop notifications."""
    contact = await _by_link(request, purpose, kind, person_id, token)
    return page(request, "account/notification.html", who, step=purpose, contact=contact, secret="")


@router.post("/{purpose}/{kind}/{person_id}/{token}", is_open=True)
async def do(request: Request, who: Person | None, purpose: str, kind: str, person_id: str, token: str) -> Response:
    """Confirm or stop; the link is the proof, so mail programs may send this themselves (RFC 8058)."""
    contact = await _by_link(request, purpose, kind, person_id, token)
    if purpose == CONFIRM:
        await asyncio.to_thread(_contacts(request).confirm, contact)
    else:
        await asyncio.to_thread(_contacts(request).stop, contact.person_id, contact.kind)
    return page(request, "account/notification.html", who, step=f"{purpose}.done", contact=contact, secret="")


async def _by_link(request: Request, purpose: str, kind: str, person_id: str, token: str) -> Contact:
    if purpose not in (CONFIRM, STOP) or kind != EMAIL:
        raise NotFoundError("there is no such link", said="refused.link")
    found: Any = await asyncio.to_thread(_contacts(request).by_link, purpose, kind, person_id, token)
    return found  # type: ignore[no-any-return]
