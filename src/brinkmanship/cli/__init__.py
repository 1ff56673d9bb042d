"""The command ``brink``.

Each command is a module of `commands` and registers itself with `app` when it is imported. A user error (`BrinkError`)
becomes one line on standard error and exit code 2, without a traceback; Ctrl-C ends a command with exit code 130.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Annotated, Any, TypeVar

import typer

from brinkmanship import __version__
from brinkmanship.cli.help import SpokenCommand, SpokenGroup
from brinkmanship.engine.errors import BrinkError, LocalizedError, OptionError
from brinkmanship.engine.message import Message
from brinkmanship.terminal.words import LANGUAGE_OPTION, LANGUAGE_VARIABLE, checked_language, language_of_locale

COMMANDS = {
    "games": "show",
    "play": "play",
    "record": "record",
    "replay": "replay",
    "hint": "hint",
    "analyse": "analyse",
    "puzzle": "puzzle",
    "verify": "verify",
    "cards": "show",
    "print": "print",
    "rulings": "show",
    "serve": "serve",
    "server run": "serve",
    "server worker": "server.worker",
    "server admin": "server.admin",
    "lab simulate": "lab.simulate",
    "lab match": "lab.match",
    "lab sprt": "lab.match",
    "lab ladder": "lab.match",
    "lab leaderboard": "lab.leaderboard",
    "lab export": "lab.export",
    "lab balance": "lab.balance",
    "lab calibrate": "lab.calibrate",
    "lab exploit": "lab.exploit",
    "lab wars": "lab.wars",
    "lab audit": "lab.audit",
    "lab puzzles": "lab.puzzles",
    "lab train": "lab.train",
    "game new": "game.new",
    "game check": "game.check",
    "bench": "bench",
}
"""Module of each command, in the order of the help."""

ONLY_HELP: tuple[list[str], ...] = ([], ["-h"], ["--help"])
"""Arguments that show the list of commands and nothing else."""

MOVED = {
    "think": "brink server worker",
    "admin": "brink server admin",
    "simulate": "brink lab simulate",
    "match": "brink lab match",
    "sprt": "brink lab sprt",
    "ladder": "brink lab ladder",
    "balance": "brink lab balance",
    "calibrate": "brink lab calibrate",
    "exploit": "brink lab exploit",
    "wars": "brink lab wars",
    "audit": "brink lab audit",
    "puzzles": "brink lab puzzles",
    "check": "brink game check",
    "new-game": "brink game new",
    "endure": "python -m benchmarks soak",
    "bench --web": "python -m benchmarks web",
    "bench --pages": "python -m benchmarks pages",
    "bench --archive": "python -m benchmarks archive",
}
"""Commands renamed after version 0.1, some with an option, and their new names for the error message.

The server benchmarks are not part of the package: they run from a checkout.
"""

# Typer bundles its own Click from 0.29 on; the base class of its errors is found through a public error.
ClickException: Any = next(error for error in typer.BadParameter.__mro__ if error.__name__ == "ClickException")


class PipeClosedError(Exception):
    """The viewer closed the output pipe, e.g. ``brink replay FILE --json | head``."""


class _Commands(SpokenGroup):
    def invoke(self, ctx: Any) -> Any:
        """Run the command, and report a closed pipe, which Typer would turn into exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosedError from error

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of `COMMANDS`; Typer would list groups before commands."""
        order = [name.partition(" ")[0] for name in COMMANDS]
        return sorted(super().list_commands(ctx), key=order.index)


INTERRUPTED = 130
"""Exit code after Ctrl-C, as of any program that SIGINT ends (128 + 2)."""

app = typer.Typer(
    name="brink",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def group(name: str, parent: typer.Typer = app) -> typer.Typer:
    """Add a group of commands to ``brink``, or to another group."""
    made = typer.Typer(name=name, cls=SpokenGroup, no_args_is_help=True, rich_markup_mode="rich")
    parent.add_typer(made, name=name)
    return made


lab_commands, server_commands, game_commands = group("lab"), group("server"), group("game")

Function = TypeVar("Function", bound=Callable[..., Any])


def command(*examples: str, within: typer.Typer = app, name: str | None = None) -> Callable[[Function], Function]:
    """Register a function as a command of ``brink`` or of one of its groups, under its own name or another one.

    The catalogue has the help texts of the command and its parameters; see `help`.
    """
    return within.command(name, cls=SpokenCommand, epilog="\n".join(examples))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"brinkmanship {__version__}")
        raise typer.Exit


@app.callback()
def brink(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True)] = False,  # noqa: ARG001
    lang: Annotated[str | None, typer.Option(LANGUAGE_OPTION)] = None,
) -> None:
    """Play three crisis games for two, exactly by their rules: 13 Days, 13 Minutes, Ukrainian Crisis."""
    if lang is not None:
        os.environ[LANGUAGE_VARIABLE] = checked_language(lang)  # default for commands without --lang


def main() -> None:
    """Run the command line."""
    if (language := language_of_locale()) is not None:
        os.environ.setdefault(LANGUAGE_VARIABLE, language)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a letter shows "?"
    arguments = _after_language(sys.argv[1:])
    if arguments[:1] == ["play"]:
        precompile = import_module("brinkmanship.cli.commands.precompile")
        precompile.begin_to_play(arguments[1:])
    try:
        _refuse_old_name(arguments)
        code = _list_names() if arguments in ONLY_HELP else _run(arguments)
        sys.stdout.flush()
    except LocalizedError as error:
        language = import_module("brinkmanship.cli.help").language_of_help()
        print(f"brink: {import_module('brinkmanship.text.errors').error_text(error, language)}", file=sys.stderr)
        code = 2
    except BrinkError as error:
        print(f"brink: {error}", file=sys.stderr)
        code = 2
    except ClickException as error:
        print(import_module("brinkmanship.cli.usage_errors").usage_error_text(error), file=sys.stderr)
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        code = INTERRUPTED
    except (PipeClosedError, BrokenPipeError):
        # Discard buffered output; otherwise Python reports an error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _after_language(arguments: list[str]) -> list[str]:
    """Return the arguments from the command on, without a leading ``--lang de``."""
    if arguments[:1] == [LANGUAGE_OPTION]:
        return arguments[2:]
    return arguments[1:] if arguments[:1] and arguments[0].startswith(f"{LANGUAGE_OPTION}=") else arguments


def _modules(arguments: list[str]) -> Iterable[str]:
    """Return the modules of the command or group named by the arguments, otherwise all.

    Each module imports only what it needs: the server needs no player, playing needs no server.
    """
    for name in (" ".join(arguments[:2]), *arguments[:1]):
        if name in COMMANDS:
            return [COMMANDS[name]]
    within = [module for name, module in COMMANDS.items() if name.partition(" ")[0] in arguments[:1]]
    return within or COMMANDS.values()


def _run(arguments: list[str]) -> Any:
    """Run a command with the modules that it needs."""
    for module in _modules(arguments):
        import_module(f"brinkmanship.cli.commands.{module}")
    return app(standalone_mode=False)


def _list_names() -> Any:
    """Show the list of commands from their names alone: their modules would load Numba and much of the package."""
    groups = {"": app, "lab": lab_commands, "server": server_commands, "game": game_commands}
    registered = {name: group.registered_commands for name, group in groups.items()}
    try:
        for group in groups.values():
            group.registered_commands = []
        for full in COMMANDS:
            above, _, name = full.rpartition(" ")
            command(within=groups[above], name=name)(_only_named)
        return app(standalone_mode=False)
    finally:
        for name, group in groups.items():
            group.registered_commands = registered[name]


def _only_named() -> None:
    """Stand for a command of which only the name is needed."""


def _refuse_old_name(arguments: list[str]) -> None:
    """Raise if a command is called by its old name.

    Raises:
        OptionError: the command has a new name.
    """
    for old, new in MOVED.items():
        name, _, option = old.partition(" ")
        if arguments[:1] == [name] and (not option or option in arguments):
            key = "fault.command.moved" if new.startswith("brink") else "fault.command.moved_to_checkout"
            raise OptionError(Message(key, {"old": f"brink {old}", "new": new}))
