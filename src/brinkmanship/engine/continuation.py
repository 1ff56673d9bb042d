"""Continue a game from one of its positions: the entries of the old game that the new one starts with.

The new game has the same entries up to that position, then its own. Its journal records this: `journal.GIVEN_HEADER`.
"""

from __future__ import annotations

from brinkmanship.engine import journal
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import FULL_INFORMATION, OVER
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective

Prefix = tuple[tuple[int, int], ...]
"""Pairs of `Entry.actor` and `Entry.action`, including chance and the steps of the rules."""


class PlayOnError(LocalizedError):
    """A position from which the game cannot be continued."""


def given(seen: Perspective, count: int) -> Prefix:
    """Return the actions up to a position, without an incomplete simultaneous choice.

    Args:
        seen: the game with all cards open.
        count: entries before the position.

    Raises:
        PlayOnError: the game has no such position, or is over there.
        ValueError: the viewer does not see all cards.
    """
    if seen.viewer != FULL_INFORMATION:
        raise ValueError("continuing a game needs a perspective with full information")
    entries = seen.entries
    if not 0 <= count <= len(entries):
        raise PlayOnError(Message("fault.play_on.no_step", {"at": str(count), "entries": str(len(entries))}))
    game = seen.game
    if count and entries[count - 1].together and len(game.to_move(seen.view(count - 1))) > 1:
        count -= 1  # the other half of the simultaneous choice is missing
    if int(game.actor(game.rules, seen.view(count))) == OVER:
        raise PlayOnError(Message("fault.play_on.over", {"at": str(count)}))
    return tuple((entry.actor, entry.action) for entry in entries[:count])


def headers(given: Prefix, source: str) -> dict[str, str]:
    """Return the journal headers of a continued game; `source` names the original game."""
    return {journal.GIVEN_HEADER: str(len(given)), journal.GIVEN_FROM_HEADER: source}
