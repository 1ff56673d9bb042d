"""The HTTP API for programs. Each response is built from the caller's own view; errors are RFC 9457 problems.

A program gets a token once (`POST /api/v1/tokens`), creates or joins a table, and then loops: wait for an update
(`/stream`), get the position (`GET /tables/{id}`), act with the version it has seen. `router` decodes and encodes; the
generated document is /api/openapi.json.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from brinkmanship import __version__
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER
from brinkmanship.engine.hint import Hint
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import as_json
from brinkmanship.engine.variations import Position
from brinkmanship.games.registry import game_class, kits
from brinkmanship.players import levels_for, players_for
from brinkmanship.rating.game_results import PROVISIONAL_GAMES
from brinkmanship.store import boards, ratings, repository, seeks
from brinkmanship.store.challenges import Challenge
from brinkmanship.store.seeks import Seek, Want
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.text.hints import why_text
from brinkmanship.text.reasons import reason_text
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.api.profiles import history_info, person_info
from brinkmanship.web.api.router import ApiRequest, Router
from brinkmanship.web.api.schemas import (
    Action,
    Analysis,
    AsSide,
    BoardInfo,
    ChallengeInfo,
    DataInfo,
    Deal,
    Declined,
    DuplicateInfo,
    DuplicateTableInfo,
    GameInfo,
    HintInfo,
    Hints,
    HintWanted,
    HistoryInfo,
    InLanguage,
    Join,
    LineEnd,
    LineInfo,
    LineStep,
    LineValue,
    LineValues,
    ListedBoard,
    ListedTable,
    MatchGameInfo,
    MatchInfo,
    NewChallenge,
    NewDuplicate,
    NewMatch,
    NewSeek,
    NewTable,
    NewToken,
    Next,
    Order,
    Orders,
    OriginInfo,
    OutcomeInfo,
    OutlookInfo,
    PersonInfo,
    PlayOn,
    PositionInfo,
    RankedInfo,
    RatingChange,
    RatingInfo,
    ReplyInfo,
    Resignation,
    SeatInfo,
    SeekInfo,
    Seen,
    SeriesGameInfo,
    SeriesInfo,
    SoughtGame,
    TableInfo,
    TableRating,
    TableView,
    Token,
    Undo,
    Warnings,
    Where,
    WhichRatings,
    WhichSeeks,
    WhichTables,
    WhyInfo,
)
from brinkmanship.web.matches.duplicate_results import TableResult
from brinkmanship.web.matches.duplicate_service import DuplicateRound
from brinkmanship.web.matches.match_history import PLAYERS, MatchHistory, luck_of, score_without_luck
from brinkmanship.web.presentation.action_previews import previews_of
from brinkmanship.web.presentation.data_files import data_file
from brinkmanship.web.presentation.level_cookie import proposed_at
from brinkmanship.web.presentation.seek_wishes import checked_wish
from brinkmanship.web.profiles import statistics
from brinkmanship.web.profiles.history import History
from brinkmanship.web.profiles.statistics import GameStatistics
from brinkmanship.web.seeks.challenge_service import Proposal
from brinkmanship.web.studies.board_positions import BoardSession, nothing_tried
from brinkmanship.web.studies.boards import MAX_BOARDS, THE_GAME, check_comparable
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import Clock, now
from brinkmanship.web.tables.bot_reasons import journal_at, reasons_at
from brinkmanship.web.tables.continuation import Wish, of_table, play_on
from brinkmanship.web.tables.deal import owed
from brinkmanship.web.tables.event_stream import NewsResponse
from brinkmanship.web.tables.hints import has_hints
from brinkmanship.web.tables.live_table import DEALING, FINISHED, RUNNING, WAITING, LiveTable
from brinkmanship.web.tables.rated import rated_terms
from brinkmanship.web.tables.seating import Plan

Found = TypeVar("Found")

api = Router("Brinkmanship", __version__, "/api/v1/", "/api/openapi.json")


@api.post("tokens", 201, is_open=True)
async def create_token(request: ApiRequest, body: NewToken) -> Token:
    """Create a player for a program, and the token it authenticates with."""
    users = request.services.users

    def create() -> tuple[Person, str]:
        guest, _ = users.add_guest(body.name, "en")
        return guest, users.open_session(guest.id, api_label=guest.name)

    guest, token = await asyncio.to_thread(create)
    return Token(token, guest.id)


@api.get("games", is_open=True)
async def games(request: ApiRequest) -> list[GameInfo]:
    """List the games with their options (the default first) and computer players."""
    rulesets = [request.services.tables.ruleset(game_id, {}) for game_id in kits()]
    return [
        GameInfo(
            id=game.id,
            title=game.title,
            rules_version=game.version,
            sides=list(game.sides),
            options={name: list(values) for name, values in game.option_values().items()},
            option_ranges=dict(game.option_ranges()),
            presets={name: dict(values) for name, values in game.presets().items()},
            players=list(players_for(game)),
            levels=list(levels_for(game)),
            series=game.series() is not None,
        )
        for game in rulesets
    ]


@api.get("tables")
async def list_tables(request: ApiRequest, query: WhichTables) -> list[ListedTable]:
    """List your waiting and running tables, or tables that anyone may join; the newest 20."""
    engine = request.services.engine
    if query.mine:
        listed = await asyncio.to_thread(repository.tables_of, engine, request.who.id, False)
    else:
        listed = await asyncio.to_thread(
            repository.open_tables, engine, repository.PAGE, query.after, (), request.who.id
        )
    return [
        ListedTable(table.id, table.game, table.status, [seat.known_as for seat in table.seats]) for table in listed
    ]


@api.post("tables", 201)
async def create_table(request: ApiRequest, body: NewTable) -> TableInfo:
    """Create a table."""
    _check_game(body.game)
    sent = data_file(body.data.name, body.data.text.encode()) if body.data else None
    plan = Plan(body.game, body.seats, body.options, _terms(body), body.series, body.contributes, sent)
    table, _ = await request.services.seating.create(plan, request.who.id, request.who.name)
    return _seated(table, request.who.id)


@api.post("tables/{table_id}/play_on", 201)
async def play_on_from(request: ApiRequest, body: PlayOn) -> TableInfo:
    """Create a table that continues this finished game from a position, as either side.

    Chance is the same as in this game, or newly drawn.
    """
    table = await request.services.tables.fresh(request.id)
    wish = Wish(body.step, _side_called(table, body.side), body.against, body.same_chance)
    begun, _ = await play_on(request.services.seating, of_table(table), wish, request.who)
    return _seated(begun, request.who.id)


@api.post("tables/{table_id}/withdraw")
async def withdraw(request: ApiRequest) -> TableInfo:
    """Stop waiting for players: close the table."""
    return _seated(await request.services.seating.withdraw(request.id, request.who.id), request.who.id)


@api.post("tables/{table_id}/invitations")
async def invite_anew(request: ApiRequest) -> TableInfo:
    """Replace the invitations by new ones; the old ones become invalid."""
    return _seated(await request.services.seating.invite_anew(request.id, request.who.id), request.who.id)


@api.post("tables/{table_id}/join")
async def join_table(request: ApiRequest, body: Join) -> TableInfo:
    """Take a seat at a table."""
    who = request.who
    side = None if body.side is None else _side_called(await request.table(), body.side)
    table = await request.services.seating.join(request.id, who.id, who.name, body.invitation, side, body.contributes)
    await request.services.matches.seats_taken(table)
    return _seated(table, who.id)


@api.post("tables/{table_id}/deal")
async def contribute(request: ApiRequest, body: Deal) -> TableInfo:
    """Pledge random bytes for the deal, or send them, as `owed` says; once nothing is missing the game begins."""
    side = _side_called(await request.table(), body.side)
    contribution = None if body.contribution is None else bytes.fromhex(body.contribution)
    table = await request.services.seating.contribute(request.id, request.who.id, side, body.pledge, contribution)
    return _seated(table, request.who.id)


@api.get("tables/{table_id}")
async def look(request: ApiRequest, query: Seen) -> TableView:
    """Return the position as you know it, and your legal actions."""
    table = await _shown(request, query)
    return _view(table, request.who.id, _viewer(table, request.who.id, query.side))


@api.get("tables/{table_id}/rating")
async def rating_at_table(request: ApiRequest) -> TableRating:
    """Return what a rated game would do to your rating, or has done to both."""
    table = await request.services.tables.fresh(request.id)
    sides = table.game.sides
    changes = [
        RatingChange(sides[change.side], change.before, change.after, change.counts)
        for change in await request.services.ratings.changes(table)
    ]
    return TableRating(await _outlook(request, table), changes)


async def _outlook(request: ApiRequest, table: LiveTable) -> OutlookInfo | None:
    if not table.terms.rated or table.status == FINISHED or request.who.is_guest:
        return None
    mine = table.seat_of(request.who.id) or [seat.side for seat in table.seats if seat.is_free and table.is_open]
    if not mine:
        return None
    found = await request.services.ratings.outlook(table, mine[0], request.who.id)
    return OutlookInfo(table.game.sides[mine[0]], *found.prospect, found.is_even)


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


@api.get("tables/{table_id}/warnings")
async def warnings(request: ApiRequest, query: Seen) -> Warnings:
    """Return which of your legal actions could lose the game at the next check, by all you know."""
    table = await _shown(request, query)
    viewer = _viewer(table, request.who.id, query.side)
    # Not part of the view: it takes a millisecond or two, several times as long as the whole answer to an action.
    found = table.work_out("warnings", viewer, lambda: _warnings(table, viewer))
    return Warnings(table.version(viewer), found)


@api.post("tables/{table_id}/actions")
async def act(request: ApiRequest, body: Action) -> TableView:
    """Take an action; the response, your new view, is sent once the action is stored."""
    side = _side_called(await request.table(), body.side)
    table = await request.services.actions.act(request.id, request.who.id, side, body.version, body.action)
    return _view(table, request.who.id, side)


@api.post("tables/{table_id}/undo")
async def undo(request: ApiRequest, body: Undo) -> TableView:
    """Take back, as far as the last draw, reveal or change of decider."""
    side = _side_called(await request.table(), body.side)
    table = await request.services.actions.undo(request.id, request.who.id, side, body.version, body.whole_turn)
    return _view(table, request.who.id, side)


@api.post("tables/{table_id}/hint")
async def hint(request: ApiRequest, body: HintWanted) -> Hints:
    """Return advice on the current decision if the table allows hints; the journal shows the hint to both players."""
    side = _side_called(await request.table(), body.side)
    table, found = await request.services.hints.hint(request.id, request.who.id, side, body.version)
    game, words = table.game, words_for(table.game, "en")

    def info(one: Hint) -> HintInfo:
        reason = None if one.reason is None else why_text(one.reason, words)
        reply = None if one.reply is None else ReplyInfo(game.action_text(one.reply.action), one.reply.share)
        text = game.action_text(one.action)
        return HintInfo(text, one.win, one.error, one.is_best, one.war, one.share, reason, reply, one.score)

    return Hints(body.side, table.version(side), found.worlds, found.playouts, [info(one) for one in found.hints])


@api.get("tables/{table_id}/orders")
async def orders(request: ApiRequest, query: AsSide) -> Orders:
    """Return your standing orders: choices made for you as soon as they come up."""
    table = await request.services.tables.fresh(request.id)
    return _orders(table, _own_side(table, request.who.id, query.side))


@api.post("tables/{table_id}/orders")
async def give_order(request: ApiRequest, body: Order) -> Orders:
    """Give a standing order; it replaces an earlier one about the same thing."""
    side = _side_called(await request.table(), body.side)
    return _orders(await request.services.standing_orders.give(request.id, request.who.id, side, body.order), side)


@api.post("tables/{table_id}/orders/revoke")
async def revoke_order(request: ApiRequest, body: Order) -> Orders:
    """Revoke a standing order."""
    side = _side_called(await request.table(), body.side)
    return _orders(await request.services.standing_orders.revoke(request.id, request.who.id, side, body.order), side)


@api.post("tables/{table_id}/resign")
async def resign(request: ApiRequest, query: Resignation) -> TableInfo:
    """Resign the game."""
    side = _side_called(await request.table(), query.side)
    table = await request.services.actions.resign(request.id, request.who.id, side, query.everything)
    return _seated(table, request.who.id)


@api.post("tables/{table_id}/next")
async def next_game(request: ApiRequest, query: Next) -> TableInfo:
    """Begin the next game of a series; return its table, or this one until the other player has agreed."""
    table = await request.services.followups.next_game(request.id, request.who.id, query.swapped, query.contributes)
    return _seated(table, request.who.id)


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


@api.get("series/{series_id}")
async def series(request: ApiRequest) -> SeriesInfo:
    """Return a series of games: its score, games and winners."""
    story = await request.services.followups.series(request.id)
    standing = story.series.standing
    sides = story.game.sides
    next_sides = story.next_sides if story.can_go_on else None
    return SeriesInfo(
        id=story.id,
        game=story.game.id,
        options=dict(story.game.options),
        players=[seat.known_as for seat in story.players],
        score=list(standing.score),
        target=standing.target,
        is_over=standing.is_over,
        winners=list(standing.winners),
        reason=standing.reason,
        can_go_on=story.can_go_on,
        next_sides=[sides[side] for side in next_sides] if next_sides else None,
        games=[
            SeriesGameInfo(
                table=each.table.id,
                sides=[sides[side] for side in each.sides],
                status=each.table.status,
                result=each.table.result,
                points=None if each.points is None else list(each.points),
            )
            for each in story.games
        ],
    )


@api.post("matches", 201)
async def create_match(request: ApiRequest, body: NewMatch) -> TableInfo:
    """Create a match of two games, each player once with each side; return the table of game 1, where a seat waits."""
    _check_game(body.game)
    plan = Plan(body.game, body.seats, body.options, _terms(body))
    matches = request.services.matches
    table, _ = await matches.open(plan, body.simultaneous, request.who.id, request.who.name)
    return _seated(table, request.who.id)


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
    _check_game(body.game)
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


@api.get("tables/{table_id}/journal")
async def journal_of_table(request: ApiRequest, query: Seen) -> str:
    """Return the journal: the part that you may know, or all of it once the game is over."""
    table = await _shown(request, query)
    still, viewer = table.still(), _viewer(table, request.who.id, query.side)
    return await _aside(request, lambda: journal_at(request.services.engine, table, still, viewer).text())


@api.get("tables/{table_id}/reasons")
async def reasons_of_table(request: ApiRequest, query: InLanguage) -> list[WhyInfo]:
    """Return the reasons of the computer players in order; empty before the game is over."""
    if query.lang not in LANGUAGES:
        raise IllegalError(f"there are no texts in {query.lang!r}; the languages are {', '.join(LANGUAGES)}")
    table = await request.table()
    if not table.is_revealed:
        return []
    return await _aside(request, lambda: _reasons(table, reasons_at(request.services.engine, table), query.lang))


@api.post("tables/{table_id}/analysis", 202)
async def analyse(request: ApiRequest) -> Analysis:
    """Request the analysis of a finished game: luck, guesses and play. Poll the GET route until it is done."""
    table = await _finished(request)
    await request.services.analyses.begin(*request.services.analyses.of_table(table))
    return await _analysis(request, table)


@api.get("tables/{table_id}/analysis")
async def analysis_of_table(request: ApiRequest) -> Analysis:
    """Return the progress of the analysis of a finished game, and its report once done."""
    return await _analysis(request, await _finished(request))


async def _finished(request: ApiRequest) -> LiveTable:
    table = await request.services.tables.fresh(request.id)
    if not table.is_revealed or not request.services.analyses.can_analyse(table.game, table.result):
        raise IllegalError("only finished games can be analysed, with some exceptions", said="analysis.refused.game")
    return table


async def _analysis(request: ApiRequest, table: LiveTable) -> Analysis:
    analyses = request.services.analyses
    state = await analyses.state(*analyses.of_table(table))
    share = seconds_left = None
    if state.progress is not None:
        share, seconds_left = state.progress.share, state.progress.seconds_left
    report = None if state.report is None else msgspec.Raw(state.report.to_json())
    return Analysis(state.status, share, seconds_left, report, state.fault)


# ---- Analysis boards.


@api.post("tables/{table_id}/boards", 201)
async def begin_board(request: ApiRequest, body: LineStep) -> LineEnd:
    """Try something from a position of a finished game, for either side: create a board with its first line."""
    table = await request.services.tables.fresh(request.id)
    return await _tried(request, BoardSession(of_table(table), nothing_tried(table.game, table_id=table.id)), body)


@api.get("boards")
async def own_boards(request: ApiRequest) -> list[ListedBoard]:
    """List your analysis boards, the last changed first."""
    kept = await asyncio.to_thread(boards.of_person, request.services.engine, request.who.id, MAX_BOARDS)
    return [ListedBoard(one.id, one.game, one.table_id, one.title, len(one.lines)) for one in kept]


@api.get("boards/{board_id}")
async def board_of_analysis(request: ApiRequest) -> BoardInfo:
    """Return an analysis board with its lines; anyone who knows its id may see it."""
    desk = await _board(request)
    found = await _aside(request, desk.ends)
    board = desk.board
    lines = [
        LineInfo(one.number, one.name, end.line.base, end.line.length, _texts(end))
        for one, end in zip(board.lines, found, strict=True)
    ]
    assert board.table_id is not None
    return BoardInfo(board.id, board.game, board.table_id, board.title, board.person_id == request.who.id, lines)


@api.get("boards/{board_id}/position")
async def position_on_board(request: ApiRequest, query: Where) -> PositionInfo:
    """Return a position on a line: its legal actions, and the possible outcomes of chance."""
    desk = await _board(request)

    def info() -> PositionInfo:
        here, game = desk.position(query.line, query.at), desk.game
        return PositionInfo(
            query.line,
            here.line.length,
            None if here.side is None else game.sides[here.side],
            game.known_state(here.seen.view(), FULL_INFORMATION),
            [one.text for one in here.legal()],
            [OutcomeInfo(game.action_text(one.action), one.share) for one in here.outcomes()],
            here.is_over,
        )

    return await _aside(request, info)


@api.post("boards/{board_id}/steps")
async def step_on_board(request: ApiRequest, body: LineStep) -> LineEnd:
    """Continue from a position of a line: extend it at its end, otherwise begin a new line."""
    return await _tried(request, await _board(request), body)


@api.get("boards/{board_id}/values")
async def values_on_board(request: ApiRequest) -> LineValues:
    """Compare the ends of all lines, and the game itself where it went another way."""
    desk = await _board(request)
    check_comparable(desk.game)

    def ends() -> tuple[list[Position], Position | None]:
        lines = desk.ends()
        return lines, desk.beside(lines)

    lines, game = await _aside(request, ends)
    every = [*zip((one.number for one in desk.board.lines), lines, strict=True), *([(THE_GAME, game)] if game else [])]
    side = desk.of_interest(lines)
    (found,) = await request.services.boards.compare(desk.game, side, [[one.seen.view() for _, one in every]])
    values = [
        LineValue(number, end.line.length, one.win, one.error, one.behind, one.behind_error, one.is_best)
        for (number, end), one in zip(every, found, strict=True)
    ]
    return LineValues(desk.game.sides[side], values)


async def _board(request: ApiRequest) -> BoardSession:
    kept = await asyncio.to_thread(boards.board, request.services.engine, request.id)
    if kept is None:
        raise NotFoundError("there is no such board", said="branches.refused.no_board")
    if kept.table_id is None:
        raise IllegalError("boards of uploaded journals are available in the browser only")
    return BoardSession(of_table(await request.services.tables.fresh(kept.table_id)), kept)


async def _tried(request: ApiRequest, desk: BoardSession, body: LineStep) -> LineEnd:
    def chosen(here: Position) -> int | None:
        texts = {desk.game.action_text(one.action): one.action for one in here.outcomes() or here.legal()}
        if body.action is not None and body.action not in texts:
            raise IllegalError(f"{body.action!r} is not a possible action here", said="refused.no_choice")
        return None if body.action is None else texts[body.action]

    after = await _aside(request, lambda: desk.after(body.line, body.at, body.chance, chosen))
    keep = request.services.boards.keep
    board, number = await asyncio.to_thread(keep, desk.board, request.who.id, body.line, after.line)
    return LineEnd(board.id, number, after.line.length)


def _texts(end: Position) -> list[str]:
    return [entry.text for entry in end.seen.entries[end.line.base :]]


async def _aside(request: ApiRequest, do: Callable[[], Found]) -> Found:
    """Run a slow function in the pool for reading, without blocking other requests."""
    pool = request.services.reading
    return await pool.do(do)


# ---- Finding an opponent.


@api.post("seeks", 201)
async def place_seek(request: ApiRequest, body: NewSeek) -> SeekInfo:
    """Look for an opponent; a live seek ends if you do not ask for it (GET) for a minute."""
    wants: list[Want] = []
    for sought in body.games:
        if sought.game not in kits():
            raise NotFoundError(f"there is no game {sought.game!r}; the games are {', '.join(kits())}")
        sides = game_class(sought.game).sides
        if not set(sought.sides) <= set(sides):
            raise IllegalError(f"the sides of {sought.game} are {' and '.join(sides)}")
        wants += [Want(sought.game, side) for side, name in enumerate(sides) if name in (sought.sides or sides)]
    wish = checked_wish(wants, body.clocks, body.rated)
    return _seek_info(await request.services.seeks.place(request.who, wish), request.who.id)


@api.get("seeks")
async def list_seeks(request: ApiRequest, query: WhichSeeks) -> list[SeekInfo]:
    """List open seeks, the longest waiting first."""
    service, viewer_id = request.services.seeks, request.who.id
    found = await (service.of_person(request.who) if query.mine else service.listed(request.who.id))
    return [_seek_info(one, viewer_id) for one in found if (one.person_id == viewer_id) == query.mine]


@api.get("seeks/{seek_id}")
async def own_seek(request: ApiRequest) -> SeekInfo:
    """Return your seek, with the table once an opponent is found; this keeps a live seek open."""
    return _seek_info(await request.services.seeks.own(request.who, request.id), request.who.id)


@api.post("seeks/{seek_id}/withdraw")
async def withdraw_seek(request: ApiRequest) -> SeekInfo:
    """Stop looking; if an opponent was found before, the response has the table."""
    return _seek_info(await request.services.seeks.withdraw(request.who, request.id), request.who.id)


@api.post("seeks/{seek_id}/answer", 201)
async def answer_seek(request: ApiRequest) -> SeekInfo:
    """Place a seek that fits another user's open one."""
    return _seek_info(await request.services.seeks.answer(request.who, request.id), request.who.id)


@api.post("challenges", 201)
async def challenge(request: ApiRequest, body: NewChallenge) -> ChallengeInfo:
    """Challenge another user; you both need accounts."""
    if body.game not in kits():
        raise NotFoundError(f"there is no game {body.game!r}; the games are {', '.join(kits())}")
    sides = game_class(body.game).sides
    if body.side is not None and body.side not in sides:
        raise IllegalError(f"the sides of {body.game} are {' and '.join(sides)}")
    side = None if body.side is None else sides.index(body.side)
    proposal = Proposal(body.game, side, body.clock, body.rated)
    return _challenge_info(await request.services.challenges.challenge(request.who, body.to, proposal), request.who.id)


@api.get("challenges")
async def list_challenges(request: ApiRequest) -> list[ChallengeInfo]:
    """List the open challenges to and from you, and yours that were declined in the last week, newest first."""
    return await _challenges(request)


@api.post("challenges/{challenge_id}/accept", 201)
async def accept_challenge(request: ApiRequest) -> TableInfo:
    """Accept a challenge: the game starts at once."""
    return _seated(await request.services.challenges.accept(request.who, request.id), request.who.id)


@api.post("challenges/{challenge_id}/decline")
async def decline_challenge(request: ApiRequest, body: Declined) -> list[ChallengeInfo]:
    """Decline a challenge; return what is left."""
    await request.services.challenges.decline(request.who, request.id, body.reason)
    return await _challenges(request)


@api.post("challenges/{challenge_id}/withdraw")
async def withdraw_challenge(request: ApiRequest) -> list[ChallengeInfo]:
    """Withdraw your challenge; return what is left."""
    await request.services.challenges.withdraw(request.who, request.id)
    return await _challenges(request)


def _seek_info(found: Seek, viewer_id: str) -> SeekInfo:
    sides_of: dict[str, list[str]] = {}
    for want in found.wants:
        sides_of.setdefault(want.game, []).append(game_class(want.game).sides[want.side])
    return SeekInfo(
        id=found.id,
        name=found.name,
        mine=found.person_id == viewer_id,
        games=[SoughtGame(game, sides) for game, sides in sides_of.items()],
        clocks=list(found.clocks),
        rated=found.rated,
        since=found.created_at,
        expires_at=found.expires_at,
        is_open=found.state == seeks.OPEN,
        table=found.table_id,
    )


async def _challenges(request: ApiRequest) -> list[ChallengeInfo]:
    return [_challenge_info(one, request.who.id) for one in await request.services.challenges.of(request.who)]


def _challenge_info(found: Challenge, viewer_id: str) -> ChallengeInfo:
    return ChallengeInfo(
        id=found.id,
        challenger=found.from_name,
        challenged=found.to_name,
        mine=found.from_id == viewer_id,
        game=found.game,
        side=None if found.side is None else game_class(found.game).sides[found.side],
        clock=found.clock,
        rated=found.rated,
        expires_at=found.expires_at,
        is_open=found.state == seeks.OPEN,
        declined=found.reason or None,
    )


@api.get("tables/{table_id}/stream")
async def stream(request: ApiRequest, query: Seen) -> NewsResponse:
    """Stream server-sent events: the table's version for you, at once and whenever it rises, and `outage`."""
    table = await _shown(request, query)
    return NewsResponse(request.services, table, _viewer(table, request.who.id, query.side), request.who.id)


async def _shown(request: ApiRequest, query: Seen) -> LiveTable:
    table = await request.table()
    await request.services.tables.reach(table, _viewer(table, request.who.id, query.side), query.at_least)
    return table


def _check_game(game_id: str) -> None:
    if game_id not in kits():
        raise NotFoundError(f"there is no game {game_id!r}; the games are {', '.join(kits())}")


def _terms(body: NewTable | NewMatch) -> Terms:
    clock = clock_of(body.clock)
    if not body.rated:
        return Terms(clock, body.undo, body.hints)
    if body.hints:
        raise IllegalError("a rated game has no hints: leave out `hints`")
    return rated_terms(clock)


def clock_of(given: Mapping[str, Any] | None) -> Clock | None:
    """Return the clock that a request describes.

    Raises:
        IllegalError: It describes none.
    """
    try:
        return Clock.from_json(given)
    except ValueError as error:
        raise IllegalError(str(error)) from error


def _reasons(table: LiveTable, reasons: Mapping[int, Message], language: str) -> list[WhyInfo]:
    game, words = table.game, words_for(table.game, language)
    entries = table.seen_by(FULL_INFORMATION).entries
    return [
        WhyInfo(number, game.sides[entries[number - 1].actor], text=reason_text(said, words), **as_json(said))
        for number, said in sorted(reasons.items())
    ]


def _side_called(table: LiveTable, name: str) -> int:
    if name not in table.game.sides:
        raise IllegalError(f"there is no side {name!r}; the sides are {' and '.join(table.game.sides)}")
    return table.game.sides.index(name)


def _viewer(table: LiveTable, person_id: str, side: str | None) -> int:
    mine = table.seat_of(person_id)
    if side is not None:
        wanted = _side_called(table, side)
        return wanted if wanted in mine else OBSERVER
    return mine[0] if mine else OBSERVER


def _own_side(table: LiveTable, person_id: str, side: str | None) -> int:
    viewer = _viewer(table, person_id, side)
    if viewer == OBSERVER:
        raise ForbiddenError("that is not your seat", said="refused.not_yours")
    return viewer


def _orders(table: LiveTable, side: int) -> Orders:
    if table.status != RUNNING:
        return Orders(given=[], offered=[])  # there are no further decisions
    offered = [order.text for order in table.game.orders(side)]
    return Orders(given=sorted(table.orders.get(side, ())), offered=offered)


class _Known(NamedTuple):
    """The parts of a response that are the same for all callers with the same view, until the table changes."""

    to_move: list[str]
    state: msgspec.Raw
    legal: msgspec.Raw
    can_undo: int
    seats: list[SeatInfo]


def _known(table: LiveTable, viewer: int) -> _Known:
    def work_out() -> _Known:
        game, sides = table.game, table.game.sides
        view = table.view(viewer)
        return _Known(
            [sides[side] for side in sorted(game.to_move(view))] if table.status == RUNNING else [],
            _raw(game.known_state(view, viewer)),
            _raw(table.seen_by(viewer).legal_texts() if table.status == RUNNING else []),
            table.undo_count(viewer),
            [SeatInfo(sides[seat.side], seat.known_as, seat.computer is not None) for seat in table.seats],
        )

    return table.work_out("api", viewer, work_out)


def _warnings(table: LiveTable, viewer: int) -> dict[str, str]:
    """Return how legal actions of a viewer could lose the game, as far as the viewer knows."""
    game, view, decisions = table.game, table.view(viewer), table.decisions(viewer)
    words = words_for(game, "en")
    return {
        decision.text: words.sentence(warning)
        for decision, preview in zip(decisions, previews_of(game, view, decisions), strict=True)
        if (warning := game.narrator.warning(view, preview.after, viewer))
    }


def _raw(data: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(data))


def _info(table: LiveTable, person_id: str, viewer: int, known: _Known) -> dict[str, Any]:
    """Return the fields of `TableInfo`."""
    sides, mine = table.game.sides, table.seat_of(person_id)
    has_begun = table.status not in (WAITING, DEALING)
    return {
        "id": table.id,
        "game": table.game.id,
        "rules_version": table.game.version,
        "options": table.game.options,
        "data": DataInfo(table.game.data_file, table.game.data_sha256) if table.game.data_file else None,
        "status": table.status,
        "result": table.result,
        "seats": known.seats,
        "you": [sides[side] for side in mine],
        "version": table.version(viewer),
        "asked": known.to_move,
        "commitment": table.commitment,
        "pledges": {sides[seat.side]: seat.pledge for seat in table.seats if seat.pledge},
        "owed": {} if has_begun else {sides[side]: what for side in mine if (what := owed(table, side))},
        "offer": None if table.offer is None else sides[table.offer],
        "clock": table.terms.clock.as_json() if table.terms.clock else None,
        "undo": table.terms.undo,
        "rated": table.terms.rated,
        "hints": table.allows_hints and has_hints(table.game),
        "seconds_left": table.seconds_left(viewer, now()),
        "series": table.part.series if table.part else None,
        "match": table.match_place.match if table.match_place else None,
        "duplicate": table.round,
        "sealed": table.sealed,
        "origin": OriginInfo(table.origin.address, table.origin.step, table.origin.same_chance)
        if table.origin
        else None,
        "invitations": {} if has_begun or not mine else _invitations(table),
        "suits": proposed_at(table, mine),
    }


def _invitations(table: LiveTable) -> dict[str, str]:
    if table.status != WAITING:
        return {}
    sides = table.game.sides
    return {sides[seat.side]: seat.invitation for seat in table.seats if seat.is_free and seat.invitation}


def _seated(table: LiveTable, person_id: str) -> TableInfo:
    viewer = _viewer(table, person_id, None)
    return TableInfo(**_info(table, person_id, viewer, _known(table, viewer)))


def _view(table: LiveTable, person_id: str, viewer: int) -> TableView:
    known = _known(table, viewer)
    return TableView(
        **_info(table, person_id, viewer, known),
        as_side=(*table.game.sides, "public")[viewer],
        state=known.state,
        legal=known.legal,
        can_undo=known.can_undo,
    )
