"""Duplicate rounds: the page that compares the tables of a round once all of them are finished."""

from __future__ import annotations

from typing import NamedTuple

from babel.numbers import format_decimal, format_percent
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.message import Message
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.matches.duplicate_results import SideResult, TableResult
from brinkmanship.web.matches.duplicate_service import DuplicateRound
from brinkmanship.web.pages.formats.match import points_text
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, public_url
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED

router = PageRouter()


class SideRow(NamedTuple):
    """A player of a table in the list of results."""

    side: str
    player: str
    person_id: str | None
    points: str
    """Empty before the round is over, as the next two are."""
    difference: str
    matchpoints: str
    invitation: str
    """Link for the free seat, for the organiser."""


class TableRow(NamedTuple):
    """A table of a round."""

    number: int
    address: str
    """Path of the table; "" for a viewer who may not see it yet."""
    state: str
    """Result once the round is over, before that whether it is being played."""
    sides: list[SideRow]


@router.get("/duplicate/{round_id}")
async def show_round(request: Request, who: Person | None, round_id: str) -> Response:
    """Show the tables of a duplicate round, and their results once all are finished."""
    found = await services_of(request).duplicates.round(round_id)
    language = language_of(request, who)
    words, own = game_words(found.game, language), page_words(language)
    return page(
        request,
        "formats/duplicate.html",
        who,
        title=title_of(found.game, own),
        is_over=found.is_over,
        unfinished=found.unfinished,
        commitment=found.kept.commitment,
        join_until=found.kept.join_until,
        averages=[
            (words.name("side", side), format_decimal(average, "0.00", language))
            for side, average in zip(found.game.sides, found.averages or (), strict=False)
        ],
        rows=_rows(request, found, who, language),
        linked=await services_of(request).profile_links.among(
            seat.person_id for table in found.tables for seat in table.seats
        ),
    )


def _rows(request: Request, found: DuplicateRound, who: Person | None, language: str) -> list[TableRow]:
    words, own = game_words(found.game, language), page_words(language)
    return [
        TableRow(
            number,
            f"/t/{table.id}" if found.is_over or table.seat_of(who.id if who else None) else "",
            _state(table, result, words, own),
            _sides(request, found, table, result, who, language),
        )
        for number, (table, result) in enumerate(found.rows, 1)
    ]


def _state(table: LiveTable, result: TableResult | None, words: Words, own: Words) -> str:
    if result is not None:
        return result_text(table.game, table.result, words, own)
    return own.sentence(Message("duplicate.over" if table.status == FINISHED else f"series.{table.status}"))


def _sides(
    request: Request,
    found: DuplicateRound,
    table: LiveTable,
    result: TableResult | None,
    who: Person | None,
    language: str,
) -> list[SideRow]:
    words, own = game_words(found.game, language), page_words(language)
    tokens = found.invitations(table, who.id if who else None)
    rows = []
    for seat in table.seats:
        token = tokens.get(seat.side)
        rows.append(
            SideRow(
                words.name("side", found.game.sides[seat.side]),
                player_name(seat, own) or own.sentence(Message("table.free_seat")),
                seat.person_id,
                *_numbers(result[seat.side] if result else None, language),
                f"{public_url(request)}/join/{table.id}/{token}" if token else "",
            )
        )
    return rows


def _numbers(result: SideResult | None, language: str) -> tuple[str, str, str]:
    if result is None:
        return "", "", ""
    share = "" if result.matchpoints is None else format_percent(result.matchpoints, "0%", language)
    return points_text(result.points), format_decimal(result.difference, "+0.00;−0.00", language), share
