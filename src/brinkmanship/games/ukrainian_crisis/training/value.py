"""Fit the learned value of Ukrainian Crisis to games of self-play, and write it into the package.

``python -m brinkmanship.games.ukrainian_crisis.training.value`` plays the fast policy, which is `rules`, against itself
in both scenarios of the package, sometimes with random cards (`wandering`), and fits the results to every position at
the end of a Turn: a network for each scenario, and for custom scenarios a logistic regression for each Turn, over the
features, of both scenarios together. It takes some ten minutes of a busy core, and writes
``games/ukrainian_crisis/players/learned.py``: the weights, and above them a manifest of the training. The same command
plays the same games.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path
from pprint import pformat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis import rules as game_package
from brinkmanship.games.ukrainian_crisis.players import learned
from brinkmanship.games.ukrainian_crisis.players.fast import policy
from brinkmanship.games.ukrainian_crisis.players.features import N_FEATURES, Feature
from brinkmanship.games.ukrainian_crisis.players.inputs import N_INPUTS, inputs_of
from brinkmanship.games.ukrainian_crisis.players.value import moment
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES, SCENARIOS
from brinkmanship.games.ukrainian_crisis.rules.flow import legal
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.training.fit import concatenated, rewritten_weights, split, stated
from brinkmanship.training.positions import play_positions
from brinkmanship.training.regression import Floats, calibration_error, fitted, log_loss, probability
from brinkmanship.training.value_network import Layers, fitted_network

AT_ONCE = 2000
"""Games per batch."""
PENALTY = 30.0
"""Penalty on the square of a weight (of a feature scaled to a spread of 1), in positions."""
NEWTON_STEPS = 8
NARROWEST = 0.15
"""Spread of a feature below which its weight is held back more: a Maximum left late in a game is rare."""
UNITS, EPOCHS = 32, 6
"""Units of a network, and how often it learns from each position."""
RAREST = 1000
"""Positions in which an input must be active to count: some zones hardly ever hold units."""
ANY_CARDS_ONE_IN = 4
"""Placements of Resource Cards of which one is drawn from all legal ones."""


def _wandering(rules: Rules, view: State, side: int, random: Random) -> int:
    if view.node == Node.PLACE and below(random, ANY_CARDS_ONE_IN) == 0:
        actions = np.empty(MAX_LEGAL, np.int16)
        return int(actions[below(random, legal(rules, view, side, actions))])
    return int(policy(rules, view, side, random))


wandering = compiled_loop(_wandering, types.int64, RULES, STATE, types.int64, RANDOM)
"""The fast policy with some random cards.

It plays its good cards in the same Turns of every game, so that its own games do not show the worth of having one left,
and a fit to them would be arbitrary.
"""


class Samples(NamedTuple):
    """Positions at the end of a Turn, one row each."""

    inputs: npt.NDArray[np.float32]
    """[n, N_INPUTS]; the features come first."""
    moments: npt.NDArray[np.int64]
    games: npt.NDArray[np.int64]
    share: Floats
    """Ukraine's share of the point: 1, 1/2, 0."""


class Quality(NamedTuple):
    """The quality of predictions of held-out games."""

    of_constant: float
    """The log-loss of predicting Ukraine's mean share of the points."""
    log_loss: float
    miscalibration: float
    """Root mean square of predicted minus won, over tenths of the predictions."""

    @classmethod
    def of(cls, found: Samples, logits: Floats, turns: int) -> list[Quality]:
        """Return the quality of the predicted logits of samples, for the end of every Turn but the last."""
        by_turn = []
        for turn in range(turns - 1):
            fitted_rows, held_out = split(found.moments == turn, found.games)
            share, tried = found.share[held_out], probability(logits[held_out])
            constant = np.full(len(share), found.share[fitted_rows].mean())
            by_turn.append(cls(log_loss(constant, share), log_loss(tried, share), calibration_error(tried, share)))
        return by_turn


def samples(game: Game, games: int, seed: int) -> Samples:
    """Return samples from games of the fast policy against itself, half of them with deviations."""
    turns = int(game.rules.turns)
    pieces = []
    for first in range(0, games, AT_ONCE):
        found = play_positions(game, moment, turns, first, min(AT_ONCE, games - first), seed, wandering)
        share = np.select([found.winners == UA, found.winners == RU], [1.0, 0.0], 0.5)
        inputs = inputs_of(game.rules, found.states).astype(np.float32)
        pieces.append(Samples(inputs, found.moments, found.games, share))
    return concatenated(pieces)


def fit_network(found: Samples, turns: int, seed: int) -> tuple[Layers, list[Quality]]:
    """Fit the network of a scenario, and test it on the games held out."""
    rows, _ = split(found.moments >= 0, found.games)
    layers = fitted_network(found.inputs[rows], found.share[rows], UNITS, EPOCHS, seed, RAREST)
    return layers, Quality.of(found, layers.logits(found.inputs), turns)


def fit_features(found: Samples, turns: int) -> tuple[Floats, list[Quality]]:
    """Fit the features at the end of every Turn but the last, and test the fits on the games held out."""
    weights = np.zeros((turns - 1, N_FEATURES))
    logits = np.zeros(len(found.moments))
    for turn in range(turns - 1):
        of_turn = found.moments == turn
        rows, _ = split(of_turn, found.games)
        features, share = found.inputs[rows, :N_FEATURES], found.share[rows]
        weights[turn] = fitted(features, share, PENALTY, NEWTON_STEPS, narrowest=NARROWEST)
        logits[of_turn] = found.inputs[of_turn, :N_FEATURES] @ weights[turn]
    return weights, Quality.of(found, logits, turns)


def sources_digest() -> str:
    """Return a digest of the sources of the rules, which identifies the version of the game the weights belong to."""
    digest = hashlib.sha256()
    for path in sorted(Path(next(iter(game_package.__path__))).glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, fit, and write `learned`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=160_000, help="in each scenario")
    parser.add_argument("--seed", type=int, default=12, help="of the first scenario's games, below 1,000,000,000")
    chosen = parser.parse_args(arguments)
    networks, qualities, points, data, everything = [], {}, [], [], []
    for number, scenario in enumerate(SCENARIOS):
        game = load_game("ukrainian-crisis", options={"scenario": scenario})
        turns = int(game.rules.turns)
        found = samples(game, chosen.games, chosen.seed + number)
        layers, qualities[scenario] = fit_network(found, turns, chosen.seed + number)
        networks.append(layers)
        points.append(game.rules.vp[:MAX_ZONES].tolist())
        data.append(game.data_sha256)
        everything.append(found._replace(inputs=found.inputs[:, :N_FEATURES]))
        print(scenario, *(round(of.log_loss, 3) for of in qualities[scenario]), flush=True)
    weights, qualities["other"] = fit_features(concatenated(everything), turns)
    manifest = {
        "made_by": f"python -m {__spec__.name} --games {chosen.games} --seed {chosen.seed}",
        "rules": game.version,
        "sources": sources_digest(),
        "data": data,
        "turns": turns,
        "features": [feature.name.lower() for feature in Feature],
        "inputs": N_INPUTS,
        "units": UNITS,
        "rarest": RAREST,
    }
    for key in Quality._fields:
        manifest[key] = {name: [round(getattr(each, key), 3) for each in of] for name, of in qualities.items()}
    zones = pformat(points, width=110, compact=True)
    text = f"{stated(manifest, sort=False)}\n\nZONE_POINTS = {zones}"
    parts = [np.stack(same) for same in zip(*networks, strict=True)]
    learned_weights = np.concatenate([part.ravel() for part in (*parts, weights)])
    Path(learned.__file__).write_text(rewritten_weights(learned, text, learned_weights), "utf-8")


if __name__ == "__main__":
    main()
