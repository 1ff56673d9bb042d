"""Computer players of card-driven games: the quick policy of the layer, and the settings of a search with it."""

from __future__ import annotations

from brinkmanship.games.card_driven.rules.ruleset import CardDrivenGame
from brinkmanship.players.policy_player import PolicyPlayer
from brinkmanship.players.search import SearchConfig


class QuickPlayer(PolicyPlayer):
    """Play any card, and make the change of the board that promises most; see `rules.policy`.

    A game's subclass sets `compiled_policy`.
    """


def search_in(game: type[CardDrivenGame], prior: type[QuickPlayer]) -> SearchConfig:
    """Return the settings of a search that tries every choice, with playouts to the end of the game."""
    functions = game.functions
    return SearchConfig(
        policy=functions.policy,
        value=functions.value,
        cut=functions.cut,
        prior=prior,
        scale=1.0,
        shortlist=game.max_legal,
        weight=1.0,
    )
