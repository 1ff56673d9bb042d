"""``brink lab calibrate``: compare predicted winning chances with actual results, as a page or as JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from brinkmanship.cli import INTERRUPTED, command, lab_commands
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import AsJson, Cards, OptionTexts, check_output, chosen_options, unwritable
from brinkmanship.cli.progress import progress
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.lab.balance.plan import REPORT_SEED
from brinkmanship.lab.calibration.forecasts import Found, forecasts, policy_of, together, usual_player
from brinkmanship.lab.calibration.page import about, page, verdicts
from brinkmanship.lab.calibration.page import as_json as data
from brinkmanship.lab.calibration.reliability import all_groups
from brinkmanship.lab.calibration.stated_odds import Bias, Gap, StatedOdds, bias, gap, said
from brinkmanship.players import load_player

PAGES = (".html", ".htm")
STRONGEST = "level:6"
"""The player whose own words are compared by default."""
TRAINED_BELOW = 1_000_000_000
"""Seeds below were used to train the learned values; see docs/develop/players.md."""


@command(
    "brink lab calibrate 13-days --positions 20000 -o page.html",
    "brink lab calibrate ukrainian-crisis --positions 2000 --player greedy -o page.html",
    "brink lab calibrate 13-minutes --positions 20000 --playouts 0 --json",
    "brink lab calibrate 13-minutes --said --positions 300",
    within=lab_commands,
)
def calibrate(
    game: GameId,
    positions: Annotated[int, typer.Option("--positions", min=1)] = 20_000,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    player: Annotated[str | None, typer.Option("--player")] = None,
    playouts: Annotated[int, typer.Option("--playouts", min=0, max=10_000)] = 64,
    seed: Annotated[int, typer.Option("--seed", min=TRAINED_BELOW)] = REPORT_SEED,
    workers: Annotated[int | None, typer.Option("--workers", min=1)] = None,
    of_choices: Annotated[bool, typer.Option("--said")] = False,
    option: OptionTexts = None,
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Compare the predicted winning chances with the results of games not used for training.

    One random position is taken from each game. With --said, a player's games against itself are compared with what it
    says of each of its choices. Ctrl-C stops early and reports the measurements so far.
    """
    if output is not None and output.suffix.lower() not in PAGES:
        raise OptionError(Message("fault.balance.output", {"file": str(output)}))
    check_output(output)  # before the rules are compiled
    ruleset = load_game(game, cards, chosen_options(option))
    if of_choices:
        _compare_said(ruleset, player or STRONGEST, positions, seed, workers or os.cpu_count() or 1, as_json)
        return
    file = output or Path(f"{ruleset.id}-calibration.html")
    if not as_json:
        check_output(file)
    name = player or usual_player(ruleset)
    policy = policy_of(ruleset, name)
    even = playouts + playouts % 2
    pieces: list[Found] = []
    done = 0
    try:
        with progress("positions", positions) as advance:
            for games, found in forecasts(ruleset, policy, positions, seed, even, workers or os.cpu_count() or 1):
                pieces.append(found)
                done += games
                advance(games)
    except KeyboardInterrupt:
        if not pieces:
            raise
        print(f"Stopped early: results of {done} games.", file=sys.stderr)
    about_run = about(ruleset, name, done, seed, even)
    groups = all_groups(together(pieces))
    if output is not None or not as_json:
        try:
            file.write_text(page(ruleset, about_run, groups), "utf-8")
        except OSError as error:
            raise unwritable(file, error) from error
    if as_json:
        print(json.dumps({**data(about_run, groups, ruleset), "complete": done == positions}))
    else:
        for line in verdicts(groups):
            print(line)
        print(f"Written: {file}")
    if done < positions:
        raise typer.Exit(INTERRUPTED)


def _compare_said(game: Game, name: str, count: int, seed: int, workers: int, as_json: bool) -> None:
    """Print what a player says of its choices, less what comes of them, over games against itself."""
    games: list[StatedOdds] = []
    try:
        with progress("games", count) as advance:
            for one in said(game, load_player(name, game, seed), count, seed, workers):
                games.append(one)
                advance(1)
    except KeyboardInterrupt:
        if not games:
            raise
        print(f"Stopped early: results of {len(games)} games.", file=sys.stderr)
    found, of_playouts = gap(games), bias(games)
    if found is None:
        raise OptionError(Message("fault.calibrate.silent", {"name": name}))
    quoted = {
        "hints": gap([one.of_hints() for one in games]),
        "analyses": gap([one.of_analyses() for one in games]),
    }
    if as_json:
        more = {kind: each and each.as_json() for kind, each in (*quoted.items(), ("bias", of_playouts))}
        print(json.dumps({"game": game.id, "player": name, "seed": seed, **found.as_json(), **more}))
    else:
        print(f"{name} against itself, {found.games} games, {found.decisions} decisions:")
        print(_said(found))
        for kind, each in quoted.items():
            if each is not None and each.excess is not None and each.excess_margin is not None:
                beside = f"{100 * each.excess:+.1f} ± {100 * each.excess_margin:.1f} beside {name}"
                print(f"{kind}, {each.decisions} of these choices: {_said(each)}; {beside}")
        if of_playouts is not None:
            _print_bias(of_playouts)
    if len(games) < count:
        raise typer.Exit(INTERRUPTED)


def _said(found: Gap) -> str:
    predicted, happened, difference, margin = (
        100 * value for value in (found.predicted, found.happened, found.difference, found.margin)
    )
    return f"said {predicted:.1f}, made {happened:.1f}: {difference:+.1f} ± {margin:.1f} points of 100"


def _print_bias(found: Bias) -> None:
    points = 100**2  # squares are of points of 100
    print(f"{found.decisions} choices by playouts and by playouts of rules to the end of the game:")
    print(f"mean square distance {points * found.square:.0f} ± {points * found.square_margin:.0f}")
    print(f"of which the results of the games share {points * found.shared:.0f} ± {points * found.shared_margin:.0f}")
    print(f"error of a single win probability: {100 * found.error:.1f} points, if both err alike")
