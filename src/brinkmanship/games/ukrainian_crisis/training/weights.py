"""Tune the judgement of Ukrainian Crisis by self-play.

``python -m brinkmanship.games.ukrainian_crisis.training.weights tune --minutes 30 --out weights.json`` moves the
weights of `rules` (and so of the fast policy) uphill: each side's row is perturbed in pairs of opposite directions,
both play the same deals against the other side's present or earlier row, and the row moves toward the better one.

``python -m brinkmanship.games.ukrainian_crisis.training.weights bias`` prints how often Ukraine wins when the sides
have other habits. `value` fits the value of positions.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.engine.playout import luck
from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import N_ROWS
from brinkmanship.games.ukrainian_crisis.players.judgement.weigh import weigh
from brinkmanship.games.ukrainian_crisis.players.weights import LEARNED, N_WEIGHTS, WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.flow import apply, sample, start
from brinkmanship.games.ukrainian_crisis.rules.knowledge import view
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATES
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES

SEEDS = 900_000_000
"""First seed of validation: training deals have seeds below it, those from here to 1,000,000,000 are for inspection."""
PAIRS_OF_DIRECTIONS = 32
DEALS = 6
"""Deals for each direction; trying many directions a little is more informative than a few of them well."""
SHAKE = 0.6
STEP = 1.2
MOMENTUM = 0.8
KEEP_EVERY = 10
"""Generations between the earlier rows that are kept as opponents."""
LOOK_EVERY = 20


def _games(rules: Any, states: Any, known: Any, luck: Any, weights: Any) -> None:
    """Play a game in each of `states` by a table of weights."""
    board = np.empty((N_ROWS, MAX_ZONES), np.int64)
    actions = np.empty(MAX_LEGAL, np.int16)
    values = np.empty(MAX_LEGAL, np.float64)
    for number in range(states.shape[0]):
        state = states[number]
        dice = luck[number, 0]
        policy_rng = luck[number, 1]
        start(rules, state)
        while state.mover != OVER:
            if state.mover == CHANCE:
                action: Any = sample(rules, state, dice)
            else:
                side: Any = np.int64(state.mover)
                view(rules, state, side, known[0])
                count = weigh(rules, known[0], side, weights, policy_rng, board, actions, values)
                action = np.int64(actions[np.argmax(values[:count])])
            apply(rules, state, action)


_loop = compiled_loop(
    _games,
    types.void,
    RULES,
    STATES,
    STATES,
    types.Array(types.int64, 3, "C"),
    WEIGHTS,
)


def play(game: Game, table: Table, count: int, seed: int) -> Any:
    """Return the final states of the first `count` games of a seed, played by a table of weights."""
    weights = np.ascontiguousarray(table)
    weights.flags.writeable = False
    states = game.new_states(count)
    _loop(game.rules, states, game.new_states(1), luck(seed, 0, count), weights)
    return states


# Tuning.


def success(states: Any, side: int) -> float:
    """Return the success of a side, -1 to 1: half the result, half the margin."""
    lead = states["vp"][:, UA].astype(float) - states["vp"][:, RU]
    lead = lead if side == UA else -lead
    return float(np.mean(0.5 * np.sign(lead) + 0.5 * np.tanh(lead / 8)))


def tune(game: Game, minutes: float, table: Table, seed: int) -> Table:
    """Return the table after `minutes` minutes of tuning."""
    rows = np.array(table)
    scale = 0.25 * np.abs(rows) + 0.1
    momentum = np.zeros_like(rows)
    earlier = [rows.copy()]
    random = np.random.default_rng(seed)
    until = time.monotonic() + 60 * minutes
    generation = 0
    while time.monotonic() < until:
        generation += 1
        for side in (UA, RU):
            rival = rows if random.random() < 0.6 else earlier[random.integers(len(earlier))]
            directions = random.standard_normal((PAIRS_OF_DIRECTIONS, N_WEIGHTS))
            gains = np.zeros(PAIRS_OF_DIRECTIONS)
            for number, direction in enumerate(directions):
                deal = int(random.integers(SEEDS))
                for sign in (1, -1):
                    tried = rival.copy()
                    tried[side] = rows[side] + sign * SHAKE * scale[side] * direction
                    gains[number] += sign * success(play(game, tried, DEALS, deal), side)
            uphill = (gains[:, None] * directions).mean(axis=0) / (2 * gains.std() + 1e-9)
            momentum[side] = MOMENTUM * momentum[side] + (1 - MOMENTUM) * uphill
            rows[side] += STEP * scale[side] * momentum[side]
        if generation % KEEP_EVERY == 0:
            earlier.append(rows.copy())
        if generation % LOOK_EVERY == 0:
            states = play(game, rows, 200, SEEDS)
            print(f"generation {generation}: Ukraine against Russia {success(states, UA):+.3f}", flush=True)
    return rows


# The sources of a side's advantage.

HABITS: dict[str, tuple[dict[str, float], dict[str, float]]] = {  # weights changed, Ukraine's and Russia's
    "as they are": ({}, {}),
    "nobody asks for a Ceasefire": ({"CEASEFIRE": -1000}, {"CEASEFIRE": -1000}),
    "Ukraine asks for every Ceasefire": ({"CEASEFIRE": 1000}, {}),
    "Ukraine never declares war": ({"WAR_PAYS": 1000, "AGAIN": 1000}, {}),
    "Russia never declares war": ({}, {"WAR_PAYS": 1000, "AGAIN": 1000}),
    "Russia declares war in the last Turns only": ({}, {"PATIENCE": 8, "AGAIN": 1000}),
    "Russia puts no Regular on the map": ({}, {"STANDING": -100}),
}


def habits(game: Game, games: int, seed: int) -> None:
    """Print how often Ukraine wins, a draw counting half, by the habits of the two sides."""
    for name, changed in HABITS.items():
        rows = np.array(LEARNED)
        for side in (UA, RU):
            for weight, value in changed[side].items():
                rows[side, Weight[weight]] = value
        states = play(game, rows, games, seed)
        share = np.where(states["winner"] == UA, 1.0, np.where(states["winner"] == RU, 0.0, 0.5))
        margin = 1.96 * share.std() / games**0.5
        fought = (states["combat_turns"] > 0).mean()
        print(f"{name}: {100 * share.mean():.1f} +- {100 * margin:.1f}, fought {100 * fought:.0f}", flush=True)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m brinkmanship.games.ukrainian_crisis.training.weights")
    parser.add_argument("what", choices=("tune", "bias"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--scenario", default="reconstructed", help="reconstructed or balanced")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    game = load_game("ukrainian-crisis", options={"scenario": chosen.scenario})
    if chosen.what == "bias":
        habits(game, chosen.games, chosen.seed)
        return
    text = json.dumps(tune(game, chosen.minutes, LEARNED, chosen.seed).round(2).tolist())
    if chosen.out:
        chosen.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
