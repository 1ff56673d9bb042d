"""Registry entry of 13 Days."""

from brinkmanship.games.registry import BenchmarkGoals, Kit

KIT = Kit(
    "13-days",
    __package__,
    players={"greedy": "greedy.GreedyPlayer", "rules": "rules.RulesPlayer", "search": "search.DaysSearch"},
    baselines={"fast": "fast.FastPlayer", "roll": "baselines.DaysRoll", "tree": "baselines.DaysTree"},
    puzzle_players=(("search:120n", "rules"), ("rules", "search:120n"), ("search:120n", "search:120n")),
    goals=BenchmarkGoals(games=100_000, state=320, cold_compile=30, interpreted=50),
)
