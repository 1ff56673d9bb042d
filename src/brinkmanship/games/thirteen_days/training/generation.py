"""Fit the value after a round of 13 Days to games of the search against itself, and write it into the package.

A generation: `search` plays with the value as it is, and what its games say is laid on top of what the value said. It
plays another game than the `greedy` that the value was made from (`brinkmanship.games.thirteen_days.training.value`),
and asks the value only after a round, so those two moments are all that is fitted.

::

    python -m brinkmanship.games.thirteen_days.training.generation play games.npz --games 4700 --first 0
    python -m brinkmanship.games.thirteen_days.training.generation fit games.npz more-games.npz

One core plays some four games a second. The games of one seed that others play, on another core or machine, have other
numbers. `play` writes what it has every so often and when it is interrupted; asked again, it goes on from there.
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

from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import learned
from brinkmanship.games.thirteen_days.players.features import N_FEATURES
from brinkmanship.games.thirteen_days.players.value import AFTER_ROUND, MOMENTS_OF_ROUND, moment
from brinkmanship.games.thirteen_days.training.value import write_all
from brinkmanship.players import load_player
from brinkmanship.players.self_play import record
from brinkmanship.training.fit import rewritten_weights, split, stated
from brinkmanship.training.regression import Floats, fitted, log_loss, probability

AFTER_ROUNDS = (AFTER_ROUND, MOMENTS_OF_ROUND + AFTER_ROUND)
"""The moments that are fitted; the game is over after the third round."""
PENALTY = 1000.0
"""Of the square of a weight (of a feature scaled to a spread of 1), in positions: the best of a cross-validation for
both moments, from 200 to 3,000."""
NEWTON_STEPS = 8
WRITTEN_AFTER = 100
"""Games after which what has been played is written."""
MANIFEST_KEY = "generation"


class Played(NamedTuple):
    """Positions after a round, one row each, in order of the games."""

    states: Any
    """Full states, recarray of the game's dtype."""
    games: npt.NDArray[np.int64]
    """Number of the game."""
    us: Floats
    """The share of the point that the US made: 1, 0, or 1/2 in a war of both."""


class Fit(NamedTuple):
    """The weights of one moment, and how good they are on games that were not fitted."""

    weights: Floats
    before: float
    """The log-loss of the value as it was."""
    after: float


def positions(game: Game, number: int, seed: int, name: str) -> Played:
    """Game `number` of a seed, played by `name` against itself: its positions after each round but the last."""
    players = (load_player(name, game), load_player(name, game))
    match = Match(game)
    kept: dict[int, Any] = {}
    for actor, action in record(game, number, seed, players):
        match.push(action, side=None if actor == CHANCE else actor)
        now = int(moment(game.rules, match.state))
        if now in AFTER_ROUNDS and now not in kept:
            kept[now] = match.state.copy()
    utility = np.zeros(2)
    game.result(game.rules, match.state, utility)
    states = game.new_states(len(kept))
    for row, state in enumerate(kept.values()):
        states[row] = state
    us = 0.5 + (utility[US] - utility[USSR]) / 4
    return Played(states, np.full(len(kept), number), np.full(len(kept), us))


def read(game: Game, path: Path) -> Played:
    """What `play` has written; nothing where there is no such file."""
    if not path.exists():
        return Played(game.new_states(0), np.empty(0, np.int64), np.empty(0))
    with np.load(path) as kept:
        states = game.new_states(len(kept["states"]))
        states[:] = kept["states"]
        return Played(states, kept["games"], kept["us"])


def write(path: Path, played: Played) -> None:
    """Write it so that a file is never half there."""
    beside = path.with_suffix(".part.npz")
    np.savez(beside, states=np.asarray(played.states), games=played.games, us=played.us)
    os.replace(beside, path)


def joined(game: Game, pieces: Sequence[Played]) -> Played:
    """All of them, one behind the other."""
    states = game.new_states(sum(len(piece.games) for piece in pieces))
    states[:] = np.concatenate([np.asarray(piece.states) for piece in pieces])
    return Played(states, *(np.concatenate(each) for each in list(zip(*pieces, strict=True))[1:]))


def play(game: Game, path: Path, first: int, count: int, seed: int, name: str) -> Iterator[int]:
    """Play games number `first` .. `first + count - 1` that the file does not have yet; yields how many it has."""
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


def fit(game: Game, played: Played) -> dict[int, Fit]:
    """Fit what the games say on top of the value as it is, for each moment, and try it on the games held out."""
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
    """A digest of weights, by which a generation names the one before."""
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
