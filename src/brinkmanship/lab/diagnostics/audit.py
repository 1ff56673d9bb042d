"""Audit of a computer player: its choices must not depend on hidden information.

Games of fast players lead to positions. In each, everything the side cannot distinguish is redealt several times
(`Game.redeal`), and the player chooses in each of these possible deals with the same random numbers and a fixed number
of nodes: the action, the evaluations of its candidates and its reason must be identical to the last bit. Choosing twice
in the real deal must give the same result. Then the player is timed with its own budget.
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
"""Only every n-th decision of a game is examined: those in between are similar."""
MAX_TIMED = 40
"""Maximum positions in which a player with a budget is timed."""


class FaultPlace(NamedTuple):
    """Position of a fault, sufficient to reproduce it."""

    fault: str
    """Kind of difference: "action", "numbers" or "reason", in a redealt position; "twice" in the same one."""
    number: int
    """Number of the game under the audit's seed."""
    entries: int
    """Number of actions taken before."""
    side: int


class AuditPosition(NamedTuple):
    """A position, and the observations of the side to act."""

    number: int
    match: Match
    side: int
    seen: Observation


class Audit(NamedTuple):
    """Result of an audit."""

    positions: int
    worlds: int
    """Possible deals per position."""
    faults: tuple[FaultPlace, ...]
    latencies: tuple[float, ...]
    """Duration of each decision with the player's own budget (s)."""

    @property
    def is_passed(self) -> bool:
        """Return True if no fault was found."""
        return not self.faults

    def latency(self, share: float) -> float:
        """Return the time in seconds within which this share of the decisions was made."""
        return float(np.quantile(self.latencies, share)) if self.latencies else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return all fields as plain JSON data, times in milliseconds."""
        return {
            "positions": self.positions,
            "worlds": self.worlds,
            "passed": self.is_passed,
            "faults": [place._asdict() for place in self.faults],
            "latency_ms": {f"p{round(100 * share)}": 1000 * self.latency(share) for share in (0.5, 0.95, 1.0)},
        }


def questions(game: Game, reaching: tuple[Player, Player], seed: int) -> Iterator[AuditPosition]:
    """Yield positions with more than one legal action from successive games of these players, without end."""
    for number in count():
        match, witnesses = Match(game), [ObservationRecorder(side) for side in range(len(game.sides))]
        asked = number % STEP
        players = reaching if number % 2 == 0 else (reaching[1], reaching[0])
        for actor, action in record(game, number, seed, players):
            if actor != CHANCE and len(game.legal_actions(match.state, actor)) > 1:
                asked += 1
                if asked % STEP == 0:
                    yield AuditPosition(number, match, actor, witnesses[actor].seen(match))
            match.push(action, side=actor if actor != CHANCE else None)


def examine(
    game: Game, player: Player, question: AuditPosition, worlds: int, nodes: int, seed: int
) -> Iterator[FaultPlace]:
    """Yield the first fault of each kind that a player shows in a position."""
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
        yield FaultPlace(fault, question.number, len(question.match.entries), question.side)


def time_of(player: Player, question: AuditPosition) -> float:
    """Return the seconds the player takes to choose in a position."""
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
