"""``brink lab audit``: check that a computer player is honest, deterministic and fast."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from brinkmanship.cli import command, lab_commands
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import AsJson, Cards, OptionTexts, chosen_options
from brinkmanship.cli.progress import progress
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.lab.diagnostics.audit import Audit, Examination, courses, examine
from brinkmanship.players import load_player, players_for
from brinkmanship.text import words_for

FAULTS = {
    "action": "another action with other hidden cards",
    "numbers": "other numbers with other hidden cards",
    "reason": "another reason with other hidden cards",
    "twice": "a different choice when asked again",
}
"""Display names of faults."""

SHOWN = 5
"""Maximum faults listed."""


@command(
    "brink lab audit 13-days --player greedy --positions 20000",
    "brink lab audit 13-minutes --player search:0.3s --positions 500 --nodes 48 --json",
    within=lab_commands,
)
def audit(
    game: GameId,
    player: Annotated[str, typer.Option("--player")],
    positions: Annotated[int, typer.Option("--positions", min=1)] = 200,
    histories: Annotated[int, typer.Option("--histories", min=1)] = 2,
    nodes: Annotated[int, typer.Option("--nodes", min=1)] = 32,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 1,
    option: OptionTexts = None,
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Ask a computer player in games that its side cannot distinguish: it must choose the same in all of them.

    Each game is played again with other hidden cards, up to --histories times, each time in a process of its own. All
    use the same random numbers and the given number of nodes; action, numbers and reason are compared. Then the player
    is timed with its own budget. Exit code 1 if a fault is found.
    """
    ruleset = load_game(game, cards, chosen_options(option))
    found = _audited(ruleset, player, positions, histories, nodes, seed)
    if as_json:
        print(json.dumps({"game": ruleset.id, "player": player, "nodes": nodes, "seed": seed, **found.as_json()}))
    else:
        _print(ruleset, player, found)
    if not found.is_passed:
        raise typer.Exit(1)


def _audited(game: Game, name: str, positions: int, histories: int, nodes: int, seed: int) -> Audit:
    quick = "greedy" if "greedy" in players_for(game) else "random"
    reaching = (load_player(quick, game), load_player("random", game))
    found: list[Examination] = []
    done = 0
    with progress(name, positions) as advance:
        games = courses(game, reaching, seed, histories)
        for each in examine(game, partial(load_player, name), games, histories, nodes, seed):
            found.append(each)
            done += each.positions
            advance(each.positions)
            if done >= positions:
                break
    return Audit.of(found)


def _print(game: Game, name: str, found: Audit) -> None:
    console, words = Console(highlight=False), words_for(game, "en")
    console.print(Text(words.text(Message(f"game.{game.id}")), "bold"))
    verdict = "knows nothing that its side does not know" if found.is_passed else "fails in some positions"
    counts = f"{found.positions} positions, {found.hidden} of them with other hidden cards"
    console.print(f"{name} {verdict}: {counts}", soft_wrap=True)
    for place in found.faults[:SHOWN]:
        side = words.name("side", game.sides[place.side])
        where = f"game {place.number}, after {place.entries} entries, {side}"
        console.print(f"  {FAULTS[place.fault]} ({where})", soft_wrap=True)
    half, most, longest = (1000 * found.latency(share) for share in (0.5, 0.95, 1.0))
    console.print(
        f"A decision takes {half:,.2f} ms (half of them), {most:,.2f} ms (95% of them), at most {longest:,.2f} ms",
        soft_wrap=True,
    )
