"""Search in 13 Days: the fast policy plays on to the end of the round, before the next escalation, where the learned
value says what came of it; in the last round to the end of the game."""

from __future__ import annotations

from brinkmanship.engine.game import Game, State
from brinkmanship.games.thirteen_days.state import Node
from brinkmanship.players.search import Method, SearchPlayer
from brinkmanship.players.secret import Answers
from brinkmanship.players.thirteen_days.fast import policy
from brinkmanship.players.thirteen_days.rules import RulesPlayer
from brinkmanship.players.thirteen_days.value import cut, value


def secret(game: Game, view: State, side: int) -> Answers | None:
    """The agendas of both sides: which ones they were dealt is public."""
    if view.node != Node.AGENDA:
        return None
    return Answers(game.legal_actions(view, side), game.legal_actions(view, 1 - side))


class DaysSearch(SearchPlayer):
    """Search for 13 Days."""

    # The values of `rules` are logits: squashed with twice their unit they are chances to win again.
    method = Method(
        policy=policy,
        value=value,
        cut=cut,
        prior=RulesPlayer,
        scale=2.0,
        war=("nuclear_war", "mutual_nuclear_war"),
        secret=secret,
    )
