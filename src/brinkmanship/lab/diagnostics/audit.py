"""Whether a computer player is honest: what it chooses may not depend on what its side cannot know.

Positions are reached in games of quick players. In each, all that the side cannot tell apart is dealt anew some times
(`Game.redeal`), and the player is asked in each of these worlds with the same random numbers and a fixed number of
nodes: the action, the numbers of its candidates and its reason have to be the same to the last bit. Asked twice in the
real world it has to say the same twice. Then it is asked with its own budget, against the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation, ObservationRecorder
from brinkmanship.engine.record import State
from brinkmanship.players import Budget, Choice, Player
from brinkmanship.players.self_play import record

STEP = 5
"""Every so manyth question of a game is looked at: those in between are much like it."""
MAX_TIMED = 40
"""Positions in which a player with a budget is timed."""


class Place(NamedTuple):
    """Where a fault was found, to be found again."""

    fault: str
    """What differed: "action", "numbers" or "reason", in a redealt world; "twice" in the same."""
    number: int
    """Of the game, of the seed of the audit."""
    entries: int
    """How many actions had been taken."""
    side: int


class Question(NamedTuple):
    """A position reached, and what the side that is asked has seen."""

    number: int
    match: Match
    side: int
    seen: Observation


class Audit(NamedTuple):
    """What an audit found."""

    positions: int
    worlds: int
    """In each position."""
    faults: tuple[Place, ...]
    latencies: tuple[float, ...]
    """Seconds a decision took with the player's own budget."""

    @property
    def is_passed(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def latency(self, share: float) -> float:
        """Seconds within which this share of the decisions was taken."""
        return float(np.quantile(self.latencies, share)) if self.latencies else 0.0

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON data, times in milliseconds."""
        return {
            "positions": self.positions,
            "worlds": self.worlds,
            "passed": self.is_passed,
            "faults": [place._asdict() for place in self.faults],
            "latency_ms": {f"p{round(100 * share)}": 1000 * self.latency(share) for share in (0.5, 0.95, 1.0)},
        }


def questions(game: Game, reaching: tuple[Player, Player], seed: int) -> Iterator[Question]:
    """Positions with more than one legal action, from one game of these players after the other, without end."""
    for number in count():
        match, witnesses = Match(game), [ObservationRecorder(side) for side in range(len(game.sides))]
        asked = number % STEP
        players = reaching if number % 2 == 0 else (reaching[1], reaching[0])
        for actor, action in record(game, number, seed, players):
            if actor != CHANCE and len(game.legal_actions(match.state, actor)) > 1:
                asked += 1
                if asked % STEP == 0:
                    yield Question(number, match, actor, witnesses[actor].seen(match))
            match.push(action, side=actor if actor != CHANCE else None)


def examine(game: Game, player: Player, question: Question, worlds: int, nodes: int, seed: int) -> Iterator[Place]:
    """What is wrong with a player in a position: nothing, or the first fault of each kind."""
    if player.standard_budget is not None:
        player = player.fresh(seed)
        player.budget = Budget(nodes=nodes)

    def ask(world: State) -> Choice:
        view = game.view_of(world, question.side).tobytes()
        return player.fresh(seed).choose(replace(question.seen, views=(*question.seen.views[:-1], view)))

    real = ask(question.match.state)
    found = set() if ask(question.match.state) == real else {"twice"}
    dealt = game.new_states(1)[0]
    for number in range(worlds):
        game.redeal(game.rules, question.seen.view(), question.side, generator(seed, number), dealt)
        found |= _differences(real, ask(dealt))
    for fault in sorted(found):
        yield Place(fault, question.number, len(question.match.entries), question.side)


def time_of(player: Player, question: Question) -> float:
    """Seconds the player takes over a position."""
    started = perf_counter()
    player.choose(question.seen)
    return perf_counter() - started


def _differences(one: Choice, other: Choice) -> set[str]:
    pairs = {
        "action": (one.action, other.action),
        "numbers": (one.candidates, other.candidates),
        "reason": (one.reason, other.reason),
    }
    return {name for name, (first, second) in pairs.items() if first != second}
