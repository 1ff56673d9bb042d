"""Ukrainian Crisis in the registry."""

from brinkmanship.games.registry import Kit

KIT = Kit(
    "ukrainian-crisis",
    __package__,
    players={"greedy": "greedy.GreedyPlayer", "rules": "rules.RulesPlayer", "search": "search.CrisisSearch"},
)
