"""13 Days in the registry."""

from brinkmanship.games.registry import Kit

KIT = Kit(
    "13-days",
    __package__,
    players={"greedy": "greedy.GreedyPlayer", "rules": "rules.RulesPlayer", "search": "search.DaysSearch"},
    baselines={"fast": "fast.FastPlayer", "roll": "baselines.DaysRoll", "tree": "baselines.DaysTree"},
)
