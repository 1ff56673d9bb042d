"""The registry entry of 13 Minutes."""

from brinkmanship.games.registry import BenchmarkGoals, Kit

KIT = Kit(
    "13-minutes",
    __package__,
    players={"greedy": "greedy.GreedyPlayer", "rules": "rules.RulesPlayer", "search": "search.MinutesSearch"},
    baselines={"fast": "baselines.MinutesFast", "roll": "baselines.MinutesRoll", "tree": "baselines.MinutesTree"},
    puzzle_players=(("search:100n", "rules"), ("rules", "search:100n"), ("rules", "rules")),
    questions_without_puzzles=("ask.first", "ask.who_first"),
    goals=BenchmarkGoals(games=200_000, state=192, cold_compile=30, interpreted=50),
)
