"""The quick player of the layer, and search with its playouts."""

from brinkmanship.games.card_driven.players import QuickPlayer, search_in
from brinkmanship.players.search import SearchPlayer
from salt_and_amber.rules.game import SaltAndAmber


class Quick(QuickPlayer):
    """The quick policy of the layer with the outlook of the game."""

    name = "quick"
    compiled_policy = staticmethod(SaltAndAmber.functions.policy)


class Search(SearchPlayer):
    """Search with playouts to the end of the game."""

    method = search_in(SaltAndAmber, Quick)
