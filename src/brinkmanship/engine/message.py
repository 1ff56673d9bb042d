"""Messages: the texts of the engine and the games, as keys with arguments.

The rules contain no sentences. A game describes events and questions as `Message`s; `brinkmanship.text` formats them
in the viewer's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Ref(NamedTuple):
    """A named thing of the game: ``Ref("battleground", "atlantic")``, ``Ref("side", "us")``."""

    kind: str
    id: str


class Message(NamedTuple):
    """A sentence or phrase by its key. The argument ``n`` is the count that picks the plural form.

    Arguments are numbers, plain texts, named things (`Ref`), and nested messages (also several, which are joined as a
    list in that language).
    """

    key: str
    args: Mapping[str, Argument] = {}


Argument = int | str | Ref | Message | tuple["Ref | Message", ...]


class LogLine(NamedTuple):
    """One line of the log of a game.

    The prefix of the message key is the kind of line: ``log.`` for an action of a side or a step of the rules,
    ``change.`` for a consequence of it.
    """

    message: Message
    side: int | None = None
    """The acting side, None for chance and the rules."""
    card: str | None = None
    """The id of the card it is about, as far as the viewer knows it."""
    begins: bool = False
    """True if it is only the start of an action: the side's next line replaces it and describes the whole action."""


class Dice(NamedTuple):
    """A dice roll, as far as the game records it: each die, or only a total."""

    thrown: int
    pips: tuple[int, ...] = ()
    """Pips of each die, if each is recorded."""
    total: int | None = None
    """Sum of the dice, if nothing else is recorded."""
    hits: int | None = None
    """Number of hits, if nothing else is recorded."""


@dataclass(frozen=True, slots=True)
class ActionParts:
    """The parts of an action, with the ids of the data file.

    A page finds the card, battleground or track of a choice by them, and a menu can ask in two steps.
    """

    kind: str
    """The verb; each game lists its own."""
    card: str | None = None
    agenda: str | None = None
    place: str | None = None
    """A battleground, or another place on the board."""
    area: str | None = None
    """The destination of a card or battleground."""
    track: str | None = None
    side: str | None = None
    count: int | None = None
    """Number of cubes, signed steps, or the number of an alternative, counted from 1."""
    steps: tuple[tuple[Ref, Ref], ...] = ()
    """The steps of an action that combines several choices: the subject and the chosen option of each, in order.

    A page can ask for one after the other.
    """
