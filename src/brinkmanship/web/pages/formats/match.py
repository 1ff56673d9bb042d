"""Matches of two games: the page of a match, its line beside a table, and the step to the second game."""

from __future__ import annotations

from typing import NamedTuple

from babel.numbers import format_decimal
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.analysis.report import Analysis
from brinkmanship.engine.message import Message
from brinkmanship.store.matches import GAMES
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.matches.match_history import PLAYERS, MatchGame, MatchHistory, luck_of, score_without_luck
from brinkmanship.web.matches.match_service import BREAK_SECONDS
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED

router = PageRouter()


class MatchRow(NamedTuple):
    """A game of a match in the list of games."""

    table: str
    number: int
    """Number of the game, from 1."""
    sides: tuple[str, str]
    """Name of each player's side."""
    points: tuple[str, str] | None
    state: str


class LuckRows(NamedTuple):
    """Luck of the players in a match that is over, as text."""

    games: list[tuple[int, tuple[str, str]]]
    """Number of each game, and the luck of each player in it."""
    score: tuple[str, str]
    """Score without luck."""
    error: int
    """Standard error of that score, in percentage points."""


class MatchBox(NamedTuple):
    """A match for display."""

    id: str
    players: tuple[str, str]
    ids: tuple[str | None, ...]
    """Ids of the players; None for a free seat or a deleted account."""
    score: tuple[str, str]
    games: list[MatchRow]
    verdict: str
    """Standing in one sentence."""
    score_here: tuple[str, str]
    """Score in the order of the sides at the displayed table."""
    number: int
    """Number of the displayed game, from 1."""
    goes_on: bool
    other: MatchRow | None
    """The other game, if it is being played."""
    may_begin: bool
    """True if the viewer can ask for the second game."""
    wanted_by: tuple[str, ...]
    """Players who have asked for it."""
    last: str
    """Table of the last game, after which the viewer can ask for a new match; "" if they cannot."""


@router.get("/match/{match_id}")
async def show_match(request: Request, who: Person | None, match_id: str) -> Response:
    """Show the score, the games and the luck of a match."""
    services = services_of(request)
    match = await services.matches.match(match_id)
    language = language_of(request, who)
    analyses = await services.matches.analyses_of(match)
    luck = _luck(match, analyses, language)
    return page(
        request,
        "formats/match.html",
        who,
        title=title_of(match.first.game, page_words(language)),
        match=_box(match, None, who, language),
        linked=await services.profile_links.among(seat.person_id for seat in match.players),
        luck=luck,
        is_luck_pending=luck is None and services.matches.can_analyse(match),
    )


@router.post("/match/{match_id}/next")
async def begin_second(request: Request, who: Person, match_id: str) -> Response:
    """Go to the second game, or note that the user is ready for it."""
    match = await services_of(request).matches.begin_second(match_id, who.id)
    return RedirectResponse(f"/t/{match.games[-1].table.id}", 303)


async def match_box(request: Request, who: Person | None, table: LiveTable, language: str) -> MatchBox | None:
    """Return the match of a table for a viewer, None if it belongs to none."""
    match = await services_of(request).matches.of_table(table)
    return None if match is None else _box(match, table, who, language)


def _box(match: MatchHistory, table: LiveTable | None, who: Person | None, language: str) -> MatchBox:
    """Return the match as shown beside one of its tables, or (None) on its own page."""
    words, own = game_words(match.first.game, language), page_words(language)
    free = own.sentence(Message("table.free_seat"))
    first, second = (player_name(seat, own) or free for seat in match.players)
    players = (first, second)
    score = (points_text(match.score[0]), points_text(match.score[1]))
    games = [_row(game, words, own) for game in match.games]
    here = table.match_place.number if table and table.match_place else len(games) - 1
    running = [row for game, row in zip(match.games, games, strict=True) if game.table.status != FINISHED]
    player = match.player_of(who.id if who else None)
    return MatchBox(
        match.id,
        players,
        tuple(seat.person_id for seat in match.players),
        score,
        games,
        _verdict(match, players, own),
        score if here == 0 else (score[1], score[0]),
        here + 1,
        not match.is_over,
        next((row for row in running if table is None or row.table != table.id), None),
        match.in_break and player is not None and not match.is_ready(player),
        tuple(players[each] for each in PLAYERS if match.is_ready(each)) if match.in_break else (),
        games[-1].table if match.is_over and player is not None else "",
    )


def points_text(points: float) -> str:
    """Return points as text: 0, ½, 1, 1½ ..."""
    whole, is_half = divmod(points, 1)
    return f"{int(whole) or ('' if is_half else 0)}{'½' if is_half else ''}"


def _row(game: MatchGame, words: Words, own: Words) -> MatchRow:
    table, points = game.table, game.points
    first, second = (words.name("side", table.game.sides[side]) for side in game.sides)
    if table.status == FINISHED:
        state = result_text(table.game, table.result, words, own)
    else:
        state = own.sentence(Message(f"series.{table.status}"))
    shown = None if points is None else (points_text(points[0]), points_text(points[1]))
    return MatchRow(table.id, game.number + 1, (first, second), shown, state)


def _verdict(match: MatchHistory, players: tuple[str, str], own: Words) -> str:
    if match.is_over:
        first, second = match.score
        if first == second:
            return own.sentence(Message("match.drawn"))
        return own.sentence(Message("match.won", {"who": players[0] if first > second else players[1]}))
    if match.in_break:
        return own.sentence(Message("match.break", {"n": round(BREAK_SECONDS / 60)}))
    if match.is_waiting:
        return own.sentence(Message("match.waiting"))
    return own.sentence(Message("match.under_way" if len(match.games) == GAMES else "match.in_turn"))


def _luck(match: MatchHistory, analyses: list[Analysis | None], language: str) -> LuckRows | None:
    score = score_without_luck(match, analyses)
    if score is None:
        return None
    own = page_words(language)
    known = [(game, found) for game, found in zip(match.games, analyses, strict=True) if found is not None]
    rows = []
    for one in known:
        first, second = (own.signed(round(100 * luck_of([one], player).luck)) for player in PLAYERS)
        rows.append((one[0].number + 1, (first, second)))
    without = format_decimal(score[0], "0.00", language), format_decimal(score[1], "0.00", language)
    return LuckRows(rows, without, max(1, round(100 * luck_of(known, 0).error)))
