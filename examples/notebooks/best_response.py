# %% [markdown]
# # A best response on a small variant
# *Sealed Bids*, the game of `examples/template_game`, with three coins and no secret favourites, is small enough
# to enumerate quickly. How much does an opponent win who knows a player's bidding strategy?

# %%
from collections.abc import Mapping
from importlib.resources import files

from template_game.rules.game import SealedBids

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.record import State
from brinkmanship.lab.diagnostics.best_response import BestResponse

cards = files("template_game").joinpath("cards.toml").read_text("utf-8").replace("coins = 6", "coins = 3")
game = SealedBids.load(DataFile("three-coins.toml", cards.encode()), {"favourites": False})


# %%
def at_random(view: State, side: int) -> Mapping[int, float]:
    """Bid every possible number equally often."""
    legal = game.legal_actions(view, side)
    return dict.fromkeys(legal, 1 / len(legal))


def half(view: State, side: int) -> Mapping[int, float]:
    """Bid half of the coins that are left."""
    legal = game.legal_actions(view, side)
    return {legal[len(legal) // 2]: 1.0}


# %%
exploited = {strategy.__name__: BestResponse(game, strategy).exploitability for strategy in (at_random, half)}
for name, lost in exploited.items():
    print(f"{name}: a best response wins {lost:+.2f} (1: every game)")
