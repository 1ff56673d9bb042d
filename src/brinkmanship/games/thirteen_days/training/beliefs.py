"""Fit the belief model of a side's kept agenda and cards in 13 Days, and write it into the package.

``python -m brinkmanship.games.thirteen_days.training.beliefs`` writes ``games/thirteen_days/players/tells.py``: a
softmax over the agendas that a side was dealt, one over all cards that may be one that it put away for the aftermath,
one over those that may be one in its hand. All are fitted for several players together, each of which counts
alike, because the players of a game are unknown; the games of the search take most of the time. One game in ten is held
out to test the fit.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import Game
from brinkmanship.engine.playout import in_order
from brinkmanship.engine.record import State
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import tells
from brinkmanship.games.thirteen_days.players.belief import AFTERMATH, HAND, N_SIGNS, kind_of, played, sign
from brinkmanship.games.thirteen_days.players.value import N_MOMENTS, moment
from brinkmanship.games.thirteen_days.rules.state import CardIs
from brinkmanship.players import load_player
from brinkmanship.training.fit import HELD_OUT, concatenated, rewritten, stated
from brinkmanship.training.positions import play_positions, states_at_moments
from brinkmanship.training.regression import Floats

SEARCH = "search:60n"
PLAYERS = ("fast", "greedy", "rules", SEARCH)
IN_EARNEST = 2
"""One game in this many goes as the player plays (`training.positions`); in the others the choices say less."""
SOME = 12
"""One position in this many is sampled for cards."""
N_KINDS = len(tells.TELLS)
N_TELLS = tells.TELLS.size
N_OF_CARDS = tells.CARDS[0].size
PENALTY = 20.0
"""Penalty on the square of a weight (of a sign scaled to a spread of 1), in choices."""
NEWTON_STEPS = 8


class Choices(NamedTuple):
    """Kept agendas or cards, a row for each choice; impossible options have 0 copies."""

    signs: Floats
    """[n, options, tells]"""
    copies: Floats
    """[n, options]"""
    kept: npt.NDArray[np.int64]
    """[n], index of the kept option."""
    games: npt.NDArray[np.int64]

    def only(self, rows: npt.NDArray[np.bool_]) -> Choices:
        """Return the selected rows."""
        return Choices(self.signs[rows], self.copies[rows], self.kept[rows], self.games[rows])


Row = tuple[Floats, Floats, int, int]
"""A row of `Choices`."""


class SelfPlay(NamedTuple):
    """The games of a player against itself that are to be played."""

    player: str
    games: int
    seed: int


def positions(game: Game, played: SelfPlay) -> Iterator[tuple[State, int, int]]:
    """Yield full states before each card of these games, for both sides, with the number of the game."""
    for state, number in states_of(game, played):
        if state.chosen[0] >= 0:
            for side in range(len(game.sides)):
                yield state, side, number


def states_of(game: Game, played: SelfPlay) -> Iterator[tuple[State, int]]:
    """Yield full states before each card of these games, with the number of the game."""
    player = load_player(played.player, game)
    if player.policy is not None:
        found = play_positions(game, moment, N_MOMENTS, 0, played.games, played.seed, player.policy)
        for state, number in zip(found.states, found.games.tolist(), strict=True):
            if number % IN_EARNEST == 0:
                yield state, number
        return

    def states(number: int) -> Iterable[State]:
        kept, _ = states_at_moments(game, moment, number, played.seed, (player, player))
        return kept.values()

    for number, kept in enumerate(in_order(states, range(played.games), os.cpu_count() or 1)):
        for state in kept:
            yield state, number


def agenda_kept(game: Game, state: State, side: int, number: int) -> Row:
    """Return the agenda a side has kept of those it was dealt."""
    most = int(game.rules.limits.dealt)
    dealt = np.flatnonzero(state.agenda_dealt[side]).tolist()
    signs, copies = np.zeros((most, N_KINDS, N_SIGNS, 2)), np.zeros(most)
    for row, agenda in enumerate(dealt):
        own = [sign(game.rules, state, side, agenda, which) for which in range(N_SIGNS)]
        signs[row, int(game.rules.agendas[agenda].kind)] = np.outer(own, (1.0, played(game.rules, state)))
        copies[row] = state.agenda_dealt[side, agenda]
    return signs.reshape(most, N_TELLS), copies, dealt.index(int(state.chosen[side])), number


def cards_kept(game: Game, state: State, side: int, where: int, number: int) -> Iterator[Row]:
    """Yield the cards a side has kept in a location, each among all that the other side could take it for."""
    view = game.view_of(state, 1 - side)
    place = (CardIs.IN_AFTERMATH if where == AFTERMATH else CardIs.IN_HAND) + side
    unknown = view.card == CardIs.UNKNOWN
    if where == HAND:
        unknown &= state.card != CardIs.IN_AFTERMATH + side
    kept = unknown & (state.card == place)
    signs = np.zeros((len(unknown), *tells.CARDS[0].shape))
    for card in np.flatnonzero(unknown).tolist():
        cubes = game.rules.cards[card].cubes
        signs[card, kind_of(game.rules, side, card)] = np.outer((1.0, cubes), (1.0, played(game.rules, state)))
    for card in np.flatnonzero(kept).tolist():
        options = unknown & ~kept
        options[card] = True
        yield signs.reshape(len(unknown), N_OF_CARDS), options.astype(np.float64), card, number


def choices(game: Game, played: SelfPlay) -> tuple[Choices, ...]:
    """Return the agendas kept in these games, and the cards on the aftermath stack and in hand."""
    agendas: list[Row] = []
    cards: tuple[list[Row], list[Row]] = ([], [])
    for at, (state, side, number) in enumerate(positions(game, played)):
        agendas.append(agenda_kept(game, state, side, number))
        for where in (AFTERMATH, HAND) if at % SOME == 0 else ():
            cards[where].extend(cards_kept(game, state, side, where, number))
    return tuple(Choices(*(np.array(column) for column in zip(*rows, strict=True))) for rows in (agendas, *cards))


def chances(found: Choices, weights: Floats) -> Floats:
    """Return the probability that each of the agendas dealt was kept, float64[n, agendas dealt]."""
    logits = found.signs @ weights
    shares = found.copies * np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def fit(of_players: Sequence[Choices]) -> Floats:
    """Fit the weight of each sign, by Newton's method with a ridge penalty; each player counts alike."""
    found = concatenated(of_players)
    counts = np.array([len(one.kept) for one in of_players])
    counted = np.repeat(counts.mean() / counts, counts)
    spread = found.signs[found.copies > 0].std(axis=0)
    scaled = found._replace(signs=found.signs / np.where(spread > 0.0, spread, np.inf))
    rows = np.arange(len(found.kept))
    tells_of = found.signs.shape[2]
    weights = np.zeros(tells_of)
    for _ in range(NEWTON_STEPS):
        shares = chances(scaled, weights)
        mean = np.einsum("na,nat->nt", shares, scaled.signs)
        slope = counted @ (scaled.signs[rows, scaled.kept] - mean) - PENALTY * weights
        curved = np.einsum("n,na,nat,nau->tu", counted, shares, scaled.signs, scaled.signs, optimize=True)
        curved -= (counted * mean.T) @ mean
        weights += np.linalg.solve(curved + PENALTY * np.eye(tells_of), slope)
    return np.asarray(weights / np.where(spread > 0.0, spread, np.inf))


def log_loss(found: Choices, weights: Floats) -> float:
    """Return the mean log-loss, in nats."""
    return float(-np.log(chances(found, weights)[np.arange(len(found.kept)), found.kept]).mean())


def rows_of(weights: Floats, length: int) -> list[str]:
    """Return weights as rows of a table."""
    words = [f"{weight:.2f}" for weight in weights.ravel()]
    return [" ".join(words[first : first + length]) for first in range(0, len(words), length)]


def module_text(manifest: dict[str, Any], of_agendas: Floats, of_cards: Floats) -> str:
    """Return the source of `tells`."""
    lines = [stated(manifest)]
    lines += ["", '_TELLS = """', *rows_of(of_agendas, 2 * N_SIGNS), '"""']
    lines += ["", '_CARDS = """', *rows_of(of_cards, N_OF_CARDS), '"""']
    return rewritten(tells, "\n".join(lines) + "\n", "\nTELLS")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, fit, and write `tells`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3000, help="of each quick player, of which half are used")
    parser.add_argument("--seed", type=int, default=300, help="of the first player's games, below 1,000,000,000")
    parser.add_argument("--searched", type=int, default=300, help="games of the search, all used")
    chosen = parser.parse_args(arguments)
    game = load_game("13-days")
    found = []
    for number, name in enumerate(PLAYERS):
        count = chosen.searched if name == SEARCH else chosen.games
        found.append(choices(game, SelfPlay(name, count, chosen.seed + number)))
    weights, losses = [], {}
    for what, of_players in zip(("agenda", "aftermath", "hand"), zip(*found, strict=True), strict=True):
        kept = [one.only(one.games % HELD_OUT > 0) for one in of_players]
        tried = [one.only(one.games % HELD_OUT == 0) for one in of_players]
        weights.append(fit(kept))
        losses[what] = {
            name: (round(log_loss(one, weights[-1]), 3), round(log_loss(one, 0.0 * weights[-1]), 3))
            for name, one in zip(PLAYERS, tried, strict=True)
        }
    manifest = {
        "game": game.id,
        "rules": game.version,
        "data": game.data_sha256,
        "games": chosen.games,
        "searched": chosen.searched,
        "seed": chosen.seed,
        "log_loss_beside_that_of_chance": losses,
    }
    Path(tells.__file__).write_text(module_text(manifest, weights[0], np.stack(weights[1:])), "utf-8")
    print(manifest)


if __name__ == "__main__":
    main()
