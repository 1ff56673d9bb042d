"""Base class of computer players.

A player receives the game as its side saw it, never the full state, and returns an action with its reasons.
"""

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

AGAINST = "why.against"
"""Key of a fact that speaks against a choice, if nothing speaks for it; see `Player.why`."""


class Candidate(NamedTuple):
    """A legal action with a player's evaluation."""

    action: int
    value: float
    """The expected value on the player's own scale; more is better."""
    danger: int = 0
    """Closeness to an immediate total loss, on the player's own scale; 0: none. A lower danger takes precedence over
    value.
    """


class Choice(NamedTuple):
    """An action and its reason."""

    action: int
    candidates: tuple[Candidate, ...] = ()
    """All legal actions, best first; empty if the player does not evaluate them."""
    reason: Message | None = None
    """The reason, as a sentence of the catalogue ``players``; None if the player gives no reasons."""

    @classmethod
    def best(cls, candidates: Iterable[Candidate]) -> Choice:
        """Choose the candidate with the lowest danger, then the highest value, then the first."""
        judged = sorted(candidates, key=lambda candidate: (candidate.danger, -candidate.value))
        return cls(judged[0].action, tuple(judged))


def in_spite_of(fact: Message) -> Message:
    """Return the reason for a choice about which only a fact against it is known (`AGAINST`)."""
    return Message("why.level.against", {"fact": fact})


class Player(ABC):
    """A computer player of one ruleset.

    Args:
        game: the ruleset.
        seed: seed of the player's own random numbers; None takes one from the operating system.
        budget: the budget for a decision, for a player that has a `standard_budget`; None: that one.
    """

    name: ClassVar[str]
    standard_budget: ClassVar[Budget | None] = None
    """The default budget for a decision; None if the player takes no budget."""

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        self.game = game
        self.budget = budget or self.standard_budget
        self.random: Random = generator(secrets.randbits(64) if seed is None else seed)
        self.policy: Policy | None = None
        """The same player as a compiled policy for the loops of `engine.playout`; None if it `is_asked`, or plays
        uniformly at random.
        """

    @property
    def is_asked(self) -> bool:
        """True if the player decides only by `choose`, from its whole observation: all players without a `policy`.

        Only a uniformly random player returns False without a policy: loops can play it (`engine.playout`).
        """
        return self.policy is None

    def compiled_model(self) -> Policy | None:
        """Return the compiled policy that plays most like this player, to train against it; None: there is none.

        It is compiled when it is needed, and is weaker than the player if that checks its choices.
        """
        return self.policy

    @abstractmethod
    def choose(self, seen: Observation) -> Choice:
        """Choose an action for the side to act, from its observation of the game."""

    def why(self, seen: Observation, choice: Choice) -> Message | None:  # noqa: ARG002 - the shape of all players
        """Return a fact of the position about another player's choice; None if this player knows none.

        It is asked after its own `choose` for the same decision.
        """
        return None

    def fresh(self, seed: int) -> Self:
        """Return a copy of the player with its own random numbers from a seed, for example for one game of a match.

        A player that `is_asked` and its copy may be used in two threads at once.
        """
        likeness = copy(self)
        likeness.random = generator(seed)
        return likeness
