# %% [markdown]
# # A balance question, answered
# When the fast policy plays both sides of 13 Minutes, the US scores about 60 points out of 100. Is the US stronger, or
# does it only bid more for the last word? Counting how often the side with the last word wins would confuse the two: a
# side that bids more has a hand that is worth it. So each deal is continued twice after the bids, once with either side
# going last.

# %%
import numpy as np

import brinkmanship as brink
from brinkmanship.lab.balance.counterfactual import Branches, PlayedGame, Trial

game = brink.load("13-minutes")
trial = Trial(game, brink.load_player("fast", game, seed=1), seed=9_300_000_000, first=0, games=1500)

# %%
branches, bidders = Branches(trial), []
for number in trial.numbers:
    table = PlayedGame(trial, number)
    while not trial.profile.asks_order(table.state):
        table.step()
    bidders.append(table.actor)
    for first in game.sides:
        state = game.after(table.state, f"first {first}", table.actor)
        branches.add(state, table.chance, number)
scores = 100 * np.array(branches.scores()).reshape(-1, 2)  # score of the US: going first, going last

# %%
bidder = np.array(bidders)
played = np.where(bidder == 0, scores[:, 1], scores[:, 0]).mean()
print(
    f"the US bids more in {100 * (bidder == 0).mean():.0f} of 100 games; if the bidder goes last it makes {played:.0f}"
)
even = scores.mean()
print(
    f"on the same deals it makes {scores[:, 1].mean():.0f} going last, {scores[:, 0].mean():.0f} going first,", end=" "
)
print(f"{even:.0f} if a coin decides")
