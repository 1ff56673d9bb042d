"""A person's profile: who may see it, and the results in each game by side, opponent and first agenda."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Engine

from brinkmanship.store import profiles
from brinkmanship.store.profiles import GameCount, ShownPerson
from brinkmanship.web.support.errors import NotFoundError


class Tally(NamedTuple):
    """Number of games by result."""

    games: int = 0
    won: int = 0
    no_winner: int = 0
    lost: int = 0

    @property
    def share(self) -> float:
        """Share of the points, a game without a winner counting half; 0 without games."""
        return (self.won + self.no_winner / 2) / self.games if self.games else 0.0


class GameRecord(NamedTuple):
    """Results of a person in one game; each part lists only what was played."""

    game: str
    total: Tally
    sides: dict[int, Tally]
    people: Tally
    """Results against people."""
    computers: dict[str, Tally]
    """Results by computer player."""
    agendas: dict[str, Tally]
    """Results by the agenda kept first, the most frequent one first."""


def shown_person(engine: Engine, person_id: str, viewer_id: str | None) -> ShownPerson:
    """Return a person whose profile the viewer may see; blocking.

    Raises:
        NotFoundError: There is no such person, or their profile is private: the answer does not tell which.
    """
    shown = profiles.shown_person(engine, person_id, viewer_id)
    if shown is None:
        raise NotFoundError("there is no public profile at this address")
    return shown


def records_of(counts: Sequence[GameCount]) -> list[GameRecord]:
    """Return the results by game, the most played game first."""
    by_game: dict[str, list[GameCount]] = defaultdict(list)
    for count in counts:
        by_game[count.game].append(count)
    found = [_record(game_id, own) for game_id, own in by_game.items()]
    return sorted(found, key=lambda record: (-record.total.games, record.game))


def _record(game_id: str, counts: Sequence[GameCount]) -> GameRecord:
    sides: dict[int, list[GameCount]] = defaultdict(list)
    computers: dict[str, list[GameCount]] = defaultdict(list)
    agendas: dict[str, list[GameCount]] = defaultdict(list)
    people: list[GameCount] = []
    for count in counts:
        sides[count.side].append(count)
        (people if count.computer is None else computers[count.computer]).append(count)
        if count.agenda is not None:
            agendas[count.agenda].append(count)
    by_agenda = {agenda: _tally(own) for agenda, own in agendas.items()}
    return GameRecord(
        game_id,
        _tally(counts),
        {side: _tally(own) for side, own in sorted(sides.items())},
        _tally(people),
        {player: _tally(own) for player, own in sorted(computers.items())},
        dict(sorted(by_agenda.items(), key=lambda each: (-each[1].games, each[0]))),
    )


def _tally(counts: Iterable[GameCount]) -> Tally:
    of_score = {1: 0, 0: 0, -1: 0}
    for count in counts:
        of_score[count.score] += count.games
    return Tally(sum(of_score.values()), of_score[1], of_score[0], of_score[-1])
