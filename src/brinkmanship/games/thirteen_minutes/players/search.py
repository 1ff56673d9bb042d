"""Search in 13 Minutes: the fast policy plays on to the end of the game, which is short."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.contract import POINTS
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.games.thirteen_minutes.players.bids import MAX_BID, USUAL
from brinkmanship.games.thirteen_minutes.players.fast import policy
from brinkmanship.games.thirteen_minutes.players.rules import RulesPlayer
from brinkmanship.games.thirteen_minutes.players.value import value
from brinkmanship.games.thirteen_minutes.rules.action_numbers import bid_action
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node, Score, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules
from brinkmanship.players.matrix_game import Answers
from brinkmanship.players.search import SearchConfig, SearchPlayer

SCORED = tuple(what.name.lower() for what in Score)
EXACT = 9
"""Turns played before the last one, which `rules` reckons exactly."""


@compiled(types.boolean, RULES, STATE, STATE)
def cut(rules: Rules, root: State, state: State) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """No playout stops before the end."""
    return False


EXPERIENCED = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.20, 0.50, 0.20, 0.05])
"""How often those bid each number of cubes from 0 on who have learned what the last word is worth: about as `rules`."""
LEARNED = 0.2
"""The part of those people; the others bid as `USUAL` says."""
BIDS = (1 - LEARNED) * USUAL + LEARNED * EXPERIENCED
TRUST = 0.9
"""Share of the other side that is taken to bid as `BIDS`; docs/lab has what other shares win and lose."""


def is_left(view: State) -> bool:
    """Whether who begins is asked for, or the last card."""
    return bool(view.node == Node.FIRST) or is_exact(view)


def is_exact(view: State) -> bool:
    """Whether the last card is asked for, or is in play."""
    return bool(view.turn >= EXACT)


def secret(game: Game, view: State, side: int) -> Answers | None:  # noqa: ARG001 - the shape of a `SearchConfig.secret`
    """The bids of both sides, as far as `rules` looks at them too."""
    if view.node != Node.BID:
        return None
    own, other = (
        [bid_action(each, cubes) for cubes in range(min(int(view.supply[each]), MAX_BID) + 1)]
        for each in (side, 1 - side)
    )
    return Answers(own, other, BIDS[: len(other)].tolist(), TRUST, _terms(len(own), len(other)))


def _terms(own: int, other: int) -> npt.NDArray[np.float64]:
    """What bids that meet are worth: as curves of both numbers where the one side has the last word, as others where
    the other has it; and equal ones, which are made again, all the same."""
    mine, theirs = (number.ravel() / MAX_BID for number in np.indices((own, other)))
    curves = np.stack([np.ones_like(mine), mine, mine**2, theirs, theirs**2], axis=1)
    return np.hstack([curves * (mine > theirs)[:, None], curves * (mine < theirs)[:, None], (mine == theirs)[:, None]])


@compiled(types.void, RULES, STATE, types.int64, POINTS)
def score(rules: Rules, state: State, side: int, out: Any) -> None:  # noqa: ARG001 - the shape of a `Score`
    """The lead in Prestige, by what gave it."""
    for what in range(len(SCORED)):
        out[what] = state.score[side, what] - state.score[1 - side, what]


class MinutesSearch(SearchPlayer):
    """Search for 13 Minutes."""

    # The values of `rules` are chances to win.
    method = SearchConfig(
        policy=policy,
        value=value,
        cut=cut,
        prior=RulesPlayer,
        scale=0.5,
        is_left=is_left,
        is_exact=is_exact,
        war=("nuclear", "double_nuclear"),
        score=score,
        scored=SCORED,
        secret=secret,
    )
