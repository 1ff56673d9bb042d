"""Self-play in PyTorch: one network learns both sides of 13 Minutes by policy gradients, thousands of games at once.

    pip install "brinkmanship[research]" torch
    python examples/research/self_play.py --steps 4000

`VectorGames` steps all games. The network sees the row of the side to act and gives a logit for each action; illegal
ones are masked. When a game ends, every decision of a side in it gets that side's result, less the value that the
network expected (REINFORCE with a baseline), with a bonus for entropy.
"""

import argparse

import numpy as np
import torch
from torch import nn

import brinkmanship as brink
from brinkmanship.research.vector import VectorGames

GAMES = 1024
BATCH = 16_384
ENTROPY = 0.05


class Network(nn.Module):
    """Policy and value of one side from its row."""

    def __init__(self, columns: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(columns, 192), nn.ReLU(), nn.Linear(192, 128), nn.ReLU())
        self.policy, self.value = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, rows: torch.Tensor, masks: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Return the distribution over legal actions, and the expected result, -1..1."""
        seen = self.body(rows)
        logits = self.policy(seen).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(seen).squeeze(-1).tanh()


def learn(network: Network, optimizer: torch.optim.Optimizer, past: list[tuple], device: str) -> None:
    """Make one step of the optimizer for a batch of decisions: row, mask, action, result."""
    rows, masks, actions, results = (torch.from_numpy(np.array(part)).to(device) for part in zip(*past, strict=True))
    distribution, value = network(rows.float(), masks)
    advantage = results - value.detach()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    gain = (distribution.log_prob(actions) * advantage).mean() + ENTROPY * distribution.entropy().mean()
    loss = nn.functional.mse_loss(value, results) - gain
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimizer.step()


def train(game: brink.Game, steps: int, device: str) -> Network:
    """Play and learn for a number of steps of all games."""
    torch.manual_seed(1)
    games = VectorGames(game, GAMES, seed=1, tensors=True)
    network = Network(games.observation.size, game.n_actions).to(device)
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    running: list[list[tuple]] = [[] for _ in range(GAMES)]
    past: list[tuple] = []
    for step in range(steps):
        rows = games.observation.normalised(games.tensors)
        masks, sides = games.masks.copy(), games.sides.copy()
        with torch.no_grad():
            distribution, _ = network(torch.from_numpy(rows).to(device), torch.from_numpy(masks).to(device))
        actions = distribution.sample().cpu().numpy()
        for slot in range(GAMES):
            running[slot].append((rows[slot], masks[slot], actions[slot], sides[slot]))
        games.step(actions)
        for slot in np.flatnonzero(games.over):
            result = games.rewards[slot].astype(np.float32)
            past += [(row, mask, action, result[side]) for row, mask, action, side in running[slot]]
            running[slot] = []
        while len(past) >= BATCH:
            learn(network, optimizer, past[:BATCH], device)
            del past[:BATCH]
        if (step + 1) % 500 == 0:
            print(f"step {step + 1}: {games.finished} games", flush=True)
    return network


def score(game: brink.Game, network: Network, opponent: str, count: int, device: str) -> float:
    """Return the share of points against a computer player on fresh deals, both sides in turn."""
    games = VectorGames(game, 256, seed=9_000_000_000, tensors=True, opponent=opponent)
    points, ended = 0.0, 0
    while ended < count:
        rows = torch.from_numpy(games.observation.normalised(games.tensors)).to(device)
        with torch.no_grad():
            distribution, _ = network(rows, torch.from_numpy(games.masks).to(device))
        games.step(distribution.logits.argmax(-1).cpu().numpy())
        points += float((games.agent_rewards[games.over] + 1).sum() / 2)
        ended += int(games.over.sum())
    return points / ended


def main() -> None:
    """Train, then measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    chosen = parser.parse_args()
    game = brink.load("13-minutes")
    network = train(game, chosen.steps, chosen.device)
    for opponent in ("random", "greedy"):
        print(f"{score(game, network, opponent, 2000, chosen.device):.1%} of the points against {opponent}")


if __name__ == "__main__":
    main()
