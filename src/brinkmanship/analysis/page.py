"""The page of an analysis: one file to look at, print and send, which needs nothing from elsewhere.

One sentence first, then three bars that add up, the curve with the board that goes with it, and the dearest decisions:
each is a question first, with the answer folded away.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from math import ceil

from babel.numbers import format_decimal

from brinkmanship.analysis.curve import Stop, curve_svg
from brinkmanship.analysis.report import Analysis, Bars, Judgement, Option, Reply
from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.drawing.style import stylesheet
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.journal import ending_of
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.message_json import message_of
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.text import Words

DOMAIN = "analysis"
MAX_BOARDS = 40
"""Pictures of the board that one moves through: a page is to be sent by mail."""
MARKED = ("entry", "side", "taken", "best", "mark", "loss")
"""What is told of a decision that got a mark."""
MAX_LINES = 6
"""Of the log, for one stop."""


def policy() -> str:
    """What a browser may do with the page: of scripts only the page's own one."""
    script = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; img-src data:"


def page(found: Analysis, seen: Perspective, side: int, words: Words, address: str = "") -> str:
    """The page of an analysis for one side, as HTML.

    Args:
        found: the analysis.
        seen: the game with all cards open.
        side: whose game is looked at.
        words: those of the game.
        address: where a server shows the game, "/t/ID", for links there; "": the page stands alone.
    """
    return _Page(found, seen, side, words.with_domain(DOMAIN), address).html()


def headline(found: Analysis, side: int) -> Message:
    """What the result comes from, in one sentence: "Of the 50 points you lost, 31 were luck and 19 play"."""
    points = found.bars(side).in_points()
    sign = -1 if points.total < 0 else 1
    args: dict[str, Argument] = {"x": abs(points.total)}

    def said(of: int) -> tuple[Message, ...]:
        parts = (("luck", of * points.luck), ("guess", of * points.guess), ("play", of * points.play))
        return tuple(Message(f"part.{name}", {"x": value}) for name, value in parts if value > 0)

    with_it, against = said(sign), said(-sign)
    key = "headline.lost" if sign < 0 else "headline.won"
    if with_it and against:
        return Message(f"{key}.against", {**args, "parts": with_it, "against": against})
    return Message(key, {**args, "parts": with_it}) if with_it else Message("headline.even")


class _Page:
    def __init__(self, found: Analysis, seen: Perspective, side: int, words: Words, address: str) -> None:
        self.found, self.seen, self.side, self.words, self.address = found, seen, side, words, address
        self.game = seen.game
        self.drawing = drawing_of(self.game)
        self.details = {(one.first, one.side): one for one in found.details}
        self.lines = self._told()

    def say(self, key: str, **args: int | str | Ref | Message) -> str:
        return escape(self.words.sentence(Message(key, args)))

    def html(self) -> str:
        title = self.say("title", game=self.words.text(Message(f"game.{self.game.id}")))
        body = "".join(
            (
                self._links(),
                f"<h1>{title}</h1>",
                f"<p class=result>{self._result()}</p>",
                f"<p class=headline>{escape(self.words.sentence(headline(self.found, self.side)))}</p>",
                self._bars(self.found.bars(self.side)),
                self._course(),
                self._questions(),
                self._marked(),
                self._method(),
            )
        )
        return (
            f'<!doctype html><html lang="{self.words.language}"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
            f"<style>{stylesheet()}{STYLE}</style></head><body>"
            f"<div class='outlines brink' aria-hidden=true>{self.drawing.coast_file()}</div><main>{body}</main>"
            f"<script>{SCRIPT}</script></body></html>\n"
        )

    def _links(self) -> str:
        """To the game, and to its analysis for the other side."""
        if not self.address:
            return ""
        other = self.game.sides[1 - self.side]
        links = (
            (f"{self.address}{'' if self.address.startswith('/u/') else '/finished'}", self.say("link.game")),
            (f"{self.address}/analysis?as={other}", self.say("link.other", side=self._side(1 - self.side))),
            (f"{self.address}/analysis.html?as={self.game.sides[self.side]}", self.say("link.file")),
        )
        listed = "".join(f'<a href="{to}">{text}</a>' for to, text in links)
        return f"<nav>{listed}</nav>"

    def _side(self, side: int) -> Ref:
        return Ref("side", self.game.sides[side])

    def _result(self) -> str:
        winner = ending_of(self.game, self.found.result).winner
        you = self.say("you", side=self._side(self.side))
        if winner is None:
            return f"{you} {self.say('result.nobody')}"
        return f"{you} {self.say('result', side=self._side(winner))}"

    # ---- The bars.

    def _bars(self, bars: Bars) -> str:
        points = bars.in_points()
        rows = [
            ("luck", bars.luck, bars.luck_error, points.luck),
            ("guess", bars.guess, bars.guess_error, points.guess),
            ("play", bars.play, bars.play_error, points.play),
        ]
        scale = max(0.01, *(abs(value) for _, value, _, _ in rows), abs(bars.total))
        drawn = "".join(
            f"<tr><th scope=row>{self.say(f'bar.{name}')}<small>{self.say(f'bar.{name}.means')}</small></th>"
            f"<td class=n>{self._points(whole, error)}</td>"
            f"<td class=bar aria-hidden=true>{_bar(value / scale)}</td></tr>"
            for name, value, error, whole in rows
        )
        total = (
            f"<tr class=total><th scope=row>{self.say('bar.total')}</th><td class=n>{self._points(points.total)}</td>"
            f"<td class=bar aria-hidden=true>{_bar(bars.total / scale)}</td></tr>"
        )
        own, other = self.words.signed(points.own_play), self.words.signed(points.other_play)
        adjusted = round(100 * min(1.0, max(0.0, self.found.luck_adjusted(self.side))))
        return (
            f"<section><h2>{self.say('bars')}</h2><table class=bars><tbody>{drawn}{total}</tbody></table>"
            f"<p>{self.say('bars.play', own=own, other=other)} {self.say('bars.adjusted', x=adjusted)}</p></section>"
        )

    def _points(self, points: int, error: float | None = None) -> str:
        said = self.words.signed(points)
        return escape(said if error is None else f"{said} ± {ceil(100 * error)}")

    # ---- The curve, and the board that goes with it.

    def _course(self) -> str:
        stops = self._stops()
        sign, at = (1.0, 0.0) if self.side == 0 else (-1.0, 1.0)
        drawn = curve_svg(self.found, self.side, self.say("curve.title"))
        boards = self._board_counts(stops)
        svgs = {count: self._board(self.seen.view(count), FULL_INFORMATION, f"b{count}-") for count in boards}
        pictures = "".join(f'<template data-n="{count}">{board}</template>' for count, board in svgs.items())
        data = [
            {
                "n": stop.last,
                "win": round(100 * (at + sign * stop.win)),
                "said": self._said(stop),
                "board": max(count for count in boards if count <= stop.last),
            }
            for stop in stops
        ]
        legend = "".join(
            f"<li><span class='sign {name}' aria-hidden=true>{shape}</span> {self.say(f'legend.{name}')}</li>"
            for name, shape in (("lucky", "▲"), ("unlucky", "▼"), ("own", "●"), ("other", "○"))
        )
        told = {
            "stops": data,
            "wins": self.words.text(Message("curve.wins", {"x": "%x"})),
            "side": self.game.sides[self.side],
            "over": stops[-1].last if self.seen.outcome() is not None else None,
        }
        first = self._board(self.seen.view(boards[0]), FULL_INFORMATION, "first-")
        return (
            f"<section><h2>{self.say('curve')}</h2><p>{self.say('curve.means', side=self._side(self.side))}</p>"
            f"<figure class=curve tabindex=0>{drawn}</figure><ul class=legend>{legend}</ul>"
            f"<div class=mover><button type=button data-by=-1 aria-label='{self.say('curve.back')}'>◀</button>"
            f"<input type=range min=0 max={len(stops) - 1} value=0 aria-label='{self.say('curve.move')}'>"
            f"<button type=button data-by=1 aria-label='{self.say('curve.on')}'>▶</button></div>"
            f"<p class=said aria-live=polite></p>{self._play_on()}"
            f"<div class=board tabindex=0 role=group>{first}</div>{pictures}"
            f"<script type='application/json' id=stops>{_json(told)}</script></section>"
        )

    def _play_on(self) -> str:
        """To where the position that is shown can be played on."""
        if not self.address:
            return ""
        to = f"{self.address}/play-on/"
        return f'<p class=to><a class=on data-to="{to}" href="{to}0">{self.say("link.play_on")}</a></p>'

    def _stops(self) -> list[Stop]:
        """Every stop of the curve."""
        moved = [Stop(step.first, step.last, step.after) for step in self.found.steps if step.last > step.first]
        start = moved[0].first if moved else 0
        return [Stop(start, start, self.found.initial), *moved]

    def _board_counts(self, stops: Sequence[Stop]) -> list[int]:
        """After how many entries the board is shown: evenly over the game, its first and last position among them."""
        every = max(1, ceil(len(stops) / (MAX_BOARDS - 1)))
        return sorted({stops[0].last, *(stop.last for stop in stops[::every]), stops[-1].last})

    def _board(self, view: State, reader: int, ids: str) -> str:
        drawn = self.drawing.board(self.game, view, reader, self.words, BoardRequest(ids=ids, coast="here"))
        # Other ids are for moving pieces on the page of a table; here they would be there many times.
        return re.sub(rf' id="(?!{ids})[^"]*"', "", drawn).replace('"here#', '"#')

    def _told(self) -> dict[int, list[str]]:
        """What happened at each entry, by its number from 1."""
        return {
            each.number: [self.words.sentence(line.message) for line in self.seen.lines(each)]
            for each in self.seen.seen()
        }

    def _said(self, stop: Stop) -> list[str]:
        lines = [line for number in range(stop.first + 1, stop.last + 1) for line in self.lines.get(number, [])]
        return lines[:MAX_LINES]

    # ---- The dearest decisions.

    def _questions(self) -> str:
        dear = self.found.dearest(self.side)
        if not dear:
            return f"<section><h2>{self.say('questions')}</h2><p>{self.say('questions.none')}</p></section>"
        asked = "".join(self._question(number, one) for number, one in enumerate(dear, 1))
        return f"<section><h2>{self.say('questions')}</h2><p>{self.say('questions.means')}</p>{asked}</section>"

    def _question(self, number: int, one: Judgement) -> str:
        view = self.game.view_of(self.seen.view(one.first), one.side)
        prompt = escape(self.words.sentence(self.game.narrator.prompt(view, one.side)))
        answers = {option.action: self._answer(view, one, option.action) for option in one.options}
        listed = "".join(f"<li>{text}</li>" for _, text in sorted(answers.items()))
        cards = self.game.known_state(view, one.side)["cards"].get("hand", ())
        hand = tuple(Ref("card", card) for card in cards)
        held = f"<p>{escape(self.words.sentence(Message('question.hand', {'cards': hand})))}</p>" if hand else ""
        rows = "".join(self._row(one, option, answers[option.action]) for option in one.options)
        heads = ("option", "wins", "war", "reply") if self._has_war(one) else ("option", "wins", "reply")
        head = "".join(
            f"<th scope=col{' class=n' if name in ('wins', 'war') else ''}>{self.say(f'column.{name}')}</th>"
            for name in heads
        )
        return (
            f"<article class=question><h3>{number}. {self.say('question', x=one.first)}</h3><p>{prompt}</p>{held}"
            f"<div class=board tabindex=0 role=group>{self._board(view, one.side, f'q{number}-')}</div>"
            f"<ul>{listed}</ul>{self._link_to(one)}"
            f"<details><summary>{self.say('answer')}</summary><p>{self._verdict(view, one)}</p>"
            f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
            "</article>"
        )

    def _link_to(self, one: Judgement) -> str:
        """To the position in the replay, as the side saw it."""
        if not self.address:
            return ""
        side = self.game.sides[one.side]
        return (
            f'<p class=to><a href="{self.address}/replay/{one.first}?as={side}">{self.say("link.step")}</a>'
            f'<a href="{self.address}/branches/{one.first}">{self.say("link.branches")}</a>'
            f'<a href="{self.address}/play-on/{one.first}?as={side}">{self.say("link.play_on")}</a></p>'
        )

    def _has_war(self, one: Judgement) -> bool:
        return any(option.war is not None for option in one.options)

    def _answer(self, view: State, one: Judgement, action: str) -> str:
        number = self.game.parse_action(action, one.side)
        return escape(self.words.sentence(self.game.narrator.describe(view, one.side, number)))

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
        detail = self.details.get((one.first, one.side))
        if detail is not None and detail.reason:
            reason = self.words.with_domain("players").sentence(message_of(detail.reason))
            said.append(f"{self.say('reason')} {escape(reason)}")
        return " ".join(said)

    def _plain(self, view: State, one: Judgement, action: str) -> Message:
        return self.game.narrator.describe(view, one.side, self.game.parse_action(action, one.side))

    def _row(self, one: Judgement, option: Option, text: str) -> str:
        sign = "".join(
            f" <b>{self.say(key)}</b>"
            for key, is_it in (("is.best", option.action == one.best), ("is.taken", option.action == one.taken))
            if is_it
        )
        cells = f"<td>{text}{sign}</td>"
        cells += f"<td class=n {self._of('wins')}>{round(100 * option.win)} ± {ceil(100 * option.error)}"
        if option.share is not None:
            cells += f"<small>{self.say('share', x=round(100 * option.share))}</small>"
        cells += "</td>"
        if self._has_war(one):
            cells += f"<td class=n {self._of('war')}>{ceil(100 * (option.war or 0.0))}</td>"
        reply = self._reply(self.details.get((one.first, one.side)), option.action)
        return f"<tr>{cells}<td {self._of('reply')}>{reply}</td></tr>"

    def _of(self, column: str) -> str:
        """The heading of a cell, for where rows stand below one another."""
        return f'data-of="{self.say(f"column.{column}")}"'

    def _reply(self, detail: Reply | None, action: str) -> str:
        kept = detail.replies.get(action) if detail is not None else None
        return escape(self.words.sentence(message_of(kept))) if kept else "–"

    # ---- All that got a mark, and how it was found.

    def _marked(self) -> str:
        marked = [one for one in self.found.judgements if one.mark is not None]
        rows = "".join(self._marked_row(one) for one in marked)
        heads = "".join(f"<th scope=col>{self.say(f'column.{name}')}</th>" for name in MARKED)
        table = f"<div class=wide><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        return (
            f"<section><details><summary>{self.say('marked')}</summary><p>{' '.join(self._rates())}</p>"
            f"{table if marked else ''}</details></section>"
        )

    def _marked_row(self, one: Judgement) -> str:
        view = self.game.view_of(self.seen.view(one.first), one.side)
        said = (
            str(one.first + 1),
            escape(self.words.name("side", self.game.sides[one.side])),
            self._answer(view, one, one.taken),
            self._answer(view, one, one.best),
            self.say(f"mark.{one.mark}"),
            f"{round(100 * one.loss)} ± {ceil(100 * one.error)}",
        )
        cells = (f"<td {self._of(name)}>{cell}</td>" for name, cell in zip(MARKED, said, strict=True))
        return f"<tr>{''.join(cells)}</tr>"

    def _rates(self) -> Iterator[str]:
        for side in range(len(self.game.sides)):
            rate, count = self.found.error_rate(side), len(self.found.of(side))
            if rate is not None:
                yield self.say(
                    "rate", side=self._side(side), x=format_decimal(rate / 10, "0.0", self.words.language), count=count
                )

    def _method(self) -> str:
        told = "".join(f"<p>{self.say(f'method.{part}')}</p>" for part in ("value", "play", "marks"))
        made = self.say(
            "method.made", seed=str(self.found.seed), budget=self.found.budget, playouts=self.found.playouts
        )
        return f"<section><details><summary>{self.say('method')}</summary>{told}<p>{made}</p></details></section>"


def _bar(part: float) -> str:
    """A bar from the middle to the left or to the right."""
    width = 50 * abs(part)
    left = 50 if part >= 0 else 50 - width
    kind = "good" if part >= 0 else "bad"
    return f"<span class='{kind}' style='margin-left:{left:.1f}%;width:{width:.1f}%'></span>"


def _json(data: object) -> str:
    """JSON that can stand in a script of a page."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


STYLE = """
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 var(--sans)}
.outlines{position:absolute;width:0;height:0;overflow:hidden}
.land{fill:var(--land);stroke:var(--coast);stroke-width:1.6}
.lines{fill:none;stroke:var(--coast);stroke-width:1.2;opacity:.38}
main{max-width:960px;margin:0 auto;padding:16px}
h1{font-size:1.5em;margin:.4em 0}h2{font-size:1.2em;margin:1.6em 0 .4em}h3{font-size:1.05em}
.headline{font-size:1.3em;font-weight:600}
.result,small,.said{color:var(--muted)}small{display:block;font-weight:400}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:6px 10px 6px 0;border-bottom:1px solid var(--rule);
vertical-align:top}.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
thead th{vertical-align:bottom}thead .n{white-space:normal}td.n+td:not(.n,.bar),th.n+th:not(.n){padding-left:14px}
.bars th{width:45%}.bars .bar{width:40%;vertical-align:middle}.bar span{display:block;height:18px}
.total{font-weight:600}
.good{background:var(--political)}.bad{background:var(--military)}
.curve{margin:0}.curve svg{display:block;width:100%;height:auto;cursor:crosshair}
.curve text{font:13px var(--sans);fill:var(--muted)}
.curve .grid{stroke:var(--rule)}.curve .line{fill:none;stroke:var(--ink);stroke-width:2}
.curve .lucky{fill:var(--political)}.curve .unlucky{fill:var(--military)}
.curve .own{fill:var(--ink)}.curve .other{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}
.curve .now{stroke:var(--opinion);stroke-width:2}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;padding:0}
.sign.lucky{color:var(--political)}.sign.unlucky{color:var(--military)}
.mover{display:flex;gap:8px;align-items:center}.mover input{flex:1;min-width:0;accent-color:var(--opinion)}
button,summary{font:inherit;min-height:44px;min-width:44px;cursor:pointer;color:var(--ink)}
button{background:var(--panel);border:1px solid var(--faint);border-radius:4px}
summary{display:list-item;line-height:44px;font-weight:600}
nav{display:flex;flex-wrap:wrap;gap:0 20px}nav a,.to>a{display:inline-block;line-height:44px;margin-right:20px}
a{color:inherit}
:focus-visible{outline:3px solid var(--opinion);outline-offset:2px}
.said{min-height:3em}.board svg{width:100%;height:auto;display:block}.wide{overflow-x:auto}
.question{border-top:2px solid var(--rule);margin-top:1.5em}
.board,.curve{overflow-x:auto}
@media (max-width:640px){.wide thead{position:absolute;left:-99in}.wide :is(table,tbody,tr,td){display:block}
.wide tr{padding:8px 0;border-bottom:1px solid var(--rule)}
.wide td,.wide td.n+td:not(.n,.bar){border:0;padding:0;text-align:left;white-space:normal}
.wide [data-of]::before{content:attr(data-of) ": ";color:var(--muted)}.wide small{display:inline;margin-left:.6em}}
@media (max-width:640px){.board svg{min-width:760px}.curve svg{min-width:600px}}
@media print{.mover,script{display:none}.question{break-inside:avoid}details>*{display:block}body{background:none}}
"""

SCRIPT = """
(() => {
  const told = JSON.parse(document.getElementById("stops").textContent), mover = document.querySelector(".mover");
  const slider = mover.querySelector("input"), said = document.querySelector(".said");
  const board = document.querySelector(".board"), curve = document.querySelector(".curve svg");
  const now = curve.querySelector(".now"), on = document.querySelector(".on");
  let shown = null;
  const show = () => {
    const stop = told.stops[slider.value], wins = told.wins.replace("%x", stop.win);
    said.textContent = [wins, ...stop.said].join(" · ");
    slider.setAttribute("aria-valuetext", said.textContent);
    const x = Number(curve.dataset.left) + stop.n * Number(curve.dataset.scale);
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    if (on) {
      on.href = `${on.dataset.to}${stop.n}?as=${told.side}`;
      on.hidden = stop.n === told.over;
    }
    if (shown !== stop.board) {
      shown = stop.board;
      const picture = document.querySelector(`template[data-n="${shown}"]`);
      board.replaceChildren(picture.content.cloneNode(true));
    }
  };
  const nearest = (n) => {
    let best = 0;
    told.stops.forEach((stop, at) => {
      if (Math.abs(stop.n - n) < Math.abs(told.stops[best].n - n)) best = at;
    });
    return best;
  };
  slider.addEventListener("input", show);
  mover.addEventListener("click", (event) => {
    const by = event.target.closest("button")?.dataset.by;
    if (by) {
      slider.value = Number(slider.value) + Number(by);
      show();
    }
  });
  curve.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * curve.viewBox.baseVal.width;
    slider.value = nearest((x - Number(curve.dataset.left)) / Number(curve.dataset.scale));
    show();
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
  show();
})();
"""
