"""Avoidable wars: could the side that began a nuclear war have avoided it?

A war is *avoidable* if among the last decisions of that side there was one at which another choice would have won at
least as often and led to its war much less often: screened over a few deals consistent with what the side knew there,
then confirmed over fresh ones. The game's fast policy simulates both sides. A war that can no longer be avoided at the
side's last few decisions counts as forced, even if its own much earlier actions forced it.
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
from brinkmanship.lab.balance.counterfactual import SALT, PlayedGame, Trial
from brinkmanship.players import load_player
from brinkmanship.players.search import Redeal, SearchConfig, SearchPlayer

LAST = 6
"""Number of a side's last decisions with a choice that are examined."""
MAX_ALTERNATIVES = 12
"""Maximum alternative choices tried per decision."""
SIFTED, CONFIRMED = 12, 48
"""Possible deals sampled for screening and for confirmation."""
VERIFIED = 400
"""Likely deals sampled to verify a way out: in `CONFIRMED` deals a choice may win as often only by chance."""
MUCH = 0.4
"""Share of the deals by which a choice must make the war rarer."""


class _Decision(NamedTuple):
    step: int
    view: bytes
    legal: list[int]
    action: int


class WayOut(NamedTuple):
    """A choice that would have avoided a war."""

    step: int
    """Actions of the game before the decision, including chance."""
    action: int
    """The action taken."""
    better: int
    """The action that would have led to the war less often."""


class War:
    """The last decisions of both sides of a game, to look for the cause of a war."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self._asked: tuple[int, bytes, list[int]] | None = None
        self.decisions: tuple[deque[_Decision], ...] = (deque(maxlen=LAST), deque(maxlen=LAST))

    def note(self, table: PlayedGame, side: int, step: int) -> None:
        """Record a side's decision before it is taken, after `step` actions."""
        if self.trial.profile.wars:
            legal = self.trial.game.legal_actions(table.state, side)
            self._asked = (step, table.view(side).tobytes(), legal) if len(legal) > 1 else None

    def took(self, side: int, action: int) -> None:
        """Record the action the side chose."""
        if self._asked is not None:
            self.decisions[side].append(_Decision(*self._asked, action))
            self._asked = None


def way_out(war: War, side: int, number: int) -> WayOut | None:
    """Return a choice with which a side could have avoided the war it began in a game, or None."""
    trial = war.trial
    for back, decision in enumerate(reversed(war.decisions[side])):
        seed = trial.seed + SALT + LAST * number + back
        lot = generator(seed)
        others = [action for action in decision.legal if action != decision.action]
        while len(others) > MAX_ALTERNATIVES:
            others.pop(below(lot, len(others)))
        view = trial.game.state_from_bytes(decision.view)
        wins, wars = _tried(trial, view, side, [decision.action, *others], seed, 0, SIFTED)
        better = np.flatnonzero(_are_ways_out(wins, wars))
        if len(better):
            best = others[int(better[np.argmin(wars[1:][better])])]
            if _are_ways_out(*_tried(trial, view, side, [decision.action, best], seed, SIFTED, CONFIRMED)).all():
                return WayOut(decision.step, decision.action, best)
    return None


def holds(trial: Trial, number: int, side: int, way: WayOut) -> bool:
    """Return True if a way out of a war also holds in more deals, with each policy of the game simulating both sides.

    The deals are weighted by what the other side's past actions tell, as players weigh them. The quick player's policy
    is stronger than the fast one and may find a response where that found none.
    """
    table = PlayedGame(trial, number)
    for _ in range(way.step):
        table.step()
    view, seed, redeal = table.view(side), trial.seed + SALT + number, _method(trial.game).redeal
    return all(
        _are_ways_out(*_tried(trial, view, side, [way.action, way.better], seed, 0, VERIFIED, policy, redeal)).all()
        for policy in (reference_policy(trial.game), _quick_policy(trial.game))
    )


def _are_ways_out(wins: np.ndarray, wars: np.ndarray) -> np.ndarray:
    """Return which actions but the first win at least as often and begin a war much less often: bool[n - 1]."""
    ways: np.ndarray = (wins[1:] >= wins[0]) & (wars[1:] <= wars[0] - MUCH)
    return ways


def _tried(
    trial: Trial,
    view: State,
    side: int,
    actions: list[int],
    seed: int,
    first: int,
    worlds: int,
    policy: Policy | None = None,
    redeal: Redeal | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return how often a side wins and begins a war after each action, over the same possible deals.

    Args:
        trial: the trial of the game.
        view: the side's view at the decision.
        side: the side.
        actions: the actions to compare.
        seed: of the deals.
        first: number of the first deal.
        worlds: number of deals.
        policy: simulates both sides; None: the fast policy.
        redeal: samples the deals; None: evenly, all that are consistent with the view.
    """
    game = trial.game
    chance, deal = luck(seed, first, worlds), redeal or game.redeal
    states = game.new_states(worlds * len(actions))
    for world in range(worlds):
        drawn = game.new_states(1)[0]
        deal(game.rules, view, side, chance[world, 1], drawn)
        for row, action in enumerate(actions):
            state = game.copy(drawn)
            game.apply(game.rules, state, action)
            states[world * len(actions) + row] = state
    policy = policy or reference_policy(game)
    batch = play_on(game, states, np.repeat(chance, len(actions), axis=0), (policy, policy))
    reasons = [index for index, name in enumerate(game.reasons) if name in trial.profile.wars]
    wins = np.where(batch.winners == NOBODY, 0.5, batch.winners == side)
    # In a war that both sides began, each has begun its own.
    wars = np.isin(batch.reasons, reasons) & (batch.winners != side)
    return wins.reshape(worlds, -1).mean(axis=0), wars.reshape(worlds, -1).mean(axis=0)


def reference_policy(game: Game) -> Policy:
    """Return the fast policy that plays the playouts of a game."""
    return _method(game).policy


@cache
def _quick_policy(game: Game) -> Policy | None:
    return _method(game).prior(game, 1).policy


@cache
def _method(game: Game) -> SearchConfig:
    player = load_player("search", game, 1)
    assert isinstance(player, SearchPlayer)
    return player.method
