"""Fit the value after a round of 13 Days to games of the search against itself, and write it into the package.

A generation: `search` plays with the current value, and a correction fitted to its games is added to that value. Its
play differs from that of `greedy`, from whose games the value was fitted
(`brinkmanship.games.thirteen_days.training.value`), and it uses the value only after a round, so only those two moments
are fitted.

::

    python -m brinkmanship.games.thirteen_days.training.generation play games.npz --games 4700 --first 0
    python -m brinkmanship.games.thirteen_days.training.generation fit games.npz more-games.npz

One core plays some four games a second. Other cores or machines should play other game numbers of the same seed.
`play` saves its games regularly and when interrupted; started again, it continues from there.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import Game
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import learned
from brinkmanship.games.thirteen_days.players.features import N_FEATURES
from brinkmanship.games.thirteen_days.players.value import AFTER_ROUND, MOMENTS_OF_ROUND, moment
from brinkmanship.games.thirteen_days.training.value import write_all
from brinkmanship.players import load_player
from brinkmanship.training.fit import rewritten_weights, split, stated
from brinkmanship.training.positions import states_at_moments
from brinkmanship.training.regression import Floats, fitted, log_loss, probability

AFTER_ROUNDS = (AFTER_ROUND, MOMENTS_OF_ROUND + AFTER_ROUND)
"""The moments that are fitted; the game is over after the third round."""
PENALTY = 1000.0
"""Penalty on the square of a weight (of a feature scaled to a spread of 1), in positions.

The best of a cross-validation for both moments, from 200 to 3,000.
"""
NEWTON_STEPS = 8
WRITTEN_AFTER = 100
"""Number of games between saves."""
MANIFEST_KEY = "generation"


class RoundPositions(NamedTuple):
    """Positions after a round, one row each, in order of the games."""

    states: Any
    """Full states, recarray of the game's dtype."""
    games: npt.NDArray[np.int64]
    """Number of the game."""
    us: Floats
    """Points of the US: 1, 0, or 1/2 in a war of both."""


class Fit(NamedTuple):
    """The weights of one moment, and their quality on held-out games."""

    weights: Floats
    before: float
    """Log-loss of the previous value."""
    after: float


def positions(game: Game, number: int, seed: int, name: str) -> RoundPositions:
    """Play game `number` of a seed by `name` against itself; return its positions after each round but the last."""
    found, match = states_at_moments(game, moment, number, seed, (load_player(name, game), load_player(name, game)))
    kept = [state for now, state in found.items() if now in AFTER_ROUNDS]
    utility = np.zeros(2)
    game.result(game.rules, match.state, utility)
    states = game.new_states(len(kept))
    for row, state in enumerate(kept):
        states[row] = state
    us = 0.5 + (utility[US] - utility[USSR]) / 4
    return RoundPositions(states, np.full(len(kept), number), np.full(len(kept), us))


def read(game: Game, path: Path) -> RoundPositions:
    """Return the games saved by `play`; none if there is no such file."""
    if not path.exists():
        return RoundPositions(game.new_states(0), np.empty(0, np.int64), np.empty(0))
    with np.load(path) as kept:
        states = game.new_states(len(kept["states"]))
        states[:] = kept["states"]
        return RoundPositions(states, kept["games"], kept["us"])


def write(path: Path, played: RoundPositions) -> None:
    """Write the file atomically."""
    beside = path.with_suffix(".part.npz")
    np.savez(beside, states=np.asarray(played.states), games=played.games, us=played.us)
    os.replace(beside, path)


def joined(game: Game, pieces: Sequence[RoundPositions]) -> RoundPositions:
    """Concatenate all pieces."""
    states = game.new_states(sum(len(piece.games) for piece in pieces))
    states[:] = np.concatenate([np.asarray(piece.states) for piece in pieces])
    return RoundPositions(states, *(np.concatenate(each) for each in list(zip(*pieces, strict=True))[1:]))


def play(game: Game, path: Path, first: int, count: int, seed: int, name: str) -> Iterator[int]:
    """Play games `first` .. `first + count - 1` that are not in the file yet; yield the number of games it has."""
    pieces = [read(game, path)]
    begin = int(pieces[0].games[-1]) + 1 if len(pieces[0].games) else first
    unwritten = False
    try:
        for number in range(begin, first + count):
            pieces.append(positions(game, number, seed, name))
            unwritten = True
            if (number + 1 - first) % WRITTEN_AFTER == 0:
                pieces = [joined(game, pieces)]
                write(path, pieces[0])
                unwritten = False
                yield number + 1 - first
    finally:
        if unwritten:
            write(path, joined(game, pieces))
    yield count


def fit(game: Game, played: RoundPositions) -> dict[int, Fit]:
    """Fit a correction to the current value for each moment, and test it on held-out games."""
    rows = np.empty((len(played.games), N_FEATURES))
    write_all(game.rules, played.states, rows)
    moments = np.array([int(moment(game.rules, state)) for state in played.states])
    fits = {}
    for number in AFTER_ROUNDS:
        before = learned.WEIGHTS[number].astype(np.float64)
        kept, held_out = split(moments == number, played.games)
        said = rows[kept] @ before
        more = fitted(rows[kept].astype(np.float32), played.us[kept], PENALTY, NEWTON_STEPS, offset=said)
        weights = before + more
        losses = (log_loss(probability(rows[held_out] @ each), played.us[held_out]) for each in (before, weights))
        fits[number] = Fit(weights, *losses)
    return fits


def weights_digest(weights: npt.NDArray[Any]) -> str:
    """Return a digest of weights, by which a generation refers to the previous one."""
    return hashlib.sha256(np.ascontiguousarray(weights).tobytes()).hexdigest()[:16]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, or fit and write `learned`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="search:40n", help="plays against itself")
    parser.add_argument("--seed", type=int, default=77, help="of the games, below 1,000,000,000")
    steps = parser.add_subparsers(dest="step", required=True)
    playing = steps.add_parser("play", help="play games into a file")
    playing.add_argument("file", type=Path)
    playing.add_argument("--games", type=int, default=4700, help="how many the file is to have")
    playing.add_argument("--first", type=int, default=0, help="number of the first")
    fitting = steps.add_parser("fit", help="fit the games of these files")
    fitting.add_argument("files", type=Path, nargs="+")
    chosen = parser.parse_args(arguments)
    game = load_game("13-days")
    if chosen.step == "play":
        there = read(game, chosen.file).games
        if len(there) and not chosen.first <= there[0] <= there[-1] < chosen.first + chosen.games:
            parser.error(f"{chosen.file}: has games {there[0]} to {there[-1]}, more than --first and --games ask for")
        for done in play(game, chosen.file, chosen.first, chosen.games, chosen.seed, chosen.player):
            print(f"{done:,} of {chosen.games:,} games", flush=True)
        return
    pieces = [read(game, path) for path in chosen.files]
    for path, piece in zip(chosen.files, pieces, strict=True):
        if not len(piece.games):
            parser.error(f"{path}: no games; make it with `play {path}`")
    fits = fit(game, joined(game, pieces))
    manifest = {
        **learned.MANIFEST,
        MANIFEST_KEY: {
            "player": chosen.player,
            "seed": chosen.seed,
            "games": [[int(piece.games[0]), int(piece.games[-1])] for piece in pieces],
            "positions": sum(len(piece.games) for piece in pieces),
            "on_top_of": weights_digest(learned.WEIGHTS),
            "log_loss_before": [round(each.before, 4) for each in fits.values()],
            "log_loss": [round(each.after, 4) for each in fits.values()],
        },
    }
    weights = learned.WEIGHTS.astype(np.float64)
    for number, each in fits.items():
        weights[number] = each.weights
        print(f"{number:3} {each.before:.4f} {each.after:.4f}")
    Path(learned.__file__).write_text(rewritten_weights(learned, stated(manifest), weights), "utf-8")


if __name__ == "__main__":
    main()
