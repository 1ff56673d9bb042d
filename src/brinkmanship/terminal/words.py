"""Terminal texts: those of a game and those of the program around it."""

from __future__ import annotations

from typing import Annotated

import typer

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.text import LANGUAGES, Words, words_for

DOMAIN = "terminal"

LANGUAGE_OPTION = "--lang"
LANGUAGE_VARIABLE = "BRINK_LANG"

Language = Annotated[str, typer.Option(LANGUAGE_OPTION, envvar=LANGUAGE_VARIABLE, show_envvar=True)]


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
