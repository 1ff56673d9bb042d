"""Games of compiled policies, as matches."""

from __future__ import annotations

from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.playout import Policy, record


def played(game: Game, number: int, policies: tuple[Policy | None, Policy | None], seed: int = 5) -> Match:
    """Game `number` of a seed by these policies (None: at random)."""
    match = Match(game)
    for actor, action in record(game, number, seed, policies):
        match.push(action, None if actor == CHANCE else actor)
    return match
