"""Train MaskablePPO of sb3-contrib as the US in 13 Minutes against random play, then measure it on fresh games.

    pip install "brinkmanship[research]" sb3-contrib
    python examples/research/maskable_ppo.py --steps 60000

The environment needs no wrapper: it has `action_masks()`, and rows of small floats with ``normalised=True``.
"""

import argparse

import gymnasium
from sb3_contrib import MaskablePPO

import brinkmanship.research.gymnasium_env  # noqa: F401 - registers the games


def score(model: MaskablePPO, env: gymnasium.Env, games: int) -> float:
    """Return the share of points in new games: a win is 1, a draw 1/2."""
    points = 0.0
    for number in range(games):
        row, _ = env.reset(seed=9_000_000_000 + number)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(row, action_masks=env.unwrapped.action_masks(), deterministic=True)
            row, reward, over, _, _ = env.step(action)
        points += (reward + 1) / 2
    return points / games


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--games", type=int, default=400)
    chosen = parser.parse_args()
    env = gymnasium.make("brinkmanship/13-minutes-v0", side="us", opponent="random", normalised=True)
    model = MaskablePPO("MlpPolicy", env, seed=1, n_steps=1024, ent_coef=0.02, verbose=0, device="cpu")
    print(f"before: {score(model, env, chosen.games):.1%} of the points")
    model.learn(chosen.steps)
    print(f"after {chosen.steps} steps: {score(model, env, chosen.games):.1%} of the points")


if __name__ == "__main__":
    main()
