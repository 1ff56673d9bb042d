"""Search in 13 Days: playouts of the fast policy to the end of the round, scored by the learned value.

A playout ends before the next escalation, in the last round at the end of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numba import types

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.engine.signatures import POINTS
from brinkmanship.games.cuban.frame import US
from brinkmanship.games.thirteen_days.players.belief import likely_world
from brinkmanship.games.thirteen_days.players.fast import policy
from brinkmanship.games.thirteen_days.players.rules import RulesPlayer
from brinkmanship.games.thirteen_days.players.rules import policy as policy_of_rules
from brinkmanship.games.thirteen_days.players.value import cut, value
from brinkmanship.games.thirteen_days.rules.state import STATE, Node
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules
from brinkmanship.players.matrix_game import Answers
from brinkmanship.players.player import Player
from brinkmanship.players.search import SearchConfig, SearchPlayer

LATE = 2
"""Number of cards played in a round (of eight) from which on a side has fewer than three left after the one in play."""

OPTIMISM = 0.2
"""Share of p(1 - p) that playouts promise too much, by games of level 6 against itself; see
docs/lab/2026-11-26-players.md.
"""
BIAS = 0.09
"""Error that is left in single positions, by 150 games of level 6; see docs/lab/2026-11-30-playout-bias.md."""


def secret(game: Game, view: State, side: int) -> Answers | None:
    """Return the agendas of both sides; which ones were dealt to them is public."""
    if view.node != Node.AGENDA:
        return None
    return Answers(game.legal_actions(view, side), game.legal_actions(view, 1 - side))


def parts(player: Player, seen: Observation, actions: Sequence[int]) -> dict[str, list[float]]:
    """Return the parts of `rules`' evaluation for each choice; at the cut, most is Prestige already, or over."""
    assert isinstance(player, RulesPlayer)
    return player.parts(seen, actions)


def may_recover(view: State) -> bool:
    """Return True if the side to move has three plays of the round left, after the current one."""
    return bool(view.turn < LATE)


@compiled(types.void, RULES, STATE, types.int64, POINTS)
def score(rules: Rules, state: State, side: int, out: Any) -> None:  # noqa: ARG001 - the shape of a `Score`
    """Write the lead in Prestige; at the cut the agendas of the round have been scored."""
    out[0] = state.prestige if side == US else -state.prestige


class DaysSearch(SearchPlayer):
    """Search player of 13 Days."""

    # The values of `rules` are logits: squashed with twice their unit they become chances of winning again.
    method = SearchConfig(
        policy=policy,
        value=value,
        cut=cut,
        prior=RulesPlayer,
        scale=2.0,
        redeal=likely_world,
        may_recover=may_recover,
        optimism=OPTIMISM,
        bias=BIAS,
        second=policy_of_rules,
        war=("nuclear_war", "mutual_nuclear_war"),
        score=score,
        scored=("prestige",),
        parts=parts,
        secret=secret,
    )
