"""Options several commands share, and how their texts are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue

OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
    ),
]
Cards = Annotated[
    Path | None,
    typer.Option(
        "--cards",
        "--scenario",
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", min=0)]
AsJson = Annotated[bool, typer.Option("--json")]


def name_and_value(text: str, what: str) -> tuple[str, str]:
    """Split ``name=value``; `what` names the command line option for the error.

    Raises:
        OptionError: there is no "=" in it.
    """
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise OptionError(f"{what} takes NAME=VALUE, not {text!r}")
    return name.strip(), value.strip()


def chosen_options(texts: list[str] | None) -> dict[str, OptionValue]:
    """The options of a ruleset from the command line's NAME=VALUE texts.

    Raises:
        OptionError: not of that form, or one option named twice.
    """
    chosen: dict[str, OptionValue] = {}
    for text in texts or ():
        name, value = name_and_value(text, "--option")
        if name in chosen:
            raise OptionError(f"option {name} is given twice")
        chosen[name] = value
    return chosen


def side_number(game: Game, name: str) -> int:
    """The number of a side from its name.

    Raises:
        OptionError: the game has no such side.
    """
    if name not in game.sides:
        raise OptionError(f"{game.title} has no side {name!r}; its sides are {' and '.join(game.sides)}")
    return game.sides.index(name)
