"""Messages: what the engine and the games say to people, as keys with arguments.

No sentence stands in the rules. A game describes what happened and what it asks as `Message`s; `brinkmanship.text`
turns them into words in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


class Line(NamedTuple):
    """One line of the log of a game.

    The key of the message tells what kind of line it is: ``log.`` for what somebody did or a step of the rules,
    ``change.`` for what followed from it.
    """

    message: Message
    side: int | None = None
    """The side that did it, None for chance and the rules."""
    card: str | None = None
    """The card it is about, by its id, as far as the reader knows it."""
    begins: bool = False
    """Whether it only begins a deed: the side's next line tells all of it, and takes its place."""


class Dice(NamedTuple):
    """Dice as they fell, as far as the game records it: each die, or only what they came to together."""

    thrown: int
    pips: tuple[int, ...] = ()
    """Of each die, where each is recorded."""
    total: int | None = None
    """Their sum, where nothing else is recorded."""
    hits: int | None = None
    """How many of them hit, where nothing else is recorded."""


@dataclass(frozen=True, slots=True)
class ActionParts:
    """What an action is made of, ids as in the data file: so that a page finds the card, battleground or track that a
    choice belongs to, and a menu can ask in two steps."""

    kind: str
    """The verb; each game lists its own."""
    card: str | None = None
    agenda: str | None = None
    place: str | None = None
    """A battleground, or where else on the board something is done."""
    area: str | None = None
    """Where a card or battleground goes."""
    track: str | None = None
    side: str | None = None
    count: int | None = None
    """How many cubes, signed steps, or the number of an alternative, counted from 1."""
    steps: tuple[tuple[Ref, Ref], ...] = ()
    """Of an action that is several choices at once: what each is about, and what is chosen, so that a page can ask for
    one after the other."""
