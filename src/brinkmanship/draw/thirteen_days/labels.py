"""The words on the pictures of 13 Days: names from the game, phrases from the catalogue ``draw``."""

from __future__ import annotations

from copy import copy
from datetime import date, timedelta
from functools import cache
from weakref import WeakKeyDictionary

from babel.dates import format_date, format_skeleton

from brinkmanship.draw.thirteen_days.position import SIDES, Position
from brinkmanship.engine.message import Argument, Message
from brinkmanship.games.thirteen_days.data import GameData
from brinkmanship.text import Words

DOMAIN = "draw"

FIRST_DAY = date(1962, 10, 16)
"""The day the president was shown the photographs."""

_LOCALES = {"en": "en_GB"}
_MOST_SAID = 4096


_known: WeakKeyDictionary[Words, Labels] = WeakKeyDictionary()


def labels_for(words: Words, data: GameData) -> Labels:
    """The labels of these words, made once: a server draws with the same few `Words` all day."""
    labels = _known.get(words)
    if labels is None or labels.data is not data:
        labels = _known[words] = Labels(words, data)
    return labels


class Labels:
    """The words of one language for the drawings of one ruleset."""

    def __init__(self, words: Words, data: GameData) -> None:
        self.data = data
        self.words = copy(words)
        self.words.domains = (DOMAIN, *(domain for domain in words.domains if domain != DOMAIN))
        self.language = words.language
        self._said: dict[object, str] = {}
        self.sides = tuple(self.words.name("side", side) for side in SIDES)

    def say(self, key: str, **args: Argument) -> str:
        """A phrase of the catalogue."""
        asked = (key, *args.items())
        said = self._said.get(asked)
        if said is None:
            if len(self._said) > _MOST_SAID:
                self._said.clear()
            said = self._said[asked] = self.words.text(Message(f"draw.{key}", args))
        return said

    def sentence(self, key: str, **args: Argument) -> str:
        """The same with a capital letter."""
        said = self.say(key, **args)
        return said[:1].upper() + said[1:]

    def place(self, place: str) -> str:
        """The name of a battleground."""
        return self.words.name("battleground", place)

    def kind(self, track: str) -> str:
        """The short name of a kind of battleground and of its track."""
        return self.say(f"kind.{track}")

    def card(self, card: str) -> str:
        """The name of a card."""
        return self.words.name("card", card)

    def area(self, area: str) -> str:
        """The name of an area of the DEFCON tracks."""
        return self.words.name("area", area)

    def lead(self, lead: int) -> str:
        """Who leads by how much, as a phrase."""
        if lead == 0:
            return self.say("tie")
        return self.say("leads_by", side=self.sides[0 if lead > 0 else 1], lead=abs(lead))

    def day(self, number: int, *, long: bool = False) -> str:
        """A day of the crisis, from 0: "Tue 16"; or "Tuesday, 16 October"."""
        return _day(number, self.language, long)

    def describe_place(self, position: Position, place: str, track: str) -> str:
        """A battleground as a screen reader says it."""
        us, ussr = position.cubes[place]
        text = self.say(
            "aria.place",
            place=self.place(place),
            kind=self.kind(track),
            us=f"{self.sides[0]} {us}",
            ussr=f"{self.sides[1]} {ussr}",
            lead=self.lead(us - ussr),
        )
        return text

    def describe_track(self, position: Position, track: str) -> str:
        """A DEFCON track as a screen reader says it."""
        us, ussr = position.markers[track]
        return self.say(
            "aria.track",
            track=self.kind(track),
            us=f"{self.sides[0]} {us} ({self.area(self.area_of(us))})",
            ussr=f"{self.sides[1]} {ussr} ({self.area(self.area_of(ussr))})",
        )

    def area_of(self, step: int) -> str:
        """The area a step of the tracks is in."""
        return next((area for area, steps in self.data.areas.items() if step in steps), next(iter(self.data.areas)))


@cache
def _day(number: int, language: str, long: bool) -> str:
    day = FIRST_DAY + timedelta(days=number)
    locale = _LOCALES.get(language, language)
    if long:
        return str(format_skeleton("MMMMEEEEd", day, locale=locale))
    return f"{format_date(day, 'EEE', locale=locale).rstrip('.')} {day.day}"
