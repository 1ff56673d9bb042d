"""The command ``brink``.

Each command is a module of `commands` and adds itself to `app` when it is loaded. A user's mistake (`BrinkError`)
becomes one line on standard error and exit code 2, without a traceback; Ctrl-C ends a command with exit code 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, TypeVar

import typer

from brinkmanship import __version__
from brinkmanship.cli.help import SpokenCommand, SpokenGroup
from brinkmanship.engine.errors import BrinkError, LocalizedError
from brinkmanship.terminal.words import LANGUAGE_OPTION, LANGUAGE_VARIABLE, checked_language

COMMANDS = {
    "games": "show",
    "cards": "show",
    "rulings": "show",
    "play": "play",
    "replay": "replay",
    "hint": "hint",
    "analyse": "analyse",
    "puzzle": "puzzle",
    "puzzles": "puzzles",
    "serve": "serve",
    "think": "think",
    "admin": "admin",
    "verify": "verify",
    "simulate": "simulate",
    "match": "match",
    "sprt": "match",
    "ladder": "match",
    "balance": "balance",
    "calibrate": "calibrate",
    "exploit": "exploit",
    "wars": "wars",
    "audit": "audit",
    "check": "check",
    "new-game": "new_game",
    "bench": "bench",
    "endure": "endure",
}
"""The module of each command, in the order of the help."""

# Typer brings its own Click from 0.29 on; the root of that one's errors is found through an error that is public.
ClickException: Any = next(error for error in typer.BadParameter.__mro__ if error.__name__ == "ClickException")


class PipeClosedError(Exception):
    """Whoever read the output has had enough, as in ``brink replay FILE --json | head``."""


class _Commands(SpokenGroup):
    def invoke(self, ctx: Any) -> Any:
        """Carry the command out. Seen from outside, Typer has made exit code 1 of a closed pipe."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosedError from error


app = typer.Typer(
    name="brink",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


Function = TypeVar("Function", bound=Callable[..., Any])


def command(*examples: str) -> Callable[[Function], Function]:
    """Make a function a command of ``brink``. What it and its parameters are for says the catalogue; see `help`."""
    return app.command(cls=SpokenCommand, epilog="\n".join(examples))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"brinkmanship {__version__}")
        raise typer.Exit


@app.callback()
def brink(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True)] = False,  # noqa: ARG001
    lang: Annotated[str | None, typer.Option(LANGUAGE_OPTION)] = None,
) -> None:
    """Three crisis games for two, to the letter of their rules: 13 Days, 13 Minutes, Ukrainian Crisis."""
    if lang is not None:
        os.environ[LANGUAGE_VARIABLE] = checked_language(lang)  # for every command that is not told another


def main() -> None:
    """Run the command line."""
    arguments = _after_language(sys.argv[1:])
    if arguments[:1] == ["play"]:
        precompile = import_module("brinkmanship.cli.commands.precompile")
        precompile.begin_to_play(arguments[1:])
    named = [COMMANDS[name] for name in arguments[:1] if name in COMMANDS]
    for module in named or COMMANDS.values():  # each loads what it needs: serving needs no player, playing no server
        import_module(f"brinkmanship.cli.commands.{module}")
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except LocalizedError as error:
        language = import_module("brinkmanship.cli.help").language_of_help()
        print(f"brink: {import_module('brinkmanship.text.errors').told(error, language)}", file=sys.stderr)
        code = 2
    except BrinkError as error:
        print(f"brink: {error}", file=sys.stderr)
        code = 2
    except ClickException as error:
        print(import_module("brinkmanship.cli.usage_errors").told(error), file=sys.stderr)
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        code = 130
    except (PipeClosedError, BrokenPipeError):
        # What is still buffered goes nowhere; else Python would complain about it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _after_language(arguments: list[str]) -> list[str]:
    """The command and what follows it, where ``brink --lang de play`` says the language first."""
    if arguments[:1] == [LANGUAGE_OPTION]:
        return arguments[2:]
    return arguments[1:] if arguments[:1] and arguments[0].startswith(f"{LANGUAGE_OPTION}=") else arguments
