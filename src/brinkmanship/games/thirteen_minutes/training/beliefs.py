"""Measure how well the belief about kept cards of 13 Minutes fits the games of a player, for several constants.

``python -m brinkmanship.games.thirteen_minutes.training.beliefs --player level:6 --games 60`` takes some three minutes
of one core. It prints the log-loss of the card that the other side really keeps, before each card; the best pair of
constants goes into `players.belief` by hand.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation, ObservationRecorder
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.players.belief import MODEL, Model, kept
from brinkmanship.games.thirteen_minutes.rules.state import CardIs, Node
from brinkmanship.players import load_player
from brinkmanship.players.self_play import record

SCALES = (0.03, 0.05, 0.08)
DOUBTS = (0.2, 0.3, 0.4)


class KeptCard(NamedTuple):
    """A side's decision which card to play, and the card that the other side keeps."""

    seen: Observation
    card: int


def kept_cards(game: Game, player: str, games: int, seed: int) -> Iterator[KeptCard]:
    """Play games of a player against itself, and yield the card that the other side keeps before each card."""
    players = (load_player(player, game, 1), load_player(player, game, 1))
    for number in range(games):
        match, recorders = Match(game), [ObservationRecorder(side) for side in range(2)]
        keeps: list[int | None] = [None, None]
        for actor, action in record(game, number, seed, players):
            is_play = actor != CHANCE and match.state.node == Node.PLAY
            other = keeps[1 - actor] if is_play else None
            if other is not None:
                yield KeptCard(recorders[actor].seen(match), other)
            match.push(action, side=None if actor == CHANCE else actor)
            if is_play:
                keeps[actor] = int(np.flatnonzero(match.state.card == CardIs.IN_HAND + actor)[0])


def log_losses(found: Sequence[KeptCard], model: Model = MODEL) -> npt.NDArray[np.float64]:
    """Return the log-loss of an even guess and of the belief, in nats, float64[n, 2]."""
    losses = np.empty((len(found), 2))
    for row, (seen, card) in enumerate(found):
        even = 1.0 / np.count_nonzero(seen.view().card == CardIs.UNKNOWN)
        belief = kept(seen, model)
        losses[row] = -np.log([even, belief[card] if len(belief) else even])
    return losses


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="level:6")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1, help="of the games, below 1,000,000,000")
    chosen = parser.parse_args(arguments)
    found = list(kept_cards(load_game("13-minutes"), chosen.player, chosen.games, chosen.seed))
    for scale, doubt in product(SCALES, DOUBTS):
        losses = log_losses(found, Model(scale, doubt))
        ahead = losses[:, 0] - losses[:, 1]
        error = 1.96 * ahead.std() / len(ahead) ** 0.5
        even, belief = losses.mean(axis=0)
        print(f"scale {scale}, doubt {doubt}: {belief:.4f}, even {even:.4f}, ahead by {ahead.mean():.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
