"""The learned value of a position of Ukrainian Crisis: the probability that a side wins, from a full state or a view.

Each of the package's scenarios has a small network over the `inputs`: one layer of rectified units, beside a linear
part of all inputs. A custom scenario, whose zones may be others, is judged by a logistic regression over the named
`features` for the end of each Turn, fitted to both scenarios together. The value is meant for the check at the end of a
Turn (`at_cut`), where nothing is in progress; earlier in a Turn it judges as at its end. When the game is decided -
after the last Turn, or at Prestige 0 - it counts the Victory Points instead.

`brinkmanship.games.ukrainian_crisis.training.value` fits the weights; `learned` holds them.
"""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.jit.compile import compiled, compiled_loop, internal
from brinkmanship.games.ukrainian_crisis.players.features import FEATURES, N_FEATURES, Features, write_features
from brinkmanship.games.ukrainian_crisis.players.inputs import N_INPUTS, write_inputs
from brinkmanship.games.ukrainian_crisis.players.learned import MANIFEST, N_UNITS, NETWORKS, VALUE_WEIGHTS, ZONE_POINTS
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.victory import victory_points
from brinkmanship.players.learned.value_network import network_logit

FIRST, BIASES, OUT, LINEAR = NETWORKS
"""The networks of the known scenarios, by layer, for the odds that Ukraine wins."""
WEIGHTS = VALUE_WEIGHTS
"""float64[turn - 1, N_FEATURES], likewise, of a custom scenario."""
POINTS = np.array(ZONE_POINTS)
"""int64[scenario, MAX_ZONES]: the Victory Points of the zones, which identify a scenario."""
N_KNOWN = len(POINTS)
SCENARIO_TURNS = int(MANIFEST["turns"])


@compiled(types.boolean, RULES, STATE)
def at_cut(rules: Rules, state: State) -> bool:  # noqa: ARG001 - the shape of a cut
    """Return True if a playout should stop here: the Turn is over and about to be checked (8.1)."""
    return bool(state.node == Node.CHECK or state.node == Node.OVER)


@compiled(types.boolean, RULES, STATE)
def is_decided(rules: Rules, state: State) -> bool:
    """Return True if the check that comes now ends the game, or has ended it."""
    if state.node == Node.OVER:
        return True
    last = state.turn == rules.turns or state.prestige[UA] == 0 or state.prestige[RU] == 0
    return bool(state.node == Node.CHECK and last)


@compiled(types.int64, RULES, STATE)
def moment(rules: Rules, state: State) -> int:
    """Return the Turn, from 0, at whose end the position is if the game goes on, else -1: see `training.positions`."""
    return -1 if state.node != Node.CHECK or is_decided(rules, state) else int(state.turn) - 1


@internal(types.int64, RULES)
def scenario_of(rules: Rules) -> int:
    """Return the number of the network of a scenario, `N_KNOWN` if it has none."""
    for scenario in range(N_KNOWN):
        zone = 0
        while zone < MAX_ZONES and rules.vp[zone] == POINTS[scenario, zone]:
            zone += 1
        if zone == MAX_ZONES:
            return scenario
    return N_KNOWN


@internal(types.float64, STATE, FEATURES)
def features_logit(state: State, features: Features) -> float:
    """Return the logit of any scenario by the features of the position."""
    row = min(state.turn, SCENARIO_TURNS - 1) - 1
    total = 0.0
    for column in range(N_FEATURES):
        total += WEIGHTS[row, column] * features[column]
    return total


def _value(rules: Rules, state: State, side: int) -> float:
    """Return the probability that `side` wins, 0..1, a draw counting half; exact if the game is decided."""
    if is_decided(rules, state):
        lead = victory_points(rules, state, side) - victory_points(rules, state, 1 - side)
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    inputs = np.empty(N_INPUTS)
    scenario = scenario_of(rules)
    if scenario < N_KNOWN:
        write_inputs(rules, state, inputs)
        logit = network_logit(
            FIRST[scenario], BIASES[scenario], OUT[scenario], LINEAR[scenario], inputs, np.empty(N_UNITS, np.float32)
        )
    else:
        write_features(rules, state, inputs)
        logit = features_logit(state, inputs)
    return float(1.0 / (1.0 + np.exp(-logit if side == UA else logit)))


value = compiled_loop(_value, types.float64, RULES, STATE, types.int64)
