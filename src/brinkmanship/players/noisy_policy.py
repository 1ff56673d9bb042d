"""Noisy versions of a compiled player as compiled policies, so that a network can be trained against levels.

The policy plays the same mixture as `noisy_player.LevelPlayer`; it gives no reasons.
"""

from __future__ import annotations

from typing import Any, cast

import numba
import numpy as np

from brinkmanship.engine.chance import Random, below
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED, fused
from brinkmanship.engine.playout import Policy, nested_policy
from brinkmanship.engine.signatures import signature
from brinkmanship.players.levels import BOLD, Levels
from brinkmanship.players.policy_player import Evaluation


def noisy_policy(game: Game, evaluation: Evaluation, noise: float, levels: Levels, manner: str = "") -> Policy:
    """Compile a noisy version of a player: ``policy(rules, view, side, random) -> action``.

    Every process compiles it again, which takes seconds.

    Args:
        game: the ruleset.
        evaluation: the player's `PolicyPlayer.evaluation`.
        noise: largest difference of values that it ignores (`noisy_player`).
        levels: the levels of the game, with what is decided without noise and the measure of boldness.
        manner: one of `levels.MANNERS`, "" for none.
    """
    kind = type(game)
    evaluate: Any = evaluation if INTERPRETED else cast(Any, numba.njit)(evaluation)
    measure = levels.boldness or _no_boldness
    boldness = fused(measure, *signature(kind, "value"))
    has_manner, sign = manner != "", 1 if manner == BOLD else -1
    legal, apply, view_of, max_legal, dtype = game.legal, game.apply, game.view, game.max_legal, game.dtype

    def empty_states(count: int) -> Any:
        return np.empty(count, dtype)

    new_states: Any = game.new_states if INTERPRETED else cast(Any, numba.njit)(inline="always")(empty_states)
    without_noise = np.array([int(node) for node in levels.without_noise], np.int64)

    def policy(rules: Any, view: Any, side: int, random: Random) -> int:
        actions = np.empty(max_legal, np.int16)
        values = np.empty(max_legal, np.float64)
        dangers = np.empty(max_legal, np.int64)
        count = legal(rules, view, side, actions)
        if count == 1:
            return int(actions[0])
        chosen = evaluate(rules, view, side, random, actions, values, dangers)
        for node in without_noise:
            if view.node == node:
                return int(actions[chosen])
        danger, least = dangers[chosen], values[chosen] - noise
        alike = np.flatnonzero((dangers[:count] <= danger) & (values[:count] >= least))
        if has_manner and len(alike) > 1:
            suits = np.empty(len(alike), np.float64)
            after = new_states(1)
            for place, number in enumerate(alike):
                view_of(rules, view, side, after[0])
                apply(rules, after[0], int(actions[number]))
                suits[place] = sign * boldness(rules, after[0], side)
            alike = alike[suits >= np.sort(suits)[len(suits) // 2]]
        return int(actions[alike[below(random, len(alike))]])

    return nested_policy(kind, policy)


def _no_boldness(rules: Any, view: Any, side: int) -> float:  # noqa: ARG001 - the signature of `Levels.boldness`
    return 0.0
