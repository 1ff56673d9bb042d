"""The report of an analysis: one standalone HTML file to view, print and send, or the content of a page of the server.

It starts with one sentence, followed by three bars that add up, the curve with the board at each step, and the
costliest decisions: each is a question to answer first, with the solution folded.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, NamedTuple

from markupsafe import Markup

from brinkmanship.analysis.curve import Stop, curve_svg
from brinkmanship.analysis.explained import ExplainedOptions, explained_options
from brinkmanship.analysis.report import Analysis, Bars, ComparedOption, Judgement
from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.drawing.style import stylesheet
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.journal import ending_of
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.message_json import message_of
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.reports.document import number, render, source
from brinkmanship.text import Words

DOMAIN = "analysis"
MAX_BOARDS = 40
"""Maximum pictures of the board: the page must be small enough for e-mail."""
MARKED = ("entry", "side", "taken", "best", "mark", "loss")
"""Columns of the table of marked decisions."""
MAX_LINES = 6
"""Maximum log lines for one stop."""
MIN_SHARE = 10
"""Minimum probability (percent) of a simultaneous choice for it to count as a right one."""
STYLE = Markup("\n").join(
    source(path)
    for path in (
        "reports/base.css",
        "analysis/page.css",
        "analysis/static/css/report.css",
        "analysis/static/css/explained.css",
    )
)
SCRIPT = source("analysis/static/js/report.js")


def policy() -> str:
    """Return the content security policy of the page: it allows only the page's own script."""
    script = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; img-src data:"


def page(found: Analysis, seen: Perspective, side: int, words: Words) -> str:
    """Return the report of an analysis for one side as a standalone page.

    Args:
        found: the analysis.
        seen: the game with all cards open.
        side: the side whose game is shown.
        words: the texts of the game.
    """
    made = _Report(found, seen, side, words.with_domain(DOMAIN), "")
    return made.html("analysis/page.html", policy=policy(), style=Markup(stylesheet()) + STYLE, script=SCRIPT)


def content(found: Analysis, seen: Perspective, side: int, words: Words, address: str) -> tuple[str, Markup]:
    """Return the title and the content of a page of the server about the game at a path, "/t/ID"; see `page`."""
    made = _Report(found, seen, side, words.with_domain(DOMAIN), address)
    return made.title, Markup(made.html("analysis/report.html"))


def headline(found: Analysis, side: int) -> Message:
    """Return the sources of the result in one sentence: "you lost 31 through luck and 19 through your own decisions".

    Each side's decisions are named apart: a loser whose opponent played well did not therefore play badly.
    """
    points = found.bars(side).in_points()
    sign = -1 if points.total < 0 else 1
    args: dict[str, Argument] = {"x": abs(points.total)}

    def said(of: int) -> tuple[Message, ...]:
        parts = (
            ("luck", of * points.luck),
            ("guess", of * points.guess),
            ("own", of * points.own_play),
            ("other", of * points.other_play),
        )
        return tuple(Message(f"part.{name}", {"x": value}) for name, value in parts if value > 0)

    with_it, against = said(sign), said(-sign)
    key = "headline.lost" if sign < 0 else "headline.won"
    if with_it and against:
        return Message(f"{key}.against", {**args, "parts": with_it, "against": against})
    return Message(key, {**args, "parts": with_it}) if with_it else Message("headline.even")


class _Bar(NamedTuple):
    """A row of the table that splits the result."""

    name: str
    points: str
    left: float
    """Start of the bar (percent of the width)."""
    width: float
    """Its width (percent)."""
    is_good: bool


class _Pick(NamedTuple):
    """A choice that answers a question."""

    action: str
    text: str
    is_right: bool


class _Question(NamedTuple):
    """A costly decision, as a question with its solution."""

    entry: int
    """Number of entries before it."""
    side: str
    prompt: str
    known: Sequence[str]
    """The secret aim and the hand of the side."""
    board: Markup
    choices: Sequence[_Pick]
    verdict: str
    table: ExplainedOptions


class _Report:
    def __init__(self, found: Analysis, seen: Perspective, side: int, words: Words, address: str) -> None:
        self.found, self.seen, self.side, self.words, self.address = found, seen, side, words, address
        self.game = seen.game
        self.drawing = drawing_of(self.game)
        self.details = {(one.first, one.side): one for one in found.details}
        self.lines = self._log()

    def say(self, key: str, **args: Argument) -> str:
        return self.words.sentence(Message(key, args))

    @property
    def title(self) -> str:
        return self.say("title", game=self.words.text(Message(f"game.{self.game.id}")))

    def html(self, template: str, **more: Any) -> str:
        stops = self._stops()
        boards = self._board_counts(stops)
        questions = [self._question(number, one) for number, one in enumerate(self.found.costliest(self.side), 1)]
        return render(
            template,
            **more,
            say=self.say,
            language=self.words.language,
            coasts=Markup(self.drawing.coast_file()),
            title=self.title,
            address=self.address,
            game_address=f"{self.address}{'' if self.address.startswith('/u/') else '/finished'}",
            sides=self.game.sides,
            viewer=self.side,
            result=self._result(),
            headline=self.words.sentence(headline(self.found, self.side)),
            bars=self._bars(self.found.bars(self.side)),
            points=self._play_points(self.found.bars(self.side)),
            adjusted=round(100 * min(1.0, max(0.0, self.found.luck_adjusted(self.side)))),
            curve=Markup(curve_svg(self.found, self.side, self.say("curve.title"))),
            stops=stops,
            stop_data=json.dumps(self._stop_data(stops, boards), ensure_ascii=False),
            first_board=self._board(self.seen.view(boards[0]), FULL_INFORMATION, "first-"),
            boards={count: self._board(self.seen.view(count), FULL_INFORMATION, f"b{count}-") for count in boards},
            questions=questions,
            marked_columns=MARKED,
            marked=[self._marked_row(one) for one in self.found.judgements if one.mark is not None],
            rates=[*self._rates()],
            found=self.found,
            side=self._side,
        )

    def _side(self, side: int) -> Ref:
        return Ref("side", self.game.sides[side])

    def _result(self) -> str:
        winner = ending_of(self.game, self.found.result).winner
        you = self.say("you", side=self._side(self.side))
        if winner is None:
            return f"{you} {self.say('result.nobody')}"
        return f"{you} {self.say('result', side=self._side(winner))}"

    def _bars(self, bars: Bars) -> list[_Bar]:
        points = bars.in_points()
        rows = [
            ("luck", bars.luck, bars.luck_error, points.luck),
            ("guess", bars.guess, bars.guess_error, points.guess),
            ("play", bars.play, bars.play_error, points.play),
            ("total", bars.total, None, points.total),
        ]
        scale = max(0.01, *(abs(value) for _, value, _, _ in rows))
        return [self._bar(name, value / scale, whole, error) for name, value, error, whole in rows]

    def _bar(self, name: str, part: float, points: int, error: float | None) -> _Bar:
        """Return a bar from the middle to the left or to the right."""
        said = self.words.signed(points)
        width = 50 * abs(part)
        left = 50 if part >= 0 else 50 - width
        return _Bar(name, said if error is None else f"{said} ± {ceil(100 * error)}", left, width, part >= 0)

    def _play_points(self, bars: Bars) -> dict[str, str]:
        points = bars.in_points()
        return {"own": self.words.signed(points.own_play), "other": self.words.signed(points.other_play)}

    def _stop_data(self, stops: Sequence[Stop], boards: Sequence[int]) -> dict[str, Any]:
        """Return the data that the script of the page shows at each stop of the curve."""
        sign, at = (1.0, 0.0) if self.side == 0 else (-1.0, 1.0)
        return {
            "stops": [
                {
                    "n": stop.last,
                    "win": round(100 * (at + sign * stop.win)),
                    "said": self._said(stop),
                    "board": max(count for count in boards if count <= stop.last),
                }
                for stop in stops
            ],
            "wins": self.words.text(Message("curve.wins", {"x": "%x"})),
            "side": self.game.sides[self.side],
            "over": stops[-1].last if self.seen.outcome() is not None else None,
        }

    def _stops(self) -> list[Stop]:
        """Return all stops of the curve."""
        moved = [Stop(step.first, step.last, step.after) for step in self.found.steps if step.last > step.first]
        start = moved[0].first if moved else 0
        return [Stop(start, start, self.found.initial), *moved]

    def _board_counts(self, stops: Sequence[Stop]) -> list[int]:
        """Return the entry counts with a board, evenly over the game, including its first and last position."""
        every = max(1, ceil(len(stops) / (MAX_BOARDS - 1)))
        return sorted({stops[0].last, *(stop.last for stop in stops[::every]), stops[-1].last})

    def _board(self, view: State, viewer: int, ids: str) -> Markup:
        drawn = self.drawing.board(self.game, view, viewer, self.words, BoardRequest(ids=ids, coast="here"))
        # Other ids are for moving pieces on the page of a table; here they would not be unique.
        return Markup(re.sub(rf' id="(?!{ids})[^"]*"', "", drawn).replace('"here#', '"#'))

    def _log(self) -> dict[int, list[str]]:
        """Return the log lines of each entry, by its number from 1."""
        return {
            each.number: [self.words.sentence(line.message) for line in self.seen.lines(each)]
            for each in self.seen.seen()
        }

    def _said(self, stop: Stop) -> list[str]:
        lines = [line for number in range(stop.first + 1, stop.last + 1) for line in self.lines.get(number, [])]
        return lines[:MAX_LINES]

    def _question(self, number: int, one: Judgement) -> _Question:
        view = self.game.view_of(self.seen.view(one.first), one.side)
        aim = self.game.narrator.aim(view, one.side)
        known = [] if aim is None else [self.say("explained.aim", aim=aim)]
        hand = tuple(Ref("card", card) for card in self.game.known_state(view, one.side)["cards"].get("hand", ()))
        if hand:
            known.append(self.say("question.hand", cards=hand))
        return _Question(
            entry=one.first,
            side=self.game.sides[one.side],
            prompt=self.words.sentence(self.game.narrator.prompt(view, one.side)),
            known=known,
            board=self._board(view, one.side, f"q{number}-"),
            choices=[self._pick(view, one, option) for option in sorted(one.options, key=lambda each: each.action)],
            verdict=self._verdict(view, one),
            table=self._table(view, one),
        )

    def _answer(self, view: State, one: Judgement, action: str) -> str:
        return self.words.sentence(self._plain(view, one, action))

    def _verdict(self, view: State, one: Judgement) -> str:
        said = [
            self.say(
                "verdict",
                taken=self._plain(view, one, one.taken),
                best=self._plain(view, one, one.best),
                x=round(100 * one.loss),
                error=ceil(100 * one.error),
                mark=Message(f"mark.{one.mark}"),
            )
        ]
        if one.why:
            said.append(self.say(f"why.{one.why}"))
        return " ".join(said)

    def _plain(self, view: State, one: Judgement, action: str) -> Message:
        return self.game.narrator.describe(view, one.side, self.game.parse_action(action, one.side))

    def _pick(self, view: State, one: Judgement, option: ComparedOption) -> _Pick:
        is_mixed = option.share is not None and round(100 * option.share) >= MIN_SHARE
        return _Pick(option.action, self._answer(view, one, option.action), option.action == one.best or is_mixed)

    def _table(self, view: State, one: Judgement) -> ExplainedOptions:
        detail = self.details.get((one.first, one.side))
        reason = detail.reason if detail is not None else None
        replies = detail.replies if detail is not None else {}
        return explained_options(
            self.game,
            view,
            one.side,
            one.options,
            one.best,
            one.taken,
            self.words,
            message_of(reason) if reason else None,
            {action: message_of(reply) for action, reply in replies.items() if reply},
        )

    def _marked_row(self, one: Judgement) -> tuple[str, ...]:
        view = self.game.view_of(self.seen.view(one.first), one.side)
        return (
            str(one.first + 1),
            self.words.name("side", self.game.sides[one.side]),
            self._answer(view, one, one.taken),
            self._answer(view, one, one.best),
            self.say(f"mark.{one.mark}"),
            f"{round(100 * one.loss)} ± {ceil(100 * one.error)}",
        )

    def _rates(self) -> Iterator[str]:
        for side in range(len(self.game.sides)):
            rate, count = self.found.error_rate(side), len(self.found.of(side))
            if rate is not None:
                yield self.say("rate", side=self._side(side), x=number(self.words.language, rate / 10), count=count)
