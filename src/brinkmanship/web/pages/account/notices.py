"""Turn notifications: contact addresses, and the pages behind links in e-mails."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from brinkmanship.engine.message import Message
from brinkmanship.store import notices, repository
from brinkmanship.store.notices import EMAIL, WEBHOOK, Preferences
from brinkmanship.web.accounts.authentication import COOKIE, browser, language_of
from brinkmanship.web.accounts.contacts import CONFIRM, KINDS, PUSH, STOP, Contact, ContactService
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.notifications import push
from brinkmanship.web.notifications.turn import sentence_of, turn_of
from brinkmanship.web.notifications.webhook import shown_secret
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import local_path, page
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.services import ServerServices, services_of, table_at
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.tokens import digest
from brinkmanship.web.tables.statuses import CLOSED, FINISHED

router = PageRouter("/notices")

Address = Annotated[str, Meta(max_length=500)]
Back = Annotated[str, Meta(max_length=300)]
Key = Annotated[str, Meta(max_length=100)]
Place = Annotated[str, Meta(max_length=16)]
TableId = Annotated[str, Meta(max_length=12)]
Time = Annotated[str, Meta(max_length=5)]
Zone = Annotated[str, Meta(max_length=40)]


class ToldBy(NamedTuple):
    """The user's notification channels and preferences, for the forms."""

    email: Contact | None
    webhook: Contact | None
    browsers: list[Contact]
    has_mail: bool
    """True if this server sends e-mails."""
    has_push: bool
    """True if this server sends notifications to browsers."""
    is_on_here: bool
    """True if this browser is notified."""
    preferences: Preferences
    table_webhook: Contact | None = None
    """Webhook for the table in question."""
    is_muted: bool = False
    """True if the user wants no notices of the table in question."""


async def contacts_of(request: Request, who: Person | None, table_id: str = "") -> ToldBy | None:
    """Return the notification channels for the forms, of a table too if one is given; None for a stranger."""
    if who is None:
        return None
    return await asyncio.to_thread(_told_by, services_of(request), who.id, _session(request), table_id)


def _told_by(services: ServerServices, person_id: str, session: str, table_id: str) -> ToldBy:
    found = services.contacts.of(person_id)
    by_place = {(contact.kind, contact.place): contact for contact in found}
    browsers = [contact for contact in found if contact.kind == PUSH]
    with services.engine.connect() as connection:
        preferences = notices.preferences_of(connection, person_id)
        is_muted = bool(table_id) and notices.is_muted(connection, table_id, person_id)
    return ToldBy(
        by_place.get((EMAIL, "")),
        by_place.get((WEBHOOK, "")),
        browsers,
        services.settings.sends_mail,
        bool(services.settings.push_subject),
        any(browser.session == session for browser in browsers),
        preferences,
        by_place.get((WEBHOOK, table_id)) if table_id else None,
        is_muted,
    )


def _session(request: Request) -> str:
    """Return the digest of the browser's session."""
    return digest(request.cookies.get(COOKIE, ""))


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
        if await asyncio.to_thread(_is_muted, request, row.id, who.id):
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
async def give_webhook(request: Request, who: Person, address: Address, table: TableId = "") -> Response:
    """Request notifications by webhook, in general or of one table; its secret is shown once."""
    if table:
        await _seated(request, who, table)
    secret = await asyncio.to_thread(_contacts(request).give_webhook, who.id, address, table)
    shown = shown_secret(secret)
    return page(request, "account/notification.html", who, step="webhook", contact=None, secret=shown)


@router.post("/forget/{kind}")
async def forget(request: Request, who: Person, kind: str, place: Place = "", back: Back = "/account") -> Response:
    """Stop notifications on a channel: of a browser, or of a table's webhook, if its place is given."""
    if kind not in KINDS:
        raise NotFoundError(f"there is no channel {kind!r}; the channels are {' and '.join(KINDS)}")
    await asyncio.to_thread(_contacts(request).stop, who.id, kind, place)
    return RedirectResponse(f"{local_path(back)}#notices", 303)


# Browsers (web push).


@router.get("/push")
async def push_key(request: Request, who: Person) -> Response:  # noqa: ARG001 - only users may ask
    """Return the server's public key, with which browsers subscribe."""
    _check_push(request)
    key = await asyncio.to_thread(lambda: services_of(request).push_key.public)
    return JSONResponse({"key": key})


@router.post("/push")
async def give_browser(request: Request, who: Person, endpoint: Address, p256dh: Key, auth: Key) -> Response:
    """Request notifications to this browser, as long as it is signed in."""
    _check_push(request)
    settings = services_of(request).settings
    checking = partial(push.checked, endpoint, p256dh, auth, settings.push_hosts, settings.webhooks_to_private)
    keys = await asyncio.to_thread(checking)
    giving = partial(_contacts(request).give_browser, who.id, _session(request), endpoint, keys, browser(request))
    await asyncio.to_thread(giving)
    return Response(status_code=204)


def _check_push(request: Request) -> None:
    if not services_of(request).settings.push_subject:
        raise NotFoundError("this server sends no notifications to browsers", key="refused.no_push")


# Preferences.


@router.post("/times")
async def keep_times(
    request: Request, who: Person, quiet_from: Time = "", quiet_to: Time = "", digest_at: Time = "", zone: Zone = "UTC"
) -> Response:
    """Store quiet hours, the time of a daily e-mail, and the time zone."""
    begin, end = minute_of(quiet_from), minute_of(quiet_to)
    if (begin is None) != (end is None):
        raise IllegalError("quiet hours need a beginning and an end", key="quiet.refused.time")
    if zone not in await asyncio.to_thread(notices.time_zones):
        raise IllegalError("a time zone is an IANA name like Europe/Berlin", key="quiet.refused.zone")
    preferences = Preferences(begin, end, minute_of(digest_at), zone)
    await asyncio.to_thread(_keep, services_of(request), who.id, preferences)
    return RedirectResponse("/account#notices", 303)


def minute_of(text: str) -> int | None:
    """Return the minute of the day of a time like "22:30"; None if it is empty.

    Raises:
        IllegalError: It is not a time of the day.
    """
    if not text:
        return None
    try:
        at = datetime.strptime(text, "%H:%M")
    except ValueError:
        raise IllegalError("a time looks like 22:30", key="quiet.refused.time") from None
    return at.hour * 60 + at.minute


def _keep(services: ServerServices, person_id: str, preferences: Preferences) -> None:
    with services.engine.begin() as connection:
        notices.keep_preferences(connection, person_id, preferences)


@router.post("/mute/{table_id}")
async def mute(request: Request, who: Person, table_id: str, muted: bool) -> Response:
    """Turn notifications of a table off or on."""
    await _seated(request, who, table_id)
    await asyncio.to_thread(_mute, services_of(request), table_id, who.id, muted)
    return RedirectResponse(f"/t/{table_id}#notices", 303)


def _mute(services: ServerServices, table_id: str, person_id: str, is_muted: bool) -> None:
    with services.engine.begin() as connection:
        notices.mute(connection, table_id, person_id, is_muted)


def _is_muted(request: Request, table_id: str, person_id: str) -> bool:
    with services_of(request).engine.connect() as connection:
        return notices.is_muted(connection, table_id, person_id)


async def _seated(request: Request, who: Person, table_id: str) -> None:
    """Check that a user has a seat at an unfinished table.

    Raises:
        ForbiddenError: They have none.
    """
    table = await table_at(request, table_id)
    if not table.seat_of(who.id) or table.status in (FINISHED, CLOSED):
        raise ForbiddenError("only players of an unfinished table are notified of it", key="refused.not_yours")


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
        raise NotFoundError("there is no such link", key="refused.link")
    found: Any = await asyncio.to_thread(_contacts(request).by_link, purpose, kind, person_id, token)
    return found  # type: ignore[no-any-return]
