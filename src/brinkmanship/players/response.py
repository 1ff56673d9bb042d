"""Local best response: a search that assumes how both sides play on, to measure how far a player can be exploited.

It looks one decision ahead: each candidate is played out to the end of the game by the policy of the player to be
exploited, and what wins most is chosen. What it scores beyond one half is a lower bound of what that player can lose;
a lower score proves nothing. The idea is that of Lisý, Bowling, "Equilibrium Approximation Quality of Current No-Limit
Poker Bots" (2017); there the other side's hidden cards are weighed by its policy, here as search weighs them.
"""

from __future__ import annotations

from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.playout import Policy
from brinkmanship.players import load_player
from brinkmanship.players.budget import Budget
from brinkmanship.players.player import Player
from brinkmanship.players.search import SearchPlayer, never, no_secret, unsolved

SHORTLIST = 12
"""Maximum candidates tried: an answer to a habit may look poor to the quick player."""


class ResponseError(BrinkError, ValueError):
    """A game has no search that could answer a player."""


def response_to(search: SearchPlayer, policy: Policy) -> SearchPlayer:
    """Return a local best response to a policy, with the budget of a search.

    Secret choices and endings are no exception: the other side's policy answers them too.

    Args:
        search: the search player of the game.
        policy: compiled; plays both sides in playouts.
    """
    response = search.with_one_policy(policy).to_the_end()
    response.method = response.method._replace(
        shortlist=SHORTLIST, secret=no_secret, solve=unsolved, is_left=never, caution=0.0, confirmed=0.0, optimism=0.0
    )
    return response


def load_response(player: Player, budget: Budget, seed: int | None = None) -> SearchPlayer:
    """Return a local best response to a player of its game.

    A player that has no compiled policy, such as a level, is assumed to play like the quick player of search.

    Args:
        player: the player to be exploited.
        budget: the budget of the search.
        seed: seed of its own random numbers.

    Raises:
        ResponseError: the game has no search with a compiled quick player.
        UnknownPlayerError: the game has no search.
    """
    game = player.game
    search = load_player(f"search:{budget}", game, seed)
    if not isinstance(search, SearchPlayer):
        raise ResponseError(f"the player `search` of {game.title} is not a SearchPlayer")
    policy = player.policy or search.method.prior(game, 0).policy
    if policy is None:
        raise ResponseError(f"neither {player.name} nor the quick player of search in {game.title} has a policy")
    return response_to(search, policy)
