"""What a computer player is: it gets a side's view, never the state, and returns an action with its reasons."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from brinkmanship.engine.chance import Random, generator
from brinkmanship.engine.game import Game, State
from brinkmanship.engine.playout import Policy


class Candidate(NamedTuple):
    """A legal action as a player judged it."""

    action: int
    value: float
    """What the player expects of it, on a scale of its own; more is better."""
    danger: int = 0
    """How near it leads to losing everything at once, on a scale of its own; 0: not at all. Less goes before value."""


class Choice(NamedTuple):
    """An action, and why."""

    action: int
    candidates: tuple[Candidate, ...] = ()
    """All legal actions, best first; empty where the player does not judge them."""

    @classmethod
    def best(cls, candidates: Iterable[Candidate]) -> Choice:
        """The candidate with the least danger, of these that with the highest value, of these the first."""
        judged = sorted(candidates, key=lambda candidate: (candidate.danger, -candidate.value))
        return cls(judged[0].action, tuple(judged))


class Player(ABC):
    """A computer player of one ruleset.

    Args:
        game: the ruleset.
        seed: of the player's own random numbers; None takes one from the operating system.
    """

    name: ClassVar[str]

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.random: Random = generator(secrets.randbits(64) if seed is None else seed)
        self.policy: Policy | None = None
        """The same player compiled, for the loops of `engine.playout`; None where it plays uniformly at random."""

    @abstractmethod
    def choose(self, view: State, side: int) -> Choice:
        """Choose for a side that is asked, from what it knows (`Game.view`)."""
