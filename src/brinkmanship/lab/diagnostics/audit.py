"""Audit of a computer player: its choices must not depend on hidden information.

Games of fast players give histories, cut off where a side has to decide. For each, other histories are found that the
side cannot tell from it (`histories`). Each is played in a process of its own that has never held another: the player
sits there beside the match, as it does in a server, and is asked at every decision of its side. Action, evaluations of
the candidates and reason must be identical to the last bit. A player that looks for the match in memory finds other
hidden cards in each process. Two players with the same random numbers and the same history must agree as well.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from itertools import count, pairwise
from multiprocessing import get_context
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation, ObservationRecorder
from brinkmanship.lab.diagnostics.histories import Actions, actions_of, indistinguishable
from brinkmanship.players import Budget, Choice, Player
from brinkmanship.players.self_play import record

PlayerFactory = Callable[[Game, int], Player]
"""Makes a player of a game from the seed of its random numbers; it is sent to other processes."""


class FaultPlace(NamedTuple):
    """Position of a fault, sufficient to reproduce it."""

    fault: str
    """Kind of difference: "action", "numbers" or "reason", with other hidden cards; "twice" with the same."""
    number: int
    """Number of the game under the audit's seed."""
    entries: int
    """Number of actions taken before."""
    side: int


class Course(NamedTuple):
    """A game until a decision of one side, and others that the side cannot tell from it."""

    number: int
    """Number of the game under the audit's seed."""
    side: int
    histories: tuple[Actions, ...]
    """The game, then the others."""
    decisions: tuple[int, ...]
    """Decisions of the side between several actions, as the number of actions taken before; the last is the end."""
    hidden: int
    """Decisions at which the others differ from the game in what the side cannot know."""
    seen: Observation
    """The side's observation at the end."""


class Examination(NamedTuple):
    """Result of one course."""

    positions: int
    hidden: int
    """Positions in which the histories differ in what the side cannot know."""
    faults: tuple[FaultPlace, ...]
    latency: float
    """Duration of the last decision with the player's own budget (s)."""


class Audit(NamedTuple):
    """Result of an audit."""

    positions: int
    hidden: int
    """Positions in which the histories differ in what the side cannot know."""
    faults: tuple[FaultPlace, ...]
    latencies: tuple[float, ...]
    """Duration of one decision of each course with the player's own budget (s)."""

    @classmethod
    def of(cls, found: Sequence[Examination]) -> Audit:
        """Return the sum of some examinations."""
        return cls(
            sum(each.positions for each in found),
            sum(each.hidden for each in found),
            tuple(fault for each in found for fault in each.faults),
            tuple(each.latency for each in found),
        )

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
            "hidden": self.hidden,
            "passed": self.is_passed,
            "faults": [place._asdict() for place in self.faults],
            "latency_ms": {f"p{round(100 * share)}": 1000 * self.latency(share) for share in (0.5, 0.95, 1.0)},
        }


def courses(game: Game, reaching: tuple[Player, Player], seed: int, others: int) -> Iterator[Course]:
    """Yield courses from successive games of these players, without end.

    Args:
        game: the ruleset.
        reaching: the players of the games, who take turns at both sides.
        seed: seed of the games and of the other histories.
        others: maximum number of other histories.
    """
    for number in count():
        random, side = Random(f"{seed} {number}"), number % 2
        whole = Match(game)
        whole.take(record(game, number, seed, reaching if number // 2 % 2 == 0 else (reaching[1], reaching[0])))
        decisions = [
            at for at, entry in enumerate(whole.entries) if entry.actor == side and _is_choice(whole, at, side)
        ]
        if decisions:
            end = random.choice(decisions)
            match = whole.until(end)
            yield _course(number, side, match, [at for at in decisions if at <= end], random, others)


def examine(
    game: Game, factory: PlayerFactory, examined: Iterable[Course], others: int, nodes: int, seed: int
) -> Iterator[Examination]:
    """Ask a player at every decision of some courses; yield the result of each.

    Args:
        game: the ruleset.
        factory: makes the player.
        examined: the courses, each with at most `others` other histories.
        others: number of processes besides the first.
        nodes: budget for a decision of a player that takes budgets.
        seed: seed of the player in the first game; in each other one it is one more.
    """
    player = factory(game, seed)
    with ExitStack() as stack:
        processes = [stack.enter_context(_process()) for _ in range(1 + others)]
        for course in examined:
            tasks = [(processes[0], course.histories[0]), *zip(processes, course.histories, strict=False)]
            asked = [
                process.submit(
                    choices, game, factory, nodes, seed + course.number, course.side, actions, course.decisions
                )
                for process, actions in tasks
            ]
            answers = zip(*(each.result() for each in asked), strict=True)
            faults = [
                FaultPlace(fault, course.number, at, course.side)
                for at, (again, real, *changed) in zip(course.decisions, answers, strict=True)
                for fault in sorted(_faults(again, real, changed))
            ]
            yield Examination(len(course.decisions), course.hidden, tuple(faults), _time_of(player, course.seen))


def choices(
    game: Game, factory: PlayerFactory, nodes: int, seed: int, side: int, actions: Actions, decisions: Sequence[int]
) -> list[Choice]:
    """Play a game with a new player beside it, and return what it chooses at each decision of its side."""
    player = factory(game, seed)
    if player.standard_budget is not None:
        player.budget = Budget(nodes=nodes)
    match, recorder, chosen = Match(game), ObservationRecorder(side), []
    for first, last in pairwise((0, *decisions)):
        match.take(actions[first:last])
        chosen.append(player.choose(recorder.seen(match)))
    return chosen


def _course(number: int, side: int, match: Match, decisions: Sequence[int], random: Random, others: int) -> Course:
    matches = indistinguishable(match, side, random, others)
    hidden = sum(any(each.bytes_after(at) != match.bytes_after(at) for each in matches) for at in decisions)
    histories = tuple(actions_of(each) for each in (match, *matches))
    return Course(number, side, histories, tuple(decisions), hidden, Observation.of(match, side))


def _is_choice(match: Match, at: int, side: int) -> bool:
    return len(match.game.legal_actions(match.state_after(at), side)) > 1


def _time_of(player: Player, seen: Observation) -> float:
    started = perf_counter()
    player.choose(seen)
    return perf_counter() - started


def _process() -> ProcessPoolExecutor:
    # Spawn instead of fork: a forked process would hold the games of this one.
    return ProcessPoolExecutor(1, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))


def _faults(again: Choice, real: Choice, changed: Iterable[Choice]) -> set[str]:
    found = {"twice"} if again != real else set()
    return found.union(*(_differences(real, each) for each in changed))


def _differences(one: Choice, other: Choice) -> set[str]:
    pairs = {
        "action": (one.action, other.action),
        "numbers": (one.candidates, other.candidates),
        "reason": (one.reason, other.reason),
    }
    return {name for name, (first, second) in pairs.items() if first != second}
