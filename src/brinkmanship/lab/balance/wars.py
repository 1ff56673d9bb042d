"""Whether a nuclear war could have been avoided by the side that began it.

A war is *avoidable* when among the last decisions of that side there was one at which another choice would have won at
least as often and led to its war much less often: sifted over a few worlds drawn from what the side knew there, then
confirmed over fresh ones. Both sides are played on by the fast policy of the game. What can no longer be avoided when
its side is asked for the last few times counts as forced; what was forced on it by its own doings long before, too.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import NamedTuple

import numpy as np

from brinkmanship.engine.chance import below, generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.playout import NOBODY, Policy, luck, play_on
from brinkmanship.engine.record import State
from brinkmanship.lab.balance.counterfactual import SALT, Table, Trial
from brinkmanship.players import load_player
from brinkmanship.players.search import SearchConfig, SearchPlayer

LAST = 6
"""Decisions of a side, with a choice, that are looked at."""
MOST = 12
"""Other choices of a decision that are tried."""
SIFTED, CONFIRMED = 12, 48
"""Worlds."""
MUCH = 0.4
"""The share of the worlds by which a war has to become rarer."""


class _Decision(NamedTuple):
    step: int
    view: bytes
    legal: list[int]
    action: int


class WayOut(NamedTuple):
    """How a war could have been avoided."""

    step: int
    """Actions of the game before the decision, those of chance too."""
    action: int
    """What was done."""
    better: int
    """What would have led to the war less often."""


class War:
    """The last decisions of both sides of a game, from which a war may have come."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self._asked: tuple[int, bytes, list[int]] | None = None
        self.decisions: tuple[deque[_Decision], ...] = (deque(maxlen=LAST), deque(maxlen=LAST))

    def note(self, table: Table, side: int, step: int) -> None:
        """A side is asked, after so many actions."""
        if self.trial.profile.wars:
            legal = self.trial.game.legal_actions(table.state, side)
            self._asked = (step, table.view(side).tobytes(), legal) if len(legal) > 1 else None

    def took(self, side: int, action: int) -> None:
        """What it did."""
        if self._asked is not None:
            self.decisions[side].append(_Decision(*self._asked, action))
            self._asked = None


def way_out(war: War, side: int, number: int) -> WayOut | None:
    """How a side could have avoided the war that it began in a game; None: it could not."""
    trial = war.trial
    for back, decision in enumerate(reversed(war.decisions[side])):
        seed = trial.seed + SALT + LAST * number + back
        lot = generator(seed)
        others = [action for action in decision.legal if action != decision.action]
        while len(others) > MOST:
            others.pop(below(lot, len(others)))
        view = trial.game.state_from_bytes(decision.view)
        wins, wars = _tried(trial, view, side, [decision.action, *others], seed, 0, SIFTED)
        better = np.flatnonzero((wins[1:] >= wins[0]) & (wars[1:] <= wars[0] - MUCH))
        if len(better):
            best = others[int(better[np.argmin(wars[1:][better])])]
            wins, wars = _tried(trial, view, side, [decision.action, best], seed, SIFTED, CONFIRMED)
            if wins[1] >= wins[0] and wars[1] <= wars[0] - MUCH:
                return WayOut(decision.step, decision.action, best)
    return None


def holds(trial: Trial, number: int, side: int, way: WayOut) -> bool:
    """Whether a way out of a war is one, too, where both sides play on as the quick player of the game does: it is
    stronger than the fast policy, and may find an answer where that one found none."""
    table = Table(trial, number)
    for _ in range(way.step):
        table.step()
    seed, policy = trial.seed + SALT + number, _quick_policy(trial.game)
    wins, wars = _tried(trial, table.view(side), side, [way.action, way.better], seed, 0, CONFIRMED, policy)
    return bool(wins[1] >= wins[0] and wars[1] <= wars[0] - MUCH)


def _tried(
    trial: Trial,
    view: State,
    side: int,
    actions: list[int],
    seed: int,
    first: int,
    worlds: int,
    policy: Policy | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """How often a side wins and begins a war after each action, over the same worlds.

    Args:
        policy: plays on for both sides; None: the fast one.
    """
    game = trial.game
    chance = luck(seed, first, worlds)
    states = game.new_states(worlds * len(actions))
    for world in range(worlds):
        drawn = game.new_states(1)[0]
        game.redeal(game.rules, view, side, chance[world, 1], drawn)
        for row, action in enumerate(actions):
            state = game.copy(drawn)
            game.apply(game.rules, state, action)
            states[world * len(actions) + row] = state
    policy = policy or reference_policy(game)
    batch = play_on(game, states, np.repeat(chance, len(actions), axis=0), (policy, policy))
    reasons = [index for index, name in enumerate(game.reasons) if name in trial.profile.wars]
    wins = np.where(batch.winners == NOBODY, 0.5, batch.winners == side)
    # Of a war that both began each has begun its own.
    wars = np.isin(batch.reasons, reasons) & (batch.winners != side)
    return wins.reshape(worlds, -1).mean(axis=0), wars.reshape(worlds, -1).mean(axis=0)


def reference_policy(game: Game) -> Policy:
    """The fast policy by which playouts of a game are made."""
    return _method(game).policy


@cache
def _quick_policy(game: Game) -> Policy | None:
    return _method(game).prior(game, 1).policy


@cache
def _method(game: Game) -> SearchConfig:
    player = load_player("search", game, 1)
    assert isinstance(player, SearchPlayer)
    return player.method
