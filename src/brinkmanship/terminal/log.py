"""The log of a match as terminal lines."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine.game_log import GameLog, LogEntry
from brinkmanship.engine.message import LogLine
from brinkmanship.engine.perspective import Perspective
from brinkmanship.terminal.style import MARKS, QUIET, SIDE_STYLES
from brinkmanship.text import Words


def game_log(perspective: Perspective, words: Words) -> list[LogEntry[Text]]:
    """Return the whole log as known to the viewer; consequences of an action are indented."""

    def show(line: LogLine, times: int) -> Text:
        text = words.sentence(line.message)
        if times > 1:
            text += f" (×{times})"
        if line.message.key.startswith("change."):
            return Text("  " + text, QUIET)
        if line.side is None:
            return Text("· ", QUIET) + Text(text)
        return Text(f"{MARKS[line.side]} ", SIDE_STYLES[line.side]) + Text(text)

    log = GameLog(show)
    log.follow(perspective)
    return log.lines


def reasoned(lines: Iterable[LogEntry[Text]], reasons: Mapping[int, str]) -> Iterator[Padding]:
    """Yield the first line about each decision with a reason, by number of entry, and the reason below it."""
    left = dict(reasons)
    for each in lines:
        if reason := left.pop(each.entry, ""):
            yield Padding(each.shown.copy(), (0, 0, 0, 1))
            yield Padding(Text(reason, QUIET), (0, 0, 0, 3))


def with_notes(lines: Iterable[LogEntry[Text]], forced: Container[int], because: str) -> Iterator[Text]:
    """Yield the lines; append the note `because` to those about an entry in `forced`."""
    for each in lines:
        yield each.shown + Text(f" ({because})") if each.entry in forced else each.shown.copy()
