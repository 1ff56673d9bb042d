"""The living board of the home page: today's puzzle of one of the games, another game every day."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import kits
from brinkmanship.puzzles.puzzle import collection_of, has_puzzles
from brinkmanship.puzzles.spaced_repetition import day_of
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.pictures import board, outlines
from brinkmanship.web.pages.shared.rendering import run_in_pool
from brinkmanship.web.presentation.page_words import game_words, page_words, title_of
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.lru_cache import LruCache

MAX_SHOWCASES = 8
"""Maximum cached boards: today's and yesterday's in every language."""


class Showcase(NamedTuple):
    """A puzzle as its side sees it."""

    title: str
    address: str
    side: int
    side_name: str
    question: str
    board: Markup
    outlines: Markup


_drawn: LruCache[tuple[str, int, str], Showcase] = LruCache(MAX_SHOWCASES)


async def showcase_of(request: Request, language: str) -> Showcase | None:
    """Return today's puzzle of one of the games; None if there are no puzzles, or the server is too busy.

    The board is drawn from the perspective of the puzzle's side, as on the puzzle's page.
    """
    games = [game_id for game_id in kits() if has_puzzles(game_id)]
    if not games:
        return None
    day = day_of(time_control.now())
    game_id = games[day % len(games)]
    number = collection_of(game_id).today(day)
    if found := _drawn.get((game_id, number, language)):
        return found
    try:
        return await run_in_pool(request, partial(_draw, game_by_id(request, game_id), number, language))
    except TooManyError:
        return None


def _draw(game: Game, number: int, language: str) -> Showcase:
    posed = collection_of(game.id).pose(game, number)
    side, view = posed.puzzle.side, posed.seen.view()
    words = game_words(game, language)
    found = Showcase(
        title_of(game, page_words(language)),
        f"/puzzles/{game.id}/{number}",
        side,
        words.name("side", game.sides[side]),
        words.sentence(game.narrator.prompt(view, side)),
        board(game, view, side, words, "wide"),
        outlines(game),
    )
    return _drawn.keep((game.id, number, language), found)
