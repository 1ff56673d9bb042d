"""``brink lab leaderboard``: measure a player against fixed opponents, and print its row for the leaderboard."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from brinkmanship import __version__
from brinkmanship.cli import command, lab_commands
from brinkmanship.cli.commands.lab.match import Contest, Workers
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import AsJson
from brinkmanship.engine.game import Game
from brinkmanship.games.registry import load_game
from brinkmanship.lab.matches.match import MatchResult
from brinkmanship.players import levels_for, players_for

SEED = 7_000_000_000
"""First seed of the deals of the leaderboard; no player is trained or tuned on them."""
PAIRS = 100
"""Pairs of games against each opponent."""
LEVELS = (1, 3, 5)
"""Levels that are opponents beside `random`; the highest ones think too long for many games."""


@command(
    "brink lab leaderboard 13-days --player 'cmd:python my_agent.py'",
    "brink lab leaderboard 13-minutes --player greedy --pairs 400 --json",
    within=lab_commands,
)
def leaderboard(
    game: GameId,
    player: Annotated[str, typer.Option("--player")],
    pairs: Annotated[int, typer.Option("--pairs", min=1)] = PAIRS,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Play the standard ruleset against each fixed opponent, and print the scores with their 95 % intervals."""
    ruleset = load_game(game)
    results: dict[str, MatchResult] = {}
    for opponent in opponents_in(ruleset):
        contest = Contest(ruleset, player, opponent, SEED, workers, None)
        if not contest.play(pairs):
            raise KeyboardInterrupt
        results[opponent] = contest.result
    head = {"game": ruleset.id, "rules": ruleset.version, "player": player, "pairs": pairs, "seed": SEED}
    if as_json:
        print(json.dumps({**head, "version": __version__, "scores": {a: b.as_json() for a, b in results.items()}}))
        return
    print(f"| {' | '.join([f'{ruleset.id}, rules {ruleset.version}', *results, 'pairs', 'version'])} |")
    print(f"|{'---|' * (len(results) + 3)}")
    print(f"| {' | '.join([f'`{player}`', *map(_score, results.values()), str(pairs), __version__])} |")


def opponents_in(game: Game) -> list[str]:
    """Return the opponents of a game: `random` and some of its levels; without levels all its players."""
    levels = levels_for(game)
    named = [levels[number - 1] for number in LEVELS if number <= len(levels)] if levels else list(players_for(game))
    return ["random", *(name for name in named if name != "random")]


def _score(result: MatchResult) -> str:
    low, high = result.interval
    return f"{result.total.score:.1%} ({low:.1%}–{high:.1%})"
