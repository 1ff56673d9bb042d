"""Rules for players who leave: what happens to their matches, and what a missed match costs.

Round robin: a player who leaves before half of their games are decided is struck, as if they had never played; later
all games left are forfeited. Elsewhere only the games of the current match are forfeited. The first match in which a
player does not show up costs that match only; with the second they are withdrawn.
"""

from __future__ import annotations

from brinkmanship.tournament.event import GAMES, ROUND_ROBINS, Event

EXCUSED = 1
"""Matches that a player may miss."""
MAX_AWAY_SECONDS = 14 * 24 * 3600.0
"""Maximum announced absence; a player has one in a tournament."""


def would_be_struck(event: Event, person: str) -> bool:
    """Return True if the matches of a player who withdraws now do not count."""
    entry = event.entry(person)
    if event.kind not in ROUND_ROBINS or entry is None or entry.seed is None:
        return False
    scheduled = GAMES * (len(event.roster(entry.division)) - 1)
    decided = sum(match.decided for match in event.matches if person in match.people and not match.is_struck)
    return 2 * decided < scheduled


def missed(event: Event, person: str) -> int:
    """Return the number of matches in which a player did not show up: no decision in any game, and one lost on time."""
    count = 0
    for match in event.matches:
        if match.second is None or person not in match.people:
            continue
        me = match.people.index(person)
        decided = [game for game in match.games if game.points is not None]
        count += bool(decided) and all(game.no_show == me for game in decided)
    return count


def must_leave(event: Event, person: str) -> bool:
    """Return True if a player has missed more matches than are excused."""
    return missed(event, person) > EXCUSED
