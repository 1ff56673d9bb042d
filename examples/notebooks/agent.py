# %% [markdown]
# # An agent in 30 lines
# A table of the value of each action of 13 Minutes for the US, learned against random play. It knows nothing about
# the position, and still learns that some cards and bids are better than others.

# %%
import numpy as np

import brinkmanship as brink
from brinkmanship.research.vector import VectorGames

game = brink.load("13-minutes")
games = VectorGames(game, 250, seed=1)
random = np.random.default_rng(1)
value, tried = np.zeros(game.n_actions), np.ones(game.n_actions)
taken = np.zeros((250, game.n_actions), bool)


# %%
def play(count: int, explore: float) -> float:
    """Play `count` games by the learned values, exploring at random; return the mean reward, -1 to 1."""
    rewards: list[float] = []
    while len(rewards) < count:
        actions = games.random_actions()
        known = np.where(games.masks, value, -np.inf).argmax(axis=1)
        us = games.sides == 0
        sure = us & (random.random(250) >= explore)
        actions[sure] = known[sure]
        taken[us, actions[us]] = True
        games.step(actions)
        for slot in np.flatnonzero(games.over):
            own, reward = taken[slot], games.rewards[slot, 0]
            tried[own] += 1
            value[own] += (reward - value[own]) / tried[own]
            own[:] = False
            rewards.append(reward)
    return float(np.mean(rewards))


# %%
before, _, after = play(1000, explore=1.0), play(2000, explore=0.2), play(1000, explore=0.0)
print(f"mean reward at random {before:+.2f}, learned {after:+.2f}")
