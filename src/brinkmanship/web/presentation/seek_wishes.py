"""Wishes of a user in a seek, checked: games with sides, and clocks of one pace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from brinkmanship.games.registry import game_class, kits
from brinkmanship.store.seeks import DAYS, LIVE, Seek, Want
from brinkmanship.web.presentation.clock_forms import clock_choices
from brinkmanship.web.support.errors import IllegalError

PACE_OF_KIND = {"live": LIVE, "days": DAYS, "bank": DAYS}
"""Pace of each kind of clock."""


class SeekWish(NamedTuple):
    """Choices for a seek."""

    wants: tuple[Want, ...]
    clocks: tuple[str, ...]
    rated: bool = False

    @property
    def pace(self) -> str:
        """Pace of the clocks, which is the same for all."""
        return PACE_OF_KIND[self.clocks[0].split()[0]]


def all_wants(game_id: str) -> tuple[Want, ...]:
    """Return the wants of a user who plays any side of a game."""
    return tuple(Want(game_id, side) for side in range(len(game_class(game_id).sides)))


def offered_clocks() -> list[str]:
    """Return the names of the clocks that seeks can choose from."""
    return [name for choices in clock_choices().values() for name in choices]


def checked_wish(wants: Iterable[Want], clocks: Sequence[str], rated: bool) -> SeekWish:
    """Return the choices in a fixed order, without repetition.

    Raises:
        IllegalError: There is no such game, side or clock, nothing was chosen, or the clocks have different paces.
    """
    known = [want for game_id in kits() for want in all_wants(game_id)]
    chosen = set(wants)
    if not chosen or not chosen <= set(known):
        raise IllegalError("choose at least one game and side of this server", key="seeks.refused.games")
    offered = offered_clocks()
    if not clocks or not set(clocks) <= set(offered):
        raise IllegalError(f"choose at least one clock of: {', '.join(offered)}", key="seeks.refused.clocks")
    wish = SeekWish(tuple(want for want in known if want in chosen), tuple(c for c in offered if c in clocks), rated)
    if len({PACE_OF_KIND[clock.split()[0]] for clock in wish.clocks}) > 1:
        raise IllegalError("a seek is either for one sitting or by days", key="seeks.refused.paces")
    return wish


def like(seek: Seek) -> SeekWish:
    """Return the choices of a seek."""
    return SeekWish(seek.wants, seek.clocks, seek.rated)


def answer_to(seek: Seek) -> SeekWish:
    """Return the choices that fit those of another user's seek."""
    return SeekWish(tuple(Want(game, 1 - side) for game, side in seek.wants), seek.clocks, seek.rated)
