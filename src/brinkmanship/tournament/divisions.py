"""Divisions of a league: who plays in which, by the season before."""

from __future__ import annotations

from collections.abc import Sequence

MOVERS = 2
"""Players who go up, and who go down, between two divisions after a season."""


def drawn_up(people: Sequence[str], size: int, before: Sequence[Sequence[str]] = ()) -> list[list[str]]:
    """Return the players of each division, the highest first.

    The best two of a division change places with the last two of the division above. Those who do not enter again are
    left out, and newcomers begin below all others. Then the order is cut into divisions of equal size; of unequal ones
    the higher are larger.

    Args:
        people: Those who have entered for this season; newcomers are placed in this order.
        size: Intended number of players of a division.
        before: Final order of each division in the season before; empty for the first season.
    """
    known = [person for division in _moved(before) for person in division]
    entered, old = set(people), set(known)
    order = [person for person in known if person in entered] + [person for person in people if person not in old]
    number = max(1, round(len(order) / size))
    least, more = divmod(len(order), number)
    found, start = [], 0
    for division in range(number):
        end = start + least + (division < more)
        found.append(order[start:end])
        start = end
    return found


def _moved(before: Sequence[Sequence[str]]) -> list[list[str]]:
    divisions = [list(division) for division in before]
    moved = [list(division) for division in divisions]
    for upper in range(len(divisions) - 1):
        above, below = divisions[upper], divisions[upper + 1]
        movers = min(MOVERS, len(above) // 2, len(below) // 2)
        if not movers:
            continue
        down, up = above[-movers:], below[:movers]
        moved[upper] = [person for person in moved[upper] if person not in down] + up
        moved[upper + 1] = down + [person for person in moved[upper + 1] if person not in up]
    return moved
