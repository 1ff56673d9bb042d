"""Crisis diaries: all diaries of a user, and one with its stages and the events of the games won so far."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import groupby
from typing import NamedTuple

from babel.dates import format_interval, format_skeleton
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.engine.game_log import GameLog
from brinkmanship.engine.message import LogLine
from brinkmanship.text.diary import Stage, diary_of
from brinkmanship.text.history import history_of
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.forms import Name, signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, public_url, run_in_pool
from brinkmanship.web.pages.shared.results import result_for
from brinkmanship.web.presentation.moments import date_locale
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.solo.solo_service import Diary, StageState
from brinkmanship.web.solo.stages import bonus
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED

router = PageRouter()

MAX_FACTS = 24
"""Maximum log lines of a stage; of more, those are told that are spread evenly over the game."""
MAX_CACHED = 256
"""Maximum cached days of finished games, in one language each."""


class Day(NamedTuple):
    """A day of a chapter."""

    date: str
    facts: list[str]


class Chapter(NamedTuple):
    """A stage in words."""

    number: int
    dates: str
    history: str
    level: str
    state: str
    attempts: int
    bonus: int
    table: str
    """Path of its last game; "" if it was never begun."""
    headline: str
    """Result of the last game; "" while it is being played."""
    why: str
    days: list[Day]
    """The events of a finished game."""


class DiaryText(NamedTuple):
    """A diary in a list."""

    title: str
    side: str
    address: str
    won: int
    stages: int
    is_begun: bool


_told: LruCache[tuple[str, int, str], list[Day]] = LruCache(MAX_CACHED)


@router.get("/solo")
async def diaries(request: Request, who: Person | None) -> Response:
    """Show the diaries of the user for all games and sides."""
    language = language_of(request, who)
    found = await services_of(request).solo.diaries(who.id if who else None)
    games = groupby((_listed(diary, language) for diary in found), lambda each: each.title)
    return page(
        request,
        "formats/solo.html",
        who,
        url=f"{public_url(request)}/solo",
        games=[(title, list(listed)) for title, listed in games],
    )


@router.get("/solo/{game_id}/{side}")
async def diary(request: Request, who: Person | None, game_id: str, side: str) -> Response:
    """Show a diary of the user, for reading and printing."""
    language = language_of(request, who)
    found = await services_of(request).solo.diary(game_id, _side(side), who.id if who else None)
    chapters = [await _chapter(request, found, each, language) for each in found.stages]
    own = page_words(language)
    return page(
        request,
        "formats/solo_diary.html",
        who,
        diary=_listed(found, language),
        title=title_of(found.game, own),
        chapters=chapters,
        current=found.current,
        is_complete=found.is_complete,
    )


@router.post("/solo/{game_id}/{side}", is_open=True)
async def play_stage(request: Request, who: Person | None, game_id: str, side: str, name: Name = "") -> Response:
    """Redirect to the game of the current stage, which begins now unless it is being played."""
    service = services_of(request).solo
    await service.diary(game_id, _side(side), None)  # before a stranger becomes a guest
    me, token = await somebody(request, who, name)
    table_id = await service.begin(game_id, _side(side), me.id, me.name)
    return signed_in(RedirectResponse(f"/t/{table_id}", 303), request, token)


@router.post("/solo/{game_id}/{side}/remove")
async def remove_diary(request: Request, who: Person, game_id: str, side: str) -> Response:
    """Remove a diary of the user and show it empty."""
    await services_of(request).solo.remove(game_id, _side(side), who.id)
    return RedirectResponse(f"/solo/{game_id}/{side}", 303)


def _side(text: str) -> int:
    if text not in ("0", "1"):
        raise NotFoundError("a side is 0 or 1", key="solo.refused.game")
    return int(text)


def _listed(found: Diary, language: str) -> DiaryText:
    words, own = game_words(found.game, language), page_words(language)
    return DiaryText(
        title_of(found.game, own),
        words.name("side", found.game.sides[found.side]),
        f"/solo/{found.game.id}/{found.side}",
        found.won,
        len(found.stages),
        any(each.last for each in found.stages),
    )


async def _chapter(request: Request, found: Diary, stage: StageState, language: str) -> Chapter:
    table = None
    if stage.last is not None:
        table = await services_of(request).tables.table(stage.last.table_id)
    is_over = table is not None and table.status == FINISHED
    result = result_for(table, [found.side], language) if table is not None and is_over else None
    days = await _days_of(request, table, found.side, stage.stage, language) if table is not None and is_over else []
    kind, id = stage.stage.history
    return Chapter(
        stage.number + 1,
        _dates(stage.stage, language),
        history_of(kind, id, language),
        computer_name(stage.level, page_words(language)),
        stage.state,
        stage.last.attempts if stage.last else 0,
        bonus(found.game, stage.number),
        f"/t/{stage.last.table_id}" if stage.last else "",
        result.headline if result else "",
        result.why if result else "",
        days,
    )


def _dates(stage: Stage, language: str) -> str:
    return str(format_interval(stage.first, stage.last, "yMMMMd", locale=date_locale(language)))


async def _days_of(request: Request, table: LiveTable, side: int, stage: Stage, language: str) -> list[Day]:
    if (known := _told.get((table.id, len(table.records), language))) is not None:
        return known
    return await run_in_pool(request, partial(_days, table.snapshot(), side, stage, language))


def _days(table: LiveTable, side: int, stage: Stage, language: str) -> list[Day]:
    """Return the events of a finished game, as its player saw them, by the days of its stage."""
    words, seen = game_words(table.game, language), table.seen_by(side)
    log: GameLog[str] = GameLog(lambda line, _: words.sentence(line.message))
    log.follow(seen)
    dated = [(stage.day(each.entry, seen.length), each.shown) for each in log.lines if _is_fact(table, each.line)]
    by_day = groupby(_spread(dated), lambda each: each[0])
    days = [Day(_day(day, language), [fact for _, fact in facts]) for day, facts in by_day]
    return _told.keep((table.id, len(table.records), language), days)


def _is_fact(table: LiveTable, line: LogLine) -> bool:
    return line.message.key.startswith(diary_of(table.game).facts)


def _spread(dated: Sequence[tuple[date, str]]) -> list[tuple[date, str]]:
    """Return at most `MAX_FACTS` of the facts, evenly spread, the last one included."""
    if len(dated) <= MAX_FACTS:
        return list(dated)
    return [dated[(number + 1) * len(dated) // MAX_FACTS - 1] for number in range(MAX_FACTS)]


def _day(day: date, language: str) -> str:
    return str(format_skeleton("MMMMd", day, locale=date_locale(language)))
