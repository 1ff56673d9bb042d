"""Inputs of the value network of Ukrainian Crisis: the named `features`, then every zone, country and card by itself.

They are open to both sides, but for cards that lie face down: in a view those still count as left to play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import compiled, compiled_loop, internal
from brinkmanship.games.ukrainian_crisis.players.features import FEATURES, N_FEATURES, Features, write_features
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import N_BOXES, N_COUNTRIES, N_RANKS
from brinkmanship.games.ukrainian_crisis.rules.state import N_PLACES, PLACE, STATE, STATES, Mark, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules

ONLY, BOTH, COMBAT_VALUE, NEUTRALISED = 0, 2, 3, 5
"""Inputs of a place: only Ukraine or Russia can fight there; both can; + side: Combat Value; neutralised units."""
N_OF_PLACE = 7
PRESTIGE_STEP, PRESTIGE_STEPS = 4, 10
"""Prestige is a row of ramps of four points each, the first ones full."""
MAX_COMBAT_TURNS, MAX_TURNS = 5, 10

AT_PLACES = N_FEATURES
AT_BOXES = AT_PLACES + N_OF_PLACE * N_PLACES
AT_PRESTIGE = AT_BOXES + (N_BOXES + 1) * N_COUNTRIES
AT_PACKS = AT_PRESTIGE + 2 * PRESTIGE_STEPS
AT_HELD = AT_PACKS + 2 * N_RANKS
AT_UNIONS = AT_HELD + 2
AT_OPENED = AT_UNIONS + MAX_ZONES
AT_COMBAT_TURNS = AT_OPENED + MAX_ZONES
AT_TURNS = AT_COMBAT_TURNS + MAX_COMBAT_TURNS
N_INPUTS = AT_TURNS + MAX_TURNS


@internal(types.void, RULES, STATE, FEATURES)
def write_places(rules: Rules, state: State, out: Features) -> None:
    """Write who stands in each zone and box, and how strongly."""
    for unit in range(rules.n_units):
        entry = int(state.unit[unit])
        if entry >= 0:
            unit_type = rules.types[rules.type_of[unit]]
            side = int(unit_type.side)
            at = AT_PLACES + N_OF_PLACE * (entry // PLACE)
            if entry & Mark.NEUTRALISED:
                out[at + NEUTRALISED + side] += 0.5
            else:
                out[at + COMBAT_VALUE + side] += unit_type.cv[0] / 5
                out[at + ONLY + side] = 1.0
    for place in range(N_PLACES):
        at = AT_PLACES + N_OF_PLACE * place
        if out[at + ONLY] * out[at + ONLY + 1] > 0:
            out[at + ONLY] = out[at + ONLY + 1] = 0.0
            out[at + BOTH] = 1.0


@compiled(types.void, RULES, STATE, FEATURES)
def write_inputs(rules: Rules, state: State, out: Features) -> None:
    """Write the inputs of a full state or a view to `out`, float64[N_INPUTS], each of a magnitude of about 1."""
    for column in range(N_INPUTS):
        out[column] = 0.0
    write_features(rules, state, out)
    write_places(rules, state, out)
    for country in range(N_COUNTRIES):
        out[AT_BOXES + (N_BOXES + 1) * country + int(state.box[country])] = 1.0
    for side in range(2):
        for step in range(PRESTIGE_STEPS):
            above = min(max(state.prestige[side] - PRESTIGE_STEP * step, 0), PRESTIGE_STEP)
            out[AT_PRESTIGE + PRESTIGE_STEPS * side + step] = above / PRESTIGE_STEP
        for rank in range(N_RANKS):
            out[AT_PACKS + N_RANKS * side + rank] = state.pack[side, rank] / 4
        out[AT_HELD + side] = state.held[side]
    for zone in range(MAX_ZONES):
        out[AT_UNIONS + zone] = state.union >> zone & 1
        out[AT_OPENED + zone] = state.opened >> zone & 1
    for number in range(MAX_COMBAT_TURNS):
        out[AT_COMBAT_TURNS + number] = 1.0 if state.combat_turns > number else 0.0
    out[AT_TURNS + min(int(state.turn), MAX_TURNS) - 1] = 1.0


def _write_all(rules: Rules, states: Any, out: Any) -> None:
    for number in range(states.shape[0]):
        write_inputs(rules, states[number], out[number])


_loop = compiled_loop(_write_all, types.void, RULES, STATES, types.Array(types.float64, 2, "C"))


def inputs_of(rules: Rules, states: Any) -> npt.NDArray[np.float64]:
    """Return the inputs of many states, float64[n, N_INPUTS]."""
    rows = np.zeros((len(states), N_INPUTS))
    _loop(rules, states, rows)
    return rows
