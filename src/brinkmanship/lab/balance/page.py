"""The HTML page of a report: one self-contained file to view, print and share.

Every comparison shows the figure and interval of each playing strength, and whether they agree: a result seen with only
one player is not a property of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.lab.balance.measures import OWN_DATA
from brinkmanship.lab.balance.profile import profile_of
from brinkmanship.lab.balance.results import Exchange, Measure, Report
from brinkmanship.reports import plots
from brinkmanship.reports.document import Figure as Picture
from brinkmanship.reports.document import Section, SectionPart, document, number, table
from brinkmanship.text import MissingTextError, Words, rulings_of
from brinkmanship.text.options import option_text

DOMAIN = "balance"
ENOUGH = 1000
"""Minimum games for a player to be quoted in the first sentence."""
BY_SIDE = ("card", "use", "agenda", "hide")
"""Families whose keys begin with a side."""


def page(report: Report, words: Words) -> str:
    """Return the page of a report as HTML; `words` are those of the game."""
    return _Page(report, words.with_domain(DOMAIN)).html()


class _Page:
    def __init__(self, report: Report, words: Words) -> None:
        self.report, self.words, self.game = report, words, report.game
        self.profile = profile_of(self.game)
        self.marks = {player: number for number, player in enumerate(report.players)}
        self.rulings = {ruling.option: ruling for ruling in rulings_of(self.game, words) if ruling.option}

    def say(self, key: str, **args: Argument) -> str:
        return self.words.sentence(Message(key, args))

    def html(self) -> str:
        title = self.say("title", game=self.words.text(Message(f"game.{self.game.id}")))
        sections = (
            self.bias(),
            self.family("order"),
            self.length(),
            self.ends(),
            self.wars(),
            *map(self.family, ("card", "use", "agenda", "hide", "country", "zone")),
            self.bids(),
            self.family("option"),
            self.numbers(),
            self.method(),
        )
        return document(title, self.words.language, self.head(), sections)

    # ---- Formatting of numbers.

    def number(self, value: float, pattern: str = "0.0") -> str:
        return number(self.words.language, value, pattern)

    def signed(self, value: float) -> str:
        return self.number(value, "+0.0;-0.0")

    def with_margin(self, figure: Measure, *, signed: bool = True) -> str:
        value = self.signed(figure.value) if signed else self.number(figure.value)
        return f"{value} ± {self.number(figure.margin)}"

    def side(self, side: str) -> str:
        return self.words.name("side", side) if side in self.game.sides else self.say("nobody")

    # ---- The head: what was measured, and with which players.

    def head(self) -> tuple[SectionPart, ...]:
        about = self.report.about
        options = ", ".join(f"{name}={str(value).lower()}" for name, value in sorted(about["options"].items()))
        bias = self.report.bias()
        # The strongest player with enough games for a conclusion.
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
        changed = [self.say("head.options", options=options)] if options else []
        if about["content"]:
            changed.append(self.say("head.file", file=about["file"]))
        return (
            SectionPart(
                headline=f"{said} {self.say(f'bias.{bias.verdict}')}",
                paragraphs=[*changed, self.say("head.players")],
                legend=[Markup("{} {}").format(plots.mark(number), player) for player, number in self.marks.items()],
            ),
            SectionPart(paragraphs=[self.say("head.verdicts")]),
        )

    def section(self, key: str, *parts: SectionPart) -> Section:
        """Return a section with its heading and an explanation."""
        return Section(self.say(key), self.say(f"{key}.means"), parts)

    # ---- Who wins.

    def bias(self) -> Section:
        bias = self.report.bias()
        most = plots.reach([(each.value, each.margin) for each in bias.figures.values()])
        rows = []
        for player, each in bias.figures.items():
            found = {self.marks[player]: (each.value, each.margin)}
            shown = Measure(each.n, 50 + each.value, each.margin, each.chance)
            text = self.with_margin(shown, signed=False)
            rows.append((player, plots.intervals(found, most, text), text, self.number(each.n, "#,##0")))
        side = self.side(self.game.sides[0])
        heads = (self.say("column.player"), self.scale(most, 50), side, self.say("column.games"))
        return self.section("bias", SectionPart(table=table(heads, rows, has_plot=True)))

    def scale(self, most: float, middle: float = 0) -> Markup:
        """Return the head of a column of intervals: the scale they are drawn on."""
        low, high = (self.number(middle + sign * most, "0.#") for sign in (-1, 1))
        if not middle:
            high = f"+{high}"
        ends = Markup("<span>{}</span>" * 3).format(low, self.number(middle, "0"), high)
        return Markup("<span class=scale>{}</span>").format(ends)

    # ---- Values by exchange.

    def family(self, name: str) -> Section:
        rows = self.report.family(name)
        if name not in BY_SIDE:
            return self.section(name, *([self.rows(name, rows)] if rows else []))
        parts = []
        for side in self.game.sides:
            mine = [row for row in rows if row.key[0] == side]
            if name == "hide":
                mine.sort(key=lambda row: len(row.key))
            if mine:
                parts.append(self.rows(name, mine)._replace(title=self.side(side)))
        return self.section(name, *parts)

    def rows(self, name: str, rows: Sequence[Exchange]) -> SectionPart:
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
            verdict = Markup("<span class={}>{}</span>").format(row.verdict, self.say(f"verdict.{row.verdict}"))
            listed.append((label, drawn, *cells, verdict))
        heads = ("", self.scale(most), *players, self.say("column.verdict"))
        return SectionPart(table=table(heads, listed, has_plot=True))

    def cell(self, figure: Measure | None) -> str:
        if figure is None:
            return "–"
        text = self.titled(figure, self.with_margin(figure))
        return Markup("<b>{}</b>").format(text) if figure.sure else text

    def label(self, name: str, key: tuple[str, ...]) -> str:
        """Return the label of a row of a family."""
        if name == "order":
            return self.span(int(key[0]))
        if name == "hide":
            is_one = len(key) > 1
            return self.words.name("agenda", key[1]) if is_one else Markup("<b>{}</b>").format(self.say("hide.all"))
        if name in ("card", "use", "agenda"):
            return self.words.name("agenda" if name == "agenda" else "card", key[1])
        if name == "country":
            return _small(self.words.name("country", key[0]), self.words.name("box", key[1]))
        if name == "zone":
            return self.words.name("zone", key[0])
        option, _, value = "/".join(key).partition("=")
        if option == OWN_DATA:
            return self.say("option.own_data")
        ruling = self.rulings.get(option)
        title = ruling.title if ruling else self.option_value(option)
        return _small(title, self.option_value(option, value))

    def option_value(self, name: str, value: str | None = None) -> str:
        """Return the text of an option or of one of its values; its code if there is no text."""
        ruling = self.rulings.get(name)
        if ruling and value is not None:
            for each in ruling.values:
                if str(each.value).lower() == value:
                    return each.text
        number = int(value) if value is not None and value.lstrip("-").isdigit() else value
        try:
            return option_text(self.words, name, number)
        except MissingTextError:
            return Markup("<code>{}</code>").format(name if value is None else f"{name}={value}")

    def span(self, number: int) -> str:
        return self.say(f"span.{self.game.narrator.span or 'none'}", n=number)

    # ---- Length of games, and changes of the lead.

    def length(self) -> Section:
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
        lengths = table(("", *self.marks), rows)
        drawn = None
        courses = {player: self.report.moments_of("ahead", player) for player in players}
        if any(courses.values()):
            last = max(max(course, default=0) for course in courses.values())
            axes = plots.Axes((0, max(1, last)), (50, 100), self.say("ahead"))
            for level in plots.steps(50, 100):
                axes.level(level, self.number(level, "0"))
            for at in plots.steps(0, last, 10):
                if at == int(at):
                    axes.below(at, self.number(at + (self.game.narrator.span == "turn"), "0"))
            for player, course in courses.items():
                axes.line(self.marks[player], {at: (each.value, each.margin) for at, each in course.items()})
            drawn = Picture(axes.svg(), self.say(self.profile.ahead))
        return self.section("length", SectionPart(table=lengths), SectionPart(figure=drawn))

    # ---- Endings.

    def ends(self) -> Section:
        players = self.report.players_of("games")
        found = {player: self.report.ends(player) for player in players}
        how: dict[tuple[str, str], dict[str, Measure]] = {}
        when: dict[int, dict[str, Measure]] = {}
        for player in players:
            for (span, reason, winner), each in found[player].items():
                _sum_up(how.setdefault((reason, winner), {}), player, each)
                _sum_up(when.setdefault(int(span), {}), player, each)
        heads = ("", *players)
        by_how = [
            (_small(self.side(winner), self.say(f"reason.{reason}")), *self.shares(each, players))
            for (reason, winner), each in sorted(how.items(), key=lambda item: -sum(f.value for f in item[1].values()))
        ]
        by_when = [(self.span(span), *self.shares(each, players)) for span, each in sorted(when.items())]
        spans = SectionPart(table=table(heads, by_when)) if len(by_when) > 1 else SectionPart()
        return self.section("ends", SectionPart(table=table(heads, by_how)), spans)

    def shares(self, found: Mapping[str, Measure], players: Sequence[str]) -> list[str]:
        return [self.with_margin(found[player], signed=False) if player in found else "0" for player in players]

    def wars(self) -> Section:
        def of(source: Callable[[str], Mapping[tuple[str, ...], Measure]]) -> dict[tuple[str, ...], dict[str, Measure]]:
            found: dict[tuple[str, ...], dict[str, Measure]] = {}
            for player in self.marks:
                for key, each in source(player).items():
                    found.setdefault(key, {})[player] = each
            return dict(sorted(found.items()))

        causes = of(lambda player: self.report.shares("games", "cause", player))
        if not causes:
            return self.section("wars")
        deeds = of(lambda player: self.report.shares("course", "deed", player))
        avoidable = of(lambda player: {(side,): each for side, each in self.report.avoidable(player).items()})
        heads = ("", *self.marks)
        parts = (
            ("wars.cause", causes, self.cause),
            ("wars.deed", deeds, self.deed),
            ("wars.avoidable", avoidable, lambda key: self.side(key[0])),
        )
        return self.section(
            "wars",
            *(
                SectionPart(
                    title=self.say(name),
                    paragraphs=[self.say(f"{name}.means")],
                    table=table(heads, [(label(key), *self.counted(each)) for key, each in found.items()]),
                )
                for name, found, label in parts
                if found
            ),
        )

    def counted(self, found: Mapping[str, Measure]) -> list[str]:
        return [
            self.titled(found[player], self.with_margin(found[player], signed=False)) if player in found else "–"
            for player in self.marks
        ]

    def titled(self, figure: Measure, text: str) -> str:
        """Return a figure whose tooltip shows its number of values."""
        return Markup('<span title="N = {}">{}</span>').format(self.number(figure.n, "#,##0"), text)

    def cause(self, key: tuple[str, ...]) -> str:
        cause = self.profile.cause(key[1])
        if isinstance(cause, Message):
            said = self.words.sentence(cause)
        else:
            said = self.words.join([self.words.name(*each) for each in cause])
        return _small(self.side(key[0]), said)

    def deed(self, key: tuple[str, ...]) -> str:
        try:
            said = self.say(f"deed.{key[1]}")
        except MissingTextError:
            said = self.say("deed.rules")
        return _small(self.side(key[0]), said)

    # ---- 13 Minutes: the bids.

    def bids(self) -> Section:
        found = self.report.bids()
        if not found:
            return self.section("bids")
        player = [*found][-1]
        strongest = found[player]
        often = 100 * strongest.by_bid()
        bids = often.shape[1]
        top = max(20.0, float(often.max()))
        axes = plots.Axes((-0.5, bids - 0.5), (0, top), self.say("bids.often", player=player))
        for level in plots.steps(0, top):
            axes.level(level, self.number(level, "0"))
        for cubes in range(bids):
            axes.below(cubes, str(cubes))
            for side in range(2):
                axes.bar(side, cubes - 0.4 + 0.4 * side, 0.4, float(often[side, cubes]))
        key = Markup("<span class='key b{}'></span> {}")
        legend = [key.format(n, self.side(side)) for n, side in enumerate(self.game.sides)]
        values = [
            (
                name,
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
            (self.words.name("card", card.id), *(self.number(mean) for mean in strongest.by_card(number)))
            for number, card in enumerate(self.report._cards())
        ]
        return self.section(
            "bids",
            SectionPart(table=table([self.say(f"column.{head}") for head in heads], values)),
            SectionPart(figure=Picture(axes.svg(), self.say("bids.often", player=player), legend)),
            SectionPart(title=self.say("bids.cards"), table=table(("", *map(self.side, self.game.sides)), cards)),
        )

    # ---- Starting numbers.

    def numbers(self) -> Section:
        names = dict.fromkeys(name for player in self.marks for name in self.report.numbers(player))
        suggestions = self.report.suggestions()
        drawn = []
        for name in names:
            lines = {player: found[name] for player in self.marks if name in (found := self.report.numbers(player))}
            values = sorted({value for line in lines.values() for value in line})
            title = self.say(f"number.{name}")
            axes = plots.Axes((values[0], values[-1]), (0, 100), title)
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
            drawn.append(
                SectionPart(title=title, figure=Picture(axes.svg()), items=[self.words.text(each) for each in said])
            )
        return self.section("number", *drawn)

    # ---- Method.

    def method(self) -> Section:
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
        digests = [(player, Markup("<code>{}</code>").format(about["players"][player])) for player in self.marks]
        made = self.say(
            "method.made",
            seed=str(about["seed"]),
            rules=about["rules"],
            engine=about["engine"],
            data=about["data"][:12],
        )
        return self.section(
            "method",
            SectionPart(
                paragraphs=[*(self.say(f"method.{part}") for part in ("swap", "interval", "robust", "limits")), made],
                table=table((self.say("column.measure"), *self.marks), rows),
            ),
            SectionPart(table=table((self.say("column.player"), self.say("column.digest")), digests)),
        )


def _sum_up(found: dict[str, Measure], player: str, each: Measure) -> None:
    """Add one more share of the same games."""
    before = found.get(player)
    if before is None:
        found[player] = each
        return
    share = (before.value + each.value) / 100
    margin = 196 * (max(share * (1 - share), 0.0) / max(each.n, 1)) ** 0.5
    found[player] = Measure(each.n, 100 * share, margin, 0.0)


def _plain(label: str) -> str:
    """Return a label without its tags, for a title."""
    return Markup(label.replace("<small>", ": ")).striptags() if isinstance(label, Markup) else label


def _small(text: str, under: str) -> Markup:
    """Return a text with a small one below it."""
    return Markup("{}<small>{}</small>").format(text, under)
