"""Gradient of proximal policy optimisation and of imitation, sample by sample over sparse inputs, and Adam.

Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal Policy Optimization Algorithms" (2017), with a penalty for
leaving the policy that played and a reward for staying near an even one; Kingma, Ba, "Adam" (2015).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import compiled_loop, named_tuple
from brinkmanship.engine.playout import in_order
from brinkmanship.players.learned.inputs import VALUES
from brinkmanship.players.learned.network import (
    BIAS_1,
    BIAS_2,
    BIAS_V,
    CRITIC,
    FIRST,
    IN_1,
    IN_2,
    IN_V,
    OUT,
    OUT_BIAS,
    OUT_V,
    PLAN,
    SECOND,
    V_BIAS,
    Floats,
    LayerSizes,
    add,
    dot,
    first_layer,
    log_policy,
    value_of,
)
from brinkmanship.training.experience import EXPERIENCE, Experience

ROWS_A_PART = 128
"""Decisions of a minibatch that one thread takes at a time: fewer would add up too many vectors of all weights.

The number does not depend on the machine, as floats are rounded and so the sum depends on what is added up first.
"""


class Weighting(NamedTuple):
    """Parts of the loss of a sample."""

    imitation: float = 0.0
    """Weight of the cross-entropy with the chosen action."""
    surrogate: float = 1.0
    """Weight of the clipped ratio times the advantage."""
    clip: float = 0.2
    """Ratios of probabilities beyond 1 ± `clip` earn nothing more."""
    even: float = 0.1
    """Weight of the divergence from the even policy: the entropy bonus."""
    old: float = 0.1
    """Weight of the divergence from the policy that played."""
    value: float = 0.5
    """Weight of half the squared error of the value."""


N_STATISTICS = 7
LOSS, ENTROPY, FROM_OLD, IS_CLIPPED, VALUE_ERROR, LIKELIHOOD, FROM_EVEN = range(N_STATISTICS)
"""Statistics that `gradient` adds up: the loss, then its parts before weighting."""


def gradient(
    weights: Floats,
    plan: LayerSizes,
    rows: npt.NDArray[np.int64],
    data: Experience,
    weighting: Weighting,
    workers: int = 1,
) -> tuple[Floats, npt.NDArray[np.float64]]:
    """Return the gradient of the mean loss of some decisions, float32[size], and its statistics, float64[7].

    Args:
        weights: the network of one side, float32[size].
        plan: sizes of its layers.
        rows: the decisions, all of that side, int64[n].
        data: decisions with normalised advantages.
        weighting: the parts of the loss.
        workers: number of threads; the result is the same for any.
    """
    parts = np.array_split(rows, max(1, len(rows) // ROWS_A_PART))
    widest = int((data.legal_ends[rows + 1] - data.legal_ends[rows]).max())
    numbers, shares_of_loss = plan.numbers, np.array(weighting)

    def added(number: int) -> tuple[Floats, npt.NDArray[np.float64]]:
        slope, statistics = np.zeros_like(weights), np.zeros(N_STATISTICS)
        memory = Memory(*(np.zeros(size, np.float32) for size in (plan.units, plan.units, widest, widest)))
        _add_gradients(weights, numbers, parts[number], data, shares_of_loss, slope, statistics, memory)
        return slope, statistics

    slope, statistics = np.zeros_like(weights), np.zeros(N_STATISTICS)
    for part_slope, part_statistics in in_order(added, range(len(parts)), workers):
        slope += part_slope
        statistics += part_statistics
    return slope / np.float32(len(rows)), statistics / len(rows)


class Memory(NamedTuple):
    """Memory of `add_gradients`, overwritten by each sample."""

    hidden: Floats
    """The units, float32[units]."""
    back: Floats
    """The slopes of the loss by them, float32[units]."""
    shares: Floats
    """Log-probabilities of the legal actions, float32[widest]."""
    pull: Floats
    """The slopes of the loss by the logits, float32[widest]."""


def add_gradients(
    weights: Floats,
    plan: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
    data: Experience,
    weighting: npt.NDArray[np.float64],
    slope: Floats,
    statistics: npt.NDArray[np.float64],
    memory: Memory,
) -> None:
    """Add the gradient of each sample's loss to `slope` and its parts to `statistics`; see `gradient`."""
    hidden, back, shares, pull = memory
    input_ends, active, inputs = data.input_ends, data.active, data.inputs
    legal_ends, lists, old, even = data.legal_ends, data.legal, data.old, data.even
    n_1, n_2, n_v = plan[FIRST], plan[SECOND], plan[CRITIC]
    units_1, units_2, units_v = hidden[:n_1], hidden[n_1 : n_1 + n_2], hidden[n_1 + n_2 : n_1 + n_2 + n_v]
    back_1, back_2, back_v = back[:n_1], back[n_1 : n_1 + n_2], back[n_1 + n_2 : n_1 + n_2 + n_v]
    imitation, surrogate, clip, to_even, to_old, to_value = weighting
    for row in rows:
        begin, end = input_ends[row], input_ends[row + 1]
        base, count = legal_ends[row], legal_ends[row + 1] - legal_ends[row]
        first_layer(weights, plan, active[begin:end], inputs[begin:end], end - begin, hidden)
        log_policy(weights, plan, lists[base : base + count], count, hidden, shares)
        error = value_of(weights, plan, hidden) - data.targets[row]

        place = data.chosen[row]
        ratio = np.exp(shares[place] - old[base + place])
        advantage = data.advantages[row]
        is_clipped = (advantage > 0 and ratio > 1 + clip) or (advantage < 0 and ratio < 1 - clip)
        bounded = min(max(ratio, 1 - clip), 1 + clip)
        gained = min(ratio * advantage, bounded * advantage)
        pull_chosen = -imitation - (0.0 if is_clipped else surrogate * ratio * advantage)
        from_even = 0.0
        from_old = 0.0
        entropy = 0.0
        for item in range(count):
            share = np.exp(shares[item])
            from_even += share * (shares[item] - even[base + item])
            from_old += share * (shares[item] - old[base + item])
            entropy -= share * shares[item]
        for item in range(count):
            share = np.exp(shares[item])
            drift = to_even * (shares[item] - even[base + item] - from_even)
            drift += to_old * (shares[item] - old[base + item] - from_old)
            pull[item] = share * (drift - pull_chosen)
        pull[place] += pull_chosen
        statistics[LOSS] += (
            -imitation * shares[place] - surrogate * gained + to_even * from_even + to_old * from_old
        ) + to_value * error * error / 2
        statistics[ENTROPY] += entropy
        statistics[FROM_OLD] += from_old
        statistics[IS_CLIPPED] += is_clipped
        statistics[VALUE_ERROR] += error * error
        statistics[LIKELIHOOD] += shares[place]
        statistics[FROM_EVEN] += from_even

        back[:] = np.float32(0)
        for item in range(count):
            action = np.int64(lists[base + item])
            at = plan[OUT] + action * n_2
            add(pull[item], weights[at : at + n_2], back_2)
            add(pull[item], units_2, slope[at : at + n_2])
            slope[plan[OUT_BIAS] + action] += pull[item]
        by_value = np.float32(to_value * error)
        add(by_value, weights[plan[OUT_V] : plan[OUT_V] + n_v], back_v)
        add(by_value, units_v, slope[plan[OUT_V] : plan[OUT_V] + n_v])
        slope[plan[V_BIAS]] += by_value
        for number in range(n_2):
            if units_2[number] <= 0:
                back_2[number] = np.float32(0)
        for number in range(n_v):
            if units_v[number] <= 0:
                back_v[number] = np.float32(0)
        add(np.float32(1), back_2, slope[plan[BIAS_2] : plan[BIAS_2] + n_2])
        add(np.float32(1), back_v, slope[plan[BIAS_V] : plan[BIAS_V] + n_v])
        for number in range(n_1):
            if units_1[number] > 0:
                at = plan[IN_2] + number * n_2
                add(units_1[number], back_2, slope[at : at + n_2])
                back_1[number] = dot(weights[at : at + n_2], back_2)
                at = plan[IN_V] + number * n_v
                add(units_1[number], back_v, slope[at : at + n_v])
                back_1[number] += dot(weights[at : at + n_v], back_v)
        add(np.float32(1), back_1, slope[plan[BIAS_1] : plan[BIAS_1] + n_1])
        for item in range(begin, end):
            at = plan[IN_1] + active[item] * n_1
            add(inputs[item], back_1, slope[at : at + n_1])


_DOUBLES = types.Array(types.float64, 1, "C")
_add_gradients: Any = compiled_loop(
    add_gradients,
    types.void,
    VALUES,
    PLAN,
    types.Array(types.int64, 1, "C"),
    EXPERIENCE,
    _DOUBLES,
    VALUES,
    _DOUBLES,
    named_tuple(Memory, *[VALUES] * 4),
)
