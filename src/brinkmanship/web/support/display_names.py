"""Names of people: how one is shown, and what two spellings of the same name have in common."""

from __future__ import annotations

import unicodedata

from brinkmanship.web.support.errors import IllegalError

NAME_LENGTH = 30
MAX_TYPED = 4 * NAME_LENGTH
"""Characters of a name before it is brought into one form, which takes quadratic time for a heap of accents."""
LOGIN_LENGTH = 40
"""Of a `login_key`: a letter may become two ("ß" is "ss")."""


def clean_name(text: str) -> str:
    """A name as it is shown: one line, no invisible characters, not too long.

    Raises:
        IllegalError: nothing is left, or it is too long.
    """
    name = _one_line(unicodedata.normalize("NFC", _typed(text)))
    if not 1 <= len(name) <= NAME_LENGTH:
        raise IllegalError(f"a name has 1 to {NAME_LENGTH} characters", said="account.refused.name")
    return name


def login_key(text: str) -> str:
    """By what an account is found: the same for all spellings of a name that look alike, in capitals or not.

    It is Unicode's compatibility caseless matching (definition D146), so a name typed on a system that takes letters
    and their accents apart is still the same name.

    Raises:
        IllegalError: nothing is left, or it is too long.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", _one_line(_typed(text))).casefold()).casefold()
    key = _one_line(unicodedata.normalize("NFKC", folded))
    if not 1 <= len(key) <= LOGIN_LENGTH:
        raise IllegalError(
            "the name of an account has at least one character, and fewer than this one", said="account.refused.name"
        )
    return key


def _typed(text: str) -> str:
    if len(text) > MAX_TYPED:
        raise IllegalError(f"a name has 1 to {NAME_LENGTH} characters", said="account.refused.name")
    return text


def _one_line(text: str) -> str:
    kept = "".join(each for each in text if unicodedata.category(each)[0] != "C")
    return " ".join(kept.split())
