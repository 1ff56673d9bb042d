"""A game to be looked at step by step: a match as one reader may know it, with its log and its marks.

A step is the position after so many entries, 0 the one after set-up. The buttons go from stop to stop: a deal of many
cards is one stop. What is costly, the log and the plays of the calendar, is made once for a reader and a language.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

from brinkmanship.drawing import drawing_of
from brinkmanship.engine import journal
from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.engine.score import ScoreTable
from brinkmanship.text import Words
from brinkmanship.web.presentation.log_view import Hinted, LogLine, LogView
from brinkmanship.web.support.lru_cache import LruCache

READERS = {"public": OBSERVER, "open": FULL_INFORMATION}
"""Names of the readers that are no side."""


_FILM_ADDRESS = re.compile(r"/[tu]/[A-Za-z0-9_-]{1,20}")
MAX_REELS = 256
"""Kept in memory; one of a long game takes about a megabyte."""


@dataclass
class ReplaySource:
    """A game that somebody looks at."""

    game: Game
    """The ruleset."""
    seen_by: Callable[[int], Perspective]
    """The game as a reader knows it."""
    names: tuple[str, ...]
    """Who plays, by side."""
    address: str
    """Where its pages are: "/t/<id>" or "/u/<id>"."""
    result: str = ""
    """As journals write it; "" while the game goes on."""
    comments: dict[int, str] = field(default_factory=dict)
    """What a journal says to an entry, counted from 1."""
    hinted_entries: Callable[[int], Collection[int]] = lambda _: ()
    """The entries, of those that a reader knows of, that were decided after a hint."""
    reasons: dict[int, Message] = field(default_factory=dict)
    """Why a computer player did what an entry says; none before the game is over."""
    given: int = 0
    """How many entries were given, where it was played on from another game."""
    given_from: str = ""
    """Where that game is: "/t/<id>" or "/u/<id>"; "": not known here."""


def film_of(record: journal.Journal, match: Match, address: str) -> ReplaySource:
    """The film of a journal that has been carried out; it is open to everybody."""
    names = tuple(record.headers.get(side, "") for side in match.game.sides)
    result = journal.result_text(match) if match.is_over else record.result
    comments, reasons = journal.comments_of(record, match), journal.reasons_of(record, match)
    hinted = {number + 1 for number in journal.hinted_in(record, match)}
    told = {number: said for number, said in comments.items() if said != journal.HINT_TAKEN}
    given, source = journal.given_in(record, match), record.headers.get(journal.GIVEN_FROM_HEADER, "")
    return ReplaySource(
        match.game,
        partial(Perspective, match),
        names,
        address,
        result,
        told,
        lambda _: hinted,
        reasons,
        given,
        source if given and _FILM_ADDRESS.fullmatch(source) else "",
    )


class Replay:
    """A film as one reader may see it, in one language."""

    def __init__(self, film: ReplaySource, reader: int, words: Words) -> None:
        self.reader = reader
        self.words = words
        self.seen = film.seen_by(reader).still()
        self._hinted = film.hinted_entries(reader)
        story = LogView(drawing_of(film.game), words, f"{film.address}/card/", window=None)
        story.follow(self.seen)
        self.entries = story.entries
        self.length = len(story.entries)
        self.plays = story.plays
        self.lines = story.lines
        self._line_entries = [line.entry for line in self.lines]
        self._play_entries = [number for number, _ in self.plays]
        self.stops = _stops(story.entries)

    def is_of(self, film: ReplaySource) -> bool:
        """Whether it is up to date with a film."""
        return self.entries == film.seen_by(self.reader).entries and self._hinted == film.hinted_entries(self.reader)

    @cached_property
    def hinted(self) -> Hinted:
        """The decisions that were made after a hint."""
        names = [self.words.name("side", side) for side in self.seen.game.sides]
        return Hinted(self.entries, self._hinted, names)

    @cached_property
    def rounds(self) -> list[Round]:
        """What was scored in each round or turn."""
        return rounds_of(self)

    @cached_property
    def score(self) -> tuple[ScoreTable, ...]:
        """What the score is made of; of a reel from which nothing is hidden, since the game is over."""
        return self.seen.game.narrator.score(list(self.seen.seen()))

    @cached_property
    def course(self) -> str:
        """The course of the game as a picture."""
        game = self.seen.game
        drawn = drawing_of(game).course(game, [self.view(step) for step in range(self.length + 1)], self.words)
        return drawn

    def view(self, step: int) -> State:
        """What the reader knows at a step."""
        return self.seen.view(step)

    def plays_until(self, step: int) -> list[Any]:
        """The plays of the calendar so far."""
        return [play for _, play in self.plays[: bisect_right(self._play_entries, step)]]

    def lines_of(self, step: int) -> list[LogLine]:
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


class ReplayCache:
    """The reels that were asked for last; may be used from several threads."""

    def __init__(self, most: int = MAX_REELS) -> None:
        self._made: LruCache[tuple[str, int, str], Replay] = LruCache(most)

    def reel(self, film: ReplaySource, reader: int, words: Words) -> Replay:
        """The film for a reader, up to date."""
        key = (film.address, reader, words.language)
        made = self._made.get(key)
        if made is None or not made.is_of(film):
            made = self._made.keep(key, Replay(film, reader, words))
        return made

    def clear(self) -> None:
        """Keep none."""
        self._made.clear()


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
    """`Narrator.span`."""
    number: int
    agendas: dict[str, str]
    """The agenda each side had chosen, by the id of the side; empty in games without."""
    lines: list[LogLine]
    """What the rules counted at its end."""
    first: int
    """The step at which it began."""


def rounds_of(reel: Replay) -> list[Round]:
    """The rounds or turns of a finished game; games without have one."""
    game = reel.seen.game
    rounds: dict[int, Round] = {}
    for seen in reel.seen.seen():
        number = int(game.public_state(seen.before).get(game.narrator.span, 0))
        if number not in rounds:
            rounds[number] = Round(game.narrator.span, number, {}, [], seen.number - 1)
        if seen.entry.by_rules:
            known = game.known_state(seen.before, OBSERVER).get("agenda", {})
            if all(known.values()):
                rounds[number].agendas.update(known)
    spans = [(each.first, each) for each in rounds.values()]
    for line in reel.lines:
        if reel.entries[line.entry - 1].by_rules:
            place = bisect_left([first for first, _ in spans], line.entry) - 1
            spans[place][1].lines.append(line)
    return list(rounds.values())
