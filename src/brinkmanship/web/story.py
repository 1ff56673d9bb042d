"""The log of a table as one reader sees it: rendered lines, kept and extended as the game goes on.

A log grows by a few lines with each action, so the lines already told are kept (the last `WINDOW` of them) and only
what is new is narrated. Undo cuts; where it cuts deeper than the window, everything is told anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from brinkmanship.engine.game import CHANCE, OBSERVER, Game, State
from brinkmanship.engine.match import Entry, Match
from brinkmanship.engine.message import Argument, Dice, Line, Message, Ref
from brinkmanship.text import Words

EVERYTHING = 3
"""The reader to whom all cards are open: after the game."""
WINDOW = 60
"""Lines that a table page shows at once; `whole` gives all."""
THROWS = 5
"""So many of the last throws of dice a page can show rolling."""


class Told(NamedTuple):
    """A line as it is shown."""

    number: int
    """Counted from 0 over the whole game."""
    entry: int
    """The entry it is about, counted from 1; of several that are one line, the last."""
    first: int
    """The first of them."""
    side: int | None
    follows: bool
    """Whether it is what followed from a deed."""
    html: Markup
    line: Line
    """What it says."""
    times: int
    """How often in a row."""


class Throw(NamedTuple):
    """Dice that fell."""

    entry: int
    side: int | None
    what: str
    """What they were thrown for."""
    told: str
    """What the log says of them."""
    dice: Dice


class Story:
    """What happened at a table, for one reader in one language."""

    def __init__(self, game: Game, drawing: Any, reader: int, words: Words, card_path: str) -> None:
        self.game = game
        self.drawing = drawing
        self.reader = reader
        self.words = words
        self.card_path = card_path
        self._forget()

    def _forget(self) -> None:
        self.entries: list[Entry] = []
        self.lines: list[Told] = []
        self.count = 0
        self.plays: list[tuple[int, Any]] = []
        self.throws: list[Throw] = []
        self._view: State | None = None

    def follow(self, match: Match, window: int = WINDOW) -> None:
        """Tell what is new, take back what was undone."""
        known = match.entries[: known_length(match, self.reader)]
        same = 0
        for mine, theirs in zip(self.entries, known, strict=False):
            if mine is not theirs:
                break
            same += 1
        if same < len(self.entries):
            self._cut(same)
            same = len(self.entries)
        before = self._view
        if before is None:
            before = view_for(match, same, self.reader)
        for number in range(same, len(known)):
            after = view_for(match, number + 1, self.reader)
            self._tell(number + 1, known[number], before, after)
            before = after
        self._view = before
        self.entries = known
        del self.lines[: max(0, len(self.lines) - window)]
        del self.throws[: max(0, len(self.throws) - THROWS)]

    def since(self, side: int) -> int:
        """The number of the first line after the last entry of a side."""
        last = next((n for n in range(len(self.entries), 0, -1) if self.entries[n - 1].actor == side), 0)
        return next((line.number for line in self.lines if line.entry > last), self.count)

    def _cut(self, length: int) -> None:
        is_within_a_line = any(line.first <= length < line.entry for line in reversed(self.lines))
        if not self.lines or self.lines[0].entry > length or is_within_a_line:
            self._forget()
            return
        while self.lines and self.lines[-1].entry > length:
            self.lines.pop()
        while self.plays and self.plays[-1][0] > length:
            self.plays.pop()
        while self.throws and self.throws[-1].entry > length:
            self.throws.pop()
        self.count = self.lines[-1].number + 1 if self.lines else 0
        self.entries = self.entries[:length]
        self._view = None

    def _tell(self, number: int, entry: Entry, before: State, after: State) -> None:
        action = entry.action if knows(entry, self.reader) else -1
        if action >= 0:
            play = self.drawing.play_of(self.game, before, action)
            if play is not None:
                self.plays.append((number, play))
        dice = self.game.dice(before, action) if action >= 0 else None
        for line in self.game.narrate(before, action, after, _teller(entry, self.reader)):
            if dice is not None:
                what = self.words.sentence(self.game.prompt(before, self.reader))
                self.throws.append(Throw(number, line.side, what, self.words.sentence(line.message), dice))
                dice = None  # the first line is the deed
            self._add(number, line)

    def _add(self, entry: int, line: Line) -> None:
        times, first = 1, entry
        if self.lines:
            last = self.lines[-1]
            joined = _joined(last.line, line)
            if joined is not None:
                times = last.times + 1 if joined is line else 1
                line, first = joined, last.first
                self.lines.pop()
                self.count -= 1
        follows = line.message.key.startswith("change.")
        html = self._html(line, times)
        self.lines.append(Told(self.count, entry, first, line.side, follows, html, line, times))
        self.count += 1

    def _html(self, line: Line, times: int) -> Markup:
        text = str(escape(self.words.sentence(line.message)))
        for card in dict.fromkeys(_cards(line.message.args.values())):
            name = str(escape(self.words.name("card", card)))
            if name.isdecimal():
                continue  # a card with nothing on it but a number, which any other number would be taken for
            link = f'<a class="card-name" href="{self.card_path}{card}" data-card="{card}">{name}</a>'
            text = text.replace(name, link, 1)
        if times > 1:
            text += f" (×{times})"
        return Markup(text)


def view_for(match: Match, count: int, reader: int) -> State:
    """What a reader knows after so many entries; all of it for `EVERYTHING`."""
    state = match.state_after(count)
    return state if reader == EVERYTHING else match.game.view_of(state, reader)


def knows(entry: Entry, reader: int) -> bool:
    """Whether a reader may know which action it is."""
    return reader == EVERYTHING or entry.is_known_to(reader)


def _teller(entry: Entry, reader: int) -> int:
    """From whose side a line is told; where all is open, from that of the one who acts."""
    if reader != EVERYTHING:
        return reader
    return entry.actor if entry.actor < CHANCE else OBSERVER


def known_length(match: Match, reader: int) -> int:
    """How many entries a reader may know of: not what the other side has answered to a question put to both."""
    if reader == EVERYTHING or not match.in_secret:
        return len(match.entries)
    last = match.entries[-1] if match.entries else None
    hidden = last is not None and last.together and last.actor not in (reader, CHANCE)
    return len(match.entries) - hidden


def _joined(one: Line, two: Line) -> Line | None:
    """Two lines that are one to a person: the same again (then `two`), or the same with another card."""
    if one.message == two.message:
        return two
    key, args = two.message
    if key != one.message.key or "card" not in args or one.side != two.side or "n" in args:
        return None
    if {**one.message.args, "card": ""} != {**args, "card": ""}:
        return None
    if not key.startswith("log.card."):
        return None
    return Line(
        Message(key, {**args, "card": (*_several(one.message.args["card"]), *_several(args["card"]))}), two.side
    )


def _several(card: Argument) -> tuple[Ref | Message, ...]:
    if isinstance(card, tuple) and not isinstance(card, Ref | Message):
        return card
    return (card,) if isinstance(card, Ref | Message) else ()


def _cards(values: Iterable[Argument]) -> Iterator[str]:
    for value in values:
        if isinstance(value, Ref):
            if value.kind == "card":
                yield value.id
        elif isinstance(value, Message):
            yield from _cards(value.args.values())
        elif isinstance(value, tuple):
            yield from _cards(_several(value))
