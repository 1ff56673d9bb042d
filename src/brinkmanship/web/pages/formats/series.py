"""Series of games, e.g. a campaign: the series page, the box beside a table, and the step to the next game."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.engine.message import Message
from brinkmanship.text import Words
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.series import SeriesGame, SeriesHistory
from brinkmanship.web.tables.statuses import FINISHED

router = PageRouter()

PLAYERS = (0, 1)


class GameRow(NamedTuple):
    """A game of a series in the list of games."""

    table: str
    number: int
    sides: tuple[str, str]
    """Name of each player's side."""
    points: tuple[int, int] | None
    state: str


class SidesChoice(NamedTuple):
    """An assignment of sides that the players may agree on for the next game."""

    swapped: bool
    text: str
    said_by: tuple[str, ...]
    """Players who have already chosen it."""


class SeriesBox(NamedTuple):
    """A series for display."""

    id: str
    players: tuple[str, str]
    ids: tuple[str | None, ...]
    """Id of each player; None for a bot, a free seat, and if one user plays both sides."""
    score: tuple[int, int]
    target: int
    games: list[GameRow]
    verdict: str
    """Standing in one sentence."""
    score_here: tuple[int, int]
    """Score in the order of the sides at the displayed table."""
    number: int
    """Number of the displayed game, from 1."""
    goes_on: bool
    goes_to: GameRow | None
    """Game to go to from here: the one after the displayed game, or on the series page the running one."""
    next_from: str
    """The table from which the viewer may begin the next game, "" if they may not."""
    choices: list[SidesChoice]
    """Side assignments, if the players agree on the sides of the next game."""
    wanted_by: tuple[str, ...]
    """Players who have requested the next game while it waits for the other one."""


@router.get("/series/{series_id}")
async def show_series(request: Request, who: Person | None, series_id: str) -> Response:
    """Show the score, the games and the winner of a series."""
    history = await services_of(request).followups.series(series_id)
    language = language_of(request, who)
    mine = tuple(history.last.seat_of(who.id if who else None))
    return page(
        request,
        "formats/series.html",
        who,
        title=title_of(history.game, page_words(language)),
        series=_box(history, None, mine, language),
        linked=await services_of(request).profile_links.among(seat.person_id for seat in history.players),
    )


@router.post("/t/{table_id}/next")
async def next_game(
    request: Request,
    who: Person,
    table_id: str,
    swapped: bool | None = None,
    contributes: bool = False,
) -> Response:
    """Go to the next game and begin it if necessary, or record the user's choice of sides."""
    table = await services_of(request).followups.next_game(table_id, who.id, swapped, contributes)
    return RedirectResponse(f"/t/{table.id}", 303)


async def series_box(request: Request, table: LiveTable, mine: tuple[int, ...], language: str) -> SeriesBox | None:
    """Return the box of a table's series for the player of the sides `mine`, None if it belongs to no series."""
    if table.part is None:
        return None
    return _box(await services_of(request).followups.series(table.part.series), table, mine, language)


def _box(history: SeriesHistory, table: LiveTable | None, mine: tuple[int, ...], language: str) -> SeriesBox:
    """Return the box beside a table of the series, or (None) for the series page."""
    words, own = game_words(history.game, language), page_words(language)
    names = tuple(player_name(seat, own) for seat in history.players)
    ids = tuple(seat.person_id for seat in history.players)
    if ids[0] == ids[1]:
        ids = (None, None)
    if names[0] == names[1]:  # one user plays both sides
        names = tuple(own.text(Message("series.player", {"n": player + 1})) for player in PLAYERS)
    players = tuple(name or own.sentence(Message("table.free_seat")) for name in names)
    standing = history.series.standing
    may_begin = history.can_go_on and bool(mine)
    games = [_row(number, each, words, own) for number, each in enumerate(history.games, 1)]
    here = table.part.number if table and table.part else len(games) - 1
    after = here + 1 if table else here
    goes_to = games[after] if after < len(games) and history.games[after].table.status != FINISHED else None
    score = standing.score
    return SeriesBox(
        history.id,
        (players[0], players[1]),
        ids,
        score,
        standing.target,
        games,
        _verdict(history, players, own),
        score if history.games[here].sides == (0, 1) else (score[1], score[0]),
        here + 1,
        not standing.is_over,
        goes_to,
        history.last.id if may_begin else "",
        _choices(history, players, words, own) if may_begin and history.next_sides is None else [],
        tuple(
            players[player] for player in PLAYERS if history.side_at(history.last, player) in history.last.state.wishes
        )
        if may_begin
        else (),
    )


def _row(number: int, each: SeriesGame, words: Words, own: Words) -> GameRow:
    first, second = (words.name("side", each.table.game.sides[side]) for side in each.sides)
    return GameRow(each.table.id, number, (first, second), each.points, _state(each.table, words, own))


def _state(table: LiveTable, words: Words, own: Words) -> str:
    if table.status == FINISHED:
        return result_text(table.game, table.result, words, own)
    return own.sentence(Message(f"series.{table.status}"))


def _wishing(history: SeriesHistory, players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the players who wish for a next game."""
    wishes = history.last.state.wishes
    return tuple(players[player] for player in PLAYERS if history.side_at(history.last, player) in wishes)


def _verdict(history: SeriesHistory, players: tuple[str, ...], own: Words) -> str:
    standing = history.series.standing
    if not standing.is_over:
        return own.sentence(Message("series.target", {"n": standing.target}))
    loser = players[1 - standing.winners[0]] if standing.winners else ""
    reason = own.text(Message(f"series.reason.{standing.reason}", {"loser": loser}))
    if not standing.winners:
        return own.sentence(Message("series.nobody", {"reason": reason}))
    winners = tuple(players[player] for player in standing.winners)
    key = "series.won" if len(winners) == 1 else "series.shared"
    return own.sentence(Message(key, {"who": " · ".join(winners), "reason": reason}))


def _choices(history: SeriesHistory, players: tuple[str, ...], words: Words, own: Words) -> list[SidesChoice]:
    table = history.last
    found = []
    for swapped, sides in ((False, (0, 1)), (True, (1, 0))):
        parts = [f"{players[player]}: {words.name('side', history.game.sides[sides[player]])}" for player in PLAYERS]
        wishes = {player: table.state.wishes.get(history.side_at(table, player)) for player in PLAYERS}
        said = tuple(players[player] for player in PLAYERS if wishes[player] == swapped)
        found.append(SidesChoice(swapped, own.text(Message("series.sides", {"sides": ", ".join(parts)})), said))
    return found
