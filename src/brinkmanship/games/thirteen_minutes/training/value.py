"""Fit the weights of 13 Minutes by self-play: ``python -m brinkmanship.games.thirteen_minutes.training.value``.

Each generation plays games of the fast policy against itself with the weights so far, and refits them by logistic
regression: the odds that the side that goes last wins, from the features of every position after a card. In every
other game some early choices are drawn at random, so that positions are seen that good play avoids; of such a game,
only the positions after the last random choice are used. The first generation starts from zero.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import below, generators
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.players import weights as there
from brinkmanship.games.thirteen_minutes.players.bids import ALL_WEIGHTS, MAX_BID
from brinkmanship.games.thirteen_minutes.players.fast import choose_quickly
from brinkmanship.games.thirteen_minutes.players.judgement import (
    MAX_AT_ONCE,
    N_FEATURES,
    N_TALLY,
    count_up,
    who_is_last,
    write_features,
)
from brinkmanship.games.thirteen_minutes.players.tenth_card import N_DEALS
from brinkmanship.games.thirteen_minutes.rules.action_numbers import MAX_LEGAL, Action, bid_action
from brinkmanship.games.thirteen_minutes.rules.flow import apply, legal, sample, start
from brinkmanship.games.thirteen_minutes.rules.knowledge import view
from brinkmanship.games.thirteen_minutes.rules.state import STATES, Node, new_states
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules
from brinkmanship.training.regression import calibration_error, log_loss

MOMENTS = 10
"""Number of moments: after 0 to 9 cards; then the game is over."""
STRAYS = 25
"""Percentage of choices drawn at random before the turn up to which a game strays."""
LAST_STRAY = 8


class Positions(NamedTuple):
    """Positions after a card, by game and number of cards played."""

    features: npt.NDArray[np.int16]
    """int16[games, MOMENTS, MAX_AT_ONCE]: the features of each position, padded with N_FEATURES."""
    is_kept: npt.NDArray[np.bool_]
    """bool[games, MOMENTS]"""
    won: npt.NDArray[np.float32]
    """For each game: 1 if the side that went last won, 1/2 if neither side did, else 0."""


def self_play(game: Game, weights: npt.NDArray[np.float32], first: int, count: int, seed: int) -> Positions:
    """Play games number `first` to `first + count - 1` of a seed."""
    found = Positions(
        np.full((count, MOMENTS, MAX_AT_ONCE), N_FEATURES, np.int16),
        np.zeros((count, MOMENTS), np.bool_),
        np.zeros(count, np.float32),
    )
    luck = generators(seed, 2 * first, 2 * count).reshape(count, 2, 4)
    _play_games(game.rules, weights, luck, *found, new_states(4))
    return found


def _play(rules: Rules, weights: Any, luck: Any, features: Any, is_kept: Any, won: Any, states: Any) -> None:
    tally = np.empty(N_TALLY, np.int64)
    deals = np.empty(N_DEALS, np.int64)
    room = np.empty(MAX_AT_ONCE, np.int16)
    actions = np.empty(MAX_LEGAL, np.int16)
    out = np.empty(MAX_LEGAL, np.int16)
    state = states[2]
    known = states[3]
    for number in range(luck.shape[0]):
        dice = luck[number, 0]
        policy_rng = luck[number, 1]
        start(rules, state)
        strays_to = below(policy_rng, LAST_STRAY + 1) if below(policy_rng, 2) else 0
        noted = -1
        while state.mover != OVER:
            if state.first != NOBODY and state.depth == 0 and state.turn > noted and state.turn < MOMENTS:
                noted = state.turn
                if noted >= strays_to:
                    last = who_is_last(state)
                    count_up(rules, state, last, tally)
                    write_features(state, last, tally, features[number, noted])
                    is_kept[number, noted] = True
            side = state.mover
            if side == CHANCE:
                action = sample(rules, state, dice)
            elif state.node == Node.BID:
                action = bid_action(side, below(policy_rng, MAX_BID + 1))
            elif state.node == Node.FIRST:
                action = Action.FIRST + below(policy_rng, 2)
            elif state.turn < strays_to and below(policy_rng, 100) < STRAYS:
                action = int(out[below(policy_rng, legal(rules, state, side, out))])
            else:
                view(rules, state, side, known)
                action = choose_quickly(rules, known, side, weights, tally, deals, room, actions, out, states)
            apply(rules, state, action)
        if state.winner == NOBODY:
            won[number] = 0.5
        else:
            won[number] = state.winner == who_is_last(state)


_play_games = compiled_loop(
    _play,
    types.void,
    RULES,
    ALL_WEIGHTS,
    types.Array(types.int64, 3, "C"),
    types.Array(types.int16, 3, "C"),
    types.Array(types.boolean, 2, "C"),
    types.Array(types.float32, 1, "C"),
    STATES,
)


def _descend(weights: Any, squares: Any, features: Any, won: Any, order: Any, rate: float, shrink: float) -> float:
    """Run one pass of AdaGrad over positions in this order; return their mean log-loss as they were met."""
    loss = 0.0
    for number in order:
        total = 0.0
        for feature in features[number]:
            total += weights[feature]
        chance = 1.0 / (1.0 + np.exp(-total))
        chance = min(max(chance, 1e-6), 1 - 1e-6)
        loss -= won[number] * np.log(chance) + (1 - won[number]) * np.log(1 - chance)
        error = chance - won[number]
        for feature in features[number]:
            slope = error + shrink * weights[feature]
            squares[feature] += slope * slope
            weights[feature] -= rate * slope / np.sqrt(squares[feature])
        weights[N_FEATURES] = 0.0
    return loss / len(order)


_pass = compiled_loop(
    _descend,
    types.float64,
    types.Array(types.float64, 1, "C"),
    types.Array(types.float64, 1, "C"),
    types.Array(types.int16, 2, "C"),
    types.Array(types.float32, 1, "C"),
    types.Array(types.int64, 1, "C"),
    types.float64,
    types.float64,
)


def fit(features: npt.NDArray[np.int16], won: npt.NDArray[np.float32], passes: int = 12, shrink: float = 1e-5) -> Any:
    """Return weights by logistic regression (stochastic descent, the mean of the later passes): float64[N_FEATURES]."""
    weights, squares = np.zeros(N_FEATURES + 1), np.full(N_FEATURES + 1, 1e-3)
    mean, counted = np.zeros(N_FEATURES), 0
    order = np.random.default_rng(1)
    for number in range(passes):
        _pass(weights, squares, features, won, order.permutation(len(won)), 0.1 / (1 + number / 3), shrink)
        if number >= passes // 2:
            mean += weights[:-1]
            counted += 1
    return mean / counted


def predicted(weights: npt.NDArray[np.float64], features: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """Return the probability that the side that goes last wins."""
    padded = np.append(weights, 0.0)
    chance: npt.NDArray[np.float64] = 1 / (1 + np.exp(-padded[features].sum(axis=1)))
    return chance.clip(1e-6, 1 - 1e-6)


def generation(
    game: Game, weights: npt.NDArray[np.float32], number: int, games: int, seed: int
) -> tuple[npt.NDArray[np.float32], list[float], list[float]]:
    """Play by these weights and fit new ones; also return log-loss and calibration on the last tenth of the games.

    The calibration is the root mean square, over tenths of the predictions, of predicted minus won, by moment.
    """
    found = self_play(game, weights, number * games, games, seed)
    fitted = np.zeros_like(weights)
    losses, errors = [], []
    for moment in range(MOMENTS):
        kept = found.is_kept[:, moment]
        features, won = np.ascontiguousarray(found.features[kept, moment]), found.won[kept]
        learned = 9 * len(won) // 10
        fitted[moment] = fit(features[:learned], won[:learned])
        held_out, really = features[learned:], won[learned:]
        tried = predicted(fitted[moment], held_out)
        losses.append(round(log_loss(tried, really), 4))
        errors.append(round(calibration_error(tried, really), 4))
    return fitted, losses, errors


def _literal(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def as_module(weights: npt.NDArray[np.float32], manifest: dict[str, Any]) -> str:
    """Return the source of `games.thirteen_minutes.players.weights`."""
    lines = [f"    {json.dumps(key)}: {_literal(value)}," for key, value in manifest.items()]
    text = ['"""' + _ABOUT + '"""', "", "from __future__ import annotations", "", "import numpy as np", ""]
    text += ["MANIFEST = {", *lines, "}", '"""Parameters and results of the training."""', "", '_THOUSANDTHS = """']
    for row in np.rint(1000 * weights).astype(int):
        text += [*textwrap.wrap(" ".join(map(str, row)), 118), ""]
    shape = f"({weights.shape[0]}, {weights.shape[1]})"
    text += ['"""', "", f"WEIGHTS = (np.array(_THOUSANDTHS.split(), np.float32) / 1000).reshape({shape})"]
    text += ['"""float32[cards played, features]: log-odds; see `judgement`."""', ""]
    return "\n".join(text)


_ABOUT = """Weights of 13 Minutes, in thousandths.

Written by `python -m brinkmanship.games.thirteen_minutes.training.value`.

They are a module, not a data file, because compiled code contains them as constants: the compilation cache tells
weights apart by this source.
"""


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="games in each generation (100000)")
    parser.add_argument("--generations", type=int, default=6, help="how many (6)")
    parser.add_argument("--seed", type=int, default=13, help="below 1000000000, the range for training (13)")
    parser.add_argument("--onward", action="store_true", help="start from the weights that are there")
    parser.add_argument("--output", type=Path, default=Path(there.__file__), help="the module to write")
    chosen = parser.parse_args()
    game = load_game("13-minutes")
    weights = np.zeros((MOMENTS, N_FEATURES), np.float32)
    if chosen.onward:
        weights[:] = there.WEIGHTS
    for number in range(chosen.generations):
        weights, losses, errors = generation(game, weights, number, chosen.games, chosen.seed)
        print(f"generation {number + 1}: log-loss by cards played {losses}, calibration {errors}", flush=True)
        manifest = {
            "games": chosen.games,
            "generations": number + 1,
            "seed": chosen.seed,
            "onward": chosen.onward,
            "data": game.data_sha256,
            "log_loss": losses,
            "calibration_error": errors,
        }
        chosen.output.write_text(as_module(weights, manifest), "utf-8")


if __name__ == "__main__":
    main()
