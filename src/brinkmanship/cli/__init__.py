"""The command ``brink``.

Each command is a module of this package that adds itself to `app`. What a person did wrong (`BrinkError`) becomes one
line on standard error and exit code 2, without a traceback; Ctrl-C ends a command with exit code 130.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from brinkmanship import __version__
from brinkmanship.engine.errors import BrinkError

COMMANDS = ("show", "play", "replay", "serve", "verify", "simulate", "bench")
"""The modules with commands, in the order of the help."""

# Typer brings its own Click from 0.29 on; the root of that one's errors is found through an error that is public.
ClickException: Any = next(error for error in typer.BadParameter.__mro__ if error.__name__ == "ClickException")


class PipeClosedError(Exception):
    """Whoever read the output has had enough, as in ``brink replay FILE --json | head``."""


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        """Carry the command out. Seen from outside, Typer has made exit code 1 of a closed pipe."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosedError from error


app = typer.Typer(
    name="brink",
    cls=_Commands,
    help="Crisis games on your computer: 13 Days, played to the letter of its rules.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"brinkmanship {__version__}")
        raise typer.Exit


@app.callback()
def brink(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Show the version."),
) -> None:
    """Crisis games on your computer: 13 Days, played to the letter of its rules."""


def main() -> None:
    """Run the command line."""
    for command in COMMANDS:
        import_module(f"brinkmanship.cli.{command}")
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except BrinkError as error:
        print(f"brink: {error}", file=sys.stderr)
        code = 2
    except ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        code = 130
    except (PipeClosedError, BrokenPipeError):
        # What is still buffered goes nowhere; else Python would complain about it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
