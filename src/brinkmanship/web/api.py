"""The HTTP API for programs. Every answer is made from the caller's own view; errors are RFC 9457 problems.

A program gets a token once (`POST /api/v1/tokens`), creates or joins a table, and then repeats: wait for news
(`/stream`), look (`GET /tables/{id}`), act with the version it looked at.
"""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, NamedTuple

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.options import OptionValue
from brinkmanship.games import GAMES
from brinkmanship.players import players_for
from brinkmanship.store import repository
from brinkmanship.web.clock import Clock
from brinkmanship.web.errors import IllegalError, NotFoundError
from brinkmanship.web.identity import Program, service
from brinkmanship.web.service import Plan, TableService
from brinkmanship.web.stream import NewsResponse
from brinkmanship.web.table import RUNNING, LiveTable

PROBLEM: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {"application/problem+json": {}}}
    for status, text in (
        (400, "The request is malformed."),
        (401, "No valid token."),
        (403, "Not your seat, or the seat is taken."),
        (404, "There is no such thing."),
        (409, "The position has changed since the version given."),
        (413, "The request is too large."),
        (422, "By the rules this is not possible."),
        (429, "Too many requests."),
    )
}

API_PATH = "/api/v1"
TABLES_PATH = f"{API_PATH}/tables/"
LONGEST_SIDE = 12
LONGEST_ACTION = 80
MOST_VERSION = 100_000

router = APIRouter(prefix=API_PATH, tags=["tables"], responses=PROBLEM)

TableId = Annotated[str, Field(min_length=1, max_length=12, pattern=r"^[A-Za-z0-9]+$")]
SideName = Annotated[str, Query(max_length=LONGEST_SIDE)]
AsSide = Annotated[str | None, Query(max_length=LONGEST_SIDE, description="As which side, if you play several.")]


class Body(BaseModel):
    """A request's JSON; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewToken(Body):
    """Who a program plays as."""

    name: Annotated[str, Field(min_length=1, max_length=30)]


class Token(BaseModel):
    """Send it as "Authorization: Bearer TOKEN". It is shown this once."""

    token: str
    person: str


class GameInfo(BaseModel):
    """A game that can be played here."""

    id: str
    title: str
    rules_version: int
    sides: list[str]
    options: dict[str, list[OptionValue]]
    """The values of each, the default first; of those in `option_ranges` the usual ones."""
    option_ranges: dict[str, tuple[int, int]]
    """Options that take any whole number from the one to the other."""
    presets: dict[str, dict[str, OptionValue]]
    """Options that go together, where they differ from the defaults; chosen as the option "preset"."""
    players: list[str]
    series: bool
    """Whether games can be played in a series, as a campaign."""


class NewTable(Body):
    """A table to set: for each side, in order, "me", "open", "friend" or "computer:NAME"."""

    game: Annotated[str, Field(max_length=40)]
    seats: Annotated[list[Annotated[str, Field(max_length=50)]], Field(min_length=2, max_length=2)]
    options: Annotated[dict[str, OptionValue], Field(max_length=40)] = {}
    clock: dict[str, str | int] | None = None
    """None, {"kind": "live", "minutes": 30, "increment": 20} or {"kind": "days", "days": 3}."""
    series: bool = False
    """Whether it is the first game of a series, as of a campaign; see `series` of the games."""


class Action(Body):
    """An action of a side, as its text; `version` is that of the position it was chosen in."""

    side: Annotated[str, Field(max_length=LONGEST_SIDE)]
    version: Annotated[int, Field(ge=0, le=MOST_VERSION)]
    action: Annotated[str, Field(min_length=1, max_length=LONGEST_ACTION)]


class Undo(Body):
    """Take back the last step, or the whole turn, as far as the policy allows."""

    side: Annotated[str, Field(max_length=LONGEST_SIDE)]
    version: Annotated[int, Field(ge=0, le=MOST_VERSION)]
    whole_turn: bool = False


class Join(Body):
    """Sit down: with an invitation's token, or at an open table; `side` only to choose between free seats."""

    invitation: Annotated[str | None, Field(max_length=64)] = None
    side: Annotated[str | None, Field(max_length=LONGEST_SIDE)] = None


class SeatInfo(BaseModel):
    """Who plays a side; no name: the seat is free."""

    side: str
    name: str
    is_computer: bool


class TableInfo(BaseModel):
    """A table as one reader may know it."""

    id: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    status: str
    result: str
    seats: list[SeatInfo]
    you: list[str]
    """The sides you play."""
    version: int
    asked: list[str]
    """The sides that may act now, as far as you may know."""
    commitment: str
    offer: str | None
    clock: dict[str, Any] | None
    seconds_left: list[float] | None
    """On each side's clock, as far as you may know."""
    series: str | None
    """The series the game belongs to, None if to none."""
    invitations: dict[str, str] = {}
    """Only in the answer to its creation: the tokens of the invitations, by side."""


class TableView(TableInfo):
    """A table with the position as you know it, and what you may do."""

    as_side: str
    state: dict[str, Any]
    """What you know of the position; `cards` has the ids of the cards, by where they lie."""
    legal: list[str]
    can_undo: int


class SeriesGameInfo(BaseModel):
    """A game of a series; lists have the players' order."""

    table: str
    sides: list[str]
    status: str
    result: str
    points: list[int] | None
    """What it added to each player's score, None while it is played."""


class SeriesInfo(BaseModel):
    """A series of games, as a campaign. Lists have the players' order: first who had the first side in game 1."""

    id: str
    game: str
    options: dict[str, OptionValue]
    players: list[str]
    score: list[int]
    target: int
    is_over: bool
    winners: list[int]
    """The numbers of the players that have won; several, or none, where the rules say so."""
    reason: str
    can_go_on: bool
    """Whether the next game can begin."""
    next_sides: list[str] | None
    """Of each player in the next game; None: it cannot begin, or the players agree on them."""
    games: list[SeriesGameInfo]


@router.post("/tokens", status_code=201)
async def create_token(request: Request, body: NewToken) -> Token:
    """A new player for programs, and the token it acts with."""
    people = request.app.state.people

    def create() -> tuple[Any, str]:
        guest, _ = people.add_guest(body.name, "en")
        return guest, people.open_session(guest.id, api_label=guest.name)

    guest, token = await asyncio.to_thread(create)
    return Token(token=token, person=guest.id)


@router.get("/games")
async def games(request: Request) -> list[GameInfo]:
    """The games with their options (the default first) and computer players."""
    tables = service(request)
    found = []
    for game_id in GAMES:
        game = tables.ruleset(game_id, {})
        found.append(
            GameInfo(
                id=game.id,
                title=game.title,
                rules_version=game.version,
                sides=list(game.sides),
                options={name: list(values) for name, values in game.option_values().items()},
                option_ranges=dict(game.option_ranges()),
                presets={name: dict(values) for name, values in game.presets().items()},
                players=list(players_for(game)),
                series=game.series() is not None,
            )
        )
    return found


@router.get("/tables")
async def list_tables(
    request: Request, who: Program, mine: Annotated[bool, Query(description="Yours, else open ones.")] = False
) -> list[dict[str, Any]]:
    """Your running tables, or tables anybody may join."""
    engine = request.app.state.engine
    if mine:
        listed = await asyncio.to_thread(repository.tables_of, engine, who.id, False)
    else:
        listed = await asyncio.to_thread(repository.open_tables, engine)
    return [
        {"id": table.id, "game": table.game, "status": table.status, "seats": [seat.name for seat in table.seats]}
        for table in listed
    ]


@router.post("/tables", status_code=201, response_model=TableInfo)
async def create_table(request: Request, who: Program, body: NewTable) -> Json:
    """Set a table."""
    if body.game not in GAMES:
        raise NotFoundError(f"there is no game {body.game!r}; the games are {', '.join(GAMES)}")
    try:
        clock = Clock.from_json(body.clock)
    except ValueError as error:
        raise IllegalError(str(error)) from error
    tables = service(request)
    table, tokens = await tables.create(Plan(body.game, body.seats, body.options, clock, body.series), who.id, who.name)
    info = _seated(tables, table, who.id)
    info["invitations"] = {table.game.sides[side]: token for side, token in tokens.items()}
    return Json(info, 201)


@router.post("/tables/{table_id}/join", response_model=TableInfo)
async def join_table(request: Request, who: Program, table_id: TableId, body: Join) -> Json:
    """Sit down at a table."""
    tables = service(request)
    table = await tables.table(table_id)
    side = None if body.side is None else side_called(table, body.side)
    table = await tables.join(table_id, who.id, who.name, body.invitation, side)
    return Json(_seated(tables, table, who.id))


@router.get("/tables/{table_id}", response_model=TableView)
async def look(
    request: Request,
    who: Program,
    table_id: TableId,
    side: Annotated[
        str | None, Query(max_length=LONGEST_SIDE, description="As which side, if you play several.")
    ] = None,
) -> Json:
    """The position as you know it, and your legal actions."""
    tables = service(request)
    table = await tables.table(table_id)
    return Json(view_for(tables, table, who.id, reader_for(table, who.id, side)))


@router.post("/tables/{table_id}/actions", response_model=TableView)
async def act(request: Request, who: Program, table_id: TableId, body: Action) -> Json:
    """Take an action; answered when it is safe, with your new view."""
    tables = service(request)
    side = side_called(await tables.table(table_id), body.side)
    table = await tables.act(table_id, who.id, side, body.version, body.action)
    return Json(view_for(tables, table, who.id, side))


@router.post("/tables/{table_id}/undo", response_model=TableView)
async def undo(request: Request, who: Program, table_id: TableId, body: Undo) -> Json:
    """Take back, as far as the last draw, reveal or change of decider."""
    tables = service(request)
    side = side_called(await tables.table(table_id), body.side)
    table = await tables.undo(table_id, who.id, side, body.version, body.whole_turn)
    return Json(view_for(tables, table, who.id, side))


@router.post("/tables/{table_id}/resign", response_model=TableInfo)
async def resign(
    request: Request,
    who: Program,
    table_id: TableId,
    side: SideName,
    everything: Annotated[bool, Query(description="The whole series, not only this game.")] = False,
) -> Json:
    """Give the game up."""
    tables = service(request)
    table = await tables.resign(table_id, who.id, side_called(await tables.table(table_id), side), everything)
    return Json(_seated(tables, table, who.id))


@router.post("/tables/{table_id}/next", response_model=TableInfo)
async def next_game(
    request: Request,
    who: Program,
    table_id: TableId,
    swapped: Annotated[
        bool | None,
        Query(description="Where the players agree on the sides: whether they shall be other than in the first game."),
    ] = None,
) -> Json:
    """Begin the next game of a series; answered with its table, or with this one while the other has not agreed."""
    tables = service(request)
    return Json(_seated(tables, await tables.next_game(table_id, who.id, swapped), who.id))


@router.get("/series/{series_id}", response_model=SeriesInfo)
async def series(request: Request, who: Program, series_id: TableId) -> Json:  # noqa: ARG001 - programs have a name
    """A series of games: the score, its games, who has won."""
    story = await service(request).series(series_id)
    standing = story.series.standing
    sides = story.game.sides
    next_sides = story.next_sides if story.can_go_on else None
    return Json(
        {
            "id": story.id,
            "game": story.game.id,
            "options": story.game.options,
            "players": [seat.name for seat in story.players],
            "score": standing.score,
            "target": standing.target,
            "is_over": standing.is_over,
            "winners": standing.winners,
            "reason": standing.reason,
            "can_go_on": story.can_go_on,
            "next_sides": [sides[side] for side in next_sides] if next_sides else None,
            "games": [
                {
                    "table": each.table.id,
                    "sides": [sides[side] for side in each.sides],
                    "status": each.table.status,
                    "result": each.table.result,
                    "points": each.points,
                }
                for each in story.games
            ],
        }
    )


@router.get("/tables/{table_id}/journal", response_class=PlainTextResponse)
async def journal_of_table(
    request: Request,
    who: Program,
    table_id: TableId,
    side: AsSide = None,
) -> str:
    """The journal: what you may know of it, or all when the game is over."""
    tables = service(request)
    table = await tables.table(table_id)
    return tables.record(table, reader_for(table, who.id, side)).text()


@router.get(
    "/tables/{table_id}/stream",
    response_class=NewsResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events named version."}},
)
async def stream(
    request: Request,
    who: Program,
    table_id: TableId,
    side: AsSide = None,
) -> NewsResponse:
    """Server-sent events: the table's version for you, now and whenever it rises."""
    table = await service(request).table(table_id)
    return NewsResponse(table, reader_for(table, who.id, side), who.id)


class Json(Response):
    """An answer that is written as it is: its form is that of the model in the document, and tests hold it to that."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes."""
        return msgspec.json.encode(content)


def side_called(table: LiveTable, name: str) -> int:
    if name not in table.game.sides:
        raise IllegalError(f"there is no side {name!r}; the sides are {' and '.join(table.game.sides)}")
    return table.game.sides.index(name)


def reader_for(table: LiveTable, person_id: str, side: str | None) -> int:
    mine = table.seat_of(person_id)
    if side is not None:
        wanted = side_called(table, side)
        if wanted not in mine:
            return OBSERVER
        return wanted
    return mine[0] if mine else OBSERVER


class _Position(NamedTuple):
    """What of an answer is worked out once for all who ask as the same reader."""

    asked: list[str]
    state: msgspec.Raw
    legal: msgspec.Raw
    can_undo: int


def _position(tables: TableService, table: LiveTable, reader: int) -> _Position:
    def work_out() -> _Position:
        game, view = table.game, table.view(reader)
        bits = game.pending(game.rules, view)
        is_side = reader != OBSERVER
        return _Position(
            [name for side, name in enumerate(game.sides) if bits >> side & 1] if table.status == RUNNING else [],
            _raw(game.known_state(view, reader)),
            _raw([decision.text for decision in tables.decisions(table, reader)] if is_side else []),
            tables.undo_count(table, reader) if is_side else 0,
        )

    return table.work_out("api", reader, work_out)


def _raw(data: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(data))


def _info(tables: TableService, table: LiveTable, person_id: str, reader: int) -> dict[str, Any]:
    sides = table.game.sides
    return {
        "id": table.id,
        "game": table.game.id,
        "rules_version": table.game.version,
        "options": table.game.options,
        "status": table.status,
        "result": table.result,
        "seats": [
            {"side": sides[seat.side], "name": seat.name, "is_computer": seat.computer is not None}
            for seat in table.seats
        ],
        "you": [sides[side] for side in table.seat_of(person_id)],
        "version": table.version(reader),
        "asked": _position(tables, table, reader).asked,
        "commitment": table.commitment,
        "clock": table.timer.clock.as_json() if table.timer else None,
        "seconds_left": table.seconds_left(reader, time.time()),
        "offer": None if table.offer is None else sides[table.offer],
        "series": table.part.series if table.part else None,
        "invitations": {},
    }


def _seated(tables: TableService, table: LiveTable, person_id: str) -> dict[str, Any]:
    return _info(tables, table, person_id, reader_for(table, person_id, None))


def view_for(tables: TableService, table: LiveTable, person_id: str, reader: int) -> dict[str, Any]:
    """A `TableView` as a person may see it who looks as a reader."""
    position = _position(tables, table, reader)
    return _info(tables, table, person_id, reader) | {
        "as_side": (*table.game.sides, "public")[reader],
        "state": position.state,
        "legal": position.legal,
        "can_undo": position.can_undo,
    }
