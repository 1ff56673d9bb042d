"""Routes of the API for tournaments."""

from __future__ import annotations

from typing import Any

from brinkmanship.store.tournaments import Record, Tournament
from brinkmanship.tournament.event import OPEN, OVER, Match
from brinkmanship.tournament.event import RUNNING as IN_PROGRESS
from brinkmanship.tournament.standings import standings
from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import (
    Entering,
    NewTournament,
    StandingInfo,
    TournamentGameInfo,
    TournamentInfo,
    TournamentMatchInfo,
    TournamentSummary,
    WhichTournaments,
)
from brinkmanship.web.api.terms import clock_of
from brinkmanship.web.api.v1 import api
from brinkmanship.web.tournaments.terms import TournamentSettings as TournamentPlan


@api.get("tournaments")
async def list_tournaments(request: ApiRequest, query: WhichTournaments) -> list[TournamentSummary]:
    """List your tournaments, or the listed ones: those open for entries, running and finished, newest first."""
    service = request.services.tournaments
    if query.mine:
        found = await service.of_person(request.who.id)
    else:
        found = [each for status in (OPEN, IN_PROGRESS, OVER) for each in await service.listed(status)]
    return [TournamentSummary(**_summary(each.tournament)) for each in found]


@api.post("tournaments", 201)
async def create_tournament(request: ApiRequest, body: NewTournament) -> TournamentInfo:
    """Start a tournament, as a user with an account; others enter it by its id."""
    plan = TournamentPlan(
        kind=body.kind,
        name=body.name,
        game=body.game,
        clock=clock_of(body.clock),
        size=body.size,
        about=body.about,
        options=body.options,
        rated=body.rated,
        round_days=body.round_days,
        starts_at=body.starts_at,
    )
    new = await request.services.tournaments.create(plan, request.who)
    return _tournament(await request.services.tournaments.read(new.id))


@api.get("tournaments/{tournament_id}")
async def tournament(request: ApiRequest) -> TournamentInfo:
    """Return a tournament with its players and matches."""
    return _tournament(await request.services.tournaments.read(request.id))


@api.post("tournaments/{tournament_id}/enter")
async def enter_tournament(request: ApiRequest, body: Entering) -> TournamentInfo:
    """Enter a tournament, or its substitutes."""
    return _tournament(await request.services.tournaments.enter(request.id, request.who, body.substitute))


@api.post("tournaments/{tournament_id}/withdraw")
async def withdraw_from_tournament(request: ApiRequest) -> TournamentInfo:
    """Withdraw from a tournament."""
    return _tournament(await request.services.tournaments.withdraw(request.id, request.who))


@api.get("tournaments/{tournament_id}/standings")
async def tournament_standings(request: ApiRequest) -> list[list[StandingInfo]]:
    """Return the standings of each division, best first; empty before the start."""
    record = await request.services.tournaments.read(request.id)
    event = record.event
    if not event.matches:
        return []
    return await request.services.reading.do(
        lambda: [
            [
                StandingInfo(
                    rank=line.rank,
                    name=_called(record, line.person),
                    points=line.points,
                    games=line.games,
                    wins=line.wins,
                    draws=line.draws,
                    losses=line.losses,
                    head_to_head=line.head_to_head,
                    tie_break=line.tie_break,
                    withdrawn=line.is_withdrawn,
                )
                for line in standings(event, division)
            ]
            for division in range(event.number_of_divisions)
        ],
    )


def _summary(found: Tournament) -> dict[str, Any]:
    fields = TournamentSummary.__struct_fields__
    return {name: getattr(found, name) for name in fields}


def _tournament(record: Record) -> TournamentInfo:
    found, entries = record.tournament, record.event.entries
    return TournamentInfo(
        **_summary(found),
        about=found.about,
        options=found.options,
        clock=found.clock,
        round_days=found.round_days,
        begun_at=found.begun_at,
        finished_at=found.finished_at,
        previous=found.previous,
        following=record.following,
        players=[_called(record, entry.person) for entry in entries if not entry.is_substitute],
        substitutes=[_called(record, entry.person) for entry in entries if entry.is_substitute],
        matches=[_match(record, match) for match in record.event.matches if not match.is_struck],
    )


def _called(record: Record, person: str) -> str:
    return record.names[person] or "somebody"


def _match(record: Record, match: Match) -> TournamentMatchInfo:
    return TournamentMatchInfo(
        division=match.place.division,
        round=match.place.round,
        first=_called(record, match.first),
        second=None if match.second is None else _called(record, match.second),
        starts_at=match.starts_at,
        ends_at=match.ends_at,
        games=[TournamentGameInfo(record.tables.get((match.place, game.number)), game.points) for game in match.games],
    )
