"""Routes of the API for finished games: journals, reasons, analyses, analysis boards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import as_json
from brinkmanship.engine.variations import Position
from brinkmanship.store import boards
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.text.reasons import reason_text
from brinkmanship.web.api.router import ApiRequest
from brinkmanship.web.api.schemas import (
    Analysis,
    BoardInfo,
    InLanguage,
    LineEnd,
    LineInfo,
    LineStep,
    LineValue,
    LineValues,
    ListedBoard,
    OutcomeInfo,
    PositionInfo,
    Seen,
    Where,
    WhyInfo,
)
from brinkmanship.web.api.table_view import shown_table, viewer_of
from brinkmanship.web.api.v1 import api
from brinkmanship.web.studies.board_positions import BoardSession, nothing_tried
from brinkmanship.web.studies.boards import MAX_BOARDS, THE_GAME, check_comparable
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.tables.bot_reasons import journal_at, reasons_at
from brinkmanship.web.tables.continuation import of_table
from brinkmanship.web.tables.live_table import LiveTable

Found = TypeVar("Found")


@api.get("tables/{table_id}/journal")
async def journal_of_table(request: ApiRequest, query: Seen) -> str:
    """Return the journal: the part that you may know, or all of it once the game is over."""
    table = await shown_table(request, query)
    snapshot, viewer = table.snapshot(), viewer_of(table, request.who.id, query.side)
    return await _aside(request, lambda: journal_at(request.services.engine, table, snapshot, viewer).text())


@api.get("tables/{table_id}/reasons")
async def reasons_of_table(request: ApiRequest, query: InLanguage) -> list[WhyInfo]:
    """Return the reasons of the computer players in order; empty before the game is over."""
    if query.lang not in LANGUAGES:
        raise IllegalError(f"there are no texts in {query.lang!r}; the languages are {', '.join(LANGUAGES)}")
    table = request.table
    if not table.is_revealed:
        return []
    return await _aside(request, lambda: _reasons(table, reasons_at(request.services.engine, table), query.lang))


def _reasons(table: LiveTable, reasons: Mapping[int, Message], language: str) -> list[WhyInfo]:
    game, words = table.game, words_for(table.game, language)
    entries = table.seen_by(FULL_INFORMATION).entries
    return [
        WhyInfo(number, game.sides[entries[number - 1].actor], text=reason_text(said, words), **as_json(said))
        for number, said in sorted(reasons.items())
    ]


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
        raise IllegalError("only finished games can be analysed, with some exceptions", key="analysis.refused.game")
    return table


async def _analysis(request: ApiRequest, table: LiveTable) -> Analysis:
    analyses = request.services.analyses
    state = await analyses.state(*analyses.of_table(table))
    share = seconds_left = None
    if state.progress is not None:
        share, seconds_left = state.progress.share, state.progress.seconds_left
    report = None if state.report is None else msgspec.Raw(state.report.to_json())
    return Analysis(state.status, share, seconds_left, report, state.fault)


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
    session = await _board(request)
    found = await _aside(request, session.ends)
    board = session.board
    lines = [
        LineInfo(one.number, one.name, end.line.base, end.line.length, _texts(end))
        for one, end in zip(board.lines, found, strict=True)
    ]
    assert board.table_id is not None
    return BoardInfo(board.id, board.game, board.table_id, board.title, board.person_id == request.who.id, lines)


@api.get("boards/{board_id}/position")
async def position_on_board(request: ApiRequest, query: Where) -> PositionInfo:
    """Return a position on a line: its legal actions, and the possible outcomes of chance."""
    session = await _board(request)

    def info() -> PositionInfo:
        here, game = session.position(query.line, query.at), session.game
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
    session = await _board(request)
    check_comparable(session.game)

    def ends() -> tuple[list[Position], Position | None]:
        lines = session.ends()
        return lines, session.beside(lines)

    lines, game = await _aside(request, ends)
    every = [
        *zip((one.number for one in session.board.lines), lines, strict=True),
        *([(THE_GAME, game)] if game else []),
    ]
    side = session.of_interest(lines)
    (found,) = await request.services.boards.compare(session.game, side, [[one.seen.view() for _, one in every]])
    values = [
        LineValue(number, end.line.length, one.win, one.error, one.behind, one.behind_error, one.is_best)
        for (number, end), one in zip(every, found, strict=True)
    ]
    return LineValues(session.game.sides[side], values)


async def _board(request: ApiRequest) -> BoardSession:
    kept = await asyncio.to_thread(boards.board, request.services.engine, request.id)
    if kept is None:
        raise NotFoundError("there is no such board", key="branches.refused.no_board")
    if kept.table_id is None:
        raise IllegalError("boards of uploaded journals are available in the browser only")
    return BoardSession(of_table(await request.services.tables.fresh(kept.table_id)), kept)


async def _tried(request: ApiRequest, session: BoardSession, body: LineStep) -> LineEnd:
    def chosen(here: Position) -> int | None:
        texts = {session.game.action_text(one.action): one.action for one in here.outcomes() or here.legal()}
        if body.action is not None and body.action not in texts:
            raise IllegalError(f"{body.action!r} is not a possible action here", key="refused.no_choice")
        return None if body.action is None else texts[body.action]

    after = await _aside(request, lambda: session.after(body.line, body.at, body.chance, chosen))
    keep = request.services.boards.keep
    board, number = await asyncio.to_thread(keep, session.board, request.who.id, body.line, after.line)
    return LineEnd(board.id, number, after.line.length)


def _texts(end: Position) -> list[str]:
    return [entry.text for entry in end.seen.entries[end.line.base :]]


async def _aside(request: ApiRequest, do: Callable[[], Found]) -> Found:
    """Run a slow function in the pool for reading, without blocking other requests."""
    pool = request.services.reading
    return await pool.do(do)
