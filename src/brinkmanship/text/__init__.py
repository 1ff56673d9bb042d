"""Words: message keys become English, Russian, German or Polish; see `words`, and a package per game beside it."""

from brinkmanship.text.words import LANGUAGE_NAMES, LANGUAGES, Either, MissingTextError, NameTable, Words

__all__ = ["LANGUAGES", "LANGUAGE_NAMES", "Either", "MissingTextError", "NameTable", "Words"]
