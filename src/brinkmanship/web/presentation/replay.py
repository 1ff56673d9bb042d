"""Step-by-step replay of a match as one viewer may know it, with its log and marks.

Step N is the position after N entries; step 0 follows set-up. The buttons go from stop to stop: dealing many cards is
one stop. The costly parts, the log and the calendar plays, are computed once per viewer and language.
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
from brinkmanship.web.presentation.log_view import HintedDecisions, LogView, LogViewLine
from brinkmanship.web.support.lru_cache import LruCache

VIEWERS = {"public": OBSERVER, "open": FULL_INFORMATION}
"""Names of the viewers that are not sides."""


_REPLAY_ADDRESS = re.compile(r"/[tu]/[A-Za-z0-9_-]{1,20}")
MAX_REPLAYS = 256
"""Maximum cached replays; one of a long game takes about a megabyte."""


@dataclass
class ReplaySource:
    """A game to replay."""

    game: Game
    """The ruleset."""
    seen_by: Callable[[int], Perspective]
    """Returns the game as a viewer knows it."""
    names: tuple[str, ...]
    """Player names by side."""
    address: str
    """Address prefix of its pages: "/t/<id>" or "/u/<id>"."""
    result: str = ""
    """Result as written in journals; "" while the game is running."""
    comments: dict[int, str] = field(default_factory=dict)
    """Journal comments by entry number, from 1."""
    hinted_entries: Callable[[int], Collection[int]] = lambda _: ()
    """Returns the entries decided after a hint, among those known to a viewer."""
    reasons: dict[int, Message] = field(default_factory=dict)
    """Reasons of computer players by entry number; empty before the game is over."""
    given: int = 0
    """Number of entries copied from another game."""
    given_from: str = ""
    """Address of that game: "/t/<id>" or "/u/<id>"; "" if unknown here."""
    profiles: tuple[str, ...] = ()
    """Ids of players with a public profile by side, "" for others; empty for uploaded journals."""


def replay_source_of(record: journal.Journal, match: Match, address: str) -> ReplaySource:
    """Return the replay source of an executed journal; it is open to all viewers."""
    names = tuple(record.headers.get(side, "") for side in match.game.sides)
    result = journal.result_text(match) if match.is_over else record.result
    comments, reasons = journal.comments_of(record, match), journal.reasons_of(record, match)
    hinted = {number + 1 for number in journal.hinted_in(record, match)}
    remarks = {number: said for number, said in comments.items() if said != journal.HINT_TAKEN}
    given, source = journal.given_in(record, match), record.headers.get(journal.GIVEN_FROM_HEADER, "")
    return ReplaySource(
        match.game,
        partial(Perspective, match),
        names,
        address,
        result,
        remarks,
        lambda _: hinted,
        reasons,
        given,
        source if given and _REPLAY_ADDRESS.fullmatch(source) else "",
    )


class Replay:
    """A replay for one viewer in one language."""

    def __init__(self, replay_source: ReplaySource, viewer: int, words: Words) -> None:
        self.viewer = viewer
        self.words = words
        self.seen = replay_source.seen_by(viewer).snapshot()
        self._hinted = replay_source.hinted_entries(viewer)
        log_view = LogView(drawing_of(replay_source.game), words, f"{replay_source.address}/card/", window=None)
        log_view.follow(self.seen)
        self.entries = log_view.entries
        self.length = len(log_view.entries)
        self.plays = log_view.plays
        self.lines = log_view.lines
        self._line_entries = [line.entry for line in self.lines]
        self._play_entries = [number for number, _ in self.plays]
        self.stops = _stops(log_view.entries)

    def is_of(self, replay_source: ReplaySource) -> bool:
        """Return True if it is up to date with its source."""
        return self.entries == replay_source.seen_by(
            self.viewer
        ).entries and self._hinted == replay_source.hinted_entries(self.viewer)

    @cached_property
    def hinted(self) -> HintedDecisions:
        """The decisions made after a hint."""
        names = [self.words.name("side", side) for side in self.seen.game.sides]
        return HintedDecisions(self.entries, self._hinted, names)

    @cached_property
    def rounds(self) -> list[Round]:
        """The plays and the scoring of each round or turn."""
        return rounds_of(self)

    @cached_property
    def score(self) -> tuple[ScoreTable, ...]:
        """The breakdown of the score; requires a finished game, where nothing is hidden."""
        return self.seen.game.narrator.score(list(self.seen.seen()))

    @cached_property
    def course(self) -> str:
        """The course of the game as an SVG picture."""
        game = self.seen.game
        drawn = drawing_of(game).course(game, [self.view(step) for step in range(self.length + 1)], self.words)
        return drawn

    def view(self, step: int) -> State:
        """Return the viewer's view at a step."""
        return self.seen.view(step)

    def plays_until(self, step: int) -> list[Any]:
        """Return the calendar plays up to a step."""
        return [play for _, play in self.plays[: bisect_right(self._play_entries, step)]]

    def lines_of(self, step: int) -> list[LogViewLine]:
        """Return the log lines after the previous stop, up to this step."""
        before = self.stops[bisect_left(self.stops, step) - 1] if step else 0
        return self.lines[bisect_right(self._line_entries, before) : bisect_right(self._line_entries, step)]

    def stop(self, step: int) -> int:
        """Return the stop at or after a step: inside a deal, the end of the deal."""
        return self.stops[bisect_left(self.stops, step)]

    def before(self, step: int) -> int | None:
        """Return the previous stop, or None."""
        place = bisect_left(self.stops, step)
        return self.stops[place - 1] if place else None

    def after(self, step: int) -> int | None:
        """Return the next stop, or None."""
        place = bisect_right(self.stops, step)
        return self.stops[place] if place < len(self.stops) else None


class ReplayCache:
    """LRU cache of replays; thread-safe."""

    def __init__(self, most: int = MAX_REPLAYS) -> None:
        self._made: LruCache[tuple[str, int, str], Replay] = LruCache(most)

    def replay(self, replay_source: ReplaySource, viewer: int, words: Words) -> Replay:
        """Return the up-to-date replay of a source for a viewer."""
        key = (replay_source.address, viewer, words.language)
        made = self._made.get(key)
        if made is None or not made.is_of(replay_source):
            made = self._made.keep(key, Replay(replay_source, viewer, words))
        return made

    def clear(self) -> None:
        """Drop all cached replays."""
        self._made.clear()


def _stops(entries: list[Entry]) -> list[int]:
    """Return the steps that the buttons visit: all but those inside a deal."""

    def is_deal(entry: Entry) -> bool:
        return entry.actor == CHANCE and not entry.by_rules

    last = len(entries)
    inside = {step for step in range(1, last) if is_deal(entries[step - 1]) and is_deal(entries[step])}
    return [step for step in range(last + 1) if step not in inside]


class Round(NamedTuple):
    """The plays and the scoring of a round or turn."""

    span: str
    """`Narrator.span`."""
    number: int
    agendas: dict[str, str]
    """Chosen agenda by side id; empty in games without agendas."""
    lines: list[LogViewLine]
    """Log lines of the cards played, and of the scoring at its end."""
    first: int
    """First step of the round."""


def rounds_of(replay: Replay) -> list[Round]:
    """Return the rounds or turns of a finished game; a game without them has one."""
    game = replay.seen.game
    rounds: dict[int, Round] = {}
    for seen in replay.seen.seen():
        number = int(game.public_state(seen.before).get(game.narrator.span, 0))
        if number not in rounds:
            rounds[number] = Round(game.narrator.span, number, {}, [], seen.number - 1)
        if seen.entry.by_rules:
            known = game.known_state(seen.before, OBSERVER).get("agenda", {})
            if all(known.values()):
                rounds[number].agendas.update(known)
    spans = [(each.first, each) for each in rounds.values()]
    plays = {number for number, _ in replay.plays}
    tells_all = not plays  # a game without pictures, whose plays are not known
    for line in replay.lines:
        is_play = line.entry in plays and line.line.card is not None and not line.follows
        if tells_all or is_play or replay.entries[line.entry - 1].by_rules:
            place = bisect_left([first for first, _ in spans], line.entry) - 1
            spans[place][1].lines.append(line)
    return list(rounds.values())
