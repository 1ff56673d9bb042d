"""``brink game check``: test the properties required of every game, for game authors."""

from __future__ import annotations

import json
from pathlib import Path
from traceback import extract_tb
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from brinkmanship.cli import command, game_commands
from brinkmanship.cli.commands.show import GameId, title_of
from brinkmanship.cli.options import AsJson, Cards, OptionTexts, chosen_options
from brinkmanship.cli.progress import progress
from brinkmanship.engine.errors import BrinkError, LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Argument, Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import load_game
from brinkmanship.terminal.words import Language, program_words
from brinkmanship.testing import PROPERTIES, Fault, find_fault
from brinkmanship.text import Words

SHOWN = 6
"""Actions shown before a fault; ``--json`` has all of them."""


class Finding(NamedTuple):
    """Result of checking one property."""

    property: str
    positions: int
    """Number of positions checked."""
    fault: Fault | None
    """The first fault found."""

    def as_json(self) -> dict[str, Any]:
        """Return the finding for JSON."""
        fault = self.fault._asdict() if self.fault else None
        return {"property": self.property, "passed": fault is None, "positions": self.positions, "fault": fault}


@command("brink game check sealed-bids", "brink game check 13-days --games 200 --seed 7 --json", within=game_commands)
def check(
    game: GameId,
    games: Annotated[int, typer.Option("--games", min=1)] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 1,
    option: OptionTexts = None,
    cards: Cards = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Play random games and check in each position the properties required of every game.

    Exit code 1 if a property is violated.
    """
    words = program_words(lang)
    ruleset = _loaded(game, cards, chosen_options(option))
    findings = _findings(ruleset, games, seed)
    is_passed = all(finding.fault is None for finding in findings)
    if as_json:
        properties = [finding.as_json() for finding in findings]
        print(json.dumps({"game": game, "games": games, "seed": seed, "passed": is_passed, "properties": properties}))
    else:
        _print(title_of(words, game), findings, games, seed, words)
    if not is_passed:
        raise typer.Exit(1)


def _loaded(game_id: str, cards: Path | None, options: dict[str, OptionValue]) -> Game:
    """Return the ruleset.

    Raises:
        BrinkError: there is none, or its code cannot be imported; the message names the location.
    """
    try:
        return load_game(game_id, cards, options)
    except BrinkError:
        raise
    except Exception as error:  # code under development may raise anything
        last = extract_tb(error.__traceback__)[-1]
        place = f"{last.filename}:{last.lineno}"
        why = f"{type(error).__name__}: {error}"
        raise LocalizedError(
            Message("fault.command.load_rules", {"name": game_id, "place": place, "why": why})
        ) from error


def _findings(game: Game, games: int, seed: int) -> list[Finding]:
    findings = []
    with progress(game.id, len(PROPERTIES) * games) as advance:
        for name, holds in PROPERTIES.items():
            positions, fault = 0, None
            for number in range(games):
                seen, fault = find_fault(game, holds, number, seed)
                positions += seen
                if fault:
                    advance(games - number)
                    break
                advance(1)
            findings.append(Finding(name, positions, fault))
    return findings


def _print(title: str, findings: list[Finding], games: int, seed: int, words: Words) -> None:
    console = Console(highlight=False)

    def say(key: str, indent: str = "", style: str = "", **said: Argument) -> None:
        console.print(Text(indent + words.text(Message(f"check.{key}", said)), style), soft_wrap=True)

    console.print(Text(title, "bold"))
    say("played", games=games, seed=seed)
    for finding in findings:
        promise = words.text(Message(f"check.property.{finding.property}"))
        if finding.fault is None:
            key = "passed" if finding.positions else "absent"
            say(key, property=finding.property, promise=promise, positions=finding.positions)
            continue
        fault = finding.fault
        say("failed", style="bold", property=finding.property, promise=promise)
        console.print(Text("    " + fault.what), soft_wrap=True)
        say("place", "    ", seed=fault.seed, game=fault.game, taken=len(fault.position))
        if fault.position:
            actions = " · ".join(fault.position[-SHOWN:])
            say("before", "    ", actions=f"… · {actions}" if len(fault.position) > SHOWN else actions)
        if fault.move:
            say("move", "    ", action=fault.move)
        if fault.state:
            say("position", "    ", state=json.dumps(fault.state, ensure_ascii=False))
    failed = sum(finding.fault is not None for finding in findings)
    say("some_failed" if failed else "all_passed", style="bold", failed=failed, n=len(findings))
