"""13 Minutes in the registry."""

from brinkmanship.games.registry import Kit

KIT = Kit(
    "13-minutes",
    __package__,
    players={"greedy": "greedy.GreedyPlayer", "rules": "rules.RulesPlayer", "search": "search.MinutesSearch"},
    baselines={"fast": "fast_player.MinutesFast", "roll": "baselines.MinutesRoll", "tree": "baselines.MinutesTree"},
)
