"""Search in Ukrainian Crisis: playouts of the fast policy to the end of the Turn, judged there by the learned value.

In the last Turn they go to the end of the game.
"""

from __future__ import annotations

from typing import Any

from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.signatures import POINTS
from brinkmanship.games.ukrainian_crisis.players.fast import policy
from brinkmanship.games.ukrainian_crisis.players.rules import RulesPlayer
from brinkmanship.games.ukrainian_crisis.players.value import at_cut, value
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, Step, Task
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.victory import points_of_prestige, points_of_zones
from brinkmanship.players.search import SearchConfig, SearchPlayer

LEFT = (Node.ATTACKERS, Node.DEFENDERS)
"""Nodes that choose the units of a combat: `rules` sends all."""
CAUTION = 1.0
"""Caution of the search: a side decides some 120 times in a game, most choices shift the chance to win by 1/100."""
BIAS = 0.05
"""Error of playouts in single positions, by 100 games of level 6; see docs/lab/2026-11-30-playout-bias.md."""
STEPS = len(Step)
PLACES = 1 + N_AREAS + MAX_ZONES
HALVES = 8
STAGES = 16
"""Stride of `stretch`: more than the stages in a Turn, and in a task."""


@compiled(types.boolean, RULES, STATE, STATE)
def cut(rules: Rules, root: State, state: State) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """Return True if a playout stops here: its Turn is over and about to be checked."""
    return bool(at_cut(rules, state))


@compiled(types.int64, RULES, STATE)
def stretch(rules: Rules, state: State) -> int:  # noqa: ARG001 - the shape of a `Stretch`
    """Return the number of the part of a Turn with its own dice.

    Each step of a Turn, each part of an area, each half of a Segment and each zone attacked in it has its own dice: one
    payment more or one fight less does not change the others.
    """
    place, stage = 0, 0
    if state.step == Step.RESOLVE_AREAS:
        place = int(state.area) + 1
        if state.depth > 0 and state.stack[0].task == Task.AREA:
            stage = int(state.stack[0].stage)
    elif state.step == Step.OPERATIONS and state.depth > 1 and state.stack[1].task == Task.BATTLE:
        place = N_AREAS + 1 + int(state.stack[1].zone)
    number = (int(state.turn) * STEPS + int(state.step)) * HALVES + int(state.half)
    return (number * PLACES + place) * STAGES + stage


def is_left(view: State) -> bool:
    """Return True if the units of a combat are to be chosen."""
    return view.node in LEFT


@compiled(types.void, RULES, STATE, types.int64, POINTS)
def score(rules: Rules, state: State, side: int, out: Any) -> None:
    """Write the lead in Victory Points: of Prestige, and of zones."""
    out[0] = points_of_prestige(state, side) - points_of_prestige(state, 1 - side)
    out[1] = points_of_zones(rules, state, side) - points_of_zones(rules, state, 1 - side)


class CrisisSearch(SearchPlayer):
    """Search player for Ukrainian Crisis."""

    # The values of `rules` are usually Victory Points: 16 decide a game.
    method = SearchConfig(
        policy=policy,
        value=value,
        cut=cut,
        prior=RulesPlayer,
        scale=16.0,
        caution=CAUTION,
        bias=BIAS,
        stretch=stretch,
        is_left=is_left,
        score=score,
        scored=("prestige", "zones"),
        analysed=0.5,
    )
