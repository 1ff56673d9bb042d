"""The words of the terminal: those of a game and those of the program around it."""

from __future__ import annotations

from typing import Annotated

import typer

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.text import LANGUAGES, Words, words_for

DOMAIN = "terminal"

Language = Annotated[
    str, typer.Option("--lang", envvar="BRINK_LANG", help="Language: en, ru, de or pl.", show_envvar=True)
]


def checked_language(language: str) -> str:
    """A language there are words for.

    Raises:
        OptionError: there are none.
    """
    if language not in LANGUAGES:
        raise OptionError(f"there is no language {language!r}; the languages are: {', '.join(LANGUAGES)}")
    return language


def terminal_words(game: Game, language: str) -> Words:
    """The words of a game together with those of the terminal."""
    return words_for(game, checked_language(language)).with_domain(DOMAIN)
