"""Play on from any position of a finished game or an uploaded journal.

The user plays either side, against a computer player or a friend, with the same chance as that game or with new chance.
They know that game with all cards open, so the new game proves nothing, and it says so.
"""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.continuation import PlayOnError, given
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.perspective import Perspective
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.origins import Origin
from brinkmanship.web.tables.seating import Seating


class Source(NamedTuple):
    """A game to play on from; it is fully open to everyone who can see it."""

    game: Game
    seen: Perspective
    """The game with all cards open."""
    address: str
    """Path of the game: "/t/ID" or "/u/ID"."""
    key: bytes | None
    """Key of the game's chance; None if it is not known."""


class ContinuationSettings(NamedTuple):
    """A user's settings for playing on."""

    step: int
    """Number of entries before the position."""
    side: int
    against: str
    """Player of the other side, as in `TableSettings`: "computer:NAME", "friend", or "me"."""
    same_chance: bool


def of_table(table: LiveTable) -> Source:
    """Return the game at a table as a source.

    Raises:
        IllegalError: The game is not over.
    """
    if not table.is_revealed:
        raise IllegalError("only a finished game can be continued", key="play_on.refused.running")
    return Source(table.game, table.seen_by(FULL_INFORMATION), f"/t/{table.id}", table.state.chance_key)


async def play_on_against(
    seating: Seating, opened: Perspective, at: int, side: int, address: str, computer: str, who: Person
) -> LiveTable:
    """Create a table that continues from a position of a puzzle or a lesson, for the side to which it was shown.

    What is hidden from that side stays hidden, and chance is drawn again.

    Args:
        seating: Seating service.
        opened: Game with all cards open.
        at: Number of entries before the position.
        side: Side that the user plays.
        address: Path where the position was shown.
        computer: Computer player of the other side.
        who: User who plays on.

    Raises:
        IllegalError: The game is over at the position.
    """
    try:
        origin = Origin(address, False, given(opened, at))
    except PlayOnError as error:
        raise IllegalError(str(error), key="play_on.refused.over") from error
    game = opened.game
    kinds = ["me" if one == side else f"computer:{computer}" for one in range(len(game.sides))]
    table, _ = await seating.play_on(game, origin, None, kinds, who.id, who.name)
    return table


def key_in(record: journal.Journal, game: Game) -> bytes | None:
    """Return the chance key of a recorded game; None if its journal does not reveal it."""
    try:
        return commit_reveal.key_of(record, game)
    except commit_reveal.UnfairDealError:
        return None


async def play_on(
    seating: Seating, source: Source, wish: ContinuationSettings, who: Person
) -> tuple[LiveTable, dict[int, str]]:
    """Create the table; return it and the invitation tokens by side.

    Raises:
        IllegalError: The position or the settings do not allow it.
    """
    if wish.same_chance and source.key is None:
        raise IllegalError("the chance of that game is not known", key="play_on.refused.chance")
    try:
        taken = given(source.seen, wish.step)
    except PlayOnError as error:
        raise IllegalError(str(error), key="play_on.refused.over") from error
    origin = Origin(source.address, wish.same_chance, taken)
    kinds = ["me" if side == wish.side else wish.against for side in range(len(source.game.sides))]
    key = source.key if wish.same_chance else None
    return await seating.play_on(source.game, origin, key, kinds, who.id, who.name)
