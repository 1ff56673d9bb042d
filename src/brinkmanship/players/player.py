"""What a computer player is: it is given the game as its side saw it, never the state, and returns an action with its
reasons."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from typing import ClassVar, NamedTuple, Self

from brinkmanship.engine.chance import Random, generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import Policy
from brinkmanship.players.budget import Budget


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
    reason: Message | None = None
    """Why, in a sentence of the catalogue ``players``; None where the player gives no reasons."""

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
        budget: what it may spend on a decision, for a player that has a `standard_budget`; None: that one.
    """

    name: ClassVar[str]
    standard_budget: ClassVar[Budget | None] = None
    """What it spends on a decision when nothing is said; None where it takes no budget."""

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        self.game = game
        self.budget = budget or self.standard_budget
        self.random: Random = generator(secrets.randbits(64) if seed is None else seed)
        self.policy: Policy | None = None
        """The same player compiled, for the loops of `engine.playout`; None where it `is_asked`, and where it plays
        uniformly at random."""

    @property
    def is_asked(self) -> bool:
        """Whether it decides by `choose` alone, from all that it has seen: every player does that has no `policy`.

        Only a player that takes every legal action as often as any other says False without one: loops can play it
        (`engine.playout`).
        """
        return self.policy is None

    @abstractmethod
    def choose(self, seen: Observation) -> Choice:
        """Choose for the side that is asked, from what it has seen of the game."""

    def fresh(self, seed: int) -> Self:
        """The same player with random numbers of its own, from a seed: as for one game of a match.

        One that `is_asked` may be asked in one thread while its likeness is asked in another.
        """
        likeness = copy(self)
        likeness.random = generator(seed)
        return likeness
