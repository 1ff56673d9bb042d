"""Playing on from any position of a game that is over, or of a journal that was uploaded: as either side, against a
computer player or a friend, with the chance of that game or with a new one.

Who plays on knows that game with all cards open. So such a game proves nothing, and tells so.
"""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine import fair, journal
from brinkmanship.engine.continuation import PlayOnError, given
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.perspective import Perspective
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.tables.live_table import FINISHED, LiveTable, Origin
from brinkmanship.web.tables.seating import Seating


class Source(NamedTuple):
    """A game that may be played on: all of it is open to everybody who can see it."""

    game: Game
    seen: Perspective
    """With all cards open."""
    address: str
    """Where it is: "/t/ID" or "/u/ID"."""
    key: bytes | None
    """From which its chance follows; None where that is not known."""


class Wish(NamedTuple):
    """How somebody wants to play on."""

    step: int
    """The position: after so many entries."""
    side: int
    against: str
    """For the other side as in a `Plan`: "computer:NAME", "friend", or "me"."""
    same_chance: bool


def of_table(table: LiveTable) -> Source:
    """The game at a table.

    Raises:
        IllegalError: it is not over.
    """
    if table.status != FINISHED:
        raise IllegalError("only a game that is over can be played on", said="play_on.refused.running")
    return Source(table.game, table.seen_by(FULL_INFORMATION), f"/t/{table.id}", table.chance_key)


async def play_on_against(
    seating: Seating, opened: Perspective, at: int, side: int, address: str, computer: str, who: Person
) -> LiveTable:
    """Set a table that goes on from a position of a puzzle or a lesson, as the side to which it was shown: what is
    hidden from that side stays so, and chance is drawn anew.

    Args:
        opened: the game with all cards open.
        at: entries before the position.
        address: where it was shown.
        computer: who plays the other side.

    Raises:
        IllegalError: the game is over there.
    """
    try:
        origin = Origin(address, False, given(opened, at))
    except PlayOnError as error:
        raise IllegalError(str(error), said="play_on.refused.over") from error
    game = opened.game
    kinds = ["me" if one == side else f"computer:{computer}" for one in range(len(game.sides))]
    table, _ = await seating.play_on(game, origin, None, kinds, who.id, who.name)
    return table


def key_in(record: journal.Journal, game: Game) -> bytes | None:
    """From which the chance of a recorded game follows, None where its journal does not tell."""
    try:
        return fair.key_of(record, game)
    except fair.UnfairDealError:
        return None


async def play_on(seating: Seating, source: Source, wish: Wish, who: Person) -> tuple[LiveTable, dict[int, str]]:
    """Set the table; returns it and the invitation's token by side.

    Raises:
        IllegalError: nothing can be played on from there, or not so.
    """
    if wish.same_chance and source.key is None:
        raise IllegalError("what decided chance in that game is not known", said="play_on.refused.chance")
    try:
        taken = given(source.seen, wish.step)
    except PlayOnError as error:
        raise IllegalError(str(error), said="play_on.refused.over") from error
    origin = Origin(source.address, wish.same_chance, taken)
    kinds = ["me" if side == wish.side else wish.against for side in range(len(source.game.sides))]
    key = source.key if wish.same_chance else None
    return await seating.play_on(source.game, origin, key, kinds, who.id, who.name)
