"""The leaderboard of a game, with the computer levels as marks, and how ratings work."""

from __future__ import annotations

import asyncio
import math
from typing import Annotated, NamedTuple

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kits
from brinkmanship.players import levels_for
from brinkmanship.rating.game_results import LISTED_GAMES
from brinkmanship.rating.profile import profile_for
from brinkmanship.store import ratings
from brinkmanship.text import Words
from brinkmanship.text.options import option_text
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.opponents import opponent_name
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, public_url
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.ratings.rating_service import shown_rating
from brinkmanship.web.services import services_of

router = PageRouter()

PersonId = Annotated[str, Meta(max_length=16)]


class LeaderboardLine(NamedTuple):
    """A line of the leaderboard: a person, or a computer level."""

    rank: int | None
    """None for a level."""
    name: str
    rating: int
    deviation: int | None
    games: int | None
    is_you: bool
    person_id: str | None = None


@router.get("/ratings", "/ratings/{game_id}")
async def leaderboard(request: Request, who: Person | None, game_id: str = "", after: PersonId = "") -> Response:
    """Show the leaderboard of a game, by default of the first one; with `after`, what follows this person."""
    game = game_by_id(request, game_id or next(iter(kits())))
    language = language_of(request, who)
    words, own = game_words(game, language), page_words(language)
    service = services_of(request).ratings
    ranked = await asyncio.to_thread(ratings.leaderboard, services_of(request).engine, game.id, after)
    above = await service.standing(after, game.id) if after else None
    mine = await service.standing(who.id, game.id) if who and not who.is_guest else None
    return page(
        request,
        "people/ratings.html",
        who,
        url=f"{public_url(request)}/ratings/{game.id}",
        game_id=game.id,
        title=title_of(game, own),
        games=[(id, title_of(game_by_id(request, id), own)) for id in kits()],
        places=_places(game, ranked, above.rating.value if above else math.inf, who, own),
        linked=await services_of(request).profile_links.among(row.person_id for row in ranked),
        has_people=bool(ranked),
        listed_games=LISTED_GAMES,
        more=ranked[-1].person_id if len(ranked) == ratings.PAGE else "",
        after=after,
        mine=(str(shown_rating(mine)), mine.games) if mine else None,
        advantages=await _advantages(request, game, words, own),
    )


def _places(
    game: Game, ranked: list[ratings.RankedPerson], above: float, who: Person | None, own: Words
) -> list[LeaderboardLine]:
    """Return people and levels by rating: of the levels those that lie between `above` and the end of the page."""
    below = ranked[-1].rating if len(ranked) == ratings.PAGE else -math.inf
    profile = profile_for(game)
    levels = [(rating, name) for name in levels_for(game) if (rating := profile.level_rating(name)) is not None]
    places = [
        (
            row.rating,
            LeaderboardLine(
                row.rank, row.name, round(row.rating), round(row.deviation), row.games, _is(who, row), row.person_id
            ),
        )
        for row in ranked
    ]
    places += [
        (rating, LeaderboardLine(None, opponent_name(game, name, own), round(rating), None, None, False))
        for rating, name in levels
        if below <= rating < above
    ]
    return [place for _, place in sorted(places, key=lambda each: -each[0])]


def _is(who: Person | None, row: ratings.RankedPerson) -> bool:
    return who is not None and who.id == row.person_id


async def _advantages(request: Request, game: Game, words: Words, own: Words) -> list[tuple[str, str]]:
    """Return for each rated ruleset its name, "" if there is only one, and the side that is ahead, with its points."""
    found = []
    for ruleset, options in _rulesets(game).items():
        points = round(await services_of(request).ratings.advantage(game, ruleset))
        side = words.name("side", game.sides[0 if points >= 0 else 1])
        said = own.sentence(Message("ratings.advantage.side", {"side": side, "points": abs(points), "n": abs(points)}))
        # The text of a value is a name and, after a colon, its meaning.
        names = (option_text(words, name, value).partition(":")[0] for name, value in options.items())
        found.append((", ".join(names), said))
    return found


def _rulesets(game: Game) -> dict[str, dict[str, str]]:
    """Return the rated rulesets of a game, each with the options in which they differ from each other."""
    given = {
        name: dict(option.split("=") for option in name.split(",") if option)
        for name in profile_for(game).side_advantages
    }
    usual = {option: str(game.default_options[option]) for options in given.values() for option in options}
    return {name: usual | options for name, options in given.items()}
