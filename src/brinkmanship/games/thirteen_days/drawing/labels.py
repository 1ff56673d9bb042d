"""The words on the pictures of 13 Days: names from the game, phrases from the catalogue ``draw``."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from babel.dates import format_date, format_skeleton

from brinkmanship.drawing.phrases import Phrases, made_once
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition
from brinkmanship.games.thirteen_days.rules.data import GameData
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.text import Words

FIRST_DAY = date(1962, 10, 16)
"""The day the president saw the photographs."""

_LOCALES = {"en": "en_GB"}


class Labels(Phrases):
    """The words of one language for the drawings of one ruleset."""

    def __init__(self, words: Words, data: GameData) -> None:
        super().__init__(words, ThirteenDays.sides)
        self.data = data

    def place(self, place: str) -> str:
        """Return the name of a battleground."""
        return self.words.name("battleground", place)

    def lead(self, lead: int) -> str:
        """Return the leader and the lead as a phrase."""
        if lead == 0:
            return self.say("tie")
        return self.say("leads_by", side=self.sides[0 if lead > 0 else 1], lead=abs(lead))

    def day(self, number: int, *, long: bool = False) -> str:
        """Return a day of the crisis, from 0: "Tue 16"; or "Tuesday, 16 October"."""
        return _day(number, self.language, long)

    def describe_place(self, position: DrawnPosition, place: str, track: str) -> str:
        """Return the description of a battleground for screen readers."""
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

    def tell_place(self, position: DrawnPosition, place: str, track: str) -> list[str]:
        """Return the details of a battleground for its tooltip, line by line."""
        us, ussr = position.cubes[place]
        lines = [self.place(place), self.kind(track), f"{self.sides[0]} {us}, {self.sides[1]} {ussr}"]
        if us or ussr:
            lines.append(self.lead(us - ussr))
        gain = next(found.bonus for found in self.data.battleground if found.id == place)
        if gain is not None:
            lines.append(self.say("tell.gain", gain=self.say(f"bonus.{gain}")))
        own = [found for found in self.data.agenda if found.kind == "battleground" and found.battleground == place]
        bonuses = [agenda.bonus for agenda in own if agenda.bonus and not agenda.connected]
        return [*lines, *(self.say("tell.agenda", bonus=self.words.signed(bonus)) for bonus in bonuses)]

    def tell_track(self, position: DrawnPosition, track: str) -> list[str]:
        """Return the details of a DEFCON track, line by line."""
        steps = zip(self.sides, position.markers[track], strict=True)
        markers = [f"{side}: {step}, {self.area(self.area_of(step))}" for side, step in steps]
        return [f"DEFCON, {self.kind(track)}", *markers, self.say("checked")]

    def describe_track(self, position: DrawnPosition, track: str) -> str:
        """Return the description of a DEFCON track for screen readers."""
        us, ussr = position.markers[track]
        return self.say(
            "aria.track",
            track=self.kind(track),
            us=f"{self.sides[0]} {us} ({self.area(self.area_of(us))})",
            ussr=f"{self.sides[1]} {ussr} ({self.area(self.area_of(ussr))})",
        )

    def area_of(self, step: int) -> str:
        """Return the area that a step of the tracks is in."""
        return next((area for area, steps in self.data.areas.items() if step in steps), next(iter(self.data.areas)))


labels_for = made_once(Labels)


@cache
def _day(number: int, language: str, long: bool) -> str:
    day = FIRST_DAY + timedelta(days=number)
    locale = _LOCALES.get(language, language)
    if long:
        return str(format_skeleton("MMMMEEEEd", day, locale=locale))
    return f"{format_date(day, 'EEE', locale=locale).rstrip('.')} {day.day}"
