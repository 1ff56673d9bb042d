"""The annotated record of a game as Markdown, for forums: who played, the log by rounds, comments, costly decisions.

It is written from a perspective, so it tells no more than its viewer may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

from brinkmanship.analysis.report import Analysis, Judgement
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.game_log import GameLog, LogEntry
from brinkmanship.engine.message import Argument, LogLine, Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.text import Words, words_for
from brinkmanship.text.score import ScoreText, score_text

DOMAIN = "annotated"
COSTLIEST = 3
"""Maximum costly decisions of each side."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_STARTS_LIST = re.compile(r"^(\d+)([.)])|^([-+=])")
_LINK = re.compile(r"\b(https?)://")


class Remark(NamedTuple):
    """A comment on a move."""

    author: str
    """Its author; "" if unknown."""
    text: str


class Heading(NamedTuple):
    """The facts about a game that its moves do not tell."""

    title: str
    players: Sequence[str]
    """Names by side; "" if unknown."""
    date: str
    """Day of the game, "2026-11-26"; "" if unknown."""
    result: str
    """The result as a sentence."""


def annotated(
    seen: Perspective,
    heading: Heading,
    language: str,
    remarks: Mapping[int, Sequence[Remark]],
    found: Analysis | None = None,
) -> str:
    """Return the record of a game as Markdown.

    Args:
        seen: the game as the reader may know it.
        heading: who played, and how it ended.
        language: the language of all texts.
        remarks: comments by the number of entries before the position they are about.
        found: the analysis of the game, if there is one.
    """
    words = words_for(seen.game, language).with_domain("analysis").with_domain(DOMAIN)
    parts = [_head(seen, heading, words), *_course(seen, words, remarks)]
    if found is not None and seen.viewer == FULL_INFORMATION:
        parts += _costly(seen, found, words)
    parts.append(_end(seen, heading, words))
    return "\n\n".join(part for part in parts if part) + "\n"


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    escaped = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    escaped = _STARTS_LIST.sub(lambda start: f"{start[1]}\\{start[2]}" if start[1] else f"\\{start[3]}", escaped)
    return _LINK.sub(r"\1:\\//", escaped)  # otherwise forums would turn it into a link


def _head(seen: Perspective, heading: Heading, words: Words) -> str:
    sides = zip(seen.game.sides, heading.players, strict=True)
    facts = [(words.name("side", side), name) for side, name in sides if name]
    facts += [(_said(words, "date"), heading.date)] if heading.date else []
    facts.append((_said(words, "result"), heading.result))
    lines = [f"- **{plain(what)}:** {plain(value)}" for what, value in facts]
    return "\n".join([f"# {plain(heading.title)}", "", *lines])


def _course(seen: Perspective, words: Words, remarks: Mapping[int, Sequence[Remark]]) -> Iterator[str]:
    """Yield the log, a section for each round or turn; a game without them has one."""

    def show(line: LogLine, times: int) -> str:
        return words.sentence(line.message) + (f" (×{times})" if times > 1 else "")

    log = GameLog(show)
    log.follow(seen)
    left = dict(remarks)
    for number, group in groupby(log.lines, lambda line: _round_of(seen, line)):
        lines = list(group)
        span = seen.game.narrator.span
        title = _said(words, span, number=number) if span else _said(words, "course")
        written = [line for at, each in enumerate(lines) for line in _written(each, lines[at + 1 :], left)]
        yield "\n".join([f"## {title}", "", *written])
    if rest := [remark for step in sorted(left) for remark in left[step]]:
        yield "\n".join(_quoted(remark, "") for remark in rest)


def _round_of(seen: Perspective, line: LogEntry[str]) -> int:
    return int(seen.game.public_state(seen.view(line.first - 1)).get(seen.game.narrator.span, 0))


def _written(line: LogEntry[str], after: Sequence[LogEntry[str]], left: dict[int, Sequence[Remark]]) -> Iterator[str]:
    """Yield a line of the log, and the remarks about what has happened up to it, which are removed from `left`."""
    yield f"{'  ' if line.follows else ''}- {plain(line.shown)}"
    if after and after[0].entry == line.entry:
        return
    for step in sorted(step for step in left if step <= line.entry):
        yield from (_quoted(remark, "  ") for remark in left.pop(step))


def _quoted(remark: Remark, indent: str) -> str:
    author = f"**{plain(remark.author)}:** " if remark.author else ""
    return f"\n{indent}> {author}{plain(remark.text)}\n"


def _costly(seen: Perspective, found: Analysis, words: Words) -> Iterator[str]:
    """Yield the section of the decisions that cost most, if there are any."""
    costly = [one for side in range(len(seen.game.sides)) for one in found.costliest(side, COSTLIEST)]
    if costly:
        lines = [_cost(seen, one, words) for one in sorted(costly, key=lambda one: -one.loss)]
        yield "\n".join([f"## {_said(words, 'costly')}", "", *lines])


def _cost(seen: Perspective, one: Judgement, words: Words) -> str:
    game = seen.game
    view = game.view_of(seen.view(one.first), one.side)
    where = _said(words, "move", number=one.first + 1)
    numbers: dict[str, Argument] = {"x": round(100 * one.loss), "error": ceil(100 * one.error)}
    told = words.sentence(
        Message(
            "annotated.cost",
            {
                "taken": _choice(seen, view, one, one.taken),
                "best": _choice(seen, view, one, one.best),
                "mark": Message(f"mark.{one.mark}"),
                **numbers,
            },
        )
    )
    return f"- **{plain(words.name('side', game.sides[one.side]))}**, {plain(where)}: {plain(told)}"


def _choice(seen: Perspective, view: State, one: Judgement, action: str) -> Message:
    return seen.game.narrator.describe(view, one.side, seen.game.parse_action(action, one.side))


def _end(seen: Perspective, heading: Heading, words: Words) -> str:
    """Return the result, and the score of a game that ended by its rules, all hands open."""
    lines = [f"## {_said(words, 'result')}", "", plain(heading.result)]
    if seen.viewer == FULL_INFORMATION and seen.outcome() is not None:
        for table in score_text(seen.game, seen.game.narrator.score(list(seen.seen())), words):
            lines += ["", *_table(table)]
    return "\n".join(lines)


def _table(table: ScoreText) -> Iterator[str]:
    yield f"| {plain(table.title)} | {plain(table.sides[0])} | {plain(table.sides[1])} |"
    yield "|:--|--:|--:|"
    for part in table.parts:
        yield f"| {plain(part.what)} | {part.points[0]} | {part.points[1]} |"
    yield f"| **Σ** | **{table.totals[0]}** | **{table.totals[1]}** |"


def _said(words: Words, key: str, **arguments: Argument) -> str:
    return words.sentence(Message(f"annotated.{key}", arguments))
