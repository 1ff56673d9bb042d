"""The page of a calibration: a diagram and tables for each way of forecasting; it needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Argument, Message
from brinkmanship.lab.balance import plots, versions
from brinkmanship.lab.balance.page import document, number_in, table
from brinkmanship.lab.calibration.reliability import Groups, Reliability
from brinkmanship.players import load_player
from brinkmanship.text import Words

DOMAIN = "calibration"
POINTS = 100


class About(NamedTuple):
    """What was measured, and with what."""

    game: str
    options: Mapping[str, Any]
    """Those that are not as usual."""
    player: str
    games: int
    seed: int
    playouts: int
    rules: str
    """Digest of the sources of the rules, as the following."""
    player_digest: str
    search_digest: str
    data: str
    """SHA-256 of the data file."""


def about(game: Game, player: str, games: int, seed: int, playouts: int) -> About:
    """What was measured: so many games of a player."""
    own, search = (versions.of_player(load_player(name, game, 0), name) for name in (player, "search"))
    rules = versions.of_rules(game)
    options = {key: value for key, value in game.options.items() if value != game.default_options[key]}
    return About(game.id, options, player, games, seed, playouts, rules, own, search, game.data_sha256)


def as_json(told: About, found: Mapping[str, Groups], game: Game) -> dict[str, Any]:
    """All figures as plain JSON data, shares from 0 to 1."""
    return {
        **told._asdict(),
        "forecasts": {
            way: {
                "all": each.whole.as_json(),
                "asked": {game.sides[side]: part.as_json() for side, part in each.sides.items()},
                game.narrator.span or "card": {str(span): part.as_json() for span, part in each.spans.items()},
            }
            for way, each in found.items()
        },
    }


def page(game: Game, told: About, found: Mapping[str, Groups], words: Words) -> str:
    """The page as HTML; `words` are those of the game."""
    return _Page(game, told, found, words.with_domain(DOMAIN)).html()


def verdicts(game: Game, found: Mapping[str, Groups], words: Words) -> list[str]:
    """What is found, a line for each way of forecasting, as plain text."""
    made = _Page(game, None, found, words.with_domain(DOMAIN))
    return [f"{made.words.text(Message(f'way.{way}'))}: {made.verdict(each.whole)}" for way, each in found.items()]


class _Page:
    def __init__(self, game: Game, told: About | None, found: Mapping[str, Groups], words: Words) -> None:
        self.game, self.told, self.found, self.words = game, told, found, words

    def say(self, key: str, **args: Argument) -> str:
        return escape(self.words.sentence(Message(key, args)))

    def points(self, share: float, pattern: str = "0.0") -> str:
        return number_in(self.words.language, POINTS * share, pattern)

    def count(self, number: int) -> str:
        return number_in(self.words.language, number, "#,##0")

    def html(self) -> str:
        assert self.told is not None
        title = self.say("title", game=self.words.text(Message(f"game.{self.game.id}")))
        head = self.say("head", player=self.told.player, games=self.count(self.told.games))
        options = ", ".join(f"{name}={str(value).lower()}" for name, value in sorted(self.told.options.items()))
        said = f"<p>{self.say('head.options', options=options)}</p>" if options else ""
        parts = "".join(self.way(way, each) for way, each in self.found.items())
        body = f"<p>{head}</p>{said}<p>{self.say('head.points')}</p>{parts}{self.method(self.told)}"
        return document(title, body, self.words.language)

    def verdict(self, whole: Reliability) -> str:
        """The error of a way of forecasting and what it means, as plain text."""
        figures = {
            "error": self.points(whole.error),
            "low": self.points(whole.low),
            "high": self.points(whole.high),
            "chance": self.points(whole.by_chance),
        }
        told = (Message("error", figures), Message(f"verdict.{whole.verdict}"))
        return " ".join(self.words.sentence(each) for each in told)

    def way(self, way: str, found: Groups) -> str:
        return (
            f"<section><h2>{self.say(f'way.{way}')}</h2><p>{self.say(f'way.{way}.means')}</p>"
            f"<p class=headline>{escape(self.verdict(found.whole))}</p>"
            f"<figure>{self.diagram(found.whole)}<figcaption>{self.say('diagram')}</figcaption></figure>"
            f"{self.tenths(found.whole)}{self.parts(found)}</section>"
        )

    def diagram(self, whole: Reliability) -> str:
        title = self.words.text(Message("diagram.title"))
        axes = plots.Axes((0, POINTS), (0, POINTS), title)
        for level in plots.steps(0, POINTS):
            axes.level(level, number_in(self.words.language, level, "0"))
            axes.below(level, number_in(self.words.language, level, "0"))
        axes.straight((0, 0), (POINTS, POINTS), "zero")
        for each in whole.tenths:
            margin = POINTS * (each.high - each.low) / 2
            axes.line(1, {POINTS * each.predicted: (POINTS * each.happened, margin)})
        return axes.svg()

    def tenths(self, whole: Reliability) -> str:
        heads = ("tenth", "positions", "predicted", "happened", "interval", "difference")
        rows = [
            (
                f"{self.points(each.number / 10, '0')}–{self.points((each.number + 1) / 10, '0')}",
                self.count(each.n),
                self.points(each.predicted),
                self.points(each.happened),
                f"{self.points(each.low)}–{self.points(each.high)}",
                self.points(each.happened - each.predicted, "+0.0;-0.0"),
            )
            for each in whole.tenths
        ]
        return table([self.say(f"column.{head}") for head in heads], rows)

    def parts(self, found: Groups) -> str:
        """The tables by side and by round, Turn or card."""
        sides = [(escape(self.words.name("side", self.game.sides[side])), part) for side, part in found.sides.items()]
        span = self.game.narrator.span or "card"
        spans = [(self.say(f"span.{span}", n=number), part) for number, part in found.spans.items()]
        heads = ("positions", "predicted", "happened", "error", "interval", "chance", "verdict")
        return "".join(
            f"<h3>{self.say(key)}</h3>"
            + table(["", *(self.say(f"column.{head}") for head in heads)], [self.row(*each) for each in rows])
            for key, rows in (("by_side", sides), (f"by_{span}", spans))
            if rows
        )

    def row(self, label: str, part: Reliability) -> Sequence[str]:
        return (
            label,
            self.count(part.n),
            self.points(part.predicted),
            self.points(part.happened),
            self.points(part.error),
            f"{self.points(part.low)}–{self.points(part.high)}",
            self.points(part.by_chance),
            self.say(f"short.{part.verdict}"),
        )

    def method(self, told: About) -> str:
        playouts = self.say("method.playouts", n=told.playouts) if told.playouts else self.say("method.no_playouts")
        made = self.say(
            "method.made",
            seed=str(told.seed),
            draws=str(told.seed + 1),
            futures=str(told.seed + 2),
            rules=told.rules,
            data=told.data[:12],
            player=told.player,
            player_digest=told.player_digest,
            search_digest=told.search_digest,
        )
        said = [self.say("method.error"), playouts, self.say("method.limits"), made]
        return f"<section><h2>{self.say('method')}</h2>{''.join(f'<p>{each}</p>' for each in said)}</section>"
