"""The registry entry of Ukrainian Crisis."""

from brinkmanship.games.registry import BenchmarkGoals, Kit

KIT = Kit(
    "ukrainian-crisis",
    __package__,
    players={"greedy": "greedy.GreedyPlayer", "rules": "rules.RulesPlayer", "search": "search.CrisisSearch"},
    zero_sum=True,
    compares_by_cut_playouts=True,
    puzzle_players=(("rules", "rules"), ("rules~0.95", "rules"), ("rules", "rules~0.95")),
    goals=BenchmarkGoals(games=10_000, state=512, cold_compile=40, interpreted=5),
)
