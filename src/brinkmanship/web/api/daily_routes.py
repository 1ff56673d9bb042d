"""Routes of the API for the deal of the day."""

from __future__ import annotations

from datetime import date

from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import DailyInfo, DailyResult
from brinkmanship.web.api.v1 import api
from brinkmanship.web.daily.daily_service import Deal, ListedResult


@api.get("daily")
async def daily_deals(request: ApiRequest) -> list[DailyInfo]:
    """Return today's and yesterday's deals of all games, with the results that you may see."""
    service = request.services.daily
    today = service.today()
    return [_deal(deal) for day in (today, today - 1) for deal in await service.deals(day, request.who.id)]


def _deal(deal: Deal) -> DailyInfo:
    return DailyInfo(
        game=deal.game.id,
        date=date.fromordinal(deal.day).isoformat(),
        side=deal.game.sides[deal.side],
        level=deal.level,
        players=deal.players,
        is_over=deal.is_over,
        table=deal.mine.table_id if deal.mine else None,
        results=None if deal.results is None else [_result(each) for each in deal.results],
    )


def _result(found: ListedResult) -> DailyResult:
    game = found.game
    return DailyResult(
        place=found.place,
        player=found.name,
        is_you=found.is_mine,
        is_guest=game.is_guest,
        score=game.score or 0,
        is_abandoned=game.is_abandoned,
        score_without_luck=game.luck_adjusted,
        table=game.table_id if game.revealed_at is not None or found.is_mine else None,
    )
