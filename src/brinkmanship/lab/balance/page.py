"""The page of a report: one file to look at, print and hand around, which needs nothing from elsewhere.

Wherever something is compared every strength of play has its own figure with its interval, and beside them stands
whether they agree: what only one player makes of a game is no property of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from babel.numbers import format_decimal

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.lab.balance import plots
from brinkmanship.lab.balance.measures import OWN_DATA
from brinkmanship.lab.balance.profile import profile_of
from brinkmanship.lab.balance.results import Figure, Report, Row
from brinkmanship.text import MissingTextError, Words, rulings_of
from brinkmanship.text.options import option_text

DOMAIN = "balance"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may do with the page: it has no script."""
ENOUGH = 1000
"""Games from which on a player is quoted in the first sentence."""
BY_SIDE = ("card", "use", "agenda", "hide")
"""Families whose keys begin with a side."""


def page(report: Report, words: Words) -> str:
    """The page of a report as HTML; `words` are those of the game."""
    return _Page(report, words.with_domain(DOMAIN)).html()


class _Page:
    def __init__(self, report: Report, words: Words) -> None:
        self.report, self.words, self.game = report, words, report.game
        self.profile = profile_of(self.game)
        self.marks = {player: number for number, player in enumerate(report.players)}
        self.rulings = {ruling.option: ruling for ruling in rulings_of(self.game, words) if ruling.option}

    def say(self, key: str, **args: Argument) -> str:
        return escape(self.words.sentence(Message(key, args)))

    def html(self) -> str:
        title = self.say("title", game=self.words.text(Message(f"game.{self.game.id}")))
        parts = (
            self.bias,
            lambda: self.family("order"),
            self.length,
            self.ends,
            self.wars,
            lambda: self.family("card"),
            lambda: self.family("use"),
            lambda: self.family("agenda"),
            lambda: self.family("hide"),
            lambda: self.family("country"),
            lambda: self.family("zone"),
            self.bids,
            lambda: self.family("option"),
            self.numbers,
            self.method,
        )
        body = "".join(part() for part in parts)
        return document(title, self.head() + body, self.words.language)

    # ---- Numbers in words.

    def number(self, value: float, pattern: str = "0.0") -> str:
        return number_in(self.words.language, value, pattern)

    def signed(self, value: float) -> str:
        return self.number(value, "+0.0;-0.0")

    def with_margin(self, figure: Figure, *, signed: bool = True) -> str:
        value = self.signed(figure.value) if signed else self.number(figure.value)
        return f"{value} ± {self.number(figure.margin)}"

    def side(self, side: str) -> str:
        return escape(self.words.name("side", side)) if side in self.game.sides else self.say("nobody")

    # ---- The head: what is measured, with whom, in one sentence.

    def head(self) -> str:
        about = self.report.about
        options = ", ".join(f"{name}={str(value).lower()}" for name, value in sorted(about["options"].items()))
        bias = self.report.bias()
        # The strongest by whom enough was played to say something.
        known = [player for player, each in bias.figures.items() if each.n >= ENOUGH]
        strongest = (known or [*bias.figures])[-1]
        figure = bias.figures[strongest]
        said = self.say(
            "headline",
            side=Ref("side", self.game.sides[0]),
            points=self.number(50 + figure.value),
            margin=self.number(figure.margin),
            player=strongest,
        )
        legend = "".join(f"<li>{plots.mark(number)} {escape(player)}</li>" for player, number in self.marks.items())
        changed = "".join(
            f"<p>{text}</p>"
            for text in (
                self.say("head.options", options=options) if options else "",
                self.say("head.file", file=about["file"]) if about["content"] else "",
            )
            if text
        )
        return (
            f"<p class=headline>{said} {self.say(f'bias.{bias.verdict}')}</p>{changed}"
            f"<p>{self.say('head.players')}</p><ul class=legend>{legend}</ul><p>{self.say('head.verdicts')}</p>"
        )

    def section(self, key: str, *parts: str) -> str:
        """A section with its heading and what it means; nothing where it has no parts."""
        whole = "".join(parts)
        return f"<section><h2>{self.say(key)}</h2><p>{self.say(f'{key}.means')}</p>{whole}</section>" if whole else ""

    # ---- Who wins.

    def bias(self) -> str:
        bias = self.report.bias()
        most = plots.reach([(each.value, each.margin) for each in bias.figures.values()])
        rows = []
        for player, each in bias.figures.items():
            found = {self.marks[player]: (each.value, each.margin)}
            shown = Figure(each.n, 50 + each.value, each.margin, each.chance)
            text = self.with_margin(shown, signed=False)
            rows.append((escape(player), plots.intervals(found, most, text), text, self.number(each.n, "#,##0")))
        side = self.side(self.game.sides[0])
        heads = (self.say("column.player"), self.scale(most, 50), side, self.say("column.games"))
        return self.section("bias", table(heads, rows, plot=True))

    def scale(self, most: float, middle: float = 0) -> str:
        """Above a column of intervals: how far it reaches."""
        low, high = (self.number(middle + sign * most, "0.#") for sign in (-1, 1))
        if not middle:
            high = f"+{high}"
        return f"<span class=scale><span>{low}</span><span>{self.number(middle, '0')}</span><span>{high}</span></span>"

    # ---- What is worth what.

    def family(self, name: str) -> str:
        rows = self.report.family(name)
        if not rows:
            return ""
        if name not in BY_SIDE:
            return self.section(name, self.rows(name, rows))
        parts = []
        for side in self.game.sides:
            mine = [row for row in rows if row.key[0] == side]
            if name == "hide":
                mine.sort(key=lambda row: len(row.key))
            if mine:
                parts.append(f"<h3>{self.side(side)}</h3>{self.rows(name, mine)}")
        return self.section(name, *parts)

    def rows(self, name: str, rows: Sequence[Row]) -> str:
        if name == "order":
            rows = sorted(rows, key=lambda row: row.key)
        players = [player for player in self.marks if any(player in row.figures for row in rows)]
        most = plots.reach([(each.value, each.margin) for row in rows for each in row.figures.values()])
        listed = []
        for row in rows:
            found = {self.marks[player]: (each.value, each.margin) for player, each in row.figures.items()}
            label = self.label(name, row.key)
            cells = [self.cell(row.figures.get(player)) for player in players]
            drawn = plots.intervals(found, most, _plain(label))
            listed.append(
                (label, drawn, *cells, f"<span class={row.verdict}>{self.say(f'verdict.{row.verdict}')}</span>")
            )
        heads = ("", self.scale(most), *map(escape, players), self.say("column.verdict"))
        return table(heads, listed, plot=True)

    def cell(self, figure: Figure | None) -> str:
        if figure is None:
            return "–"
        text = self.titled(figure, self.with_margin(figure))
        return f"<b>{text}</b>" if figure.sure else text

    def label(self, name: str, key: tuple[str, ...]) -> str:
        """What a row of a family is about."""
        if name == "order":
            return self.span(int(key[0]))
        if name == "hide":
            return escape(self.words.name("agenda", key[1])) if len(key) > 1 else f"<b>{self.say('hide.all')}</b>"
        if name in ("card", "use", "agenda"):
            return escape(self.words.name("agenda" if name == "agenda" else "card", key[1]))
        if name == "country":
            box = escape(self.words.name("box", key[1]))
            return f"{escape(self.words.name('country', key[0]))}<small>{box}</small>"
        if name == "zone":
            return escape(self.words.name("zone", key[0]))
        option, _, value = "/".join(key).partition("=")
        if option == OWN_DATA:
            return self.say("option.own_data")
        ruling = self.rulings.get(option)
        title = escape(ruling.title) if ruling else self.option_value(option)
        return f"{title}<small>{self.option_value(option, value)}</small>"

    def option_value(self, name: str, value: str | None = None) -> str:
        """An option, or one of its values, in words; as it is written where no words are known."""
        ruling = self.rulings.get(name)
        if ruling and value is not None:
            for each in ruling.values:
                if str(each.value).lower() == value:
                    return escape(each.text)
        number = int(value) if value is not None and value.lstrip("-").isdigit() else value
        try:
            return escape(option_text(self.words, name, number))
        except MissingTextError:
            return f"<code>{escape(name if value is None else f'{name}={value}')}</code>"

    def span(self, number: int) -> str:
        return self.say(f"span.{self.game.narrator.span or 'none'}", n=number)

    # ---- How long, and how open.

    def length(self) -> str:
        players = self.report.players_of("course")
        rows = []
        for key, kind, pattern in (
            ("length", "games", "0.0"),
            ("changes", "course", "0.00"),
            ("back", "course", "0.0"),
        ):
            found = {player: self.report.mean(kind, key, player) for player in self.marks}
            if not any(found.values()):
                continue
            times = 100 if key == "back" else 1
            cells = [
                "–"
                if each is None
                else f"{self.number(times * each[0], pattern)} ± {self.number(times * each[1], pattern)}"
                for each in found.values()
            ]
            rows.append((self.say(f"row.{key}"), *cells))
        lengths = table(("", *map(escape, self.marks)), rows)
        drawn = ""
        courses = {player: self.report.moments_of("ahead", player) for player in players}
        if any(courses.values()):
            last = max(max(course, default=0) for course in courses.values())
            axes = plots.Axes((0, max(1, last)), (50, 100), _plain(self.say("ahead")))
            for level in plots.steps(50, 100):
                axes.level(level, self.number(level, "0"))
            for at in plots.steps(0, last, 10):
                if at == int(at):
                    axes.below(at, self.number(at + (self.game.narrator.span == "turn"), "0"))
            for player, course in courses.items():
                axes.line(self.marks[player], {at: (each.value, each.margin) for at, each in course.items()})
            drawn = f"<figure>{axes.svg()}<figcaption>{self.say(self.profile.ahead)}</figcaption></figure>"
        return self.section("length", lengths, drawn)

    # ---- How it ends.

    def ends(self) -> str:
        players = self.report.players_of("games")
        found = {player: self.report.ends(player) for player in players}
        how: dict[tuple[str, str], dict[str, Figure]] = {}
        when: dict[int, dict[str, Figure]] = {}
        for player in players:
            for (span, reason, winner), each in found[player].items():
                _sum_up(how.setdefault((reason, winner), {}), player, each)
                _sum_up(when.setdefault(int(span), {}), player, each)
        heads = ("", *map(escape, players))
        by_how = [
            (f"{self.side(winner)}<small>{self.say(f'reason.{reason}')}</small>", *self.shares(each, players))
            for (reason, winner), each in sorted(how.items(), key=lambda item: -sum(f.value for f in item[1].values()))
        ]
        by_when = [(self.span(span), *self.shares(each, players)) for span, each in sorted(when.items())]
        return self.section("ends", table(heads, by_how), table(heads, by_when) if len(by_when) > 1 else "")

    def shares(self, found: Mapping[str, Figure], players: Sequence[str]) -> list[str]:
        return [self.with_margin(found[player], signed=False) if player in found else "0" for player in players]

    def wars(self) -> str:
        def of(source: Callable[[str], Mapping[tuple[str, ...], Figure]]) -> dict[tuple[str, ...], dict[str, Figure]]:
            found: dict[tuple[str, ...], dict[str, Figure]] = {}
            for player in self.marks:
                for key, each in source(player).items():
                    found.setdefault(key, {})[player] = each
            return dict(sorted(found.items()))

        causes = of(lambda player: self.report.shares("games", "cause", player))
        if not causes:
            return ""
        deeds = of(lambda player: self.report.shares("course", "deed", player))
        avoidable = of(lambda player: {(side,): each for side, each in self.report.avoidable(player).items()})
        heads = ("", *map(escape, self.marks))
        parts = (
            ("wars.cause", causes, self.cause),
            ("wars.deed", deeds, self.deed),
            ("wars.avoidable", avoidable, lambda key: self.side(key[0])),
        )
        return self.section(
            "wars",
            *(
                f"<h3>{self.say(name)}</h3><p>{self.say(f'{name}.means')}</p>"
                + table(heads, [(label(key), *self.counted(each)) for key, each in found.items()])
                for name, found, label in parts
                if found
            ),
        )

    def counted(self, found: Mapping[str, Figure]) -> list[str]:
        return [
            self.titled(found[player], self.with_margin(found[player], signed=False)) if player in found else "–"
            for player in self.marks
        ]

    def titled(self, figure: Figure, text: str) -> str:
        """A figure that says, when pointed at, from how many values it comes."""
        return f'<span title="N = {self.number(figure.n, "#,##0")}">{text}</span>'

    def cause(self, key: tuple[str, ...]) -> str:
        cause = self.profile.cause(key[1])
        if isinstance(cause, Message):
            said = escape(self.words.sentence(cause))
        else:
            said = escape(self.words.join([self.words.name(*each) for each in cause]))
        return f"{self.side(key[0])}<small>{said}</small>"

    def deed(self, key: tuple[str, ...]) -> str:
        try:
            said = self.say(f"deed.{key[1]}")
        except MissingTextError:
            said = self.say("deed.rules")
        return f"{self.side(key[0])}<small>{said}</small>"

    # ---- 13 Minutes: the bids.

    def bids(self) -> str:
        found = self.report.bids()
        if not found:
            return ""
        player = [*found][-1]
        strongest = found[player]
        often = 100 * strongest.by_bid()
        bids = often.shape[1]
        top = max(20.0, float(often.max()))
        axes = plots.Axes((-0.5, bids - 0.5), (0, top), _plain(self.say("bids.often", player=player)))
        for level in plots.steps(0, top):
            axes.level(level, self.number(level, "0"))
        for cubes in range(bids):
            axes.below(cubes, str(cubes))
            for side in range(2):
                axes.bar(side, cubes - 0.4 + 0.4 * side, 0.4, float(often[side, cubes]))
        legend = "".join(
            f"<li><span class='key b{n}'></span> {self.side(side)}</li>" for n, side in enumerate(self.game.sides)
        )
        values = [
            (
                escape(name),
                self.number(each.value),
                self.number(each.gain, "0.00"),
                self.number(each.cubes[0]),
                self.number(each.cubes[1]),
                self.number(each.n, "#,##0"),
            )
            for name, each in found.items()
        ]
        heads = ("player", "balance_value", "balance_gain", "cube_last", "cube_first", "games")
        cards = [
            (escape(self.words.name("card", card.id)), *(self.number(mean) for mean in strongest.by_card(number)))
            for number, card in enumerate(self.report._cards())
        ]
        return self.section(
            "bids",
            table([self.say(f"column.{head}") for head in heads], values),
            f"<figure>{axes.svg()}<ul class=legend>{legend}</ul>"
            f"<figcaption>{self.say('bids.often', player=player)}</figcaption></figure>",
            f"<h3>{self.say('bids.cards')}</h3>",
            table(("", *map(self.side, self.game.sides)), cards),
        )

    # ---- Numbers to begin with.

    def numbers(self) -> str:
        names = dict.fromkeys(name for player in self.marks for name in self.report.numbers(player))
        suggestions = self.report.suggestions()
        drawn = []
        for name in names:
            lines = {player: found[name] for player in self.marks if name in (found := self.report.numbers(player))}
            values = sorted({value for line in lines.values() for value in line})
            title = self.say(f"number.{name}")
            axes = plots.Axes((values[0], values[-1]), (0, 100), _plain(title))
            for level in plots.steps(0, 100):
                axes.level(level, self.number(level, "0"), "zero" if level == 50 else "grid")
            for value in values:
                axes.below(value, self.number(value, "0"))
            for player, line in lines.items():
                axes.line(self.marks[player], {value: (each.value, each.margin) for value, each in line.items()})
            said = []
            for each in suggestions:
                if each.name != name:
                    continue
                if each.value is None:
                    said.append(Message("number.none", {"player": each.player}))
                else:
                    at, margin = self.number(each.value), self.number(each.margin)
                    said.append(Message("number.even", {"player": each.player, "at": at, "margin": margin}))
            listed = "".join(f"<li>{escape(self.words.text(each))}</li>" for each in said)
            drawn.append(f"<h3>{title}</h3><figure>{axes.svg()}</figure><ul>{listed}</ul>")
        return self.section("number", *drawn)

    # ---- How it was measured.

    def method(self) -> str:
        about = self.report.about
        kinds = dict.fromkeys(kind for kind, _ in self.report.counts)
        rows = [
            (
                self.say(f"measure.{kind}"),
                *(
                    self.number(self.report.counts[kind, player], "#,##0")
                    if (kind, player) in self.report.counts
                    else "–"
                    for player in self.marks
                ),
            )
            for kind in kinds
        ]
        digests = [(escape(player), f"<code>{about['players'][player]}</code>") for player in self.marks]
        made = self.say(
            "method.made",
            seed=str(about["seed"]),
            rules=about["rules"],
            engine=about["engine"],
            data=about["data"][:12],
        )
        return self.section(
            "method",
            *(f"<p>{self.say(f'method.{part}')}</p>" for part in ("swap", "interval", "robust", "limits")),
            f"<p>{made}</p>",
            table((self.say("column.measure"), *map(escape, self.marks)), rows),
            table((self.say("column.player"), self.say("column.digest")), digests),
        )


def document(title: str, body: str, language: str) -> str:
    """A page whose title and body are HTML already, as one file in the clothes of the reports."""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body><main><h1>{title}</h1>{body}</main></body></html>\n"
    )


def number_in(language: str, value: float, pattern: str = "0.0") -> str:
    """A number as a language writes it, with a true minus."""
    return format_decimal(value, pattern, language).replace("-", "−")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], plot: bool = False) -> str:
    """A table of texts that are HTML already; numbers stand in all columns but the first (and a plot's)."""
    head = "".join(f"<th scope=col>{each}</th>" for each in heads)
    kinds = ["", "plot-cell"] if plot else [""]
    body = "".join(
        "<tr>"
        + "".join(
            f"<th scope=row>{cell}</th>" if not at else f"<td class={kinds[at] if at < len(kinds) else 'n'}>{cell}</td>"
            for at, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>" if body else ""


def _sum_up(found: dict[str, Figure], player: str, each: Figure) -> None:
    """Add one more share of the same games."""
    before = found.get(player)
    if before is None:
        found[player] = each
        return
    share = (before.value + each.value) / 100
    margin = 196 * (max(share * (1 - share), 0.0) / max(each.n, 1)) ** 0.5
    found[player] = Figure(each.n, 100 * share, margin, 0.0)


def _plain(html: str) -> str:
    """A label without its tags, for a title."""
    for tag in ("<small>", "</small>", "<b>", "</b>", "<code>", "</code>"):
        html = html.replace(tag, ": " if tag == "<small>" else "")
    return (
        html.replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", '"')
        .replace("&#x27;", "'")
    )


STYLE = """
:root{--paper:#fff;--ink:#1c1c1c;--muted:#555;--rule:#d5d5d5;--c0:#b35900;--c1:#0a6ea8;--c2:#1c1c1c;--c3:#7a3e9d}
@media screen and (prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e8e8e8;--muted:#a9adb2;--rule:#3a4046;
--c0:#f0a04b;--c1:#62b6e8;--c2:#e8e8e8;--c3:#c59be0}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1040px;margin:0 auto;padding:16px}
h1{font-size:1.6em;margin:.4em 0}h2{font-size:1.25em;margin:2em 0 .3em}h3{font-size:1.05em;margin:1.2em 0 .3em}
p{max-width:70ch;margin:.4em 0}.headline{font-size:1.2em;font-weight:600}
small{display:block;font-weight:400;color:var(--muted);max-width:44ch}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:.6em 0}
th,td{text-align:left;padding:4px 10px 4px 0;border-bottom:1px solid var(--rule);vertical-align:middle;font-weight:400}
thead th{font-weight:600;font-size:.9em;vertical-align:bottom}
.n{white-space:nowrap;font-variant-numeric:tabular-nums}.plot-cell{width:220px;min-width:160px}
.at{display:block;width:220px;max-width:100%}.plot{display:block;width:100%;max-width:640px;height:auto}
.scale{display:flex;justify-content:space-between;width:220px;max-width:100%}
figure{margin:.6em 0}figcaption{color:var(--muted);max-width:70ch}text{font:12px system-ui,sans-serif;fill:var(--muted)}
.zero{stroke:var(--muted);fill:none}.grid{stroke:var(--rule);fill:none}
.p0{fill:var(--c0)}.p1{fill:var(--c1)}.p2{fill:var(--c2)}.p3{fill:var(--c3)}
.line{fill:none;stroke-width:1.6}.p0.line{stroke:var(--c0);fill:none}.p1.line{stroke:var(--c1);fill:none}
.p2.line{stroke:var(--c2);fill:none}.p3.line{stroke:var(--c3);fill:none}
.b0{fill:var(--c0);background:var(--c0)}.b1{fill:var(--c1);background:var(--c1)}
.key{display:inline-block;width:12px;height:12px}.mark{width:14px;height:14px;vertical-align:-2px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;padding:0;margin:.3em 0}
.robust{font-weight:600}.open{color:var(--muted)}code{font-size:.9em}
@media (max-width:640px){th[scope=row]{min-width:130px}body{font-size:15px}}
@media print{body{font-size:10pt}main{max-width:none;padding:0}.wide{overflow:visible}tr,figure{break-inside:avoid}
h2,h3{break-after:avoid}thead{display:table-header-group}.at,.scale,.plot-cell{width:150px;min-width:0}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""
