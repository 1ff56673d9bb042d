"""Which games of a person's history are wanted: fields of an address, shared by the page and the API."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from brinkmanship.games.registry import game_class, kits
from brinkmanship.store.game_results import search_key
from brinkmanship.store.profiles import HistoryFilter
from brinkmanship.web.profiles.endings import EndingKind
from brinkmanship.web.support.display_names import NAME_LENGTH
from brinkmanship.web.support.errors import RequestError

Result = Literal["won", "drawn", "lost"]
RESULTS: tuple[Result, ...] = get_args(Result)
SCORES: dict[str, int] = {"won": 1, "drawn": 0, "lost": -1}
"""Stored score of each result; "drawn" is any game without a winner."""
OUTCOMES: dict[int, Result] = {1: "won", 0: "drawn", -1: "lost"}
"""Result of each stored score."""
Day = Annotated[str, Meta(max_length=10, description="A day (UTC), such as 2026-11-22.")]


class History(msgspec.Struct):
    """Selects the games of a person's history."""

    game: Annotated[str, Meta(max_length=40, description="Id of a game.")] = ""
    side: Annotated[str, Meta(max_length=12, description="Side that the person played.")] = ""
    result: Annotated[Literal["", Result], Meta(description="Result for the person.")] = ""
    against: Annotated[Literal["", "people", "computer"], Meta(description="Kind of opponent.")] = ""
    opponent: Annotated[str, Meta(max_length=NAME_LENGTH, description="Beginning of the opponent's name.")] = ""
    since: Annotated[Day, Meta(description="First day.")] = ""
    until: Annotated[Day, Meta(description="Last day.")] = ""
    rated: Annotated[Literal["", "yes", "no"], Meta(description="Rated games, or others.")] = ""
    ending: Annotated[Literal["", EndingKind], Meta(description="How the game ended.")] = ""
    after: Annotated[str, Meta(max_length=12, description="List games before the one at this table.")] = ""

    def filter(self) -> HistoryFilter:
        """Return the filter of the database.

        Raises:
            RequestError: A game, side or day does not exist; the message lists or shows what would be right.
        """
        until = _day("until", self.until)
        return HistoryFilter(
            self._game(),
            self._sides(),
            SCORES.get(self.result),
            {"people": True, "computer": False}.get(self.against),
            search_key(self.opponent.strip()),
            _start(_day("since", self.since)),
            None if until is None else _start(until + timedelta(days=1)),
            {"yes": True, "no": False}.get(self.rated),
            self.ending,
            self.after,
        )

    def _game(self) -> str:
        if self.game and self.game not in kits():
            raise RequestError(f"game: there is no game {self.game!r}; the games are {', '.join(kits())}")
        return self.game

    def _sides(self) -> tuple[tuple[str, int], ...]:
        """Return the wanted side as a number in each game that has it; empty for any side."""
        if not self.side:
            return ()
        sides = {game_id: game_class(game_id).sides for game_id in kits()}
        found = tuple((game_id, own.index(self.side)) for game_id, own in sides.items() if self.side in own)
        if not found:
            known = dict.fromkeys(side for own in sides.values() for side in own)
            raise RequestError(f"side: there is no side {self.side!r}; the sides are {', '.join(known)}")
        return found


def _day(name: str, text: str) -> date | None:
    if not text:
        return None
    try:
        found = date.fromisoformat(text)
    except ValueError as error:
        raise RequestError(f"{name}: {text!r} is not a day; write it as in 2026-11-22") from error
    if not date(1970, 1, 1) <= found <= date(9000, 1, 1):
        raise RequestError(f"{name}: choose a day after 1970")
    return found


def _start(day: date | None) -> float | None:
    return None if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
