"""Playing on from a position of a game that is open to who does: what of that game is given to the new one.

The new game has the same entries up to there, then its own. Its journal says so: `journal.GIVEN_HEADER`.
"""

from __future__ import annotations

from brinkmanship.engine import journal
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import FULL_INFORMATION, OVER
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective

Prefix = tuple[tuple[int, int], ...]
"""Who took which action (`Entry.actor`, `Entry.action`), chance and the steps of the rules among them."""


class PlayOnError(LocalizedError):
    """A position from which nothing can be played on."""


def given(seen: Perspective, count: int) -> Prefix:
    """What leads to the position after so many entries, without half of an answer that both give in secret.

    Args:
        seen: the game with all cards open.
        count: entries before the position.

    Raises:
        PlayOnError: the game has no such position, or is over there.
        ValueError: something is hidden from the reader.
    """
    if seen.reader != FULL_INFORMATION:
        raise ValueError("a game is played on by those to whom all of it is open")
    entries = seen.entries
    if not 0 <= count <= len(entries):
        raise PlayOnError(Message("fault.play_on.no_step", {"at": str(count), "entries": str(len(entries))}))
    game = seen.game
    if count and entries[count - 1].together and len(game.asked(seen.view(count - 1))) > 1:
        count -= 1  # the other answer to a question put to both is missing
    if int(game.actor(game.rules, seen.view(count))) == OVER:
        raise PlayOnError(Message("fault.play_on.over", {"at": str(count)}))
    return tuple((entry.actor, entry.action) for entry in entries[:count])


def headers(given: Prefix, source: str) -> dict[str, str]:
    """What the header of a journal says of a game that was played on; `source`: where the other game is."""
    return {journal.GIVEN_HEADER: str(len(given)), journal.GIVEN_FROM_HEADER: source}
