"""Profiles of people: their results, rating, opponents and finished games, and the setting that makes them public."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from babel.dates import format_date
from babel.numbers import format_percent
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import game_class, kits
from brinkmanship.lessons import course_of
from brinkmanship.players import levels_for
from brinkmanship.store import profiles
from brinkmanship.store.profiles import Adjusted, HeadToHead, HistoryFilter, PlayedGame, ShownPerson
from brinkmanship.text import MissingTextError, Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.opponents import opponent_name
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.moments import date_locale
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, title_of
from brinkmanship.web.profiles.endings import ENDINGS
from brinkmanship.web.profiles.graphs import rating_graph
from brinkmanship.web.profiles.history import OUTCOMES, RESULTS, History
from brinkmanship.web.profiles.ratings import PersonRating, ratings_of
from brinkmanship.web.profiles.tallies import GameRecord, Tally, records_of, shown_person
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import ForbiddenError

router = PageRouter()

RECENT = 5
"""Finished games listed on the profile itself."""
MAX_RIVALS = 5


class ResultsLine(NamedTuple):
    """A line of a table of results."""

    label: str
    tally: Tally
    share: str
    """Share of the points in percent."""
    is_part: bool
    """False for the line of all games."""


class ShownGame(NamedTuple):
    """The results of a person in one game."""

    id: str
    title: str
    lines: list[ResultsLine]
    agendas: list[ResultsLine]
    rating: PersonRating | None
    graph: Markup | None
    adjusted: Adjusted | None
    shares: tuple[str, str]
    """Points in analysed games and the same without luck, in percent."""


class GameRow(NamedTuple):
    """A finished game in a list."""

    table_id: str
    title: str
    side: str
    opponent: str
    opponent_id: str
    """Id of an opponent with a public profile, else ""."""
    is_open: bool
    """True if the viewer may know the table."""
    outcome: str
    """"won", "drawn" or "lost"."""
    result: str
    rated: bool
    turns: int | None
    at: float


# Profile.


@router.get("/people/{person_id}")
async def show(request: Request, who: Person | None, person_id: str) -> Response:
    """Show the profile of a person: if it is public, or the viewer's own."""
    engine, viewer = services_of(request).engine, who.id if who else None
    shown = await _shown(request, who, person_id)
    is_own = viewer == person_id
    read: list[Any] = [
        partial(profiles.counts_of, engine, person_id),
        partial(profiles.adjusted_of, engine, person_id),
        partial(profiles.rivals_of, engine, person_id, is_own, MAX_RIVALS),
        partial(profiles.games_of, engine, person_id, viewer, HistoryFilter(), RECENT),
        partial(profiles.puzzles_of, engine, person_id),
        partial(profiles.lessons_of, engine, person_id),
        partial(ratings_of, engine, person_id),
        partial(profiles.head_to_head, engine, person_id, viewer) if viewer and not is_own else list[HeadToHead],
    ]
    counts, adjusted, rivals, games, puzzles, lessons, ratings, met = await asyncio.to_thread(_all, read)
    language = language_of(request, who)
    return page(
        request,
        "people/profile.html",
        who,
        shown=shown,
        is_own=is_own,
        since=format_date(_day(shown.created_at), "long", locale=date_locale(language)),
        games=_games(request, records_of(counts), ratings, adjusted, language),
        rivals=rivals,
        met=[(_title(request, each.game, language), each) for each in met],
        recent=_rows(request, games, language),
        studies=_studies(request, puzzles, lessons, language),
    )


def _all(read: Sequence[Any]) -> list[Any]:
    return [each() for each in read]


async def _shown(request: Request, who: Person | None, person_id: str) -> ShownPerson:
    viewer = who.id if who else None
    return await asyncio.to_thread(shown_person, services_of(request).engine, person_id, viewer)


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def _title(request: Request, game_id: str, language: str) -> str:
    return title_of(game_by_id(request, game_id), page_words(language))


def _games(
    request: Request,
    records: Sequence[GameRecord],
    ratings: Sequence[PersonRating],
    adjusted: Sequence[Adjusted],
    language: str,
) -> list[ShownGame]:
    by_game = {each.game: each for each in ratings}
    luck = {each.game: each for each in adjusted}
    return [
        _shown_game(request, record, by_game.get(record.game), luck.get(record.game), language)
        for record in records
        if record.game in kits()
    ]


def _shown_game(
    request: Request, record: GameRecord, rating: PersonRating | None, adjusted: Adjusted | None, language: str
) -> ShownGame:
    game = game_by_id(request, record.game)
    words, own = game_words(game, language), page_words(language)

    def line(label: str, tally: Tally, is_part: bool = True) -> ResultsLine:
        return ResultsLine(label, tally, _percent(tally.share, language), is_part)

    lines = [line(own.sentence(Message("profile.row.all")), record.total, False)]
    lines += [line(words.name("side", game.sides[side]), tally) for side, tally in record.sides.items()]
    if record.people.games:
        lines.append(line(own.sentence(Message("profile.row.people")), record.people))
    levels = levels_for(game)
    players = sorted(record.computers, key=lambda player: (player not in levels, player))
    lines += [line(opponent_name(game, player, own), record.computers[player]) for player in players]
    agendas = [line(_agenda(words, agenda), tally) for agenda, tally in record.agendas.items()]
    shares = (adjusted.result, adjusted.adjusted) if adjusted else (0.0, 0.0)
    return ShownGame(
        game.id,
        title_of(game, own),
        lines,
        agendas,
        rating,
        _graph(rating, own) if rating and len(rating.points) > 1 else None,
        adjusted,
        (_percent(shares[0], language), _percent(shares[1], language)),
    )


def _agenda(words: Words, agenda: str) -> str:
    try:
        return words.name("agenda", agenda)
    except MissingTextError:  # of custom cards
        return agenda


def _percent(share: float, language: str) -> str:
    return str(format_percent(share, locale=date_locale(language)))


def _graph(rating: PersonRating, own: Words) -> Markup:
    values = [round(point.rating) for point in rating.points]
    extremes: dict[str, int] = {"low": min(values), "high": max(values), "last": values[-1]}

    def when(at: float) -> str:
        return str(format_date(_day(at), "medium", locale=date_locale(own.language)))

    return Markup(rating_graph(rating.points, own.sentence(Message("profile.rating.graph", extremes)), when))


class Study(NamedTuple):
    """Puzzles and lessons of one game that a person has done."""

    title: str
    puzzles: int
    done: int
    lessons: int
    """Lessons of the course."""


def _studies(request: Request, puzzles: dict[str, int], lessons: dict[str, set[str]], language: str) -> list[Study]:
    found = []
    for game_id in kits():
        course = course_of(game_id)
        done = len(lessons.get(game_id, set()) & set(course))
        if puzzles.get(game_id) or done:
            found.append(Study(_title(request, game_id, language), puzzles.get(game_id, 0), done, len(course)))
    return found


# History.


@router.get("/people/{person_id}/games")
async def history(request: Request, who: Person | None, person_id: str, wanted: History) -> Response:
    """Show a person's finished games that match a filter, newest first."""
    shown = await _shown(request, who, person_id)
    viewer, language = who.id if who else None, language_of(request, who)
    listing = partial(profiles.games_of, services_of(request).engine, person_id, viewer, wanted.filter())
    games = await asyncio.to_thread(listing, profiles.PAGE + 1)
    more = games[profiles.PAGE - 1].table_id if len(games) > profiles.PAGE else ""
    chosen = {name: value for name, value in msgspec.structs.asdict(wanted).items() if value and name != "after"}
    return page(
        request,
        "people/history.html",
        who,
        shown=shown,
        is_own=viewer == person_id,
        rows=_rows(request, games[: profiles.PAGE], language),
        wanted=wanted,
        is_filtered=bool(chosen),
        newest=f"?{urlencode(chosen)}" if wanted.after else "",
        older=f"?{urlencode(chosen | {'after': more})}" if more else "",
        **_choices(request, language),
    )


def _choices(request: Request, language: str) -> dict[str, Any]:
    """Return the choices of the filters, each as its value and its text."""
    sides: dict[str, str] = {}
    for game_id in kits():
        words = game_words(game_by_id(request, game_id), language)
        sides |= {side: words.name("side", side) for side in game_class(game_id).sides}
    own = page_words(language)

    def said(name: str, values: Sequence[str]) -> list[tuple[str, str]]:
        return [(value, own.sentence(Message(f"profile.{name}.{value}"))) for value in values]

    return {
        "games": [(game_id, _title(request, game_id, language)) for game_id in kits()],
        "sides": list(sides.items()),
        "result_choices": said("result", RESULTS),
        "against_choices": said("against", ("people", "computer")),
        "ending_choices": said("ending", ENDINGS),
        "rated_choices": said("rated", ("yes", "no")),
    }


def _rows(request: Request, games: Sequence[PlayedGame], language: str) -> list[GameRow]:
    return [_row(request, game, language) for game in games if game.game in kits()]


def _row(request: Request, game: PlayedGame, language: str) -> GameRow:
    ruleset = game_by_id(request, game.game)
    words, own = game_words(ruleset, language), page_words(language)
    return GameRow(
        game.table_id,
        title_of(ruleset, own),
        words.name("side", ruleset.sides[game.side]),
        _opponent(game, own),
        game.opponent_id if game.opponent_id and game.is_linked else "",
        game.is_named,
        OUTCOMES[game.score],
        result_text(ruleset, game.result, words, own),
        game.rated,
        game.turns,
        game.finished_at,
    )


def _opponent(game: PlayedGame, own: Words) -> str:
    if game.opponent_computer:
        return computer_name(game.opponent_computer, own)
    if not game.is_named:
        return own.sentence(Message("profile.hidden"))
    return game.opponent or own.sentence(Message("player.somebody"))


# Setting.


@router.post("/account/profile")
async def set_public(request: Request, who: Person, public: bool = False) -> Response:
    """Make the user's profile public or private."""
    if who.is_guest:
        raise ForbiddenError("only people with an account can have a public profile", key="profile.refused.guest")
    services = services_of(request)
    await asyncio.to_thread(profiles.set_public, services.engine, who.id, public)
    services.profile_links.forget(who.id)
    return RedirectResponse("/account#profile", 303)
