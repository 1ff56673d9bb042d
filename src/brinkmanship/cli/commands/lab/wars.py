"""``brink lab wars``: how often a computer player triggers a nuclear war that it could have avoided."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from babel.numbers import format_percent
from rich.console import Console
from rich.text import Text

from brinkmanship.cli import command, lab_commands
from brinkmanship.cli.commands.lab.balance import keep_missing
from brinkmanship.cli.commands.lab.match import TUNING_SEED
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import AsJson, Cards, OptionTexts, chosen_options
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.lab.balance.counterfactual import Trial, named
from brinkmanship.lab.balance.plan import Piece, Plan
from brinkmanship.lab.balance.profile import profile_of
from brinkmanship.lab.balance.runner import run
from brinkmanship.lab.balance.store import Store, about
from brinkmanship.lab.balance.wars import WayOut, holds
from brinkmanship.lab.matches.summary import wilson
from brinkmanship.terminal.words import Language, terminal_words
from brinkmanship.text import Words

MEASURE = "course"
STEP = 20
"""Games per stored piece."""
SHOWN = 5
"""Maximum avoidable wars listed per player."""


@command(
    "brink lab wars 13-days --player level:2 --player level:3 --games 4000 --seed 9000000000",
    "brink lab wars 13-minutes --player search:400n --games 300 --save wars.sqlite --json",
    within=lab_commands,
)
def wars(
    game: GameId,
    player: Annotated[list[str], typer.Option("--player")],
    games: Annotated[int, typer.Option("--games", min=1)] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0)] = TUNING_SEED,
    workers: Annotated[int | None, typer.Option("--workers", min=1)] = None,
    option: OptionTexts = None,
    cards: Cards = None,
    save: Annotated[Path | None, typer.Option("--save")] = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Let computer players play against themselves, and count the nuclear wars that they could have avoided.

    `lab.balance.wars` defines avoidable; each must also hold in more deals, and if the stronger `rules` continues.
    """
    ruleset = load_game(game, cards, chosen_options(option))
    words = terminal_words(ruleset, lang)
    if not profile_of(ruleset).wars:
        raise OptionError(Message("fault.wars.none", {"game": ruleset.title}))
    if len(set(player)) < len(player):
        raise OptionError(Message("fault.balance.players"))
    with TemporaryDirectory() as folder:
        store = Store(
            save or Path(folder) / "wars.sqlite",
            about(ruleset, seed, Plan({name: {MEASURE: games} for name in player})),
        )
        _play(ruleset, store, player, games, seed, workers or os.cpu_count() or 1, words)
        found = [_found(ruleset, store, name, seed) for name in player]
        store.close()
    if as_json:
        print(json.dumps({"game": ruleset.id, "options": dict(ruleset.options), "seed": seed, "players": found}))
        return
    _print(ruleset, found, words)


def _play(game: Game, store: Store, players: list[str], games: int, seed: int, workers: int, words: Words) -> None:
    pieces = [
        Piece(MEASURE, name, first, min(STEP, games - first)) for name in players for first in range(0, games, STEP)
    ]
    keep_missing(store, pieces, lambda missing: run(game, seed, missing, workers), words.text(Message("wars.progress")))


def _found(game: Game, store: Store, name: str, seed: int) -> dict[str, Any]:
    """Return all stored results of a player, including those beyond the requested games."""
    played = next(n for kind, player, n in store.games() if (kind, player) == (MEASURE, name))
    tally, rows = store.read(MEASURE, name)
    trial = Trial(game, named(name, game, seed), seed, 0, played)
    ways = [(number, side, WayOut(*way)) for number, side, *way in rows]
    ways = [each for each in ways if holds(trial, *each)]
    # Both sides may be to blame for a war: count the game once.
    blamed = len({number for number, _, _ in ways})
    return {
        "player": name,
        "games": played,
        "wars": {
            side: {"begun": tally.count(f"war/{side}"), "avoidable": sum(each == number for _, each, _ in ways)}
            for number, side in enumerate(game.sides)
        },
        "avoidable": {"games": blamed, "share": blamed / played, "interval": wilson(blamed, played)},
        "found": [_told(game, *each) for each in ways],
    }


def _told(game: Game, number: int, side: int, way: WayOut) -> dict[str, Any]:
    texts = {"action": game.action_text(way.action), "better": game.action_text(way.better)}
    return {"game": number, "side": game.sides[side], "step": way.step, **texts}


def _print(game: Game, found: list[dict[str, Any]], words: Words) -> None:
    console = Console(highlight=False)
    console.print(Text(words.text(Message(f"game.{game.id}")), "bold"))

    def share(value: float) -> str:
        return format_percent(value, "0.00 %", words.language)

    for each in found:
        avoidable = each["avoidable"]
        low, high = avoidable["interval"]
        said: dict[str, str | int] = {
            "player": each["player"],
            "games": each["games"],
            "wars": sum(side["begun"] for side in each["wars"].values()),
            "n": avoidable["games"],
            "low": share(low),
            "high": share(high),
        }
        console.print(words.text(Message("wars.found", said)), soft_wrap=True)
        for one in each["found"][:SHOWN]:
            where = {**one, "side": words.name("side", one["side"])}
            console.print("  " + words.text(Message("wars.way_out", where)), soft_wrap=True)
