"""Display names of users: cleaning, and normalization for comparing spellings."""

from __future__ import annotations

import unicodedata

from brinkmanship.web.support.errors import IllegalError

NAME_LENGTH = 30
MAX_TYPED = 4 * NAME_LENGTH
"""Maximum characters before normalization, which takes quadratic time for long runs of accents."""
LOGIN_LENGTH = 40
"""Maximum characters of a `login_key`; case folding may turn one letter into two ("ß" into "ss")."""


def clean_name(text: str) -> str:
    """Return a name as displayed: one line, without invisible characters, at most `NAME_LENGTH` characters.

    Raises:
        IllegalError: The name is empty after cleaning, or too long.
    """
    name = _one_line(unicodedata.normalize("NFC", _typed(text)))
    if not 1 <= len(name) <= NAME_LENGTH:
        raise IllegalError(f"a name has 1 to {NAME_LENGTH} characters", key="account.refused.name")
    return name


def login_key(text: str) -> str:
    """Return the key of an account: the same for all spellings of a name that look alike, ignoring case.

    It is Unicode's compatibility caseless matching (definition D146): a name typed on a system that decomposes accented
    letters yields the same key.

    Raises:
        IllegalError: The key is empty or too long.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", _one_line(_typed(text))).casefold()).casefold()
    key = _one_line(unicodedata.normalize("NFKC", folded))
    if not 1 <= len(key) <= LOGIN_LENGTH:
        raise IllegalError(f"an account name has 1 to {LOGIN_LENGTH} characters", key="account.refused.name")
    return key


def _typed(text: str) -> str:
    if len(text) > MAX_TYPED:
        raise IllegalError(f"a name has 1 to {NAME_LENGTH} characters", key="account.refused.name")
    return text


def _one_line(text: str) -> str:
    kept = "".join(each for each in text if unicodedata.category(each)[0] != "C")
    return " ".join(kept.split())
