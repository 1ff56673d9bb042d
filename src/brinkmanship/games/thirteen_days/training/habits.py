"""Fit the habits of the fast policy of 13 Days to the decisions of another player, and write them into the package.

``python -m brinkmanship.games.thirteen_days.training.habits`` takes a few minutes on one core and writes
``games/thirteen_days/players/habits.py``: which card is played how, in addition to the immediate gain of its Command
and event, and which events are triggered. Each is a choice by softmax; the policy takes the likeliest.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import Game
from brinkmanship.engine.playout import Policy, record
from brinkmanship.games.cuban.frame import Mode
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import habits
from brinkmanship.games.thirteen_days.players.fast import COMMAND, EVENT, LATE, N_SKETCH, study
from brinkmanship.games.thirteen_days.rules.action_numbers import N_MODES, Action
from brinkmanship.games.thirteen_days.rules.board import command_value
from brinkmanship.games.thirteen_days.rules.data import MAX_CARDS
from brinkmanship.games.thirteen_days.rules.state import Node
from brinkmanship.training.fit import compiled_policy_of, rewritten, stated

Floats = npt.NDArray[np.float64]

MAX_PLAYS = 16
N_GAINS = 3
"""Number of gains: of a Command, of an own event, of an event that the other side may trigger."""
LARGEST_GAIN = 6.0
"""Gains are capped here; otherwise one decision would weigh as much as hundreds."""
N_HABITS = 2 * 2 * MAX_CARDS * N_MODES
PENALTY = 2.0
"""Penalty on the square of a habit, in decisions."""


class Decisions(NamedTuple):
    """Decisions about cards, one row each; options that do not exist have the habit -1."""

    gains: Floats
    """[n, MAX_PLAYS, N_GAINS]"""
    habits: npt.NDArray[np.int64]
    """[n, MAX_PLAYS], the habit of each option."""
    chosen: npt.NDArray[np.int64]


class Triggers(NamedTuple):
    """Decisions to trigger an event, one row each."""

    gains: Floats
    habits: npt.NDArray[np.int64]
    triggered: npt.NDArray[np.bool_]


def collect(game: Game, policy: Policy, games: int, seed: int) -> tuple[Decisions, Triggers]:
    """Collect the decisions about cards from games of a player against itself."""
    plays: list[tuple[Floats, npt.NDArray[np.int64], int]] = []
    triggers: list[tuple[float, int, bool]] = []
    sketch = np.empty(N_SKETCH)
    out = np.empty(game.max_legal, np.int16)
    for number in range(games):
        state = game.new_state()
        for side, action in record(game, number, seed, (policy, policy)):
            if state.node in (Node.PLAY, Node.TRIGGER) and side < len(game.sides):
                view = game.view_of(state, side)
                late = int(view.turn >= LATE)
                study(game.rules, view, side, sketch)
                if state.node == Node.TRIGGER:
                    card = int(view.stack[view.depth - 1].card)
                    gain = float(np.clip(sketch[EVENT + card], -LARGEST_GAIN, LARGEST_GAIN))
                    triggers.append((gain, late * MAX_CARDS + card, action == Action.TRIGGER))
                else:
                    actions = out[: game.legal(game.rules, view, side, out)].tolist()
                    plays.append(_options(game, view, side, late, actions, action, sketch))
            game.apply(game.rules, state, action)
    return (
        Decisions(*(np.array(column) for column in zip(*plays, strict=True))),
        Triggers(*(np.array(column) for column in zip(*triggers, strict=True))),
    )


def _options(
    game: Game, view: Any, side: int, late: int, actions: list[int], chosen: int, sketch: Floats
) -> tuple[Floats, npt.NDArray[np.int64], int]:
    gains = np.zeros((MAX_PLAYS, N_GAINS))
    which = np.full(MAX_PLAYS, -1)
    for number, action in enumerate(actions):
        card, mode = divmod(action - Action.PLAY, N_MODES)
        row = game.rules.cards[card]
        if mode == Mode.EVENT:
            gains[number, 1] = sketch[EVENT + card]
        else:
            cubes = command_value(game.rules, view, side, row.cubes, int(mode == Mode.COMMAND_WITH_LETTER))
            gains[number, 0] = sketch[COMMAND + cubes]
            if row.side == 1 - side:
                gains[number, 2] = min(sketch[EVENT + card], 0.0)
        which[number] = ((late * 2 + side) * MAX_CARDS + card) * N_MODES + mode
    return np.clip(gains, -LARGEST_GAIN, LARGEST_GAIN), which, actions.index(chosen)


def fit_plays(found: Decisions, steps: int = 400, pace: float = 0.05) -> tuple[Floats, Floats]:
    """Fit the weights of the gains, and every habit, by a softmax over the options (Adam, full batch)."""
    count = len(found.chosen)
    there = found.habits >= 0
    which = np.where(there, found.habits, N_HABITS)
    rows = np.arange(count)
    parameters = np.zeros(N_GAINS + N_HABITS + 1)
    parameters[:N_GAINS] = 1.0
    mean, square = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(1, steps + 1):
        scores = found.gains @ parameters[:N_GAINS] + parameters[N_GAINS:][which]
        scores[~there] = -np.inf
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        shares[rows, found.chosen] -= 1.0
        slope = np.empty_like(parameters)
        slope[:N_GAINS] = np.einsum("no,nog->g", shares, found.gains)
        slope[N_GAINS:] = np.bincount(which.ravel(), shares.ravel(), N_HABITS + 1) + PENALTY * parameters[N_GAINS:]
        slope /= count
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        parameters -= pace * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    return parameters[:N_GAINS], parameters[N_GAINS:-1].reshape(2, 2, MAX_CARDS, N_MODES)


def fit_triggers(found: Triggers, steps: int = 400, pace: float = 0.05) -> tuple[float, Floats]:
    """Fit the weight of an event's gain, and a constant for each event."""
    weight, constants = 1.0, np.zeros(2 * MAX_CARDS)
    mean, square = np.zeros(1 + 2 * MAX_CARDS), np.zeros(1 + 2 * MAX_CARDS)
    for step in range(1, steps + 1):
        error = 1.0 / (1.0 + np.exp(-(weight * found.gains + constants[found.habits]))) - found.triggered
        by_event = np.bincount(found.habits, error, 2 * MAX_CARDS) + PENALTY * constants
        slope = np.concatenate([[error @ found.gains], by_event]) / len(error)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        change = pace * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        weight -= float(change[0])
        constants -= change[1:]
    return weight, constants.reshape(2, MAX_CARDS)


def agreement(found: Decisions, weights: Floats, table: Floats) -> float:
    """Return the share of decisions in which the likeliest option was chosen."""
    padded = np.append(table.ravel(), -np.inf)
    scores = found.gains @ weights + padded[found.habits]
    return float((scores.argmax(axis=1) == found.chosen).mean())


def module_text(manifest: dict[str, Any], gains: Floats, plays: Floats, trigger: float, triggers: Floats) -> str:
    """Return the source of `habits`."""
    numbers = {"COMMAND": gains[0], "EVENT": gains[1], "ENEMY_EVENT": gains[2], "TRIGGER": trigger}
    lines = [stated(manifest), ""]
    lines += [f"{name} = {value:.2f}" for name, value in numbers.items()]
    for name, table in (("_PLAYS", plays), ("_TRIGGERS", triggers)):
        words = [f"{value:.1f}".removesuffix(".0") for value in table.ravel()]
        rows = [" ".join(words[first : first + 24]) for first in range(0, len(words), 24)]
        lines += ["", f'{name} = """', *rows, '"""']
    return rewritten(habits, "\n".join(lines) + "\n", "\nPLAYS")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, fit, and write `habits`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="greedy", help="whose decisions")
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=100, help="below 1,000,000,000")
    chosen = parser.parse_args(arguments)
    game = load_game("13-days")
    policy = compiled_policy_of(chosen.player, game)
    plays, triggers = collect(game, policy, chosen.games, chosen.seed)
    gains, table = fit_plays(plays)
    trigger, constants = fit_triggers(triggers)
    manifest = {
        "player": chosen.player,
        "games": chosen.games,
        "seed": chosen.seed,
        "data": game.data_sha256,
        "decisions": len(plays.chosen),
        "agreement": round(agreement(plays, gains, table), 3),
    }
    Path(habits.__file__).write_text(module_text(manifest, gains, table, trigger, constants), "utf-8")
    print(manifest)


if __name__ == "__main__":
    main()
