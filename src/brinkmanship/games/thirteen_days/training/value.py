"""Fit the learned value of 13 Days to games of self-play, and write it into the package.

``python -m brinkmanship.games.thirteen_days.training.value`` takes some five minutes of one core and 3 GB of memory,
and writes ``games/thirteen_days/players/learned.py``: the weights, and a manifest of their inputs.
The same command plays the same games.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.engine.playout import NOBODY, Policy
from brinkmanship.games.cuban.frame import US
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import learned
from brinkmanship.games.thirteen_days.players.features import FEATURES, N_FEATURES, write_features
from brinkmanship.games.thirteen_days.players.value import MOMENTS_OF_ROUND, N_MOMENTS, moment
from brinkmanship.games.thirteen_days.rules.state import STATES
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules
from brinkmanship.training.fit import compiled_policy_of, concatenated, rewritten_weights, split, stated
from brinkmanship.training.positions import play_positions
from brinkmanship.training.regression import Floats, fitted, log_loss, probability

AT_ONCE = 2000
"""Games played in one job."""
PENALTIES = (300.0, 150.0, 60.0)
"""Penalty on the square of a weight (of a feature scaled to a spread of 1) by round, in positions."""
ANCHORS = (28, 19, 9)
"""Moments whose fitted value is the target of the moments before them: after the last card, and after each round."""
LATER_SHARE = 0.7
"""Weight of that value in the target; the rest is the winner."""
NEWTON_STEPS = 5


class Samples(NamedTuple):
    """Positions in the form for the fit, one row each."""

    features: npt.NDArray[np.float32]
    """[n, N_FEATURES]"""
    moments: npt.NDArray[np.int64]
    games: npt.NDArray[np.int64]
    won: npt.NDArray[np.bool_]
    """True if the US won."""


class Fit(NamedTuple):
    """The weights of one moment, and their quality on held-out games."""

    weights: Floats
    log_loss: float
    of_constant: float
    """Log-loss of a constant: the share of games the US won."""


def _write_all(rules: Rules, states: Any, out: Any) -> None:
    for number in range(states.shape[0]):
        write_features(rules, states[number], out[number])


write_all = compiled_loop(_write_all, types.void, RULES, STATES, types.Array(types.float64, 2, "C"))


def samples(game: Game, policy: Policy, games: int, seed: int) -> Samples:
    """Play games and return the positions of all that had a winner."""
    pieces = []
    for first in range(0, games, AT_ONCE):
        found = play_positions(game, moment, N_MOMENTS, first, min(AT_ONCE, games - first), seed, policy)
        rows = np.empty((len(found.moments), N_FEATURES))
        write_all(game.rules, found.states, rows)
        decided = found.winners != NOBODY
        pieces.append(
            Samples(
                rows[decided].astype(np.float32),
                found.moments[decided],
                found.games[decided],
                found.winners[decided] == US,
            )
        )
    return concatenated(pieces)


def fit(found: Samples) -> list[Fit]:
    """Fit every moment, the last ones first, and test each on held-out games.

    The target of a moment before an anchor is mostly the value fitted at the anchor, in the same game: the winner
    depends on much that came later.
    """
    fits: list[Fit] = []
    target = found.won.astype(np.float64)
    for number in reversed(range(N_MOMENTS)):
        of_moment = found.moments == number
        kept, held_out = split(of_moment, found.games)
        penalty = PENALTIES[number // MOMENTS_OF_ROUND]
        weights = fitted(found.features[kept], target[kept], penalty, NEWTON_STEPS, np.float32)
        tried = probability(found.features[held_out] @ weights)
        constant = np.full(int(held_out.sum()), found.won[kept].mean())
        fits.append(Fit(weights, log_loss(tried, found.won[held_out]), log_loss(constant, found.won[held_out])))
        if number in ANCHORS:
            at_anchor = dict(zip(found.games[of_moment], probability(found.features[of_moment] @ weights), strict=True))
            earlier = np.flatnonzero(found.moments < number)
            later = np.array([at_anchor.get(each, -1.0) for each in found.games[earlier]])
            reached = later >= 0.0
            rows = earlier[reached]
            target[rows] = LATER_SHARE * later[reached] + (1.0 - LATER_SHARE) * found.won[rows]
    return fits[::-1]


def names_digest() -> str:
    """Return a digest of the names of the features: weights belong to one list of them."""
    return hashlib.sha256("\n".join(FEATURES).encode()).hexdigest()[:16]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, fit, and write `learned`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", action="append", help="plays against itself; again for games of another one")
    parser.add_argument("--games", type=int, default=40_000, help="of each of the players")
    parser.add_argument("--seed", type=int, default=1, help="of the first player's games, below 1,000,000,000")
    chosen = parser.parse_args(arguments)
    game = load_game("13-days")
    players = chosen.player or ["greedy"]
    pieces = []
    for number, name in enumerate(players):
        pieces.append(samples(game, compiled_policy_of(name, game), chosen.games, chosen.seed + number))
    found = concatenated(pieces)
    fits = fit(found)
    manifest = {
        "game": game.id,
        "rules": game.version,
        "data": game.data_sha256,
        "features": names_digest(),
        "players": players,
        "games": chosen.games,
        "seed": chosen.seed,
        "positions": len(found.moments),
        "log_loss": [round(each.log_loss, 3) for each in fits],
        "log_loss_of_constant": [round(each.of_constant, 3) for each in fits],
    }
    weights = np.stack([each.weights for each in fits])
    Path(learned.__file__).write_text(rewritten_weights(learned, stated(manifest), weights), "utf-8")
    for number, each in enumerate(fits):
        print(f"{number:3} {each.of_constant:.3f} {each.log_loss:.3f}")


if __name__ == "__main__":
    main()
