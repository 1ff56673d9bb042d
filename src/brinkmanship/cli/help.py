"""The help of ``brink``, in the user's language.

The texts are in the catalogue ``help``, not in the code: a command under ``command.lab.match`` (a second paragraph
under ``command.lab.match.more``), an option or argument under the name of its parameter, ``option.save``, or
``option.lab.match.save`` or ``option.lab.save`` if its meaning differs in that command or group. Typer's titles are
there too. Texts are looked up only when help is shown.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from typer.core import TyperCommand, TyperGroup

from brinkmanship.engine.message import Message
from brinkmanship.terminal.words import LANGUAGE_OPTION, LANGUAGE_VARIABLE
from brinkmanship.text.words import LANGUAGES, MissingTextError, Words

DOMAIN = "help"
BRINK = "brink"
"""Name of the top-level command in the catalogue."""

PANELS = {
    **dict.fromkeys(("games", "play", "record", "replay", "hint", "analyse", "puzzle"), "play"),
    **dict.fromkeys(("verify", "cards", "print", "rulings"), "play"),
    **dict.fromkeys(("serve", "server"), "serve"),
    **dict.fromkeys(("lab", "game", "bench"), "make"),
}
"""Help panel of each command of ``brink``."""

TITLES = {
    "ARGUMENTS_PANEL_TITLE": "title.arguments",
    "OPTIONS_PANEL_TITLE": "title.options",
    "COMMANDS_PANEL_TITLE": "title.commands",
    "REQUIRED_LONG_STRING": "title.required",
}
"""Titles printed by `typer.rich_utils`, and their keys."""

TITLES_WITH_A_GAP = {"DEFAULT_STRING": "title.default", "ENVVAR_STRING": "title.variable"}
"""Titles with a placeholder "{}" for a value, and their keys."""


def language_of_help() -> str:
    """Return the language of the help: from the command line, otherwise from the environment, otherwise English.

    An unknown language is not an error here; the help is then in English.
    """
    language = os.environ.get(LANGUAGE_VARIABLE, "")
    arguments = sys.argv[1:]
    for number, argument in enumerate(arguments):
        option, equals, value = argument.partition("=")
        if option == LANGUAGE_OPTION:
            language = value if equals else "".join(arguments[number + 1 : number + 2])
    return language if language in LANGUAGES else "en"


def help_words() -> Words:
    """Return the texts of the help."""
    return Words(language_of_help(), (DOMAIN,))


def translate_titles(words: Words) -> None:
    """Set Typer's own titles in this language."""
    from typer import rich_utils  # slow import that only help needs

    for name, key in TITLES.items():
        setattr(rich_utils, name, words.text(Message(key)))
    for name, key in TITLES_WITH_A_GAP.items():
        setattr(rich_utils, name, words.text(Message(key, {"value": "{}"})))


def translate(command: Any, name: str, context: Any, words: Words) -> None:
    """Set the help texts of a command and its options in this language; `name` is from `name_of`."""
    paragraphs = [words.text(Message(f"command.{name}")), _found(words, f"command.{name}.more")]
    command.help = "\n\n".join(filter(None, paragraphs))
    command.options_metavar = words.text(Message("title.options_here"))
    if name in PANELS:
        command.rich_help_panel = words.text(Message(f"title.panel.{PANELS[name]}"))
    for parameter in command.get_params(context):
        parameter.help = text_of_option(words, name, parameter.name)
        if parameter.param_type_name == "argument":
            parameter.metavar = words.text(Message(f"placeholder.{parameter.name}"))


def name_of(context: Any) -> str:
    """Return the name of a context's command in the catalogue: "brink", "play", "server.admin.users"."""
    names: list[str] = []
    while context.parent is not None:
        names.insert(0, str(context.command.name))
        context = context.parent
    return ".".join(names) or BRINK


def text_of_option(words: Words, command: str, parameter: str) -> str:
    """Return the help text of an option or argument: of its command, of the nearest group, or the general one.

    Raises:
        MissingTextError: the catalogue has no text.
    """
    parts = command.split(".")
    for length in range(len(parts), 0, -1):
        if own := _found(words, ".".join(("option", *parts[:length], parameter))):
            return own
    return words.text(Message(f"option.{parameter}"))


def _found(words: Words, key: str) -> str:
    try:
        return words.text(Message(key))
    except MissingTextError:
        return ""


class _Spoken:
    """Mixin for Typer classes that shows help in the user's language."""

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the usage line. Errors show it too; `usage_errors` writes the text below it."""
        words = help_words()
        translate(self, name_of(ctx), ctx, words)
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=words.text(Message("title.usage")) + " ")

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the whole help."""
        words = help_words()
        translate_titles(words)
        translate(self, name_of(ctx), ctx, words)
        super().format_help(ctx, formatter)  # type: ignore[misc]


class SpokenCommand(_Spoken, TyperCommand):
    """A command with localized help; its epilog has one example per line."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole help, with the examples at its end."""
        examples = (self.epilog or "").splitlines()
        title = help_words().text(Message("title.examples", {"n": len(examples)}))
        self.epilog = f"{title}  {'  ·  '.join(examples)}"
        super().format_help(ctx, formatter)
        self.epilog = "\n".join(examples)


class SpokenGroup(_Spoken, TyperGroup):
    """The command ``brink`` itself, or a group of its commands."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the usage line."""
        self.subcommand_metavar = help_words().text(Message("title.command_here"))
        super().format_usage(ctx, formatter)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole help, with the commands."""
        words, own = help_words(), name_of(ctx)
        for name, command in self.commands.items():
            translate(command, name if own == BRINK else f"{own}.{name}", ctx, words)
        super().format_help(ctx, formatter)
