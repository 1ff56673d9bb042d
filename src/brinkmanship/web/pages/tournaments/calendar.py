"""Calendar of a tournament (iCalendar, RFC 5545): its start, and the deadlines of its rounds."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.message import Message
from brinkmanship.store.tournaments import Record
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import public_url
from brinkmanship.web.pages.tournaments.tournament_lists import name_of
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.services import services_of

router = PageRouter()

MAX_OCTETS = 75
"""Maximum length of a line."""


class Date(NamedTuple):
    """An event of the calendar."""

    key: str
    at: float
    summary: str


@router.get("/tournaments/{tournament_id}/calendar.ics")
async def calendar(request: Request, who: Person | None, tournament_id: str) -> Response:
    """Return the dates of a tournament for calendar programs."""
    record = await services_of(request).tournaments.read(tournament_id)
    own = page_words(language_of(request, who))
    url = f"{public_url(request)}/tournaments/{tournament_id}"
    text = calendar_text(name_of(record.tournament, own), url, record.tournament.created_at, dates_of(record, own))
    return Response(text, media_type="text/calendar; charset=utf-8", headers={"cache-control": "private"})


def dates_of(record: Record, own: Words) -> list[Date]:
    """Return the start of a tournament and the deadlines of its rounds."""
    tournament, name = record.tournament, name_of(record.tournament, own)
    starts_at = tournament.begun_at or tournament.starts_at
    dates = [Date("start", starts_at, own.text(Message("tournament.dates.start", {"name": name})))] if starts_at else []
    deadlines: dict[tuple[int, float], None] = {}
    for match in record.event.matches:
        if match.ends_at is not None and match.second is not None and not match.is_struck:
            deadlines.setdefault((match.place.round, match.ends_at))
    for number, at in sorted(deadlines):
        said = own.text(Message("tournament.dates.round", {"name": name, "number": number}))
        dates.append(Date(f"round-{number}-{at:.0f}", at, said))
    return dates


def calendar_text(name: str, url: str, made_at: float, dates: Iterable[Date]) -> bytes:
    """Return a calendar.

    Args:
        name: name of the calendar.
        url: page that its events link to; their ids follow from it.
        made_at: Unix time at which the calendar was made (s).
        dates: its events.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Brinkmanship//Tournaments//EN", f"X-WR-CALNAME:{_text(name)}"]
    for date in dates:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{date.key}@{url.partition('://')[2].replace('/', '.')}",
            f"DTSTAMP:{_time(made_at)}",
            f"DTSTART:{_time(date.at)}",
            f"SUMMARY:{_text(date.summary)}",
            f"URL:{url}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return b"".join(_folded(line) for line in lines)


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    for character in ("\\", ";", ","):
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """Return a line of at most 75 octets, continued on further ones that begin with a space."""
    lines: list[bytes] = [b""]
    for character in line:
        octets = character.encode()
        if len(lines[-1]) + len(octets) > MAX_OCTETS:
            lines.append(b" ")
        lines[-1] += octets
    return b"\r\n".join(lines) + b"\r\n"
