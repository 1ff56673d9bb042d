"""The log of a game for one viewer: a cache of formatted lines, extended as the game goes on.

A log grows by a few lines with each action, so lines are cached and only new entries are narrated. Undo truncates the
log; if it cuts into a line or deeper than the cached part, the whole log is narrated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from brinkmanship.engine.entry import Entry, ViewedEntry
from brinkmanship.engine.message import Argument, LogLine, Message, Ref
from brinkmanship.engine.perspective import Perspective

Shown = TypeVar("Shown")
"""The displayed form of a line: markup, or text of a terminal."""


class LogEntry(NamedTuple, Generic[Shown]):
    """A line of the log."""

    number: int
    """Number of the line, counted from 0 over the whole game."""
    entry: int
    """The match entry it is about, counted from 1; the last one if several share a line."""
    first: int
    """The first of these entries."""
    line: LogLine
    times: int
    """Number of consecutive repetitions."""
    shown: Shown

    @property
    def side(self) -> int | None:
        """The acting side, None for chance and the rules."""
        return self.line.side

    @property
    def follows(self) -> bool:
        """True if it is a consequence of an action."""
        return self.line.message.key.startswith("change.")


class GameLog(Generic[Shown]):
    """The log of a game for one viewer.

    Args:
        show: formats a line with its number of repetitions.
        window: maximum number of last lines kept; None: all.
    """

    def __init__(self, show: Callable[[LogLine, int], Shown], window: int | None = None) -> None:
        self._show = show
        self._window = window
        self._forget()

    def _forget(self) -> None:
        self.entries: list[Entry] = []
        """The entries narrated so far, as the viewer knows them."""
        self.lines: list[LogEntry[Shown]] = []
        self.count = 0
        """Number of lines of the whole log, including those no longer kept."""

    def follow(self, perspective: Perspective) -> None:
        """Narrate new entries and remove undone ones."""
        known = perspective.entries
        same = 0
        for mine, theirs in zip(self.entries, known, strict=False):
            if mine != theirs:
                break
            same += 1
        if same < len(self.entries):
            self._cut(same)
        for seen in perspective.seen(len(self.entries)):
            self._tell(perspective, seen)
        self.entries = known
        if self._window is not None:
            del self.lines[: max(0, len(self.lines) - self._window)]

    def since(self, side: int) -> int:
        """Return the number of the first line after the last entry of a side."""
        last = next((n for n in range(len(self.entries), 0, -1) if self.entries[n - 1].actor == side), 0)
        return next((line.number for line in self.lines if line.entry > last), self.count)

    def _cut(self, length: int) -> None:
        is_within_a_line = any(line.first <= length < line.entry for line in reversed(self.lines))
        if not self.lines or self.lines[0].entry > length or is_within_a_line:
            self._forget()
            return
        while self.lines and self.lines[-1].entry > length:
            self.lines.pop()
        self.count = self.lines[-1].number + 1 if self.lines else 0
        self.entries = self.entries[:length]

    def _tell(self, perspective: Perspective, seen: ViewedEntry) -> None:
        for line in perspective.lines(seen):
            self._add(seen.number, line)

    def _add(self, entry: int, line: LogLine) -> None:
        times, first = 1, entry
        if self.lines and self.lines[-1].line.begins and self.lines[-1].side == line.side:
            first = self.lines.pop().first
            self.count -= 1
        if self.lines:
            last = self.lines[-1]
            joined = _joined(last.line, line)
            if joined is not None:
                times = last.times + 1 if joined is line else 1
                line, first = joined, last.first
                self.lines.pop()
                self.count -= 1
        self._append(entry, first, line, times)
        self._fold()

    def _append(self, entry: int, first: int, line: LogLine, times: int) -> None:
        self.lines.append(LogEntry(self.count, entry, first, line, times, self._show(line, times)))
        self.count += 1

    def _fold(self) -> None:
        """Join an action that is repeated with the change that follows it each time, such as its price."""
        if len(self.lines) < 4:
            return
        one, change, again, next_change = self.lines[-4:]
        summed = _summed(change.line, next_change.line)
        if summed is None or one.line.message != again.line.message or one.side != again.side:
            return
        del self.lines[-4:]
        self.count -= 4
        self._append(again.entry, one.first, again.line, one.times + again.times)
        self._append(next_change.entry, change.first, summed, 1)


def _joined(one: LogLine, two: LogLine) -> LogLine | None:
    """Return one line for two that repeat (then `two`) or differ only in the card; None if they cannot be joined."""
    if one.message == two.message:
        return two
    key, args = two.message
    if key != one.message.key or "card" not in args or one.side != two.side or "n" in args:
        return None
    if {**one.message.args, "card": ""} != {**args, "card": ""}:
        return None
    if not key.startswith("log.card."):
        return None
    cards = (*_several(one.message.args["card"]), *_several(args["card"]))
    return LogLine(Message(key, {**args, "card": cards}), two.side)


def _summed(one: LogLine, two: LogLine) -> LogLine | None:
    """Return one line for two changes of the same number, the second from where the first led; None for others."""
    key, args, was = two.message.key, two.message.args, one.message.args
    by, first = args.get("by"), was.get("by")
    if key != one.message.key or not isinstance(by, int) or not isinstance(first, int):
        return None
    if {**args, "before": was["before"], "after": args["before"], "by": first} != was:
        return None
    return LogLine(Message(key, {**args, "before": was["before"], "by": first + by}), two.side)


def _several(card: Argument) -> tuple[Ref | Message, ...]:
    if isinstance(card, tuple) and not isinstance(card, Ref | Message):
        return card
    return (card,) if isinstance(card, Ref | Message) else ()


def cards_in(values: Iterable[Argument]) -> Iterator[str]:
    """Yield the ids of the cards that the arguments of a message name."""
    for value in values:
        if isinstance(value, Ref):
            if value.kind == "card":
                yield value.id
        elif isinstance(value, Message):
            yield from cards_in(value.args.values())
        elif isinstance(value, tuple):
            yield from cards_in(_several(value))
