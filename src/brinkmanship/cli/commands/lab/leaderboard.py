"""``brink lab leaderboard``: measure a player against fixed opponents, and print its row for the leaderboard."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from brinkmanship import __version__
from brinkmanship.cli import INTERRUPTED, command, lab_commands
from brinkmanship.cli.commands.lab.match import Contest, Workers, file_in
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import AsJson, make_folder
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
    "brink lab leaderboard ukrainian-crisis --player greedy --save greedy/",
    within=lab_commands,
)
def leaderboard(
    game: GameId,
    player: Annotated[str, typer.Option("--player")],
    pairs: Annotated[int, typer.Option("--pairs", min=1)] = PAIRS,
    workers: Workers = None,
    save: Annotated[Path | None, typer.Option("--save")] = None,
    as_json: AsJson = False,
) -> None:
    """Play the standard ruleset against each fixed opponent, and print the scores with their 95 % intervals.

    Ctrl-C stops early and reports the games played so far; --save stores them, and the same command continues.
    """
    ruleset = load_game(game)
    if save is not None:
        make_folder(save, "--save")
    results: dict[str, MatchResult] = {}
    complete = True
    for opponent in opponents_in(ruleset):
        contest = Contest(ruleset, player, opponent, SEED, workers, file_in(save, player, opponent))
        complete = contest.play(pairs)
        results[opponent] = contest.result
        if not complete:
            break
    _print(ruleset, player, pairs, results, as_json, complete)
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _print(
    game: Game, player: str, pairs: int, results: Mapping[str, MatchResult], as_json: bool, complete: bool
) -> None:
    if as_json:
        head = {"game": game.id, "rules": game.version, "player": player, "pairs": pairs, "seed": SEED}
        scores = {opponent: result.as_json() for opponent, result in results.items()}
        print(json.dumps({**head, "version": __version__, "complete": complete, "scores": scores}))
        return
    if not complete:
        played = ", ".join(f"{result.pairs} against {opponent}" for opponent, result in results.items())
        print(f"Stopped early. Pairs played: {played}.", file=sys.stderr)
    print(f"| {' | '.join([f'{game.id}, rules {game.version}', *results, 'pairs', 'version'])} |")
    print(f"|{'---|' * (len(results) + 3)}")
    print(f"| {' | '.join([f'`{player}`', *map(_score, results.values()), str(pairs), __version__])} |")


def opponents_in(game: Game) -> list[str]:
    """Return the opponents of a game: `random` and some of its levels; without levels all its players."""
    levels = levels_for(game)
    named = [levels[number - 1] for number in LEVELS if number <= len(levels)] if levels else list(players_for(game))
    return ["random", *(name for name in named if name != "random")]


def _score(result: MatchResult) -> str:
    if not result.pairs:
        return "–"
    low, high = result.interval
    return f"{result.total.score:.1%} ({low:.1%}–{high:.1%})"
