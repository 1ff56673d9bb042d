"""Keyboard shortcuts by meaning.

A place or track has one or two letters from its name in the viewer's language, the same throughout a game. A counted or
numbered choice has a digit. An action with a text `key.KIND` has that letter.

No key of a thing is a prefix of another one, so that a key takes effect without waiting for a further letter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import count, product

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts, Message
from brinkmanship.text import MissingTextError, Words

LATIN = "abcdefghijklmnopqrstvwxyz"
"""The Latin alphabet without u, the key for take-back."""
CYRILLIC = "абвдежзиклмнопрстуфхцчшщэюя"
"""The Cyrillic alphabet without г, which shares its physical key with u."""
MAX_OF_ONE_LETTER = 16
"""Maximum things with one-letter keys; with more, most would get a letter that is not in their name."""

Thing = tuple[str, str]
"""Kind and id: ("place", "berlin")."""


def keys_of(game: Game, words: Words) -> Mapping[Thing, str]:
    """Return the keys of all places and tracks of a game."""
    things = _things(game)
    return _named_keys(tuple((thing, name_of(game, *thing, words)) for thing in things), _alphabet(words.language))


def name_of(game: Game, kind: str, id: str, words: Words) -> str:
    """Return the name of a place, track, card or agenda, or its id if it has no name."""
    with suppress(MissingTextError):
        return words.name(kind_of_name(game, kind, id, words), id)
    return id


def kind_of_name(game: Game, kind: str, id: str, words: Words) -> str:
    """Return the kind under which a place, track, card or agenda has its name, such as "zone"."""
    for called in game.narrator.named_as.get(kind, (kind,)):
        with suppress(MissingTextError):
            words.name(called, id)
            return called
    return kind


def key_among(game: Game, parts: ActionParts, page: Words) -> str:
    """Return the key of an action among those that concern the same thing, or "".

    It is the letter of its kind, or a digit that stays the same all game: its number, or the index of its target area
    or of the thing it names.
    """
    with suppress(MissingTextError):
        if parts.area is None:
            return page.text(Message(f"key.{parts.kind}"))
    if parts.count is not None and parts.card is None:
        return str(parts.count)
    alike = _alike(game).get(parts.kind, [])
    mark = _mark(parts)
    return str(alike.index(mark) + 1) if mark in alike and len(alike) > 1 else ""


@lru_cache(32)
def _things(game: Game) -> tuple[Thing, ...]:
    """Return all places and tracks that actions name, in the order of the actions."""
    found: dict[Thing, None] = {}
    for parts in _actions(game):
        for kind, id in (("place", parts.place), ("track", parts.track)):
            if id is not None:
                found[kind, id] = None
    return tuple(found)


@lru_cache(32)
def _alike(game: Game) -> dict[str, list[str]]:
    """Return the marks that distinguish actions of a kind on the same thing, in the order of the actions."""
    found: dict[str, dict[str, None]] = {}
    for parts in _actions(game):
        if not parts.steps:
            found.setdefault(parts.kind, {})[_mark(parts)] = None
    return {kind: list(marks) for kind, marks in found.items()}


def _mark(parts: ActionParts) -> str:
    return parts.area or " ".join(filter(None, (parts.card, parts.side, str(parts.count or ""))))


def _actions(game: Game) -> Iterator[ActionParts]:
    texts = game.action_texts
    return (game.action_parts(action) for action in (texts if isinstance(texts, Mapping) else range(len(texts))))


def _alphabet(language: str) -> str:
    return CYRILLIC if language == "ru" else LATIN


@lru_cache(64)
def _named_keys(named: tuple[tuple[Thing, str], ...], alphabet: str) -> Mapping[Thing, str]:
    length = 1 if len(named) <= MAX_OF_ONE_LETTER else 2
    wishes = {thing: _wishes(name, alphabet, length) for thing, name in named}
    keys: dict[Thing, str] = {}
    # Assign undisputed first letters first: then most things get the letter a player expects.
    firsts = [wish[0] for wish in wishes.values()]
    for thing in sorted(wishes, key=lambda thing: firsts.count(wishes[thing][0]) > 1):
        keys[thing] = next(key for key in wishes[thing] if key not in keys.values())
    return keys


def _wishes(name: str, alphabet: str, length: int) -> Sequence[str]:
    """Return the candidate keys of a name, best first, ending with all possible keys."""
    letters = _letters(name, alphabet)
    initials = [word[0] for word in letters if word]
    rest = [letter for word in letters for letter in word[1:]]
    if length == 1:
        return list(dict.fromkeys([*initials, *rest, *alphabet]))
    pairs = [first + second for first in initials[:1] for second in [*rest, *initials[1:]]]
    return list(dict.fromkeys([*pairs, *map("".join, product(alphabet, repeat=2))]))


def _letters(name: str, alphabet: str) -> list[str]:
    """Return the words of a name, reduced to letters of an alphabet, without accents."""
    plain = name.casefold().replace("ё", "е").replace("ł", "l")
    if alphabet is LATIN:
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))
    return ["".join(letter for letter in word if letter in alphabet) for word in re.split(r"\W+", plain)]


class HandSlots:
    """The slots of the cards in a hand: a card keeps its slot while held; a new one takes the first free slot.

    The slots follow a game entry by entry, and back.
    """

    def __init__(self) -> None:
        self._held: list[tuple[int, dict[str, int]]] = []

    @property
    def now(self) -> Mapping[str, int]:
        """The slot of each card, from 1."""
        return self._held[-1][1] if self._held else {}

    def hold(self, entry: int, cards: Sequence[str]) -> None:
        """Record the hand after an entry."""
        kept = {card: slot for card, slot in self.now.items() if card in cards}
        free = (slot for slot in count(1) if slot not in kept.values())
        held = kept | {card: next(free) for card in cards if card not in kept}
        if held != self.now:
            self._held.append((entry, held))

    def cut(self, length: int) -> None:
        """Go back to the state after `length` entries."""
        while self._held and self._held[-1][0] > length:
            self._held.pop()
