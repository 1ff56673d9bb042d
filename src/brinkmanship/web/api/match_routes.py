"""Routes of the API for matches of two games and duplicate rounds."""

from __future__ import annotations

from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import (
    DuplicateInfo,
    DuplicateTableInfo,
    MatchGameInfo,
    MatchInfo,
    NewDuplicate,
    NewMatch,
    TableInfo,
)
from brinkmanship.web.api.table_view import table_info
from brinkmanship.web.api.terms import check_game, clock_of, terms_of
from brinkmanship.web.api.v1 import api
from brinkmanship.web.matches.duplicate_results import TableResult
from brinkmanship.web.matches.duplicate_service import DuplicateRound
from brinkmanship.web.matches.match_history import PLAYERS, MatchHistory, luck_of, score_without_luck
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import now
from brinkmanship.web.tables.seating import TableSettings


@api.post("matches", 201)
async def create_match(request: ApiRequest, body: NewMatch) -> TableInfo:
    """Create a match of two games, each player once with each side; return the table of game 1, where a seat waits."""
    check_game(body.game)
    plan = TableSettings(body.game, body.seats, body.options, terms_of(body))
    matches = request.services.matches
    table, _ = await matches.open(plan, body.simultaneous, request.who.id, request.who.name)
    return table_info(table, request.who.id)


@api.get("matches/{match_id}")
async def match(request: ApiRequest) -> MatchInfo:
    """Return a match of two games: its score, its games, and the luck in them."""
    return await _match(request, await request.services.matches.match(request.id))


@api.post("matches/{match_id}/next")
async def begin_second_game(request: ApiRequest) -> MatchInfo:
    """Ask for game 2. With live clocks it begins when both players have asked, or after a break of five minutes."""
    return await _match(request, await request.services.matches.begin_second(request.id, request.who.id))


async def _match(request: ApiRequest, found: MatchHistory) -> MatchInfo:
    analyses = await request.services.matches.analyses_of(found)
    without = score_without_luck(found, analyses)
    sides = found.first.game.sides
    return MatchInfo(
        id=found.id,
        game=found.first.game.id,
        simultaneous=found.kept.simultaneous,
        players=[seat.known_as for seat in found.players],
        score=list(found.score),
        is_over=found.is_over,
        ready=[found.is_ready(player) for player in PLAYERS],
        score_without_luck=None if without is None else list(without),
        games=[
            MatchGameInfo(
                table=game.table.id,
                sides=[sides[side] for side in game.sides],
                status=game.table.status,
                result=game.table.result,
                points=None if game.points is None else list(game.points),
                luck=None if analysis is None else [luck_of([(game, analysis)], player).luck for player in PLAYERS],
            )
            for game, analysis in zip(found.games, analyses, strict=True)
        ],
    )


@api.post("duplicates", 201)
async def create_duplicate(request: ApiRequest, body: NewDuplicate) -> DuplicateInfo:
    """Create a duplicate round; give its invitations away, at most one to each player."""
    check_game(body.game)
    terms = Terms(clock_of(body.clock), body.undo, body.hints)
    join_until = now() + 3600.0 * body.join_hours
    service, options = request.services.duplicates, body.options
    return _duplicate(
        await service.open(body.game, body.tables, terms, join_until, request.who.id, options), request.who.id
    )


@api.get("duplicates/{round_id}")
async def duplicate(request: ApiRequest) -> DuplicateInfo:
    """Return a duplicate round; its results are shown once all tables are finished."""
    return _duplicate(await request.services.duplicates.round(request.id), request.who.id)


def _duplicate(found: DuplicateRound, person_id: str) -> DuplicateInfo:
    sides = found.game.sides
    return DuplicateInfo(
        id=found.kept.id,
        game=found.game.id,
        sides=list(sides),
        commitment=found.kept.commitment,
        is_over=found.is_over,
        unfinished=found.unfinished,
        join_until=found.kept.join_until,
        averages=None if found.averages is None else list(found.averages),
        tables=[
            DuplicateTableInfo(
                table=table.id,
                status=table.status,
                players=[seat.known_as for seat in table.seats],
                invitations={sides[side]: token for side, token in found.invitations(table, person_id).items()},
                result=table.result if result else "",
                points=[each.points for each in result] if result else None,
                difference=[each.difference for each in result] if result else None,
                matchpoints=_matchpoints(result),
            )
            for table, result in found.rows
        ],
    )


def _matchpoints(result: TableResult | None) -> list[float] | None:
    shares = [] if result is None else [each.matchpoints for each in result if each.matchpoints is not None]
    return shares or None
