"""What happened in a match, as lines for one reader."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from rich.text import Text

from brinkmanship.cli.look import MARKS, QUIET, SIDE_STYLES
from brinkmanship.cli.table import Past
from brinkmanship.engine.game import CHANCE, OBSERVER, State
from brinkmanship.engine.match import Entry, Match
from brinkmanship.engine.message import Argument, Line, Message, Ref
from brinkmanship.text import Words

EVERYTHING = 3
"""The "reader" to whom all cards are open: a replay after the game."""


class Told(NamedTuple):
    """A line of the story and the entry it is about, counted from 1."""

    entry: int
    line: Line
    times: int = 1


def view_for(match: Match, count: int, reader: int) -> State:
    """What a reader knows after so many entries; all of it for EVERYTHING."""
    state = match.state_after(count)
    return state if reader == EVERYTHING else match.game.view_of(state, reader)


def knows(entry: Entry, reader: int) -> bool:
    """Whether a reader may know which action it is."""
    return reader == EVERYTHING or entry.is_known_to(reader)


def past_of(match: Match, reader: int, count: int) -> list[Past]:
    """The first `count` actions as a reader knows them."""
    return [
        Past(view_for(match, number, reader), entry.action if knows(entry, reader) else -1)
        for number, entry in enumerate(match.entries[:count])
    ]


def story(match: Match, reader: int, first: int = 0, last: int | None = None) -> Iterator[Told]:
    """What happened from the entry after `first` to `last` (None: the latest), in the order it did."""
    told: Told | None = None
    for new in _lines(match, reader, first, len(match.entries) if last is None else last):
        if told is not None:
            if (joined := _joined(told, new)) is not None:
                told = joined
                continue
            yield told
        told = new
    if told is not None:
        yield told


def _lines(match: Match, reader: int, first: int, last: int) -> Iterator[Told]:
    before = view_for(match, first, reader)
    for number, entry in enumerate(match.entries[first:last], first + 1):
        after = view_for(match, number, reader)
        action = entry.action if knows(entry, reader) else -1
        eyes = reader
        if reader == EVERYTHING:
            eyes = entry.actor if entry.actor < CHANCE else OBSERVER
        for line in match.game.narrate(before, action, after, eyes):
            yield Told(number, line)
        before = after


def _joined(one: Told, two: Told) -> Told | None:
    """Two lines that are one to a person: the same again, or the same with another card."""
    if one.line.message == two.line.message:
        return Told(two.entry, two.line, one.times + 1)
    key, args = two.line.message
    if key != one.line.message.key or "card" not in args or one.line.side != two.line.side:
        return None
    if {**one.line.message.args, "card": ""} != {**args, "card": ""} or "n" in args:
        return None
    cards = (*_several(one.line.message.args["card"]), *_several(args["card"]))
    return Told(two.entry, Line(Message(key, {**args, "card": cards}), two.line.side))


def _several(card: Argument) -> tuple[Ref | Message, ...]:
    if isinstance(card, tuple) and not isinstance(card, Ref | Message):
        return card
    return (card,) if isinstance(card, Ref | Message) else ()


def spoken(told: Iterable[Told], words: Words, forced: Container[int] = (), because: str = "") -> Iterator[Text]:
    """The lines in words; what followed from a deed is indented. Entries in `forced` get the note `because`."""
    for number, line, times in told:
        text = words.sentence(line.message)
        if times > 1:
            text += f" (×{times})"
        if number in forced and because:
            text += f" ({because})"
        if line.message.key.startswith("change."):
            yield Text("  " + text, QUIET)
        elif line.side is None:
            yield Text("· ", QUIET) + Text(text)
        else:
            yield Text(f"{MARKS[line.side]} ", SIDE_STYLES[line.side]) + Text(text)
