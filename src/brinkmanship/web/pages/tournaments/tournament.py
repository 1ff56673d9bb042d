"""The page of a tournament: terms, entries, standings, rounds; entering, leaving and announcing an absence."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.engine.message import Message
from brinkmanship.store.tournaments import Record
from brinkmanship.text import Words
from brinkmanship.tournament.event import KNOCKOUT, LEAGUE, OPEN, ROUND_ROBINS, RUNNING, SWISS, Entry, Match
from brinkmanship.tournament.standings import standings
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.lobby.options import changed_options
from brinkmanship.web.pages.shared.forms import Name, signed_in, somebody
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, public_url, run_in_pool
from brinkmanship.web.pages.tournaments.points import number_text, points_text
from brinkmanship.web.pages.tournaments.tournament_lists import name_of, terms_of
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.services import services_of

router = PageRouter()

LATE_ROUNDS = ("final", "semifinals", "quarterfinals")
"""Names of the last rounds of a knock-out, by the number of matches: 1, 2, 4."""
TIE_BREAKS = {SWISS: "buchholz", KNOCKOUT: "rounds_won"}
"""Name of the tie-break number; in round robins Sonneborn-Berger."""


class Player(NamedTuple):
    """A player or organiser; the id is "" for no one."""

    name: str
    id: str


class StandingsLine(NamedTuple):
    """A line of the standings."""

    rank: int
    player: Player
    is_me: bool
    is_withdrawn: bool
    points: str
    games: int
    wins: int
    draws: int
    losses: int
    head_to_head: str
    tie_break: str
    crosstable: list[str]
    """Points against each opponent in the order of the lines; "" where nothing was decided."""


class MatchGame(NamedTuple):
    """A game of a match."""

    number: int
    table: str
    """Table of the game; "" if it was removed."""


class MatchRow(NamedTuple):
    """A match of a round."""

    first: Player
    second: Player | None
    """None for a bye."""
    points: tuple[str, str] | None
    """Points so far; None before the first game has been decided."""
    games: list[MatchGame]
    starts_at: float | None
    """Time of the start if it is in the future."""
    ends_at: float | None
    """Deadline of a match that is not over."""
    is_mine: bool


class Round(NamedTuple):
    """A round of a division."""

    title: str
    matches: list[MatchRow]


class Division(NamedTuple):
    """A division; tournaments without divisions have one without a title."""

    title: str
    lines: list[StandingsLine]
    rounds: list[Round]


class MyGame(NamedTuple):
    """A game that the viewer is playing."""

    table: str
    opponent: str
    side: str


@router.get("/tournaments/{tournament_id}")
async def show_tournament(request: Request, who: Person | None, tournament_id: str) -> Response:
    """Show a tournament."""
    record = await services_of(request).tournaments.read(tournament_id)
    language = language_of(request, who)
    divisions = await run_in_pool(request, lambda: _divisions(record, who, language))
    game = await services_of(request).tables.loader.ruleset(record.tournament.game, record.tournament.options)
    return page(
        request,
        "tournaments/tournament.html",
        who,
        **_about(request, record, who, language),
        changed=[(option.title, text) for option, text in changed_options(game, game_words(game, language))],
        divisions=divisions,
        linked=await _linked(request, record),
        winner=divisions[0].lines[0].player.name if divisions and record.tournament.finished_at is not None else "",
        is_round_robin=record.event.kind in ROUND_ROBINS,
        tie_break=TIE_BREAKS.get(record.event.kind, "sonneborn_berger"),
        my_games=_my_games(request, record, who, language),
    )


async def _linked(request: Request, record: Record) -> set[str]:
    """Return the ids of the players and the organiser with a public profile."""
    people = [record.tournament.organiser_id, *(entry.person for entry in record.event.entries)]
    return await services_of(request).profile_links.among(people)


@router.post("/tournaments/{tournament_id}/enter", is_open=True)
async def enter(
    request: Request, who: Person | None, tournament_id: str, name: Name = "", substitute: bool = False
) -> Response:
    """Enter a tournament; a stranger becomes a guest with the given name."""
    await services_of(request).tournaments.read(tournament_id)  # before a stranger becomes a guest
    me, token = await somebody(request, who, name)
    await services_of(request).tournaments.enter(tournament_id, me, substitute)
    return signed_in(RedirectResponse(f"/tournaments/{tournament_id}", 303), request, token)


@router.post("/tournaments/{tournament_id}/withdraw")
async def withdraw(request: Request, who: Person, tournament_id: str) -> Response:
    """Withdraw from a tournament."""
    await services_of(request).tournaments.withdraw(tournament_id, who)
    return RedirectResponse(f"/tournaments/{tournament_id}", 303)


@router.post("/tournaments/{tournament_id}/absence")
async def stay_away(
    request: Request, who: Person, tournament_id: str, days: Annotated[int, Meta(ge=0, le=100)]
) -> Response:
    """Announce an absence."""
    await services_of(request).tournaments.stay_away(tournament_id, who, days)
    return RedirectResponse(f"/tournaments/{tournament_id}", 303)


@router.post("/tournaments/{tournament_id}/cancel")
async def cancel(request: Request, who: Person, tournament_id: str) -> Response:
    """Cancel a tournament before its start."""
    await services_of(request).tournaments.cancel(tournament_id, who)
    return RedirectResponse(f"/tournaments/{tournament_id}", 303)


def _about(request: Request, record: Record, who: Person | None, language: str) -> dict[str, Any]:
    """Return what the head of the page shows."""
    tournament, event, own = record.tournament, record.event, page_words(language)
    entry = event.entry(who.id) if who else None
    is_active = tournament.status in (OPEN, RUNNING)
    return {
        "tournament": tournament,
        "name": name_of(tournament, own),
        "terms": terms_of(request, tournament, own),
        "organiser": Player(record.names.get(tournament.organiser_id or "", ""), tournament.organiser_id or ""),
        "is_organiser": who is not None and tournament.organiser_id == who.id,
        "url": f"{public_url(request)}/tournaments/{tournament.id}",
        "following": record.following,
        "players": [_player(record, each.person, own) for each in event.entries if not each.is_substitute],
        "substitutes": [_player(record, each.person, own) for each in event.entries if each.is_substitute],
        "entry": entry,
        "has_room": tournament.kind == LEAGUE or len(event.entries) < tournament.size,
        "can_leave": is_active and entry is not None and entry.withdrawn_at is None,
        "can_stay_away": tournament.status == RUNNING and entry is not None and _may_stay_away(entry),
        "can_substitute": tournament.kind == LEAGUE and is_active and entry is None,
        "needs_account": tournament.rated and (who is None or who.is_guest),
    }


def _may_stay_away(entry: Entry) -> bool:
    return entry.withdrawn_at is None and entry.away_from is None and entry.seed is not None


def _player(record: Record, person: str, own: Words) -> Player:
    return Player(_called(record, person, own), person)


def _called(record: Record, person: str, own: Words) -> str:
    return record.names.get(person) or own.sentence(Message("player.somebody"))


def _divisions(record: Record, who: Person | None, language: str) -> list[Division]:
    event, own = record.event, page_words(language)
    if not event.matches:
        return []
    number = event.number_of_divisions
    return [
        Division(
            own.sentence(Message("tournament.division", {"number": division + 1})) if number > 1 else "",
            _lines(record, division, who, own, language),
            _rounds(record, division, who, own),
        )
        for division in range(number)
    ]


def _lines(record: Record, division: int, who: Person | None, own: Words, language: str) -> list[StandingsLine]:
    found = standings(record.event, division)
    points: dict[tuple[str, str], tuple[float, int]] = {}
    for match in record.event.matches_of(division):
        if match.second is not None and not match.is_struck:
            first, second = match.points
            points[match.first, match.second] = first, match.decided
            points[match.second, match.first] = second, match.decided
    is_round_robin = record.event.kind in ROUND_ROBINS

    def cell(person: str, other: str) -> str:
        won, decided = points.get((person, other), (0.0, 0))
        return points_text(won) if decided else ""

    return [
        StandingsLine(
            line.rank,
            _player(record, line.person, own),
            who is not None and line.person == who.id,
            line.is_withdrawn,
            points_text(line.points),
            line.games,
            line.wins,
            line.draws,
            line.losses,
            points_text(line.head_to_head),
            number_text(line.tie_break, language),
            [cell(line.person, other.person) for other in found] if is_round_robin else [],
        )
        for line in found
    ]


def _rounds(record: Record, division: int, who: Person | None, own: Words) -> list[Round]:
    by_round: dict[int, list[Match]] = {}
    for match in record.event.matches_of(division):
        if not match.is_struck:
            by_round.setdefault(match.place.round, []).append(match)
    return [
        Round(_round_title(record, number, matches, own), [_row(record, match, who, own) for match in matches])
        for number, matches in by_round.items()
    ]


def _round_title(record: Record, number: int, matches: list[Match], own: Words) -> str:
    late = (len(matches) - 1).bit_length()
    if record.event.kind == KNOCKOUT and late < len(LATE_ROUNDS):
        return own.sentence(Message(f"tournament.{LATE_ROUNDS[late]}"))
    return own.sentence(Message("tournament.round", {"number": number}))


def _row(record: Record, match: Match, who: Person | None, own: Words) -> MatchRow:
    is_open = match.second is not None and match.decided < max(2, len(match.games))
    points = match.points
    return MatchRow(
        _player(record, match.first, own),
        None if match.second is None else _player(record, match.second, own),
        (points_text(points[0]), points_text(points[1])) if match.decided else None,
        [MatchGame(game.number + 1, record.tables.get((match.place, game.number), "")) for game in match.games],
        match.starts_at if is_open and not match.games else None,
        match.ends_at if is_open and record.tournament.status == RUNNING else None,
        who is not None and who.id in match.people,
    )


def _my_games(request: Request, record: Record, who: Person | None, language: str) -> list[MyGame]:
    if who is None:
        return []
    game = services_of(request).tables.rulesets.get(record.tournament.game, {})
    words, own = game_words(game, language), page_words(language)
    found = []
    for match in record.event.matches:
        opponent = match.opponent_of(who.id) if who.id in match.people else None
        if opponent is None:
            continue
        for each in match.games:
            table = record.tables.get((match.place, each.number))
            if each.points is None and table:
                side = each.first_side if match.first == who.id else 1 - each.first_side
                found.append(MyGame(table, _called(record, opponent, own), words.name("side", game.sides[side])))
    return found
