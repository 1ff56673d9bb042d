"""Routes of the API for people: tokens, ratings, profiles, histories, statistics of the site."""

from __future__ import annotations

import asyncio

from brinkmanship.games.registry import kits
from brinkmanship.rating.game_results import PROVISIONAL_GAMES
from brinkmanship.store import ratings
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.api.profiles import history_info, person_info
from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import (
    HistoryInfo,
    NewToken,
    PersonInfo,
    RankedInfo,
    RatingInfo,
    Token,
    WhichRatings,
)
from brinkmanship.web.api.v1 import api
from brinkmanship.web.profiles import statistics
from brinkmanship.web.profiles.history import History
from brinkmanship.web.profiles.statistics import GameStatistics
from brinkmanship.web.support.errors import NotFoundError


@api.post("tokens", 201, is_open=True)
async def create_token(request: ApiRequest, body: NewToken) -> Token:
    """Create a player for a program, and the token it authenticates with."""
    users = request.services.users

    def create() -> tuple[Person, str]:
        guest, _ = users.add_guest(body.name, "en")
        return guest, users.open_session(guest.id, api_label=guest.name)

    guest, token = await asyncio.to_thread(create)
    return Token(token, guest.id)


@api.get("ratings")
async def own_ratings(request: ApiRequest) -> list[RatingInfo]:
    """List your ratings, one for each game in which you have finished rated games."""
    found = await asyncio.to_thread(ratings.standings_of, request.services.engine, request.who.id)
    return [
        RatingInfo(game, value, deviation, games, games < PROVISIONAL_GAMES)
        for game, ((value, deviation), games, _) in found.items()
    ]


@api.get("leaderboard")
async def leaderboard(request: ApiRequest, query: WhichRatings) -> list[RankedInfo]:
    """List people by their rating in a game, the best first; at most 50."""
    if query.game not in kits():
        raise NotFoundError(f"there is no game {query.game!r}; the games are {', '.join(kits())}")
    found = await asyncio.to_thread(ratings.leaderboard, request.services.engine, query.game, query.after)
    return [RankedInfo(*row) for row in found]


@api.get("people/{person_id}")
async def profile(request: ApiRequest) -> PersonInfo:
    """Return the profile of a person, if it is public or your own."""
    return await asyncio.to_thread(person_info, request.services.engine, request.id, request.who.id)


@api.get("people/{person_id}/games")
async def history(request: ApiRequest, query: History) -> HistoryInfo:
    """Return a person's finished games that match the filters, newest first."""
    return await asyncio.to_thread(history_info, request.services.engine, request.id, request.who.id, query)


@api.get("statistics", is_open=True)
async def site_statistics(request: ApiRequest) -> list[GameStatistics]:
    """Return the statistics of finished games on this server."""
    return list(await asyncio.to_thread(statistics.stored, request.services.engine))
