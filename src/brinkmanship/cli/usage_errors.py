"""Command line errors in the user's language; Typer's own messages are English."""

from __future__ import annotations

import re
from typing import Any

from brinkmanship.cli.help import language_of_help
from brinkmanship.engine.message import Argument, Message
from brinkmanship.terminal.words import DOMAIN
from brinkmanship.text.words import Words


def usage_error_text(error: Any) -> str:
    """Return the usage of the command and the error, as lines for the screen; `error` is one of Click's."""
    words = Words(language_of_help(), (DOMAIN,))
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        return str(error.format_message())
    lines = []
    if context is not None:
        lines.append(context.get_usage())
        command = f"{context.command_path} {context.help_option_names[0]}"
        lines += [words.text(Message("mistake.help", {"command": command})), ""]
    return "\n".join([*lines, f"brink: {_sentence(error, words)}"])


def _sentence(error: Any, words: Words) -> str:
    def said(key: str, **arguments: Argument) -> str:
        return words.text(Message(f"mistake.{key}", arguments))

    message = str(error.format_message())
    match type(error).__name__:
        case "NoSuchOption":
            sentence = said("option", what=str(error.option_name))
            near = ", ".join(sorted(error.possibilities or ()))
            return f"{sentence} {said('perhaps', what=near)}" if near else sentence
        case "MissingParameter":
            return said("missing", what=_named(error))
        case "BadOptionUsage":
            return said("argument", what=str(error.option_name))
        case "BadParameter":
            return said("value", what=_named(error), why=_expected(error, words))
    if found := re.match(r"No such command '(.*?)'(?:\. Did you mean (.*)\?)?", message):
        sentence = said("command", what=found[1])
        near = ", ".join(re.findall(r"'([^']+)'", found[2] or ""))
        return f"{sentence} {said('perhaps', what=near)}" if near else sentence
    if found := re.match(r"Got unexpected extra arguments? *\(?s?\)? *\((.*)\)", message):
        return said("extra", what=found[1])
    return message


def _named(error: Any) -> str:
    """Return the command line name of the parameter an error concerns."""
    hint = error.param_hint or (error.param.get_error_hint() if error.param else "")
    hints = hint if isinstance(hint, list | tuple) else [str(hint)]
    return " / ".join(str(one).strip("'") for one in hints)


def _expected(error: Any, words: Words) -> str:
    """Return the expected value; for parameters other than numbers, Typer's message in English."""
    about = getattr(error.param, "type_descriptor", None)  # missing in older versions of Typer
    if about is None or about.annotation not in (int, float):
        return str(error.message)
    if about.annotation is float:
        return words.text(Message("mistake.number"))
    least, most = about.parameter_info.min, about.parameter_info.max
    if least is None:
        return words.text(Message("mistake.whole"))
    if most is None:
        return words.text(Message("mistake.least", {"least": int(least)}))
    return words.text(Message("mistake.range", {"least": int(least), "most": int(most)}))
