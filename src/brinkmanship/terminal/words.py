"""Terminal texts: those of a game and those of the program around it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.text import LANGUAGES, Words, words_for

DOMAIN = "terminal"

LANGUAGE_OPTION = "--lang"
LANGUAGE_VARIABLE = "BRINK_LANG"
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables that name the locale of messages, in their order of precedence (POSIX)."""

Language = Annotated[str, typer.Option(LANGUAGE_OPTION, envvar=LANGUAGE_VARIABLE, show_envvar=True)]


def language_of_locale() -> str | None:
    """Return the language of the locale in the environment, such as "de" of "de_DE.UTF-8"; None if unsupported."""
    locale = next((value for name in LOCALE_VARIABLES if (value := os.environ.get(name))), "")
    language = locale.partition(".")[0].partition("_")[0]
    return language if language in LANGUAGES else None


def checked_language(language: str) -> str:
    """Return a supported language.

    Raises:
        OptionError: the language is not supported.
    """
    if language not in LANGUAGES:
        raise OptionError(Message("fault.command.language", {"name": language, "known": ", ".join(LANGUAGES)}))
    return language


def program_words(language: str) -> Words:
    """Return the texts of the program around the games.

    Raises:
        OptionError: the language is not supported.
    """
    return Words(checked_language(language), (DOMAIN,))


def terminal_words(game: Game, language: str) -> Words:
    """Return the texts of a game together with those of the terminal."""
    return words_for(game, checked_language(language)).with_domain(DOMAIN)
