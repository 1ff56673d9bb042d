"""The help of ``brink``, in the reader's language.

What commands and options are for is said in the catalogue ``help``, not in their code: a command under
``command.match`` (a second paragraph under ``command.match.more``), an option or argument under the name of its
parameter, ``option.save``, or ``option.match.save`` where only that command has it or means another thing by it. The
titles around them, which are Typer's, are there too. All this is looked up when help is shown, never before.
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

TITLES = {
    "ARGUMENTS_PANEL_TITLE": "title.arguments",
    "OPTIONS_PANEL_TITLE": "title.options",
    "COMMANDS_PANEL_TITLE": "title.commands",
    "REQUIRED_LONG_STRING": "title.required",
}
"""The titles in `typer.rich_utils`, which its help prints, and their keys."""

TITLES_WITH_A_GAP = {"DEFAULT_STRING": "title.default", "ENVVAR_STRING": "title.variable"}
"""Those with a place for a value, "{}"."""


def language_of_help() -> str:
    """The language that help is shown in: as the command line says, else the environment, else English.

    Help does not complain about a language that is not spoken; it is English then.
    """
    asked = os.environ.get(LANGUAGE_VARIABLE, "")
    arguments = sys.argv[1:]
    for number, argument in enumerate(arguments):
        option, equals, value = argument.partition("=")
        if option == LANGUAGE_OPTION:
            asked = value if equals else "".join(arguments[number + 1 : number + 2])
    return asked if asked in LANGUAGES else "en"


def help_words() -> Words:
    """The words of the help."""
    return Words(language_of_help(), (DOMAIN,))


def translate_titles(words: Words) -> None:
    """Let Typer print its own titles in this language."""
    from typer import rich_utils  # loads much that only help needs

    for name, key in TITLES.items():
        setattr(rich_utils, name, words.text(Message(key)))
    for name, key in TITLES_WITH_A_GAP.items():
        setattr(rich_utils, name, words.text(Message(key, {"value": "{}"})))


def translate(command: Any, context: Any, words: Words) -> None:
    """Give a command and its options their texts in this language."""
    name = name_of(command)
    paragraphs = [words.text(Message(f"command.{name}")), _found(words, f"command.{name}.more")]
    command.help = "\n\n".join(filter(None, paragraphs))
    command.options_metavar = words.text(Message("title.options_here"))
    for parameter in command.get_params(context):
        parameter.help = text_of_option(words, name, parameter.name)
        if parameter.param_type_name == "argument":
            parameter.metavar = words.text(Message(f"placeholder.{parameter.name}"))


def name_of(command: Any) -> str:
    """A command as the catalogue calls it: one below another with that one's name before it, "admin.users"."""
    group = getattr(command, "group", "")
    return f"{group}.{command.name}" if group else str(command.name)


def text_of_option(words: Words, command: str, parameter: str) -> str:
    """What an option or argument of a command is for.

    Raises:
        MissingTextError: the catalogue does not say.
    """
    own = _found(words, f"option.{command}.{parameter}")
    return own or words.text(Message(f"option.{parameter}"))


def _found(words: Words, key: str) -> str:
    try:
        return words.text(Message(key))
    except MissingTextError:
        return ""


class _Spoken:
    """Shows help in the reader's language; stands before a class of Typer."""

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        """The line of usage. Errors show it too; what they say below it is said by `usage_errors`."""
        words = help_words()
        translate(self, ctx, words)
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=words.text(Message("title.usage")) + " ")

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        """The whole help."""
        words = help_words()
        translate_titles(words)
        translate(self, ctx, words)
        super().format_help(ctx, formatter)  # type: ignore[misc]


class SpokenCommand(_Spoken, TyperCommand):
    """A command whose help is in the reader's language; its epilog is examples, one a line."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The whole help, with the examples at its end."""
        examples = (self.epilog or "").splitlines()
        title = help_words().text(Message("title.examples", {"n": len(examples)}))
        self.epilog = f"{title}  {'  ·  '.join(examples)}"
        super().format_help(ctx, formatter)
        self.epilog = "\n".join(examples)


class SpokenGroup(_Spoken, TyperGroup):
    """The command ``brink`` itself, which lists the others."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """The line of usage."""
        self.subcommand_metavar = help_words().text(Message("title.command_here"))
        super().format_usage(ctx, formatter)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The whole help, with the commands."""
        for command in self.commands.values():
            translate(command, ctx, help_words())
        super().format_help(ctx, formatter)
