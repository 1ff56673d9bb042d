"""Search in 13 Minutes: playouts of the fast policy to the end of the game, which is short."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled
from brinkmanship.engine.signatures import POINTS
from brinkmanship.games.thirteen_minutes.players import late_playouts
from brinkmanship.games.thirteen_minutes.players.belief import deal, kept
from brinkmanship.games.thirteen_minutes.players.bids import MAX_BID, USUAL
from brinkmanship.games.thirteen_minutes.players.fast import policy
from brinkmanship.games.thirteen_minutes.players.ninth_card import NINTH, solve_ninth
from brinkmanship.games.thirteen_minutes.players.rules import RulesPlayer
from brinkmanship.games.thirteen_minutes.players.rules import policy as policy_of_rules
from brinkmanship.games.thirteen_minutes.players.tenth_card import FINEST, MAX_BY_MARGIN
from brinkmanship.games.thirteen_minutes.players.value import value
from brinkmanship.games.thirteen_minutes.rules.action_numbers import bid_action
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node, Score, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules
from brinkmanship.players.matrix_game import Answers
from brinkmanship.players.player import Candidate, Choice
from brinkmanship.players.search import SearchConfig, SearchPlayer

SCORED = tuple(what.name.lower() for what in Score)
LATE = 5
"""Number of cards played from which playouts search the last cards."""
LATE_NODES = 0.25
"""Fraction of the playouts from there on, which take longer."""
CONFIRMED = 0.2
"""Fraction of the playouts for the chosen action alone."""
OPTIMISM = 0.3
"""Share of p(1 - p) that playouts promise too much, by 273 games of level 6 against itself; see
docs/lab/2026-11-26-13-minutes-endings.md.
"""
BIAS = 0.08
"""Error that is left in single positions, by 80 games of level 6; see docs/lab/2026-11-30-playout-bias.md."""
MAX_TABLES = 300_000
"""Maximum number of tables examined to solve the ninth card: about 0.3 s."""


@compiled(types.boolean, RULES, STATE, STATE)
def cut(rules: Rules, root: State, state: State) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """Return False: no playout stops before the end."""
    return False


EXPERIENCED = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.20, 0.50, 0.20, 0.05])
"""How often experienced players bid each number of cubes from 0, knowing the worth of playing last: like `rules`."""
LEARNED = 0.2
"""Share of experienced players; the others bid by `USUAL`."""
BIDS = (1 - LEARNED) * USUAL + LEARNED * EXPERIENCED
TRUST = 0.9
"""Share of opponents assumed to bid by `BIDS`; docs/lab has the wins and losses of other shares."""


def is_left(view: State) -> bool:
    """Return True if the decision is the first player."""
    return bool(view.node == Node.FIRST)


def is_late(view: State) -> bool:
    """Return True if the position lies near enough to the end for playouts that search the last cards."""
    return bool(view.turn >= LATE)


def solve(game: Game, view: State, side: int, first: Choice, effort: int) -> tuple[Candidate, ...]:
    """Return all choices in the last two cards with their exact win probabilities; empty before, or beyond the limit.

    Choices of the ninth card that win equally often stay in the order of `rules`.
    """
    if view.turn > NINTH:
        return first.candidates
    if INTERPRETED or view.turn < NINTH or not first.candidates:
        return ()
    actions = [one.action for one in first.candidates]
    values = solve_ninth(game.rules, view, side, actions, effort * MAX_TABLES)
    if values is None:
        return ()
    found = (
        Candidate(action, round(FINEST * value) / FINEST, int(value < -MAX_BY_MARGIN))
        for action, value in zip(actions, values, strict=True)
    )
    return tuple(sorted(found, key=lambda one: (one.danger, -one.value)))


def secret(game: Game, view: State, side: int) -> Answers | None:  # noqa: ARG001 - the shape of a `SearchConfig.secret`
    """Return the bids of both sides, as far as `rules` considers them."""
    if view.node != Node.BID:
        return None
    own, other = (
        [bid_action(each, cubes) for cubes in range(min(int(view.supply[each]), MAX_BID) + 1)]
        for each in (side, 1 - side)
    )
    return Answers(own, other, BIDS[: len(other)].tolist(), TRUST, _terms(len(own), len(other)))


def _terms(own: int, other: int) -> npt.NDArray[np.float64]:
    """Return the terms by which bids that meet are valued.

    Curves of both numbers where the one side plays last, others where the other does; equal bids, which are repeated,
    are all alike.
    """
    mine, theirs = (number.ravel() / MAX_BID for number in np.indices((own, other)))
    curves = np.stack([np.ones_like(mine), mine, mine**2, theirs, theirs**2], axis=1)
    return np.hstack([curves * (mine > theirs)[:, None], curves * (mine < theirs)[:, None], (mine == theirs)[:, None]])


@compiled(types.void, RULES, STATE, types.int64, POINTS)
def score(rules: Rules, state: State, side: int, out: Any) -> None:  # noqa: ARG001 - the shape of a `Score`
    """Write the lead in Prestige, by source."""
    for what in range(len(SCORED)):
        out[what] = state.score[side, what] - state.score[1 - side, what]


class MinutesSearch(SearchPlayer):
    """Search player for 13 Minutes."""

    # The values of `rules` are chances to win.
    method = SearchConfig(
        policy=policy,
        value=value,
        cut=cut,
        prior=RulesPlayer,
        scale=0.5,
        belief=kept,
        deal=deal,
        is_left=is_left,
        solve=solve,
        confirmed=CONFIRMED,
        optimism=OPTIMISM,
        bias=BIAS,
        second=policy_of_rules,
        late=late_playouts.policy,
        is_late=is_late,
        late_nodes=LATE_NODES,
        war=("nuclear", "double_nuclear"),
        score=score,
        scored=SCORED,
        secret=secret,
    )
