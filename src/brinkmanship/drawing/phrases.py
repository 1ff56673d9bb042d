"""The words on pictures: cached phrases of the catalogue ``draw`` and names of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import TypeVar
from weakref import WeakKeyDictionary

from brinkmanship.drawing.board_text import DOMAIN as TEXT_DOMAIN
from brinkmanship.engine.message import Argument, Message
from brinkmanship.text import Words

DOMAIN = "draw"
_MAX_CACHED = 4096

_Ruleset = TypeVar("_Ruleset")
_Labels = TypeVar("_Labels", bound="Phrases")


class Phrases:
    """The words of one language for the drawings of one ruleset; each game adds its own terms."""

    def __init__(self, words: Words, sides: tuple[str, ...]) -> None:
        self.words = copy(words)
        self.words.domains = (DOMAIN, TEXT_DOMAIN, *(domain for domain in words.domains if domain != DOMAIN))
        self.language = words.language
        self._said: dict[object, str] = {}
        self.sides = tuple(self.words.name("side", side) for side in sides)

    def say(self, key: str, **args: Argument) -> str:
        """Return a phrase of the catalogue."""
        key_and_args = (key, *args.items())
        said = self._said.get(key_and_args)
        if said is None:
            if len(self._said) > _MAX_CACHED:
                self._said.clear()
            said = self._said[key_and_args] = self.words.text(Message(f"draw.{key}", args))
        return said

    def pair(self, values: Sequence[object]) -> str:
        """Return the points of two sides, as the language writes a score."""
        first, second = values
        return self.words.text(Message("score.pair", {"first": str(first), "second": str(second)}))

    def sentence(self, key: str, **args: Argument) -> str:
        """Return a phrase of the catalogue with a capital letter."""
        return capital(self.say(key, **args))

    def kind(self, track: str) -> str:
        """Return the short name of a DEFCON type: of a track, of battlegrounds, of the colour of a card."""
        return self.say(f"kind.{track}")

    def card(self, card: str) -> str:
        """Return the name of a card."""
        return self.words.name("card", card)

    def area(self, area: str) -> str:
        """Return the name of an area: of the DEFCON tracks, or of the table."""
        return self.words.name("area", area)


def capital(name: str) -> str:
    """Return a name with a capital letter, to be used alone."""
    return name[:1].upper() + name[1:]


def made_once(make: Callable[[Words, _Ruleset], _Labels]) -> Callable[[Words, _Ruleset], _Labels]:
    """Cache the labels of these words for this ruleset: a server draws with the same few `Words` all day."""
    known: WeakKeyDictionary[Words, tuple[_Ruleset, _Labels]] = WeakKeyDictionary()

    def labels_for(words: Words, ruleset: _Ruleset) -> _Labels:
        made = known.get(words)
        if made is None or made[0] is not ruleset:
            made = known[words] = (ruleset, make(words, ruleset))
        return made[1]

    return labels_for
