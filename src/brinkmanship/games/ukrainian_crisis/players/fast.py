"""The fast policy of Ukrainian Crisis: the best action by `judgement`, a few microseconds per decision."""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import N_ROWS
from brinkmanship.games.ukrainian_crisis.players.judgement.weigh import weigh
from brinkmanship.games.ukrainian_crisis.players.weights import LEARNED
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:
    board = np.empty((N_ROWS, MAX_ZONES), np.int64)
    actions = np.empty(MAX_LEGAL, np.int16)
    values = np.empty(MAX_LEGAL, np.float64)
    count = weigh(rules, view, side, LEARNED, random, board, actions, values)
    return int(actions[np.argmax(values[:count])])


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)
