"""A game to be looked at step by step: a match as one reader may know it, with its log and its marks.

A step is the position after so many entries, 0 the one after set-up. The buttons go from stop to stop: a deal of many
cards is one stop. What is costly, the log and the plays of the calendar, is made once for a reader and a language.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from brinkmanship.draw import drawing_of
from brinkmanship.engine.game import CHANCE, OBSERVER, Game, State
from brinkmanship.engine.match import Entry, Match
from brinkmanship.text import Words
from brinkmanship.web.story import EVERYTHING, Story, Told, known_length, view_for

READERS = {"public": OBSERVER, "open": EVERYTHING}
"""Names of the readers that are no side."""
NO_END = 1_000_000


@dataclass
class Film:
    """A game that somebody looks at."""

    match: Match
    names: tuple[str, ...]
    """Who plays, by side."""
    address: str
    """Where its pages are: "/t/<id>" or "/u/<id>"."""
    result: str = ""
    """As journals write it; "" while the game goes on."""
    comments: dict[int, str] = field(default_factory=dict)
    """What a journal says to an entry, counted from 1."""

    @property
    def game(self) -> Game:
        """The ruleset."""
        return self.match.game


class Reel:
    """A film as one reader may see it, in one language."""

    def __init__(self, film: Film, reader: int, words: Words) -> None:
        self.reader = reader
        story = Story(film.game, drawing_of(film.game), reader, words, f"{film.address}/card/")
        story.follow(film.match, window=NO_END)
        self.match = film.match.copy()
        self.length = len(story.entries)
        self.plays = story.plays
        self.lines = story.lines
        self._line_entries = [line.entry for line in self.lines]
        self._play_entries = [number for number, _ in self.plays]
        self.stops = _stops(story.entries)

    def view(self, step: int) -> State:
        """What the reader knows at a step."""
        return view_for(self.match, step, self.reader)

    def plays_until(self, step: int) -> list[Any]:
        """The plays of the calendar so far."""
        return [play for _, play in self.plays[: bisect_right(self._play_entries, step)]]

    def lines_of(self, step: int) -> list[Told]:
        """What happened between the stop before this step and the step."""
        before = self.stops[bisect_left(self.stops, step) - 1] if step else 0
        return self.lines[bisect_right(self._line_entries, before) : bisect_right(self._line_entries, step)]

    def stop(self, step: int) -> int:
        """The step itself, or where it is inside a deal the end of the deal."""
        return self.stops[bisect_left(self.stops, step)]

    def before(self, step: int) -> int | None:
        """The stop before."""
        place = bisect_left(self.stops, step)
        return self.stops[place - 1] if place else None

    def after(self, step: int) -> int | None:
        """The next stop."""
        place = bisect_right(self.stops, step)
        return self.stops[place] if place < len(self.stops) else None


class Reels:
    """The reels of one film, made when they are asked for."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, str], tuple[list[Entry], Reel]] = {}

    def reel(self, film: Film, reader: int, words: Words) -> Reel:
        """The film for a reader, up to date."""
        key = (reader, words.language)
        known = film.match.entries[: known_length(film.match, reader)]
        made = self._made.get(key)
        if made is None or len(made[0]) != len(known) or any(a is not b for a, b in zip(made[0], known, strict=True)):
            made = self._made[key] = (known, Reel(film, reader, words))
        return made[1]


def _stops(entries: list[Entry]) -> list[int]:
    """The steps the buttons go to: all but those inside a deal."""

    def is_deal(entry: Entry) -> bool:
        return entry.actor == CHANCE and not entry.by_rules

    last = len(entries)
    inside = {step for step in range(1, last) if is_deal(entries[step - 1]) and is_deal(entries[step])}
    return [step for step in range(last + 1) if step not in inside]


class Round(NamedTuple):
    """What was scored in a round or turn."""

    span: str
    """`Game.span`."""
    number: int
    agendas: dict[str, str]
    """The agenda each side had chosen, by the id of the side; empty in games without."""
    lines: list[Told]
    """What the rules counted at its end."""
    first: int
    """The step at which it began."""


def rounds_of(match: Match, reel: Reel) -> list[Round]:
    """The rounds or turns of a finished game; games without have one."""
    game = match.game
    rounds: dict[int, Round] = {}
    for count, entry in enumerate(match.entries, 1):
        before = match.state_after(count - 1)
        number = int(game.public_state(before).get(game.span, 0))
        if number not in rounds:
            rounds[number] = Round(game.span, number, {}, [], count - 1)
        if entry.by_rules:
            known = game.known_state(before, OBSERVER).get("agenda", {})
            if all(known.values()):
                rounds[number].agendas.update(known)
    spans = [(each.first, each) for each in rounds.values()]
    for line in reel.lines:
        if match.entries[line.entry - 1].by_rules:
            place = bisect_left([first for first, _ in spans], line.entry) - 1
            spans[place][1].lines.append(line)
    return list(rounds.values())
