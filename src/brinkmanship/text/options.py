"""The options of a ruleset as text: the question, and a sentence for each value.

Catalogues have ``option.<name>`` for the question and ``option.<name>.<value>`` for a value. An option that takes any
whole number also has ``option.<name>.n``, with the argument ``n``.
"""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.text.words import MissingTextError, Words


def option_text(words: Words, name: str, value: str | bool | int | None = None) -> str:
    """Return the description of an option of the rules; with a value, the meaning of this value.

    Raises:
        MissingTextError: there is no such option, or it does not take this value.
    """
    if value is None:
        return words.sentence(Message(f"option.{name}"))
    try:
        return words.sentence(Message(f"option.{name}.{str(value).lower()}"))
    except MissingTextError:
        if isinstance(value, bool) or not isinstance(value, int):
            raise
    return words.sentence(Message(f"option.{name}.n", {"n": value}))
