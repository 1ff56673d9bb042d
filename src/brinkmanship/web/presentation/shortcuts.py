"""Keys by meaning: a letter or two for a place or track, from its name in the reader's language, the same all game; a
digit for what is counted or numbered; a letter of its own for every deed that has a text `key.KIND`.

No key of a thing is the beginning of another one's, so that nothing waits for more than is needed.
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
"""Without u, the key to take back."""
CYRILLIC = "абвдежзиклмнопрстуфхцчшщэюя"
"""Without г, which is on the same key as u."""
MAX_OF_ONE_LETTER = 16
"""More things than these get two letters each, for most would have to do with a letter that is not in their name."""

Thing = tuple[str, str]
"""Kind and id: ("place", "berlin")."""


def keys_of(game: Game, words: Words) -> Mapping[Thing, str]:
    """The keys of all places and tracks of a game."""
    things = _things(game)
    return _named_keys(tuple((thing, name_of(game, *thing, words)) for thing in things), _alphabet(words.language))


def name_of(game: Game, kind: str, id: str, words: Words) -> str:
    """What a place, track, card or agenda is called; its id where it has no name."""
    for called in game.narrator.named_as.get(kind, (kind,)):
        with suppress(MissingTextError):
            return words.name(called, id)
    return id


def key_among(game: Game, parts: ActionParts, page: Words) -> str:
    """The key of an action among those that concern the same thing, or nothing: the digit of its number, of where it
    goes to, or of what it names, the same all game; or the letter of what is done."""
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
    """All places and tracks that actions name, in the order of the actions."""
    found: dict[Thing, None] = {}
    for parts in _actions(game):
        for kind, id in (("place", parts.place), ("track", parts.track)):
            if id is not None:
                found[kind, id] = None
    return tuple(found)


@lru_cache(32)
def _alike(game: Game) -> dict[str, list[str]]:
    """What distinguishes the actions of a kind that concern the same thing, in the order of the actions."""
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
    # Those first that nobody disputes their first letter: then most have the letter that one thinks of.
    firsts = [wish[0] for wish in wishes.values()]
    for thing in sorted(wishes, key=lambda thing: firsts.count(wishes[thing][0]) > 1):
        keys[thing] = next(key for key in wishes[thing] if key not in keys.values())
    return keys


def _wishes(name: str, alphabet: str, length: int) -> Sequence[str]:
    """The keys that a name would like to have, the best first; in the end all there are."""
    letters = _letters(name, alphabet)
    initials = [word[0] for word in letters if word]
    rest = [letter for word in letters for letter in word[1:]]
    if length == 1:
        return list(dict.fromkeys([*initials, *rest, *alphabet]))
    pairs = [first + second for first in initials[:1] for second in [*rest, *initials[1:]]]
    return list(dict.fromkeys([*pairs, *map("".join, product(alphabet, repeat=2))]))


def _letters(name: str, alphabet: str) -> list[str]:
    """The words of a name in letters of an alphabet, without accents."""
    plain = name.casefold().replace("ё", "е").replace("ł", "l")
    if alphabet is LATIN:
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))
    return ["".join(letter for letter in word if letter in alphabet) for word in re.split(r"\W+", plain)]


class HandSlots:
    """Where each card lies in a hand: a card keeps its place while it is held, a new one takes the first that is free.

    It follows a game entry by entry, and back.
    """

    def __init__(self) -> None:
        self._held: list[tuple[int, dict[str, int]]] = []

    @property
    def now(self) -> Mapping[str, int]:
        """The place of each card, from 1."""
        return self._held[-1][1] if self._held else {}

    def hold(self, entry: int, cards: Sequence[str]) -> None:
        """The hand after an entry."""
        kept = {card: slot for card, slot in self.now.items() if card in cards}
        free = (slot for slot in count(1) if slot not in kept.values())
        held = kept | {card: next(free) for card in cards if card not in kept}
        if held != self.now:
            self._held.append((entry, held))

    def cut(self, length: int) -> None:
        """Go back to after so many entries."""
        while self._held and self._held[-1][0] > length:
            self._held.pop()
