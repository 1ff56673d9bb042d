"""Statistics of the site: how finished games ended, how balanced the sides are, and how long games take."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from babel.dates import format_timedelta
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kits
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.opponents import opponent_name
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.presentation.moments import date_locale
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.profiles.graphs import histogram
from brinkmanship.web.profiles.statistics import MIN_GAMES, GameStatistics, stored
from brinkmanship.web.services import services_of

router = PageRouter()


class StatisticsRow(NamedTuple):
    """A row of a table: its name, the number of games, a share, and the interval of the share."""

    name: str
    games: str
    share: str
    interval: str


class ShownStatistics(NamedTuple):
    """The statistics of one game in words."""

    id: str
    title: str
    games: int
    first_side: str
    balance: list[StatisticsRow]
    levels: list[StatisticsRow]
    endings: list[StatisticsRow]
    lengths: str
    graph: Markup | None
    durations: list[StatisticsRow]


@router.get("/statistics")
async def statistics(request: Request, who: Person | None) -> Response:
    """Show the statistics of the site."""
    found = await asyncio.to_thread(stored, services_of(request).engine)
    language = language_of(request, who)
    games = [_shown(game_by_id(request, each.game), each, language) for each in found if each.game in kits()]
    return page(request, "people/statistics.html", who, games=games, least=MIN_GAMES)


def _shown(game: Game, found: GameStatistics, language: str) -> ShownStatistics:
    words, own = game_words(game, language), page_words(language)
    sides = [words.name("side", side) for side in game.sides]

    def row(name: str, games: int, share: float, low: float, high: float) -> StatisticsRow:
        return StatisticsRow(
            name, _number(games, own), _percent(share, own), f"{_percent(low, own)} – {_percent(high, own)}"
        )

    levels = [
        row(
            own.sentence(
                Message("statistics.level", {"player": opponent_name(game, each.player, own), "side": sides[each.side]})
            ),
            *(each.games, each.share, each.low, each.high),
        )
        for each in found.levels
    ]
    return ShownStatistics(
        game.id,
        title_of(game, own),
        found.games,
        sides[0],
        [
            row(own.sentence(Message(f"statistics.kind.{each.kind}")), each.games, each.share, each.low, each.high)
            for each in found.balance
        ],
        levels,
        [
            StatisticsRow(
                own.sentence(Message(f"profile.ending.{each.ending}")),
                _number(each.games, own),
                _percent(each.games / found.games, own),
                "",
            )
            for each in found.endings
        ],
        _length(found, own),
        None if found.length is None else Markup(histogram(found.length, _length(found, own))),
        [
            StatisticsRow(
                own.sentence(Message(f"statistics.pace.{each.pace}")),
                _number(each.games, own),
                str(format_timedelta(int(each.median_seconds), locale=date_locale(language), threshold=2.0)),
                "",
            )
            for each in found.durations
        ],
    )


def _length(found: GameStatistics, own: Words) -> str:
    if found.length is None:
        return ""
    middle = str(format_decimal(found.length.median, locale=date_locale(own.language)))
    return own.sentence(Message("statistics.length.median", {"n": found.length.games, "median": middle}))


def _number(number: int, own: Words) -> str:
    return str(format_decimal(number, locale=date_locale(own.language)))


def _percent(share: float, own: Words) -> str:
    return str(format_percent(share, locale=date_locale(own.language)))
