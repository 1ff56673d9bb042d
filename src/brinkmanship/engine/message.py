"""Messages: what the engine and the games say to people, as keys with arguments.

No sentence stands in the rules. A game describes what happened and what it asks as `Message`s; `brinkmanship.text`
turns them into words in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Ref(NamedTuple):
    """A thing of the game that has a name: ``Ref("battleground", "atlantic")``, ``Ref("side", "us")``."""

    kind: str
    id: str


class Message(NamedTuple):
    """A sentence or phrase by its key. An argument called ``n`` is the count that picks the plural form.

    Arguments are numbers, plain texts, things with names (`Ref`), and messages inside the message (also several,
    which are joined as a list of that language).
    """

    key: str
    args: Mapping[str, Argument] = {}


Argument = int | str | Ref | Message | tuple["Ref | Message", ...]
