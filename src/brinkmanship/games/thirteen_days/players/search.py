"""Search in 13 Days: the fast policy plays on to the end of the round, before the next escalation, where the learned
value says what came of it; in the last round to the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numba import types

from brinkmanship.engine.contract import POINTS
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.frame import US
from brinkmanship.games.thirteen_days.players.belief import likely_world
from brinkmanship.games.thirteen_days.players.fast import policy
from brinkmanship.games.thirteen_days.players.rules import RulesPlayer
from brinkmanship.games.thirteen_days.players.value import cut, value
from brinkmanship.games.thirteen_days.rules.state import STATE, Node
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules
from brinkmanship.players.matrix_game import Answers
from brinkmanship.players.player import Player
from brinkmanship.players.search import SearchConfig, SearchPlayer

LATE = 2
"""Of the eight cards of a round: from the third on a side has less than three left after the one in play."""


def secret(game: Game, view: State, side: int) -> Answers | None:
    """The agendas of both sides: which ones they were dealt is public."""
    if view.node != Node.AGENDA:
        return None
    return Answers(game.legal_actions(view, side), game.legal_actions(view, 1 - side))


def parts(player: Player, seen: Observation, actions: Sequence[int]) -> dict[str, list[float]]:
    """What `rules` counts on with each answer; where playouts stop most of it has become Prestige, or is over."""
    assert isinstance(player, RulesPlayer)
    return player.parts(seen, actions)


def may_recover(view: State) -> bool:
    """Whether the side that is asked has three plays of the round left, after the one that it is asked in."""
    return bool(view.turn < LATE)


@compiled(types.void, RULES, STATE, types.int64, POINTS)
def score(rules: Rules, state: State, side: int, out: Any) -> None:  # noqa: ARG001 - the shape of a `Score`
    """The lead in Prestige: at the cut the agendas of the round are counted."""
    out[0] = state.prestige if side == US else -state.prestige


class DaysSearch(SearchPlayer):
    """Search for 13 Days."""

    # The values of `rules` are logits: squashed with twice their unit they are chances to win again.
    method = SearchConfig(
        policy=policy,
        value=value,
        cut=cut,
        prior=RulesPlayer,
        scale=2.0,
        redeal=likely_world,
        may_recover=may_recover,
        war=("nuclear_war", "mutual_nuclear_war"),
        score=score,
        scored=("prestige",),
        parts=parts,
        secret=secret,
    )
