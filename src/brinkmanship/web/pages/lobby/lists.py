"""Lists of tables: a user's games, open tables, finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from starlette.requests import Request

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.store import repository
from brinkmanship.store.repository import ListedTable
from brinkmanship.text import Words
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.presentation.clock_forms import clock_words
from brinkmanship.web.presentation.data_files import kind_of
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name, title_of
from brinkmanship.web.services import services_of
from brinkmanship.web.support.table_terms import FREE
from brinkmanship.web.tables.statuses import DEALING, FINISHED, WAITING

Button = Literal["continue", "open", "join", "summary", "answer", "wait"]
"""The button of a row."""
_ADDRESSES: Mapping[Button, str] = {
    "join": "/join/{id}",
    "summary": "/t/{id}/finished",
    "answer": "/seek/{id}",
    "wait": "/seek/{id}",
}
"""Addresses of buttons that do not lead to the table."""


class Other(NamedTuple):
    """Another player in a list; or, with an empty id, a computer player or a remark in their place."""

    name: str
    id: str = ""


class TableEntry(NamedTuple):
    """A table in a list."""

    id: str
    game_id: str
    title: str
    others: tuple[Other, ...]
    my_side: str
    state: str
    is_mine_to_move: bool
    at: float
    terms: list[str]
    """Terms of a waiting table: free side, clock, take-back, hints and options that differ from the default."""
    button: Button

    @property
    def opponents(self) -> str:
        """Names of the other players."""
        return ", ".join(other.name for other in self.others)

    @property
    def address(self) -> str:
        """Address that the row leads to."""
        return _ADDRESSES.get(self.button, "/t/{id}").format(id=self.id)


class OwnGames(NamedTuple):
    """The games of a user."""

    running: list[TableEntry]
    """Unfinished games, those where the user is to move first."""
    finished: list[TableEntry]


async def own_games(request: Request, who: Person | None, language: str) -> OwnGames:
    """Return the games of a user, with the rematches that wait for them; none for a stranger."""
    if who is None:
        return OwnGames([], [])
    engine, own = services_of(request).engine, page_words(language)
    waits_for = await asyncio.to_thread(repository.rematches_by, engine, who.id)
    rows: dict[bool, list[TableEntry]] = {True: [], False: []}
    for finished in (False, True):
        for table in await asyncio.to_thread(repository.tables_of, engine, who.id, finished):
            with repository.leaving_out(table.id):
                row, is_over = listed_row(request, table, who, language), finished
                if table.status == WAITING and (other := waits_for.get(table.id)):
                    row = row._replace(state=own.sentence(Message("rematch.waiting", {"who": other})))
                if table.series is not None:
                    row, is_over = await _series_row(request, row, table.series, language)
                rows[is_over].append(row)
    running = await _rematches(request, who, language) + rows[False]
    return OwnGames(sorted(running, key=lambda row: not row.is_mine_to_move), rows[True])


async def _rematches(request: Request, who: Person, language: str) -> list[TableEntry]:
    asked_for = await asyncio.to_thread(repository.rematches_for, services_of(request).engine, who.id)
    own = page_words(language)
    return [
        row._replace(state=own.sentence(Message("rematch.wanted", {"who": row.opponents})), button="open")
        for row in listed_rows(request, asked_for, who, language)
    ]


async def _series_row(request: Request, row: TableEntry, series_id: str, language: str) -> tuple[TableEntry, bool]:
    """Return a series as one list row, based on its latest game, and True if the series is over."""
    history = await services_of(request).followups.series(series_id)
    own = page_words(language)
    standing = history.series.standing
    title = own.sentence(
        Message("series.row", {"game": row.title, "first": standing.score[0], "second": standing.score[1]})
    )
    if not history.can_go_on:
        return row._replace(title=title), standing.is_over
    state = own.sentence(Message("series.can_go_on"))
    return row._replace(title=title, state=state, is_mine_to_move=True, button="continue"), False


def listed_rows(request: Request, listed: Iterable[ListedTable], who: Person | None, language: str) -> list[TableEntry]:
    """Return the list rows of tables; skip tables that cannot be read."""
    rows = []
    for table in listed:
        with repository.leaving_out(table.id):
            rows.append(listed_row(request, table, who, language))
    return rows


async def linked_in(request: Request, rows: Iterable[TableEntry]) -> set[str]:
    """Return the ids of the people named in list rows whose profile is public."""
    return await services_of(request).profile_links.among(other.id for row in rows for other in row.others if other.id)


def listed_row(request: Request, table: ListedTable, who: Person | None, language: str) -> TableEntry:
    """Return the list row of a table, with its state or result."""
    game = services_of(request).tables.rulesets.get(table.game, {})
    words, own = game_words(game, language), page_words(language)
    mine = [side for side, seat in enumerate(table.seats) if who is not None and seat.person_id == who.id]
    others = [
        Other(name, seat.person_id or "")
        for side, seat in enumerate(table.seats)
        if side not in mine and (name := player_name(seat, own))
    ]
    if not others and len(mine) > 1:
        others = [Other(own.sentence(Message("home.same_screen")))]
    state, is_mine_to_move = _state(game, table, mine, words, own)
    return TableEntry(
        table.id,
        game.id,
        _title(game, table, own),
        tuple(others),
        " · ".join(words.name("side", game.sides[side]) for side in mine),
        state,
        is_mine_to_move,
        table.finished_at or table.created_at,
        _terms(game, table, words, own) if table.status == WAITING else [],
        _button(table, bool(mine)),
    )


def _title(game: Game, table: ListedTable, own: Words) -> str:
    title = title_of(game, own)
    if table.is_played_on:
        return own.sentence(Message("play_on.row", {"game": title}))
    if table.match_game is not None and table.status != WAITING:
        return own.sentence(Message("match.row", {"game": title, "n": table.match_game + 1}))
    return title


def _state(game: Game, table: ListedTable, mine: list[int], words: Words, own: Words) -> tuple[str, bool]:
    """Return the state or result of a table, and True if it waits for the player of the sides `mine`."""
    if table.status == FINISHED:
        return result_text(game, table.result, words, own), False
    if table.status == WAITING:
        return own.sentence(Message("home.waits")), False
    if table.status == DEALING:
        is_awaited = any(table.seats[side].is_awaited for side in mine)
        return own.sentence(Message("home.your_bytes" if is_awaited else "home.their_bytes")), is_awaited
    is_to_move = any(game.sides[side] in table.asked for side in mine)
    return own.sentence(Message("home.your_turn" if is_to_move else "home.their_turn")), is_to_move


def _button(table: ListedTable, is_mine: bool) -> Button:
    if table.status == FINISHED:
        return "summary"
    if table.status == WAITING:
        return "open" if is_mine else "join"
    return "continue"


def _terms(game: Game, table: ListedTable, words: Words, own: Words) -> list[str]:
    """Return the terms of a waiting table, for users who may join."""
    free = [words.name("side", game.sides[side]) for side, seat in enumerate(table.seats) if seat.is_free]
    said = [own.sentence(Message("open.side", {"side": ", ".join(free)}))] if free else []
    if table.match_game is not None:
        said.append(own.sentence(Message("match.terms")))
    said += terms_said(table.clock, table.undo, table.hints, table.rated, own)
    if table.data_file:
        said.append(own.sentence(Message(f"data.{kind_of(game)}.listed", {"file": table.data_file})))
    return said + [words.sentence_if_any(Message(f"option.{name}")) or name for name in table.options]


def terms_said(clock: Mapping[str, Any] | None, undo: str, hints: bool | None, rated: bool, own: Words) -> list[str]:
    """Return the terms of a table in words: clock, and take-back, hints and rating where they differ from the default.

    Rated tables never have take-backs and hints, so these are not named.
    """
    said = []
    if clock:
        key, numbers = clock_words(clock)
        said.append(own.sentence(Message(key, numbers)))
    if rated:
        return [*said, own.sentence(Message("rated.terms"))]
    if undo != FREE:
        said.append(own.sentence(Message(f"undo.{undo}")))
    if hints is not None:
        said.append(own.sentence(Message("hints.allowed" if hints else "hints.forbidden")))
    return said
