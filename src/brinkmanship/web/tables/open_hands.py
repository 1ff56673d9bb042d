"""Open hands for spectators, with a delay: what the players have agreed on, and how much of the game it shows.

The delay is a number of entries of the game, computed here from the game alone or from the server's clock. Everything
that spectators are sent is made from a match cut off at that entry, so nothing newer can reach them.
"""

from __future__ import annotations

import hmac
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import LIVE

ROUND = 1
"""Delay: a full round or turn of the game has been played since."""
MINUTES = 2
"""Delay: `DELAY_SECONDS` have passed since."""
DELAY_SECONDS = 600.0

TOKEN_LENGTH = 32


class OpenView(NamedTuple):
    """The players' agreement on open hands for spectators."""

    delay: int | None = None
    """The delay both players have accepted; None if they have not, or have withdrawn."""
    asked: tuple[int, int] | None = None
    """Side that proposes it, and the delay."""
    frozen: int = 0
    """Without an agreement: number of entries that spectators had seen when it was withdrawn."""


class Commentary(NamedTuple):
    """The players' agreement on a commentator, who writes notes for spectators."""

    number: int | None = None
    """Number of the record that made the agreement; None if there is none."""
    asked: int | None = None
    """Side that proposes one."""


def commentator_token(secret: bytes, commentary: Commentary) -> str:
    """Return the token of the link that makes its first user the commentator; every agreement has its own.

    It follows from the table's secret as a pseudorandom number, and so tells nothing about it.
    """
    return hmac.digest(secret, f"commentator {commentary.number}".encode(), "sha256").hex()[:TOKEN_LENGTH]


def delays_of(game: Game, terms: Terms) -> tuple[int, ...]:
    """Return the delays the players of a game may agree on.

    Ten minutes are nothing where a move takes days, and a game without rounds would be over before one has passed.
    """
    is_quick = terms.clock is None or terms.clock.kind == LIVE
    return (*((ROUND,) if game.narrator.span else ()), *((MINUTES,) if is_quick else ()))


def shown(view: OpenView, match: Match, times: Sequence[float], now: float) -> int:
    """Return the number of entries that spectators may see with all hands open.

    Args:
        view: the agreement.
        match: the game.
        times: times at which the entries were made.
        now: the present time.
    """
    if view.delay is None:
        return min(view.frozen, len(match.entries))
    # A secret choice stays secret until the other side has chosen, however long that takes.
    known = len(match.entries) - (match.answered is not None)
    if view.delay == MINUTES:
        return min(known, next((n for n, at in enumerate(times) if at > now - DELAY_SECONDS), known))
    return min(known, _start_of_round(match, _round_of(match, len(match.entries)) - 1))


def _start_of_round(match: Match, number: int) -> int:
    """Return the number of entries before a round."""
    return bisect_left(range(len(match.entries)), number, key=lambda count: _round_of(match, count))


def _round_of(match: Match, count: int) -> int:
    """Return the number of the round after some entries."""
    return int(match.game.public_state(match.state_after(count)).get(match.game.narrator.span, 0))


def times_after(times: Sequence[float], length: int, at: float, *, completes: bool) -> list[float]:
    """Return the times of the entries after a record: new entries were made at its time.

    `completes` is true if it completes a simultaneous choice. Both choices count as made then: their order in the game
    does not say which came first.
    """
    kept = list(times[: len(times) - 1 if completes else length])
    return kept + [at] * (length - len(kept))
