"""Deals of the day: today's deals, and the page of one deal with its results and disputed decisions."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from babel.dates import format_date
from babel.numbers import format_percent
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.engine.message import Message
from brinkmanship.store.daily import DailyGame
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.daily.comparison import Fork
from brinkmanship.web.daily.daily_service import Deal, ListedResult
from brinkmanship.web.daily.deals import ends_at
from brinkmanship.web.pages.lobby.opponents import opponent_name
from brinkmanship.web.pages.shared.forms import Name, signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, public_url
from brinkmanship.web.presentation.moments import date_locale
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError

router = PageRouter()

_SCORES = {1: "daily.won", 0: "daily.drawn", -1: "daily.lost"}


class DailyRow(NamedTuple):
    """A listed result in words."""

    place: str
    """Empty before its analysis."""
    name: str
    profile: str
    """Path of the player's public profile; "" for none."""
    score: str
    without_luck: str
    replay: str
    """Path of the game; "" as long as it is sealed for the viewer."""
    is_mine: bool
    is_guest: bool


class DealText(NamedTuple):
    """A deal in words."""

    game_id: str
    title: str
    date: str
    address: str
    """Path of its page."""
    before: str
    """Path of the deal of the day before."""
    side: str
    level: str
    players: int
    table: str
    """Path of the user's own table; "" if they have not begun."""
    is_finished: bool
    """True if the user has finished their own game."""
    score: str
    without_luck: str
    is_over: bool
    rows: list[DailyRow] | None
    """None as long as the viewer may not see them."""
    has_guests: bool
    """True if guests are listed, after the accounts."""


class DisputedChoice(NamedTuple):
    """A choice at a disputed decision."""

    text: str
    players: int


class DisputedDecision(NamedTuple):
    """A decision at which players differed."""

    question: str
    address: str
    """Path of the replay at this position."""
    choices: list[DisputedChoice]


@router.get("/daily")
async def daily_deals(request: Request, who: Person | None) -> Response:
    """Show today's deals with the user's own results and streaks."""
    service, language = services_of(request).daily, language_of(request, who)
    today = service.today()
    return page(
        request,
        "formats/daily.html",
        who,
        url=f"{public_url(request)}/daily",
        date=_date(today, language),
        today=date.fromordinal(today).isoformat(),
        ends_at=ends_at(today),
        deals=[_text(deal, language) for deal in await service.deals(today, who.id if who else None)],
        streaks=await service.streaks(who.id) if who else None,
    )


@router.post("/daily/{game_id}", is_open=True)
async def play_daily(request: Request, who: Person | None, game_id: str, name: Name = "", today: str = "") -> Response:
    """Redirect to the user's game of today's deal, which begins now if it has not yet; a stranger becomes a guest.

    A page of another day (`today`, if given) gets today's deals instead: the new one may have another side and level.
    """
    service = services_of(request).daily
    await service.deal(game_id, service.today(), None)  # before a stranger becomes a guest
    if today and _day(today) != service.today():
        return RedirectResponse("/daily", 303)
    me, token = await somebody(request, who, name)
    table_id = await service.begin(game_id, me.id, me.name)
    return signed_in(RedirectResponse(f"/t/{table_id}", 303), request, token)


@router.get("/daily/{game_id}/{date}")
async def daily_deal(request: Request, who: Person | None, game_id: str, date: str) -> Response:
    """Show the results of a deal, and once its day is over the decisions at which players differed."""
    language = language_of(request, who)
    deal = await services_of(request).daily.deal(game_id, _day(date), who.id if who else None)
    is_open = deal.is_over and deal.results is not None
    return page(
        request,
        "formats/daily_deal.html",
        who,
        deal=_text(deal, language),
        decisions=await _decisions(request, deal, language) if is_open else None,
    )


def _day(text: str) -> int:
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError as error:
        raise NotFoundError("a day is written as 2026-01-31", key="daily.refused.day") from error


def _date(day: int, language: str) -> str:
    return format_date(date.fromordinal(day), "long", locale=date_locale(language))


def _address(game_id: str, day: int) -> str:
    return f"/daily/{game_id}/{date.fromordinal(day).isoformat()}"


def _text(deal: Deal, language: str) -> DealText:
    words, own = game_words(deal.game, language), page_words(language)
    mine = deal.mine
    return DealText(
        deal.game.id,
        title_of(deal.game, own),
        _date(deal.day, language),
        _address(deal.game.id, deal.day),
        _address(deal.game.id, deal.day - 1),
        words.name("side", deal.game.sides[deal.side]),
        opponent_name(deal.game, deal.level, own),
        deal.players,
        f"/t/{mine.table_id}" if mine else "",
        mine is not None and mine.score is not None,
        _score(mine.score, mine.is_abandoned, own) if mine else "",
        _without_luck(mine, deal, own, language) if mine else "",
        deal.is_over,
        None if deal.results is None else [_row(each, deal, own, language) for each in deal.results],
        any(each.game.is_guest for each in deal.results or ()),
    )


def _row(result: ListedResult, deal: Deal, own: Words, language: str) -> DailyRow:
    game = result.game
    anonymous = own.sentence(Message("daily.you" if result.is_mine else "daily.anonymous"))
    return DailyRow(
        str(result.place or ""),
        result.name or anonymous,
        f"/people/{game.person_id}" if result.name else "",
        _score(game.score, game.is_abandoned, own),
        _without_luck(game, deal, own, language),
        f"/t/{game.table_id}/finished" if game.revealed_at is not None or result.is_mine else "",
        result.is_mine,
        game.is_guest,
    )


def _score(score: int | None, is_abandoned: bool, own: Words) -> str:
    if score is None:
        return ""
    return own.sentence(Message("daily.abandoned" if is_abandoned else _SCORES[score]))


def _without_luck(game: DailyGame, deal: Deal, own: Words, language: str) -> str:
    """Return a result without luck as in analyses: at least 0 and at most 100 percent."""
    if game.luck_adjusted is not None:
        return format_percent(min(1.0, max(0.0, game.luck_adjusted)), "0%", language)
    return own.sentence(Message("daily.pending")) if deal.is_computing and not game.is_abandoned else "–"


async def _decisions(request: Request, deal: Deal, language: str) -> list[DisputedDecision] | None:
    found = await services_of(request).daily.forks(deal.game.id, deal.day)
    return None if found is None else [await _decision(request, deal, fork, language) for fork in found]


async def _decision(request: Request, deal: Deal, fork: Fork, language: str) -> DisputedDecision:
    table = await services_of(request).tables.table(fork.table)
    view, words = table.seen_by(deal.side).view(fork.entries), game_words(table.game, language)
    narrator = table.game.narrator
    return DisputedDecision(
        words.sentence(narrator.prompt(view, deal.side)),
        f"/t/{table.id}/replay/{fork.entries}?as={table.game.sides[deal.side]}",
        [
            DisputedChoice(words.sentence(narrator.describe(view, deal.side, pick.action)), pick.players)
            for pick in fork.picks
        ],
    )
